"""A copy of the book to spoil."""

import shutil
from pathlib import Path

import nbformat
import pytest

from book_pages import ROOT
from translated_texts import MESSAGES
from translations import confirm


@pytest.fixture(scope="session")
def light_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The texts of the project, confirmed as they stand, with outputs that have kinds and no content."""
    root = tmp_path_factory.mktemp("light")
    for path in [ROOT / "_toc.yml", ROOT / "pyproject.toml", *ROOT.glob("*.md")]:
        shutil.copy(path, root)
    shutil.copytree(ROOT / "book", root / "book", ignore=shutil.ignore_patterns("assets", ".ipynb_checkpoints"))
    shutil.copytree(ROOT / MESSAGES, root / MESSAGES)
    for path in (root / "book").glob("*/*.ipynb"):
        notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
        for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
            output.get("data", {}).update(dict.fromkeys(output.get("data", {}), ""))
        path.write_text(nbformat.v4.writes(notebook) + "\n", encoding="utf-8")
    done, said = confirm(root, "all")
    assert done, said
    return root


@pytest.fixture
def copy(light_book: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(light_book, tmp_path, dirs_exist_ok=True)
