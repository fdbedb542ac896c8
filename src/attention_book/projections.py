"""One fused projection matrix or one matrix per head: the same numbers (chapter 11)."""

from collections.abc import Sequence

import torch
from torch import Tensor


def split_projection(weight: Tensor, num_heads: int) -> Tensor:
    """Cut a fused projection into its column blocks, one matrix per head.

    Args:
        weight: shape (d_model, num_heads · head_dim), applied as `embeddings @ weight`. The weight of a
            torch.nn.Linear is the transpose of this: pass `linear.weight.T`.
        num_heads: how many blocks.
    Returns:
        shape (num_heads, d_model, head_dim).
    Raises:
        ValueError: the columns can not be shared out equally, or `weight` is not a matrix.
    """
    if weight.dim() != 2 or num_heads < 1 or weight.shape[1] % num_heads:
        raise ValueError(
            f"weight must have shape (d_model, num_heads · head_dim), got {tuple(weight.shape)} for "
            f"num_heads={num_heads}; its number of columns must be a multiple of num_heads"
        )
    head_dim = weight.shape[1] // num_heads
    return weight.reshape(weight.shape[0], num_heads, head_dim).transpose(0, 1)


def join_projections(weights: Tensor | Sequence[Tensor]) -> Tensor:
    """Put the matrices of the heads side by side; the inverse of `split_projection`.

    Args:
        weights: num_heads matrices of shape (d_model, head_dim), as a list or as one tensor.
    Returns:
        shape (d_model, num_heads · head_dim).
    Raises:
        ValueError: no matrix, or matrices of different shapes.
    """
    shapes = {tuple(weight.shape) for weight in weights}
    if len(shapes) != 1 or len(next(iter(shapes))) != 2:
        raise ValueError(
            f"weights must be matrices of one shape (d_model, head_dim), got {sorted(shapes)}; one matrix per head"
        )
    return torch.cat(tuple(weights), dim=1)
