"""Is a text in its own language? A passage is called foreign on clear evidence alone."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from glossary import read_terms
from lingua import IsoCode639_1, LanguageDetector, LanguageDetectorBuilder

from attention_book import tokenize
from attention_book.running_example import SENTENCE
from book_languages import read_languages
from book_pages import words_only
from translated_texts import TranslatedText

# Measured on six chapters and the messages: no passage of them is called foreign; of passages put under another
# language 94 in 100 are between Spanish and Portuguese, 99 in 100 otherwise; of whole cells 98 and 99.
FEWEST_WORDS = 6
TIMES_AS_LIKELY = 2

WORD = re.compile(r"[^\W\d_]+")
# What may be in another language on purpose: what is quoted or stressed (tokens of the English sentence), titles of
# what is cited, names, placeholders.
ELSEWHERE = re.compile(
    r"\[[^\]]*\]\(https?:[^)]*\)"
    r"|(?<!\*)\*(?![\s*])[^*\n]{1,80}(?<!\s)\*(?!\*)"
    r'|"[^"\n]{1,120}"|“[^”\n]{1,120}”|«[^»\n]{1,120}»'
    r"|{\w*}"
)
NAME = re.compile(
    r"(?<![.!?:;] )(?<=\S )[A-ZÀ-Þ][\w’]*"  # a capital inside a sentence
    r"|[A-ZÀ-Þ]\w*\.?(?= [A-ZÀ-Þ])"  # a first name
)
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )|\n(?=\||#|:alt:)")
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")


def foreign_texts(root: Path, texts: dict[str, TranslatedText]) -> list[str]:
    """One sentence for each passage of the book that is clearly in another of its languages.

    Two witnesses must agree: the detector, and the words that the book itself uses in one of the two languages only.
    """
    iso = {language.code: language.locale.split("_")[0].upper() for language in read_languages(root)}
    # A language that the detector does not know can not be told from the others.
    known = tuple((code, name) for code, name in iso.items() if hasattr(IsoCode639_1, name))
    shared_words = _shared_words(root)
    uses = {code: Counter() for code, _ in known}
    for text in texts.values():
        for code in uses:
            uses[code].update(_word_set(text.by_language.get(code, "")))
    return [
        f"{code}, {text.name} ({text.kind}): reads as {other}: {passage!r}"
        for text in texts.values()
        for code in uses
        for passage, other in suspects(text.by_language.get(code, ""), code, known, shared_words)
        if not _speaks_for_itself(passage, uses[code], uses[other])
    ]


# Copies of the book that are checked one after another differ in a passage or two.
@cache
def suspects(
    text: str, code: str, known: tuple[tuple[str, str], ...], shared_words: frozenset[str]
) -> list[tuple[str, str]]:
    """The passages of `text` that the detector takes for another language than `code`, each with that language.

    `known` gives the ISO code of each language to choose from, `shared_words` what says nothing about a language.
    """
    iso = dict(known)
    detector = _detector(tuple(iso.values()))
    found = []
    for passage in _passages(text):
        words = [word for word in WORD.findall(NAME.sub(" ", passage)) if word.lower() not in shared_words]
        if len(words) < FEWEST_WORDS:
            continue
        values = {
            value.language.iso_code_639_1.name: value.value
            for value in detector.compute_language_confidence_values(" ".join(words))
        }
        best = max(iso, key=lambda other: values[iso[other]])
        if values[iso[best]] > TIMES_AS_LIKELY * values[iso[code]]:
            found.append((passage, best))
    return found


def _speaks_for_itself(passage: str, own: Counter, other: Counter) -> bool:
    """More words of the page's language than of the other one, going by the number of texts that use them."""
    words = _word_set(passage)
    return sum(_typical(w, own, other) for w in words) > sum(_typical(w, other, own) for w in words)


def _typical(word: str, of: Counter, not_of: Counter) -> bool:
    """The word is in two texts at least, and in many more than in the other language, which may cite some of them."""
    return of[word] > 1 and of[word] > 5 * not_of[word]


@cache
def _word_set(text: str) -> frozenset[str]:
    return frozenset(_lower(words_only(text)))


@cache
def _detector(iso_codes: tuple[str, ...]) -> LanguageDetector:
    return LanguageDetectorBuilder.from_iso_codes_639_1(*(getattr(IsoCode639_1, code) for code in iso_codes)).build()


def _passages(text: str) -> Iterator[str]:
    """Every sentence, and every paragraph with more than one: a long foreign sentence in a paragraph stands out."""
    for paragraph in PARAGRAPH.split(words_only(ELSEWHERE.sub(" ", text))):
        sentences = SENTENCE_END.split(" ".join(paragraph.split()))
        yield from sentences
        if len(sentences) > 1:
            yield " ".join(sentences)


def _shared_words(root: Path) -> frozenset[str]:
    """Words of the field that another language took from English, with their plurals, and the words of the sentence."""
    shared = set()
    for term in read_terms(root):
        others = {word for code, forms in term.forms.items() if code != "en" for f in forms for word in _lower(f)}
        shared |= others & {word for form in term.forms["en"] for word in _lower(form)}
    return frozenset(shared | {f"{word}s" for word in shared} | {word.lower() for word in tokenize(SENTENCE)})


def _lower(text: str) -> list[str]:
    return WORD.findall(text.lower())
