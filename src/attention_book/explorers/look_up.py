"""Looking up an embedding is a product with a one-hot vector (chapter 03)."""

from typing import Any

import torch
import traitlets

from ..language import message
from ..running_example import running_example
from .explorer import Explorer, InvalidState, Numbers, Tokens, check_table


class LookUpExplorer(Explorer):
    """One-hot rows times the embedding matrix, row by row. Without arguments it shows the running example.

    Traits:
        tokens, token_ids: the sentence and its ids. vocabulary: the words by id.
        embedding_matrix: shape (vocabulary, d_model).
        query: place of the token that is followed, from 0.
        embeddings: shape (token, d_model), the result.
    """

    module = "look_up"
    state = ("tokens", "token_ids", "vocabulary", "embedding_matrix", "query")
    kinds = ("token_id", "vocabulary_id", "embedding_matrix", "one_hot", "looked_up")

    tokens = Tokens().tag(sync=True)
    token_ids = traitlets.List(traitlets.Int()).tag(sync=True)
    vocabulary = Tokens().tag(sync=True)
    embedding_matrix = Numbers("vocabulary", "d_model").tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    embeddings = traitlets.List(read_only=True)

    def __init__(self, **state: Any):
        if "embedding_matrix" not in state:
            example = running_example()
            own = {"tokens": example.tokens, "token_ids": example.token_ids, "vocabulary": example.vocabulary.tokens}
            state = {**own, "embedding_matrix": example.embedding_matrix, **state}
        if isinstance(state.get("token_ids"), torch.Tensor):
            state["token_ids"] = state["token_ids"].tolist()
        super().__init__(**state)

    @traitlets.validate("tokens", "token_ids", "vocabulary", "embedding_matrix", "query")
    def _check(self, proposal: dict) -> Any:
        new = {name: getattr(self, name) for name in self.state} | {proposal["trait"].name: proposal["value"]}
        check_table(new)
        if not 0 <= new["query"] < len(new["tokens"]):
            raise InvalidState(f"query must be one of 0..{len(new['tokens']) - 1}, got {new['query']}")
        return proposal["value"]

    def update(self) -> None:
        self.set_trait("embeddings", [self.embedding_matrix[token_id] for token_id in self.token_ids])

    def tables(self):
        columns = [str(j) for j in range(len(self.embedding_matrix[0]))]
        header = [message("explorers_look_up.token"), message("explorers_look_up.id"), *columns]
        rows = ([t, i, *row] for t, i, row in zip(self.tokens, self.token_ids, self.embeddings, strict=True))
        yield message("explorers_look_up.table"), header, rows
