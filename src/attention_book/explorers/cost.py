"""What attention costs: multiply-adds, memory and the key–value cache, from the sizes of a model (chapter 17)."""

from dataclasses import asdict
from typing import Any

import traitlets

from ..language import message
from .explorer import Explorer, InvalidState
from .published_models import PUBLISHED_MODELS, ModelSizes

START = PUBLISHED_MODELS["gpt_3"]
SIZES = ("num_tokens", "d_model", "num_heads", "num_kv_heads", "head_dim", "num_layers", "bytes_per_number")
MULTIPLY_ADDS = ("projections", "attention", "all_layers", "new_token")
COMPARISONS = ("ratio", "crossing")
BYTES = ("weights_memory", "cache_per_token", "cache_size")
RESULTS = (*MULTIPLY_ADDS, *COMPARISONS, *BYTES)
# Beyond it a product of all sizes has more digits than the page can count.
LARGEST = 2**24


class Size(traitlets.Int):
    """A whole number from 1 to LARGEST."""

    def validate(self, obj: traitlets.HasTraits, value: Any) -> int:
        value = super().validate(obj, value)
        if not 1 <= value <= LARGEST:
            raise InvalidState(f"{self.name} must be a whole number from 1 to {LARGEST}, got {value}")
        return value


class CostExplorer(Explorer):
    """A calculator for one sentence. Dense attention is counted: all n · n scores, whatever the mask.

    Not counted are biases, softmax, normalization, feed-forward, embeddings and the output layer.

    Traits:
        num_tokens, d_model, num_heads, num_kv_heads, head_dim, num_layers, bytes_per_number: the sizes. Left out,
            num_kv_heads is num_heads, and head_dim is d_model // num_heads.
        models: the published models by key, with the sizes they have.
        costs: the result by name: `projections`, `attention` (multiply-adds of one layer), `all_layers`, `new_token`
            (multiply-adds of the model, for all tokens and for one more with a cache), `ratio` (attention to
            projections), `crossing` (the num_tokens at which it is 1), `weights_memory` (bytes of the n × n tables of
            one layer), `cache_per_token`, `cache_size` (bytes of the model).
    """

    module = "cost"
    state = (*SIZES, "models")
    kinds = (*SIZES, *RESULTS)

    num_tokens = Size(START.num_tokens).tag(sync=True)
    d_model = Size(START.d_model).tag(sync=True)
    num_heads = Size(START.num_heads).tag(sync=True)
    num_kv_heads = Size(START.num_kv_heads).tag(sync=True)
    head_dim = Size(START.head_dim).tag(sync=True)
    num_layers = Size(START.num_layers).tag(sync=True)
    bytes_per_number = Size(2).tag(sync=True)
    models = traitlets.Dict(read_only=True).tag(sync=True)
    costs = traitlets.Dict(read_only=True)

    def __init__(self, **state: Any):
        if "num_heads" in state:
            state.setdefault("num_kv_heads", state["num_heads"])
        if {"num_heads", "d_model"} & set(state):
            heads, d_model = state.get("num_heads", START.num_heads), state.get("d_model", START.d_model)
            state.setdefault("head_dim", d_model // max(heads, 1))
        example = ModelSizes(message("explorers_cost.running_example"), 1, 16, 4, 4, 4, 5)
        self.set_trait("models", {k: asdict(m) for k, m in {"running_example": example, **PUBLISHED_MODELS}.items()})
        super().__init__(**state)

    @traitlets.validate("num_heads", "num_kv_heads")
    def _check_heads(self, proposal: dict) -> int:
        heads = {"num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads}
        heads[proposal["trait"].name] = proposal["value"]
        if heads["num_heads"] % heads["num_kv_heads"]:
            raise InvalidState(
                f"num_kv_heads must divide num_heads {heads['num_heads']}, got {heads['num_kv_heads']}; "
                "each key–value head serves the same number of heads"
            )
        return proposal["value"]

    def update(self) -> None:
        n, d, h, g, c, layers, size = (getattr(self, name) for name in SIZES)
        costs = {
            "projections": 2 * n * d * c * (h + g),
            "attention": 2 * n * n * h * c,
            "new_token": layers * (2 * d * c * (h + g) + 2 * n * h * c),
            "crossing": d * (h + g) / h,
            "weights_memory": h * n * n * size,
            "cache_per_token": 2 * layers * g * c * size,
        }
        costs["all_layers"] = layers * (costs["projections"] + costs["attention"])
        costs["ratio"] = costs["attention"] / costs["projections"]
        costs["cache_size"] = costs["cache_per_token"] * n
        self.set_trait("costs", {name: costs[name] for name in RESULTS})

    def tables(self):
        words = {part: message_table(part, names) for part, names in (("sizes", SIZES), ("results", RESULTS))}
        rows = [(words["sizes"][name], getattr(self, name)) for name in SIZES]
        rows += [(words["results"][name], self.costs[name]) for name in RESULTS]
        quantity, number = (message(f"explorers_cost.{name}") for name in ("quantity", "number"))
        yield message("explorers_cost.title"), [quantity, number], rows
        shown = ("num_layers", "d_model", "num_heads", "num_kv_heads", "head_dim", "num_tokens")
        header = [*(message(f"explorers_cost.{name}") for name in ("model", "source")), *map(words["sizes"].get, shown)]
        rows = (
            (model["name"], message(f"explorers_cost.sources.{key}"), *(model[name] or "–" for name in shown))
            for key, model in self.models.items()
        )
        yield message("explorers_cost.models"), header, rows


def message_table(part: str, names: tuple[str, ...]) -> dict[str, str]:
    return {name: message(f"explorers_cost.{part}.{name}") for name in names}
