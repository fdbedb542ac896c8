"""axe finds nothing on a page with an explorer, light and dark, wide and narrow."""

from pathlib import Path

import axe_playwright_python
import pytest
from examples import EXAMPLES
from explorer_page import page_of

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(explorer, theme, width, open_page):
    html = EXAMPLES[explorer].make().to_html()
    page = open_page(page_of(html, theme=theme), viewport={"width": width, "height": 900})
    page.locator(".body td.number").last.click()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("(values) => axe.run({ runOnly: { type: 'tag', values } })", TAGS)
    assert [(fault["id"], node["html"]) for fault in found["violations"] for node in fault["nodes"]] == []
