"""Two vectors in the plane: their lengths, their angle and their dot product (chapter 05)."""

from typing import Any

import torch
import traitlets

from ..language import message
from .explorer import Explorer, InvalidState, Numbers


class DotProductExplorer(Explorer):
    """A query and a key as arrows that can be dragged.

    Traits:
        query, key: shape (2,).
        product: query · key. angle: between them, in degrees from 0 to 180; None if one of them is the zero vector,
        which has no direction.
    """

    module = "dot_product"
    state = ("query", "key")
    kinds = (
        "query_place",
        "key_place",
        "place_product",
        "length",
        "direction",
        "angle",
        "cosine",
        "shadow",
        "sum_of_products",
        "product_by_angle",
        "no_direction",
    )

    query = Numbers("place").tag(sync=True)
    key = Numbers("place").tag(sync=True)
    product = traitlets.Float(read_only=True)
    angle = traitlets.Float(None, allow_none=True, read_only=True)

    def __init__(self, query: Any = (2.0, 1.0), key: Any = (1.0, 2.0), **state: Any):
        super().__init__(query=query, key=key, **state)

    @traitlets.validate("query", "key")
    def _check_size(self, proposal: dict) -> list[float]:
        if len(proposal["value"]) != 2:
            raise InvalidState(
                f"{proposal['trait'].name} must have 2 numbers, got {len(proposal['value'])}; the plane has two axes"
            )
        return proposal["value"]

    def update(self) -> None:
        query, key = (torch.tensor(vector, dtype=torch.float64) for vector in (self.query, self.key))
        product = query @ key
        cross = query[0] * key[1] - query[1] * key[0]
        self.set_trait("product", product.item())
        # atan2 keeps the digits that arccos loses for vectors that are nearly parallel.
        angle = torch.rad2deg(torch.atan2(cross.abs(), product)).item()
        self.set_trait("angle", angle if query.any() and key.any() else None)

    def tables(self):
        words = {name: message(f"explorers_dot_product.{name}") for name in ("vector", "length", "table", "results")}
        vectors = {"q": self.query, "k": self.key}
        lengths = {name: torch.tensor(vector, dtype=torch.float64).norm().item() for name, vector in vectors.items()}
        rows = [(name, *vector, lengths[name]) for name, vector in vectors.items()]
        yield words["table"], [words["vector"], "1", "2", words["length"]], rows
        header = [message(f"explorers_dot_product.{name}") for name in ("result", "number")]
        angle = "—" if self.angle is None else self.angle
        yield words["results"], header, [("q · k", self.product), ("θ (°)", angle)]
