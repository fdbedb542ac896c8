"""Exercises of the chapter on token ids."""

from collections import Counter

import torch
from torch import Tensor

from .exercise import Exercise

PAD_ID = 11
# Twelve different words: the order of a set coincides with no other order but by a rare accident.
TEXT = "the cat saw the bird and the bird saw a small fish near that old tree"


def _tokens() -> tuple[list[str]]:
    return (TEXT.split(),)


def table(tokens: list[str], reserved: tuple[str, ...] = ("<pad>", "<unk>"), first_id: int = 0) -> dict[str, int]:
    return {token: token_id for token_id, token in enumerate(dict.fromkeys([*reserved, *tokens]), start=first_id)}


def _places(tokens: list[str]) -> dict[str, int]:
    """Number the places of the text, repeated tokens included; a later place overwrites an earlier one."""
    return {token: place for place, token in enumerate(tokens)}


def _sentences_and_pad_id() -> tuple[list[list[int]], int]:
    return [[4, 2, 9], [3, 8, 5, 2, 6], [7, 3], [5, 6, 4, 8]], PAD_ID


def pad(sentences: list[list[int]], pad_id: int, extra: int = 0) -> Tensor:
    length = max(map(len, sentences)) + extra
    return torch.tensor([ids + [pad_id] * (length - len(ids)) for ids in sentences])


def _pad_left(sentences: list[list[int]], pad_id: int) -> Tensor:
    return pad([ids[::-1] for ids in sentences], pad_id).flip(dims=[1])


EXERCISES = {
    "encode": Exercise(
        right=lambda: torch.tensor([1, 5, 6, 3, 2, 1]),
        mistakes={
            "split_on_spaces": lambda: torch.tensor([1, 5, 6, 3, 1]),
            "period_dropped": lambda: torch.tensor([1, 5, 6, 3, 2]),
            "lower_case": lambda: torch.tensor([4, 5, 6, 3, 2, 1]),
            "lower_case_without_period": lambda: torch.tensor([4, 5, 6, 3, 2]),
            "minus_one": lambda: torch.tensor([-1, 5, 6, 3, 2, -1]),
            "pad_for_unknown": lambda: torch.tensor([0, 5, 6, 3, 2, 0]),
            "unknown_left_out": lambda: torch.tensor([5, 6, 3, 2]),
            "vocabulary_extended": lambda: torch.tensor([8, 5, 6, 3, 2, 9]),
            "numbered_anew": lambda: torch.tensor([2, 3, 4, 5, 6, 7]),
            "reserved_forgotten": lambda: torch.tensor([1, 3, 4, 1, 0, 1]),
            "counted_from_one": lambda: torch.tensor([2, 6, 7, 4, 3, 2]),
        },
    ),
    "build": Exercise(
        right=table,
        wants_function=True,
        inputs=_tokens,
        mistakes={
            "set_order": lambda tokens: table(list(set(tokens))),
            "sorted": lambda tokens: table(sorted(tokens)),
            "by_frequency": lambda tokens: table([token for token, _ in Counter(tokens).most_common()]),
            "last_appearance": lambda tokens: table(list(dict.fromkeys(tokens[::-1]))[::-1]),
            "places_for_ids": lambda tokens: _places(["<pad>", "<unk>", *tokens]),
            "first_places_for_ids": lambda tokens: {
                token: ["<pad>", "<unk>", *tokens].index(token) for token in ["<pad>", "<unk>", *tokens]
            },
            "places_without_reserved": _places,
            "reserved_forgotten": lambda tokens: table(tokens, reserved=()),
            "words_from_zero": lambda tokens: {"<pad>": 0, "<unk>": 1} | table(tokens, reserved=()),
            "pad_only": lambda tokens: table(tokens, reserved=("<pad>",)),
            "unk_only": lambda tokens: table(tokens, reserved=("<unk>",)),
            "reserved_exchanged": lambda tokens: table(tokens, reserved=("<unk>", "<pad>")),
            "reserved_last": lambda tokens: table([*tokens, "<pad>", "<unk>"], reserved=()),
            "counted_from_one": lambda tokens: table(tokens, first_id=1),
            "id_to_token": lambda tokens: {token_id: token for token, token_id in table(tokens).items()},
            "list_of_tokens": lambda tokens: list(table(tokens)),
            "list_of_ids": lambda tokens: [table(tokens)[token] for token in tokens],
        },
    ),
    "pad": Exercise(
        right=pad,
        wants_function=True,
        inputs=_sentences_and_pad_id,
        mistakes={
            "zero_for_pad_id": lambda sentences, pad_id: pad(sentences, 0),
            "unk_for_pad_id": lambda sentences, pad_id: pad(sentences, 1),
            "left": _pad_left,
            "left_with_zero": lambda sentences, pad_id: _pad_left(sentences, 0),
            "cut_to_the_shortest": lambda sentences, pad_id: torch.tensor([ids[:2] for ids in sentences]),
            "one_too_many": lambda sentences, pad_id: pad(sentences, pad_id, extra=1),
            "length_of_the_chapter": lambda sentences, pad_id: pad(sentences, pad_id, extra=2),
            "last_id_repeated": lambda sentences, pad_id: torch.tensor(
                [ids + ids[-1:] * (5 - len(ids)) for ids in sentences]
            ),
            "pad_id_to_each": lambda sentences, pad_id: [[*ids, pad_id] for ids in sentences],
            "one_after_the_other": lambda sentences, pad_id: torch.tensor([i for ids in sentences for i in ids]),
            "transposed": lambda sentences, pad_id: pad(sentences, pad_id).T,
            "mask_returned": lambda sentences, pad_id: pad(sentences, pad_id) != pad_id,
        },
    ),
    "longest-match": Exercise(
        right=lambda: ["rec", "##onne", "##cted"],
        mistakes={
            "fewest_pieces": lambda: ["re", "##connected"],
            "syllables": lambda: ["re", "##con", "##ne", "##cted"],
            "last_piece_too_short": lambda: ["rec", "##onne", "##c", "##ted"],
            "middle_piece_too_short": lambda: ["rec", "##on", "##ne", "##cted"],
            "shortest_first": lambda: ["r", *("##" + letter for letter in "econnected")],
            "marks_forgotten": lambda: ["rec", "onne", "cted"],
            "marks_everywhere": lambda: ["##rec", "##onne", "##cted"],
            "marks_behind": lambda: ["rec##", "onne##", "cted"],
            "whole_word": lambda: ["reconnected"],
            "unknown": lambda: ["[UNK]"],
            "one_string": lambda: "rec ##onne ##cted",
        },
    ),
}
