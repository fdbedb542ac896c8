"""Exercises of the chapter on embeddings."""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from .exercise import Exercise

VOCABULARY, D_MODEL = 6, 7
QUERIES, TOKENS, WIDTH = 3, 4, 6
LENGTH = 5


def _draw(rows: int, columns: int, seed: int) -> Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _ids_and_matrix() -> tuple[Tensor, Tensor]:
    # A repeated id, no order, and the ids around each one exist too: each slip gives a result of its own.
    return torch.tensor([3, 1, 4, 3]), _draw(VOCABULARY, D_MODEL, seed=31)


def product(token_ids: Tensor, matrix: Tensor) -> Tensor:
    return F.one_hot(token_ids, VOCABULARY).double() @ matrix


def _table_ids_targets() -> tuple[Tensor, Tensor, Tensor]:
    table = torch.tensor([[0.3, -0.2], [0.5, -1.0], [0.1, 0.4], [-0.6, 0.8]])
    targets = torch.tensor([[1.0, 0.2], [-0.1, 0.5], [0.2, -0.6]])
    return table, torch.tensor([1, 3, 1]), targets


def gradient(table: Tensor, token_ids: Tensor, targets: Tensor) -> Tensor:
    """Shape (vocabulary, 2): each look-up adds 2 (x − t) to the row it took."""
    return torch.zeros_like(table).index_add(0, token_ids, 2 * (table[token_ids] - targets))


def _row_of_one_look_up(table: Tensor, token_ids: Tensor, targets: Tensor, kept: list[int]) -> Tensor:
    return gradient(table, token_ids[kept], targets[kept])


def _shares_and_embeddings() -> tuple[Tensor, Tensor]:
    shares = torch.tensor([[3, 1, 2, 4], [1, 5, 0, 2], [2, 2, 6, 1]], dtype=torch.float64)
    return shares, _draw(TOKENS, WIDTH, seed=32)


def _embeddings() -> tuple[Tensor]:
    return (0.7 * _draw(LENGTH, D_MODEL, seed=33),)


def _attend(x: Tensor, divisor: float, axis: int = -1) -> Tensor:
    return (x @ x.T / divisor).softmax(dim=axis) @ x


EXERCISES = {
    "one-hot": Exercise(
        right=product,
        wants_function=True,
        inputs=_ids_and_matrix,
        mistakes={
            "one_row_late": lambda token_ids, matrix: product(token_ids + 1, matrix),
            "one_row_early": lambda token_ids, matrix: product(token_ids - 1, matrix),
            "column_for_row": lambda token_ids, matrix: matrix[:, token_ids],
            "column_for_row_transposed": lambda token_ids, matrix: matrix.T[token_ids],
            "transposed": lambda token_ids, matrix: product(token_ids, matrix).T,
            "one_hot_only": lambda token_ids, matrix: F.one_hot(token_ids, VOCABULARY),
            "summed_over_tokens": lambda token_ids, matrix: product(token_ids, matrix).sum(dim=0),
            "each_word_once": lambda token_ids, matrix: product(token_ids.unique(), matrix),
            "sorted_ids": lambda token_ids, matrix: product(token_ids.sort().values, matrix),
            "positions_for_ids": lambda token_ids, matrix: matrix[: len(token_ids)],
        },
    ),
    "gradient": Exercise(
        right=gradient,
        inputs=_table_ids_targets,
        tolerance=0.006,
        mistakes={
            "sign_turned": lambda *inputs: -gradient(*inputs),
            "factor_two": lambda *inputs: gradient(*inputs) / 2,
            "first_look_up_only": lambda *inputs: _row_of_one_look_up(*inputs, kept=[0, 1]),
            "last_look_up_only": lambda *inputs: _row_of_one_look_up(*inputs, kept=[1, 2]),
            "mean_of_look_ups": lambda *inputs: gradient(*inputs) / torch.tensor([[1], [2], [1], [1]]),
            "one_row_per_look_up": lambda table, token_ids, targets: 2 * (table[token_ids] - targets),
            "looked_up_rows_only": lambda *inputs: gradient(*inputs)[[1, 3]],
            "row_after_the_step": lambda *inputs: inputs[0] - 0.1 * gradient(*inputs),
            "transposed": lambda *inputs: gradient(*inputs).T,
        },
    ),
    "weighted-average": Exercise(
        right=lambda shares, embeddings: shares / shares.sum(dim=1, keepdim=True) @ embeddings,
        wants_function=True,
        inputs=_shares_and_embeddings,
        mistakes={
            "unnormalized_sum": lambda shares, embeddings: shares @ embeddings,
            "plain_mean": lambda shares, embeddings: embeddings.mean(dim=0).expand(QUERIES, WIDTH),
            "one_plain_mean": lambda shares, embeddings: embeddings.mean(dim=0),
            "columns_sum_to_one": lambda shares, embeddings: shares / shares.sum(dim=0) @ embeddings,
            "all_sum_to_one": lambda shares, embeddings: shares / shares.sum() @ embeddings,
            "divided_by_tokens": lambda shares, embeddings: shares / TOKENS @ embeddings,
            "softmax": lambda shares, embeddings: shares.softmax(dim=1) @ embeddings,
            "weights_returned": lambda shares, embeddings: shares / shares.sum(dim=1, keepdim=True),
            "transposed": lambda shares, embeddings: (shares / shares.sum(dim=1, keepdim=True) @ embeddings).T,
        },
    ),
    "without-matrices": Exercise(
        right=lambda embeddings: _attend(embeddings, math.sqrt(D_MODEL)),
        wants_function=True,
        inputs=_embeddings,
        mistakes={
            "softmax_over_queries": lambda embeddings: _attend(embeddings, math.sqrt(D_MODEL), axis=0),
            "no_scale": lambda embeddings: _attend(embeddings, 1),
            "no_root": lambda embeddings: _attend(embeddings, D_MODEL),
            "sqrt_length": lambda embeddings: _attend(embeddings, math.sqrt(LENGTH)),
            "sqrt_of_the_chapter": lambda embeddings: _attend(embeddings, 4),
            "scores_not_weights": lambda embeddings: embeddings @ embeddings.T / math.sqrt(D_MODEL) @ embeddings,
            "weights_returned": lambda embeddings: (embeddings @ embeddings.T / math.sqrt(D_MODEL)).softmax(dim=-1),
            "transposed": lambda embeddings: _attend(embeddings, math.sqrt(D_MODEL)).T,
            "columns_compared": lambda embeddings: (
                embeddings @ (embeddings.T @ embeddings / math.sqrt(D_MODEL)).softmax(dim=-1)
            ),
        },
    ),
}
