"""Two vectors in the plane, dragged by mouse, finger and arrow keys."""

import math

import pytest
from explorer_page import PHONE, get_state, middle_of, numbers_on, page_of, set_state, text_of_explanation, touch_drag

from attention_book import use_language
from attention_book.explorers import DotProductExplorer, InvalidState


def tip(page, vector: str):
    return page.get_by_role("slider", name=f"Tip of the {vector}")


def test_product_and_angle_follow_the_vectors():
    explorer = DotProductExplorer()
    assert explorer.product == 4.0
    assert explorer.angle == pytest.approx(math.degrees(math.acos(0.8)))
    explorer.key = [-1, 2]
    assert (explorer.product, explorer.angle) == (0.0, 90.0)
    explorer.key = [-4, -2]
    assert (explorer.product, explorer.angle) == (-10.0, 180.0)


def test_nearly_parallel_vectors_keep_their_angle():
    assert DotProductExplorer([1.0, 0.0], [1.0, 1e-9]).angle == pytest.approx(math.degrees(1e-9), rel=1e-9)


def test_zero_vector_has_a_product_and_no_angle():
    explorer = DotProductExplorer(key=[0, 0])
    assert (explorer.product, explorer.angle) == (0.0, None)
    assert "<td>—</td>" in explorer.to_html()


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"key": [1.0, 2.0, 3.0]}, "key must have 2 numbers, got 3; the plane has two axes"),
        ({"query": [1.0]}, "query must have 2 numbers, got 1"),
        ({"query": [[1.0, 2.0]]}, r"query must have shape \(place,\), got \(1, 2\)"),
        ({"key": [1.0, float("nan")]}, "key must be finite"),
        ({"key": "up"}, "key must be numbers"),
    ],
)
def test_bad_state_gets_a_clear_sentence(state, sentence):
    with pytest.raises(InvalidState, match=sentence):
        DotProductExplorer(**state)


@pytest.fixture
def page(open_page):
    return open_page(page_of(DotProductExplorer().to_html()))


def point(page, x: float, y: float) -> tuple[float, float]:
    """Where (x, y) is in the window: the axes run from −4 to 4 and a little farther."""
    box = page.locator(".vectors svg").bounding_box()
    span = 4 * 1.12
    return box["x"] + (1 + x / span) * box["width"] / 2, box["y"] + (1 - y / span) * box["height"] / 2


@pytest.mark.slow
class TestOnThePage:
    def test_mouse_drags_a_tip(self, page):
        page.mouse.move(*point(page, 1, 2))
        page.mouse.down()
        page.mouse.move(*point(page, -2, 1.5), steps=5)
        page.mouse.up()
        assert get_state(page, "key") == [-2, 1.5]
        assert get_state(page, "query") == [2, 1]
        assert numbers_on(page)["product/0/0"] == pytest.approx(-2.5)
        page.mouse.move(*point(page, 3, 3))
        assert get_state(page, "key") == [-2, 1.5]

    def test_tip_stays_inside_the_picture(self, page):
        page.mouse.move(*point(page, 2, 1))
        page.mouse.down()
        page.mouse.move(*point(page, 9, -7), steps=3)
        page.mouse.up()
        assert get_state(page, "query") == [4, -4]

    def test_finger_on_a_phone_drags_a_tip_and_the_page_stays(self, open_page):
        page = open_page(page_of(DotProductExplorer().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        tip(page, "query q").scroll_into_view_if_needed()
        scrolled = page.evaluate("() => scrollY")
        touch_drag(page, point(page, 2, 1), point(page, 1, -3))
        assert get_state(page, "query") == [1, -3]
        assert page.evaluate("() => scrollY") == scrolled
        assert min(tip(page, "key k").bounding_box()[side] for side in ("width", "height")) >= 24

    def test_arrow_keys_move_a_tip_by_a_tenth_and_with_shift_by_one(self, page):
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.ariaLabel") == "Tip of the key k":
                break
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Shift+ArrowDown")
        assert get_state(page, "key") == [0.9, 1.1]
        handle = tip(page, "key k")
        assert handle.get_attribute("aria-valuetext") == "(0.90, 1.10), q · k = 2.90"
        ring = handle.locator(".ring").evaluate("(ring) => getComputedStyle(ring).strokeWidth")
        assert ring == "3px"

    def test_keyboard_alone_follows_the_product_to_the_coordinates(self, page):
        page.locator('td[data-ref="by_angle/0/0"]').focus()
        page.keyboard.press("Enter")
        for _ in range(3):
            page.keyboard.press("End")
            page.keyboard.press("Enter")
        assert "θ_q" in text_of_explanation(page)
        page.keyboard.press("Enter")
        assert "q[1]" in text_of_explanation(page)

    @pytest.mark.parametrize(
        ("button", "angle", "product", "verdict"),
        [
            ("same direction", 0, 5, "smaller than 90°"),
            ("right angle", 90, 0, "At a right angle"),
            ("opposite", 180, -5, "larger"),
        ],
    )
    def test_key_can_be_turned_and_keeps_its_length(self, page, button, angle, product, verdict):
        page.get_by_role("button", name=button).click()
        numbers = numbers_on(page)
        assert numbers["angle/0/0"] == pytest.approx(angle)
        assert numbers["product/0/0"] == pytest.approx(product)
        assert numbers["by_angle/0/0"] == pytest.approx(product, abs=1e-12)
        assert numbers["length_k/0/0"] == pytest.approx(5**0.5)
        assert verdict in page.locator(".verdict").inner_text()
        assert page.get_by_role("button", name=button).get_attribute("aria-pressed") == "true"

    def test_angle_beyond_180_degrees_between_directions_goes_the_short_way(self, page):
        set_state(page, {"query": [-1, 0.1], "key": [-1, -0.1]})
        page.locator('td[data-ref="angle/0/0"]').click()
        assert numbers_on(page)["angle/0/0"] == pytest.approx(2 * math.degrees(math.atan(0.1)))
        assert "360" in page.locator(".arithmetic").inner_text()

    @pytest.mark.parametrize("zero", ["query", "key"])
    def test_zero_vector_has_no_angle_and_says_so(self, page, zero):
        set_state(page, {zero: [0, 0]})
        assert numbers_on(page)["product/0/0"] == 0
        angle = page.locator('td[data-ref="angle/0/0"]')
        assert angle.inner_text() == "—"
        angle.click()
        assert "Without a direction there is no angle" in text_of_explanation(page)
        assert "no direction" in page.locator(".verdict").inner_text()
        assert "NaN" not in page.locator(".explorer").inner_html().replace('data-value="NaN"', "")
        tip(page, f"{zero} {zero[0]}").press("ArrowUp")
        assert get_state(page, zero) == [0, 0.1]
        assert angle.inner_text() != "—"

    def test_large_vectors_are_brought_into_the_picture(self, page):
        set_state(page, {"query": [300, -20]})
        assert tip(page, "query q").get_attribute("aria-valuemax") == "512"
        svg, (x, y) = page.locator(".vectors svg").bounding_box(), middle_of(tip(page, "query q"))
        assert svg["x"] < x < svg["x"] + svg["width"] and svg["y"] < y < svg["y"] + svg["height"]

    @pytest.mark.parametrize("state", [{"key": [1, 2, 3]}, {"query": [None, 1]}, {"query": []}])
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(
        ("language", "caption"), [("pt", "Produto escalar e ângulo"), ("es", "Producto escalar y ángulo")]
    )
    def test_tables_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(DotProductExplorer().to_html(), language), java_script_enabled=False)
        vectors, results = page.locator("table").all()
        assert vectors.locator("tr").last.inner_text().split() == ["k", "1.00", "2.00", "2.24"]
        assert results.locator("caption").inner_text() == caption
        assert results.locator("td").all_inner_texts() == ["4.00", "36.87"]
