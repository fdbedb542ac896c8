"""One fused matrix and the heads' own: the same numbers, in both orientations."""

import pytest
import torch
import traitlets
from explorer_page import PHONE, button, cell, get_state, lit, numbers_on, page_of, set_state, text_of_explanation

from attention_book import running_example, split_projection, use_language
from attention_book.explorers import FusedProjectionExplorer, InvalidState

EXAMPLE = running_example()


class TestInPython:
    @pytest.mark.parametrize(("matrix", "W"), [("query", "W_Q"), ("key", "W_K"), ("value", "W_V")])
    def test_both_products_are_the_same_numbers(self, matrix, W):
        explorer = FusedProjectionExplorer(matrix=matrix)
        weight = getattr(EXAMPLE, W)
        assert torch.equal(torch.tensor(explorer.projected, dtype=torch.float64), EXAMPLE.embeddings @ weight)
        heads = EXAMPLE.embeddings @ split_projection(weight, 4)
        assert torch.equal(torch.tensor(explorer.separate, dtype=torch.float64), heads)
        assert explorer.difference < 1e-14

    def test_integer_entries_leave_no_difference_at_all(self):
        draw = torch.Generator().manual_seed(5)
        table, *square = (torch.randint(-9, 10, (8, 8), generator=draw) for _ in range(4))
        explorer = FusedProjectionExplorer(
            tokens=["a", "b"], token_ids=[2, 5], vocabulary=list("stuvwxyz"), embedding_matrix=table,
            **dict(zip(("W_Q", "W_K", "W_V"), square, strict=True)),
        )  # fmt: skip
        assert explorer.difference == 0.0

    def test_head_can_be_linked(self):
        explorer, other = FusedProjectionExplorer(), FusedProjectionExplorer()
        traitlets.link((explorer, "head"), (other, "head"))
        explorer.head = 3
        assert other.head == 3

    def test_bad_state_gets_a_clear_sentence(self):
        with pytest.raises(InvalidState, match="num_heads must divide d_model 16, got 5"):
            FusedProjectionExplorer(num_heads=5)
        with pytest.raises(InvalidState, match=r"head must be one of 0\.\.3, got -1"):
            FusedProjectionExplorer(head=-1)
        with pytest.raises(traitlets.TraitError, match="matrix"):
            FusedProjectionExplorer(matrix="context")


@pytest.fixture
def page(open_page):
    return open_page(page_of(FusedProjectionExplorer().to_html()))


@pytest.mark.slow
class TestOnThePage:
    def test_number_in_a_block_shows_its_head_and_the_same_number_there(self, page):
        cell(page, "fused/3/9").click()
        assert get_state(page, "head") == 2
        assert button(page, "head", "2").get_attribute("aria-pressed") == "true"
        assert {"own.2/3/1", "embeddings/0/3"} == lit(page)
        explained = text_of_explanation(page)
        assert "W_Q[3, 9]" in explained
        assert "Column 9 belongs to head 2, because 9 = 2 · 4 + 1: there it is w_query[2, 3, 1]." in explained
        assert numbers_on(page)["own.2/3/1"] == numbers_on(page)["fused/3/9"] == pytest.approx(EXAMPLE.W_Q[3, 9].item())

    def test_block_of_the_head_is_marked_in_the_fused_matrix_and_its_product(self, page):
        button(page, "head", "1").click()
        marked = page.evaluate("() => [...document.querySelectorAll('td.of-head')].map((cell) => cell.dataset.ref)")
        columns = range(4, 8)
        right = {f"fused/{k}/{j}" for k in range(16) for j in columns}
        assert set(marked) == right | {f"projected/{i}/{j}" for i in range(5) for j in columns}
        assert "Head 1 owns columns 4 to 7 of W_Q." in page.locator(".verdict").inner_text()

    def test_number_of_either_product_is_a_sum_of_sixteen_terms(self, page):
        button(page, "head", "3").click()
        for ref, matrix in (("projected/2/13", "fused/{k}/13"), ("separate.3/2/1", "own.3/{k}/1")):
            cell(page, ref).click()
            assert page.locator(".explanation .operand").count() == 32
            operands = {f"embeddings/2/{k}" for k in range(16)} | {matrix.format(k=k) for k in range(16)}
            assert operands < lit(page)
        terms = page.evaluate(
            """() => document.querySelector("[data-explorer]").explorer.graph.explain("projected/2/13").operands
                .map((ref) => document.querySelector("[data-explorer]").explorer.graph.value(ref))"""
        )
        total = sum(x * w for x, w in zip(terms[::2], terms[1::2], strict=True))
        assert total == pytest.approx(numbers_on(page)["separate.3/2/1"], abs=1e-12)

    def test_difference_is_zero_in_every_head(self, page):
        assert page.locator(".verdict strong").inner_text() == "0"
        for head in range(4):
            button(page, "head", str(head)).click()
            numbers = numbers_on(page)
            assert {numbers[f"difference.{head}/{i}/{e}"] for i in range(5) for e in range(4)} == {0.0}
        cell(page, "difference.3/0/1").click()
        assert lit(page) == {"projected/0/13", "separate.3/0/1"}

    def test_in_a_linear_layer_the_blocks_are_rows(self, page):
        page.get_by_role("switch", name="as nn.Linear keeps it").check()
        cell(page, "fused/9/3").click()
        assert get_state(page, "head") == 2
        explained = text_of_explanation(page)
        assert "query_linear.weight[9, 3]" in explained
        assert "Row 9 belongs to head 2" in explained
        assert "query_linears[2].weight[1, 3]" in explained
        assert lit(page) == {"own.2/1/3", "embeddings/0/3"}
        assert numbers_on(page)["fused/9/3"] == pytest.approx(EXAMPLE.W_Q[3, 9].item())
        assert "Head 2 owns rows 8 to 11 of query_linear.weight." in page.locator(".verdict").inner_text()
        marked = page.evaluate("() => [...document.querySelectorAll('td.of-head')].map((cell) => cell.dataset.ref)")
        assert {ref for ref in marked if ref.startswith("fused")} == {
            f"fused/{j}/{k}" for j in range(8, 12) for k in range(16)
        }

    def test_keyboard_alone_follows_a_number_to_the_token_id(self, page):
        cell(page, "separate.0/4/0").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert "embeddings[4, 0]" in text_of_explanation(page)
        page.keyboard.press("Enter")
        assert "token_ids[4]" in text_of_explanation(page)
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        assert "separate[0, 4, 0]" in text_of_explanation(page)

    def test_finger_on_a_phone(self, open_page):
        page = open_page(page_of(FusedProjectionExplorer().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        button(page, "head", "3").tap()
        for ref in ("fused/0/12", "projected/0/12"):
            box = cell(page, ref).bounding_box()
            assert 0 < box["x"] < box["x"] + box["width"] < 390, ref
        button(page, "heads", "2").tap()
        cell(page, "fused/15/15").tap()
        assert get_state(page, "head") == 1
        assert "w_query[1, 15, 7]" in text_of_explanation(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390

    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page):
        before = numbers_on(page)
        set_state(page, {"num_heads": 3})
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Os mesmos números"), ("es", "Los mismos números")])
    def test_table_without_javascript(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(FusedProjectionExplorer(head=2).to_html(), language), java_script_enabled=False)
        assert page.locator("caption").inner_text().startswith(caption)
        head = page.locator("thead th").all_inner_texts()
        assert head[1] == "query[:, 8]" and head[5] == "(X @ w_query[2])[:, 0]"
        row = page.locator("tbody tr").first.locator("td").all_inner_texts()
        assert row[:4] == row[4:]
