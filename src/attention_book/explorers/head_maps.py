"""The attention maps of a published model, small enough to travel with a page (chapter 16).

A page has neither the 90 MB of the model nor a kernel. Each weight is stored in one byte, on a scale of squares, which
is finer for small weights: first and last column, [CLS] and [SEP], as they are; the other columns as shares of what
these two leave. So the shares stay exact to two decimals even where [CLS] takes nearly everything.
"""

import base64
import json
from functools import cache
from importlib.resources import files

import torch
from torch import Tensor

LAYERS, HEADS = 6, 12
FINEST = 255  # the largest number of a byte
# More than half a step: a row whose words have less is stored as if they had this much.
LEAST = 1e-4


def encode_maps(weights: Tensor) -> str:
    """Weights (layer, head, query, key) as base64 of one byte each."""
    words = weights[..., 1:-1]
    shares = words / words.sum(dim=-1, keepdim=True)
    stored = torch.cat([weights[..., :1], shares, weights[..., -1:]], dim=-1).sqrt() * FINEST
    return base64.b64encode(bytes(stored.round().to(torch.uint8).flatten().tolist())).decode()


def decode_maps(maps: str, size: int) -> Tensor:
    """(layer, head, query, key) for a sentence of `size` tokens; each row sums to 1.

    Raises:
        ValueError: the text is no base64, or it does not hold the maps of so many tokens.
    """
    stored = torch.tensor(list(base64.b64decode(maps, validate=True)), dtype=torch.float64)
    if stored.numel() != LAYERS * HEADS * size * size:
        raise ValueError(f"maps hold {stored.numel()} weights, {size} tokens need {LAYERS * HEADS * size * size}")
    squares = (stored / FINEST).square().view(LAYERS, HEADS, size, size)
    first, words, last = squares[..., :1], squares[..., 1:-1], squares[..., -1:]
    left = (1 - first - last).clamp(min=LEAST)
    weights = torch.cat([first, words / words.sum(dim=-1, keepdim=True) * left, last], dim=-1)
    return weights / weights.sum(dim=-1, keepdim=True)


@cache
def stored_sentences() -> list[dict]:
    """The sentences whose maps the package brings along: language, text, tokens, maps."""
    return json.loads((files(__package__) / "head_maps.json").read_text(encoding="utf-8"))
