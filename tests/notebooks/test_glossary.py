"""The terms of the glossary are found in the singular and the plural, as whole words."""

import pytest
from glossary import read_terms
from glossary_differences import _singulars, _uses, needless_exceptions

from book_pages import ROOT, languages
from translated_texts import read_texts


@pytest.mark.parametrize(
    ("term", "text", "times"),
    [
        ("pontuação de atenção", "A pontuação de atenção e as pontuações de atenção.", 2),
        ("puntuación de atención", "Las puntuaciones de atención", 1),
        ("matriz de pesos", "as matrizes de pesos; las matrices de pesos", 2),
        ("query", "One query, five queries, a subquery.", 2),
        ("treinável", "matrizes treináveis", 1),
        ("valor", "valores, valorizar", 1),
        ("peso de atención", "peso. De atención", 1),
    ],
)
def test_a_term_is_counted_in_both_numbers_and_not_inside_words(term, text, times):
    assert _uses((term,), _singulars(text)) == times


def test_every_term_has_a_form_in_every_language():
    for term in read_terms(ROOT):
        assert all(term.forms.get(code) for code in languages()), term.english


def test_no_exception_is_kept_that_no_page_needs():
    assert needless_exceptions(ROOT, read_texts(ROOT)) == set()
