"""The three languages are one book; and each way of leaving that is caught and named."""

import shutil

import nbformat
import pytest
from language_differences import differences

from book_pages import ROOT, languages, page_names

CHAPTER = "05_attention_scores.ipynb"


def test_the_languages_are_the_same_book():
    assert differences() == []


@pytest.fixture
def copy(tmp_path):
    """A copy of the book to spoil."""
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("assets", ".ipynb_checkpoints"))
    return tmp_path


def spoil(root, language, change):
    path = root / "book" / language / CHAPTER
    notebook = nbformat.read(path, as_version=4)
    cell = change(notebook.cells)
    nbformat.write(notebook, path)
    return f"{language}/{CHAPTER}", cell


def first(cells, condition):
    return next(cell for cell in cells if condition(cell))


def is_prose(cell):
    return cell.cell_type == "markdown"


def replace_in(condition, old, new):
    def change(cells):
        cell = first(cells, lambda c: condition(c) and old in c.source)
        cell.source = cell.source.replace(old, new, 1)
        return cell.id

    return change


def delete_a_cell(cells):
    return cells.pop(next(i for i, cell in enumerate(cells) if is_prose(cell) and i > 3)).id


def swap_two_cells(cells):
    cells[4], cells[5] = cells[5], cells[4]
    return cells[4].id


def change_a_byte_of_code(cells):
    cell = first(cells, lambda c: c.cell_type == "code" and "language" not in c.metadata.get("tags", []))
    cell.source += " "
    return cell.id


def drop_a_tag(cells):
    cell = first(cells, lambda c: "exercise" in c.metadata.get("tags", []))
    cell.metadata["tags"] = []
    return cell.id


def drop_an_alternative_text(cells):
    cell = first(cells, lambda c: "mystnb" in c.metadata)
    del cell.metadata["mystnb"]
    return cell.id


def change_a_number(cells):
    cell = first(cells, lambda c: is_prose(c) and c.source.startswith("### "))
    cell.source += "\n\n12.5"
    return cell.id


@pytest.mark.parametrize("language", languages()[1:])
@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (delete_a_cell, "missing"),
        (swap_two_cells, "order, from"),
        (change_a_byte_of_code, "the code differs"),
        (drop_a_tag, "tags or metadata differ"),
        (drop_an_alternative_text, "alternative text differs"),
        (change_a_number, "numbers differ, only here ['12.5']"),
        (replace_in(is_prose, "d_k", "d_q"), "formulas differ"),
        (replace_in(is_prose, ".ipynb#", ".ipynb#x"), "link targets differ"),
        (replace_in(is_prose, "<details>", "<div>"), "folded parts differ"),
        (replace_in(is_prose, "## ", "### "), "heading levels differ"),
    ],
)
def test_a_change_in_one_language_is_caught_and_the_place_named(copy, language, change, finding):
    page, cell = spoil(copy, language, change)
    found = differences(copy)
    assert any(sentence.startswith(page) and finding in sentence for sentence in found), found
    if finding not in ("missing", "order, from"):
        assert all(f"cell {cell}" in sentence for sentence in found), found


def test_a_page_missing_in_one_language_is_caught(copy):
    (copy / "book" / "es" / CHAPTER).unlink()
    assert differences(copy) == [f"es/{CHAPTER} is missing"]


def test_prose_of_another_language_is_caught(copy):
    english = nbformat.read(copy / "book" / "en" / CHAPTER, as_version=4)

    def paste(cells):
        cells[0].source = english.cells[0].source
        return cells[0].id

    for language in languages():
        spoil(copy, language, paste)
    assert [sentence for sentence in differences(copy) if "not translated" in sentence]


def test_the_wrong_language_in_the_language_cell_is_caught(copy):
    spoil(copy, "es", lambda cells: setattr(cells[1], "source", cells[1].source.replace("es", "pt")))
    assert any("use_language('es')" in sentence for sentence in differences(copy))


def test_every_page_of_the_contents_is_compared():
    assert len(page_names()) > 1
    assert page_names()[0] == "index.md"
