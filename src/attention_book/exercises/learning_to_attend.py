"""Exercises of the chapter on training."""

import math
from itertools import product

import torch
from torch import Tensor

from .exercise import Exercise

GROUPS, LETTERS = 4, 5
SHARES = (0.5, 0.25, 0.25)
SENTENCES, HEADS, QUERIES, KEYS = 4, 2, 3, 6


def _majority() -> float:
    """How often the most frequent letter of the nouns is that of the first noun, ties broken at random."""
    right = 0.0
    for letters in product(range(LETTERS), repeat=GROUPS):
        most = max(map(letters.count, letters))
        winners = {letter for letter in letters if letters.count(letter) == most}
        right += (letters[0] in winners) / len(winners)
    return right / LETTERS**GROUPS


def _scores_and_target() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(13)
    scores, logits = torch.randn(2, QUERIES, 5, generator=generator, dtype=torch.float64)
    return scores, logits.softmax(dim=-1)


def _weights_and_places() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(13)
    scores = torch.randn(SENTENCES, HEADS, QUERIES, KEYS, generator=generator, dtype=torch.float64)
    # The places are below QUERIES, so that the transposed matrix can be read there too.
    return scores.softmax(dim=-1), torch.tensor([2, 0, 1, 1])


def _at(rows: Tensor, where: Tensor) -> Tensor:
    """(batch, heads, key) → (batch, heads): each sentence at its own place."""
    return torch.stack([row[:, place] for row, place in zip(rows, where, strict=True)])


EXERCISES = {
    "guess": Exercise(
        right=lambda: 1 / GROUPS + (1 - 1 / GROUPS) / LETTERS,
        tolerance=0.005,
        mistakes={
            "no_coincidences": lambda: 1 / GROUPS,
            "all_letters": lambda: 1 / LETTERS,
            "three_groups": lambda: 1 / 3 + 2 / 3 / LETTERS,
            "four_letters": lambda: 1 / GROUPS + (1 - 1 / GROUPS) / 4,
            "chance_for_all_four": lambda: 1 / GROUPS + 1 / LETTERS,
            "number_of_words": lambda: 1 + (GROUPS - 1) / LETTERS,
            "majority": _majority,
        },
    ),
    "best-loss": Exercise(
        right=lambda: -sum(share * math.log(share) for share in SHARES),
        tolerance=0.005,
        mistakes={
            "zero": lambda: 0.0,
            "uniform": lambda: math.log(len(SHARES)),
            "base_two": lambda: -sum(share * math.log2(share) for share in SHARES),
            "wrong_sign": lambda: sum(share * math.log(share) for share in SHARES),
            "largest_share_only": lambda: -math.log(max(SHARES)),
            "not_weighted": lambda: -sum(math.log(share) for share in SHARES),
            "mean": lambda: -sum(share * math.log(share) for share in SHARES) / len(SHARES),
        },
    ),
    "score-gradient": Exercise(
        right=lambda scores, target: scores.softmax(dim=-1) - target,
        wants_function=True,
        inputs=_scores_and_target,
        mistakes={
            "wrong_sign": lambda scores, target: target - scores.softmax(dim=-1),
            "scores_not_weights": lambda scores, target: scores - target,
            "softmax_over_queries": lambda scores, target: scores.softmax(dim=0) - target,
            "softmax_of_the_target": lambda scores, target: scores.softmax(dim=-1) - target.softmax(dim=-1),
            "gradient_of_the_weights": lambda scores, target: -target / scores.softmax(dim=-1),
            "mean_over_queries": lambda scores, target: (scores.softmax(dim=-1) - target) / QUERIES,
            "one_right_answer": lambda scores, target: (
                scores.softmax(dim=-1) - (target == target.max(dim=-1, keepdim=True).values).double()
            ),
            "weights_only": lambda scores, target: scores.softmax(dim=-1),
            "transposed": lambda scores, target: (scores.softmax(dim=-1) - target).T,
        },
    ),
    "weight-on-the-word": Exercise(
        right=lambda weights, where: _at(weights[:, :, -1], where).mean(dim=0),
        wants_function=True,
        inputs=_weights_and_places,
        mistakes={
            "every_place_of_every_sentence": lambda weights, where: weights[:, :, -1, where].mean(dim=(0, 2)),
            "first_query": lambda weights, where: _at(weights[:, :, 0], where).mean(dim=0),
            "mean_over_queries": lambda weights, where: _at(weights.mean(dim=2), where).mean(dim=0),
            "largest_weight": lambda weights, where: weights[:, :, -1].amax(dim=-1).mean(dim=0),
            "share_of_hits": lambda weights, where: (
                (weights[:, :, -1].argmax(dim=-1) == where[:, None]).double().mean(dim=0)
            ),
            "last_key": lambda weights, where: _at(weights[..., -1], where).mean(dim=0),
            "place_of_the_first_sentence": lambda weights, where: weights[:, :, -1, where[0]].mean(dim=0),
            "mean_over_heads": lambda weights, where: _at(weights[:, :, -1], where).mean(),
            "not_averaged": lambda weights, where: _at(weights[:, :, -1], where),
            "mean_over_the_wrong_axis": lambda weights, where: _at(weights[:, :, -1], where).mean(dim=1),
        },
    ),
}
