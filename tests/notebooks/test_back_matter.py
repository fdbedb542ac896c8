"""The pages behind the chapters: a number refutes each misconception, each term and each reference has its place."""

import re
import tomllib

import pytest
from glossary import read_terms

from book_extension.glossary_page import MESSAGES, slug, terms
from book_pages import CITATION, ROOT, languages, read_page, words_only

in_each_language = pytest.mark.parametrize("language", languages())


@in_each_language
def test_each_misconception_has_its_idea_its_number_and_its_chapter(language):
    blocks = read_page(language, "misconceptions.ipynb").blocks
    questions = [i for i, block in enumerate(blocks) if block.text.startswith("## ")]
    assert len(questions) >= 20
    for i in questions:
        question, code, answer = blocks[i : i + 3]
        assert question.text.splitlines()[0].endswith("?"), question.id
        assert re.search(r"^\*[^*]+:\* ", question.text, re.M), f"{question.id}: the wrong idea"
        assert re.search(r"\d|True|False", str(code.outputs)), f"{code.id}: nothing is computed"
        assert re.search(r"\]\(\d\d_\w+\.ipynb", answer.text), f"{answer.id}: no chapter"


def chapter_of(row, language):
    name, _, anchor = row["chapter"].partition("#")
    return read_page(language, f"{name}.ipynb"), anchor


@in_each_language
def test_each_term_of_the_glossary_leads_to_a_section_of_a_chapter_that_uses_it(language):
    forms = {term.english: term.forms[language] for term in read_terms(ROOT)}
    wrong = []
    for row in terms():
        page, anchor = chapter_of(row, language)
        prose = " ".join(words_only(block.text) for block in page.prose).lower()
        if not any(block.id == anchor and block.text.startswith("#") for block in page.prose):
            wrong.append(f"{row['english']}: no section {row['chapter']}")
        words = [word for form in forms[row["english"]] for word in re.findall(r"\w{4,}", form.lower())]
        if words and not any(word[: max(4, len(word) - 3)] in prose for word in words):
            wrong.append(f"{row['english']}: {page.where()} does not use it")
    assert wrong == []


@in_each_language
def test_each_term_on_the_page_has_a_sentence_and_no_sentence_is_left_over(language):
    sentences = tomllib.loads((MESSAGES / language / "glossary.toml").read_text(encoding="utf-8"))
    assert sorted(sentences) == sorted(slug(row["english"]) for row in terms())


@in_each_language
def test_each_reference_is_recommended_once(language):
    cited = CITATION.findall(" ".join(block.text for block in read_page(language, "further_reading.md").blocks))
    listed = re.findall(r"^@\w+\{(\w+),", (ROOT / "book" / "references.bib").read_text(encoding="utf-8"), re.M)
    assert sorted(cited) == sorted(listed)
