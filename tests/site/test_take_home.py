"""What readers take home: the archive runs by itself, and the start page names each file with its size."""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest
from built_site import SITE_URL, Site

from first_cell import first_cell

pytestmark = pytest.mark.slow


@pytest.fixture
def unpacked(site: Site, language, tmp_path):
    """The archive of the language in a folder of its own."""
    with zipfile.ZipFile(site.folder / language.code / "take_home" / f"attention-{language.code}.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    return folder


def test_the_archive_holds_the_notebooks_the_package_and_a_how_to_of_three_lines(unpacked, language):
    notebooks = {path.name for path in (unpacked / "book" / language.code).iterdir()}
    assert "12_the_module.ipynb" in notebooks
    assert (unpacked / "src" / "attention_book" / "multi_head.py").is_file()
    assert not list(unpacked.rglob("__pycache__"))
    lines = (unpacked / f"{language.take_home['file']}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert f"book/{language.code}" in lines[2]


def test_a_notebook_of_the_archive_runs_beside_its_package(unpacked, language):
    """With the libraries there and the package not installed: an isolated path has no editable project."""
    path = unpacked / "book" / language.code / "03_embeddings.ipynb"
    found = run_first_cell(path.parent, language, "print(attention_book.__file__)")
    assert Path(found.strip()).resolve() == unpacked / "src" / "attention_book" / "__init__.py"


def test_a_notebook_alone_says_in_its_language_which_command_installs_the_package(tmp_path, language):
    said = run_first_cell(tmp_path, language, "")
    assert f"ModuleNotFoundError: {language.install} %pip install ../.." in said


def run_first_cell(folder, language, then: str) -> str:
    """What the first cell prints in `folder`, in a Python that has the libraries and not the package."""
    source = first_cell(language)
    hide = "import sys; sys.meta_path = [f for f in sys.meta_path if 'editable' not in repr(f).lower()]\n"
    hide += "sys.path = [p for p in sys.path if not p.endswith('src')]\n"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    code = f"{hide}{source}\nimport attention_book\n{then}"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr.strip().splitlines()[-1] if run.returncode else run.stdout


def test_the_start_page_names_each_file_with_its_size(site: Site, language):
    page = site.document(language, "index")
    items = page.select("ul.take-home li")
    assert items
    for item in items:
        file = site.folder / language.code / item.a["href"]
        assert f"{file.stat().st_size / 1e6:.1f} MB" in item.get_text()


def test_a_notebook_from_the_published_site_installs_the_package_from_there(published_site: Site, language):
    path = published_site.folder / language.code / "_sources" / "03_embeddings.ipynb"
    (cell,) = [c for c in nbformat.read(path, as_version=4).cells if "language" in c.metadata.get("tags", [])]
    wheel = re.search(rf'package = "{SITE_URL}/([^"]+)"', cell.source)[1]
    assert (published_site.folder / wheel).is_file()


@pytest.mark.long
def test_the_how_to_works_in_a_clean_environment(unpacked, language):
    """Its second line, in an environment of its own; then a chapter runs from its first cell to its last."""
    environment = unpacked / "environment"
    venv.create(environment, with_pip=True)
    lines = (unpacked / f"{language.take_home['file']}.txt").read_text(encoding="utf-8").splitlines()
    install = lines[1].partition("python ")[2].split()
    python = environment / "bin" / "python"
    subprocess.run([python, *install], cwd=unpacked, check=True)
    shutil.rmtree(unpacked / "src")
    path = unpacked / "book" / language.code / "06_attention_weights.ipynb"
    run = [python, "-m", "jupyter", "execute", str(path)]
    subprocess.run(run, cwd=path.parent, env=os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}"}, check=True)
