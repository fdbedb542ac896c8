"""Looking up an embedding is a product with a one-hot vector (chapter 03)."""

from typing import Any

import traitlets

from ..language import message
from .embedded_sentence import EmbeddedSentence
from .explorer import InvalidState, check_table


class LookUpExplorer(EmbeddedSentence):
    """One-hot rows times the embedding matrix, row by row. Without arguments it shows the running example.

    Traits, beside those of the sentence:
        query: place of the token that is followed, from 0.
        embeddings: shape (token, d_model), the result.
    """

    module = "look_up"
    state = ("tokens", "token_ids", "vocabulary", "embedding_matrix", "query")
    kinds = ("token_id", "vocabulary_id", "embedding_matrix", "one_hot", "looked_up")

    query = traitlets.Int(0).tag(sync=True)
    embeddings = traitlets.List(read_only=True)

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
