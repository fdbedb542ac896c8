"""Sphinx extension of the book: equal anchors in every language, language switcher, furniture, formulas, search."""

from typing import Any

from sphinx.application import Sphinx

from . import (
    explorers,
    failing_page,
    furniture,
    glossary_page,
    katex_rendering,
    page_header,
    reference_style,
    search_without_accents,
    section_anchors,
    take_home_list,
)


def setup(app: Sphinx) -> dict[str, Any]:
    for part in (
        failing_page,
        section_anchors,
        katex_rendering,
        furniture,
        page_header,
        explorers,
        glossary_page,
        search_without_accents,
        reference_style,
        take_home_list,
    ):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
