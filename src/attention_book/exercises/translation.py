"""Exercises of the chapter on translation."""

import torch
from torch import Tensor

from .exercise import Exercise

BATCH, HEADS, D_MODEL, SOURCE, FED = 2, 3, 12, 7, 6
# 9 is the padding here, so that a zero typed in for it shows.
PAD_ID, END_ID = 9, 3
WANTED = [[2, 4, 5, 3, 9, 9], [2, 6, 7, 8, 4, 3], [2, 8, 5, 4, 3, 9], [2, 5, 3, 9, 9, 9], [2, 7, 4, 3, 9, 9]]
# Right, with tokens behind the end; right; a wrong word; the end missed; right, with a token behind the end.
WRITTEN = [[2, 4, 5, 3, 7, 6], [2, 6, 7, 8, 4, 3], [2, 8, 6, 4, 3, 9], [2, 5, 7, 3, 8, 9], [2, 7, 4, 3, 5, 9]]


def _target_ids() -> tuple[Tensor]:
    return (torch.tensor([[2, 5, 7, 4, 3, 0], [2, 6, 8, 9, 10, 3], [2, 11, 3, 0, 0, 0]]),)


def fed_and_wanted(target_ids: Tensor) -> Tensor:
    return torch.stack((target_ids[:, :-1], target_ids[:, 1:]))


def _cross_weights() -> tuple[Tensor]:
    generator = torch.Generator().manual_seed(35)
    return (torch.randn(3, 6, 5, generator=generator, dtype=torch.float64).softmax(dim=-1),)


def alignment(weights: Tensor) -> Tensor:
    return weights.mean(dim=0).argmax(dim=-1)


def _written_and_wanted() -> tuple[Tensor, Tensor, int]:
    return torch.tensor(WRITTEN), torch.tensor(WANTED), PAD_ID


def share_right(written: Tensor, wanted: Tensor, pad_id: int) -> Tensor:
    return ((written == wanted) | (wanted == pad_id)).all(dim=1).float().mean()


def _share_of_words(written: Tensor, wanted: Tensor, pad_id: int) -> Tensor:
    counts = wanted != pad_id
    return ((written == wanted) & counts).sum() / counts.sum()


def _any_end_will_do(written: Tensor, wanted: Tensor, pad_id: int) -> Tensor:
    return ((written == wanted) | (wanted == pad_id) | (wanted == END_ID)).all(dim=1).float().mean()


EXERCISES = {
    "weights-shape": Exercise(
        right=lambda: torch.tensor([BATCH, HEADS, FED, SOURCE]),
        mistakes={
            "start_forgotten": lambda: torch.tensor([BATCH, HEADS, FED - 1, SOURCE]),
            "end_fed_too": lambda: torch.tensor([BATCH, HEADS, FED + 1, SOURCE]),
            "transposed": lambda: torch.tensor([BATCH, HEADS, SOURCE, FED]),
            "self_attention": lambda: torch.tensor([BATCH, HEADS, FED, FED]),
            "vectors_not_weights": lambda: torch.tensor([BATCH, HEADS, FED, D_MODEL // HEADS]),
            "heads_averaged": lambda: torch.tensor([BATCH, FED, SOURCE]),
        },
    ),
    "pairs": Exercise(
        right=fed_and_wanted,
        wants_function=True,
        inputs=_target_ids,
        mistakes={
            "not_shifted": lambda ids: torch.stack((ids[:, :-1], ids[:, :-1])),
            "start_never_fed": lambda ids: torch.stack((ids[:, 1:], ids[:, 1:])),
            "backwards": lambda ids: fed_and_wanted(ids).flip(0),
            "cuts_sentences": lambda ids: torch.stack((ids[:-1], ids[1:])),
            "not_cut": lambda ids: torch.stack((ids, ids.roll(-1, dims=1))),
            "two_ahead": lambda ids: torch.stack((ids[:, :-2], ids[:, 2:])),
        },
    ),
    "alignment": Exercise(
        right=alignment,
        wants_function=True,
        inputs=_cross_weights,
        mistakes={
            "over_queries": lambda weights: weights.mean(dim=0).argmax(dim=0),
            "one_head": lambda weights: weights[0].argmax(dim=-1),
            "each_head": lambda weights: weights.argmax(dim=-1),
            "loudest_head": lambda weights: weights.amax(dim=0).argmax(dim=-1),
            "weight_not_index": lambda weights: weights.mean(dim=0).amax(dim=-1),
            "shifted_by_one": lambda weights: alignment(weights)[1:],
        },
    ),
    "exactly-right": Exercise(
        right=share_right,
        wants_function=True,
        inputs=_written_and_wanted,
        mistakes={
            "share_of_words": _share_of_words,
            "share_of_places": lambda written, wanted, _: (written == wanted).float().mean(),
            "padding_counts": lambda written, wanted, _: (written == wanted).all(dim=1).float().mean(),
            "any_end_will_do": _any_end_will_do,
            "any_place": lambda written, wanted, _: (written == wanted).any(dim=1).float().mean(),
            "share_wrong": lambda *inputs: 1 - share_right(*inputs),
            "number_not_share": lambda *inputs: 5 * share_right(*inputs),
        },
    ),
}
