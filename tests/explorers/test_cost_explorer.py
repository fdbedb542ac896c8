"""The calculator of what attention costs: its arithmetic, its models and its controls."""

import pytest
import torch
import traitlets
from explorer_page import (
    PHONE,
    button,
    cell,
    explained_numbers,
    get_state,
    numbers_on,
    page_of,
    set_state,
    text_of_explanation,
    touch_drag,
)

from attention_book import use_language
from attention_book.explorers import CostExplorer, InvalidState
from attention_book.explorers.cost import RESULTS, SIZES
from attention_book.explorers.published_models import PUBLISHED_MODELS
from attention_book.language import languages, messages

EXAMPLE = {"num_tokens": 5, "d_model": 16, "num_heads": 4, "num_layers": 1}


class TestInPython:
    def test_running_example_costs_what_chapter_10_counts(self):
        costs = CostExplorer(**EXAMPLE).costs
        assert costs["projections"] == 4 * 5 * 16**2 == 5120
        assert costs["attention"] == 2 * 5**2 * 16 == 800
        assert costs["all_layers"] == 5920

    def test_projections_and_attention_are_equal_at_twice_d_model(self):
        explorer = CostExplorer(**EXAMPLE)
        assert explorer.costs["crossing"] == 32
        explorer.num_tokens = 32
        assert explorer.costs["ratio"] == 1
        assert explorer.costs["projections"] == explorer.costs["attention"]

    @pytest.mark.parametrize(
        ("key", "per_token", "gigabytes", "crossing"),
        [
            ("gpt_3", 4_718_592, 9.66, 24576),
            ("palm", 120_832, 0.247, 18816),
            ("llama_2", 327_680, 1.34, 9216),
            ("mistral", 131_072, 1.07, 5120),
            ("llama_3_small", 131_072, 17.2, 5120),
            ("llama_3_large", 516_096, 67.6, 17408),
        ],
    )
    def test_cache_of_published_models(self, key, per_token, gigabytes, crossing):
        sizes = {name: size for name, size in CostExplorer().models[key].items() if name != "name"}
        costs = CostExplorer(**sizes).costs
        assert costs["cache_per_token"] == per_token
        assert costs["cache_size"] / 1e9 == pytest.approx(gigabytes, rel=5e-3)
        assert costs["crossing"] == crossing

    def test_every_model_has_a_source_in_every_language(self):
        for language in languages():
            use_language(language)
            assert set(messages("explorers_cost")["sources"]) == {"running_example", *PUBLISHED_MODELS}

    def test_left_out_sizes_are_those_of_plain_attention(self):
        explorer = CostExplorer(**EXAMPLE)
        assert (explorer.num_kv_heads, explorer.head_dim) == (4, 4)

    def test_fewer_key_value_heads_make_the_cache_smaller(self):
        plain, multi_query = (CostExplorer(**EXAMPLE, num_kv_heads=heads).costs for heads in (4, 1))
        assert plain["cache_size"] == 4 * multi_query["cache_size"]
        assert plain["attention"] == multi_query["attention"]

    def test_length_can_be_linked(self):
        explorer, other = CostExplorer(), CostExplorer()
        traitlets.link((explorer, "num_tokens"), (other, "num_tokens"))
        explorer.num_tokens = 10
        assert other.costs["weights_memory"] == 96 * 10 * 10 * 2

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"num_tokens": 0}, "num_tokens must be a whole number from 1 to 16777216, got 0"),
            ({"d_model": -3}, "d_model must be a whole number from 1"),
            ({"num_layers": 2**24 + 1}, "num_layers must be a whole number from 1 to 16777216, got 16777217"),
            ({"num_heads": 0}, "num_.*heads must be a whole number from 1"),
            ({"num_kv_heads": 5}, "num_kv_heads must divide num_heads 96, got 5"),
            ({"num_kv_heads": 192}, "num_kv_heads must divide num_heads 96, got 192"),
        ],
    )
    def test_bad_state_gets_a_clear_sentence(self, state, sentence):
        with pytest.raises(InvalidState, match=sentence):
            CostExplorer(**state)

    def test_size_that_is_no_whole_number_is_refused(self):
        with pytest.raises(traitlets.TraitError, match="num_tokens"):
            CostExplorer(num_tokens=1.5)

    def test_refused_number_of_heads_leaves_the_old_one(self):
        explorer = CostExplorer(**EXAMPLE)
        with pytest.raises(InvalidState, match="must divide"):
            explorer.num_heads = 6
        assert explorer.num_heads == 4


@pytest.fixture
def page(open_page):
    return open_page(page_of(CostExplorer(**EXAMPLE).to_html()))


def typed(page, name: str, text: str) -> None:
    page.get_by_role("spinbutton", name=name, exact=True).fill(text)
    page.keyboard.press("Enter")


@pytest.mark.slow
class TestOnThePage:
    def test_arithmetic_stands_in_the_explanation_with_its_numbers(self, page):
        cell(page, "projections/0/0").click()
        explained = " ".join(text_of_explanation(page).split())
        assert "= 5120" in text_of_explanation(page)
        assert "2 × 5 × 16 × 4 × ( 4 + 4 )" in explained
        assert "this is 4 n d_model²" in explained
        cell(page, "cache_size/0/0").click()
        assert "5 × 64" in " ".join(text_of_explanation(page).split())

    def test_arithmetic_that_is_written_gives_the_number(self, page):
        set_state(page, {"num_tokens": 7, "num_heads": 6, "num_kv_heads": 2, "head_dim": 5, "num_layers": 3})
        for name in RESULTS:
            cell(page, f"{name}/0/0").click()
            text = page.locator(".arithmetic").inner_text().replace("×", "*")
            value = numbers_on(page)[f"{name}/0/0"]
            assert eval(" ".join(text.split())) == pytest.approx(value, rel=2e-2), name

    def test_every_chain_of_operands_ends_at_a_size(self, page):
        numbers = explained_numbers(page)
        assert {ref.split("/")[0] for ref in numbers} == {*SIZES, *RESULTS}
        for ref, number in numbers.items():
            assert bool(number["operands"]) == (ref.split("/")[0] in RESULTS)
            while number["operands"]:
                number = numbers[number["operands"][0]]

    def test_operand_that_is_a_size_lights_up_at_its_field(self, page):
        cell(page, "cache_size/0/0").click()
        assert "lit" in page.locator('input[data-ref="num_tokens/0/0"]').get_attribute("class")
        page.locator(".operand").first.click()
        assert "number of tokens n = 5" in text_of_explanation(page)

    def test_model_sets_its_sizes_and_names_its_source(self, page):
        assert page.get_by_role("button", name="running example").get_attribute("aria-pressed") == "true"
        button(page, "sizes of", "PaLM 540B").click()
        assert [get_state(page, name) for name in SIZES] == [2048, 18432, 48, 1, 256, 118, 2]
        assert page.locator(".controls a").get_attribute("href") == "https://arxiv.org/abs/2204.02311"
        assert cell(page, "cache_size/0/0").inner_text() == "247463936"
        assert page.locator(".readable").last.inner_text() == "247 MB"
        cell(page, "projections/0/0").click()
        assert "h · d_k is not d_model" in text_of_explanation(page)
        typed(page, "layers", "10")
        assert page.locator(".controls").inner_text().endswith("source: sizes of your own")
        assert page.locator('[aria-pressed="true"]').count() == 0

    def test_model_without_a_limit_leaves_the_number_of_tokens(self, page):
        button(page, "sizes of", "Transformer (base)").click()
        assert get_state(page, "num_tokens") == 5
        assert get_state(page, "d_model") == 512

    def test_heads_divide_d_model_between_them(self, page):
        typed(page, "heads h", "8")
        assert [get_state(page, name) for name in ("num_heads", "num_kv_heads", "head_dim")] == [8, 8, 2]
        typed(page, "key–value heads g", "2")
        typed(page, "d_model", "32")
        assert [get_state(page, name) for name in ("num_heads", "num_kv_heads", "head_dim")] == [8, 2, 4]
        typed(page, "heads h", "4")
        assert [get_state(page, name) for name in ("num_heads", "num_kv_heads", "head_dim")] == [4, 2, 8]

    @pytest.mark.parametrize(
        ("name", "text", "sentence"),
        [
            ("key–value heads g", "3", "must divide the heads"),
            ("tokens n", "0", "whole number from 1"),
            ("tokens n", "2.5", "whole number from 1"),
            ("tokens n", "", "whole number from 1"),
            ("d_model", "99999999", "whole number from 1"),
        ],
    )
    def test_size_that_cannot_be_gets_a_sentence_and_the_last_picture_stays(self, page, name, text, sentence):
        before = numbers_on(page)
        typed(page, name, text)
        assert sentence in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before
        typed(page, name, "2")
        assert page.get_by_role("alert").count() == 0

    def test_slider_moves_by_doubling_with_the_arrow_keys(self, page):
        slider = page.get_by_role("slider", name="tokens n")
        slider.press("End")
        assert get_state(page, "num_tokens") == 2**20
        slider.press("ArrowLeft")
        assert get_state(page, "num_tokens") == 3 * 2**18
        assert slider.get_attribute("aria-valuetext") == "786432"

    def test_curve_marks_the_crossing_where_the_lines_meet(self, page):
        lines = page.evaluate(
            """() => [...document.querySelectorAll(".curve polyline")].map((line) =>
                line.getAttribute("points").split(" ").map((point) => point.split(",").map(Number)))"""
        )
        (x1, a1), (x2, a2) = lines[0]
        (_, b1), (_, b2) = lines[1]
        meeting = x1 + (x2 - x1) * (b1 - a1) / ((b1 - a1) - (b2 - a2))
        mark = page.locator(".curve .here").evaluate("(line) => line.transform.baseVal[0].matrix.e")
        assert mark == pytest.approx(meeting, abs=1e-3)
        assert mark == pytest.approx(14 + 5 * 11.5)  # 32 = 2⁵ tokens

    def test_keyboard_alone_types_a_size_and_reads_the_result(self, page):
        page.locator(".choice button").last.focus()
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.dataset.ref") == "num_tokens/0/0":
                break
        page.keyboard.press("Control+A")
        page.keyboard.type("50")
        page.keyboard.press("Enter")
        assert get_state(page, "num_tokens") == 50
        assert page.evaluate("() => document.activeElement.dataset.ref") == "num_tokens/0/0"
        while page.evaluate("() => document.activeElement.tagName") != "TD":
            page.keyboard.press("Tab")
        page.keyboard.press("End")
        page.keyboard.press("ArrowDown")
        assert "= 80000" in page.locator(".explanation .name").inner_text()

    def test_finger_on_a_phone(self, open_page):
        page = open_page(page_of(CostExplorer(**EXAMPLE).to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        slider = page.get_by_role("slider", name="tokens n")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        touch_drag(page, (box["x"] + 15, y), (box["x"] + box["width"] - 3, y))
        assert get_state(page, "num_tokens") > 1000
        button(page, "sizes of", "GPT-3 175B").tap()
        cell(page, "cache_size/0/0").tap()
        assert "9663676416" in text_of_explanation(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390

    @pytest.mark.parametrize("state", [{"num_heads": 5, "num_kv_heads": 2}, {"num_tokens": None}])
    def test_bad_state_from_python_leaves_the_last_picture(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "last picture stays" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_start_again_restores_everything(self, page):
        before = numbers_on(page)
        button(page, "sizes of", "Llama 3 405B").click()
        page.get_by_role("button", name="Start again").click()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(("language", "caption"), [("pt", "Quanto custa"), ("es", "Cuánto cuesta")])
    def test_tables_without_javascript_cite_every_model(self, open_page, language, caption):
        use_language(language)
        page = open_page(page_of(CostExplorer(**EXAMPLE).to_html(), language), java_script_enabled=False)
        assert page.locator("caption").first.inner_text().startswith(caption)
        assert page.locator("table").first.locator("tbody tr").count() == len(SIZES) + len(RESULTS)
        rows = page.locator("table").last.locator("tbody tr")
        assert rows.count() == 1 + len(PUBLISHED_MODELS)
        gpt = rows.filter(has_text="GPT-3").inner_text()
        assert "arXiv:2005.14165" in gpt
        assert "12288" in gpt


def test_tensors_are_no_sizes():
    with pytest.raises(traitlets.TraitError):
        CostExplorer(num_tokens=torch.tensor(5))
