"""One head of attention (chapters 05 to 07; the mask in chapter 08)."""

import math

import torch
from torch import Tensor

from .masks import fit_mask


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """softmax(Q Kᵀ / √d_k) V. A query that may attend to nothing gets weights 0 and context 0.

    Args:
        query: shape (…, query, d_k).
        key: shape (…, key, d_k).
        value: shape (…, key, d_v).
        mask: True = may attend; see `attention_book.masks.fit_mask` for the shapes.
    Returns:
        context, shape (…, query, d_v), and weights, shape (…, query, key), each row of which sums to 1.
    Raises:
        ValueError, TypeError: the shapes, dtypes or devices do not go together.
    Source:
        Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    check_query_key_value(query, key, value)
    # Dividing before the product gives the same scores and keeps float16 from overflowing.
    scores = (query / math.sqrt(query.shape[-1])) @ key.transpose(-2, -1)  # (…, query, key)
    if mask is None:
        weights = softmax_over_keys(scores)
    else:
        mask = fit_mask(mask, scores.shape, scores.device)
        scores = scores.masked_fill(~mask, -math.inf)
        # Softmax of a row of −∞ is 0/0; such a row takes part with zeros and ends as zeros.
        nothing_allowed = ~mask.any(dim=-1, keepdim=True)
        weights = softmax_over_keys(scores.masked_fill(nothing_allowed, 0.0)).masked_fill(~mask, 0.0)
    return weights @ value, weights


def softmax_over_keys(scores: Tensor) -> Tensor:
    """Softmax over the last axis. Where no gradient is recorded, the weights take the memory of the scores.

    Args:
        scores: shape (…, query, key); not used any more by the caller.
    """
    if not torch.is_grad_enabled():
        try:
            return torch.softmax(scores, dim=-1, out=scores)
        except RuntimeError:
            pass  # `vmap` and derivatives taken forwards do not write into a tensor; they get one of their own
    return torch.softmax(scores, dim=-1)


def check_query_key_value(query: Tensor, key: Tensor, value: Tensor) -> None:
    """Refuse what broadcasting would silently stretch, with a sentence that says how to mend it."""
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(tensor).__name__}; write torch.tensor({name})")
        if tensor.dim() < 2:
            raise ValueError(
                f"{name} must have shape (…, length, size), got {tuple(tensor.shape)}; "
                f"for a single vector write {name}[None, :]"
            )
        if not tensor.is_floating_point():
            raise TypeError(f"{name} must hold floating-point numbers, got {tensor.dtype}; write {name}.float()")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query {tuple(query.shape)} and key {tuple(key.shape)} must have the same last size d_k; "
            "project both to the same size"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key {tuple(key.shape)} and value {tuple(value.shape)} must have the same length: "
            "each key has one value; take both from the same tokens"
        )
    if not query.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        raise ValueError(
            f"query {tuple(query.shape)}, key {tuple(key.shape)} and value {tuple(value.shape)} must have the same "
            "batch axes; write .expand(…) where one of them is to be repeated"
        )
    if not query.device == key.device == value.device:
        raise ValueError(
            f"query is on {query.device}, key on {key.device}, value on {value.device}; write .to('{query.device}')"
        )
    # Under autocast PyTorch brings the operands of a product to one dtype itself.
    if not query.dtype == key.dtype == value.dtype and not torch.is_autocast_enabled(query.device.type):
        raise TypeError(
            f"query is {query.dtype}, key {key.dtype}, value {value.dtype}; write .to({query.dtype}) for the others"
        )
