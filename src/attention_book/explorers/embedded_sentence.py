"""A sentence with its ids and the embedding matrix: what the explorers start from that look up or project."""

from typing import Any, ClassVar

import traitlets
from torch import Tensor

from ..running_example import running_example
from .explorer import Explorer, Numbers, Tokens


class EmbeddedSentence(Explorer):
    """Base class. Without arguments it holds the running example of the book.

    Traits:
        tokens, token_ids: the sentence and its ids. vocabulary: the words by id.
        embedding_matrix: shape (vocabulary, d_model).
    """

    # The traits with which the running example fills further matrices.
    matrices: ClassVar[tuple[str, ...]] = ()

    tokens = Tokens().tag(sync=True)
    token_ids = traitlets.List(traitlets.Int()).tag(sync=True)
    vocabulary = Tokens().tag(sync=True)
    embedding_matrix = Numbers("vocabulary", "d_model").tag(sync=True)

    def __init__(self, **state: Any):
        if "embedding_matrix" not in state:
            example = running_example()
            own = {n: getattr(example, n) for n in ("tokens", "token_ids", "embedding_matrix", *self.matrices)}
            state = {**own, "vocabulary": example.vocabulary.tokens, **state}
        if isinstance(state.get("token_ids"), Tensor):
            state["token_ids"] = state["token_ids"].tolist()
        super().__init__(**state)
