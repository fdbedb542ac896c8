"""The weight of the front end, and what it may load."""

import gzip
import re

from attention_book.explorers.bundle import FRONT_END, bundle, explorer_names
from attention_book.plots import COLORS

LARGEST = 40_000
FORBIDDEN = r"\bfetch\(|XMLHttpRequest|import\(|innerHTML|outerHTML|insertAdjacentHTML|eval\("


def test_all_explorers_together_are_at_most_40_kb_gzipped():
    from book_extension import explorers

    assert len(gzip.compress(explorers.script().encode())) <= LARGEST


def test_each_module_is_in_the_bundle_once():
    script = bundle("shell", *explorer_names())
    for path in FRONT_END.glob("*.js"):
        first_line = path.read_text(encoding="utf-8").splitlines()[0]
        assert script.count(first_line) == 1, path.name


def test_front_end_imports_only_its_own_modules_and_fetches_nothing():
    for path in FRONT_END.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("import"):
                assert re.fullmatch(r'import \{[^}]*\} from "\./\w+\.js";', line), (path.name, line)
        assert not re.search(FORBIDDEN, text), path.name


def test_colors_are_those_of_the_figures():
    css = (FRONT_END / "explorers.css").read_text(encoding="utf-8")
    light = css.split("}")[0]
    for quantity, color in COLORS.items():
        assert f"--{quantity}: {color};" in light
