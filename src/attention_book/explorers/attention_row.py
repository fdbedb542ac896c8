"""The weights of one query, and which scores would give other weights (chapter 06)."""

from typing import Any

import torch
import traitlets

from ..language import message
from .explorer import Explorer, InvalidState, Numbers, Tokens


class AttentionRowExplorer(Explorer):
    """Weights that can be moved: one score follows, the other scores of the row stay.

    Traits:
        tokens: queries and keys. scores: shape (query, key), divided by √d_k. query: the row that is shown.
        weights: shape (query, key), the result, current whenever the reader has moved a weight.
    """

    module = "attention_row"
    state = ("tokens", "scores", "query")
    kinds = ("given_score", "weight", "log_weight", "score_constant", "needed_score")

    tokens = Tokens().tag(sync=True)
    scores = Numbers("query", "key").tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    weights = traitlets.List(read_only=True)

    def __init__(self, scores: Any, tokens: list[str], query: int = 0, **state: Any):
        super().__init__(scores=scores, tokens=tokens, query=query, **state)

    @traitlets.validate("tokens", "scores", "query")
    def _check_state(self, proposal: dict) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        state = {"tokens": self.tokens, "scores": self.scores, "query": self.query, name: value}
        length, shape = len(state["tokens"]), (len(state["scores"]), len(state["scores"][0]))
        if shape != (length, length):
            raise InvalidState(
                f"scores has shape {shape}, tokens {length} entries; every token is a query and a key, "
                "set both together inside `with explorer.hold_trait_notifications():`"
            )
        if not 0 <= state["query"] < length:
            raise InvalidState(f"query must be a place from 0 to {length - 1}, got {state['query']}")
        return value

    def update(self) -> None:
        self.set_trait("weights", torch.tensor(self.scores, dtype=torch.float64).softmax(dim=-1).tolist())

    def tables(self):
        words = {name: message(f"explorers_attention_row.{name}") for name in ("key", "query", "score", "weight")}
        token = self.tokens[self.query]
        rows = zip(self.tokens, self.scores[self.query], self.weights[self.query], strict=True)
        yield (
            message("explorers_attention_row.row_table", token=token),
            [words["key"], words["score"], words["weight"]],
            rows,
        )
        rows = [(token, *row) for token, row in zip(self.tokens, self.weights, strict=True)]
        yield message("explorers_attention_row.heat_map"), [words["query"], *self.tokens], rows
