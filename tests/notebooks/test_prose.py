"""The prose: the glossary's words, no forbidden ones, and no number that the page does not compute."""

import re

import pytest
from glossary import read_terms

from attention_book.running_example import ORANGE_ROW
from book_pages import FORMULA, NUMBER, ROOT, languages, page_names, read_page, without_code, words_only
from translated_texts import read_texts

PAGES = [read_page(language, name) for name in page_names() for language in languages()]
in_each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.where())
# Words that claim that something is easy; they help nobody whom it is not easy for.
BELITTLING = {
    "en": ["simply", "obviously", "just", "trivial*", "of course"],
    "pt": ["simplesmente", "obviamente", "trivial*", "é claro que", "basicamente"],
    "es": ["simplemente", "obviamente", "trivial*", "por supuesto", "básicamente"],
}
# A reader is spoken to as "você", or not at all in Spanish.
WRONG_REGISTER = {
    "en": [],
    "pt": ["tu", "teu", "tua", "teus", "tuas", "vosso", "vossa"],
    "es": ["tú", "tu", "tus", "usted", "ustedes", "vosotros", "vuestro", "vuestra", "vos"],
}


def forbidden(language):
    never = [word for term in read_terms(ROOT) for word in term.never.get(language, [])]
    return never + BELITTLING.get(language, []) + WRONG_REGISTER.get(language, [])


def occurrences(words, text):
    """Whole words and their plurals; * stands for any ending."""
    patterns = (re.escape(word).replace(r"\*", r"\w*") for word in words)
    return [match[0] for pattern in patterns for match in re.finditer(rf"(?i)\b{pattern}(?:e?s)?\b", text)]


@pytest.mark.parametrize("language", languages())
def test_no_forbidden_word_is_used(language):
    words = forbidden(language)
    found = {
        text.name: occurrences(words, words_only(text.by_language[language])) for text in read_texts(ROOT).values()
    }
    assert {place: hits for place, hits in found.items() if hits} == {}


@pytest.mark.parametrize(
    ("language", "sentence", "hits"),
    [
        ("es", "Los cabezales comparan la llave con la consulta.", {"cabezales", "llave"}),
        ("pt", "O token atende a outro, simplesmente.", {"atende a", "simplesmente"}),
        ("pt", "A cabeça presta atenção à chave e o pão fica no armário.", set()),
        ("en", "This is just an adjustment.", {"just"}),
    ],
)
def test_forbidden_words_are_found_and_parts_of_words_are_not(language, sentence, hits):
    assert set(occurrences(forbidden(language), sentence)) == hits


def decimals(text):
    """Numbers with a point; the version of a program is none."""
    without_versions = re.sub(r"\b(Python|PyTorch|Sphinx|CC BY) \d+(\.\d+)+", "", text.replace("{,}", ""))
    return [number for number in NUMBER.findall(without_versions) if "." in number]


def computed_numbers(page):
    """All that the page prints, draws or has in its code; the start page has the famous row alone."""
    if page.name == "index.md":
        return [*ORANGE_ROW, 1.0]
    found = []
    for block in page.code:
        text = block.text
        for output in block.outputs:
            text += "\n" + str(output.get("text", ""))
            for kind, data in output.get("data", {}).items():
                if kind == "text/plain":
                    text += "\n" + data
                elif kind == "image/svg+xml":
                    text += "\n" + " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", data))
        found += [
            float(number) for number in re.findall(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", text.replace("−", "-"))
        ]
    return found


@in_each_page
def test_every_decimal_number_in_the_prose_is_computed_on_the_page(page):
    computed = computed_numbers(page)
    missing = []
    # What is cited for further reading has sections with numbers of its own.
    for block in (block for block in page.blocks if block.id != "read-more" and page.name != "further_reading.md"):
        prose = block.alt or "" if block.kind == "code" else block.text
        prose = without_code(prose)
        for number in decimals(words_only(prose)) + [n for f in FORMULA.findall(prose) for n in decimals(f)]:
            digits = len(number.split(".")[1])
            # The sign may stand apart in a formula, so magnitudes are compared.
            if not any(
                abs(abs(round(value, digits)) - abs(float(number.replace("−", "-")))) < 10**-digits / 100
                for value in computed
            ):
                missing.append(f"{page.where(block)}: {number}")
    assert missing == []
