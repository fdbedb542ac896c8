"""Nothing is hard-wired to three: a folder, an entry and message files make a book in one more language."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from made_up_language import CODE, FROM, add_documents, add_language, translated
from spelling import misspelled_words
from spoils import CHAPTER, cell_of, change_cells
from translation_gate import CHECKS, findings, texts_not_in_step

from book_pages import ROOT, languages, page_names
from translated_texts import read_texts, text_files
from translation_lock import read_lock
from translations import confirm

pytestmark = pytest.mark.slow

EVERY = [*languages(), CODE]
CELL = f"{CHAPTER}#divide"
SHOWN = """
import json
from attention_book import message, use_language
from attention_book.explorers import SoftmaxExplorer

use_language("xx")
print(json.dumps([message("plots.head", number=3), SoftmaxExplorer([0.0, 1.0]).to_html()]))
"""


def run(root: Path, *arguments: str) -> str:
    """What Python prints when it runs with the package of the copy; a failure fails the test."""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *arguments]
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert not result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the made-up language; no test changes its texts."""
    root = tmp_path_factory.mktemp("fourth")
    ignored = shutil.ignore_patterns("__pycache__", "*.mo", ".ipynb_checkpoints")
    for folder in ("book", "src", "tools"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    files = ("_toc.yml", "_config.yml", "pyproject.toml", "LICENSE", "LICENSE-TEXT")
    for path in [*(ROOT / name for name in files), *ROOT.glob("*.md"), *ROOT.glob("requirements*.txt")]:
        shutil.copy(path, root)
    assert confirm(root, "all")[0]
    add_language(root)
    return root


@pytest.fixture
def changeable(copy: Path) -> Path:
    """The texts of such a project, README and the like too, confirmed in all languages."""
    add_language(copy)
    add_documents(copy)
    assert confirm(copy, "all")[0]
    return copy


@pytest.fixture(scope="module")
def pages(project: Path) -> dict[str, BeautifulSoup]:
    """The site of all languages by path, built as `make book` builds it, strictly."""
    run(project, "tools/store_walk_through.py")
    run(project, "tools/build_site.py")
    site = project / "_build" / "site"
    names = ["index.html", *(f"{code}/{Path(name).stem}.html" for code in EVERY for name in page_names())]
    return {name: BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser") for name in names}


def test_the_made_up_language_can_be_undone_and_keeps_what_a_translator_keeps():
    text = "# A *row*\n\n`x = 1`, $W_Q$, [link](06_a.ipynb#b), <b>0.21</b> {token}"
    assert translated(text) == "# N *ebj*\n\n`x = 1`, $W_Q$, [yvax](06_a.ipynb#b), <b>0.21</b> {token}"
    for read in read_texts(ROOT).values():
        assert translated(translated(read.by_language[FROM])) == read.by_language[FROM]


def test_every_page_offers_itself_in_every_language(pages):
    for path, page in pages.items():
        if path != "index.html":
            links = page.select("nav.language-switcher a")
            assert [link["href"] for link in links] == [f"../{code}/{path.split('/')[1]}" for code in EVERY], path
            assert [link.get("aria-current") == "true" for link in links] == [path.startswith(c) for c in EVERY], path


def test_the_entrance_offers_every_language(pages):
    links = pages["index.html"].select("main li a")
    assert [link["href"] for link in links] == [f"{code}/index.html" for code in EVERY]
    assert translated("Read in English") in links[-1].get_text()


def test_pages_have_the_text_the_furniture_and_the_walk_through_of_their_language(pages):
    for name in page_names():
        stem = Path(name).stem
        page, english = (pages[f"{code}/{stem}.html"] for code in (CODE, FROM))
        assert page.html["lang"] == CODE
        assert page.title.get_text() != english.title.get_text()
        description = english.find("meta", {"name": "description"})["content"]
        assert page.find("meta", {"name": "description"})["content"] == translated(description)
        assert page.select_one("nav.language-switcher")["aria-label"] == translated("Language")
    content = json.loads(pages[f"{CODE}/index.html"].select_one("[data-explorer]")["data-content"])
    english = json.loads(pages[f"{FROM}/index.html"].select_one("[data-explorer]")["data-content"])
    assert content["words"]["own"]["title"] == translated(english["words"]["own"]["title"])


def test_messages_and_explorers_speak_the_language(project):
    message, explorer = json.loads(run(project, "-c", SHOWN))
    assert message == translated("head 3")
    english = read_texts(ROOT)["messages/explorers_softmax#table"].by_language[FROM]
    assert f"<caption>{translated(english)}</caption>" in explorer


@pytest.mark.parametrize("check", [c for c in CHECKS if c is not texts_not_in_step], ids=lambda check: check.__name__)
def test_the_content_is_accepted(project, check):
    assert check(project, read_texts(project)) == []


def test_the_lock_asks_for_what_is_missing_and_for_confirmation(project):
    found = texts_not_in_step(project, read_texts(project))
    sources = text_files(project)
    documents = {name for name, files in sources.items() if files[FROM].parent == Path()}
    assert "README" in documents
    assert {finding.split(". ")[0] for finding in found} == {
        f"{name} (the whole file), {CODE}: {'missing' if name in documents else 'not confirmed yet'}"
        for name in sources
    }
    assert CODE not in read_lock(project)[CELL]


def test_once_confirmed_the_language_is_in_step_and_locked(changeable):
    assert findings(changeable) == []
    assert set(read_lock(changeable)[CELL]) == set(EVERY)


def test_a_cell_missing_in_the_language_is_named(changeable):
    change_cells(changeable, CODE, lambda cells: cells.remove(cell_of(cells, "divide")))
    found = findings(changeable)
    assert any(sentence.startswith(f"{CELL} (prose), {CODE}: missing") for sentence in found), found
    assert any(s.startswith(f"{CODE}/{CHAPTER}.ipynb: cells differ") and "['divide']" in s for s in found), found


def test_a_digit_and_a_formula_changed_in_the_language_are_named(changeable):
    change_cells(
        changeable, CODE, lambda cells: setattr(c := cell_of(cells, "divide"), "source", c.source.replace("16", "61"))
    )
    (changed,) = [s for s in findings(changeable) if s.startswith(f"{CODE}/{CHAPTER}.ipynb, cell divide: formulas")]
    assert "61" in changed


def test_an_entry_alone_names_each_file_that_is_still_to_come(copy):
    entries = yaml.safe_load((copy / "book" / "languages.yml").read_text(encoding="utf-8"))
    entries.append(entries[-1] | {"code": CODE})
    (copy / "book" / "languages.yml").write_text(yaml.safe_dump(entries), encoding="utf-8")
    found = findings(copy)
    for source, files in text_files(copy).items():
        if source != "languages":
            assert any(s.startswith(f"{source} (the whole file), {CODE}: missing") for s in found), files[CODE]
    assert f"{CODE}/{CHAPTER}.ipynb is missing" in found


def test_a_language_without_a_dictionary_is_told_which_one_is_missing(project):
    with pytest.raises(RuntimeError, match=f"its dictionary {CODE} is missing"):
        misspelled_words(project)
