"""The first code cell of every notebook: it finds the book's package, or says how to install it.

    python tools/first_cell.py

writes it into all notebooks, with what pip is to install. That is the project's address if `[project.urls]` of
pyproject.toml has a `Repository`; without one it is the folder of the book, two levels above the notebook.
"""

import tomllib
from pathlib import Path

import nbformat

from book_languages import Language, read_languages

ROOT = Path(__file__).resolve().parents[1]
FOLDER_OF_THE_BOOK = "../.."
CELL = """import subprocess
import sys

sys.path.append("../../src")
try:
    from attention_book import use_language
except ModuleNotFoundError:
    package = "{package}"
    if "google.colab" not in sys.modules:
        raise ModuleNotFoundError(
            f"{sentence} %pip install {{package}}"
        ) from None
    subprocess.check_call([sys.executable, "-m", "pip", "install", "--quiet", package])
    from attention_book import use_language

use_language("{code}")"""


def first_cell(language: Language, package: str = FOLDER_OF_THE_BOOK) -> str:
    """The source of the cell tagged `language`; `package` is what pip installs where the package is missing."""
    return CELL.format(package=package, sentence=language.install, code=language.code)


def repository(root: Path) -> str:
    """The project's address that its notebooks know, or nothing."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "")


def stored_package(root: Path) -> str:
    """What the stored notebooks tell pip to install."""
    address = repository(root)
    return f"git+{address}" if address else FOLDER_OF_THE_BOOK


def write_first_cell(path: Path, language: Language, package: str) -> None:
    """Give the notebook at `path` this first cell."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if "language" in cell.metadata.get("tags", []):
            cell.source = first_cell(language, package)
            cell.metadata.tags = ["language", "hide-input"]
    nbformat.write(notebook, path)


def main() -> None:
    package = stored_package(ROOT)
    for language in read_languages(ROOT):
        for path in sorted((ROOT / "book" / language.code).glob("*.ipynb")):
            write_first_cell(path, language, package)


if __name__ == "__main__":
    main()
