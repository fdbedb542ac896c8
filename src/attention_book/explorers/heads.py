"""Columns dealt to heads and put side by side again (chapters 09 and 10)."""

import traitlets
from torch import Tensor

from ..attention import scaled_dot_product_attention
from ..language import message
from .projected_sentence import PROJECTIONS, ProjectedSentence


class HeadsExplorer(ProjectedSentence):
    """From (token, d_model) to (head, token, head_dim) and back, number by number.

    Traits, beside those of the sentence:
        matrix: the quantity that is shown, "query", "key", "value" or "context".
        transpose_split, transpose_join: False leaves the transpose out, on the way there or on the way back.
        split: shape (head, token, head_dim), the matrix in the form the heads work with.
        joined: shape (token, d_model), the heads side by side again.
        weights: shape (query, key), of the head that is shown.
    """

    module = "heads"
    state = (*ProjectedSentence.state, "matrix", "transpose_split", "transpose_join")
    kinds = (
        *ProjectedSentence.kinds,
        *("product", "score", "weight", "context", "split", "split_by_view", "joined", "joined_by_view"),
    )

    matrix = traitlets.Enum((*PROJECTIONS, "context"), "query").tag(sync=True)
    transpose_split = traitlets.Bool(True).tag(sync=True)
    transpose_join = traitlets.Bool(True).tag(sync=True)
    split = traitlets.List(read_only=True)
    joined = traitlets.List(read_only=True)
    weights = traitlets.List(read_only=True)

    def update(self) -> None:
        heads = {name: self._split(self.embeddings() @ self.tensor(W)) for name, W in PROJECTIONS.items()}
        heads["context"], weights = scaled_dot_product_attention(**heads)
        shown = heads[self.matrix]
        self.set_trait("split", shown.tolist())
        self.set_trait("joined", self._join(shown).tolist())
        self.set_trait("weights", weights[self.shown_head].tolist())

    def _split(self, x: Tensor) -> Tensor:
        """(token, d_model) → (head, token, head_dim)"""
        length, d_model = x.shape
        head_dim = d_model // self.num_heads
        if not self.transpose_split:
            return x.reshape(self.num_heads, length, head_dim)
        return x.reshape(length, self.num_heads, head_dim).transpose(0, 1)

    def _join(self, x: Tensor) -> Tensor:
        """(head, token, head_dim) → (token, d_model)"""
        return (x.transpose(0, 1) if self.transpose_join else x).reshape(len(self.tokens), -1)

    def tables(self):
        words = {name: message(f"explorers_heads.{name}") for name in ("token", "head", "split_table", "joined_table")}
        quantity = message(f"explorers_heads.matrices.{self.matrix}")
        places = [str(e) for e in range(len(self.split[0][0]))]
        rows = (
            [f"{h} · {token}", *row]
            for h, block in enumerate(self.split)
            for token, row in zip(self.tokens, block, strict=True)
        )
        yield f"{quantity} · {words['split_table']}", [f"{words['head']} · {words['token']}", *places], rows
        columns = [str(j) for j in range(len(self.joined[0]))]
        rows = ([token, *row] for token, row in zip(self.tokens, self.joined, strict=True))
        yield f"{quantity} · {words['joined_table']}", [words["token"], *columns], rows
