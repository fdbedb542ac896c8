"""No translation slips past: the book has no finding, and what a hurried hand may do to a copy is named."""

import pytest
from spoils import CHAPTER, cell_of, change_cells, is_prose, replace_in_file
from translation_gate import CHECKS, findings

from book_pages import ROOT, languages
from translated_texts import MESSAGES, read_texts
from translations import confirm

PAGE = f"{CHAPTER}.ipynb"
in_each_language = pytest.mark.parametrize("language", languages())
# A cell with formulas, and one with several paragraphs.
CELL = "divide"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_book_has_no_finding(check):
    if found := check(ROOT, read_texts(ROOT)):
        pytest.fail("\n\n".join(found), pytrace=False)


def named(found, *parts):
    """A finding that says all of this."""
    assert any(all(part in finding for part in parts) for finding in found), found


def prose(language, cell=CELL):
    return read_texts(ROOT)[f"{CHAPTER}#{cell}"].by_language[language]


def set_prose(root, language, text, cell=CELL):
    change_cells(root, language, lambda cells: setattr(cell_of(cells, cell), "source", text))


@in_each_language
def test_a_deleted_cell_is_named(copy, language):
    change_cells(copy, language, lambda cells: cells.remove(cell_of(cells, CELL)))
    found = findings(copy)
    named(found, f"{CHAPTER}#{CELL}", f"{language}: missing")
    named(found, f"{language}/{PAGE}: cells differ from", f"missing ['{CELL}']")


@in_each_language
def test_two_swapped_cells_are_named(copy, language):
    def swap(cells):
        place = next(i for i, cell in enumerate(cells) if is_prose(cell) and is_prose(cells[i + 1]))
        cells[place : place + 2] = cells[place + 1], cells[place]
        return cells[place].id

    moved = change_cells(copy, language, swap)
    named(findings(copy), f"{language}/{PAGE}: cells differ from", f"order, from {moved}")


@in_each_language
def test_the_texts_of_two_cells_swapped_are_both_named(copy, language):
    for here, there in ((CELL, "divide-answer"), ("divide-answer", CELL)):
        set_prose(copy, language, prose(language, there), here)
    for cell in (CELL, "divide-answer"):
        named(findings(copy), f"{CHAPTER}#{cell} (prose), {language}: changed alone")


@in_each_language
def test_a_digit_changed_in_a_formula_is_named(copy, language):
    set_prose(copy, language, prose(language).replace("$d_k = 16$", "$d_k = 61$"))
    found = findings(copy)
    named(found, f"{PAGE}, cell {CELL}: formulas differ", "$d_k = 61$")
    named(found, f"{CHAPTER}#{CELL} (prose), {language}: changed alone", "$d_k = 61$")


@in_each_language
def test_a_prose_cell_edited_in_one_language_is_named_with_what_changed(copy, language):
    set_prose(copy, language, prose(language) + "\n\n…")
    named(findings(copy), f"{CHAPTER}#{CELL} (prose), {language}: changed alone.", f"{language} +…")


@in_each_language
def test_a_chapter_renamed_is_named(copy, language):
    folder = copy / "book" / language
    (folder / PAGE).rename(folder / "05_other_name.ipynb")
    found = findings(copy)
    named(found, f"{language}/05_other_name.ipynb is not in every language")
    named(found, f"{CHAPTER} (the whole file), {language}: missing")


@in_each_language
def test_a_chapter_with_a_new_title_is_named(copy, language):
    set_prose(copy, language, prose(language, "title").replace(" · ", " · X ", 1), "title")
    found = findings(copy)
    named(found, f"{language}/index.md", PAGE, "its title is")
    named(found, f"{CHAPTER}#title (prose), {language}: changed alone")


FOREIGN = [(page, other) for page in languages() for other in languages() if page != other]


@pytest.mark.parametrize(("language", "other"), FOREIGN)
def test_what_is_in_another_language_is_named_even_after_confirmation(copy, language, other):
    """A paragraph, one long sentence inside a paragraph, an alternative text and a description."""
    set_prose(copy, language, f"{prose(language)}\n\n{prose(other, 'divide-answer').split(chr(10))[0]}")
    sentences = prose(language, "dot-product-answer").split(". ")
    foreign = prose(other, "divide-answer").split(". ")
    sentences.insert(2, max(foreign, key=len).split("\n\n")[-1])
    set_prose(copy, language, ". ".join(sentences), "dot-product-answer")
    texts = read_texts(ROOT)
    figure, description = (texts[f"{CHAPTER}#{key}"].by_language for key in ("scores-figure", "@description"))
    change_cells(
        copy, language, lambda cells: cell_of(cells, "scores-figure").metadata.mystnb.image.update(alt=figure[other])
    )
    replace_in_file(copy / "book" / language / PAGE, description[language], description[other])
    assert confirm(copy, "all")[0]
    found = findings(copy)
    for place in (f"{CELL} (prose)", "dot-product-answer (prose)", "scores-figure (alternative text)", "@description"):
        named(found, f"{language}, {CHAPTER}#{place}", f"reads as {other}")


@pytest.mark.parametrize(("language", "other"), FOREIGN)
def test_a_message_left_untranslated_is_named(copy, language, other):
    keys = ("plots#weight", "exercises#empty")
    for file, entry in (key.split("#") for key in keys):
        values = read_texts(ROOT)[f"messages/{file}#{entry}"].by_language
        lines = [f'{entry} = "{values[code]}"\n' for code in (language, other)]
        replace_in_file(copy / MESSAGES / language / f"{file}.toml", *lines)
    found = findings(copy)
    for key in keys:
        named(found, f"messages/{key}: the same in", language, other)


@in_each_language
def test_a_message_missing_or_with_another_placeholder_is_named(copy, language):
    values = read_texts(ROOT)["messages/plots#head"].by_language
    plots = copy / MESSAGES / language / "plots.toml"
    replace_in_file(plots, "{number}", "{numero}")
    named(findings(copy), "messages/plots#head", "fill in different values, ['{number}', '{numero}']")
    replace_in_file(plots, f'head = "{values[language].replace("number", "numero")}"\n', "")
    named(findings(copy), f"messages/plots#head: missing in {language}")


@in_each_language
def test_a_word_of_the_site_left_untranslated_is_named(copy, language):
    other = next(code for code in languages() if code != language)
    words = read_texts(ROOT)["languages#furniture.open_in"].by_language
    replace_in_file(copy / "book" / "languages.yml", f"open_in: {words[language]}\n", f"open_in: {words[other]}\n")
    named(findings(copy), "languages#furniture.open_in: the same in", language, other)


def test_an_entry_that_nothing_needs_is_taken_out_of_the_list_of_what_may_be_the_same(copy):
    replace_in_file(copy / "book" / "same_in_languages.yml", '    - "causal"\n', '    - "causal"\n    - "nothing"\n')
    named(findings(copy), "'nothing' is nowhere the same in")


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
def test_a_section_of_a_readme_in_another_language_is_named(copy, language):
    section = read_texts(ROOT)["README#section-3"].by_language
    replace_in_file(copy / f"README.{language}.md", section[language], section["en"])
    named(findings(copy), f"{language}, README#section-3 (section): reads as en")


@pytest.mark.parametrize(("language", "term", "instead"), [("pt", "consulta", "pergunta"), ("es", "clave", "llavero")])
def test_a_term_of_the_glossary_that_a_page_avoids_is_named(copy, language, term, instead):
    page = copy / "book" / language / PAGE
    page.write_text(page.read_text(encoding="utf-8").replace(term, instead), encoding="utf-8")
    named(findings(copy), f"{CHAPTER}: ", "times in", f"never in {language}, as ['{term}']")
