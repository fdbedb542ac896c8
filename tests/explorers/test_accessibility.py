"""axe finds nothing on a page with an explorer, light and dark, wide and narrow."""

import pytest
from axe_faults import axe_faults
from examples import EXAMPLES
from explorer_page import page_of


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(explorer, theme, width, open_page):
    html = EXAMPLES[explorer].make().to_html()
    page = open_page(page_of(html, theme=theme), viewport={"width": width, "height": 900})
    page.locator(".body td.number").last.click()
    assert axe_faults(page) == []


@pytest.mark.slow
def test_single_text_without_contrast_is_found(open_page):
    page = open_page(page_of(EXAMPLES["walk_through"].make().to_html()))
    page.add_style_tag(content=".explorer .steps .step:last-of-type, .explorer th:last-child { color: #bbb }")
    faults = axe_faults(page)
    assert faults and all(fault.startswith("color-contrast: ") for fault in faults)
    page.add_style_tag(content=".explorer .title { color: #bbb !important }")
    assert len(axe_faults(page)) == len(faults) + 1
