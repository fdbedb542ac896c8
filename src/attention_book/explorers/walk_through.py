"""One sentence through the whole machine, every number explained (chapters 02 to 07, and the start page)."""

from typing import Any

import torch
import traitlets

from ..attention import scaled_dot_product_attention
from ..language import message
from ..masks import causal_mask
from ..projections import split_projection
from ..running_example import running_example
from .explorer import Explorer, InvalidState, Numbers, Tokens, check_table

STEPS = (
    "token_ids",
    "embeddings",
    "query",
    "key",
    "value",
    "scores",
    "scaled",
    "masked",
    "weights",
    "context",
    "heads",
    "output",
)


class WalkThrough(Explorer):
    """From token ids to the output of all heads, one step at a time.

    Without arguments it shows the running example of the book.

    Traits:
        step: the step that is shown. last: the last one that is offered, for a chapter that stops earlier.
        query: place of the query token, from 0. num_heads, head: how many heads, and which one is shown, from 0.
        mask: "none" or "causal".
        tokens, token_ids, vocabulary: the sentence, its ids and the words by id.
        embedding_matrix: shape (vocabulary, d_model).
        W_Q, W_K, W_V, W_O: shape (d_model, d_model), the heads side by side.
        weights: shape (query, key), of the head that is shown. context: shape (query, d_k), likewise.
        output: shape (query, d_model).
    """

    module = "walk_through"
    state = (
        *("tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V", "W_O"),
        *("num_heads", "head", "query", "mask", "step", "last"),
    )
    kinds = (
        *("token_id", "vocabulary_id", "embedding_matrix", "embedding", "parameter", "query", "key", "value"),
        *("score", "scaled", "seen", "hidden", "weight", "context", "concatenated", "output"),
    )

    tokens = Tokens().tag(sync=True)
    token_ids = traitlets.List(traitlets.Int()).tag(sync=True)
    vocabulary = Tokens().tag(sync=True)
    embedding_matrix = Numbers("vocabulary", "d_model").tag(sync=True)
    W_Q = Numbers("d_model", "d_model").tag(sync=True)
    W_K = Numbers("d_model", "d_model").tag(sync=True)
    W_V = Numbers("d_model", "d_model").tag(sync=True)
    W_O = Numbers("d_model", "d_model").tag(sync=True)
    num_heads = traitlets.Int(1).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    mask = traitlets.Enum(("none", "causal"), "none").tag(sync=True)
    step = traitlets.Enum(STEPS, "weights").tag(sync=True)
    last = traitlets.Enum(STEPS, "output").tag(sync=True)
    weights = traitlets.List(read_only=True)
    context = traitlets.List(read_only=True)
    output = traitlets.List(read_only=True)

    def __init__(self, **state: Any):
        if "embedding_matrix" not in state:
            state = {**_running_example_state(), **state}
        if isinstance(state.get("token_ids"), torch.Tensor):
            state["token_ids"] = state["token_ids"].tolist()
        super().__init__(**state)

    @traitlets.validate(
        "tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V", "W_O", "num_heads"
    )
    def _check_shapes(self, proposal: dict) -> Any:
        new = {name: getattr(self, name) for name in self.state} | {proposal["trait"].name: proposal["value"]}
        check_table(new)
        d_model = len(new["embedding_matrix"][0])
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            shape = (len(new[name]), len(new[name][0]))
            if shape != (d_model, d_model):
                raise InvalidState(
                    f"{name} must have shape ({d_model}, {d_model}) like the columns of embedding_matrix, got {shape}"
                )
        if new["num_heads"] < 1 or d_model % new["num_heads"]:
            raise InvalidState(f"num_heads must divide d_model {d_model}, got {new['num_heads']}; write num_heads=1")
        return proposal["value"]

    @traitlets.validate("head", "query")
    def _check_place(self, proposal: dict) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        size = self.num_heads if name == "head" else len(self.tokens)
        if not 0 <= value < size:
            raise InvalidState(f"{name} must be one of 0..{size - 1}, got {value}; places are counted from 0")
        return value

    def update(self) -> None:
        numbers = self.compute()
        head = min(self.head, self.num_heads - 1)
        self.set_trait("weights", numbers["weights"][head].tolist())
        self.set_trait("context", numbers["context"][head].tolist())
        self.set_trait("output", numbers["output"].tolist())

    def compute(self) -> dict[str, torch.Tensor]:
        """All matrices by name; those that are one per head have a first axis of heads."""

        def tensor(name: str) -> torch.Tensor:
            return torch.tensor(getattr(self, name), dtype=torch.float64)

        X = tensor("embedding_matrix")[self.token_ids]
        query, key, value = (
            X @ split_projection(tensor(name), self.num_heads) for name in ("W_Q", "W_K", "W_V")
        )  # (heads, query, d_k)
        mask = causal_mask(len(X)) if self.mask == "causal" else None
        context, weights = scaled_dot_product_attention(query, key, value, mask)
        scores = query @ key.transpose(-2, -1)  # (heads, query, key)
        scaled = scores / query.shape[-1] ** 0.5
        heads = context.transpose(0, 1).flatten(start_dim=1)  # (query, d_model)
        return {
            "token_ids": torch.tensor(self.token_ids)[:, None],
            "embeddings": X,
            "query": query,
            "key": key,
            "value": value,
            "scores": scores,
            "scaled": scaled,
            "masked": scaled if mask is None else scaled.masked_fill(~mask, -torch.inf),
            "weights": weights,
            "context": context,
            "heads": heads,
            "output": heads @ tensor("W_O"),
        }

    def tables(self):
        matrix = self.compute()[self.step]
        matrix = matrix[self.head] if matrix.dim() == 3 else matrix
        pairs = self.step in ("scores", "scaled", "masked", "weights")
        columns = self.tokens if pairs else [str(j) for j in range(matrix.shape[1])]
        if self.step == "token_ids":
            columns = [message("explorers_walk_through.id")]
        caption = (
            f"{message('explorers_walk_through.title')} · {message(f'explorers_walk_through.captions.{self.step}')}"
        )
        rows = ([token, *row] for token, row in zip(self.tokens, matrix.tolist(), strict=True))
        yield caption, [message("explorers_walk_through.token"), *columns], rows


def _running_example_state() -> dict[str, Any]:
    example = running_example()
    return {
        "tokens": example.tokens,
        "token_ids": example.token_ids,
        "vocabulary": example.vocabulary.tokens,
        "embedding_matrix": example.embedding_matrix,
        "W_Q": example.W_Q,
        "W_K": example.W_K,
        "W_V": example.W_V,
        "W_O": example.W_O,
    }
