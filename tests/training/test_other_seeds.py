"""The chapters that train keep what their text says with other seeds too: their cells assert it."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from book_pages import ROOT

pytestmark = [pytest.mark.long, pytest.mark.slow]
SEEDS = range(5)


def seed_cell(notebook: NotebookNode) -> NotebookNode | None:
    return next((cell for cell in notebook.cells if cell.id == "seed"), None)


TRAINING = [
    path for path in sorted((ROOT / "book" / "en").glob("[0-9]*.ipynb")) if seed_cell(nbformat.read(path, as_version=4))
]


def run_with_seed(notebook: NotebookNode, seed: int, folder: Path) -> None:
    """Execute all cells in order in a fresh kernel; what a cell asserts stops the run where it does not hold."""
    cell = seed_cell(notebook)
    assert re.fullmatch(r"seed = \d+", cell.source), "the cell sets the seed and nothing else"
    cell.source = f"seed = {seed}"
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=600, store_widget_state=False, resources=resources).execute()


def verdicts(notebook: NotebookNode) -> dict[str, list[str]]:
    """What the checks of the exercises say about the solutions."""
    return {
        cell.id: [o["data"]["text/markdown"] for o in cell.outputs if "text/markdown" in o.get("data", {})]
        for cell in notebook.cells
        if re.fullmatch(r"exercise-.+-solution", cell.id)
    }


def test_there_are_chapters_that_train():
    assert TRAINING


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", TRAINING, ids=lambda path: path.stem)
def test_what_a_chapter_asserts_holds_with_other_seeds(path, seed):
    notebook = nbformat.read(path, as_version=4)
    right = verdicts(notebook)
    run_with_seed(notebook, seed, path.parent)
    assert verdicts(notebook) == right


def test_an_assertion_that_fails_with_one_seed_stops_its_run(tmp_path):
    cells = [new_code_cell("seed = 0", id="seed"), new_code_cell("assert seed != 3", id="threshold")]
    run_with_seed(new_notebook(cells=cells), 2, tmp_path)
    with pytest.raises(CellExecutionError, match="assert seed != 3"):
        run_with_seed(new_notebook(cells=cells), 3, tmp_path)
