"""The glossary page, `{book-glossary}`: book/glossary.csv with one sentence for each term from the messages."""

import csv
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book_languages import Language, read_languages

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "book" / "glossary.csv"
MESSAGES = ROOT / "src" / "attention_book" / "messages"


class GlossaryPage(SphinxDirective):
    """Each term in the page's language, with its sentence, its chapter and its names in the other languages."""

    def run(self) -> list[nodes.Node]:
        languages = read_languages(ROOT)
        own = next(language for language in languages if language.locale == self.config.language)
        meaning = tomllib.loads((MESSAGES / own.code / "glossary.toml").read_text(encoding="utf-8"))
        self.env.note_dependency(str(TABLE))
        lines = []
        for row in sorted(terms(), key=lambda row: alphabetical(form(row, own))):
            chapter, _, anchor = row["chapter"].partition("#")
            link = f"[{own.furniture['chapter']}\N{NO-BREAK SPACE}{int(chapter[:2])}]({chapter}.ipynb#{anchor})"
            elsewhere = " · ".join(
                f'{other.code}: <span lang="{other.tag}">{form(row, other)}</span>'
                for other in languages
                if other.code != own.code
            )
            lines += [form(row, own), f": {meaning[slug(row['english'])]} {link}", "", f"  {elsewhere}", ""]
        container = nodes.container(classes=["glossary"])
        self.state.nested_parse(StringList(lines, source=str(TABLE)), self.content_offset, container)
        return [container]


def terms() -> list[dict[str, str]]:
    """The rows of the table that a chapter introduces; the others only bind those who write."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["chapter"]]


def form(row: dict[str, str], language: Language) -> str:
    """The term in one language; a language without a column of its own keeps the English one."""
    return re.sub(r" / .*", "", row.get(language.english_name) or row["english"])


def slug(english: str) -> str:
    """The key of a term's sentence in the messages: `weight-matrix`."""
    return re.sub(r"[\W_]+", "-", re.sub(r" *\(.*\)", "", english).lower()).strip("-")


def alphabetical(text: str) -> str:
    """Accents and capitals do not count in the order."""
    return unicodedata.normalize("NFD", text.casefold()).encode("ascii", "ignore").decode()


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("book-glossary", GlossaryPage)
    return {"parallel_read_safe": True}
