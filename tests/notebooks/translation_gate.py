"""The gate: every check that the languages of the book must pass together."""

from pathlib import Path

from glossary_differences import uneven_terms
from language_differences import differences
from language_of_text import foreign_texts
from message_differences import message_differences

from book_pages import languages
from translated_texts import TranslatedText, read_texts
from translation_lock import read_lock
from translation_states import not_in_step


def texts_not_in_step(root: Path, texts: dict[str, TranslatedText]) -> list[str]:
    """What changed in a language without the others, since a person last confirmed them together."""
    return [str(finding) for finding in not_in_step(texts, read_lock(root), languages(root))]


CHECKS = (texts_not_in_step, differences, foreign_texts, message_differences, uneven_terms)


def findings(root: Path) -> list[str]:
    """All findings in the project in folder `root`, each with its place; an empty list when the gate is open."""
    texts = read_texts(root)
    return [finding for check in CHECKS for finding in check(root, texts)]
