"""Spelling and punctuation in every language, and that a slip is caught and its place named."""

import pytest
from spelling import WORDS, misspelled_words, unknown_to, unused_words
from spoils import change_cells, first, is_prose, replace_in_file
from typography import slips, typography_slips

from book_pages import ROOT, languages
from translated_texts import MESSAGES


def test_every_word_is_in_a_dictionary_or_in_a_reviewed_list():
    assert misspelled_words(ROOT) == []


def test_the_lists_hold_only_words_that_the_book_uses_and_no_dictionary_knows():
    assert unused_words(ROOT) == {}


@pytest.mark.parametrize("path", sorted((ROOT / WORDS).glob("*.txt")), ids=lambda path: path.name)
def test_the_lists_are_sorted_and_name_each_word_once(path):
    words = path.read_text(encoding="utf-8").splitlines()
    assert words == sorted(set(words), key=lambda word: (word.lower(), word))


def test_no_slip_of_punctuation():
    assert typography_slips(ROOT) == []


@pytest.mark.parametrize("language", languages())
def test_a_misspelled_word_in_a_cell_is_caught_and_named(copy, language):
    def misspell(cells):
        cell = first(cells, lambda cell: is_prose(cell) and not cell.source.startswith("#"))
        cell.source += "\n\nAtentzion."
        return cell.id

    cell = change_cells(copy, language, misspell)
    found = misspelled_words(copy)
    assert len(found) == 1
    assert found[0].startswith(f"{language}: 05_attention_scores#{cell}: ")
    assert found[0].endswith(": Atentzion")


def test_a_misspelled_word_of_an_alternative_text_a_message_or_a_readme_is_caught(copy):
    def misspell(cells):
        cell = first(cells, lambda cell: "mystnb" in cell.metadata)
        cell.metadata["mystnb"]["image"]["alt"] += " Atentzion."
        return cell.id

    cell = change_cells(copy, "pt", misspell)
    replace_in_file(copy / MESSAGES / "es" / "plots.toml", ' = "', ' = "Atentzion ')
    replace_in_file(copy / "README.pt.md", "\n\n", "\n\nAtentzion ")
    places = {finding.split(": not in")[0].split("#")[0] for finding in misspelled_words(copy)}
    assert places == {"pt: 05_attention_scores", "es: messages/plots", "pt: README"}, cell


def test_a_word_of_another_language_is_right_only_where_it_is_quoted(copy):
    def add(text):
        def change(cells):
            cell = first(cells, lambda cell: is_prose(cell) and not cell.source.startswith("#"))
            cell.source += f"\n\n{text}"
            return cell.id

        return change

    change_cells(copy, "pt", add('Em *knowledge* e em "thorough".'))
    assert misspelled_words(copy) == []
    change_cells(copy, "pt", add("Em knowledge."))
    assert [finding.rsplit(": ", 1)[1] for finding in misspelled_words(copy)] == ["knowledge"]


def test_a_missing_dictionary_says_how_to_install_it():
    with pytest.raises(RuntimeError, match=r"its dictionary xx_XX is missing\. Install them, .* apt-get install"):
        unknown_to("xx_XX", frozenset(["word"]))


@pytest.mark.parametrize(
    ("language", "text", "slip"),
    [
        ("pt", "Vale 0,21 na primeira linha.", "a comma between digits"),
        ("en", "The weight , then the value.", "a space before a punctuation mark"),
        ("es", "La fila suma 1 .", "a space before a punctuation mark"),
        ("en", "And so on...", "three dots"),
        ("pt", "A linha - e não a coluna.", "a hyphen"),
        ("es", "La palabra «fruta».", "a quotation mark of another kind"),
        ("en", 'The word "fruit.', "a quotation mark without its pair"),
        ("es", "Cuál es el peso?", "? without ¿"),
        ("es", "Atención!", "! without ¡"),
        ("en", "The row of the the query.", "a word twice"),
    ],
)
def test_a_slip_of_punctuation_is_caught(language, text, slip):
    assert [found for found in slips(text, language) if found.startswith(slip)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Write `softmax(x, 1)`, then $a, b$, and .21 stays."),
        ("es", "¿Cuánto pesa *Orange*? El `?` de código no cuenta."),
        ("pt", "Um guarda-chuva, e [o capítulo](06_attention_weights.ipynb#shapes)."),
    ],
)
def test_what_is_right_is_no_slip(language, text):
    assert list(slips(text, language)) == []
