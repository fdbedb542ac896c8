"""nbval runs every notebook and compares what it prints and draws; here it is seen to notice a single changed sign."""

import re
import subprocess
import sys

import nbformat
import pytest

from book_pages import ROOT, languages, page_names

NOTEBOOKS = [name for name in page_names() if name.endswith(".ipynb")]


def change_a_digit(text):
    """The last digit that stands in a number with a point, one up."""
    place = [match.end() - 1 for match in re.finditer(r"\d\.\d+", text)][-1]
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


@pytest.mark.slow
def test_one_changed_digit_and_one_changed_sign_in_a_figure_make_the_run_fail_at_their_cells(tmp_path):
    notebook = nbformat.read(ROOT / "book" / languages()[0] / NOTEBOOKS[0], as_version=4)
    changed = {}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code):
        for output in cell.outputs:
            if "text" not in changed and re.search(r"\d\.\d+", output.get("text", "")):
                output["text"] = change_a_digit(output["text"])
                changed["text"] = number
            elif "figure" not in changed and "image/svg+xml" in output.get("data", {}):
                svg = output["data"]["image/svg+xml"]
                end = svg.rindex("</text>")
                output["data"]["image/svg+xml"] = svg[:end] + "x" + svg[end:]
                changed["figure"] = number
    assert set(changed) == {"text", "figure"}
    nbformat.write(notebook, tmp_path / "changed.ipynb")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-rf", "changed.ipynb"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    failed = set(re.findall(r"^FAILED changed\.ipynb::Cell (\d+)", run.stdout, re.M))
    assert failed == {str(number) for number in changed.values()}, run.stdout[-3000:]
