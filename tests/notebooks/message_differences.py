"""Messages and the site's words: none missing, the same placeholders, none left in another language."""

import re
from itertools import combinations
from pathlib import Path

import yaml

from book_pages import languages
from translated_texts import TranslatedText

SAME = Path("book/same_in_languages.yml")


def message_differences(root: Path, texts: dict[str, TranslatedText]) -> list[str]:
    """One sentence for each message that a language lacks, fills differently or shares with another unlisted.

    A message without a word of its own, such as "{why}", may be the same.
    """
    codes = languages(root)
    same = _read_same(root)
    used, found = set(), []
    for text in texts.values():
        if text.kind not in ("message", "site"):
            continue
        values = text.by_language
        found += [f"{text.name}: missing in {code}" for code in codes if not values.get(code)]
        for one, other in combinations([code for code in codes if values.get(code)], 2):
            here, there = (set(re.findall(r"{\w*}", values[code])) for code in (one, other))
            if here != there:
                found.append(f"{text.name}: {one} and {other} fill in different values, {sorted(here ^ there)}")
            if values[one] == values[other] and re.search(r"[^\W\d_]", re.sub(r"{\w*}", "", values[one])):
                pair = (frozenset((one, other)), values[one])
                used.add(pair)
                if pair not in same:
                    found.append(f"{text.name}: the same in {one} and {other}, {values[one]!r}; translate or list it")
    known = {pair for pair in same if pair[0] <= set(codes)}
    found += [f"{SAME}: {value!r} is nowhere the same in {' and '.join(sorted(pair))}" for pair, value in known - used]
    return found


def _read_same(root: Path) -> set[tuple[frozenset[str], str]]:
    """Pairs of languages with a text that they may share."""
    entries = yaml.safe_load((root / SAME).read_text(encoding="utf-8"))
    return {
        (frozenset(pair), text) for entry in entries for pair in combinations(entry["languages"], 2)
        for text in entry["texts"]
    }  # fmt: skip
