"""The mixture of values: weights that always sum to 1, by mouse, touch and keyboard."""

import pytest
import torch
import traitlets
from examples import EXAMPLES
from explorer_page import PHONE, get_state, middle_of, numbers_on, page_of, set_state, text_of_explanation, touch_drag

from attention_book import use_language
from attention_book.explorers import ContextExplorer, InvalidState

ROW = [0.2, 0.3, 0.5]
VALUES = [[1.0, 0.0], [0.0, 1.0], [-1.0, 2.0]]
TOKENS = ["one", "two", "three"]


def explorer(**state) -> ContextExplorer:
    return ContextExplorer(**{"weights": ROW, "values": VALUES, "tokens": TOKENS, **state})


def slider(page, token: str):
    return page.get_by_role("slider", name=f"Weight of {token}", exact=True)


def test_context_follows_the_weights():
    example = explorer()
    assert example.context == pytest.approx([-0.3, 1.3])
    example.weights = torch.tensor([1.0, 0.0, 0.0])
    assert example.context == [1.0, 0.0]


def test_weights_can_be_linked():
    example, other = explorer(), explorer(weights=[1, 0, 0])
    traitlets.link((example, "weights"), (other, "weights"))
    example.weights = [0.0, 0.5, 0.5]
    assert other.context == pytest.approx([-0.5, 1.5])


def test_weights_in_half_precision_are_taken():
    weights = torch.randn(12, generator=torch.Generator().manual_seed(1)).half().softmax(dim=-1)
    explorer(weights=weights, values=torch.ones(12, 3).half(), tokens=list("abcdefghijkl"))


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"weights": [0.5, 0.6, 0.2]}, r"weights must sum to 1, got 1\.3000; divide by the sum"),
        ({"weights": [1.5, -0.5, 0.0]}, r"weights must not be negative, got -0\.5; use scores\.softmax"),
        ({"weights": [float("nan"), 0.5, 0.5]}, "weights must be finite"),
        ({"weights": [0.5, 0.5]}, "weights has 2 numbers, values 3 rows, tokens 3; one weight and one row per token"),
        ({"weights": [ROW]}, r"weights must have shape \(key,\), got \(1, 3\)"),
        ({"values": [1.0, 2.0, 3.0]}, r"values must have shape \(key, d_v\), got \(3,\)"),
        ({"values": [[1.0], [float("inf")], [0.0]]}, "values must be finite"),
        ({"tokens": []}, "tokens must hold at least one token"),
    ],
)
def test_bad_state_gets_a_clear_sentence(state, sentence):
    with pytest.raises(InvalidState, match=sentence):
        explorer(**state)


@pytest.fixture
def page(open_page):
    return open_page(page_of(explorer().to_html()))


@pytest.mark.slow
class TestOnThePage:
    def test_arrow_key_moves_one_weight_and_rescales_the_others(self, page):
        slider(page, "one").focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        assert get_state(page, "weights") == pytest.approx([0.4, 0.225, 0.375])
        assert numbers_on(page)["context/0/1"] == pytest.approx(0.975)

    def test_mouse_drag_keeps_the_sum_and_the_proportion_of_the_others(self, page):
        thumb = slider(page, "two")
        box = thumb.bounding_box()
        page.mouse.move(box["x"] + 8 + 0.3 * (box["width"] - 16), box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] + 30, box["y"] + box["height"] / 2, steps=6)
        assert get_state(page, "weights") == [0, 1, 0]
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        page.mouse.up()
        first, second, third = get_state(page, "weights")
        assert second == pytest.approx(0.5, abs=0.03)
        assert first + second + third == pytest.approx(1, abs=1e-12)
        # The way back from 1 finds the old proportion, 0.2 to 0.5.
        assert first / third == pytest.approx(0.4)

    def test_one_hot_weights_can_be_left_again(self, page):
        page.get_by_role("button", name="three", exact=True).click()
        slider(page, "three").press("ArrowLeft")
        assert get_state(page, "weights") == pytest.approx([0.005, 0.005, 0.99])

    def test_buttons_set_equal_one_hot_and_first_weights(self, page):
        page.get_by_role("button", name="all equal").click()
        assert get_state(page, "weights") == pytest.approx([1 / 3] * 3)
        page.get_by_role("button", name="two", exact=True).click()
        assert get_state(page, "weights") == [0, 1, 0]
        assert [numbers_on(page)[f"context/0/{j}"] for j in range(2)] == VALUES[1]
        assert page.get_by_role("button", name="two", exact=True).get_attribute("aria-pressed") == "true"
        page.get_by_role("button", name="as at the start").click()
        assert get_state(page, "weights") == ROW

    def test_number_of_the_context_explains_itself_and_lights_its_column(self, page):
        page.locator('td[data-ref="context/0/1"]').click()
        assert "context[1]" in text_of_explanation(page)
        operands = page.locator(".explanation .operand").all_inner_texts()
        assert operands == ["0.20", "0.00", "0.30", "1.00", "0.50", "2.00"]
        lit = page.evaluate("() => [...document.querySelectorAll('.body td.lit')].map((cell) => cell.dataset.ref)")
        assert sorted(lit) == sorted([f"weights/0/{i}" for i in range(3)] + [f"values/{i}/1" for i in range(3)])

    def test_keyboard_alone_reaches_every_control_and_number(self, page):
        seen = set()
        for _ in range(30):
            page.keyboard.press("Tab")
            seen.add(page.evaluate("() => document.activeElement.ariaLabel ?? document.activeElement.textContent"))
        assert {f"Weight of {token}" for token in TOKENS} | {"all equal", *TOKENS} <= seen
        page.locator('td[data-ref="values/0/0"]').focus()
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        assert page.evaluate("() => document.activeElement.dataset.ref") == "context/0/0"
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert "weights[0]" in text_of_explanation(page)
        page.keyboard.press("Backspace")
        assert "context[0]" in text_of_explanation(page)

    def test_finger_on_a_phone_moves_a_weight(self, open_page):
        page = open_page(page_of(EXAMPLES["context"].make().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        thumb = slider(page, "is")
        thumb.scroll_into_view_if_needed()
        box, (_, y) = thumb.bounding_box(), middle_of(thumb)
        touch_drag(page, (box["x"] + 10, y), (box["x"] + 0.7 * box["width"], y))
        weights = get_state(page, "weights")
        assert weights[1] == pytest.approx(0.7, abs=0.06)
        assert sum(weights) == pytest.approx(1)
        page.locator('td[data-ref="context/0/2"]').tap()
        assert "context[2]" in text_of_explanation(page)

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [({"weights": [0.5, 0.6, 0.2]}, "must sum to 1"), ({"weights": [0.5, None, 0.5]}, "are not finite")],
    )
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state, sentence):
        before = numbers_on(page)
        set_state(page, state)
        assert sentence in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before
        set_state(page, {"weights": ROW})
        assert not page.get_by_role("alert").is_visible()

    def test_one_token_and_one_number_are_enough(self, open_page):
        page = open_page(page_of(explorer(weights=[1.0], values=[[2.0]], tokens=["<b>only</b>"]).to_html()))
        slider(page, "<b>only</b>").press("ArrowLeft")
        assert get_state(page, "weights") == [1]
        assert numbers_on(page)["context/0/0"] == 2

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Valores vezes pesos"), ("es", "Valores por pesos")])
    def test_table_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(explorer().to_html(), language), java_script_enabled=False)
        table = page.locator("table")
        assert table.locator("caption").inner_text().startswith(caption)
        assert table.locator("tr").last.inner_text().split() == ["contexto", "−0.30", "1.30"]
