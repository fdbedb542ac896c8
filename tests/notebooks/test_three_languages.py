"""The three languages are one book; and each way of leaving that is caught and named."""

from functools import cache

import nbformat
import pytest
from language_differences import differences
from spoils import CHAPTER, cell_of, change_cells, first, is_prose, replace_in_file

from book_pages import ROOT, languages, page_names
from translated_texts import MESSAGES, read_texts

PAGE = f"{CHAPTER}.ipynb"


@cache
def found_in_the_book():
    return frozenset(differences(ROOT, read_texts(ROOT)))


def found_in(root):
    """What the change of a copy added to the findings."""
    return [finding for finding in differences(root, read_texts(root)) if finding not in found_in_the_book()]


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
    cell = change_cells(copy, language, change)
    found = found_in(copy)
    assert any(sentence.startswith(f"{language}/{PAGE}") and finding in sentence for sentence in found), found
    if finding not in ("missing", "order, from"):
        assert all(f"cell {cell}" in sentence for sentence in found), found


@pytest.mark.parametrize("language", languages())
def test_a_chapter_renamed_in_one_language_is_caught(copy, language):
    folder = copy / "book" / language
    (folder / PAGE).rename(folder / "05_other_name.ipynb")
    assert found_in(copy) == [
        f"{language}/05_other_name.ipynb is not in every language and not in the contents",
        f"{language}/{PAGE} is missing",
    ]


@pytest.mark.parametrize("language", languages())
def test_a_title_that_the_start_page_does_not_have_is_caught(copy, language):
    def new_title(cells):
        cells[0].source = cells[0].source.replace(" · ", " · X ", 1)

    change_cells(copy, language, new_title)
    (finding,) = found_in(copy)
    assert finding.startswith(f"{language}/index.md, cell map: {PAGE} is called ")


@pytest.mark.parametrize("language", languages()[1:])
def test_a_number_changed_beside_the_prose_is_caught(copy, language):
    def change(cells):
        image = cell_of(cells, "scores-figure").metadata.mystnb.image
        image.alt = image.alt.replace("2.80", "2.08")

    change_cells(copy, language, change)
    readme = next(path for path in (copy / f"README.{language}.md", copy / "README.md") if path.exists())
    replace_in_file(readme, "3.11", "3.12")
    replace_in_file(copy / MESSAGES / language / "attention_scores.toml", "64", "46")
    found = found_in(copy)
    for place in (f"{CHAPTER}#scores-figure", "README#section-1", "messages/attention_scores#variance.size_squared"):
        assert any(s.startswith(f"{language}, {place}") and "numbers differ" in s for s in found), found


def test_another_file_included_in_one_language_is_caught_and_its_own_language_in_the_name_is_not(copy):
    assert found_in(copy) == []
    replace_in_file(copy / "book" / "es" / "index.md", "walk_through_es.html", "walk_through_pt.html")
    (finding,) = found_in(copy)
    assert finding.startswith("es/index.md, cell walk-through: included files differ")


def test_prose_of_another_language_is_caught(copy):
    english = nbformat.read(copy / "book" / "en" / PAGE, as_version=4)

    def paste(cells):
        cells[0].source = english.cells[0].source
        return cells[0].id

    for language in languages():
        change_cells(copy, language, paste)
    assert [sentence for sentence in found_in(copy) if "not translated" in sentence]


def test_the_wrong_language_in_the_language_cell_is_caught(copy):
    change_cells(copy, "es", lambda cells: setattr(cells[1], "source", cells[1].source.replace("es", "pt")))
    assert any("use_language('es')" in sentence for sentence in found_in(copy))


def test_every_page_of_the_contents_is_compared():
    assert len(page_names()) > 1
    assert page_names()[0] == "index.md"
