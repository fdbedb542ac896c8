"""Exercises of the chapter `attention_weights`."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

TOKENS, D_MODEL, D_K = 5, 7, 3


def _scores_with_a_large_one() -> tuple[Tensor]:
    """Three queries, four keys; e^1000 overflows in every precision, and no column but two holds a large score."""
    return (
        torch.tensor([[0.5, -1.0, 0.2, 0.9], [1000.0, 0.3, 999.0, -0.7], [-0.4, 0.8, 1.1, 0.1]], dtype=torch.float64),
    )


def softmax(scores: Tensor) -> Tensor:
    return divided_by_sum((scores - scores.max(dim=-1, keepdim=True).values).exp(), dim=-1)


def divided_by_sum(powers: Tensor, dim: int | tuple[int, int]) -> Tensor:
    return powers / powers.sum(dim=dim, keepdim=True)


def _without_maximum_of_its_column(scores: Tensor) -> Tensor:
    return scores - scores.max(dim=0, keepdim=True).values


def _embeddings_and_matrices() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(6)

    def draw(rows: int, columns: int) -> Tensor:
        return torch.randn(rows, columns, generator=generator, dtype=torch.float64) / math.sqrt(D_MODEL)

    return 2 * draw(TOKENS, D_MODEL), draw(D_MODEL, D_K), draw(D_MODEL, D_K)


def products(embeddings: Tensor, W_Q: Tensor, W_K: Tensor) -> Tensor:
    return (embeddings @ W_Q) @ (embeddings @ W_K).T


def weights(embeddings: Tensor, W_Q: Tensor, W_K: Tensor) -> Tensor:
    return (products(embeddings, W_Q, W_K) / math.sqrt(D_K)).softmax(dim=-1)


ROW = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64)
SCORES_FOR_ROW = (ROW / ROW[-1]).log()


def _weights_and_temperature() -> tuple[Tensor, float]:
    return torch.tensor([[0.6, 0.3, 0.1], [0.15, 0.2, 0.65]], dtype=torch.float64), 3.0


def at_temperature(weights: Tensor, T: float) -> Tensor:
    return (weights.log() / T).softmax(dim=-1)


EXERCISES = {
    "softmax": Exercise(
        right=softmax,
        wants_function=True,
        inputs=_scores_with_a_large_one,
        mistakes={
            "overflow": lambda scores: divided_by_sum(scores.exp(), dim=-1),
            "one_maximum_for_all": lambda scores: divided_by_sum((scores - scores.max()).exp(), dim=-1),
            "maximum_of_the_column": lambda scores: divided_by_sum(
                _without_maximum_of_its_column(scores).exp(), dim=-1
            ),
            "softmax_over_queries": lambda scores: scores.softmax(dim=0),
            "softmax_over_queries_and_overflow": lambda scores: divided_by_sum(scores.exp(), dim=0),
            "sum_over_queries": lambda scores: divided_by_sum(
                (scores - scores.max(dim=-1, keepdim=True).values).exp(), dim=0
            ),
            "one_sum_for_all": lambda scores: divided_by_sum(
                (scores - scores.max(dim=-1, keepdim=True).values).exp(), dim=(0, 1)
            ),
            "softmax_over_everything": lambda scores: scores.flatten().softmax(dim=0).reshape(scores.shape),
            "one_sum_for_all_and_overflow": lambda scores: divided_by_sum(scores.exp(), dim=(0, 1)),
            "not_divided": lambda scores: (scores - scores.max(dim=-1, keepdim=True).values).exp(),
            "not_divided_and_overflow": lambda scores: scores.exp(),
            "no_exponential": lambda scores: divided_by_sum(scores, dim=-1),
            "no_exponential_after_maximum": lambda scores: divided_by_sum(
                scores - scores.max(dim=-1, keepdim=True).values, dim=-1
            ),
            "hard_choice": lambda scores: torch.nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]),
            "logarithm": lambda scores: scores.log_softmax(dim=-1),
            "scores_not_weights": lambda scores: scores,
            "transposed": lambda scores: softmax(scores).T,
        },
    ),
    "weights": Exercise(
        right=weights,
        wants_function=True,
        inputs=_embeddings_and_matrices,
        mistakes={
            "softmax_over_queries": lambda *inputs: (products(*inputs) / math.sqrt(D_K)).softmax(dim=0),
            "softmax_over_everything": lambda *inputs: (
                (products(*inputs) / math.sqrt(D_K)).flatten().softmax(dim=0).reshape(TOKENS, TOKENS)
            ),
            "no_scale": lambda *inputs: products(*inputs).softmax(dim=-1),
            "sqrt_d_model": lambda *inputs: (products(*inputs) / math.sqrt(D_MODEL)).softmax(dim=-1),
            "sqrt_of_length": lambda *inputs: (products(*inputs) / math.sqrt(TOKENS)).softmax(dim=-1),
            "divided_by_d_k": lambda *inputs: (products(*inputs) / D_K).softmax(dim=-1),
            "multiplied_by_sqrt_d_k": lambda *inputs: (products(*inputs) * math.sqrt(D_K)).softmax(dim=-1),
            "divided_by_four": lambda *inputs: (products(*inputs) / 4).softmax(dim=-1),
            "scaled_after_softmax": lambda *inputs: products(*inputs).softmax(dim=-1) / math.sqrt(D_K),
            "scores_not_weights": lambda *inputs: products(*inputs) / math.sqrt(D_K),
            "products_not_weights": products,
            "transposed": lambda *inputs: weights(*inputs).T,
            "keys_as_rows": lambda embeddings, W_Q, W_K: weights(embeddings, W_K, W_Q),
            "embeddings_not_projected": lambda embeddings, W_Q, W_K: (
                embeddings @ embeddings.T / math.sqrt(D_MODEL)
            ).softmax(dim=-1),
        },
    ),
    "scores": Exercise(
        right=lambda: SCORES_FOR_ROW,
        tolerance=0.006,
        mistakes={
            "another_constant": lambda: ROW.log(),
            "first_is_zero": lambda: (ROW / ROW[0]).log(),
            "quotients": lambda: ROW / ROW[-1],
            "differences": lambda: ROW - ROW[-1],
            "weights_not_scores": lambda: ROW,
            "powers": lambda: ROW.exp(),
            "signs_turned": lambda: -SCORES_FOR_ROW,
            "base_ten": lambda: (ROW / ROW[-1]).log10(),
            "base_two": lambda: (ROW / ROW[-1]).log2(),
        },
    ),
    "temperature": Exercise(
        right=at_temperature,
        wants_function=True,
        inputs=_weights_and_temperature,
        mistakes={
            "multiplied": lambda weights, T: (weights.log() * T).softmax(dim=-1),
            "softmax_of_weights": lambda weights, T: (weights / T).softmax(dim=-1),
            "weights_divided": lambda weights, T: weights / T,
            "nothing_changed": lambda weights, T: weights,
            "not_divided": lambda weights, T: weights ** (1 / T),
            "scores_not_weights": lambda weights, T: weights.log() / T,
            "softmax_over_queries": lambda weights, T: (weights.log() / T).softmax(dim=0),
            "root_of_temperature": lambda weights, T: (weights.log() / math.sqrt(T)).softmax(dim=-1),
            "power_not_logarithm": lambda weights, T: (weights.exp() / T).softmax(dim=-1),
        },
    ),
}
