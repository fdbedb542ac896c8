"""The languages of the book, as book/languages.yml lists them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from babel import Locale, UnknownLocaleError


@dataclass(frozen=True)
class Language:
    """One language of the book; book/languages.yml explains the fields."""

    code: str
    locale: str
    dictionary: str
    name: str
    title: str
    choose: dict[str, str]
    lost: dict[str, str]
    install: str
    take_home: dict[str, str]
    furniture: dict[str, str]
    endings: list[list[str]]

    @property
    def tag(self) -> str:
        """The language as HTML names it: `pt-BR` for the locale `pt_BR`."""
        return self.locale.replace("_", "-")

    @property
    def english_name(self) -> str:
        """How the columns of the glossary name it: `portuguese` for `pt_BR`; nothing for a language nobody knows."""
        try:
            return Locale(self.locale.split("_")[0]).get_language_name("en").lower()
        except UnknownLocaleError:
            return ""


def read_languages(root: Path) -> list[Language]:
    """Read the languages of the project in folder `root`, in the order of the file."""
    return list(_languages((root / "book" / "languages.yml").read_text(encoding="utf-8")))


@cache
def _languages(content: str) -> tuple[Language, ...]:
    return tuple(Language(**entry) for entry in yaml.safe_load(content))
