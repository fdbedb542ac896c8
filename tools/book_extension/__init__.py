"""Sphinx extension of the book: equal anchors and words of the language everywhere, formulas, search, light pages."""

from typing import Any

from sphinx.application import Sphinx

from . import (
    explorers,
    failing_page,
    front_end_bundle,
    furniture,
    glossary_page,
    katex_rendering,
    page_header,
    reference_style,
    search_index,
    section_anchors,
    social_cards,
    take_home_list,
    unbroken_shapes,
)


def setup(app: Sphinx) -> dict[str, Any]:
    for part in (
        failing_page,
        section_anchors,
        katex_rendering,
        furniture,
        page_header,
        social_cards,
        explorers,
        glossary_page,
        reference_style,
        take_home_list,
        unbroken_shapes,
        front_end_bundle,
        search_index,
    ):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
