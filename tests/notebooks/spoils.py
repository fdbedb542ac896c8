"""Changes to a copy of the book, as a hurried hand would make them."""

from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

CHAPTER = "05_attention_scores"


def change_cells(root: Path, language: str, change: Callable, chapter: str = CHAPTER) -> str:
    """Apply `change` to the list of a notebook's cells; gives what it returns, the id of the cell concerned."""
    path = root / "book" / language / f"{chapter}.ipynb"
    notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
    cell = change(notebook.cells)
    path.write_text(nbformat.v4.writes(notebook) + "\n", encoding="utf-8")
    return cell


def is_prose(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown"


def first(cells: list, condition: Callable) -> NotebookNode:
    return next(cell for cell in cells if condition(cell))


def cell_of(cells: list, cell_id: str) -> NotebookNode:
    return first(cells, lambda cell: cell.id == cell_id)


def replace_in_file(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
