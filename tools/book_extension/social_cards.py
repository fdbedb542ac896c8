"""The picture that a page shows where its address is shared: its title and the row of *Orange* as arcs."""

import io
import re
from functools import cache
from html import unescape
from pathlib import Path

from docutils import nodes
from font_source_sans_pro import SourceSansPro, SourceSansProSemibold
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo
from sphinx.application import Sphinx

from .furniture import language_of

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN = 80
TEXT_WIDTH = 620
FINER = 2  # drawn larger and made smaller, for smooth edges
NIGHT, WHITE, QUIET = "#17324a", "#ffffff", "#a9c4da"
QUERY, KEYS, ARCS = "#56b4e9", "#f0a04b", "#e8a2cc"
ROW = (0.21, 0.03, 0.05, 0.31, 0.40)
FOLDER = "_static/cards"


def arc(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Points of a curve that leaves and arrives level."""
    (x0, y0), (x1, y1) = start, end
    steps = [step / 300 for step in range(301)]
    return [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * (3 - 2 * t) * t * t) for t in steps]


@cache
def ground() -> Image.Image:
    """The part that all cards share."""
    image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), NIGHT)
    draw = ImageDraw.Draw(image)

    def disc(x: float, y: float, radius: float, color: str) -> None:
        box = [(x - radius) * FINER, (y - radius) * FINER, (x + radius) * FINER, (y + radius) * FINER]
        draw.ellipse(box, fill=color)

    query = (790, HEIGHT / 2)
    keys = [(1080, 115 + 100 * number) for number in range(len(ROW))]
    for key, weight in zip(keys, ROW, strict=True):
        for x, y in arc(query, key):
            disc(x, y, max(3, weight * 50), ARCS)
    for key in keys:
        disc(*key, 30, KEYS)
    disc(*query, 58, QUERY)
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def lines_of(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """The text broken where a line would be too wide."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > TEXT_WIDTH:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fitting(title: str) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The largest letters in which the title fits beside the arcs."""
    for size in range(84, 30, -4):
        font = ImageFont.truetype(SourceSansProSemibold, size)
        lines = lines_of(title, font)
        if len(lines) * size * 1.15 <= HEIGHT - 2 * MARGIN - 60 and all(
            font.getlength(line) <= TEXT_WIDTH for line in lines
        ):
            return font, lines
    raise ValueError(f"too long for a card: {title}")


def draw_card(title: str, book: str) -> bytes:
    """A PNG of 1200 × 630 pixels with the titles of the page and of the book; the file's own title is the page's."""
    image = ground().copy()
    draw = ImageDraw.Draw(image)
    font, lines = fitting(title)
    height = len(lines) * font.size * 1.15
    for number, line in enumerate(lines):
        draw.text((MARGIN, (HEIGHT - 60 - height) / 2 + number * font.size * 1.15), line, WHITE, font)
    if book != title:
        draw.text((MARGIN, HEIGHT - MARGIN), book, QUIET, ImageFont.truetype(SourceSansPro, 32), anchor="ls")
    about = PngInfo()
    about.add_itxt("Title", title)
    png = io.BytesIO()
    image.save(png, "PNG", pnginfo=about)
    return png.getvalue()


def add_card(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    if doctree is None or not app.config.book_offers_languages:
        return
    title = unescape(re.sub(r"<[^>]+>", "", context["title"]))
    card = f"{FOLDER}/{pagename}.png"
    path = Path(app.outdir) / card
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(draw_card(title, language_of(app.config).title))
    base = app.config.html_baseurl
    context["social_card"] = {
        "address": f"{base}{card}" if base else context["pathto"](card, 1),
        "title": title,
        "width": WIDTH,
        "height": HEIGHT,
    }


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_card)
