"""The words that figures and exercise checks show, in the reader's language.

`messages/<language>/<name>.toml` holds them; a further language is a further folder.
"""

import tomllib
from functools import cache
from importlib.resources import files

_language = "en"


def languages() -> list[str]:
    """The languages that have messages, by their code."""
    return sorted(folder.name for folder in files(__package__).joinpath("messages").iterdir() if folder.is_dir())


def use_language(code: str) -> None:
    """Choose the language of figures and checks, for example "pt".

    Raises:
        ValueError: there are no messages in that language.
    """
    global _language
    if code not in languages():
        raise ValueError(f"language {code!r} has no messages; choose one of {', '.join(languages())}")
    _language = code


def message(key: str, **values: object) -> str:
    """The text of `key` ("file.name" or "file.table.name"), its {placeholders} filled with `values`.

    Raises:
        KeyError: there is no such message.
    """
    name, *path = key.split(".")
    text = _messages(_language, name)
    for part in path:
        if not isinstance(text, dict) or part not in text:
            raise KeyError(f"no message {key!r} in messages/{_language}/{name}.toml")
        text = text[part]
    return text.format(**values)


def messages(name: str) -> dict:
    """All texts of the file `name`, their {placeholders} still open: what an explorer takes along to the page."""
    return _messages(_language, name)


@cache
def _messages(language: str, name: str) -> dict:
    return tomllib.loads((files(__package__) / "messages" / language / f"{name}.toml").read_text(encoding="utf-8"))
