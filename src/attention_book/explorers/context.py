"""A context vector as a mixture of the values, whatever the weights (chapter 07)."""

from typing import Any

import torch
import traitlets

from ..language import message
from .explorer import Explorer, InvalidState, Numbers, Tokens


class ContextExplorer(Explorer):
    """One row of weights and the mixture that it makes.

    Traits:
        tokens: the keys. weights: shape (key,), none negative, sum 1. values: shape (key, d_v).
        context: shape (d_v,), the result, current whenever the reader has moved a weight.
    """

    module = "context"
    state = ("tokens", "weights", "values")
    kinds = ("chosen_weight", "value", "mixture")

    tokens = Tokens().tag(sync=True)
    weights = Numbers("key").tag(sync=True)
    values = Numbers("key", "d_v").tag(sync=True)
    context = traitlets.List(read_only=True)

    def __init__(self, weights: Any, values: Any, tokens: list[str], **state: Any):
        super().__init__(weights=weights, values=values, tokens=tokens, **state)

    @traitlets.validate("weights", "values", "tokens")
    def _check_state(self, proposal: dict) -> list:
        name, value = proposal["trait"].name, proposal["value"]
        if name == "weights":
            self._check_sum(value)
        lengths = {"weights": len(self.weights), "values": len(self.values), "tokens": len(self.tokens)}
        lengths[name] = len(value)
        if len(set(lengths.values())) > 1:
            raise InvalidState(
                f"weights has {lengths['weights']} numbers, values {lengths['values']} rows, "
                f"tokens {lengths['tokens']}; one weight and one row per token, "
                "set them together inside `with explorer.hold_trait_notifications():`"
            )
        return value

    @staticmethod
    def _check_sum(weights: list[float]) -> None:
        if min(weights) < 0:
            raise InvalidState(f"weights must not be negative, got {min(weights)}; use scores.softmax(dim=-1)")
        # Weights in half precision, or written with four digits, are near enough.
        if abs(sum(weights) - 1) > 2e-3:
            raise InvalidState(f"weights must sum to 1, got {sum(weights):.4f}; divide by the sum")

    def update(self) -> None:
        weights, values = (torch.tensor(numbers, dtype=torch.float64) for numbers in (self.weights, self.values))
        self.set_trait("context", (weights @ values).tolist())

    def tables(self):
        words = {name: message(f"explorers_context.{name}") for name in ("key", "weight", "context", "table")}
        places = [str(place + 1) for place in range(len(self.context))]
        rows = [
            (token, weight, *value) for token, weight, value in zip(self.tokens, self.weights, self.values, strict=True)
        ]
        yield words["table"], [words["key"], words["weight"], *places], [*rows, (words["context"], "", *self.context)]
