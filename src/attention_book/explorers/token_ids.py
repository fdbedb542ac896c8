"""From a sentence that the reader types to token ids (chapter 02)."""

import unicodedata
from typing import Any

import traitlets

from ..language import message
from ..running_example import OTHER_SENTENCE, SENTENCE
from ..text import TOKEN, Vocabulary
from .explorer import Explorer, InvalidState, Tokens


class TokenIdsExplorer(Explorer):
    """Tokens, ids and unknown words of any text.

    Traits:
        text: the sentence. vocabulary: the words by id; a `Vocabulary` is taken too. Without it, the words of the two
        sentences of the book and two with accents.
        normalize: bring the text to Unicode's NFC form first, as `tokenize` does.
        tokens, token_ids: the results.
    """

    module = "token_ids"
    state = ("text", "vocabulary", "normalize")
    kinds = ("known_id", "unknown_id", "code_points")

    text = traitlets.Unicode(SENTENCE).tag(sync=True)
    vocabulary = Tokens().tag(sync=True)
    normalize = traitlets.Bool(True).tag(sync=True)
    tokens = traitlets.List(read_only=True)
    token_ids = traitlets.List(read_only=True)

    def __init__(self, text: str = SENTENCE, vocabulary: Any = None, **state: Any):
        if vocabulary is None:
            vocabulary = Vocabulary.from_texts([SENTENCE, OTHER_SENTENCE, "atenção atención"])
        if isinstance(vocabulary, Vocabulary):
            vocabulary = vocabulary.tokens
        super().__init__(text=text, vocabulary=vocabulary, **state)

    @traitlets.validate("text")
    def _check_text(self, proposal: dict) -> str:
        if not TOKEN.findall(proposal["value"]):
            raise InvalidState(f"text must hold at least one token, got {proposal['value']!r}; write a word")
        return proposal["value"]

    @traitlets.validate("vocabulary")
    def _check_vocabulary(self, proposal: dict) -> list[str]:
        if "<unk>" not in proposal["value"]:
            raise InvalidState("vocabulary must hold <unk>, the token of unknown words; write Vocabulary(tokens)")
        return proposal["value"]

    def update(self) -> None:
        text = unicodedata.normalize("NFC", self.text) if self.normalize else self.text
        tokens = TOKEN.findall(text)
        ids = {token: token_id for token_id, token in enumerate(self.vocabulary)}
        self.set_trait("tokens", tokens)
        self.set_trait("token_ids", [ids.get(token, ids["<unk>"]) for token in tokens])

    def tables(self):
        header = [message(f"explorers_token_ids.{name}") for name in ("token", "token_ids", "code_points")]
        rows = ([t, i, len(t)] for t, i in zip(self.tokens, self.token_ids, strict=True))
        yield message("explorers_token_ids.table"), header, rows
