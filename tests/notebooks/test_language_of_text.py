"""What counts as foreign, and what is meant to be there: the English sentence, names, titles, words of the field."""

import re
import shutil

import pytest
from glossary import read_terms
from language_of_text import foreign_texts

from book_pages import ROOT, languages
from translated_texts import read_texts

KEY = "languages#lost.explanation"


def reads_as(code, text):
    """The languages that passages of `text` are taken for, when it stands in the language `code`."""
    texts = read_texts(ROOT)
    texts[KEY] = texts[KEY].__class__("languages", "lost.explanation", "site", {code: text})
    return [re.search(r"reads as (\w+)", finding)[1] for finding in foreign_texts(ROOT, texts) if KEY in finding]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("pt", 'A frase "Orange is my favorite fruit, and nothing else is as good" atravessa o livro.'),
        ("es", "La fila de *Orange is my favorite fruit* tiene cinco números y suma 1."),
        ("pt", "Orange recebe 0.21 de Orange, 0.03 de is, 0.05 de my, 0.31 de favorite e 0.40 de fruit."),
        ("es", "* Ashish Vaswani y otros, [Attention Is All You Need](https://arxiv.org/abs/1706.03762) (2017)."),
        (
            "pt",
            "* Geoffrey Hinton, Oriol Vinyals e Jeff Dean, [Distilling](https://arxiv.org/abs/1503.02531): uma.",
        ),
        ("pt", "Use `print the scores of the query and of every key in the sentence` no notebook."),
        ("es", "El vector de contexto queda dentro de la envolvente convexa de los valores."),
        ("es", "El embedding de cada token entra en el softmax con los logits."),
        ("en", "Laranja."),
    ],
)
def test_own_texts_with_what_is_meant_to_be_english_are_not_foreign(code, text):
    assert reads_as(code, text) == []


@pytest.mark.parametrize(
    ("code", "text", "other"),
    [
        ("pt", "The softmax turns each row of scores into shares of one.", "en"),
        ("es", "**Prediction.** Which of the five tokens gets the largest weight? Write it down.", "en"),
        ("pt", "El softmax convierte cada fila de puntuaciones en partes de uno.", "es"),
        ("es", "O softmax transforma cada linha de pontuações em partes de um.", "pt"),
        ("en", "O softmax transforma cada linha de pontuações em partes de um.", "pt"),
        ("pt", "* A linha soma 1.\n* Each of the five weights is a number between zero and one.", "en"),
        ("pt", "| uma linha | The row of the query sums to one, whatever the scores are. |", "en"),
    ],
)
def test_a_sentence_an_item_and_a_row_of_a_table_in_another_language_are_foreign(code, text, other):
    assert set(reads_as(code, text)) == {other}


def test_a_language_that_the_detector_does_not_know_is_left_alone(copy):
    shutil.copytree(copy / "book" / "en", copy / "book" / "xx")
    entries_file = copy / "book" / "languages.yml"
    entries = entries_file.read_text(encoding="utf-8")
    last = entries[entries.rindex("- code:") :].replace("code: en", "code: xx").replace("locale: en", "locale: xx")
    entries_file.write_text(entries + last, encoding="utf-8")
    assert foreign_texts(copy, read_texts(copy)) == foreign_texts(ROOT, read_texts(ROOT))
    assert all(set(term.forms) == set(languages()) for term in read_terms(copy))
