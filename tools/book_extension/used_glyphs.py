"""Fonts cut to the characters that the pages show in them."""

import io
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import tinycss2
from fontTools import subset
from fontTools.ttLib import TTFont

FORMULA = re.compile(r'<span class="katex-html"')
PIECE = re.compile(r'<span(?: class="([^"]*)")?[^>]*>|(</span>)|<[^>]+>|([^<]+)')
ICON = re.compile(r"[\ue000-\uf8ff]")


@dataclass(frozen=True)
class FontFace:
    """An `@font-face` of a style sheet: how rules ask for it, and its file."""

    family: str
    weight: str
    style: str
    address: str

    @property
    def name(self) -> str:
        return Path(self.address).stem

    def rule(self, source: str) -> str:
        return (
            f'@font-face{{font-family:"{self.family}";font-style:{self.style};font-weight:{self.weight};'
            f'font-display:block;src:url({source}) format("woff2")}}'
        )


def read_font_face(rule: tinycss2.ast.AtRule) -> FontFace:
    values = {
        declaration.name: declaration.value
        for declaration in tinycss2.parse_blocks_contents(rule.content, skip_whitespace=True)
        if declaration.type == "declaration"
    }

    def plain(name: str) -> str:
        return " ".join(str(t.value) for t in values[name] if t.type in ("ident", "string")) or tinycss2.serialize(
            values[name]
        )

    source = next(token for token in values["src"] if token.type == "url")
    return FontFace(plain("font-family"), plain("font-weight").strip(), plain("font-style"), source.value)


def formula_texts(html: str) -> set[tuple[frozenset[str], str]]:
    """What rendered formulas show: each text with the classes of the elements around it."""
    found = set()
    for start in FORMULA.finditer(html):
        classes: list[str] = []
        for piece in PIECE.finditer(html, start.start()):
            if piece[2]:
                classes.pop()
                if not classes:
                    break
            elif piece[3]:
                found.add((" ".join(classes), piece[3]))
            elif piece[0].startswith("<span"):
                classes.append(piece[1] or "")
    return {(frozenset(classes.split()), text) for classes, text in found}


class FormulaFonts:
    """Which characters of formulas may be shown in which face, by the rules of KaTeX's style sheet.

    A rule counts if all its classes are somewhere around the text: that finds at least what the browser will show.
    """

    def __init__(self, style: str, texts: Iterable[tuple[frozenset[str], str]]) -> None:
        self.rules: list[tuple[set[str], dict[str, str]]] = []
        for selectors, declarations in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
            values = dict(re.findall(r"(?:^|;)(font-family|font-weight|font-style):([^;]+)", declarations))
            if values and "@font-face" not in selectors:
                for selector in selectors.split(","):
                    if ".katex " in selector:
                        self.rules.append((set(re.findall(r"\.([\w-]+)", selector)) - {"katex"}, values))
        self.characters: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for classes, text in texts:
            values = [values for needed, values in self.rules if needed <= classes]
            families = {"KaTeX_Main"} | {v["font-family"] for v in values if "font-family" in v}
            weights = {"400"} | {v["font-weight"] for v in values if "font-weight" in v}
            styles = {"normal"} | {v["font-style"] for v in values if "font-style" in v}
            for family in families:
                for weight in weights:
                    for style_ in styles:
                        self.characters[family, weight, style_] |= set(text)

    def shown_in(self, face: FontFace) -> set[str]:
        return self.characters.get((face.family, face.weight, face.style), set())


class Font:
    """The font in a woff2 file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def characters(self) -> set[str]:
        with TTFont(self.path) as font:
            return set(map(chr, font.getBestCmap()))

    def cut_to(self, characters: set[str]) -> bytes:
        """The font with the glyphs of these characters only, as woff2."""
        options = subset.Options(hinting=False, notdef_outline=True, name_IDs=[], flavor="woff2")
        cut = io.BytesIO()
        with TTFont(self.path, recalcTimestamp=False) as font:
            subsetter = subset.Subsetter(options)
            subsetter.populate(unicodes=map(ord, characters))
            subsetter.subset(font)
            font.flavor = "woff2"
            font.save(cut)
        return cut.getvalue()
