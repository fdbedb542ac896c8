"""Messages follow the language that the reader chose."""

import pytest

from attention_book import message, use_language
from attention_book.language import languages


def test_the_book_speaks_three_languages():
    assert {"en", "es", "pt"} <= set(languages())


def test_message_follows_the_language():
    texts = set()
    for language in languages():
        use_language(language)
        texts.add(message("exercises.right"))
    assert len(texts) == len(languages())


def test_unknown_language_is_refused_and_the_old_one_kept():
    use_language("pt")
    with pytest.raises(ValueError, match=f"'xx' has no messages; choose one of {', '.join(languages())}"):
        use_language("xx")
    assert message("exercises.right") == "Certo."


def test_unknown_message_names_the_file():
    with pytest.raises(KeyError, match=r"exercises\.nothing.*messages/en/exercises\.toml"):
        message("exercises.nothing")
