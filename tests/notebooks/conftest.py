"""A copy of the book to spoil."""

import shutil
from pathlib import Path

import pytest

from book_pages import ROOT
from translated_texts import MESSAGES
from translations import confirm


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The texts of the project, confirmed as they stand, without what no check of texts reads."""
    for path in [ROOT / "_toc.yml", *ROOT.glob("*.md")]:
        shutil.copy(path, tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("assets", ".ipynb_checkpoints"))
    shutil.copytree(ROOT / MESSAGES, tmp_path / MESSAGES)
    done, said = confirm(tmp_path, "all")
    assert done, said
    return tmp_path
