"""One script from the small JavaScript modules in `front_end`: imports are followed.

Comments that have lines of their own and indentation are left out: a fifth of what a reader would load. Nothing else
is rewritten.

Only the standard library is used: the site is built with this file where the rest of the package can not be imported.
"""

import re
from pathlib import Path

FRONT_END = Path(__file__).parent / "front_end"
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:const|function|class) )", re.M)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.M)
INDENTATION = re.compile(r"^[ \t]+", re.M)


def bundle(*names: str) -> str:
    """The modules `names` and all that they import, each once and after what it needs; their names become one scope."""
    order: list[str] = []

    def place(name: str) -> None:
        if name in order:
            return
        for needed in IMPORT.findall(source(name)):
            place(needed)
        order.append(name)

    for name in names:
        place(name)
    return "".join(EXPORT.sub("", IMPORT.sub("", code_of(source(name)))) for name in order)


def code_of(text: str) -> str:
    """JavaScript without comments and indentation; no text in it may go over more than one line."""
    return INDENTATION.sub("", COMMENT.sub("", text))


def source(name: str) -> str:
    return (FRONT_END / f"{name}.js").read_text(encoding="utf-8")


def explorer_names() -> list[str]:
    """The modules that are explorers: those that export a constant `explorer_…`."""
    names = sorted(path.stem for path in FRONT_END.glob("*.js"))
    return [name for name in names if f"export const explorer_{name} " in source(name)]


def styles() -> str:
    return (FRONT_END / "explorers.css").read_text(encoding="utf-8")
