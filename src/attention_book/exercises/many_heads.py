"""Exercises of the chapter on several heads."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

NUM_HEADS, LENGTH, D_MODEL, HEAD_DIM = 3, 7, 12, 4
QUERIES, KEYS, SQUARE = 2, 7, 5


def _draw(generator: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _inputs_and_square_matrices() -> tuple[Tensor, ...]:
    """Two sentences, and heads as large as the embedding: only then does overwriting the input raise no error."""
    generator = torch.Generator().manual_seed(9)
    inputs = (_draw(generator, length, SQUARE) for length in (QUERIES, KEYS, KEYS))
    matrices = (_draw(generator, NUM_HEADS, SQUARE, SQUARE) / math.sqrt(SQUARE) for _ in range(3))
    return (*inputs, *matrices)


def _embeddings_and_matrices() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(10)
    matrices = (_draw(generator, NUM_HEADS, D_MODEL, HEAD_DIM) / math.sqrt(D_MODEL) for _ in range(2))
    return (_draw(generator, LENGTH, D_MODEL), *matrices)


def _each_head(query: Tensor, key: Tensor, value: Tensor, *matrices: Tensor, axis: int = -1, divisor: float) -> Tensor:
    query, key, value = (x @ matrix for x, matrix in zip((query, key, value), matrices, strict=True))
    return (query @ key.transpose(1, 2) / divisor).softmax(dim=axis) @ value


def loop(*inputs: Tensor) -> Tensor:
    return _each_head(*inputs, divisor=math.sqrt(SQUARE))


def _chained(matrices: Tensor) -> Tensor:
    """What the matrices of the heads do when each head reads what the head before it has made."""
    products = [matrices[0]]
    for matrix in matrices[1:]:
        products.append(products[-1] @ matrix)
    return torch.stack(products)


def products(embeddings: Tensor, w_query: Tensor, w_key: Tensor) -> Tensor:
    return (embeddings @ w_query) @ (embeddings @ w_key).transpose(1, 2)


def weights(*inputs: Tensor) -> Tensor:
    return (products(*inputs) / math.sqrt(HEAD_DIM)).softmax(dim=-1)


def _attend(query: Tensor, key: Tensor, divisor: float) -> Tensor:
    return (query @ key.transpose(1, 2) / divisor).softmax(dim=-1)


def _letters_swapped(embeddings: Tensor, w_query: Tensor, w_key: Tensor, divisor: float) -> Tensor:
    return _attend(*(torch.einsum("sd,hde->esh", embeddings, w) for w in (w_query, w_key)), divisor)


def _slice_of_the_embedding(embeddings: Tensor, w_query: Tensor, w_key: Tensor) -> Tensor:
    size = D_MODEL // NUM_HEADS
    parts = embeddings.reshape(LENGTH, NUM_HEADS, size).transpose(0, 1)
    rows = [slice(h * size, (h + 1) * size) for h in range(NUM_HEADS)]
    own_rows = (torch.stack([w[h, rows[h]] for h in range(NUM_HEADS)]) for w in (w_query, w_key))
    return _attend(*(parts @ w for w in own_rows), math.sqrt(HEAD_DIM))


def _fused(embeddings: Tensor, w: Tensor) -> Tensor:
    return embeddings @ w.transpose(0, 1).reshape(D_MODEL, NUM_HEADS * HEAD_DIM)


def _stack_reshaped(embeddings: Tensor, w: Tensor) -> Tensor:
    projected = embeddings @ w.reshape(D_MODEL, NUM_HEADS * HEAD_DIM)
    return projected.reshape(LENGTH, NUM_HEADS, HEAD_DIM).transpose(0, 1)


def _view_without_transpose(embeddings: Tensor, w: Tensor) -> Tensor:
    return _fused(embeddings, w).reshape(NUM_HEADS, LENGTH, HEAD_DIM)


EXERCISES = {
    "shapes": Exercise(
        right=lambda: torch.tensor([[3, 24, 8], [3, 7, 8], [3, 7, 7], [3, 7, 8]]),
        mistakes={
            "letters_swapped": lambda: torch.tensor([[3, 24, 8], [8, 7, 3], [8, 7, 7], [8, 7, 3]]),
            "heads_in_place_of_size": lambda: torch.tensor([[3, 24, 3], [3, 7, 3], [3, 7, 7], [3, 7, 3]]),
            "heads_of_full_size": lambda: torch.tensor([[3, 24, 24], [3, 7, 24], [3, 7, 7], [3, 7, 24]]),
            "slice_of_the_embedding": lambda: torch.tensor([[3, 8, 8], [3, 7, 8], [3, 7, 7], [3, 7, 8]]),
            "scores_not_tokens_by_tokens": lambda: torch.tensor([[3, 24, 8], [3, 7, 8], [3, 7, 8], [3, 7, 8]]),
            "scores_size_by_size": lambda: torch.tensor([[3, 24, 8], [3, 7, 8], [3, 8, 8], [3, 7, 8]]),
            "weights_for_heads": lambda: torch.tensor([[3, 24, 8], [3, 7, 8], [3, 7, 7], [3, 7, 7]]),
            "tokens_first": lambda: torch.tensor([[3, 24, 8], [7, 3, 8], [7, 3, 7], [7, 3, 8]]),
            "matrix_transposed": lambda: torch.tensor([[3, 8, 24], [3, 7, 8], [3, 7, 7], [3, 7, 8]]),
            "numbers_of_the_page": lambda: torch.tensor([[4, 16, 4], [4, 5, 4], [4, 5, 5], [4, 5, 4]]),
        },
    ),
    "loop": Exercise(
        right=loop,
        wants_function=True,
        inputs=_inputs_and_square_matrices,
        mistakes={
            "input_overwritten": lambda *x: loop(*x[:3], *(_chained(w) for w in x[3:])),
            "query_overwritten": lambda *x: loop(*x[:3], _chained(x[3]), *x[4:]),
            "always_head_0": lambda *x: loop(*x[:3], *(w[:1] for w in x[3:])).expand(NUM_HEADS, -1, -1),
            "last_head_only": lambda *x: loop(*x)[-1],
            "first_head_only": lambda *x: loop(*x)[0],
            "heads_summed": lambda *x: loop(*x).sum(dim=0),
            "heads_averaged": lambda *x: loop(*x).mean(dim=0),
            "side_by_side": lambda *x: torch.cat(list(loop(*x)), dim=-1),
            "below_each_other": lambda *x: torch.cat(list(loop(*x)), dim=0),
            "tokens_first": lambda *x: loop(*x).transpose(0, 1),
            "heads_last": lambda *x: loop(*x).permute(1, 2, 0),
            "no_scale": lambda *x: _each_head(*x, divisor=1),
            "no_root": lambda *x: _each_head(*x, divisor=SQUARE),
            "sqrt_num_heads": lambda *x: _each_head(*x, divisor=math.sqrt(NUM_HEADS)),
            "sqrt_length": lambda *x: _each_head(*x, divisor=math.sqrt(KEYS)),
            "softmax_over_queries": lambda *x: _each_head(*x, axis=1, divisor=math.sqrt(SQUARE)),
            "softmax_over_heads": lambda *x: _each_head(*x, axis=0, divisor=math.sqrt(SQUARE)),
            "scores_not_weights": lambda *x: (
                (x[0] @ x[3]) @ (x[1] @ x[4]).transpose(1, 2) / math.sqrt(SQUARE) @ (x[2] @ x[5])
            ),
            "weights_returned": lambda *x: _attend(x[0] @ x[3], x[1] @ x[4], math.sqrt(SQUARE)),
            "key_as_value": lambda *x: loop(x[0], x[1], x[1], x[3], x[4], x[4]),
            "value_from_key_input": lambda *x: loop(x[0], x[1], x[1], *x[3:]),
            "value_not_projected": lambda *x: _attend(x[0] @ x[3], x[1] @ x[4], math.sqrt(SQUARE)) @ x[2],
            "query_input_for_all": lambda *x: loop(x[0], x[0], x[0], *x[3:]),
            "key_input_for_all": lambda *x: loop(x[1], x[1], x[1], *x[3:]),
        },
    ),
    "weights": Exercise(
        right=weights,
        wants_function=True,
        inputs=_embeddings_and_matrices,
        mistakes={
            "letters_swapped": lambda *x: _letters_swapped(*x, divisor=math.sqrt(NUM_HEADS)),
            "letters_swapped_root_of_size": lambda *x: _letters_swapped(*x, divisor=math.sqrt(HEAD_DIM)),
            "softmax_over_queries": lambda *x: (products(*x) / math.sqrt(HEAD_DIM)).softmax(dim=1),
            "softmax_over_heads": lambda *x: (products(*x) / math.sqrt(HEAD_DIM)).softmax(dim=0),
            "no_scale": lambda *x: products(*x).softmax(dim=-1),
            "sqrt_d_model": lambda *x: (products(*x) / math.sqrt(D_MODEL)).softmax(dim=-1),
            "no_root": lambda *x: (products(*x) / HEAD_DIM).softmax(dim=-1),
            "multiplied": lambda *x: (products(*x) * math.sqrt(HEAD_DIM)).softmax(dim=-1),
            "sqrt_num_heads": lambda *x: (products(*x) / math.sqrt(NUM_HEADS)).softmax(dim=-1),
            "sqrt_length": lambda *x: (products(*x) / math.sqrt(LENGTH)).softmax(dim=-1),
            "scaled_after_softmax": lambda *x: products(*x).softmax(dim=-1) / math.sqrt(HEAD_DIM),
            "scores_not_weights": lambda *x: products(*x) / math.sqrt(HEAD_DIM),
            "products_not_weights": products,
            "transposed": lambda *x: weights(*x).transpose(1, 2),
            "keys_as_rows": lambda x, w_query, w_key: weights(x, w_key, w_query),
            "own_token_only": lambda x, w_query, w_key: (
                ((x @ w_query) * (x @ w_key)).sum(dim=-1) / math.sqrt(HEAD_DIM)
            ).softmax(dim=-1),
            "heads_summed": lambda *x: (products(*x).sum(dim=0) / math.sqrt(HEAD_DIM)).softmax(dim=-1),
            "one_big_head": lambda *x: (products(*x).sum(dim=0) / math.sqrt(NUM_HEADS * HEAD_DIM)).softmax(dim=-1),
            "heads_averaged": lambda *x: weights(*x).mean(dim=0),
            "tokens_first": lambda *x: weights(*x).transpose(0, 1),
            "heads_last": lambda *x: weights(*x).permute(1, 2, 0),
            "always_head_0": lambda x, w_query, w_key: weights(x, w_query[:1], w_key[:1]).expand(NUM_HEADS, -1, -1),
            "slice_of_the_embedding": _slice_of_the_embedding,
            "stack_reshaped": lambda x, w_query, w_key: _attend(
                _stack_reshaped(x, w_query), _stack_reshaped(x, w_key), math.sqrt(HEAD_DIM)
            ),
            "view_without_transpose": lambda x, w_query, w_key: _attend(
                _view_without_transpose(x, w_query), _view_without_transpose(x, w_key), math.sqrt(HEAD_DIM)
            ),
        },
    ),
    "smallest": Exercise(
        right=lambda: 11.0,
        mistakes={
            "constant_forgotten": lambda: 12.0,
            "one_too_few": lambda: 10.0,
            "constant_on_the_wrong_side": lambda: 13.0,
            "as_on_the_page": lambda: 4.0,
            "root_of_the_length": lambda: math.sqrt(12),
            "every_pair": lambda: 144.0,
        },
    ),
}
