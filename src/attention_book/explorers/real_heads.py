"""All heads of a published model over some sentences, one of them opened (chapter 16)."""

from typing import Any

import traitlets
from torch import Tensor

from ..language import message
from .explorer import Explorer, InvalidState, check_place
from .head_maps import HEADS, LAYERS, decode_maps, stored_sentences


class RealHeadsExplorer(Explorer):
    """72 small maps, six layers by twelve heads, and a large one whose weights explain themselves.

    Traits:
        sentences: dictionaries with `language`, `text`, `tokens` and `maps` (see `encode_maps`); without them those
            that the package brings along.
        sentence, layer, head: which ones are shown, from 0.
        special: False hides the first and the last token, [CLS] and [SEP], and divides what is left by its sum.
        tokens: those that are shown. weights: shape (query, key), of the head that is opened.
    """

    module = "real_heads"
    state = ("sentences", "sentence", "layer", "head", "special")
    kinds = ("model_weight", "weight_of_words")

    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)
    sentence = traitlets.Int(0).tag(sync=True)
    layer = traitlets.Int(5).tag(sync=True)
    head = traitlets.Int(10).tag(sync=True)
    special = traitlets.Bool(True).tag(sync=True)
    tokens = traitlets.List(read_only=True)
    weights = traitlets.List(read_only=True)

    def __init__(self, sentences: list[dict] | None = None, **state: Any):
        super().__init__(sentences=stored_sentences() if sentences is None else sentences, **state)

    @traitlets.validate("sentences")
    def _check_sentences(self, proposal: dict) -> list[dict]:
        if not proposal["value"]:
            raise InvalidState("sentences must hold at least one sentence, got an empty list")
        for sentence in proposal["value"]:
            missing = sorted({"language", "text", "tokens", "maps"} - set(sentence))
            if missing:
                raise InvalidState(f"a sentence needs {', '.join(missing)}; write language, text, tokens and maps")
            if len(sentence["tokens"]) < 3:
                raise InvalidState(f"a sentence has a token between [CLS] and [SEP], got {sentence['tokens']}")
            try:
                decode_maps(sentence["maps"], len(sentence["tokens"]))
            except ValueError as error:
                raise InvalidState(f"{sentence['text']!r}: {error}; write maps=encode_maps(weights)") from error
        return proposal["value"]

    @traitlets.validate("sentence")
    def _check_sentence(self, proposal: dict) -> int:
        return check_place(proposal, len(self.sentences), "sentences")

    @traitlets.validate("layer")
    def _check_layer(self, proposal: dict) -> int:
        return check_place(proposal, LAYERS, "layers")

    @traitlets.validate("head")
    def _check_head(self, proposal: dict) -> int:
        return check_place(proposal, HEADS, "heads")

    def maps(self) -> Tensor:
        """What the 72 pictures show, (layer, head, query, key)."""
        sentence = self.sentences[self.sentence]
        weights = decode_maps(sentence["maps"], len(sentence["tokens"]))
        if self.special:
            return weights
        words = weights[..., 1:-1, 1:-1]
        return words / words.sum(dim=-1, keepdim=True)

    def update(self) -> None:
        tokens = self.sentences[self.sentence]["tokens"]
        self.set_trait("tokens", tokens if self.special else tokens[1:-1])
        self.set_trait("weights", self.maps()[self.layer, self.head].tolist())

    def tables(self):
        opened = message("explorers_real_heads.opened", layer=self.layer, head=self.head)
        rows = ((token, *row) for token, row in zip(self.tokens, self.weights, strict=True))
        caption = f"{self.sentences[self.sentence]['text']} · {opened}"
        yield caption, [message("explorers_real_heads.query"), *self.tokens], rows
