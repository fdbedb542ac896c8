"""One sentence through the whole machine, every number explained (chapters 02 to 07, and the start page)."""

from typing import Any

import torch
import traitlets

from ..attention import scaled_dot_product_attention
from ..language import message
from ..masks import causal_mask
from ..projections import split_projection
from .explorer import Numbers, check_place
from .projected_sentence import PROJECTIONS, ProjectedSentence

STEPS = (
    "token_ids",
    "embeddings",
    "query",
    "key",
    "value",
    "products",
    "scores",
    "masked",
    "weights",
    "context",
    "heads",
    "output",
)


class WalkThrough(ProjectedSentence):
    """From token ids to the output of all heads, one step at a time.

    Without arguments it shows the running example of the book.

    Traits, beside those of the sentence:
        step: the step that is shown. last: the last one that is offered, for a chapter that stops earlier.
        query: place of the query token, from 0. mask: "none" or "causal".
        num_heads: 1 unless it is given. W_O: shape (d_model, d_model), the heads' rows one below the other.
        weights: shape (query, key), of the head that is shown. context: shape (query, d_k), likewise.
        output: shape (query, d_model).
    """

    module = "walk_through"
    matrices = (*ProjectedSentence.matrices, "W_O")
    state = (
        *("tokens", "token_ids", "vocabulary", "embedding_matrix", *matrices),
        *("num_heads", "head", "query", "mask", "step", "last"),
    )
    kinds = (
        *ProjectedSentence.kinds,
        *("product", "score", "seen", "hidden", "weight", "context", "concatenated", "output"),
    )

    W_O = Numbers("d_model", "d_model").tag(sync=True)
    num_heads = traitlets.Int(1).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    mask = traitlets.Enum(("none", "causal"), "none").tag(sync=True)
    step = traitlets.Enum(STEPS, "weights").tag(sync=True)
    last = traitlets.Enum(STEPS, "output").tag(sync=True)
    weights = traitlets.List(read_only=True)
    context = traitlets.List(read_only=True)
    output = traitlets.List(read_only=True)

    @traitlets.validate("W_O")
    def _check_output_projection(self, proposal: dict) -> Any:
        return self._check_shapes(proposal)

    @traitlets.validate("head", "query")
    def _check_head(self, proposal: dict) -> int:
        size = self.num_heads if proposal["trait"].name == "head" else len(self.tokens)
        return check_place(proposal, size, "places")

    def update(self) -> None:
        numbers = self.compute()
        self.set_trait("weights", numbers["weights"][self.shown_head].tolist())
        self.set_trait("context", numbers["context"][self.shown_head].tolist())
        self.set_trait("output", numbers["output"].tolist())

    def compute(self) -> dict[str, torch.Tensor]:
        """All matrices by name; those that are one per head have a first axis of heads."""
        X = self.embeddings()
        query, key, value = (
            X @ split_projection(self.tensor(name), self.num_heads) for name in PROJECTIONS.values()
        )  # (heads, query, d_k)
        mask = causal_mask(len(X)) if self.mask == "causal" else None
        context, weights = scaled_dot_product_attention(query, key, value, mask)
        products = query @ key.transpose(-2, -1)  # (heads, query, key)
        scores = products / query.shape[-1] ** 0.5
        heads = context.transpose(0, 1).flatten(start_dim=1)  # (query, d_model)
        return {
            "token_ids": torch.tensor(self.token_ids)[:, None],
            "embeddings": X,
            "query": query,
            "key": key,
            "value": value,
            "products": products,
            "scores": scores,
            "masked": scores if mask is None else scores.masked_fill(~mask, -torch.inf),
            "weights": weights,
            "context": context,
            "heads": heads,
            "output": heads @ self.tensor("W_O"),
        }

    def tables(self):
        matrix = self.compute()[self.step]
        matrix = matrix[self.shown_head] if matrix.dim() == 3 else matrix
        pairs = self.step in ("products", "scores", "masked", "weights")
        columns = self.tokens if pairs else [str(j) for j in range(matrix.shape[1])]
        if self.step == "token_ids":
            columns = [message("explorers_walk_through.id")]
        caption = (
            f"{message('explorers_walk_through.title')} · {message(f'explorers_walk_through.captions.{self.step}')}"
        )
        rows = ([token, *row] for token, row in zip(self.tokens, matrix.tolist(), strict=True))
        yield caption, [message("explorers_walk_through.token"), *columns], rows
