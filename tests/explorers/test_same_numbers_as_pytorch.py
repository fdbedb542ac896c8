"""The page computes what PyTorch computes."""

import pytest
import torch
from examples import EXAMPLES
from explorer_page import numbers_on, page_of, set_state

pytestmark = pytest.mark.slow

STATES = 50


def test_numbers_on_the_page_equal_pytorch_in_random_states(explorer, open_page):
    example = EXAMPLES[explorer]
    page = open_page(page_of(example.make().to_html()))
    generator = torch.Generator().manual_seed(7)
    compared = 0
    for _ in range(STATES):
        state = example.random_state(generator)
        set_state(page, state)
        right = example.numbers(state)
        shown = numbers_on(page)
        assert shown, "no numbers on the page"
        for ref, value in shown.items():
            assert value == pytest.approx(right[ref], abs=1e-6, rel=1e-6, nan_ok=True), (ref, state)
        compared += len(shown)
    assert compared >= STATES


def test_number_as_text_is_its_value_with_two_decimals(explorer, open_page):
    page = open_page(page_of(EXAMPLES[explorer].make().to_html()))
    numbers = numbers_on(page)
    cells = page.evaluate(
        "() => [...document.querySelectorAll('.body td.number')].map((cell) => [cell.textContent, cell.dataset.ref])"
    )
    assert cells
    for text, ref in cells:
        assert float(text.replace("−", "-").replace("∞", "inf")) == pytest.approx(numbers[ref], abs=0.00501)
