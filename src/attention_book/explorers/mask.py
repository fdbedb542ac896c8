"""Which keys a query may attend to, and what that does to its row of weights (chapter 08)."""

import math
from collections.abc import Callable
from typing import Any

import torch
import traitlets
from torch import Tensor

from ..language import message
from ..masks import causal_mask, fit_mask, padding_mask
from .explorer import Explorer, InvalidState, Numbers, Tokens

LARGE_NEGATIVE = -1e9


def _with_padding(length: int, before: int, after: int) -> Tensor:
    """Hide the first `before` and the last `after` keys, (1, key)."""
    places = torch.arange(length)
    return padding_mask(((places >= before) & (places < length - after)).long())


def _diagonal(length: int, offset: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril(offset)


# By name: the mask for a length and a number of padded tokens.
PRESETS: dict[str, Callable[[int, int], Tensor]] = {
    "none": lambda length, padding: _with_padding(length, 0, 0),
    "causal": lambda length, padding: causal_mask(length),
    "padding": lambda length, padding: _with_padding(length, 0, padding),
    "causal_padding": lambda length, padding: causal_mask(length) & _with_padding(length, 0, padding),
    "left_padding": lambda length, padding: _with_padding(length, padding, 0),
    "causal_left_padding": lambda length, padding: causal_mask(length) & _with_padding(length, padding, 0),
    "hides_itself": lambda length, padding: _diagonal(length, -1),
    "sees_one_ahead": lambda length, padding: _diagonal(length, 1),
}


def _fit(mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The package's own check of a mask, as a refusal of the state."""
    try:
        return fit_mask(mask, shape, mask.device).expand(shape)
    except (TypeError, ValueError) as error:
        raise InvalidState(str(error)) from error


class Booleans(traitlets.TraitType):
    """Booleans or integers 0 and 1, kept as nested lists; tensors and arrays are taken too."""

    def validate(self, obj: traitlets.HasTraits, value: Any) -> list:
        try:
            mask = torch.atleast_1d(torch.as_tensor(value))
        except (TypeError, ValueError, RuntimeError) as error:
            raise InvalidState(
                f"{self.name} must be Booleans of shape (query, key), True = may attend, got {value!r}"
            ) from error
        return _fit(mask, tuple(mask.shape)).tolist()


class MaskExplorer(Explorer):
    """Scores with a mask over them, whose cells are buttons, and the weights that come out.

    Traits:
        tokens: queries and keys. scores: shape (query, key), divided by √d_k.
        mask: shape (query, key), True = may attend; whatever `fit_mask` takes is taken. A mask that is given decides,
            and `preset` becomes its name.
        preset: a name of PRESETS, or "custom" for any other mask. padding: how many tokens count as padding.
        masking: "before" the softmax, "after" it, or "renormalized": after it and divided by the sum of the row.
        empty_row: what becomes of a row without allowed keys when the mask comes before the softmax: "nan" (scores
            of −∞), "uniform" (scores of −10⁹) or "zeros" (as in this package and in PyTorch's fused attention).
        weights: shape (query, key), the result, current whenever the reader has pressed a cell. It may hold NaN; it
            is computed on either side and never sent.
    """

    module = "mask"
    state = ("tokens", "scores", "mask", "preset", "padding", "masking", "empty_row")
    kinds = (
        *("given_score", "seen", "blocked", "masked_weight", "row_sum"),
        *("unmasked_weight", "kept_weight", "kept_sum"),
    )

    tokens = Tokens().tag(sync=True)
    scores = Numbers("query", "key").tag(sync=True)
    mask = Booleans([[True]]).tag(sync=True)
    preset = traitlets.Enum((*PRESETS, "custom"), "none").tag(sync=True)
    padding = traitlets.Int(2).tag(sync=True)
    masking = traitlets.Enum(("before", "after", "renormalized"), "before").tag(sync=True)
    empty_row = traitlets.Enum(("nan", "uniform", "zeros"), "zeros").tag(sync=True)
    weights = traitlets.List(read_only=True)

    def __init__(self, scores: Any, tokens: list[str], mask: Any = None, preset: str = "none", **state: Any):
        if mask is not None:
            preset, state["mask"] = "custom", mask
        super().__init__(scores=scores, tokens=tokens, preset=preset, **state)

    @traitlets.validate("tokens", "scores", "mask")
    def _check_state(self, proposal: dict) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        state = {"tokens": self.tokens, "scores": self.scores, "mask": self.mask, name: value}
        length, shape = len(state["tokens"]), (len(state["scores"]), len(state["scores"][0]))
        if shape != (length, length):
            raise InvalidState(
                f"scores has shape {shape}, tokens {length} entries; every token is a query and a key, "
                "set both together inside `with explorer.hold_trait_notifications():`"
            )
        if name != "mask" and self.preset != "custom":
            return value  # the preset makes a mask that fits
        mask = _fit(torch.tensor(state["mask"]), shape).tolist()
        return mask if name == "mask" else value

    @traitlets.validate("padding")
    def _check_padding(self, proposal: dict) -> int:
        if proposal["value"] < 0:
            raise InvalidState(f"padding must be 0 or more, got {proposal['value']}; it counts the padded tokens")
        return proposal["value"]

    @traitlets.observe("tokens", "preset", "padding")
    def _follow_preset(self, change: dict) -> None:
        if self.preset != "custom":
            self.mask = self.mask_of(self.preset)

    @traitlets.observe("mask")
    def _name_mask(self, change: dict) -> None:
        # Several presets may make the same mask: the one in use keeps its name.
        names = (name for name in (self.preset, *PRESETS) if name in PRESETS and self.mask_of(name) == self.mask)
        self.preset = next(names, "custom")

    def mask_of(self, preset: str) -> list[list[bool]]:
        """The mask that `preset` makes for these tokens."""
        length = len(self.tokens)
        return PRESETS[preset](length, min(self.padding, length)).expand(length, length).tolist()

    def update(self) -> None:
        self.set_trait("weights", self.compute()[1].tolist())

    def compute(self) -> tuple[Tensor, Tensor]:
        """The scores that enter the softmax and the weights, both (query, key)."""
        scores, mask = torch.tensor(self.scores, dtype=torch.float64), torch.tensor(self.mask)
        if self.masking == "before":
            scores = scores.masked_fill(~mask, LARGE_NEGATIVE if self.empty_row == "uniform" else -math.inf)
            weights = scores.softmax(dim=-1)
            if self.empty_row == "zeros":
                weights = weights.masked_fill(~mask, 0.0)
            return scores, weights
        weights = scores.softmax(dim=-1) * mask
        return scores, weights / weights.sum(dim=-1, keepdim=True) if self.masking == "renormalized" else weights

    def tables(self):
        words = {name: message(f"explorers_mask.{name}") for name in ("query", "sum", "weights")}
        scores, weights = self.compute()

        def masked(score: float, allowed: bool) -> object:
            if allowed or score == -math.inf:
                return score
            return "−10⁹" if score == LARGE_NEGATIVE else f"✗ {score:.2f}".replace("-", "−")

        rows = (
            (token, *(masked(*pair) for pair in zip(row, allowed, strict=True)))
            for token, row, allowed in zip(self.tokens, scores.tolist(), self.mask, strict=True)
        )
        caption = "table_before" if self.masking == "before" else "table_after"
        yield message(f"explorers_mask.{caption}"), [words["query"], *self.tokens], rows
        sums = weights.sum(dim=-1).tolist()
        rows = ((token, *row, total) for token, row, total in zip(self.tokens, weights.tolist(), sums, strict=True))
        yield words["weights"], [words["query"], *self.tokens, words["sum"]], rows
