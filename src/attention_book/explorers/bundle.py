"""One script from the small JavaScript modules in `front_end`: imports are followed, nothing is minified or rewritten.

Only the standard library is used: the site is built with this file where the rest of the package can not be imported.
"""

import re
from pathlib import Path

FRONT_END = Path(__file__).parent / "front_end"
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:const|function|class) )", re.M)


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
    return "\n".join(EXPORT.sub("", IMPORT.sub("", source(name))) for name in order)


def source(name: str) -> str:
    return (FRONT_END / f"{name}.js").read_text(encoding="utf-8")


def explorer_names() -> list[str]:
    """The modules that are explorers: those that export a constant `explorer_…`."""
    names = sorted(path.stem for path in FRONT_END.glob("*.js"))
    return [name for name in names if f"export const explorer_{name} " in source(name)]


def styles() -> str:
    return (FRONT_END / "explorers.css").read_text(encoding="utf-8")
