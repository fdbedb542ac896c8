"""The weights of one query, and the score that gives a moved weight, by mouse, touch and keyboard."""

import pytest
import torch
from examples import EXAMPLE, EXAMPLES, SCORES
from explorer_page import PHONE, get_state, middle_of, numbers_on, page_of, set_state, text_of_explanation, touch_drag

from attention_book import use_language
from attention_book.explorers import AttentionRowExplorer, InvalidState


def explorer(**state) -> AttentionRowExplorer:
    return AttentionRowExplorer(**{"scores": SCORES, "tokens": EXAMPLE.tokens, **state})


def slider(page, token: str):
    return page.get_by_role("slider", name=f"Weight of {token}", exact=True)


def softmax(row: list[float]) -> list[float]:
    return torch.tensor(row, dtype=torch.float64).softmax(dim=-1).tolist()


def test_weights_follow_the_scores():
    example = explorer()
    assert example.weights[0] == pytest.approx([0.21, 0.03, 0.05, 0.31, 0.40])
    example.scores = torch.zeros(5, 5)
    assert example.weights == [[0.2] * 5] * 5


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"scores": SCORES[:3]}, r"scores has shape \(3, 5\), tokens 5 entries; every token is a query and a key"),
        ({"scores": SCORES[0]}, r"scores must have shape \(query, key\), got \(5,\)"),
        ({"scores": SCORES.clone().fill_(float("nan"))}, "scores must be finite"),
        ({"tokens": ["one"]}, r"scores has shape \(5, 5\), tokens 1 entries"),
        ({"query": 5}, "query must be a place from 0 to 4, got 5"),
        ({"query": -1}, "query must be a place from 0 to 4, got -1"),
    ],
)
def test_bad_state_gets_a_clear_sentence(state, sentence):
    with pytest.raises(InvalidState, match=sentence):
        explorer(**state)


def test_refused_query_leaves_the_old_one():
    example = explorer(query=2)
    with pytest.raises(InvalidState):
        example.query = 9
    assert example.query == 2


@pytest.fixture
def page(open_page):
    return open_page(page_of(explorer().to_html()))


@pytest.mark.slow
class TestOnThePage:
    def test_moved_weight_changes_one_score_and_the_others_stay(self, page):
        before = get_state(page, "scores")
        slider(page, "is").focus()
        for _ in range(27):
            page.keyboard.press("ArrowRight")
        after = get_state(page, "scores")
        assert softmax(after[0])[1] == pytest.approx(0.30)
        assert [after[0][k] for k in (0, 2, 3, 4)] == [before[0][k] for k in (0, 2, 3, 4)]
        assert after[1:] == before[1:]
        score = after[0][1]
        assert numbers_on(page)["needed/1/0"] == pytest.approx(score)
        assert slider(page, "is").get_attribute("aria-valuetext") == f"0.30, score {score:.2f}"
        assert f"Score of is: −1.25 → {score:.2f}" in page.locator(".verdict").inner_text()

    def test_score_of_a_moved_weight_is_explained_by_its_logarithm(self, page):
        slider(page, "fruit").press("ArrowLeft")
        assert "score of fruit that gives this weight" in text_of_explanation(page)
        logarithm, constant = page.locator(".explanation .operand").all()
        assert float(logarithm.inner_text().replace("−", "-")) == pytest.approx(-0.94, abs=0.006)
        constant.click()
        assert "constant of the row" in text_of_explanation(page)
        assert page.locator(".explanation .operand").count() == 5
        page.locator(".explanation .operand").first.click()
        assert "scores[0, 0]" in text_of_explanation(page)
        page.get_by_role("button", name="Back").click()
        assert "constant of the row" in text_of_explanation(page)

    def test_sentence_chooses_the_query(self, page):
        page.get_by_role("group", name="Query: choose").get_by_role("button", name="favorite").click()
        assert get_state(page, "query") == 3
        shares = [float(text) for text in page.locator(".share").all_inner_texts()]
        assert shares == pytest.approx(softmax(SCORES[3].tolist()), abs=0.00501)
        assert page.locator("tr.of-query th").all_inner_texts() == ["favorite", "favorite"]
        assert "favorite" in page.locator(".arcs svg").get_attribute("aria-label")

    def test_arcs_are_as_thick_as_the_weights(self, page):
        widths = page.evaluate(
            "() => [...document.querySelectorAll('.arcs path')].map((path) => parseFloat(path.style.strokeWidth))"
        )
        assert [(width - 1) / 15 for width in widths] == pytest.approx(softmax(SCORES[0].tolist()), abs=0.001)

    def test_weight_lights_its_row_of_scores(self, page):
        page.mouse.move(1, 1)  # a pointer that has just appeared has not moved yet
        page.locator('table.square td[data-ref="weights/2/1"]').hover()
        lit = page.evaluate("() => [...document.querySelectorAll('.body .lit')].map((cell) => cell.dataset.ref)")
        assert sorted(set(lit)) == [f"scores/2/{k}" for k in range(5)]
        assert "weights[2, 1]" in text_of_explanation(page)

    def test_mouse_drag_and_start_again(self, page):
        thumb = slider(page, "my")
        box = thumb.bounding_box()
        page.mouse.move(box["x"] + 8 + 0.04 * (box["width"] - 16), box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] + 40, box["y"] + box["height"] / 2, steps=6)
        page.mouse.up()
        assert softmax(get_state(page, "scores")[0])[2] == pytest.approx(0.99)
        page.get_by_role("button", name="Start again").click()
        assert torch.allclose(torch.tensor(get_state(page, "scores")).double(), SCORES, atol=1e-6)

    def test_keyboard_alone_chooses_a_query_moves_a_weight_and_reads_a_number(self, page):
        def tab_to(selector: str) -> None:
            for _ in range(40):
                page.keyboard.press("Tab")
                if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                    return
            raise AssertionError(f"Tab does not reach {selector}")

        tab_to(".words button:nth-child(2)")
        page.keyboard.press("Enter")
        assert get_state(page, "query") == 1
        tab_to("[aria-label='Weight of favorite']")
        page.keyboard.press("End")
        assert softmax(get_state(page, "scores")[1])[3] == pytest.approx(0.99)
        tab_to("table.square td.number")
        page.keyboard.press("ArrowRight")
        assert "scores[0, 1]" in text_of_explanation(page)

    def test_finger_on_a_phone_chooses_and_moves(self, open_page):
        page = open_page(page_of(explorer().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.locator(".words button").nth(4).tap()
        assert get_state(page, "query") == 4
        thumb = slider(page, "is")
        thumb.scroll_into_view_if_needed()
        box, (_, y) = thumb.bounding_box(), middle_of(thumb)
        touch_drag(page, (box["x"] + 10, y), (box["x"] + box["width"] / 2, y))
        assert softmax(get_state(page, "scores")[4])[1] == pytest.approx(0.5, abs=0.08)

    @pytest.mark.parametrize("state", [{"scores": [[0, 1]]}, {"query": 7}, {"scores": [[None] * 5] * 5}])
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_scores_far_apart_and_a_single_token_are_shown(self, open_page):
        page = open_page(page_of(explorer(scores=1000 * SCORES).to_html()))
        slider(page, "Orange").press("ArrowRight")
        assert softmax(get_state(page, "scores")[0])[0] == pytest.approx(0.02, abs=0.0101)
        single = open_page(page_of(explorer(scores=[[3.0]], tokens=["<img src=x onerror=alert(1)>"]).to_html()))
        single.get_by_role("slider").press("ArrowLeft")
        assert numbers_on(single)["weights/0/0"] == 1

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Pontuações e pesos"), ("es", "Puntuaciones y pesos")])
    def test_tables_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(EXAMPLES["attention_row"].make().to_html(), language), java_script_enabled=False)
        row, heat_map = page.locator("table").all()
        assert row.locator("caption").inner_text().startswith(caption)
        assert row.locator("tr").last.inner_text().split() == ["fruit", "1.34", "0.40"]
        assert heat_map.locator("tr").nth(1).inner_text().split()[1:] == ["0.21", "0.03", "0.05", "0.31", "0.40"]
