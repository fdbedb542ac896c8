"""Figures tell the browser their size before they are loaded, so that the text does not move when they come."""

import re
from pathlib import Path

IMAGE = re.compile(r'<img\b(?![^>]*\bwidth=)[^>]*?\bsrc="([^":]+\.svg)"[^>]*?(?=\s*/?>)')
PIXELS = {"pt": 4 / 3, "px": 1.0, "": 1.0}


def size_of(svg: str) -> tuple[int, int] | None:
    """Width and height in pixels that the drawing asks for itself; None if it asks for none."""
    opening = re.search(r"<svg\b[^>]*>", svg)[0]
    sizes = [re.search(rf'\s{side}="([\d.]+)(pt|px|)"', opening) for side in ("width", "height")]
    return tuple(round(float(size[1]) * PIXELS[size[2]]) for size in sizes) if all(sizes) else None


def with_figure_sizes(html: str, folder: Path) -> str:
    """Write sizes into the page in `folder`; figures after the first are loaded when the reader comes near them."""
    seen = 0

    def complete(match: re.Match) -> str:
        nonlocal seen
        seen += 1
        size = size_of((folder / match[1]).read_text(encoding="utf-8"))
        attributes = f' width="{size[0]}" height="{size[1]}"' if size else ""
        return match[0] + attributes + (' loading="lazy"' if seen > 1 else "")

    return IMAGE.sub(complete, html)
