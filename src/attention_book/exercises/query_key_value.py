"""Exercises of the chapter on query, key and value."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

LENGTH, D_MODEL = 4, 6


def _draw(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    return torch.randn(rows, columns, generator=generator, dtype=torch.float64)


def _embeddings_and_weight() -> tuple[Tensor, Tensor]:
    # A square weight: any other refuses the product without the transpose, and the mistake would have no result.
    generator = torch.Generator().manual_seed(41)
    return _draw(LENGTH, D_MODEL, generator), _draw(D_MODEL, D_MODEL, generator)


def _embeddings_and_three_matrices() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(42)
    return _draw(LENGTH, D_MODEL, generator), *(_draw(D_MODEL, D_MODEL, generator) for _ in range(3))


def _pairs(*pairs: list[int]) -> Tensor:
    # Not whole numbers, so that any number a reader types can be compared with them.
    return torch.tensor(pairs, dtype=torch.float64)


def _overwritten(x: Tensor, *matrices: Tensor) -> Tensor:
    results = []
    for matrix in matrices:
        x = x @ matrix
        results.append(x)
    return torch.stack(results)


def three_roles(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> Tensor:
    return torch.stack([x @ W_Q, x @ W_K, x @ W_V])


EXERCISES = {
    "project": Exercise(
        right=lambda embeddings, weight: embeddings @ weight.T,
        wants_function=True,
        inputs=_embeddings_and_weight,
        mistakes={
            "no_transpose": lambda embeddings, weight: embeddings @ weight,
            "transposed": lambda embeddings, weight: weight @ embeddings.T,
            "wrong_one_transposed": lambda embeddings, weight: (embeddings @ weight).T,
            "one_token_only": lambda embeddings, weight: weight @ embeddings[0],
            "projected_twice": lambda embeddings, weight: embeddings @ weight.T @ weight.T,
            "divided": lambda embeddings, weight: embeddings @ weight.T / math.sqrt(D_MODEL),
        },
    ),
    "parameters": Exercise(
        right=lambda length, d_model, d_k, d_v: d_model * (2 * d_k + d_v),
        wants_function=True,
        inputs=lambda: (7, 24, 3, 4),
        mistakes={
            "results_counted": lambda length, d_model, d_k, d_v: length * (2 * d_k + d_v),
            "multiplications_counted": lambda length, d_model, d_k, d_v: length * d_model * (2 * d_k + d_v),
            "one_matrix": lambda length, d_model, d_k, d_v: d_model * d_k,
            "two_matrices": lambda length, d_model, d_k, d_v: d_model * (d_k + d_v),
            "value_forgotten": lambda length, d_model, d_k, d_v: 2 * d_model * d_k,
            "all_d_k": lambda length, d_model, d_k, d_v: 3 * d_model * d_k,
            "all_d_v": lambda length, d_model, d_k, d_v: 3 * d_model * d_v,
            "all_square": lambda length, d_model, d_k, d_v: 3 * d_model * d_model,
            "biases_counted": lambda length, d_model, d_k, d_v: (d_model + 1) * (2 * d_k + d_v),
        },
    ),
    "widths": Exercise(
        right=lambda: _pairs([10, 8], [12, 8], [12, 6]),
        mistakes={
            "out_before_in": lambda: _pairs([8, 10], [8, 12], [6, 12]),
            "lengths_for_widths": lambda: _pairs([4, 8], [7, 8], [7, 6]),
            "all_from_one_text": lambda: _pairs([10, 8], [10, 8], [10, 6]),
            "key_from_the_queries": lambda: _pairs([10, 8], [10, 8], [12, 6]),
            "value_from_the_queries": lambda: _pairs([10, 8], [12, 8], [10, 6]),
            "texts_exchanged": lambda: _pairs([12, 8], [10, 8], [10, 6]),
            "value_with_d_k": lambda: _pairs([10, 8], [12, 8], [12, 8]),
            "key_with_d_v": lambda: _pairs([10, 8], [12, 6], [12, 6]),
            "nothing_projected": lambda: _pairs([10, 10], [12, 12], [12, 12]),
            "transposed": lambda: _pairs([10, 12, 12], [8, 8, 6]),
        },
    ),
    "three-roles": Exercise(
        right=three_roles,
        wants_function=True,
        inputs=_embeddings_and_three_matrices,
        mistakes={
            "key_as_value": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q, W_K, W_K),
            "query_as_key": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q, W_Q, W_V),
            "one_for_all": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q, W_Q, W_Q),
            "overwritten": _overwritten,
            "embeddings_as_value": lambda x, W_Q, W_K, W_V: torch.stack([x @ W_Q, x @ W_K, x]),
            "not_projected": lambda x, W_Q, W_K, W_V: torch.stack([x, x, x]),
            "query_and_key_exchanged": lambda x, W_Q, W_K, W_V: three_roles(x, W_K, W_Q, W_V),
            "value_first": lambda x, W_Q, W_K, W_V: three_roles(x, W_V, W_K, W_Q),
            "matrices_transposed": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q.T, W_K.T, W_V.T),
            "transposed": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q, W_K, W_V).transpose(1, 2),
            "token_axis_first": lambda x, W_Q, W_K, W_V: three_roles(x, W_Q, W_K, W_V).transpose(0, 1),
            "side_by_side": lambda x, W_Q, W_K, W_V: torch.cat([x @ W_Q, x @ W_K, x @ W_V], dim=1),
            "one_below_the_other": lambda x, W_Q, W_K, W_V: torch.cat([x @ W_Q, x @ W_K, x @ W_V], dim=0),
        },
    ),
}
