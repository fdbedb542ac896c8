"""Find *atenção* by *atencao*: the search index holds each word with and without its accents.

Readers type without accents, and the stemmers keep them (the Portuguese one all, the Spanish one ñ and ü).
"""

import unicodedata
from importlib import import_module

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.search import SearchLanguage, languages


def setup(app: Sphinx) -> None:
    app.connect("config-inited", index_without_accents)


def index_without_accents(app: Sphinx, config: Config) -> None:
    """Put a search language of the same stemmer in the place of the one that Sphinx takes for the page's language."""
    code = config.language if config.language in languages else config.language.split("_")[0]
    if code in languages:
        app.add_search_language(type("WithoutAccents", (WithoutAccents, search_language(code)), {"lang": code}))


class WithoutAccents(SearchLanguage):
    """Goes before the search language of a natural language and adds to the words that it splits off."""

    def split(self, input: str) -> list[str]:
        words = super().split(input)
        return words + [plain for word in words if (plain := without_accents(word)) != word]


def search_language(code: str) -> type[SearchLanguage]:
    """The class, which Sphinx names by its module until it is used."""
    found = languages[code]
    if not isinstance(found, str):
        return found
    module, name = found.rsplit(".", 1)
    return getattr(import_module(module), name)


def without_accents(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
