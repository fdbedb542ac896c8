"""One fused projection or one matrix per head: the same numbers (chapter 11)."""

import traitlets

from ..language import message
from ..projections import split_projection
from .projected_sentence import PROJECTIONS, ProjectedSentence


class FusedProjectionExplorer(ProjectedSentence):
    """The fused matrix with its blocks, and below it the matrix of one head.

    Traits, beside those of the sentence:
        matrix: the quantity that is shown, "query", "key" or "value".
        linear: True shows the matrices as `nn.Linear.weight` keeps them, (out, in): the blocks are rows.
        projected: shape (token, d_model), the product with the fused matrix.
        separate: shape (head, token, head_dim), the products with the heads' own matrices.
        difference: the largest difference between the two, in absolute value.
    """

    module = "fused_projection"
    state = (*ProjectedSentence.state, "matrix", "linear")
    kinds = (*ProjectedSentence.kinds, "separate", "difference")

    matrix = traitlets.Enum(tuple(PROJECTIONS), "query").tag(sync=True)
    linear = traitlets.Bool(False).tag(sync=True)
    projected = traitlets.List(read_only=True)
    separate = traitlets.List(read_only=True)
    difference = traitlets.Float(read_only=True)

    def update(self) -> None:
        X, weight = self.embeddings(), self.tensor(PROJECTIONS[self.matrix])
        projected, separate = X @ weight, X @ split_projection(weight, self.num_heads)
        self.set_trait("projected", projected.tolist())
        self.set_trait("separate", separate.tolist())
        self.set_trait("difference", (projected - separate.transpose(0, 1).flatten(1)).abs().max().item())

    def tables(self):
        words = {name: message(f"explorers_fused_projection.{name}") for name in ("token", "table")}
        separate = self.separate[self.shown_head]
        size = len(separate[0])
        first = self.shown_head * size
        fused = [row[first : first + size] for row in self.projected]
        name, own = self.matrix, f"w_{self.matrix}[{self.shown_head}]"
        header = [f"{name}[:, {first + e}]" for e in range(size)] + [f"(X @ {own})[:, {e}]" for e in range(size)]
        rows = ([token, *both, *alone] for token, both, alone in zip(self.tokens, fused, separate, strict=True))
        yield words["table"], [words["token"], *header], rows
