"""Code cells that run the same wherever the notebook is opened, and print the same each time."""

import re

import pytest

from book_pages import languages, page_names, read_page

NOTEBOOKS = [read_page(language, name) for name in page_names() for language in languages() if name.endswith(".ipynb")]
in_each_notebook = pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.where())

# What ties a cell to one folder, one machine or one moment.
FOLDERS = re.compile(r"\bsys\.path\b|\bfrom src\b|\bimport src\b|\bopen\(|\.read_(?:text|bytes|csv)\(|\bchdir\(")
CLOCKS = re.compile(r"\bdatetime\b|\bperf_counter\b|\btime\.time\b|%timeit|%time\b|\btqdm\b|\btimeit\b|\bTimer\b")

# Letters in a line of the box that holds a cell on a desktop.
WIDTH = 80


@in_each_notebook
def test_no_cell_relies_on_the_folder_it_runs_in(page):
    # The first cell looks for the package; test_first_cell.py runs it in other folders.
    cells = [block for block in page.code if "language" not in block.tags]
    assert [page.where(block) for block in cells if FOLDERS.search(block.text)] == []


@in_each_notebook
def test_no_line_of_code_is_longer_than_the_box_on_a_page(page):
    cells = [block for block in page.code if "language" not in block.tags]
    long = [line for block in cells for line in block.text.splitlines() if len(line) > WIDTH]
    assert long == [], page.where()


@in_each_notebook
def test_no_cell_ends_with_a_semicolon_which_a_run_without_history_ignores(page):
    assert [page.where(block) for block in page.code if block.text.rstrip().endswith(";")] == []


@in_each_notebook
def test_only_a_cell_that_looks_at_the_clock_or_at_training_may_be_left_out_of_the_comparison(page):
    """What training gave has to hold all the same: such a cell asserts it, or the next code cell does."""
    trains = any(block.id == "seed" or "load_published_model" in block.text for block in page.code)
    for number, block in enumerate(page.code):
        assert "NBVAL" not in block.text, f"{page.where(block)}: readers see a comment; write the tag"
        assert not block.tags or "raises-exception" not in block.tags, page.where(block)
        exempt, timed = "nbval-ignore-output" in block.tags, bool(CLOCKS.search(block.text))
        if trains and exempt:
            asserted = any("assert " in cell.text for cell in page.code[number : number + 2])
            assert asserted, page.where(block)
        elif not trains:
            assert exempt == (timed and bool(block.outputs)), page.where(block)


@in_each_notebook
def test_no_output_holds_the_default_size_of_a_figure_or_an_address_in_memory(page):
    for block in page.code:
        for output in block.outputs:
            shown = output.get("text", "") + output.get("data", {}).get("text/plain", "")
            assert not re.search(r"640x480|\bat 0x[0-9a-f]+|/tmp/", shown), page.where(block)
