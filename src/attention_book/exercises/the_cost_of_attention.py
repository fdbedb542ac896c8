"""Exercises of the chapter on the cost of attention."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

TOKENS, D_MODEL, NUM_HEADS = 7, 24, 3
HEAD_DIM = D_MODEL // NUM_HEADS
PROJECTION = float(TOKENS * D_MODEL**2)
TABLE_PRODUCT = float(TOKENS**2 * D_MODEL)


def _cache_sizes() -> tuple[int, ...]:
    # layers, num_heads, num_kv_heads, d_model, tokens, bytes_per_number
    return 5, 9, 3, 45, 11, 4


def _cache_bytes(layers: int, heads: int, kv_heads: int, d_model: int, tokens: int, size: int) -> float:
    return 2.0 * layers * tokens * kv_heads * (d_model // heads) * size


def _two_halves() -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(17)
    halves = []
    for keys in (4, 3):
        scores = torch.randn(keys, generator=generator, dtype=torch.float64)
        values = torch.randn(keys, 3, generator=generator, dtype=torch.float64)
        powers = (scores - scores.max()).exp()
        halves += [scores.max(), powers.sum(), powers @ values]
    return tuple(halves)


def _merge(m1, total1, mixture1, m2, total2, mixture2, shrink_totals=True, shrink_mixtures=True, sign=1) -> Tensor:
    m = torch.maximum(m1, m2)
    shrink1, shrink2 = (sign * (m1 - m)).exp(), (sign * (m2 - m)).exp()
    total = total1 * shrink1 + total2 * shrink2 if shrink_totals else total1 + total2
    mixture = mixture1 * shrink1 + mixture2 * shrink2 if shrink_mixtures else mixture1 + mixture2
    return mixture / total


def _undivided(m1, total1, mixture1, m2, total2, mixture2) -> Tensor:
    return _merge(m1, torch.tensor(0.5), mixture1, m2, torch.tensor(0.5), mixture2, shrink_totals=False)


def _larger_half(m1, total1, mixture1, m2, total2, mixture2) -> Tensor:
    return mixture1 / total1 if m1 > m2 else mixture2 / total2


def _grouped_inputs() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(17)
    shapes = ((2, 6, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4))
    return tuple(torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes)


def _neighbors(x: Tensor) -> Tensor:
    return x.repeat_interleave(2, dim=1)


def _in_turn(x: Tensor) -> Tensor:
    return x.repeat(1, 2, 1, 1)


def _first_for_all(x: Tensor) -> Tensor:
    return x[:, :1].expand(-1, 6, -1, -1)


def _grouped(query, key, value, keys=_neighbors, values=_neighbors, divisor=2.0, axis=-1) -> Tensor:
    scores = query @ keys(key).transpose(-2, -1) / divisor
    return scores.softmax(dim=axis) @ values(value)


def _scores_times_value(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return query @ _neighbors(key).transpose(-2, -1) / 2 @ _neighbors(value)


def _causal(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    future = torch.ones(5, 7, dtype=torch.bool).triu(diagonal=1)
    scores = query @ _neighbors(key).transpose(-2, -1) / 2
    return scores.masked_fill(future, -math.inf).softmax(dim=-1) @ _neighbors(value)


def _queries_averaged(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return _grouped(query.unflatten(1, (3, 2)).mean(dim=2), key, value, keys=lambda x: x, values=lambda x: x)


EXERCISES = {
    "multiply-adds": Exercise(
        right=lambda: 4 * PROJECTION + 2 * TABLE_PRODUCT,
        mistakes={
            "two_operations": lambda: 8 * PROJECTION + 4 * TABLE_PRODUCT,
            "no_output_projection": lambda: 3 * PROJECTION + 2 * TABLE_PRODUCT,
            "no_mixture": lambda: 4 * PROJECTION + TABLE_PRODUCT,
            "no_projections": lambda: 2 * TABLE_PRODUCT,
            "no_table": lambda: 4 * PROJECTION,
            "full_size_tables": lambda: 4 * PROJECTION + 2 * NUM_HEADS * TABLE_PRODUCT,
            "full_size_heads": lambda: NUM_HEADS * (4 * PROJECTION + 2 * TABLE_PRODUCT),
            "one_table": lambda: 4 * PROJECTION + 2 * TABLE_PRODUCT / NUM_HEADS,
            "head_size_everywhere": lambda: 4.0 * TOKENS * HEAD_DIM**2 + 2 * TOKENS**2 * HEAD_DIM,
            "one_token": lambda: 4.0 * D_MODEL**2 + 2 * TABLE_PRODUCT,
            "squares_exchanged": lambda: 4 * TABLE_PRODUCT + 2 * PROJECTION,
            "with_feed_forward": lambda: 12 * PROJECTION + 2 * TABLE_PRODUCT,
        },
    ),
    "cache-bytes": Exercise(
        right=_cache_bytes,
        wants_function=True,
        inputs=_cache_sizes,
        mistakes={
            "keys_only": lambda *sizes: _cache_bytes(*sizes) / 2,
            "numbers_not_bytes": lambda *sizes: _cache_bytes(*sizes) / sizes[5],
            "bits": lambda *sizes: _cache_bytes(*sizes) * 8,
            "query_heads": lambda *sizes: _cache_bytes(*sizes) * sizes[1] / sizes[2],
            "full_size_heads": lambda *sizes: _cache_bytes(*sizes) * sizes[1],
            "one_head": lambda *sizes: _cache_bytes(*sizes) / sizes[2],
            "one_layer": lambda *sizes: _cache_bytes(*sizes) / sizes[0],
            "one_token": lambda *sizes: _cache_bytes(*sizes) / sizes[4],
            "tokens_squared": lambda *sizes: _cache_bytes(*sizes) * sizes[4],
            "queries_too": lambda *sizes: _cache_bytes(*sizes) * (2 * sizes[2] + sizes[1]) / (2 * sizes[2]),
            "table": lambda *sizes: float(sizes[0] * sizes[1] * sizes[4] ** 2 * sizes[5]),
        },
    ),
    "merge": Exercise(
        right=_merge,
        wants_function=True,
        inputs=_two_halves,
        mistakes={
            "average_of_contexts": lambda m1, t1, c1, m2, t2, c2: (c1 / t1 + c2 / t2) / 2,
            "sum_of_contexts": lambda m1, t1, c1, m2, t2, c2: c1 / t1 + c2 / t2,
            "no_shrink": lambda *halves: _merge(*halves, shrink_totals=False, shrink_mixtures=False),
            "totals_not_shrunk": lambda *halves: _merge(*halves, shrink_totals=False),
            "mixtures_not_shrunk": lambda *halves: _merge(*halves, shrink_mixtures=False),
            "factors_upside_down": lambda *halves: _merge(*halves, sign=-1),
            "divided_too_early": lambda m1, t1, c1, m2, t2, c2: _merge(
                m1, torch.ones(()), c1 / t1, m2, torch.ones(()), c2 / t2
            ),
            "not_divided": _undivided,
            "only_the_larger": _larger_half,
        },
    ),
    "grouped": Exercise(
        right=_grouped,
        wants_function=True,
        inputs=_grouped_inputs,
        mistakes={
            "in_turn": lambda *inputs: _grouped(*inputs, keys=_in_turn, values=_in_turn),
            "values_in_turn": lambda *inputs: _grouped(*inputs, values=_in_turn),
            "first_for_all": lambda *inputs: _grouped(*inputs, keys=_first_for_all, values=_first_for_all),
            "queries_averaged": _queries_averaged,
            "key_as_value": lambda query, key, value: _grouped(query, key, key),
            "no_scale": lambda *inputs: _grouped(*inputs, divisor=1.0),
            "no_root": lambda *inputs: _grouped(*inputs, divisor=4.0),
            "sqrt_d_model": lambda *inputs: _grouped(*inputs, divisor=math.sqrt(24)),
            "softmax_over_queries": lambda *inputs: _grouped(*inputs, axis=-2),
            "softmax_over_heads": lambda *inputs: _grouped(*inputs, axis=1),
            "scores_not_weights": _scores_times_value,
            "causal": _causal,
        },
    ),
}
