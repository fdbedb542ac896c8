"""Only pages that hold an explorer get its script and style sheet, and there it comes to life from a file."""

from pathlib import Path

import pytest
from sphinx.application import Sphinx

from attention_book.explorers import SoftmaxExplorer
from book_pages import ROOT

pytestmark = pytest.mark.slow

CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
extensions = ["book_extension.explorers"]
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    (folder / "conf.py").write_text(CONF)
    (folder / "explorer.html").write_text(SoftmaxExplorer([0.0, 1.0]).to_html())
    (folder / "index.rst").write_text(
        "With\n====\n\n.. raw:: html\n   :file: explorer.html\n\n.. toctree::\n\n   without\n"
    )
    (folder / "without.rst").write_text("Without\n=======\n\nNo explorer here.\n")
    built = folder / "built"
    Sphinx(folder, folder, built, folder / "doctrees", "html", status=None, warningiserror=True).build()
    return built


def test_only_the_page_with_an_explorer_loads_its_files(pages):
    assert "explorers.js" in (pages / "index.html").read_text()
    assert "explorers.css" in (pages / "index.html").read_text()
    assert "explorers" not in (pages / "without.html").read_text().replace("without", "")


def test_explorer_on_a_built_page_is_alive_when_opened_as_a_file(pages, browser):
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto((pages / "index.html").as_uri())
    page.get_by_role("slider", name="Score of 0").press("ArrowRight")
    assert page.locator('td[data-ref="inputs/0/0"]').inner_text() == "0.01"
    assert faults == []
    page.close()


def test_without_javascript_the_table_remains(pages, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((pages / "index.html").as_uri())
    assert page.locator("table caption").inner_text() == "Scores and attention weights, one row per key"
    assert page.locator("td").all_inner_texts() == ["0.00", "0.27", "1.00", "0.73"]
    context.close()
