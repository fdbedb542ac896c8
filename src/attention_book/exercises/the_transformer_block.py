"""Exercises of the chapter on the Transformer block."""

from collections.abc import Callable

import torch
from torch import Tensor

from .exercise import Exercise

D_MODEL, NUM_HEADS, D_FF = 20, 5, 50
ATTENTION = 4.0 * D_MODEL**2 + D_MODEL
NORMS = 4.0 * D_MODEL
FEED_FORWARD = 2.0 * D_MODEL * D_FF + D_FF + D_MODEL
PLACES = 6


def _draw(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(14), dtype=torch.float64)


def _angles(length: float, d_model: int) -> Tensor:
    return length / 10000 ** (2 * torch.arange(d_model // 2, dtype=torch.float64) / d_model)


def _position_vectors() -> tuple[Tensor, int]:
    places = torch.tensor([[0.0], [1], [4], [9], [30]], dtype=torch.float64)
    angles = places * _angles(1, PLACES)
    return _interleave(angles.sin(), angles.cos()), 3


def _interleave(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack([even, odd], dim=-1).flatten(-2)


def _turn(vectors: Tensor, angle: Tensor | float) -> Tensor:
    angle = torch.as_tensor(angle)
    sine, cosine = vectors[:, 0::2], vectors[:, 1::2]
    return _interleave(sine * angle.cos() + cosine * angle.sin(), cosine * angle.cos() - sine * angle.sin())


def _turn_halves(vectors: Tensor, angle: Tensor) -> Tensor:
    sine, cosine = vectors.chunk(2, dim=-1)
    return torch.cat([sine * angle.cos() + cosine * angle.sin(), cosine * angle.cos() - sine * angle.sin()], dim=-1)


def _turn_with_two_plus_signs(vectors: Tensor, angle: Tensor) -> Tensor:
    sine, cosine = vectors[:, 0::2], vectors[:, 1::2]
    return _interleave(sine * angle.cos() + cosine * angle.sin(), cosine * angle.cos() + sine * angle.sin())


def _add_the_shift(vectors: Tensor, shift: int) -> Tensor:
    angles = _angles(shift, PLACES)
    return vectors + _interleave(angles.sin(), angles.cos())


def _turn_by_power(factor: float) -> Callable[[Tensor, int], Tensor]:
    pairs = torch.arange(PLACES // 2, dtype=torch.float64)
    return lambda vectors, shift: _turn(vectors, shift / 10000 ** (factor * pairs / PLACES))


def _vectors() -> tuple[Tensor]:
    return (_draw(2, 5, 3) + 1,)


def _normalize(x: Tensor, dim: int | tuple[int, ...] = -1) -> Tensor:
    centered = x - x.mean(dim=dim, keepdim=True)
    return centered / (x.var(dim=dim, keepdim=True, correction=0) + 1e-5).sqrt()


def _parts() -> tuple[Tensor, Callable, Callable, Callable, Callable]:
    mix, first, second = _draw(5, 5) / 5, _draw(4, 4) / 2, _draw(6, 4) / 2

    def attention(x: Tensor) -> Tensor:
        return mix @ x @ first

    def feed_forward(x: Tensor) -> Tensor:
        return (x @ second.T).relu() @ second

    # Two norms that differ: an answer that takes the wrong one is noticed.
    return _draw(5, 4) + 1, attention, feed_forward, _normalize, lambda x: _normalize(x) + 0.5


def _block_2017(x: Tensor, attend: Callable, feed_forward: Callable, norm_1: Callable, norm_2: Callable) -> Tensor:
    x = norm_1(x + attend(x))
    return norm_2(x + feed_forward(x))


def _norm_before(x: Tensor, attend: Callable, feed_forward: Callable, norm_1: Callable, norm_2: Callable) -> Tensor:
    x = x + attend(norm_1(x))
    return x + feed_forward(norm_2(x))


def _norm_of_the_part(
    x: Tensor, attend: Callable, feed_forward: Callable, norm_1: Callable, norm_2: Callable
) -> Tensor:
    x = x + norm_1(attend(x))
    return x + norm_2(feed_forward(x))


def _one_norm_at_the_end(x: Tensor, attend: Callable, feed_forward: Callable, _: Callable, norm_2: Callable) -> Tensor:
    x = x + attend(x)
    return norm_2(x + feed_forward(x))


def _second_norm_missing(x: Tensor, attend: Callable, feed_forward: Callable, norm_1: Callable, _: Callable) -> Tensor:
    x = norm_1(x + attend(x))
    return x + feed_forward(x)


EXERCISES = {
    "shift": Exercise(
        right=lambda vectors, n: _turn(vectors, _angles(n, PLACES)),
        wants_function=True,
        inputs=_position_vectors,
        mistakes={
            "other_direction": lambda vectors, n: _turn(vectors, -_angles(n, PLACES)),
            "one_step_only": lambda vectors, n: _turn(vectors, _angles(1, PLACES)),
            "two_plus_signs": lambda vectors, n: _turn_with_two_plus_signs(vectors, _angles(n, PLACES)),
            "same_angle_for_all_pairs": lambda vectors, n: _turn(vectors, float(n)),
            "exponent_without_two": _turn_by_power(1.0),
            "times_instead_of_divided": _turn_by_power(-2.0),
            "halves_not_pairs": lambda vectors, n: _turn_halves(vectors, _angles(n, PLACES)),
            "added": _add_the_shift,
            "moved_the_rows": lambda vectors, n: vectors.roll(-n, dims=0),
            "moved_the_columns": lambda vectors, n: vectors.roll(-n, dims=1),
            "not_moved": lambda vectors, n: vectors,
        },
    ),
    "layer-norm": Exercise(
        right=_normalize,
        wants_function=True,
        inputs=_vectors,
        mistakes={
            "divided_by_n_minus_one": lambda x: (
                (x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True) + 1e-5).sqrt()
            ),
            "over_the_tokens": lambda x: _normalize(x, dim=1),
            "over_the_batch": lambda x: _normalize(x, dim=0),
            "over_the_sentence": lambda x: _normalize(x, dim=(1, 2)),
            "over_everything": lambda x: _normalize(x, dim=(0, 1, 2)),
            "no_root": lambda x: (
                (x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True, correction=0) + 1e-5)
            ),
            "mean_not_subtracted": lambda x: x / (x.var(dim=-1, keepdim=True, correction=0) + 1e-5).sqrt(),
            "not_divided": lambda x: x - x.mean(dim=-1, keepdim=True),
            "divided_by_the_length": lambda x: (
                (x - x.mean(dim=-1, keepdim=True)) / (x - x.mean(dim=-1, keepdim=True)).norm(dim=-1, keepdim=True)
            ),
            "root_mean_square": lambda x: x / (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt(),
            "softmax": lambda x: x.softmax(dim=-1),
        },
    ),
    "block-of-2017": Exercise(
        right=_block_2017,
        wants_function=True,
        inputs=_parts,
        mistakes={
            "norm_before": _norm_before,
            "norm_of_the_part": _norm_of_the_part,
            "one_norm_at_the_end": _one_norm_at_the_end,
            "second_norm_missing": _second_norm_missing,
            "no_residual": lambda x, a, f, n, m: m(f(n(a(x)))),
            "reads_the_old_x": lambda x, a, f, n, m: m(n(x + a(x)) + f(x)),
            "adds_the_old_x": lambda x, a, f, n, m: m(x + f(n(x + a(x)))),
            "no_norm": lambda x, a, f, *_: x + a(x) + f(x + a(x)),
            "same_norm_twice": lambda x, a, f, n, _: _block_2017(x, a, f, n, n),
            "norms_exchanged": lambda x, a, f, n, m: _block_2017(x, a, f, m, n),
            "attention_only": lambda x, a, f, n, m: n(x + a(x)),
            "feed_forward_first": lambda x, a, f, n, m: _block_2017(x, f, a, n, m),
        },
    ),
    "parameters": Exercise(
        right=lambda: ATTENTION + NORMS + FEED_FORWARD,
        mistakes={
            "matrices_only": lambda: 4.0 * D_MODEL**2 + 2 * D_MODEL * D_FF,
            "no_feed_forward_biases": lambda: ATTENTION + NORMS + 2.0 * D_MODEL * D_FF,
            "no_norms": lambda: ATTENTION + FEED_FORWARD,
            "half_of_the_norms": lambda: ATTENTION + NORMS / 2 + FEED_FORWARD,
            "attention_biases": lambda: ATTENTION + 3 * D_MODEL + NORMS + FEED_FORWARD,
            "no_output_projection": lambda: 3.0 * D_MODEL**2 + NORMS + FEED_FORWARD,
            "one_feed_forward_matrix": lambda: ATTENTION + NORMS + D_MODEL * D_FF + D_FF,
            "times_the_heads": lambda: 4.0 * NUM_HEADS * D_MODEL**2 + D_MODEL + NORMS + FEED_FORWARD,
            "four_times": lambda: 12.0 * D_MODEL**2 + 10 * D_MODEL,
            "no_feed_forward": lambda: ATTENTION + NORMS,
        },
    ),
}
