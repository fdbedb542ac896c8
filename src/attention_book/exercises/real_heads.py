"""Exercises of the chapter on the heads of a published model."""

import torch
from torch import Tensor

from .exercise import Exercise

D_MODEL, NUM_HEADS, LENGTH = 12, 3, 5


def _weights(*shape: int) -> tuple[Tensor]:
    generator = torch.Generator().manual_seed(16)
    return (torch.randn(*shape, generator=generator, dtype=torch.float64).softmax(dim=-1),)


def _among_words(weights: Tensor) -> Tensor:
    return weights[:, 1:-1, 1:-1]


def _over_the_sum(words: Tensor, axis: int | tuple[int, ...]) -> Tensor:
    return words / words.sum(dim=axis, keepdim=True)


def _mean_on_diagonal(weights: Tensor, offset: int, rows: slice) -> Tensor:
    return weights.diagonal(offset, -2, -1)[..., rows].mean(dim=-1)


def _file() -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, int]:
    generator = torch.Generator().manual_seed(61)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    matrices = [draw(D_MODEL, D_MODEL) / D_MODEL**0.5 for _ in range(2)]
    return draw(LENGTH, D_MODEL), matrices[0], draw(D_MODEL), matrices[1], draw(D_MODEL), NUM_HEADS


def _split(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(len(x), num_heads, -1).transpose(0, 1)


def _split_without_transpose(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(num_heads, len(x), -1)


def _split_interleaved(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(len(x), -1, num_heads).permute(2, 0, 1)


def _scores(x, query_weight, query_bias, key_weight, key_bias, num_heads, divisor=2.0, split=_split) -> Tensor:
    query, key = x @ query_weight.T + query_bias, x @ key_weight.T + key_bias
    return split(query, num_heads) @ split(key, num_heads).transpose(-2, -1) / divisor


def _weights_from_file(*file, axis: int = -1, **choices) -> Tensor:
    return _scores(*file, **choices).softmax(dim=axis)


def _transposed_matrices(x, query_weight, query_bias, key_weight, key_bias, num_heads) -> Tensor:
    return _weights_from_file(x, query_weight.T, query_bias, key_weight.T, key_bias, num_heads)


def _no_query_bias(x, query_weight, query_bias, key_weight, key_bias, num_heads) -> Tensor:
    return _weights_from_file(x, query_weight, 0, key_weight, key_bias, num_heads)


def _keys_ask(x, query_weight, query_bias, key_weight, key_bias, num_heads) -> Tensor:
    return _weights_from_file(x, key_weight, key_bias, query_weight, query_bias, num_heads)


def _one_head(x, query_weight, query_bias, key_weight, key_bias, _) -> Tensor:
    return _weights_from_file(x, query_weight, query_bias, key_weight, key_bias, 1, divisor=D_MODEL**0.5)


EXERCISES = {
    "only-words": Exercise(
        right=lambda weights: _over_the_sum(_among_words(weights), -1),
        wants_function=True,
        inputs=lambda: _weights(3, 6, 6),
        mistakes={
            "not_renormalized": _among_words,
            "columns_renormalized": lambda weights: _over_the_sum(_among_words(weights), -2),
            "renormalized_over_everything": lambda weights: _over_the_sum(_among_words(weights), (-2, -1)),
            "softmax_of_weights": lambda weights: _among_words(weights).softmax(dim=-1),
            "queries_kept": lambda weights: _over_the_sum(weights[:, :, 1:-1], -1),
            "keys_kept": lambda weights: weights[:, 1:-1],
            "separator_kept": lambda weights: _over_the_sum(weights[:, 1:, 1:], -1),
            "heads_cut": lambda weights: _over_the_sum(weights[1:-1, 1:-1], -1),
        },
    ),
    "previous-token": Exercise(
        right=lambda weights: _mean_on_diagonal(weights, -1, slice(0, -1)),
        wants_function=True,
        inputs=lambda: _weights(2, 3, 6, 6),
        mistakes={
            "next_token": lambda weights: _mean_on_diagonal(weights, 1, slice(1, None)),
            "same_position": lambda weights: _mean_on_diagonal(weights, 0, slice(1, -1)),
            "separator_counted": lambda weights: _mean_on_diagonal(weights, -1, slice(None)),
            "first_word_left_out": lambda weights: _mean_on_diagonal(weights, -1, slice(1, -1)),
            "first_position": lambda weights: weights[..., 1:-1, 0].mean(dim=-1),
            "asked_of_the_keys": lambda weights: _mean_on_diagonal(weights, 1, slice(0, -1)),
            "not_averaged": lambda weights: weights.diagonal(-1, -2, -1)[..., :-1],
            "summed": lambda weights: 4 * _mean_on_diagonal(weights, -1, slice(0, -1)),
            "heads_averaged": lambda weights: _mean_on_diagonal(weights, -1, slice(0, -1)).mean(dim=-1),
        },
    ),
    "chance": Exercise(
        right=lambda: 1 - (23 / 24) ** 24,
        tolerance=0.0015,
        mistakes={
            "expected_number": lambda: 1.0,
            "named_beforehand": lambda: 1 / 24,
            "no_hit": lambda: (23 / 24) ** 24,
            "five_words": lambda: 1 - (119 / 120) ** 24,
            "seventy_two_heads": lambda: 1 - (23 / 24) ** 72,
            "powers_not_rankings": lambda: 1 - (1 - 1 / 4**4) ** 24,
            "exactly_one": lambda: (23 / 24) ** 23,
        },
    ),
    "weights-from-file": Exercise(
        right=_weights_from_file,
        wants_function=True,
        inputs=_file,
        mistakes={
            "forgot_transpose": _transposed_matrices,
            "no_query_bias": _no_query_bias,
            "keys_ask": _keys_ask,
            "no_scale": lambda *file: _weights_from_file(*file, divisor=1.0),
            "sqrt_d_model": lambda *file: _weights_from_file(*file, divisor=D_MODEL**0.5),
            "no_root": lambda *file: _weights_from_file(*file, divisor=4.0),
            "softmax_over_queries": lambda *file: _weights_from_file(*file, axis=-2),
            "softmax_over_heads": lambda *file: _weights_from_file(*file, axis=0),
            "scores_not_weights": _scores,
            "view_without_transpose": lambda *file: _weights_from_file(*file, split=_split_without_transpose),
            "interleaved": lambda *file: _weights_from_file(*file, split=_split_interleaved),
            "one_head": _one_head,
        },
    ),
}
