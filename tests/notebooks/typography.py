"""Slips of punctuation in the prose: one sentence for each, in the language where it stands."""

import re
from collections.abc import Iterator
from pathlib import Path

from spelling import TITLE_OF_A_SOURCE

from book_pages import FENCE, FORMULA, INLINE_CODE, LINK
from translated_texts import read_texts

# In every language numbers keep the decimal point, as PyTorch prints them: chapter 02 says so once.
SLIPS = {
    "a comma between digits": re.compile(r"\d,\d"),
    "a space before a punctuation mark": re.compile(r"[\w)*\"][^\S\n]+[,.;:!?](?=[\s)]|$)", re.M),
    "three dots for an ellipsis": re.compile(r"\.\.\."),
    "a hyphen for a dash": re.compile(r"\w - \w"),
    "a quotation mark of another kind": re.compile(r"[“”„«»]"),
    "a word twice": re.compile(r"\b([^\W\d_]{2,})(?:[^\S\n]+|\n(?!\s))\1\b"),
}
TAG = re.compile(r"</?(?:a|br|details|img|span|sub|summary|sup)\b[^>]*>")
OPENING = {"es": {"?": "¿", "!": "¡"}}


def typography_slips(root: Path) -> list[str]:
    """One sentence for each slip in any text of the project in folder `root`."""
    return [
        f"{language}: {text.name}: {slip}"
        for text in read_texts(root).values()
        for language, content in text.by_language.items()
        for slip in slips(content, language)
    ]


def slips(text: str, language: str) -> Iterator[str]:
    """What is wrong in a text, with the words around it; code and formulas count as one word."""
    text = INLINE_CODE.sub("0", FENCE.sub("", text))
    text = TAG.sub("", FORMULA.sub("0", TITLE_OF_A_SOURCE.sub("0", text)))
    text = LINK.sub("]", text).replace("![", "[")
    for slip, pattern in SLIPS.items():
        for match in pattern.finditer(text):
            yield f"{slip}: {_around(text, match)}"
    for paragraph in text.split("\n\n"):
        if paragraph.count('"') % 2:
            yield f"a quotation mark without its pair: {paragraph[:60]}"
        for closing, opening in OPENING.get(language, {}).items():
            if paragraph.count(opening) < paragraph.count(closing):
                yield f"{closing} without {opening}: {paragraph[:60]}"


def _around(text: str, match: re.Match) -> str:
    return text[max(0, match.start() - 20) : match.end() + 20].replace("\n", " ")
