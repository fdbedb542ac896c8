"""Terms of the glossary: used on a page in every language or in none, and never a forbidden word for them."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from glossary import Term, read_terms

from book_pages import languages, page_names, words_only
from translated_texts import TranslatedText

# Where a term may be said in another way, or is not the term, once or twice.
OFTEN = 3
# The same words in another sense.
OTHER_SENSE = {
    ("10_concatenate_and_project", "transpose"): "the method and the step, which are no transposed matrix",
    ("06_attention_weights", "weight matrix"): "in Portuguese and Spanish also the table of attention weights",
}
# Plurals, back to the singular; what all three share is enough to compare forms of one word with each other.
PLURALS = {"ões": "ão", "ães": "ão", "ãos": "ão", "ies": "y", "eis": "el", "ais": "al", "ces": "z", "es": "", "s": ""}


def uneven_terms(root: Path, texts: dict[str, TranslatedText]) -> list[str]:
    """One sentence for each term that a page uses often in one language and nowhere in another."""
    return [
        f"{source}: {term.english!r} is used {most} times in {often} and never in {code}, as {term.forms[code]}"
        for (source, term, often, most, code) in _uneven(root, texts)
        if (source, term.english) not in OTHER_SENSE
    ]


def needless_exceptions(root: Path, texts: dict[str, TranslatedText]) -> set[tuple[str, str]]:
    """Entries of OTHER_SENSE that no page needs."""
    return set(OTHER_SENSE) - {(source, term.english) for source, term, *_ in _uneven(root, texts)}


def _uneven(root: Path, texts: dict[str, TranslatedText]) -> Iterator[tuple[str, Term, str, int, str]]:
    codes = languages(root)
    sources = {Path(name).stem for name in page_names(root)}
    pages = {source: dict.fromkeys(codes, "") for source in sources}
    for text in texts.values():
        if text.source in sources:
            for code, content in text.by_language.items():
                pages[text.source][code] += _singulars(words_only(content)) + " · "
    for term in read_terms(root):
        if not _countable(term):
            continue
        for source, page in sorted(pages.items()):
            uses = {code: _uses(tuple(forms), page[code]) for code, forms in term.forms.items() if page[code]}
            often = max(uses, key=uses.get, default=None)
            if often and uses[often] >= OFTEN:
                for code in uses:
                    if not uses[code]:
                        yield source, term, often, uses[often], code


def _countable(term: Term) -> bool:
    """Verbs have too many forms, and a sense in parentheses can not be told from the other one."""
    return not term.english.startswith("to ") and "(" not in term.english


@cache
def _uses(forms: tuple[str, ...], page: str) -> int:
    return sum(page.count(_singulars(form)) for form in forms)


@cache
def _singulars(text: str) -> str:
    """The words of a text in the singular, each between two spaces, so that whole words can be counted."""
    return "".join(f" {_singular(word)} " for word in re.findall(r"[^\W_]+", text.lower()))


@cache
def _singular(word: str) -> str:
    ending = next((e for e in PLURALS if word.endswith(e) and len(word) > len(e) + 2), "")
    word = word.removesuffix(ending) + PLURALS.get(ending, "")
    word = word.removesuffix("e") if len(word) > 3 else word
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return plain[:-1] + "z" if plain.endswith("x") else plain
