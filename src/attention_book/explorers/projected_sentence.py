"""The sentence of the book, projected to query, key and value: what the explorers of chapters 09 to 11 start from."""

from typing import Any

import torch
import traitlets
from torch import Tensor

from ..running_example import running_example
from .explorer import Explorer, InvalidState, Numbers, Tokens, check_table

PROJECTIONS = {"query": "W_Q", "key": "W_K", "value": "W_V"}


class ProjectedSentence(Explorer):
    """Base class. Without arguments it holds the running example of the book, cut into four heads.

    Traits:
        tokens, token_ids, vocabulary: the sentence, its ids and the words by id.
        embedding_matrix: shape (vocabulary, d_model).
        W_Q, W_K, W_V: shape (d_model, d_model), the heads side by side.
        num_heads, head: how many heads, and which one is shown, from 0.
        matrix: the quantity that is shown: "query", "key" or "value".
    """

    state = (
        *("tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V"),
        *("num_heads", "head", "matrix"),
    )
    kinds = ("token_id", "vocabulary_id", "embedding_matrix", "embedding", "parameter", *PROJECTIONS)

    tokens = Tokens().tag(sync=True)
    token_ids = traitlets.List(traitlets.Int()).tag(sync=True)
    vocabulary = Tokens().tag(sync=True)
    embedding_matrix = Numbers("vocabulary", "d_model").tag(sync=True)
    W_Q = Numbers("d_model", "d_model").tag(sync=True)
    W_K = Numbers("d_model", "d_model").tag(sync=True)
    W_V = Numbers("d_model", "d_model").tag(sync=True)
    num_heads = traitlets.Int(4).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    matrix = traitlets.Enum(tuple(PROJECTIONS), "query").tag(sync=True)

    def __init__(self, **state: Any):
        if "embedding_matrix" not in state:
            example = running_example()
            own = {name: getattr(example, name) for name in ("tokens", "token_ids", "embedding_matrix")}
            own |= {name: getattr(example, name) for name in PROJECTIONS.values()}
            state = {**own, "vocabulary": example.vocabulary.tokens, **state}
        if isinstance(state.get("token_ids"), Tensor):
            state["token_ids"] = state["token_ids"].tolist()
        super().__init__(**state)

    @traitlets.validate("tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V", "num_heads")
    def _check_shapes(self, proposal: dict) -> Any:
        new = {name: getattr(self, name) for name in self.state} | {proposal["trait"].name: proposal["value"]}
        check_table(new)
        d_model = len(new["embedding_matrix"][0])
        for name in PROJECTIONS.values():
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
        if not 0 <= proposal["value"] < self.num_heads:
            raise InvalidState(
                f"head must be one of 0..{self.num_heads - 1}, got {proposal['value']}; heads are counted from 0"
            )
        return proposal["value"]

    @property
    def shown_head(self) -> int:
        """The head that is shown: the last one, where num_heads was made smaller than the one chosen."""
        return min(self.head, self.num_heads - 1)

    def tensor(self, name: str) -> Tensor:
        return torch.tensor(getattr(self, name), dtype=torch.float64)

    def embeddings(self) -> Tensor:
        """Shape (token, d_model)."""
        return self.tensor("embedding_matrix")[self.token_ids]
