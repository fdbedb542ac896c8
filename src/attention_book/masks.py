"""Which keys a query may attend to (chapter 08). One convention: Boolean, True = may attend."""

import torch
from torch import Tensor


def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:
    """Let each token attend to itself and to the tokens before it.

    Returns:
        Boolean, shape (query, key) = (length, length); True on and below the diagonal.
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def padding_mask(token_ids: Tensor, pad_id: int = 0) -> Tensor:
    """Hide padding *keys*. Rows of padded queries stay as they are; leave those out of the loss.

    Args:
        token_ids: shape (length,) for one sentence or (batch, length).
    Returns:
        Boolean, (1, key) for one sentence, (batch, 1, 1, key) for a batch; False where the key is padding.
    Raises:
        TypeError: the ids are not whole numbers.
        ValueError: `token_ids` has another number of axes.
    """
    if not isinstance(token_ids, Tensor) or token_ids.is_floating_point() or token_ids.dtype == torch.bool:
        found = token_ids.dtype if isinstance(token_ids, Tensor) else type(token_ids).__name__
        raise TypeError(f"token_ids must be a tensor of whole numbers, got {found}; write torch.tensor([2, 3, 0])")
    if token_ids.dim() == 1:
        return (token_ids != pad_id)[None, :]
    if token_ids.dim() == 2:
        return (token_ids != pad_id)[:, None, None, :]
    raise ValueError(
        f"token_ids must have shape (length,) or (batch, length), got {tuple(token_ids.shape)}; "
        "pass the ids, not their embeddings"
    )


def fit_mask(mask: Tensor, scores_shape: tuple[int, ...], device: torch.device) -> Tensor:
    """Check that a mask means for the scores what its author thinks it means, and make it Boolean.

    Args:
        mask: Boolean (or integers 0/1), True = may attend; shape (query, key) or (1, key), or as many axes as the
            scores, each of the same size or 1. The last axis is always the keys, in full.
        scores_shape: (…, query, key).
    Returns:
        Boolean mask that broadcasts to the scores.
    Raises:
        TypeError: not a tensor, or floats: an additive mask and a 0/1 mask can not be told apart.
        ValueError: a shape that broadcasting would refuse or, worse, misread; another device.
    """
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a Boolean tensor, got {type(mask).__name__}; write torch.tensor(mask)")
    if mask.is_floating_point() or mask.is_complex():
        raise TypeError(
            f"mask must be Boolean (True = may attend), got {mask.dtype}; for a mask of zeros and ones write "
            "mask != 0, for one of zeros and −∞ that would be added to the scores write mask == 0"
        )
    if mask.device != device:
        raise ValueError(f"mask is on {mask.device}, the scores are on {device}; write mask.to('{device}')")
    fits = mask.dim() in (2, len(scores_shape)) and all(
        size in (1, wanted) for size, wanted in zip(reversed(mask.shape), reversed(scores_shape), strict=False)
    )
    if not fits or mask.shape[-1] != scores_shape[-1]:
        raise ValueError(
            f"mask {tuple(mask.shape)} does not fit scores {tuple(scores_shape)}; {_shape_fix(mask, scores_shape)}"
        )
    return mask != 0


def _shape_fix(mask: Tensor, scores_shape: tuple[int, ...]) -> str:
    """The one line that most likely turns the mask into one that fits."""
    *leading, queries, keys = scores_shape
    if tuple(mask.shape) == (keys,):
        return "for one row that hides keys write mask[None, :]"
    if leading and tuple(mask.shape) == (leading[0], keys):
        return f"for one row of keys per sentence write mask[:, {'None, ' * len(leading)}:]"
    if len(leading) == 2 and tuple(mask.shape) == (leading[0], queries, keys):
        return "for one mask per sentence write mask[:, None]"
    if mask.dim() >= 2 and mask.shape[-1] == 1 and mask.shape[-2] == keys:
        return "this hides queries; to hide keys write mask.transpose(-2, -1)"
    wanted = "(query, key) = " + str((queries, keys))
    if len(leading) == 2:
        batch, heads = leading
        wanted += f", (batch, 1, 1, key) = {(batch, 1, 1, keys)}, (batch, 1, query, key) = {(batch, 1, queries, keys)}"
        wanted += f" or (batch, heads, query, key) = {(batch, heads, queries, keys)}"
    return f"build it with shape {wanted}"
