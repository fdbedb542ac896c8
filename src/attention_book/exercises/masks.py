"""Exercises of the chapter on masks."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

QUERIES, KEYS = 3, 5


def _scores_and_mask() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(8)
    scores = torch.randn(QUERIES, KEYS, generator=generator, dtype=torch.float64)
    return scores, torch.ones(QUERIES, KEYS, dtype=torch.bool).tril(diagonal=1)


def masked_weights(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


def causal(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


EXERCISES = {
    "masked-weights": Exercise(
        right=masked_weights,
        wants_function=True,
        inputs=_scores_and_mask,
        mistakes={
            "mask_after_softmax": lambda scores, mask: scores.softmax(dim=-1) * mask,
            "scores_times_mask": lambda scores, mask: (scores * mask).softmax(dim=-1),
            "mask_upside_down": lambda scores, mask: scores.masked_fill(mask, -math.inf).softmax(dim=-1),
            "softmax_over_queries": lambda scores, mask: scores.masked_fill(~mask, -math.inf).softmax(dim=-2),
            "no_mask": lambda scores, mask: scores.softmax(dim=-1),
        },
    ),
    "causal-mask": Exercise(
        right=causal,
        wants_function=True,
        inputs=lambda: (4,),
        mistakes={
            "hides_itself": lambda length: causal(length).tril(diagonal=-1),
            "sees_one_ahead": lambda length: torch.ones(length, length, dtype=torch.bool).tril(diagonal=1),
            "sees_the_future_only": lambda length: causal(length).T,
            "true_means_blocked": lambda length: ~causal(length),
        },
    ),
}
