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
