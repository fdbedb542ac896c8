"""Exercises on joining the heads, splitting them again and projecting them with W_O."""

import torch
from torch import Tensor

from .exercise import Exercise

LENGTH, NUM_HEADS, HEAD_DIM = 7, 3, 8
D_MODEL = NUM_HEADS * HEAD_DIM
HEAD = 1
# A cycle of three: no head stays, and the order is not its own inverse.
ORDER = [1, 2, 0]


def _heads() -> tuple[Tensor]:
    return (torch.arange(NUM_HEADS * LENGTH * HEAD_DIM).reshape(NUM_HEADS, LENGTH, HEAD_DIM),)


def _projected() -> tuple[Tensor, int]:
    return torch.arange(LENGTH * D_MODEL).reshape(LENGTH, D_MODEL), NUM_HEADS


def _heads_and_output_projection() -> tuple[Tensor, Tensor, int]:
    generator = torch.Generator().manual_seed(10)
    heads = torch.randn(NUM_HEADS, LENGTH, HEAD_DIM, generator=generator, dtype=torch.float64)
    return heads, torch.randn(D_MODEL, D_MODEL, generator=generator, dtype=torch.float64) / D_MODEL**0.5, HEAD


def _output_projection_and_order() -> tuple[Tensor, list[int], int]:
    return _heads_and_output_projection()[1], ORDER, NUM_HEADS


def _combine(heads: Tensor) -> Tensor:
    return heads.transpose(0, 1).reshape(heads.shape[1], -1)


def _rows(W_O: Tensor, h: int) -> Tensor:
    return W_O[h * HEAD_DIM : (h + 1) * HEAD_DIM]


def _reorder(W_O: Tensor, order: list[int], num_heads: int) -> Tensor:
    return W_O.reshape(num_heads, -1, W_O.shape[-1])[order].reshape(W_O.shape)


def _inverse(order: list[int]) -> list[int]:
    return torch.tensor(order).argsort().tolist()


EXERCISES = {
    "combine": Exercise(
        right=_combine,
        wants_function=True,
        inputs=_heads,
        mistakes={
            "view_without_transpose": lambda heads: heads.reshape(heads.shape[1], -1),
            "interleaved": lambda heads: heads.permute(1, 2, 0).reshape(heads.shape[1], -1),
            "heads_below_each_other": lambda heads: heads.reshape(-1, heads.shape[-1]),
            "not_joined": lambda heads: heads.transpose(0, 1),
            "heads_added": lambda heads: heads.sum(dim=0),
            "transposed": lambda heads: _combine(heads).T,
        },
    ),
    "split": Exercise(
        right=lambda x, num_heads: x.reshape(len(x), num_heads, -1).transpose(0, 1),
        wants_function=True,
        inputs=_projected,
        mistakes={
            "view_without_transpose": lambda x, num_heads: x.reshape(num_heads, len(x), -1),
            "forgot_transpose": lambda x, num_heads: x.reshape(len(x), num_heads, -1),
            "interleaved": lambda x, num_heads: x.reshape(len(x), -1, num_heads).permute(2, 0, 1),
            "number_and_size_exchanged": lambda x, num_heads: x.reshape(len(x), -1, num_heads).transpose(0, 1),
            "token_last": lambda x, num_heads: x.reshape(len(x), num_heads, -1).permute(1, 2, 0),
        },
    ),
    "contribution": Exercise(
        right=lambda heads, W_O, h: heads[h] @ _rows(W_O, h),
        wants_function=True,
        inputs=_heads_and_output_projection,
        mistakes={
            "column_block": lambda heads, W_O, h: heads[h] @ _rows(W_O.T, h),
            "first_rows": lambda heads, W_O, h: heads[h] @ _rows(W_O, 0),
            "next_rows": lambda heads, W_O, h: heads[h] @ _rows(W_O, h + 1),
            "counted_from_one": lambda heads, W_O, h: heads[h - 1] @ _rows(W_O, h - 1),
            "every_third_row": lambda heads, W_O, h: heads[h] @ W_O[h::NUM_HEADS],
            "token_for_head": lambda heads, W_O, h: heads[:, h] @ _rows(W_O, h),
            "not_projected": lambda heads, W_O, h: heads[h],
            "own_columns_only": lambda heads, W_O, h: (_combine(heads) @ W_O)[:, h * HEAD_DIM : (h + 1) * HEAD_DIM],
            "all_heads": lambda heads, W_O, h: _combine(heads) @ W_O,
            "transposed": lambda heads, W_O, h: (heads[h] @ _rows(W_O, h)).T,
        },
    ),
    "reorder": Exercise(
        right=_reorder,
        wants_function=True,
        inputs=_output_projection_and_order,
        mistakes={
            "unchanged": lambda W_O, order, num_heads: W_O,
            "order_backward": lambda W_O, order, num_heads: _reorder(W_O, _inverse(order), num_heads),
            "rows_not_blocks": lambda W_O, order, num_heads: W_O[order],
            "columns": lambda W_O, order, num_heads: _reorder(W_O.T, order, num_heads).T,
            "rows_and_columns": lambda W_O, order, num_heads: (
                _reorder(_reorder(W_O, order, num_heads).T, order, num_heads).T
            ),
            "interleaved": lambda W_O, order, num_heads: W_O.reshape(-1, num_heads, len(W_O))[:, order].reshape(
                W_O.shape
            ),
            "blocks_not_joined": lambda W_O, order, num_heads: W_O.reshape(num_heads, -1, len(W_O))[order],
            "transposed": lambda W_O, order, num_heads: _reorder(W_O, order, num_heads).T,
        },
    ),
}
