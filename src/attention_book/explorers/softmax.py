"""From scores to weights: the softmax, its temperature and why the scores are divided by √d_k (chapters 05 and 06)."""

import math
from typing import Any

import torch
import traitlets

from ..language import message
from .explorer import Explorer, InvalidState, Numbers, Tokens


class SoftmaxExplorer(Explorer):
    """Scores as sliders, weights as bars.

    Traits:
        tokens: the keys. scores: shape (key,), as they are after the division by √d_k.
        temperature: divides the scores once more.
        d_k, scale: with scale=False the scores are what the dot products would be without the division: √d_k times as
        large.
        weights: shape (key,), the result, current whenever the reader has moved something.
    """

    module = "softmax"
    state = ("tokens", "scores", "temperature", "d_k", "scale")
    kinds = ("chosen_score", "dot_product", "scaled_score", "unscaled_score", "key_weight")

    tokens = Tokens().tag(sync=True)
    scores = Numbers("key").tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    d_k = traitlets.Int(16).tag(sync=True)
    scale = traitlets.Bool(True).tag(sync=True)
    weights = traitlets.List(read_only=True)

    def __init__(self, scores: Any, tokens: list[str] | None = None, **state: Any):
        if tokens is None:
            tokens = [str(place) for place in range(len(scores))]
        super().__init__(scores=scores, tokens=tokens, **state)

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal: dict) -> float:
        if not 0 < proposal["value"] < math.inf:
            raise InvalidState(f"temperature must be positive, got {proposal['value']}; 1.0 changes nothing")
        return proposal["value"]

    @traitlets.validate("d_k")
    def _check_d_k(self, proposal: dict) -> int:
        if proposal["value"] < 1:
            raise InvalidState(f"d_k must be at least 1, got {proposal['value']}; it is the size of query and key")
        return proposal["value"]

    @traitlets.validate("scores", "tokens")
    def _check_length(self, proposal: dict) -> list:
        lengths = {"scores": len(self.scores), "tokens": len(self.tokens)}
        lengths[proposal["trait"].name] = len(proposal["value"])
        if lengths["scores"] != lengths["tokens"]:
            raise InvalidState(
                f"scores has {lengths['scores']} numbers, tokens {lengths['tokens']}; one score per token, "
                "set both together inside `with explorer.hold_trait_notifications():`"
            )
        return proposal["value"]

    def softmax_inputs(self) -> torch.Tensor:
        """The scores as they enter the softmax, shape (key,)."""
        scores = torch.tensor(self.scores, dtype=torch.float64)
        return scores * (1.0 if self.scale else math.sqrt(self.d_k)) / self.temperature

    def update(self) -> None:
        self.set_trait("weights", self.softmax_inputs().softmax(dim=-1).tolist())

    def tables(self):
        header = [message(f"explorers_softmax.{name}") for name in ("key", "inputs", "weights")]
        rows = zip(self.tokens, self.softmax_inputs().tolist(), self.weights, strict=True)
        yield message("explorers_softmax.table"), header, rows
