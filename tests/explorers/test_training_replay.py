"""A recorded training: the slider moves loss, accuracy and the row of weights together."""

import pytest
import torch
import traitlets
from examples import recorded_training
from explorer_page import (
    PHONE,
    cell,
    explained_numbers,
    get_state,
    lit,
    numbers_on,
    page_of,
    set_state,
    text_of_explanation,
    touch_drag,
)

from attention_book import use_language
from attention_book.explorers import InvalidState, TrainingReplay

GOOD = {
    "steps": [0, 10, 30],
    "losses": [1.5, 0.7, 0.1],
    "accuracies": [0.2, 0.5, 1.0],
    "rows": [[0.5, 0.5], [0.4, 0.6], [0.1, 0.9]],
    "tokens": ["red", "color"],
}


class TestInPython:
    def test_results_follow_the_record(self):
        explorer = TrainingReplay(**GOOD)
        assert (explorer.loss, explorer.accuracy, explorer.weights) == (1.5, 0.2, [0.5, 0.5])
        explorer.record = 2
        assert (explorer.loss, explorer.accuracy, explorer.weights) == (0.1, 1.0, [0.1, 0.9])

    def test_tensors_as_the_chapter_records_them_are_taken(self):
        rows = torch.tensor(GOOD["rows"])
        explorer = TrainingReplay(GOOD["steps"], GOOD["losses"], GOOD["accuracies"], rows, GOOD["tokens"])
        assert explorer.weights == [0.5, 0.5]

    def test_record_can_be_linked(self):
        explorer, other = TrainingReplay(**GOOD), TrainingReplay(**GOOD)
        traitlets.link((explorer, "record"), (other, "record"))
        explorer.record = 1
        assert other.loss == 0.7

    def test_fewer_records_show_the_last_one(self):
        explorer = TrainingReplay(**GOOD, record=2)
        with explorer.hold_trait_notifications():
            for name in ("steps", "losses", "accuracies", "rows"):
                setattr(explorer, name, GOOD[name][:2])
        assert explorer.loss == 0.7

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"steps": [0, 10]}, "every record has one of each, got steps 2, losses 3, accuracies 3, rows 3"),
            ({"losses": [1.0]}, "every record has one of each, got steps 3, losses 1"),
            ({"tokens": ["one"]}, "rows has 2 weights each, tokens 1; one per key"),
            ({"steps": [0, 10, 10]}, r"steps must grow from record to record, got \[0, 10, 10\]"),
            ({"losses": [1.0, 0.5, -0.1]}, "losses must not be negative, got -0.1"),
            ({"losses": [1.0, float("nan"), 0.1]}, "losses must be finite"),
            ({"accuracies": [0, 50, 100]}, "accuracies must be shares from 0 to 1"),
            ({"rows": [[0.5, 0.5], [0.4, 0.6], [0.2, 0.9]]}, "rows must hold attention weights"),
            ({"rows": [[0.5, 0.5], [0.4, 0.6], [-0.1, 1.1]]}, "rows must hold attention weights"),
            ({"rows": [0.5, 0.5]}, r"rows must have shape \(record, key\), got \(2,\)"),
            ({"record": 3}, r"record must be one of 0\.\.2, got 3; records are counted from 0"),
        ],
    )
    def test_bad_state_gets_a_clear_sentence(self, state, sentence):
        with pytest.raises(InvalidState, match=sentence):
            TrainingReplay(**{**GOOD, **state})

    def test_refused_record_leaves_the_old_one(self):
        explorer = TrainingReplay(**GOOD, record=1)
        with pytest.raises(InvalidState, match="record must be one of"):
            explorer.record = -1
        assert explorer.loss == 0.7


@pytest.fixture
def page(open_page):
    return open_page(page_of(TrainingReplay(**GOOD).to_html()))


def slider(page):
    return page.get_by_role("slider", name="step")


@pytest.mark.slow
class TestOnThePage:
    def test_slider_moves_row_loss_accuracy_and_mark(self, page):
        def mark():
            return page.locator(".curve .here").evaluate("(line) => line.transform.baseVal[0].matrix.e")

        before = mark()
        slider(page).press("ArrowRight")
        assert numbers_on(page) == pytest.approx(
            {
                **{"weights/1/0": 0.4, "weights/1/1": 0.6, "changes/1/0": -0.1, "changes/1/1": 0.1},
                **{"losses/1/0": 0.7, "right/1/0": torch.tensor(-0.7).exp().item(), "accuracies/1/0": 0.5},
            },
            abs=1e-6,
        )
        assert slider(page).get_attribute("aria-valuetext") == "10"
        # A third of the way from step 0 to step 30.
        assert mark() - before == pytest.approx(220 / 3, abs=0.1)

    def test_number_that_was_chosen_stays_chosen_at_the_next_step(self, page):
        cell(page, "changes/0/1").click()
        slider(page).press("End")
        explained = text_of_explanation(page)
        assert "change of the weight on color up to step 30 = 0.40" in explained
        assert "0.90 − 0.50" in " ".join(explained.split())

    def test_operand_of_the_first_step_is_shown_there_and_the_trail_leads_back(self, page):
        slider(page).press("End")
        cell(page, "changes/2/1").click()
        assert lit(page) == {"weights/2/1"}
        page.locator(".operand").last.click()
        assert get_state(page, "record") == 0
        assert "weight on color at step 0 = 0.50" in text_of_explanation(page)
        page.locator(".back").click()
        assert get_state(page, "record") == 2
        assert "up to step 30" in text_of_explanation(page)

    def test_probability_is_explained_by_the_loss(self, page):
        cell(page, "right/0/0").click()
        assert lit(page) == {"losses/0/0"}
        assert "= 0.22" in text_of_explanation(page)
        page.locator(".operand").click()
        assert "loss at step 0 = 1.50" in text_of_explanation(page)
        assert page.locator(".operand").count() == 0

    def test_every_chain_of_operands_ends_at_what_was_recorded(self, page):
        for ref, number in explained_numbers(page).items():
            recorded = ref.split("/")[0] in ("losses", "accuracies", "weights")
            assert bool(number["operands"]) != recorded
            assert all(operand.split("/")[0] in ("losses", "weights") for operand in number["operands"])

    def test_curves_have_a_point_for_each_record(self, page):
        points = page.evaluate(
            """() => [...document.querySelectorAll(".curve polyline")].map((line) =>
                line.getAttribute("points").split(" ").map((point) => point.split(",").map(Number)))"""
        )
        loss, accuracy = points
        assert [x for x, _ in loss] == pytest.approx([32, 32 + 220 / 3, 252])
        scale = 110 / 1.5
        assert [118 - y for _, y in loss] == pytest.approx([scale * value for value in GOOD["losses"]])
        assert [118 - y for _, y in accuracy] == pytest.approx([scale * value for value in GOOD["accuracies"]])

    def test_keyboard_alone_moves_the_steps_and_reads_the_row(self, page):
        page.keyboard.press("Tab")  # start again
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.type") == "range"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("() => document.activeElement.dataset.ref") == "weights/1/1"
        assert "weight on color at step 10 = 0.60" in text_of_explanation(page)

    def test_finger_on_a_phone(self, open_page):
        page = open_page(page_of(recorded_training().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        box = slider(page).bounding_box()
        y = box["y"] + box["height"] / 2
        touch_drag(page, (box["x"] + box["width"] / 2, y), (box["x"] + box["width"] - 2, y))
        assert get_state(page, "record") == 9
        cell(page, "weights/9/4").tap()
        assert "weight on fruit at step 45" in text_of_explanation(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390

    @pytest.mark.parametrize("state", [{"losses": [1.0]}, {"rows": [[None, 1.0]] * 3}, {"steps": [0]}])
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_record_set_from_python_moves_the_slider(self, page):
        set_state(page, {"record": 2})
        assert slider(page).input_value() == "2"
        assert cell(page, "losses/2/0").inner_text() == "0.10"

    def test_start_again_restores_everything(self, page):
        before = numbers_on(page)
        slider(page).press("End")
        page.get_by_role("button", name="Start again").click()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Cada passo registrado"), ("es", "Cada paso grabado")])
    def test_table_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(TrainingReplay(**GOOD).to_html(), language), java_script_enabled=False)
        assert page.locator("caption").inner_text().startswith(caption)
        assert page.locator("tbody tr").all_inner_texts()[1].split() == ["10", "0.70", "0.50", "0.40", "0.60"]
