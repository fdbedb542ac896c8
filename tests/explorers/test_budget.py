"""The weight of the front end, what it may load, and its colors."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest

from attention_book.explorers.bundle import FRONT_END, bundle, explorer_names
from attention_book.plots import COLORS
from book_extension.explorers import HOST

LARGEST = 40_000
SITE_CSS = Path(__file__).parents[2] / "book" / "assets" / "site.css"
FORBIDDEN = r"\bfetch\(|XMLHttpRequest|import\(|innerHTML|outerHTML|insertAdjacentHTML|eval\("


def test_all_explorers_together_are_at_most_40_kb_gzipped():
    from book_extension import explorers

    assert len(gzip.compress(explorers.script().encode())) <= LARGEST


def test_each_module_is_in_the_bundle_once():
    script = bundle("shell", *explorer_names())
    for path in FRONT_END.glob("*.js"):
        exported = re.findall(r"^export (.*)", path.read_text(encoding="utf-8"), re.M)
        assert exported, path.name
        for line in exported:
            assert script.splitlines().count(line) == 1, (path.name, line)


def test_only_comments_and_indentation_are_left_out():
    """Line by line, by a rule of its own."""
    names = sorted(path.stem for path in FRONT_END.glob("*.js"))
    code, inside = Counter(), False
    for name in names:
        for line in map(str.strip, (FRONT_END / f"{name}.js").read_text(encoding="utf-8").splitlines()):
            starts = line.startswith("/**")
            if not (inside or starts or line.startswith(("//", "import {")) or not line):
                code[line.removeprefix("export ")] += 1
            inside = (inside or starts) and not line.endswith("*/")
    assert Counter(filter(None, bundle(*names).splitlines())) == code


def test_no_text_of_the_front_end_goes_over_more_than_one_line():
    """Its lines would lose their indentation in the bundle."""
    for path in [*FRONT_END.glob("*.js"), HOST]:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line.count("`") % 2 == 0, (path.name, line)


def test_front_end_imports_only_its_own_modules_and_fetches_nothing():
    for path in FRONT_END.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("import"):
                assert re.fullmatch(r'import \{[^}]*\} from "\./\w+\.js";', line), (path.name, line)
        assert not re.search(FORBIDDEN, text), path.name


def colors_in(css: str, *marks: str) -> dict[str, str]:
    """The colors that the first rule whose selector has all `marks` gives to names."""
    rules = re.findall(r"([^{}]*)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", css, flags=re.S))
    own = next(body for selector, body in rules if all(mark in selector for mark in marks))
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", own))


@pytest.mark.parametrize(("theme", "mark"), [("light", ".explorer-place"), ("dark", '[data-theme="dark"]')])
def test_quantity_has_one_color_on_the_page_in_explorers_and_in_figures(theme, mark):
    site = colors_in(SITE_CSS.read_text(encoding="utf-8"), f'html[data-theme="{theme}"]')
    explorers = colors_in((FRONT_END / "explorers.css").read_text(encoding="utf-8"), mark)
    shared = site.keys() & explorers.keys()
    assert shared == COLORS.keys()
    assert {name: site[name] for name in shared} == {name: explorers[name] for name in shared}
    if theme == "light":
        assert {name: site[name] for name in shared} == COLORS
