"""JupyterLab's shortcuts for a focused element leave the explorers' keys alone."""

import pytest
from examples import EXAMPLES
from explorer_page import page_of


@pytest.mark.slow
def test_whatever_has_the_focus_is_marked_for_jupyterlab(explorer, open_page):
    page = open_page(page_of(EXAMPLES[explorer].make().to_html()))
    marks = page.evaluate(
        """() => [...document.querySelectorAll(".explorer :is(input, button, [tabindex])")]
            .filter((element) => (element.focus(), document.activeElement === element))
            .map((element) => element.hasAttribute("data-lm-suppress-shortcuts"))"""
    )
    assert len(marks) > 5
    assert all(marks)
