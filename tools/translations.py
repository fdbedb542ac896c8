"""Show which translations are not in step, or record that they are: `python tools/translations.py [--confirm NAMES]`.

NAMES is `all`, or one or more of `05_attention_scores` (a page, a README, a file of messages) and
`05_attention_scores#softmax-by-hand` (one text of it), as the table writes them.
"""

import argparse
import difflib
import shutil
import sys
from collections import Counter
from pathlib import Path

from tabulate import tabulate

from book_pages import ROOT, languages
from translated_texts import TranslatedText, read_texts
from translation_lock import LOCK, read_lock, write_lock
from translation_states import Finding, State, not_in_step


def report(root: Path) -> str:
    """The table: what is in step counted per source, what is not named with what to do, then what changed."""
    texts, confirmed, codes = read_texts(root), read_lock(root), languages(root)
    found = not_in_step(texts, confirmed, codes)
    rows = []
    for source in dict.fromkeys([text.source for text in texts.values()] + [finding.source for finding in found]):
        own = [finding for finding in found if finding.source == source]
        names = [name for name, text in texts.items() if text.source == source]
        whole_file = any(not finding.key for finding in own)
        in_step = 0 if whole_file else len(set(names) - {finding.name for finding in own})
        rows.append([source, f"{in_step} of {len(names)}", ", ".join(codes), "in step", ""])
        rows += [["", f.key or "(whole file)", ", ".join(f.languages), str(f.state), f.advice] for f in own]
    width = max(40, shutil.get_terminal_size((160, 24)).columns - 90)
    table = tabulate(
        rows, ["chapter", "cell", "language", "state", "what to do"], maxcolwidths=[None, None, None, None, width]
    )
    changes = [f"{finding.name}\n{finding.changes}" for finding in found if finding.changes]
    return "\n\n".join([table, *changes, _summary(texts, found)])


def _summary(texts: dict[str, TranslatedText], found: list[Finding]) -> str:
    if not found:
        return f"All {len(texts)} texts are in step in every language."
    counts = Counter(str(finding.state) for finding in found)
    return (
        f"Not in step: {', '.join(f'{number} {state}' for state, number in counts.items())}. "
        "`make test` fails until each is mended or confirmed with make translations CONFIRM=…"
    )


def confirm(root: Path, selection: str) -> tuple[bool, str]:
    """Record the texts that `selection` names as they stand in the files now; gives success and what to say.

    A text that a language lacks is refused: there is nothing of it to confirm.
    """
    texts, confirmed, codes = read_texts(root), read_lock(root), languages(root)
    names = list(dict.fromkeys([*texts, *confirmed]))
    chosen, unknown = [], []
    for part in selection.split():
        matching = [name for name in names if part in ("all", name, name.split("#")[0])]
        chosen += matching
        unknown += [] if matching else [part]
    if unknown:
        known = [*names, *dict.fromkeys(name.split("#")[0] for name in names), "all"]
        near = [name for part in unknown for name in difflib.get_close_matches(part, known, n=3)]
        hint = f" Near it: {', '.join(near)}." if near else " `make translations` shows the names."
        return False, f"Nothing is called {', '.join(unknown)}; nothing was recorded.{hint}"
    places = {*chosen, *(name.split("#")[0] for name in chosen)}
    missing = [
        str(finding)
        for finding in not_in_step(texts, confirmed, codes)
        if finding.state is State.MISSING and finding.name in places
    ]
    if missing:
        return False, "Nothing was recorded: what is missing can not be confirmed.\n" + "\n".join(missing)
    updated = {}
    for name in names:
        if name in chosen and name in texts:
            updated[name] = {code: texts[name].by_language[code] for code in codes}
        elif name not in chosen and name in confirmed:
            updated[name] = confirmed[name]
    changed = [name for name in chosen if updated.get(name) != confirmed.get(name)]
    write_lock(root, updated)
    if not changed:
        return True, f"Nothing to record: {len(chosen)} texts were in step already."
    return True, f"Recorded {len(changed)} of {len(chosen)} texts. Next: commit {LOCK} together with the pages."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--confirm", metavar="NAMES", help="record the texts as in step in every language")
    selection = parser.parse_args().confirm
    try:
        if selection is None:
            print(report(ROOT))
            return 0
        done, said = confirm(ROOT, selection)
    except (ValueError, FileNotFoundError) as error:
        print(error)
        return 1
    print(said)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
