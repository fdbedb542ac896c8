"""Where the languages stand: what the pages say now, compared with what was last confirmed together."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from translated_texts import TranslatedText


class State(StrEnum):
    ALONE = "changed alone"
    TOGETHER = "changed together"
    NEW = "not confirmed yet"
    MISSING = "missing"
    ORPHANED = "orphaned"


@dataclass(frozen=True)
class Finding:
    """One text that is not in step, in the languages that `state` is said of. Without `key`, the whole source."""

    source: str
    key: str
    kind: str
    languages: tuple[str, ...]
    state: State
    advice: str
    changes: str = ""

    @property
    def name(self) -> str:
        """What CONFIRM= takes."""
        return f"{self.source}#{self.key}" if self.key else self.source

    def __str__(self) -> str:
        said = f"{self.name} ({self.kind}), {', '.join(self.languages)}: {self.state}. {self.advice}"
        return f"{said}\n{self.changes}" if self.changes else said


def not_in_step(
    texts: dict[str, TranslatedText], confirmed: dict[str, dict[str, str]], languages: list[str]
) -> list[Finding]:
    """Each text of which a language changed, is missing or is new since the others were confirmed with it."""
    found = []
    for name, text in texts.items():
        found += _findings(text, confirmed.get(name, {}), languages)
    found = list(_whole_sources(found, texts))
    for name, then in confirmed.items():
        if name not in texts:
            source, key = name.split("#", 1)
            advice = f"It is gone in every language: if that is meant, make translations CONFIRM={name}"
            found.append(Finding(source, key, "text", tuple(then), State.ORPHANED, advice))
    return found


def _findings(text: TranslatedText, then: dict[str, str], languages: list[str]) -> Iterator[Finding]:
    now = text.by_language
    missing = tuple(code for code in languages if code not in now)
    new = tuple(code for code in languages if code in now and code not in then)
    kept = [code for code in languages if code in now and code in then]
    changed = tuple(code for code in kept if now[code] != then[code])
    orphaned = tuple(code for code in then if code not in languages)
    confirm = f"make translations CONFIRM={text.name}"
    have = ", ".join(code for code in languages if code in now)

    def finding(codes: tuple[str, ...], state: State, advice: str) -> Finding:
        changes = "\n".join(difference(then[code], now[code], code) for code in codes if code in changed)
        return Finding(text.source, text.key, text.kind, codes, state, advice, changes)

    if missing:
        yield finding(missing, State.MISSING, f"Add it, or delete it in {have}.")
    if new:
        yield finding(new, State.NEW, f"Read {have} side by side, then {confirm}")
    if changed and len(changed) == len(languages):
        yield finding(changed, State.TOGETHER, f"Read {have} side by side, then {confirm}")
    elif changed:
        others = ", ".join(code for code in kept if code not in changed) or have
        yield finding(changed, State.ALONE, f"Change {others} too; then, or if no change is needed, {confirm}")
    if orphaned:
        yield finding(orphaned, State.ORPHANED, f"The book has this language no more: {confirm}")


def _whole_sources(found: list[Finding], texts: dict[str, TranslatedText]) -> Iterator[Finding]:
    """The findings, with a file that is missing or new from end to end in a language named once."""
    size = Counter(text.source for text in texts.values())
    advice = {State.MISSING: "Add the file.", State.NEW: "Read it beside the others, then make translations CONFIRM="}
    for source, group in groupby(found, key=lambda finding: finding.source):
        findings = list(group)
        said = Counter((finding.state, code) for finding in findings for code in finding.languages)
        whole = [(state, code) for (state, code), times in said.items() if state in advice and times == size[source]]
        for state in advice:
            if codes := tuple(code for one, code in whole if one is state):
                what = advice[state] + (source if state is State.NEW else "")
                yield Finding(source, "", "the whole file", codes, state, what)
        for finding in findings:
            codes = tuple(code for code in finding.languages if (finding.state, code) not in whole)
            if codes:
                yield replace(finding, languages=codes)


def difference(then: str, now: str, language: str) -> str:
    """What changed, sentence by sentence: paragraphs are single long lines."""
    sentences = [re.split(r"\n+|(?<=[.!?:]) +", text) for text in (then, now)]
    lines = list(difflib.unified_diff(*sentences, n=0, lineterm=""))
    if not lines:
        return f"    {language}: line breaks alone"
    return "\n".join(f"    {language} {line}" for line in lines[2:] if not line.startswith("@@"))
