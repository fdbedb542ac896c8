"""Exercises on splitting the projection into heads and joining them again."""

import torch
from torch import Tensor

from .exercise import Exercise

LENGTH, NUM_HEADS, HEAD_DIM = 7, 3, 2


def _projected() -> tuple[Tensor, int]:
    return torch.arange(LENGTH * NUM_HEADS * HEAD_DIM).reshape(LENGTH, NUM_HEADS * HEAD_DIM), NUM_HEADS


def _heads() -> tuple[Tensor]:
    return (torch.arange(NUM_HEADS * LENGTH * HEAD_DIM).reshape(NUM_HEADS, LENGTH, HEAD_DIM),)


EXERCISES = {
    "split": Exercise(
        right=lambda x, num_heads: x.reshape(len(x), num_heads, -1).transpose(0, 1),
        wants_function=True,
        inputs=_projected,
        mistakes={
            "view_without_transpose": lambda x, num_heads: x.reshape(num_heads, len(x), -1),
            "forgot_transpose": lambda x, num_heads: x.reshape(len(x), num_heads, -1),
            "interleaved": lambda x, num_heads: x.reshape(len(x), -1, num_heads).permute(2, 0, 1),
        },
    ),
    "combine": Exercise(
        right=lambda heads: heads.transpose(0, 1).reshape(heads.shape[1], -1),
        wants_function=True,
        inputs=_heads,
        mistakes={
            "view_without_transpose": lambda heads: heads.reshape(heads.shape[1], -1),
            "interleaved": lambda heads: heads.permute(1, 2, 0).reshape(heads.shape[1], -1),
        },
    ),
}
