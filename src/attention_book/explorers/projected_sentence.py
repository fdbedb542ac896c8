"""The sentence of the book, projected to query, key and value: what the explorers of several heads start from."""

from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from .embedded_sentence import EmbeddedSentence
from .explorer import InvalidState, Numbers, check_place, check_table

PROJECTIONS = {"query": "W_Q", "key": "W_K", "value": "W_V"}


class ProjectedSentence(EmbeddedSentence):
    """Base class. Without arguments it holds the running example of the book, cut into four heads.

    Traits, beside those of the sentence:
        W_Q, W_K, W_V: shape (d_model, d_model), the heads side by side.
        num_heads, head: how many heads, and which one is shown, from 0.
    """

    matrices: ClassVar[tuple[str, ...]] = tuple(PROJECTIONS.values())
    state = ("tokens", "token_ids", "vocabulary", "embedding_matrix", *matrices, "num_heads", "head")
    kinds = ("token_id", "vocabulary_id", "embedding_matrix", "embedding", "parameter", *PROJECTIONS)

    W_Q = Numbers("d_model", "d_model").tag(sync=True)
    W_K = Numbers("d_model", "d_model").tag(sync=True)
    W_V = Numbers("d_model", "d_model").tag(sync=True)
    num_heads = traitlets.Int(4).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)

    @traitlets.validate("tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V", "num_heads")
    def _check_shapes(self, proposal: dict) -> Any:
        new = {name: getattr(self, name) for name in self.state} | {proposal["trait"].name: proposal["value"]}
        check_table(new)
        d_model = len(new["embedding_matrix"][0])
        for name in self.matrices:
            shape = (len(new[name]), len(new[name][0]))
            if shape != (d_model, d_model):
                raise InvalidState(
                    f"{name} must have shape ({d_model}, {d_model}) like the columns of embedding_matrix, got {shape}"
                )
        if new["num_heads"] < 1 or d_model % new["num_heads"]:
            raise InvalidState(f"num_heads must divide d_model {d_model}, got {new['num_heads']}; write num_heads=1")
        return proposal["value"]

    @traitlets.validate("head")
    def _check_head(self, proposal: dict) -> int:
        return check_place(proposal, self.num_heads, "heads")

    @property
    def shown_head(self) -> int:
        """The head that is shown: the last one, where num_heads was made smaller than the one chosen."""
        return min(self.head, self.num_heads - 1)

    def tensor(self, name: str) -> Tensor:
        return torch.tensor(getattr(self, name), dtype=torch.float64)

    def embeddings(self) -> Tensor:
        """Shape (token, d_model)."""
        return self.tensor("embedding_matrix")[self.token_ids]
