"""A fourth language for a copy of the project: English with each letter moved by thirteen places, and back again."""

import codecs
import json
import re
import tomllib
from pathlib import Path

import nbformat
import yaml

from book_languages import read_languages
from book_pages import FORMULA
from first_cell import first_cell
from translated_texts import MESSAGES, flatten, text_files

CODE, FROM = "xx", "en"
# What a translator leaves as it is: code, formulas, labels, addresses, HTML, escapes and {placeholders}.
KEPT = re.compile(
    "|".join(f"(?:{pattern})" for pattern in (
        r"(?ms:^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)\s*$)",
        r"(?s:(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))",
        f"(?s:{FORMULA.pattern})",
        r"(?m:^\([\w-]+\)=\s*$)",
        r"\]\([^)\s]+\)",
        r"<[^>]+>",
        r"&\w+;",
        r"{\w*(?::[^}]*)?}",
    ))
)  # fmt: skip
NAMES_WITH_THE_LANGUAGE = re.compile(rf"(?<=_){FROM}(?=\.\w+$)", re.M)


def translated(text: str) -> str:
    """`text` in the made-up language; of a text in the made-up language, the English."""
    parts, start = [], 0
    for kept in KEPT.finditer(text):
        parts += [codecs.encode(text[start : kept.start()], "rot13"), kept[0]]
        start = kept.end()
    return "".join([*parts, codecs.encode(text[start:], "rot13")])


def add_language(root: Path) -> None:
    """Add the made-up language to the project in folder `root` as CONTRIBUTING.md says, all but the documents."""
    _add_entry(root / "book" / "languages.yml")
    for folder in (root / "book", root / MESSAGES):
        (folder / CODE).mkdir()
        for source in (folder / FROM).glob("*.*"):
            _translate_file(source, folder / CODE / source.name)


def add_documents(root: Path) -> None:
    """Add what stands beside the book, README and the like."""
    for files in text_files(root).values():
        if (source := root / files[FROM]).parent == root:
            text = re.sub(rf"(?<=\w)_{FROM}(?=\.\w+\))", f"_{CODE}", translated(source.read_text(encoding="utf-8")))
            (root / files[CODE]).write_text(text, encoding="utf-8")


def _add_entry(path: Path) -> None:
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    english = next(entry for entry in entries if entry["code"] == FROM)

    def words(value):
        return {key: words(item) for key, item in value.items()} if isinstance(value, dict) else translated(value)

    names = {"code": CODE, "locale": CODE, "dictionary": CODE, "endings": []}
    added = {key: words(value) for key, value in english.items() if key not in names} | names
    path.write_text(yaml.safe_dump([*entries, added], allow_unicode=True, sort_keys=False), encoding="utf-8")


def _translate_file(source: Path, target: Path) -> None:
    if source.suffix == ".ipynb":
        _translate_notebook(source, target)
    elif source.suffix == ".toml":
        table = flatten(tomllib.loads(source.read_text(encoding="utf-8")))
        lines = [f"{_quoted(key)} = {json.dumps(translated(text), ensure_ascii=False)}" for key, text in table]
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        _, front_matter, text = source.read_text(encoding="utf-8").split("---\n", 2)
        metadata = _translate_description(yaml.safe_load(front_matter))
        text = NAMES_WITH_THE_LANGUAGE.sub(CODE, translated(text))
        target.write_text(f"---\n{yaml.safe_dump(metadata)}---\n{text}", encoding="utf-8")


def _quoted(key: str) -> str:
    """A dotted key whose parts may have blanks."""
    return ".".join(json.dumps(part) for part in key.split("."))


def _translate_notebook(source: Path, target: Path) -> None:
    language = next(language for language in read_languages(source.parents[2]) if language.code == CODE)
    notebook = nbformat.reads(source.read_text(encoding="utf-8"), as_version=4)
    _translate_description(notebook.metadata)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = translated(cell.source)
        elif "language" in cell.metadata.get("tags", []):
            cell.source = first_cell(language)
        elif "mystnb" in cell.metadata:
            image = cell.metadata.mystnb.image
            image.alt = translated(image.alt)
    target.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


def _translate_description(metadata: dict) -> dict:
    html_meta = metadata["myst"]["html_meta"]
    html_meta["description"] = translated(html_meta["description"])
    return metadata
