"""From a sentence to token ids (chapter 02)."""

import unicodedata
from collections.abc import Iterable

import regex
import torch
from torch import Tensor

# A word: letters, digits and their marks; an inner hyphen or apostrophe keeps it together (guarda-chuva, d'água).
# Anything else that can be seen is a token of its own: \X takes an emoji made of several code points as one.
TOKEN = regex.compile(r"[\p{L}\p{N}_]\w*(?:[-'’]\w+)*|(?![\s\p{C}\p{M}])\X")


def tokenize(text: str) -> list[str]:
    """Split `text` into words and single punctuation marks; capital letters and accents are kept.

    The text is first brought to Unicode's NFC form, since *ã* can be written as one code point or as two.

    Returns:
        The tokens in order; an empty list where there is nothing to see.
    Raises:
        TypeError: `text` is not a string.
    Source:
        Unicode Standard Annex 15 (normalisation forms) and 29 (what counts as one character).
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {type(text).__name__}; write str(text)")
    return TOKEN.findall(unicodedata.normalize("NFC", text))


class Vocabulary:
    """The table token ↔ id, in order of first appearance; id 0 is `<pad>` and id 1 is `<unk>`.

    Args:
        tokens: the tokens to number, repeated ones once.
    Raises:
        TypeError: `tokens` is one string instead of a list of tokens.
    """

    pad_id = 0
    unk_id = 1

    def __init__(self, tokens: Iterable[str]):
        if isinstance(tokens, str):
            raise TypeError("tokens must be a list of tokens, got one string; write Vocabulary.from_texts([text])")
        normalized = [unicodedata.normalize("NFC", token) for token in tokens]
        self.tokens = list(dict.fromkeys(["<pad>", "<unk>", *normalized]))
        self._ids = {token: token_id for token_id, token in enumerate(self.tokens)}

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "Vocabulary":
        """Number the tokens of several texts, in order of first appearance."""
        if isinstance(texts, str):
            raise TypeError("texts must be a list of strings, got one string; write Vocabulary.from_texts([text])")
        return cls([token for text in texts for token in tokenize(text)])

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str, length: int | None = None) -> Tensor:
        """Turn a text into token ids, filled up with `<pad>` to `length` where that is given.

        Returns:
            int64 tensor of shape (tokens,) or (length,); an unknown word has the id of `<unk>`.
        Raises:
            ValueError: the text has more than `length` tokens.
        """
        ids = [self._ids.get(token, self.unk_id) for token in tokenize(text)]
        if length is not None:
            if len(ids) > length:
                raise ValueError(f"text has {len(ids)} tokens, length is {length}; use length={len(ids)} or more")
            ids += [self.pad_id] * (length - len(ids))
        return torch.tensor(ids, dtype=torch.long)

    def decode(self, ids: Tensor | Iterable[int]) -> list[str]:
        """Turn the ids of one sentence, shape (tokens,), back into tokens; what was unknown comes back as `<unk>`.

        Raises:
            TypeError: the ids are not whole numbers.
            ValueError: the ids have more than one axis.
            IndexError: an id is outside 0 … len(vocabulary) − 1.
        """
        ids = torch.as_tensor(ids if isinstance(ids, Tensor) else list(ids))
        if ids.dim() != 1:
            raise ValueError(f"ids must have shape (tokens,), got {tuple(ids.shape)}; decode one sentence at a time")
        if ids.numel() == 0:
            return []
        check_token_ids(ids, len(self))
        return [self.tokens[token_id] for token_id in ids.tolist()]


def check_token_ids(token_ids: Tensor, vocabulary_size: int) -> None:
    """Refuse token ids that are not whole numbers or have no row of their own in a table of `vocabulary_size` rows.

    Raises:
        TypeError: the ids are not torch.int64 or torch.int32.
        IndexError: an id is negative or too large; a negative one would silently take a row from the end.
    """
    if not isinstance(token_ids, Tensor):
        raise TypeError(f"token ids must be a tensor, got {type(token_ids).__name__}; write torch.tensor(token_ids)")
    if token_ids.dtype not in (torch.int64, torch.int32):
        hint = "did you write torch.Tensor(…) instead of torch.tensor(…)?" if token_ids.is_floating_point() else ""
        raise TypeError(f"token ids must be torch.long, got {token_ids.dtype}; {hint or 'write token_ids.long()'}")
    outside = token_ids[(token_ids < 0) | (token_ids >= vocabulary_size)]
    if outside.numel():
        raise IndexError(
            f"token id {outside[0].item()} is outside 0..{vocabulary_size - 1} (vocabulary size {vocabulary_size}); "
            "use the id of <unk> for an unknown word, or a table with more rows"
        )
