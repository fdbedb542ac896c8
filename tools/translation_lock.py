"""The lock: every translated text as a person last confirmed it in all languages together, in `book/lock`.

It keeps the texts and not only their hashes: what changed can then be shown in a checkout without history, and a
commit that confirms a passage shows a reviewer its languages one below the other. One file per source, one entry per
text, one line per line, so that two people who work on two passages do not meet.
"""

import json
from pathlib import Path

LOCK = Path("book/lock")


def read_lock(root: Path) -> dict[str, dict[str, str]]:
    """The confirmed texts of the project in folder `root`: name of the text, then language.

    Raises:
        ValueError: a file of the lock is not what `write_lock` wrote, as with the marks of a merge conflict.
    """
    folder = root / LOCK
    confirmed = {}
    for path in sorted(folder.rglob("*.json")):
        source = path.relative_to(folder).with_suffix("").as_posix()
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(
                f"{path.relative_to(root)}, line {error.lineno}, can not be read. After a merge conflict keep either "
                "side of it: what differs from the pages is then asked for again."
            ) from None
        for key, texts in entries.items():
            confirmed[f"{source}#{key}"] = {code: "\n".join(lines) for code, lines in texts.items()}
    return confirmed


def write_lock(root: Path, confirmed: dict[str, dict[str, str]]) -> None:
    """Write the lock of the project in folder `root`; a file without any text left is removed."""
    folder = root / LOCK
    sources = {}
    for name, texts in confirmed.items():
        source, key = name.split("#", 1)
        sources.setdefault(source, {})[key] = {code: text.split("\n") for code, text in texts.items()}
    for source, entries in sources.items():
        path = folder / f"{source}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for path in folder.rglob("*.json"):
        if path.relative_to(folder).with_suffix("").as_posix() not in sources:
            path.unlink()
