"""Exercises of the chapter on why attention came about."""

import torch
from torch import Tensor

from .exercise import Exercise

FACTOR, WORDS = 0.9, 8


def _norms() -> tuple[Tensor]:
    """Shape (seed, length)."""
    rows = [[0.52, 0.21, 0.06], [0.71, 0.33, 0.011], [0.44, 0.09, 0.19], [0.63, 0.14, 0.027]]
    return (torch.tensor(rows, dtype=torch.float64),)


def geometric_mean(norms: Tensor) -> Tensor:
    return norms.log().mean(dim=0).exp()


def _weights_and_rows() -> tuple[Tensor, Tensor]:
    weights = torch.tensor([0.1, 0.4, 0.2, 0.3], dtype=torch.float64)
    rows = [[0.3, -1.2, 2.0], [1.5, 0.4, -0.7], [-0.6, 0.9, 1.1], [0.8, -0.5, 0.2]]
    return weights, torch.tensor(rows, dtype=torch.float64)


def weighted_average(weights: Tensor, rows: Tensor) -> Tensor:
    return (weights[:, None] * rows).sum(dim=0)


EXERCISES = {
    "steps": Exercise(
        right=lambda: FACTOR ** (WORDS - 1),
        tolerance=0.002,
        mistakes={
            "one_step_too_many": lambda: FACTOR**WORDS,
            "one_step_too_few": lambda: FACTOR ** (WORDS - 2),
            "sum_not_product": lambda: FACTOR * (WORDS - 1),
            "same_loss_each_step": lambda: 1 - (1 - FACTOR) * (WORDS - 1),
            "what_is_lost": lambda: 1 - FACTOR ** (WORDS - 1),
            "one_step": lambda: FACTOR,
            "nothing_fades": lambda: 1.0,
            "average": lambda: 1 / WORDS,
            "whole_state": lambda: sum(FACTOR**step for step in range(WORDS)),
            "divided": lambda: FACTOR ** -(WORDS - 1),
        },
    ),
    "geometric-mean": Exercise(
        right=geometric_mean,
        wants_function=True,
        inputs=_norms,
        mistakes={
            "arithmetic_mean": lambda norms: norms.mean(dim=0),
            "over_lengths": lambda norms: norms.log().mean(dim=1).exp(),
            "one_for_all": lambda norms: norms.log().mean().exp(),
            "still_logarithms": lambda norms: norms.log().mean(dim=0),
            "no_root": lambda norms: norms.prod(dim=0),
            "square_root": lambda norms: norms.prod(dim=0).sqrt(),
            "root_of_lengths": lambda norms: norms.prod(dim=0) ** (1 / norms.shape[1]),
            "median": lambda norms: norms.median(dim=0).values,
            "base_ten": lambda norms: norms.log10().mean(dim=0).exp(),
            "base_two": lambda norms: norms.log2().mean(dim=0).exp(),
            "arithmetic_over_lengths": lambda norms: norms.mean(dim=1),
        },
    ),
    "weighted-average": Exercise(
        right=weighted_average,
        wants_function=True,
        inputs=_weights_and_rows,
        mistakes={
            "plain_average": lambda weights, rows: rows.mean(dim=0),
            "plain_sum": lambda weights, rows: rows.sum(dim=0),
            "not_added": lambda weights, rows: weights[:, None] * rows,
            "along_the_row": lambda weights, rows: (weights[:, None] * rows).sum(dim=1),
            "one_number": lambda weights, rows: (weights[:, None] * rows).sum(),
            "divided_again": lambda weights, rows: (weights[:, None] * rows).mean(dim=0),
            "best_row_only": lambda weights, rows: rows[weights.argmax()],
            "softmax_again": lambda weights, rows: weights.softmax(dim=0) @ rows,
        },
    ),
}
