"""Columns dealt to heads and back: every number can be followed from one form to the other."""

import pytest
import torch
import traitlets
from explorer_page import PHONE, button, cell, get_state, lit, numbers_on, page_of, set_state, text_of_explanation

from attention_book import MultiHeadAttention, running_example, use_language
from attention_book.explorers import HeadsExplorer, InvalidState

EXAMPLE = running_example()
# Sizes that all differ: 7 tokens, d_model 24, 3 heads of 8.
OTHER_SIZES = {
    "tokens": [f"t{place}" for place in range(7)],
    "token_ids": list(range(7)),
    "vocabulary": [f"t{place}" for place in range(7)],
    "embedding_matrix": torch.randn(7, 24, generator=torch.Generator().manual_seed(3)),
    **{W: torch.eye(24) for W in ("W_Q", "W_K", "W_V")},
    "num_heads": 3,
}


class TestInPython:
    @pytest.mark.parametrize("num_heads", [1, 2, 4, 8, 16])
    def test_split_and_joined_are_those_of_the_module(self, num_heads):
        explorer = HeadsExplorer(num_heads=num_heads)
        module = MultiHeadAttention(16, num_heads)
        query = (EXAMPLE.embeddings @ EXAMPLE.W_Q)[None]
        assert torch.equal(torch.tensor(explorer.split, dtype=torch.float64), module.split_heads(query)[0])
        assert torch.equal(torch.tensor(explorer.joined, dtype=torch.float64), query[0])

    def test_split_without_the_transpose_has_the_same_shape_and_other_numbers(self):
        right, wrong = HeadsExplorer(**OTHER_SIZES), HeadsExplorer(**OTHER_SIZES, transpose_split=False)
        right, wrong = torch.tensor(right.split), torch.tensor(wrong.split)
        assert right.shape == wrong.shape == (3, 7, 8)
        assert not torch.equal(right, wrong)

    def test_both_transposes_left_out_hide_the_mistake_at_the_ends(self):
        explorer = HeadsExplorer(transpose_split=False, transpose_join=False)
        right = HeadsExplorer()
        assert explorer.joined == right.joined
        assert explorer.split != right.split
        explorer.matrix = right.matrix = "context"
        assert explorer.joined != right.joined

    def test_weights_follow_head_and_number_of_heads(self):
        explorer = HeadsExplorer(head=3)
        before = explorer.weights
        explorer.num_heads = 2
        assert explorer.weights != before
        assert torch.tensor(explorer.weights).sum(dim=-1).tolist() == pytest.approx([1.0] * 5)

    def test_number_of_heads_can_be_linked(self):
        explorer, other = HeadsExplorer(), HeadsExplorer()
        traitlets.link((explorer, "num_heads"), (other, "num_heads"))
        explorer.num_heads = 8
        assert len(other.split) == 8

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"num_heads": 3}, "num_heads must divide d_model 16, got 3; write num_heads=1"),
            ({"num_heads": 0}, "num_heads must divide d_model 16, got 0"),
            ({"head": 4}, r"head must be one of 0\.\.3, got 4; heads are counted from 0"),
            (
                {"W_K": torch.eye(8)},
                r"W_K must have shape \(16, 16\) like the columns of embedding_matrix, got \(8, 8\)",
            ),
            ({"W_V": torch.full((16, 16), torch.nan)}, "W_V must be finite"),
            ({"embedding_matrix": torch.ones(16)}, r"embedding_matrix must have shape \(vocabulary, d_model\)"),
            ({"tokens": ["one"]}, "tokens has 1 words, token_ids 5; one id each"),
        ],
    )
    def test_bad_state_gets_a_clear_sentence(self, state, sentence):
        own = {name: getattr(EXAMPLE, name) for name in ("token_ids", "embedding_matrix", "W_Q", "W_K", "W_V")}
        with pytest.raises(InvalidState, match=sentence):
            HeadsExplorer(**{"tokens": EXAMPLE.tokens, "vocabulary": EXAMPLE.vocabulary.tokens, **own, **state})

    def test_unknown_matrix_is_refused(self):
        with pytest.raises(traitlets.TraitError, match="matrix"):
            HeadsExplorer(matrix="scores")


@pytest.fixture
def page(open_page):
    return open_page(page_of(HeadsExplorer().to_html()), reduced_motion="reduce")


@pytest.mark.slow
class TestOnThePage:
    def test_number_lights_up_in_every_form_and_says_both_indices(self, page):
        cell(page, "query/1/9").click()
        assert {"query_split.2/1/1", "joined/1/9"} <= lit(page)
        assert "query[1, 9] ↔ split[2, 1, 1], because 9 = 2 · 4 + 1" in text_of_explanation(page)
        cell(page, "query_split.2/1/1").click()
        assert lit(page) == {"query/1/9", "joined/1/9"}
        cell(page, "joined/1/9").click()
        assert lit(page) == {"query/1/9", "query_split.2/1/1"}
        assert "split[2, 1, 1] ↔ joined[1, 9], because 9 = 2 · 4 + 1" in text_of_explanation(page)

    def test_names_of_rows_are_whole_and_numbers_stand_apart(self, page):
        page.evaluate("() => (document.querySelector('main').style.maxWidth = '686px')")  # a column of the site
        cut = """() => [...document.querySelectorAll(".matrix th")]
            .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
        gaps = """() => {
            const box = (cell) => {
                const range = document.createRange();
                range.selectNodeContents(cell);
                return range.getBoundingClientRect();
            };
            return [...document.querySelectorAll(".matrix tr")].flatMap((row) => {
                const boxes = [...row.querySelectorAll("th, td.number")].filter((cell) => cell.textContent).map(box);
                return boxes.slice(1).map(({ left }, k) => left - boxes[k].right);
            });
        }"""
        for num_heads in ("2", "4", "8"):
            button(page, "heads", num_heads).click()
            assert page.evaluate(cut) == []
            assert min(page.evaluate(gaps)) > 3.5  # a space has 3

    def test_pointing_with_the_mouse_is_enough(self, page):
        box = cell(page, "query_split.3/0/2").bounding_box()
        page.mouse.move(box["x"] + 2, box["y"] + 2)
        page.mouse.move(box["x"] + 8, box["y"] + 6)
        assert {"query/0/14", "joined/0/14"} == lit(page)
        assert get_state(page, "head") == 0

    @pytest.mark.parametrize("num_heads", [1, 2, 4, 8, 16])
    def test_number_of_heads_changes_shapes_and_blocks(self, page, num_heads):
        button(page, "heads", str(num_heads)).click()
        size = 16 // num_heads
        shape = f"[5, 16] → [{num_heads}, 5, {size}] → [5, 16]"
        assert page.locator(".verdict").inner_text().startswith(shape)
        way = page.locator(".way").all_inner_texts()
        assert f"query.view(5, {num_heads}, {size}) [5, {num_heads}, {size}]" in way[0]
        assert f"[{num_heads}, 5, {size}]" in way[0]
        assert "reshape(5, 16) [5, 16]" in way[1]
        assert page.locator(".blocks table").count() == num_heads
        numbers = numbers_on(page)
        right = HeadsExplorer(num_heads=num_heads)
        for h, i, e in [(0, 0, 0), (num_heads - 1, 4, size - 1)]:
            assert numbers[f"query_split.{h}/{i}/{e}"] == pytest.approx(right.split[h][i][e])

    def test_without_the_transpose_the_lit_number_lands_in_another_token(self, page):
        page.get_by_role("switch", name="transpose when splitting").uncheck()
        cell(page, "query/1/6").click()
        assert "query_split.1/0/2" in lit(page)
        explained = text_of_explanation(page)
        assert "query[1, 6] → split[1, 0, 2], place 22 in both" in explained
        assert "There it stands in the row of Orange" in explained
        cell(page, "query_split.1/0/2").click()
        assert "The head takes it for a number of Orange; it belongs to is." in text_of_explanation(page)
        verdict = page.locator(".verdict").inner_text()
        assert verdict.startswith("[5, 16] → [4, 5, 4] → [5, 16]")
        assert "In split 64 of 80 numbers (dashed) stand in the row of another token." in verdict
        assert page.locator(".blocks td.astray").count() == 64
        assert page.locator(".way").first.inner_text() == "↓ split = query.view(4, 5, 4) [4, 5, 4]"

    def test_two_mistakes_that_cancel_are_told(self, page):
        page.get_by_role("switch", name="transpose when splitting").uncheck()
        page.get_by_role("switch", name="transpose when joining").uncheck()
        verdict = page.locator(".verdict").inner_text()
        assert "In split 64 of 80" in verdict
        assert "the second mistake undoes the first" in verdict
        numbers = numbers_on(page)
        assert all(numbers[f"joined/{i}/{j}"] == numbers[f"query/{i}/{j}"] for i in range(5) for j in range(16))

    def test_joining_context_without_the_transpose_mixes_tokens(self, page):
        button(page, "matrix", "context").click()
        page.get_by_role("switch", name="transpose when joining").uncheck()
        assert "In joined 64 of 80" in page.locator(".verdict").inner_text()
        cell(page, "context.2/1/1").click()
        assert "context[2, 1, 1] → joined[2, 13], place 45 in both" in text_of_explanation(page)
        assert {"joined/2/13", "weights.2/1/0", "value_split.2/0/1"} <= lit(page)
        assert get_state(page, "head") == 2

    def test_operand_that_is_not_on_the_page_is_brought_there(self, page):
        cell(page, "query_split.1/3/0").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert "query[3, 4]" in text_of_explanation(page)
        page.keyboard.press("Enter")
        assert page.locator(".origin caption").inner_text() == "embeddings [5, 16]"
        assert "chosen" in cell(page, "embeddings/3/0").get_attribute("class")
        page.keyboard.press("Enter")
        assert "token_ids[3]" in text_of_explanation(page)
        for _ in range(3):
            page.keyboard.press("Backspace")
        assert "split[1, 3, 0]" in text_of_explanation(page)

    def test_keyboard_alone_reaches_every_control_and_moves_in_a_block(self, page):
        seen = set()
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.add(
                page.evaluate(
                    "() => document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent"
                )
            )
        assert {"Q", "K", "V", "context", "16", "transpose when splitting", "transpose when joining"} <= seen
        cell(page, "query_split.2/0/0").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("End")
        assert page.evaluate("() => document.activeElement.dataset.ref") == "query_split.2/1/3"
        assert get_state(page, "head") == 2

    def test_finger_on_a_phone(self, open_page):
        page = open_page(page_of(HeadsExplorer().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        button(page, "heads", "8").tap()
        cell(page, "query_split.7/4/1").tap()
        assert {"query/4/15", "joined/4/15"} == lit(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390

    @pytest.mark.parametrize(("motion", "flies"), [("no-preference", True), ("reduce", False)])
    def test_numbers_fly_only_where_motion_is_welcome(self, open_page, motion, flies):
        page = open_page(page_of(HeadsExplorer().to_html()), reduced_motion=motion)
        assert page.locator(".sky span").count() == 0
        button(page, "heads", "2").click()
        assert page.locator(".sky span").count() == (160 if flies else 0)
        page.wait_for_function("() => document.querySelectorAll('.sky span').length === 0")
        cell(page, "query/0/9").click()
        assert page.locator(".sky span").count() == (2 if flies else 0)

    def test_more_columns_than_the_window_holds(self, open_page):
        page = open_page(page_of(HeadsExplorer(**OTHER_SIZES).to_html()), reduced_motion="reduce")
        cell(page, "query_split.2/6/7").click()
        assert lit(page) == {"query/6/23", "joined/6/23"}

    @pytest.mark.parametrize("state", [{"num_heads": 5}, {"W_Q": [[None]]}])
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_start_again_restores_everything(self, page):
        before = numbers_on(page)
        button(page, "matrix", "V").click()
        button(page, "heads", "16").click()
        page.get_by_role("switch", name="transpose when joining").uncheck()
        page.get_by_role("button", name="Start again").click()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Q · nas cabeças"), ("es", "Q · en las cabezas")])
    def test_table_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(HeadsExplorer().to_html(), language), java_script_enabled=False)
        assert page.locator("caption").first.inner_text().startswith(caption)
        assert page.locator("tbody tr").count() == 4 * 5 + 5
        assert page.locator("tbody th").first.inner_text() == "0 · Orange"
