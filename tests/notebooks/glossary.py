"""The glossary: each term's forms in the languages of the book, and the words that must not stand for it."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from book_languages import read_languages


@dataclass(frozen=True)
class Term:
    """A term by its English name, with its forms and its forbidden words by code of the language."""

    english: str
    forms: dict[str, list[str]]
    never: dict[str, list[str]]


def read_terms(root: Path) -> list[Term]:
    """The terms of `book/glossary.csv`; a language without a column has none."""
    columns = {language.code: language.english_name for language in read_languages(root)}
    with open(root / "book" / "glossary.csv", encoding="utf-8", newline="") as file:
        return [
            Term(
                row["english"],
                {code: _words(row[name]) for code, name in columns.items() if name in row},
                {code: _words(row[f"never_{name}"]) for code, name in columns.items() if f"never_{name}" in row},
            )
            for row in csv.DictReader(file)
        ]


def _words(cell: str) -> list[str]:
    """The alternatives in a cell, without the glosses in parentheses."""
    return [word.strip() for word in re.split(r";| / ", re.sub(r"\([^)]*\)", "", cell)) if word.strip()]
