"""Python may give an open explorer another sentence: what is shown follows, with as many sliders and numbers."""

import pytest
import torch
from examples import EXAMPLES, draw, square_matrices
from explorer_page import button, cell, get_state, numbers_on, page_of, set_state

from attention_book.language import message

pytestmark = pytest.mark.slow

GENERATOR = torch.Generator().manual_seed(4)
WORDS = ["the", "cat", "sleeps"]
TABLE = {
    "tokens": WORDS,
    "token_ids": [3, 0, 1],
    "vocabulary": ["cat", "sleeps", "dog", "the"],
    "embedding_matrix": draw(GENERATOR, 4, 6).tolist(),
}
SCORES = draw(GENERATOR, 3, 3).tolist()
WEIGHTS = square_matrices(GENERATOR, 6, "W_Q", "W_K", "W_V")
PROJECTED = {**TABLE, **WEIGHTS, "num_heads": 2, "head": 1, "matrix": "query"}
STATES = {
    "softmax": {"tokens": WORDS, "scores": SCORES[0], "temperature": 1.0, "d_k": 16, "scale": True},
    "attention_row": {"tokens": WORDS, "scores": SCORES, "query": 2},
    "context": {"tokens": WORDS, "weights": [0.5, 0.25, 0.25], "values": draw(GENERATOR, 3, 6).tolist()},
    "mask": {
        "tokens": WORDS,
        "scores": SCORES,
        "mask": [[True, False, True]] * 3,
        "preset": "custom",
        "masking": "before",
        "empty_row": "zeros",
    },
    "look_up": {**TABLE, "query": 1},
    "heads": {**PROJECTED, "transpose_split": True, "transpose_join": True},
    "fused_projection": {**PROJECTED, "linear": True},
    "walk_through": {
        **PROJECTED,
        **square_matrices(GENERATOR, 6, "W_O"),
        "query": 2,
        "mask": "none",
        "step": "query",
    },
}
ROWS = ("weights", "query.1", "query", "fused", "values", "one_hot", "embeddings")


@pytest.mark.parametrize("explorer", STATES)
def test_shorter_sentence_is_shown_whole(explorer, open_page):
    example, state = EXAMPLES[explorer], STATES[explorer]
    page = open_page(page_of(example.make().to_html()))
    set_state(page, state)
    shown, right = numbers_on(page), example.numbers(state)
    assert shown == pytest.approx({ref: right[ref] for ref in shown}, abs=1e-6)
    rows = {ref.split("/")[1] for ref in right if ref.split("/")[0] in ROWS}
    assert rows and rows <= {ref.split("/")[1] for ref in shown}
    # The old sentence has gone altogether.
    text = page.locator(".explorer .body").inner_text() + page.locator(".explorer .controls").first.inner_text()
    assert "favorite" not in text
    assert all(word in text for word in WORDS)


@pytest.mark.parametrize("explorer", ["softmax", "attention_row", "context"])
def test_each_token_has_a_slider_that_moves_its_number(explorer, open_page):
    page = open_page(page_of(EXAMPLES[explorer].make().to_html()))
    state = STATES[explorer]
    set_state(page, state)
    sliders = page.locator("td input")
    assert sliders.count() == 3
    for place, word in enumerate(WORDS):
        assert word in sliders.nth(place).get_attribute("aria-label")
    trait = "weights" if explorer == "context" else "scores"
    sliders.last.focus()
    page.keyboard.press("ArrowRight")
    assert get_state(page, trait) != state[trait]
    # The new sentence is where the explorer starts again.
    page.locator(".reset").click()
    assert get_state(page, trait) == state[trait]


def test_longer_sentence_after_a_state_that_does_not_go_together(open_page):
    """A kernel sends one trait after the other: in between the old picture stays."""
    page = open_page(page_of(EXAMPLES["softmax"].make().to_html()))
    words = [f"word{place}" for place in range(7)]
    set_state(page, {"tokens": words})
    assert page.get_by_role("alert").is_visible()
    assert page.locator("td input").count() == 5
    set_state(page, {"scores": [0.1 * place for place in range(7)]})
    assert not page.get_by_role("alert").is_visible()
    assert page.locator("td input").count() == 7
    assert numbers_on(page)["inputs/6/0"] == pytest.approx(0.6)


def test_only_numbers_of_heads_that_divide_the_new_d_model_are_offered(open_page):
    page = open_page(page_of(EXAMPLES["walk_through"].make().to_html()))
    set_state(page, STATES["walk_through"])
    offered = page.get_by_role("group", name="heads", exact=True).locator("button")
    assert offered.all_inner_texts() == ["1", "2"]


@pytest.mark.parametrize("explorer", ["walk_through", "heads", "fused_projection"])
def test_number_of_heads_set_in_python_is_offered_and_chosen(explorer, open_page):
    page = open_page(page_of(EXAMPLES[explorer].make().to_html()))
    set_state(page, {"num_heads": 8, "head": 7})
    assert button(page, "heads", "8").get_attribute("aria-pressed") == "true"
    assert button(page, message(f"explorers_{explorer}.head"), "7").get_attribute("aria-pressed") == "true"
    assert not page.get_by_role("alert").is_visible()


@pytest.mark.parametrize("explorer", ["walk_through", "heads", "fused_projection"])
def test_number_of_heads_chosen_by_the_reader_keeps_the_focus(explorer, open_page):
    page = open_page(page_of(EXAMPLES[explorer].make().to_html()))
    other = button(page, "heads", "4" if explorer == "walk_through" else "2")
    other.focus()
    page.keyboard.press("Enter")
    assert get_state(page, "num_heads") == int(other.inner_text())
    assert other.evaluate("(button) => button === document.activeElement")
    # Python repeats what the page has said, and sets something else: the view stays.
    set_state(page, {"num_heads": int(other.inner_text()), "head": 1})
    assert other.evaluate("(button) => button === document.activeElement")


def test_sum_of_many_terms_begins_with_a_few_and_opens(open_page):
    page = open_page(page_of(EXAMPLES["walk_through"].make().to_html()))
    wide = {
        **square_matrices(GENERATOR, 24, *WEIGHTS, "W_O"),
        "embedding_matrix": draw(GENERATOR, 4, 24).tolist(),
        "num_heads": 1,
        "head": 0,
    }
    set_state(page, {**STATES["walk_through"], **wide})
    operands = page.locator(".operand")
    refs = [ref for k in range(24) for ref in (f"embeddings/2/{k}", f"W_Q.0/{k}/0")]
    followed = "(operands) => operands.map((operand) => operand.dataset.operand)"
    cell(page, "query.0/2/0").click()
    assert operands.evaluate_all(followed) == refs[:20]
    assert page.locator(".arithmetic").inner_text().endswith("…")
    page.get_by_role("button", name="14 more terms", exact=True).focus()
    page.keyboard.press("Enter")
    assert operands.evaluate_all(followed) == refs
    assert "…" not in page.locator(".arithmetic").inner_text()
    page.wait_for_function("() => ![...document.querySelectorAll('.operand')].some((o) => !o.ariaLabel)")
    # Open it stays, from number to number, until it is closed.
    cell(page, "query.0/1/0").click()
    assert operands.count() == 48
    page.get_by_role("button", name="Only the first 10 terms", exact=True).click()
    assert operands.count() == 20
    # A sum that is short enough needs no button.
    set_state(page, {"step": "products", "num_heads": 2})
    cell(page, "products.0/2/0").click()
    assert operands.count() == 24 and not page.locator(".more").is_visible()


def test_softmax_over_many_tokens_begins_with_a_few_and_is_still_a_fraction(open_page):
    words = [f"word{place}" for place in range(20)]
    page = open_page(page_of(EXAMPLES["softmax"].make().to_html()))
    set_state(page, {"tokens": words, "scores": [0.1 * place for place in range(20)]})
    cell(page, "weights/0/0").click()
    assert page.locator(".arithmetic").inner_text().endswith("+ … )")
    page.get_by_role("button", name="11 more terms", exact=True).click()
    assert page.locator(".operand").count() == 21
    assert page.locator(".arithmetic").inner_text().endswith(")")
