"""Exercises on the heads' blocks in a fused projection."""

import torch
from torch import Tensor

from ..projections import split_projection
from .exercise import Exercise

LENGTH, D_MODEL, NUM_HEADS, HEAD = 7, 24, 3, 1
# Narrower than d_model / NUM_HEADS, so that a layer's weight is not square.
NARROW_HEAD_DIM = 5
QKV_HEADS = 4


def _embeddings_and_fused_query() -> tuple[Tensor, Tensor, int, int]:
    generator = torch.Generator().manual_seed(11)
    embeddings = torch.randn(LENGTH, D_MODEL, generator=generator, dtype=torch.float64)
    W_Q = torch.randn(D_MODEL, D_MODEL, generator=generator, dtype=torch.float64) / D_MODEL**0.5
    return embeddings, W_Q, HEAD, NUM_HEADS


def _layer_weight() -> tuple[Tensor, int, int]:
    """The weight of a torch.nn.Linear: (out, in)."""
    rows = NUM_HEADS * NARROW_HEAD_DIM
    return torch.arange(rows * D_MODEL).reshape(rows, D_MODEL), HEAD, NUM_HEADS


def _qkv() -> tuple[Tensor, int]:
    columns = 3 * QKV_HEADS * NARROW_HEAD_DIM
    return torch.arange(LENGTH * columns).reshape(LENGTH, columns), QKV_HEADS


def _block(length: int, h: int, num_heads: int) -> slice:
    head_dim = length // num_heads
    return slice(h * head_dim, (h + 1) * head_dim)


def _query_of_head(embeddings: Tensor, W_Q: Tensor, h: int, num_heads: int) -> Tensor:
    return embeddings @ split_projection(W_Q, num_heads)[h]


def _slice_of_embedding(embeddings: Tensor, W_Q: Tensor, h: int, num_heads: int) -> Tensor:
    block = _block(len(W_Q), h, num_heads)
    return embeddings[:, block] @ W_Q[block, block]


def _head_of_linear(weight: Tensor, h: int, num_heads: int) -> Tensor:
    return weight[_block(len(weight), h, num_heads)].T


def _cut_qkv(qkv: Tensor, num_heads: int) -> Tensor:
    return qkv.reshape(len(qkv), 3, num_heads, -1).permute(1, 2, 0, 3)


EXERCISES = {
    "query_of_head": Exercise(
        right=_query_of_head,
        wants_function=True,
        inputs=_embeddings_and_fused_query,
        mistakes={
            "slice_of_embedding": _slice_of_embedding,
            "row_block": lambda x, W_Q, h, n: x[:, _block(len(W_Q), h, n)] @ W_Q[_block(len(W_Q), h, n)],
            "rows_of_w_q": lambda x, W_Q, h, n: x @ W_Q[_block(len(W_Q), h, n)].T,
            "view_without_transpose": lambda x, W_Q, h, n: (x @ W_Q).view(n, len(x), -1)[h],
            "interleaved": lambda x, W_Q, h, n: x @ W_Q[:, h::n],
            "counted_from_one": lambda x, W_Q, h, n: _query_of_head(x, W_Q, h - 1, n),
            "token_for_head": lambda x, W_Q, h, n: (x @ W_Q).view(len(x), n, -1)[h],
            "all_heads": lambda x, W_Q, h, n: x @ W_Q,
            "not_projected": lambda x, W_Q, h, n: x[:, _block(len(W_Q), h, n)],
            "transposed": lambda x, W_Q, h, n: _query_of_head(x, W_Q, h, n).T,
        },
    ),
    "head_of_linear": Exercise(
        right=_head_of_linear,
        wants_function=True,
        inputs=_layer_weight,
        mistakes={
            "columns_not_rows": lambda weight, h, n: weight[:, _block(len(weight), h, n)],
            "columns_by_inputs": lambda weight, h, n: weight[:, _block(weight.shape[1], h, n)],
            "rows_by_inputs": lambda weight, h, n: weight[_block(weight.shape[1], h, n)].T,
            "rows_of_the_transpose": lambda weight, h, n: weight.T[_block(weight.shape[1], h, n)],
            "not_transposed": lambda weight, h, n: _head_of_linear(weight, h, n).T,
            "reshape_for_transpose": lambda weight, h, n: split_projection(weight.reshape(weight.T.shape), n)[h],
            "interleaved": lambda weight, h, n: weight[h::n].T,
            "counted_from_one": lambda weight, h, n: _head_of_linear(weight, h - 1, n),
            "all_heads": lambda weight, h, n: weight.T,
        },
    ),
    "cut_qkv": Exercise(
        right=_cut_qkv,
        wants_function=True,
        inputs=_qkv,
        mistakes={
            "interleaved": lambda qkv, n: qkv.reshape(len(qkv), n, 3, -1).permute(2, 1, 0, 3),
            "view_without_transpose": lambda qkv, n: qkv.reshape(3, n, len(qkv), -1),
            "forgot_transpose": lambda qkv, n: qkv.reshape(len(qkv), 3, n, -1),
            "tokens_before_heads": lambda qkv, n: _cut_qkv(qkv, n).transpose(1, 2),
            "heads_outermost": lambda qkv, n: _cut_qkv(qkv, n).transpose(0, 1),
            "every_fourth_column": lambda qkv, n: qkv.reshape(len(qkv), 3, -1, n).permute(1, 3, 0, 2),
            "key_value_query": lambda qkv, n: _cut_qkv(qkv, n)[[1, 2, 0]],
            "number_and_size_exchanged": lambda qkv, n: qkv.reshape(len(qkv), 3, -1, n).permute(1, 2, 0, 3),
            "heads_not_split": lambda qkv, n: torch.stack(qkv.chunk(3, dim=-1)),
            "token_last": lambda qkv, n: _cut_qkv(qkv, n).transpose(2, 3),
        },
    ),
}
