"""Words that no dictionary of their language knows, by hunspell and the reviewed lists in book/words."""

import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from attention_book import tokenize
from attention_book.running_example import OTHER_SENTENCE, SENTENCE
from book_languages import Language, read_languages
from book_pages import words_only
from translated_texts import read_texts

WORDS = Path("book/words")
WORD = re.compile(r"[^\W\d_ᵀ]{2,}(?:['’][^\W\d_]+)*")
# A word that is quoted or set in italics may belong to another language: *fruit*, or the title of a paper.
QUOTED = re.compile(r"(?<!\*)\*(?![\s*])[^*]+?\*|\"[^\"]+\"")
TITLE_OF_A_SOURCE = re.compile(r"\[([^]]+)\]\(https?:[^)]*\)")
PLACEHOLDER = re.compile(r"{\w+(?::[^}]*)?}")

Words = dict[str, tuple[list[str], list[str]]]


def misspelled_words(root: Path) -> list[str]:
    """One sentence for each text with words that are in no dictionary and in no list."""
    languages, words = read_languages(root), words_by_language(root)
    vocabulary = frozenset(all_words(words))
    found = []
    for language in languages:
        own, any_language = accepted_by([language], vocabulary, root), accepted_by(languages, vocabulary, root)
        for name, (plain, quoted) in words[language.code].items():
            wrong = [word for word in plain if not own(word)] + [word for word in quoted if not any_language(word)]
            if wrong:
                found.append(
                    f"{language.code}: {name}: not in the dictionary {language.dictionary}: {', '.join(wrong)}"
                )
    return found


def words_by_language(root: Path) -> dict[str, Words]:
    """For each language its texts with their words, each once: those in the running text and those that are quoted."""
    found = {language.code: {} for language in read_languages(root)}
    for text in read_texts(root).values():
        for code, content in text.by_language.items():
            prose = PLACEHOLDER.sub(" ", words_only(TITLE_OF_A_SOURCE.sub(r"*\1*", content)))
            parts = QUOTED.sub(" ", prose), " ".join(QUOTED.findall(prose))
            found[code][text.name] = tuple(list(dict.fromkeys(WORD.findall(part))) for part in parts)
    return found


def all_words(words: dict[str, Words]) -> Iterator[str]:
    return (word for texts in words.values() for parts in texts.values() for part in parts for word in part)


def accepted_by(languages: list[Language], vocabulary: frozenset[str], root: Path) -> Callable[[str], bool]:
    """A function that says whether a word of the vocabulary is right in one of these languages."""
    listed = {word for name in ("names", *(language.code for language in languages)) for word in word_list(name, root)}
    listed |= set(tokenize(SENTENCE) + tokenize(OTHER_SENTENCE))
    unknown = set.intersection(*(set(unknown_to(language.dictionary, vocabulary)) for language in languages))

    def accepted(word: str) -> bool:
        parts = {word, *re.split("['’]", word)}
        return not parts & unknown or word in listed or word[0].lower() + word[1:] in listed

    return accepted


def word_list(name: str, root: Path) -> list[str]:
    path = root / WORDS / f"{name}.txt"
    return path.read_text(encoding="utf-8").split() if path.exists() else []


@cache
def unknown_to(dictionary: str, words: frozenset[str]) -> list[str]:
    """The words that hunspell does not know in `dictionary`, in one call of the program.

    Raises:
        RuntimeError: hunspell or the dictionary is missing; the sentence says how to install them.
    """
    try:
        run = subprocess.run(
            ["hunspell", "-l", "-i", "utf-8", "-d", dictionary],
            input="\n".join(sorted(words)),
            capture_output=True,
            encoding="utf-8",
        )
    except FileNotFoundError:
        run = None
    if run is None or run.returncode or "Can't open" in run.stderr:
        raise RuntimeError(
            f"The spelling can not be checked: hunspell or its dictionary {dictionary} is missing. Install them, on "
            "Debian or Ubuntu with: sudo apt-get install hunspell hunspell-en-us hunspell-es hunspell-pt-br"
        )
    return run.stdout.split()


def unused_words(root: Path) -> dict[str, list[str]]:
    """Entries of the word lists that the book does not use, or that every dictionary of the list knows."""
    used = {word.lower() for word in all_words(words_by_language(root))}
    languages, found = read_languages(root), {}
    for path in sorted((root / WORDS).glob("*.txt")):
        words = word_list(path.stem, root)
        dictionaries = [language.dictionary for language in languages if path.stem in (language.code, "names")]
        unknown = {word for name in dictionaries for word in unknown_to(name, frozenset(words))}
        found[path.name] = [word for word in words if word.lower() not in used or word not in unknown]
    return {name: words for name, words in found.items() if words}
