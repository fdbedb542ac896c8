"""The pages of the book as the checks see them: blocks of prose and code, the same in every language."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat
import yaml

from book_languages import read_languages
from derived_configuration import pages_of, read_yaml

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.M | re.S)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
FORMULA = re.compile(r"\$\$.+?\$\$|\$(?!\s)(?:\\.|[^$\\\n])+?\$", re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
IMAGE = re.compile(r"^```{(?:image|figure)}\s*(\S+)", re.M)
INCLUDED_FILE = re.compile(r"^:file:\s*(\S+)", re.M)
LABEL = re.compile(r"^\(([\w-]+)\)=\s*$", re.M)
CITATION = re.compile(r"{cite(?::\w+)?}`([^`]+)`")
COLOR_CLASS = re.compile(r'<span class="([\w-]+)">')
HEADING = re.compile(r"^(#{1,6}) +(.+)$", re.M)
NUMBER = re.compile(r"(?<![\w.])[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w]|\.\d)")


@dataclass(frozen=True)
class Block:
    """A cell of a notebook, or what stands under one label of a Markdown page."""

    id: str
    kind: str
    text: str
    metadata: dict = field(default_factory=dict)
    outputs: list = field(default_factory=list)
    execution_count: int | None = None

    @property
    def tags(self) -> list[str]:
        return self.metadata.get("tags", [])

    @property
    def alt(self) -> str | None:
        """The alternative text of the cell's figure."""
        return self.metadata.get("mystnb", {}).get("image", {}).get("alt")


@dataclass(frozen=True)
class Page:
    """One page in one language."""

    language: str
    name: str
    description: str
    blocks: list[Block]

    def where(self, block: Block | None = None) -> str:
        """What a finding names: the file, and the cell or label in it."""
        return f"{self.language}/{self.name}" + (f", cell {block.id}" if block else "")

    @property
    def prose(self) -> list[Block]:
        return [block for block in self.blocks if block.kind == "markdown"]

    @property
    def code(self) -> list[Block]:
        return [block for block in self.blocks if block.kind == "code"]


def languages(root: Path = ROOT) -> list[str]:
    """The codes of the book's languages; the first is the one that the others are compared with."""
    return [language.code for language in read_languages(root)]


def page_names(root: Path = ROOT) -> list[str]:
    """File names of the pages in the table of contents, `index.md` first.

    Raises:
        FileNotFoundError: a page of the contents is in no language.
    """
    codes, names = languages(root), []
    for entry in pages_of(read_yaml(root / "_toc.yml")):
        stem = Path(entry).name
        found = [p.name for code in codes for p in (root / "book" / code).glob(f"{stem}.*") if is_page(p)]
        if not found:
            raise FileNotFoundError(f"_toc.yml names {stem}, and no language has that page")
        names.append(found[0])
    return names


def is_page(path: Path) -> bool:
    return path.suffix in (".md", ".ipynb")


def read_page(language: str, name: str, root: Path = ROOT) -> Page:
    """Read `book/<language>/<name>`, a notebook or a Markdown file."""
    return _page(language, name, (root / "book" / language / name).read_text(encoding="utf-8"))


# A check that reads many copies of the book meets most pages again unchanged.
@cache
def _page(language: str, name: str, content: str) -> Page:
    if name.endswith(".md"):
        _, front_matter, text = content.split("---\n", 2)
        parts = LABEL.split(text)
        blocks = [Block("top", "markdown", parts[0])]
        blocks += [Block(label, "markdown", text) for label, text in zip(parts[1::2], parts[2::2], strict=True)]
        metadata = yaml.safe_load(front_matter)
    else:
        notebook = nbformat.reads(content, as_version=4)
        blocks = [
            Block(c.id, c.cell_type, c.source, c.metadata, c.get("outputs", []), c.get("execution_count"))
            for c in notebook.cells
        ]
        metadata = notebook.metadata
    return Page(language, name, metadata["myst"]["html_meta"]["description"], blocks)


def without_code(text: str) -> str:
    """The prose alone: fenced blocks and inline code taken out, the words of directives' captions kept."""
    return INLINE_CODE.sub(" ", FENCE.sub(" ", text))


def words_only(text: str) -> str:
    """The prose without code, formulas, HTML tags and addresses of links."""
    return LINK.sub("]", re.sub(r"<[^>]+>", " ", FORMULA.sub(" ", without_code(text))))
