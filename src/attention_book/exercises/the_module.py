"""Exercises of the chapter on the module."""

import math

import torch
from torch import Tensor

from .exercise import Exercise

D_MODEL, NUM_HEADS = 20, 5
BATCH, QUERIES, KEYS = 2, 7, 5


def _token_ids() -> tuple[Tensor]:
    # Padding behind one sentence and before the other: with one kind alone two of the mistakes coincide.
    return (torch.tensor([[3, 5, 2, 7, 0], [0, 4, 6, 2, 3]]),)


def _decoder_mask(token_ids: Tensor) -> Tensor:
    return (token_ids != 0)[:, None, None, :] & _causal(token_ids)


def _causal(token_ids: Tensor) -> Tensor:
    return torch.ones(token_ids.shape[1], token_ids.shape[1], dtype=torch.bool).tril()


def _heads() -> tuple[Tensor]:
    return (torch.arange(3.0 * 7 * 2).reshape(3, 7, 2),)


def _query_key_value() -> tuple[Tensor, Tensor, Tensor, int]:
    generator = torch.Generator().manual_seed(12)
    lengths = (QUERIES, KEYS, KEYS)
    return *(torch.randn(BATCH, n, 12, generator=generator, dtype=torch.float64) for n in lengths), 3


def _split(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(*x.shape[:2], num_heads, -1).transpose(1, 2)


def _split_without_transpose(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def _split_interleaved(x: Tensor, num_heads: int) -> Tensor:
    return x.reshape(*x.shape[:2], -1, num_heads).permute(0, 3, 1, 2)


def _attend(query: Tensor, key: Tensor, value: Tensor, num_heads: int, divisor=2.0, axis=-1, split=_split) -> Tensor:
    query, key, value = (split(x, num_heads) for x in (query, key, value))
    return (query @ key.transpose(-2, -1) / divisor).softmax(dim=axis) @ value


def _cross_attention(*inputs, **choices) -> Tensor:
    return _attend(*inputs, **choices).transpose(1, 2).flatten(2)


def _scores_times_value(query: Tensor, key: Tensor, value: Tensor, num_heads: int) -> Tensor:
    query, key, value = (_split(x, num_heads) for x in (query, key, value))
    return (query @ key.transpose(-2, -1) / 2 @ value).transpose(1, 2).flatten(2)


EXERCISES = {
    "parameters": Exercise(
        right=lambda: 4.0 * D_MODEL**2 + D_MODEL,
        mistakes={
            "no_bias": lambda: 4.0 * D_MODEL**2,
            "bias_everywhere": lambda: 4.0 * D_MODEL**2 + 4 * D_MODEL,
            "biases_on_the_wrong_side": lambda: 4.0 * D_MODEL**2 + 3 * D_MODEL,
            "no_output_projection": lambda: 3.0 * D_MODEL**2,
            "no_output_matrix": lambda: 3.0 * D_MODEL**2 + D_MODEL,
            "one_head": lambda: 3.0 * D_MODEL * D_MODEL / NUM_HEADS + D_MODEL**2 + D_MODEL,
            "full_size_heads": lambda: (3.0 * NUM_HEADS + 1) * D_MODEL**2 + D_MODEL,
        },
    ),
    "decoder-mask": Exercise(
        right=_decoder_mask,
        wants_function=True,
        inputs=_token_ids,
        mistakes={
            "padding_on_the_query_axis": lambda ids: (ids != 0)[:, None, :, None] & _causal(ids),
            "padding_on_both_axes": lambda ids: _decoder_mask(ids) & (ids != 0)[:, None, :, None],
            "either_is_enough": lambda ids: (ids != 0)[:, None, None, :] | _causal(ids),
            "padding_only": lambda ids: (ids != 0)[:, None, None, :],
            "causal_only": _causal,
            "true_means_blocked": lambda ids: ~_decoder_mask(ids),
            "padding_upside_down": lambda ids: (ids == 0)[:, None, None, :] & _causal(ids),
            "hides_itself": lambda ids: (ids != 0)[:, None, None, :] & _causal(ids).tril(diagonal=-1),
            "sees_the_future_only": lambda ids: (ids != 0)[:, None, None, :] & _causal(ids).T,
            "no_head_axis": lambda ids: _decoder_mask(ids)[:, 0],
        },
    ),
    "linear-weight": Exercise(
        right=lambda heads: torch.cat(tuple(heads), dim=1).T,
        wants_function=True,
        inputs=_heads,
        mistakes={
            "forgot_transpose": lambda heads: torch.cat(tuple(heads), dim=1),
            "reshaped_and_transposed": lambda heads: heads.reshape(7, 6).T,
            "reshaped": lambda heads: heads.reshape(6, 7),
            "interleaved": lambda heads: heads.permute(2, 0, 1).reshape(6, 7),
            "one_below_the_other": lambda heads: heads.reshape(21, 2),
        },
    ),
    "cross-attention": Exercise(
        right=_cross_attention,
        wants_function=True,
        inputs=_query_key_value,
        mistakes={
            "key_as_value": lambda query, key, value, num_heads: _cross_attention(query, key, key, num_heads),
            "sqrt_d_model": lambda *inputs: _cross_attention(*inputs, divisor=math.sqrt(12)),
            "no_scale": lambda *inputs: _cross_attention(*inputs, divisor=1.0),
            "no_root": lambda *inputs: _cross_attention(*inputs, divisor=4.0),
            "sqrt_num_heads": lambda *inputs: _cross_attention(*inputs, divisor=math.sqrt(3)),
            "softmax_over_queries": lambda *inputs: _cross_attention(*inputs, axis=-2),
            "softmax_over_heads": lambda *inputs: _cross_attention(*inputs, axis=1),
            "scores_not_weights": _scores_times_value,
            "view_without_transpose": lambda *inputs: _cross_attention(*inputs, split=_split_without_transpose),
            "interleaved": lambda *inputs: _cross_attention(*inputs, split=_split_interleaved),
            "combined_without_transpose": lambda *inputs: _attend(*inputs).reshape(BATCH, QUERIES, -1),
            "not_combined": _attend,
            "one_head": lambda query, key, value, _: _cross_attention(query, key, value, 1, divisor=math.sqrt(12)),
        },
    ),
}
