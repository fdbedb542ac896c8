"""A real JupyterLab: the explorer is alive, its traits follow, and without a kernel the table is shown."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from attention_book.explorers import SoftmaxExplorer

pytestmark = pytest.mark.slow

CELLS = {
    "make": "from attention_book.explorers import SoftmaxExplorer\nexplorer = SoftmaxExplorer([0.0, 1.0])\nexplorer",
    "read": 'print("weights", [round(weight, 4) for weight in explorer.weights], explorer.scores)',
}
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}
WIDGET = "application/vnd.jupyter.widget-view+json"


NO_SUCH_KERNEL = {"name": "not-installed", "display_name": "Not installed", "language": "python"}
STORED = ("trusted", "untrusted")


def notebook(stored: bool, kernel: dict = PYTHON) -> nbformat.NotebookNode:
    """The two cells; with their outputs as `make notebooks` stores them, the widget view left out."""
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    if stored:
        data, _ = SoftmaxExplorer([0.0, 1.0])._repr_mimebundle_()
        data.pop(WIDGET)
        cells[0].outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
        cells[0].execution_count = 1
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[str]:
    """The address of a server: a live notebook, and stored ones, trusted or not, with a kernel or without."""
    folder, settings = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("settings")
    environment = os.environ | {name: str(settings) for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "HOME")}
    jupyter = [sys.executable, "-m", "jupyter"]
    nbformat.write(notebook(stored=False), folder / "alive.ipynb")
    for name in STORED:
        nbformat.write(notebook(stored=True), folder / f"{name}.ipynb")
        nbformat.write(notebook(stored=True, kernel=NO_SUCH_KERNEL), folder / f"{name}-no-kernel.ipynb")
    trusted = [str(path) for path in folder.glob("trusted*.ipynb")]
    assert len(trusted) == 2
    subprocess.run([*jupyter, "trust", *trusted], env=environment, check=True, capture_output=True)
    log = folder / "server.log"
    flags = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token="]
    with log.open("w") as output:
        server = subprocess.Popen(
            [*jupyter, "lab", *flags, f"--ServerApp.root_dir={folder}"],
            env=environment, cwd=folder, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        yield address_of(server, log)
    finally:
        # The server is stopped gently so that it ends its kernels; what is left of its group is ended after it.
        server.terminate()
        try:
            server.wait(timeout=60)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def address_of(server: subprocess.Popen, log: Path) -> str:
    for _ in range(300):
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if found:
            try:
                urllib.request.urlopen(f"{found[0]}/api").close()
                return found[0]
            except OSError:
                pass
        if server.poll() is not None:
            break
        time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture
def tab(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def open_notebook(lab, tab, name: str) -> None:
    """Alone: JupyterLab would open what was open before too."""
    tab.goto(f"{lab}/lab/tree/{name}.ipynb?reset")


def open_alive(lab, tab) -> None:
    open_notebook(lab, tab, "alive")
    tab.locator(".jp-Notebook .jp-CodeCell").nth(1).wait_for()
    tab.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()


def run_cell(tab, place: int) -> None:
    """Run a cell; JupyterLab drops the keys while it connects to a kernel: they are sent again."""
    prompt = tab.locator(".jp-Notebook .jp-CodeCell .jp-InputPrompt").nth(place)
    before = prompt.inner_text()
    for _ in range(20):
        tab.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(place).click()
        tab.keyboard.press("Control+Enter")
        for _ in range(20):
            if prompt.inner_text() not in (before, "[*]:"):
                return
            tab.wait_for_timeout(200)
            if prompt.inner_text() == "[*]:":
                tab.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    pytest.fail(f"JupyterLab did not run cell {place}")


def run_until_printed(tab, place: int, text: str) -> None:
    """Run a cell again until Python has what the reader did: while the kernel is busy, a widget's changes wait."""
    printed = tab.locator(".jp-CodeCell").nth(place).locator(".jp-OutputArea-output")
    for _ in range(20):
        run_cell(tab, place)
        printed.wait_for()
        if text in printed.inner_text():
            return
    pytest.fail(f"cell {place} printed {printed.inner_text()!r} instead of {text!r}")


def test_explorer_is_alive_moves_and_changes_its_traits(lab, tab):
    open_alive(lab, tab)
    run_cell(tab, 0)
    explorer = tab.locator(".jp-OutputArea-output .explorer")
    explorer.wait_for()
    run_until_printed(tab, 1, "[0.0, 1.0]")
    slider = explorer.get_by_role("slider", name="Score of 0")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    assert slider.input_value() == "0.03"
    run_until_printed(tab, 1, "weights [0.2749, 0.7251] [0.03, 1.0]")
    # Arrow keys go to the numbers, not to JupyterLab.
    explorer.locator('td[data-ref="weights/0/0"]').click()
    tab.keyboard.press("ArrowDown")
    assert explorer.locator(".explanation").get_attribute("data-ref") == "weights/1/0"


def test_trait_set_in_python_moves_the_slider(lab, tab):
    open_alive(lab, tab)
    run_cell(tab, 0)
    tab.locator(".explorer").wait_for()
    tab.locator(".jp-CodeCell .cm-content").nth(1).fill("explorer.scores = [2.5, -1.0]")
    run_cell(tab, 1)
    tab.locator('.explorer td[data-ref="inputs/0/0"]', has_text="2.50").wait_for()
    assert tab.locator(".explorer").get_by_role("slider", name="Score of 1").input_value() == "-1"


def test_another_sentence_in_python_gives_an_open_explorer_as_many_sliders(lab, tab):
    open_alive(lab, tab)
    run_cell(tab, 0)
    tab.locator(".explorer td input").nth(1).wait_for()
    change = "with explorer.hold_trait_notifications():\n    explorer.tokens, explorer.scores = list('abc'), [0, 1, 2]"
    tab.locator(".jp-CodeCell .cm-content").nth(1).fill(change)
    run_cell(tab, 1)
    tab.locator(".explorer td input").nth(2).wait_for()
    assert tab.locator(".explorer").get_by_role("slider", name="Score of c").input_value() == "2"
    assert not tab.locator(".explorer").get_by_role("alert").is_visible()


def check_table(tab) -> None:
    table = tab.locator(".jp-OutputArea-output table")
    table.wait_for()
    assert table.locator("caption").inner_text() == "Scores and attention weights, one row per key"
    assert table.locator("td").all_inner_texts() == ["0.00", "0.27", "1.00", "0.73"]
    assert tab.locator(".explorer").count() == 0


@pytest.mark.parametrize("name", STORED)
def test_without_running_the_stored_table_is_shown(name, lab, tab):
    open_notebook(lab, tab, name)
    check_table(tab)


@pytest.mark.parametrize("name", STORED)
def test_where_no_kernel_can_be_started_the_stored_table_is_shown(name, lab, tab):
    """JupyterLab asks for another kernel; the reader has none, and reads on."""
    name = f"{name}-no-kernel"
    open_notebook(lab, tab, name)
    dialog = tab.locator(".jp-Dialog")
    dialog.locator("select").select_option(label="No Kernel")
    dialog.locator(".jp-mod-accept").click()
    dialog.wait_for(state="detached")
    tab.locator(".jp-Toolbar-kernelName", has_text="No Kernel").wait_for()
    check_table(tab)
    assert f"{name}.ipynb" not in [
        session["path"] for session in json.loads(urllib.request.urlopen(f"{lab}/api/sessions").read())
    ]
