"""Exercises of the chapter on attention scores."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

LENGTH, D_MODEL, D_K = 5, 12, 3
# Sizes named in the first exercise: tokens, embeddings, queries and keys.
NAMED_LENGTH, NAMED_D_MODEL, NAMED_D_K = 5, 36, 4


def _one_query_and_key() -> tuple[Tensor, Tensor]:
    return torch.tensor([2.0, -1, 3, 1], dtype=torch.float64), torch.tensor([4.0, 2, -1, 3], dtype=torch.float64)


def _three_keys(*keys: list[float]) -> Tensor:
    # Not whole numbers, so that any number a reader types can be compared with them.
    return torch.tensor(keys, dtype=torch.float64)


def _query_and_key() -> tuple[Tensor, Tensor]:
    # As many queries as keys, as in a sentence that attends to itself: else the diagonal alone would raise an error.
    generator = torch.Generator().manual_seed(51)
    return tuple(torch.randn(LENGTH, D_K, generator=generator, dtype=torch.float64) for _ in range(2))


def scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.T / math.sqrt(D_K)


def own_scores(query: Tensor, key: Tensor) -> Tensor:
    return (query * key).sum(dim=1) / math.sqrt(D_K)


def _variance_and_divisor(variance: float, divisor: float) -> Tensor:
    return torch.tensor([variance, divisor], dtype=torch.float64)


EXERCISES = {
    "one-score": Exercise(
        right=lambda q, k: (q @ k / math.sqrt(NAMED_D_K)).item(),
        inputs=_one_query_and_key,
        tolerance=0.006,
        mistakes={
            "no_scale": lambda q, k: (q @ k).item(),
            "sqrt_d_model": lambda q, k: (q @ k / math.sqrt(NAMED_D_MODEL)).item(),
            "sqrt_of_length": lambda q, k: (q @ k / math.sqrt(NAMED_LENGTH)).item(),
            "divided_by_d_k": lambda q, k: (q @ k / NAMED_D_K).item(),
            "multiplied_by_sqrt_d_k": lambda q, k: (q @ k * math.sqrt(NAMED_D_K)).item(),
            "signs_lost": lambda q, k: (q.abs() @ k.abs() / math.sqrt(NAMED_D_K)).item(),
            "signs_lost_and_no_scale": lambda q, k: (q.abs() @ k.abs()).item(),
            "sums_multiplied": lambda q, k: (q.sum() * k.sum() / math.sqrt(NAMED_D_K)).item(),
            "products_not_added": lambda q, k: q * k,
            "products_divided_not_added": lambda q, k: q * k / math.sqrt(NAMED_D_K),
            "cosine": lambda q, k: (q @ k / (q.norm() * k.norm())).item(),
        },
    ),
    "keys-in-the-plane": Exercise(
        right=lambda: _three_keys([8, 6], [-6, 8], [-8, -6]),
        tolerance=0.006,
        mistakes={
            "length_of_the_query": lambda: _three_keys([4, 3], [-3, 4], [-4, -3]),
            "length_one": lambda: _three_keys([0.8, 0.6], [-0.6, 0.8], [-0.8, -0.6]),
            "ten_times_as_long": lambda: _three_keys([40, 30], [-30, 40], [-40, -30]),
            "numbers_exchanged": lambda: _three_keys([6, 8], [-8, 6], [-6, -8]),
            "other_right_angle": lambda: _three_keys([8, 6], [6, -8], [-8, -6]),
            "mirrored_not_turned": lambda: _three_keys([8, 6], [-8, 6], [-8, -6]),
            "no_length": lambda: _three_keys([8, 6], [0, 0], [-8, -6]),
            "smallest_in_size": lambda: _three_keys([8, 6], [-6, 8], [-6, 8]),
            "smallest_first": lambda: _three_keys([-8, -6], [-6, 8], [8, 6]),
            "along_the_axes": lambda: _three_keys([10, 0], [0, 10], [-10, 0]),
            "transposed": lambda: _three_keys([8, -6, -8], [6, 8, -6]),
        },
    ),
    "scores": Exercise(
        right=scores,
        wants_function=True,
        inputs=_query_and_key,
        mistakes={
            "no_scale": lambda query, key: query @ key.T,
            "sqrt_d_model": lambda query, key: query @ key.T / math.sqrt(D_MODEL),
            "sqrt_of_length": lambda query, key: query @ key.T / math.sqrt(LENGTH),
            "divided_by_four": lambda query, key: query @ key.T / 4,
            "divided_by_d_k": lambda query, key: query @ key.T / D_K,
            "multiplied_by_sqrt_d_k": lambda query, key: query @ key.T * math.sqrt(D_K),
            "transposed": lambda query, key: scores(query, key).T,
            "transposed_and_no_scale": lambda query, key: key @ query.T,
            "only_own_token": own_scores,
            "only_own_token_and_no_scale": lambda query, key: (query * key).sum(dim=1),
            "diagonal_matrix": lambda query, key: own_scores(query, key).diag(),
            "places_compared": lambda query, key: query.T @ key / math.sqrt(D_K),
            "places_compared_and_no_scale": lambda query, key: query.T @ key,
            "not_added": lambda query, key: query * key / math.sqrt(D_K),
            "only_first_query": lambda query, key: scores(query, key)[0],
            "query_with_itself": lambda query, key: scores(query, query),
            "key_with_itself": lambda query, key: scores(key, key),
            "cosine": lambda query, key: torch.cosine_similarity(query[:, None], key[None], dim=-1),
            "softmax_applied": lambda query, key: scores(query, key).softmax(dim=-1),
            "softmax_applied_and_no_scale": lambda query, key: (query @ key.T).softmax(dim=-1),
            "softmax_over_queries": lambda query, key: scores(query, key).softmax(dim=0),
        },
    ),
    "variance": Exercise(
        right=lambda: _variance_and_divisor(144, 12),
        tolerance=0.01,
        mistakes={
            "spread_forgotten": lambda: _variance_and_divisor(64, 8),
            "divisor_of_unit_variance": lambda: _variance_and_divisor(144, 8),
            "not_squared": lambda: _variance_and_divisor(64 * 3 * 0.5, math.sqrt(64 * 3 * 0.5)),
            "no_root": lambda: _variance_and_divisor(144, 144),
            "divided_by_d_k": lambda: _variance_and_divisor(144, 64),
            "standard_deviation": lambda: _variance_and_divisor(12, 12),
            "exchanged": lambda: _variance_and_divisor(12, 144),
            "one_term": lambda: _variance_and_divisor(2.25, 1.5),
            "variances_added": lambda: _variance_and_divisor(64 * 9.25, math.sqrt(64 * 9.25)),
            "size_squared": lambda: _variance_and_divisor(64**2 * 2.25, 64 * 1.5),
        },
    ),
}
