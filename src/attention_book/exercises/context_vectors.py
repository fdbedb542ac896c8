"""Exercises of the chapter on context vectors."""

import math

import torch
from torch import Tensor

from ..attention import scaled_dot_product_attention
from ..running_example import running_example
from .exercise import Exercise

LENGTH, KEY_SIZE, VALUE_SIZE = 5, 3, 7
EXAMPLE_D_MODEL = 16


def _scores_weights_keys_values() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    example = running_example()
    query, key, value = (example.embeddings @ matrix for matrix in (example.W_Q, example.W_K, example.W_V))
    weights = scaled_dot_product_attention(query, key, value)[1]
    return query @ key.T / math.sqrt(key.shape[-1]), weights, key, value


def _query_key_value() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(7)
    sizes = (KEY_SIZE, KEY_SIZE, VALUE_SIZE)
    return tuple(torch.randn(LENGTH, size, generator=generator, dtype=torch.float64) for size in sizes)


def _weights_and_order() -> tuple[Tensor, Tensor]:
    query, key, value = _query_key_value()
    # A cycle of five: no token stays, and the order is not its own inverse.
    return scaled_dot_product_attention(query, key, value)[1], torch.tensor([4, 2, 0, 1, 3])


def _attend(query: Tensor, key: Tensor, value: Tensor, divisor: float, axis: int = -1) -> Tensor:
    return (query @ key.T / divisor).softmax(dim=axis) @ value


EXERCISES = {
    "one-number": Exercise(
        right=lambda scores, weights, key, value: (weights[0] @ value[:, 1]).item(),
        inputs=_scores_weights_keys_values,
        tolerance=0.006,
        mistakes={
            "scores_not_weights": lambda scores, weights, key, value: (scores[0] @ value[:, 1]).item(),
            "key_as_value": lambda scores, weights, key, value: (weights[0] @ key[:, 1]).item(),
            "plain_average": lambda scores, weights, key, value: value[:, 1].mean().item(),
            "plain_sum": lambda scores, weights, key, value: value[:, 1].sum().item(),
            "column_of_weights": lambda scores, weights, key, value: (weights[:, 0] @ value[:, 1]).item(),
            "row_of_values": lambda scores, weights, key, value: (weights[0] @ value[1, :LENGTH]).item(),
            "first_number": lambda scores, weights, key, value: (weights[0] @ value[:, 0]).item(),
            "third_number": lambda scores, weights, key, value: (weights[0] @ value[:, 2]).item(),
            "sign_lost": lambda scores, weights, key, value: (weights[0] @ value[:, 1].abs()).item(),
        },
    ),
    "attention": Exercise(
        right=lambda query, key, value: _attend(query, key, value, math.sqrt(KEY_SIZE)),
        wants_function=True,
        inputs=_query_key_value,
        mistakes={
            "softmax_over_queries": lambda query, key, value: _attend(query, key, value, math.sqrt(KEY_SIZE), axis=0),
            "no_scale": lambda query, key, value: _attend(query, key, value, 1),
            "sqrt_d_model": lambda query, key, value: _attend(query, key, value, math.sqrt(EXAMPLE_D_MODEL)),
            "no_root": lambda query, key, value: _attend(query, key, value, KEY_SIZE),
            "sqrt_length": lambda query, key, value: _attend(query, key, value, math.sqrt(LENGTH)),
            "sqrt_d_v": lambda query, key, value: _attend(query, key, value, math.sqrt(VALUE_SIZE)),
            "scores_not_weights": lambda query, key, value: query @ key.T / math.sqrt(KEY_SIZE) @ value,
            "key_as_value": lambda query, key, value: _attend(query, key, key, math.sqrt(KEY_SIZE)),
            "weights_transposed": lambda query, key, value: (
                (query @ key.T / math.sqrt(KEY_SIZE)).softmax(dim=-1).T @ value
            ),
            "query_and_key_exchanged": lambda query, key, value: _attend(key, query, value, math.sqrt(KEY_SIZE)),
            "transposed": lambda query, key, value: _attend(query, key, value, math.sqrt(KEY_SIZE)).T,
            "weights_returned": lambda query, key, value: (query @ key.T / math.sqrt(KEY_SIZE)).softmax(dim=-1),
        },
    ),
    "extremes": Exercise(
        right=lambda: torch.tensor([[0, 0, 0, 1, 0], [0.2] * 5]),
        tolerance=0.001,
        mistakes={
            "one_place_late": lambda: torch.tensor([[0, 0, 0, 0, 1], [0.2] * 5]),
            "one_place_early": lambda: torch.tensor([[0, 0, 1, 0, 0], [0.2] * 5]),
            "ones_not_shares": lambda: torch.tensor([[0, 0, 0, 1, 0], [1.0] * 5]),
            "scores_not_weights": lambda: torch.tensor([[0, 0, 0, 1, 0], [0.0] * 5]),
            "rows_exchanged": lambda: torch.tensor([[0.2] * 5, [0, 0, 0, 1, 0]]),
            "transposed": lambda: torch.tensor([[0, 0, 0, 1, 0], [0.2] * 5]).T,
        },
    ),
    "word-order": Exercise(
        right=lambda weights, order: weights[order][:, order],
        wants_function=True,
        inputs=_weights_and_order,
        mistakes={
            "rows_only": lambda weights, order: weights[order],
            "columns_only": lambda weights, order: weights[:, order],
            "order_backward": lambda weights, order: weights[order.argsort()][:, order.argsort()],
            "unchanged": lambda weights, order: weights,
            "five_numbers": lambda weights, order: weights[order, order],
            "transposed": lambda weights, order: weights[order][:, order].T,
        },
    ),
}
