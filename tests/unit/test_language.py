"""Messages: the same keys and placeholders in every language, no text left in another one."""

import re
import tomllib
from importlib.resources import files

import pytest

from attention_book import message, use_language
from attention_book.language import languages

MESSAGES = files("attention_book") / "messages"
# Words of the field that are the same in all three.
SAME_EVERYWHERE = {"plots.embeddings"}


def flatten(table, prefix=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def all_messages(language):
    return {
        f"{file.name.removesuffix('.toml')}.{key}": text
        for file in (MESSAGES / language).iterdir()
        for key, text in flatten(tomllib.loads(file.read_text(encoding="utf-8")))
    }


def test_the_book_speaks_three_languages():
    assert {"en", "es", "pt"} <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_messages_with_the_same_placeholders(language):
    english, other = all_messages("en"), all_messages(language)
    assert sorted(other) == sorted(english)
    for key, text in english.items():
        assert set(re.findall(r"{\w*}", other[key])) == set(re.findall(r"{\w*}", text)), key
        assert other[key].strip(), key


@pytest.mark.parametrize(("one", "other"), [("en", "es"), ("en", "pt"), ("es", "pt")])
def test_no_sentence_was_left_in_another_language(one, other):
    ours, theirs = all_messages(one), all_messages(other)
    same = [key for key in ours if ours[key] == theirs[key] and " " in ours[key] and key not in SAME_EVERYWHERE]
    # Short phrases of Portuguese and Spanish can be the same words; a sentence can not.
    same = [key for key in same if {one, other} != {"es", "pt"} or len(ours[key].split()) > 4]
    assert same == []


def test_message_follows_the_language():
    texts = set()
    for language in languages():
        use_language(language)
        texts.add(message("exercises.right"))
    assert len(texts) == len(languages())


def test_unknown_language_is_refused_and_the_old_one_kept():
    use_language("pt")
    with pytest.raises(ValueError, match=r"'xx' has no messages; choose one of en, es, pt"):
        use_language("xx")
    assert message("exercises.right") == "Certo."


def test_unknown_message_names_the_file():
    with pytest.raises(KeyError, match=r"exercises\.nothing.*messages/en/exercises\.toml"):
        message("exercises.nothing")
