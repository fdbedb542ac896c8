"""Exercises of the chapter on masks."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

QUERIES, KEYS = 3, 5
# 0 is the id of a word here, so that a zero typed in for the padding shows.
TOKEN_IDS, PAD_ID = (4, 0, 5, 2, 7, 7), 7


def _scores_and_mask() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(8)
    scores = torch.randn(QUERIES, KEYS, generator=generator, dtype=torch.float64)
    return scores, torch.ones(QUERIES, KEYS, dtype=torch.bool).tril(diagonal=1)


def masked_weights(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


def causal(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


def _ids_and_pad_id() -> tuple[Tensor, int]:
    return torch.tensor(TOKEN_IDS), PAD_ID


def blocked(token_ids: Tensor, pad_id: int) -> Tensor:
    return ~(causal(len(token_ids)) & (token_ids != pad_id)[None, :])


def _scores_and_mask_with_empty_row() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(9)
    scores = torch.randn(4, KEYS, generator=generator, dtype=torch.float64)
    mask = torch.tensor([[1, 0, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 0, 1, 1]]) != 0
    return scores, mask


def safe_weights(scores: Tensor, mask: Tensor) -> Tensor:
    return masked_weights(scores, mask).masked_fill(~mask, 0.0)


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
            "adds_the_mask": lambda scores, mask: (scores + mask).softmax(dim=-1),
            "scores_not_weights": lambda scores, mask: scores.masked_fill(~mask, -math.inf),
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
    "blocked-for-torch": Exercise(
        right=blocked,
        wants_function=True,
        inputs=_ids_and_pad_id,
        mistakes={
            "true_means_may_attend": lambda ids, pad_id: ~blocked(ids, pad_id),
            "both_must_block": lambda ids, pad_id: ~causal(len(ids)) & (ids == pad_id)[None, :],
            "hides_queries": lambda ids, pad_id: ~(causal(len(ids)) & (ids != pad_id)[:, None]),
            "causal_only": lambda ids, pad_id: ~causal(len(ids)),
            "padding_only": lambda ids, pad_id: (ids == pad_id)[None, :].expand(len(ids), -1),
            "zero_typed_in": lambda ids, pad_id: blocked(ids, 0),
            "sees_the_future_only": lambda ids, pad_id: ~(causal(len(ids)).T & (ids != pad_id)[None, :]),
            "hides_itself": lambda ids, pad_id: ~(causal(len(ids)).tril(diagonal=-1) & (ids != pad_id)[None, :]),
        },
    ),
    "safe-weights": Exercise(
        right=safe_weights,
        wants_function=True,
        inputs=_scores_and_mask_with_empty_row,
        mistakes={
            "row_of_nan": masked_weights,
            "uniform_row": lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1),
            "row_left_unmasked": lambda scores, mask: (scores + torch.where(mask, 0.0, -1e9)).softmax(dim=-1),
            "mask_after_softmax": lambda scores, mask: scores.softmax(dim=-1) * mask,
            "mask_upside_down": lambda scores, mask: safe_weights(scores, ~mask),
        },
    ),
}
