"""Every text that the book has once per language, under one name: cells, blocks, messages, sections of the READMEs."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from book_languages import read_languages
from book_pages import FENCE, HEADING, Page, languages, page_names, read_page

MESSAGES = Path("src/attention_book/messages")
# README.md is the one that every visitor meets first; the other languages add their code: README.pt.md.
LANGUAGE_OF_PLAIN_NAMES = "en"
# What of languages.yml is no text: it names the language or its folder, or is there for the search.
NAMES_OF_A_LANGUAGE = {"code", "locale", "dictionary", "name", "endings"}
DESCRIPTION = "@description"


@dataclass(frozen=True)
class TranslatedText:
    """One text in the languages that have it.

    `source` is the file without language and ending (`05_attention_scores`, `messages/plots`, `README`), `key` the
    place in it (the id of a cell, the key of a message), `kind` says what it is.
    """

    source: str
    key: str
    kind: str
    by_language: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.source}#{self.key}"


def read_texts(root: Path) -> dict[str, TranslatedText]:
    """The texts of the project in folder `root` by name, in the order of the book."""
    codes = languages(root)
    texts = {}
    for source, files in text_files(root).items():
        for code in codes:
            if not (root / files[code]).exists():
                continue
            for key, kind, text in _read(source, code, root / files[code], root):
                name = f"{source}#{key}"
                texts.setdefault(name, TranslatedText(source, key, kind, {})).by_language[code] = text.strip()
    return texts


def text_files(root: Path) -> dict[str, dict[str, Path]]:
    """For each source its file in each language, relative to `root`, there or not."""
    codes = languages(root)
    files = {}
    for page in page_names(root):
        files[Path(page).stem] = {code: Path("book") / code / page for code in codes}
    message_files = {path.name for code in codes for path in (root / MESSAGES / code).glob("*.toml")}
    for name in sorted(message_files):
        files[f"messages/{Path(name).stem}"] = {code: MESSAGES / code / name for code in codes}
    files["languages"] = dict.fromkeys(codes, Path("book/languages.yml"))
    documents = {path.name.split(".")[0] for code in codes for path in root.glob(f"*.{code}.md")}
    for name in sorted(documents):
        files[name] = {
            code: Path(f"{name}.md" if code == LANGUAGE_OF_PLAIN_NAMES else f"{name}.{code}.md") for code in codes
        }
    return files


def _read(source: str, code: str, path: Path, root: Path) -> Iterator[tuple[str, str, str]]:
    """Key, kind and text of everything in one file."""
    if path.suffix == ".toml":
        for key, text in _messages(path.read_text(encoding="utf-8")):
            yield key, "message", text
    elif path.suffix == ".yml":
        entry = asdict(next(language for language in read_languages(root) if language.code == code))
        for key, text in flatten({key: value for key, value in entry.items() if key not in NAMES_OF_A_LANGUAGE}):
            yield key, "site", text
    elif path.parent == root:
        yield from _sections(path.read_text(encoding="utf-8"))
    else:
        yield from _page_texts(read_page(code, path.name, root))


# What is read again and again, in copies too, has mostly not changed.
@cache
def _messages(content: str) -> tuple[tuple[str, str], ...]:
    return tuple(flatten(tomllib.loads(content)))


def _page_texts(page: Page) -> Iterator[tuple[str, str, str]]:
    yield DESCRIPTION, "description", page.description
    for block in page.blocks:
        if block.kind == "markdown":
            yield block.id, "prose", block.text
        elif block.alt:
            yield block.id, "alternative text", block.alt


def _sections(text: str) -> Iterator[tuple[str, str, str]]:
    """The parts of a document between its headings. They match by number: its headings have no name but the text."""
    blanked = FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence[0]), text)
    starts = sorted({0, *(heading.start() for heading in HEADING.finditer(blanked))})
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        yield f"section-{number}", "section", text[start:end]


def flatten(table: dict, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The texts of nested tables with their keys joined by points."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
