"""The build itself: strict, clean, the same every time, and open to one more language."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import yaml
from built_site import LANGUAGES, PAGES, ROOT

import build_site

pytestmark = pytest.mark.slow

BUILDS = int(os.environ.get("BOOK_BUILDS", "2"))
DESCRIPTION = "A page made up for a test, described at the length that a description of a page should have."


def markdown(name: str, source: str) -> dict:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def notebook(*cells: dict, description: str = DESCRIPTION) -> dict:
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    if description:
        metadata["myst"] = {"html_meta": {"description": description}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}


class SmallProject:
    """A project with the real tools and settings, and two made-up pages per language."""

    def __init__(self, folder: Path, languages: list[dict]) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(ROOT / "tools", folder / "tools", ignore=ignored)
        shutil.copytree(ROOT / "book" / "assets", folder / "book" / "assets")
        front_end = Path("src", "attention_book", "explorers")
        shutil.copytree(ROOT / front_end, folder / front_end, ignore=ignored)
        copied = ["_config.yml", "pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT", "book/references.bib"]
        copied += ["requirements.txt", "requirements-book.txt", "src/attention_book/__init__.py"]
        for file in copied:
            shutil.copy(ROOT / file, folder / file)
        toc = {"format": "jb-book", "root": "book/pt/index", "chapters": [{"file": "book/pt/chapter"}]}
        self.write("_toc.yml", yaml.safe_dump(toc))
        self.write("book/languages.yml", yaml.safe_dump(languages, allow_unicode=True))
        for language in languages:
            code = language["code"]
            self.write(
                f"book/{code}/index.md", f'---\nmyst: {{html_meta: {{description: "{DESCRIPTION}"}}}}\n---\n\n# A\n'
            )
            self.write_notebook(markdown("start", "# B"), markdown("part", "## C\n\n$x$"), code=code)

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_notebook(self, *cells: dict, code: str = "pt", **metadata) -> None:
        self.write(f"book/{code}/chapter.ipynb", json.dumps(notebook(*cells, **metadata)))

    def build(self) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "tools/build_site.py"], cwd=self.folder, capture_output=True, text=True, check=False
        )

    @property
    def site(self) -> Path:
        return self.folder / "_build" / "site"


def language_entries() -> list[dict]:
    return yaml.safe_load((ROOT / "book" / "languages.yml").read_text(encoding="utf-8"))


@pytest.fixture
def small_project(tmp_path: Path) -> SmallProject:
    """The small project in Portuguese alone, since each language takes seconds to build."""
    return SmallProject(tmp_path, language_entries()[:1])


def test_sound_project_is_built_without_a_word_of_warning(small_project: SmallProject):
    result = small_project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    assert not result.stderr
    assert f"open {(small_project.site / 'index.html').as_uri()}" in result.stdout


FAULTS = {
    "link to a missing section of another page": [markdown("start", "# B\n\n[x](index.md#nowhere)")],
    "link to a missing section of the same page": [markdown("start", "# B\n\n[x](#nowhere)")],
    "link to a missing page": [markdown("start", "# B\n\n[x](nowhere.ipynb)")],
    "formula that KaTeX does not understand": [markdown("start", "# B\n\n$\\frac{1$")],
    "letter with an accent in mathematics": [markdown("start", "# B\n\n$é$")],
    "two headings in one cell": [markdown("start", "# B"), markdown("part", "## C\n\n## D")],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_in_a_page_stops_the_build_and_names_the_page(small_project: SmallProject, fault):
    small_project.write_notebook(*FAULTS[fault])
    result = small_project.build()
    assert result.returncode != 0
    assert "chapter" in result.stderr
    assert not small_project.site.exists()


def test_page_without_description_stops_the_build(small_project: SmallProject):
    small_project.write_notebook(markdown("start", "# B"), description="")
    result = small_project.build()
    assert result.returncode != 0
    assert "chapter.ipynb: WARNING: no description" in result.stderr


def test_unreadable_notebook_stops_the_build_and_is_named(small_project: SmallProject):
    small_project.write("book/pt/chapter.ipynb", '{"cells": [')
    result = small_project.build()
    assert result.returncode != 0
    assert "chapter" in result.stderr


def test_missing_page_stops_the_build_and_is_named(small_project: SmallProject):
    (small_project.folder / "book/pt/chapter.ipynb").unlink()
    result = small_project.build()
    assert result.returncode != 0
    assert "chapter" in result.stderr


def test_heading_of_the_start_page_without_a_label_stops_the_build(small_project: SmallProject):
    page = small_project.folder / "book/pt/index.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n## No label\n", encoding="utf-8")
    result = small_project.build()
    assert result.returncode != 0
    assert "index.md" in result.stderr


def test_failed_build_leaves_the_last_good_site(small_project: SmallProject):
    assert small_project.build().returncode == 0
    before = (small_project.site / "pt" / "chapter.html").read_bytes()
    small_project.write_notebook(markdown("start", "# B\n\n[x](#nowhere)"))
    assert small_project.build().returncode != 0
    assert (small_project.site / "pt" / "chapter.html").read_bytes() == before


def test_one_more_language_needs_its_folder_and_its_entry_only(tmp_path: Path):
    english = next(entry for entry in language_entries() if entry["code"] == "en")
    french = english | {"code": "fr", "locale": "fr", "name": "Français", "title": "Un livre"}
    project = SmallProject(tmp_path, [language_entries()[0], french])
    result = project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    page = (project.site / "fr" / "chapter.html").read_text(encoding="utf-8")
    assert '<html lang="fr"' in page
    assert 'href="../pt/chapter.html"' in page
    assert "fr/index.html" in (project.site / "index.html").read_text(encoding="utf-8")


def test_page_that_was_not_made_is_an_error_even_without_a_warning(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(build_site, "BUILD_BOOK", "print('nothing is built')")
    with pytest.raises(build_site.BuildError, match=PAGES[1]):
        build_site.build_language(LANGUAGES[0], tmp_path / "work", site_url="", repository_url="")


def processes_with(variable: str, value: str) -> list[str]:
    """Commands of the running processes that have inherited this environment variable."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(variable) == value:
                found.append(" ".join(process.cmdline()))
    return found


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """The address of a socket has 108 bytes at most, so where the build keeps its sockets may not lie deep."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_builds_in_a_row_succeed_and_leave_nothing_behind(tmp_path: Path, short_folder: Path):
    temporary = short_folder
    for number in range(BUILDS):
        result = subprocess.run(
            [sys.executable, str(ROOT / "tools" / "build_site.py"), "--output", str(tmp_path / "site")],
            env=os.environ | {"TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert result.returncode == 0, f"build {number + 1} of {BUILDS}\n{result.stdout}{result.stderr}"
        assert processes_with("TMPDIR", str(temporary)) == []
        assert not list(temporary.iterdir())


def test_plain_jupyter_book_gives_the_portuguese_book(tmp_path: Path):
    program = Path(sys.executable).with_name("jupyter-book")
    result = subprocess.run(
        [str(program), "build", str(ROOT), "--path-output", str(tmp_path), "-W", "-n", "--keep-going"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    html = tmp_path / "_build" / "html"
    assert all((html / "book" / "pt" / f"{page}.html").is_file() for page in PAGES)
    assert not any((html / "book" / language.code).exists() for language in LANGUAGES if language.code != "pt")
    assert "language-switcher" not in (html / "book" / "pt" / "index.html").read_text(encoding="utf-8").replace(
        "language-switcher.js", ""
    )
