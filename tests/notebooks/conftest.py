"""A copy of the book to spoil."""

import shutil
from pathlib import Path

import pytest

from book_pages import ROOT
from translated_texts import MESSAGES


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The texts of the project, without what no check of texts reads."""
    for path in [ROOT / "_toc.yml", *ROOT.glob("*.md")]:
        shutil.copy(path, tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("assets", ".ipynb_checkpoints"))
    shutil.copytree(ROOT / MESSAGES, tmp_path / MESSAGES)
    return tmp_path
