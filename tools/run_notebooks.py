"""Run notebooks from a clean kernel and store their outputs: `python tools/run_notebooks.py [path …]`.

Without paths, all notebooks of all languages. Nothing is written for a notebook that stops with an error.
"""

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tqdm import tqdm

BOOK = Path(__file__).resolve().parent.parent / "book"
# A stored widget view would show as "model not found" without its kernel; the state would load scripts from afar.
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def run(path: Path) -> None:
    """Execute the notebook at `path` in its own folder and write it back with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_finished_progress_bar(output)]
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
    # The version of Python that ran it is no part of the lesson and would change the file on every machine.
    notebook.metadata.pop("language_info", None)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def is_finished_progress_bar(output: nbformat.NotebookNode) -> bool:
    """Whether nothing is left to see: a bar that cleared itself writes blanks over its last state."""
    text = output.get("text", "") if output.get("name") == "stderr" else ""
    return "\r" in text and not text.rpartition("\r")[2].strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks to run; all when none is given")
    paths = parser.parse_args().paths or sorted(BOOK.glob("*/*.ipynb"))
    failed = []
    for path in tqdm(paths, desc="Running notebooks", unit="notebook", file=sys.stdout):
        try:
            run(path)
        except CellExecutionError as error:
            failed.append(path)
            tqdm.write(f"\n{path} stopped:\n{error}")
    if failed:
        names = ", ".join(str(path) for path in failed)
        print(f"{len(failed)} of {len(paths)} notebooks failed and were left as they were: {names}")
        return 1
    print(f"{len(paths)} notebooks run, outputs stored. Next: look at `git diff`, then `make test`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
