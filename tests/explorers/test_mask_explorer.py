"""A mask whose cells are pressed by mouse, touch and keyboard, and the weights that come out."""

import ipywidgets
import pytest
import torch
import traitlets
from examples import EXAMPLE, SCORES
from explorer_page import PHONE, get_state, numbers_on, page_of, set_state, text_of_explanation

from attention_book import causal_mask, padding_mask, scaled_dot_product_attention, use_language
from attention_book.explorers import InvalidState, MaskExplorer
from attention_book.explorers.mask import PRESETS

CAUSAL = causal_mask(5)
HIDES_EMPTY = ["hides_itself", "causal_left_padding"]


def explorer(**state) -> MaskExplorer:
    return MaskExplorer(**{"scores": SCORES, "tokens": EXAMPLE.tokens, **state})


def cell(page, query: str, key: str):
    return page.get_by_role("button", name=f"query {query}, key {key}: may attend.")


def choose(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def row(page, name: str, i: int) -> list[float]:
    numbers = numbers_on(page)
    return [numbers[f"{name}/{i}/{j}"] for j in range(5)]


class TestInPython:
    def test_preset_makes_the_mask_and_the_weights_follow(self):
        example = explorer()
        assert torch.tensor(example.mask).all()
        example.preset = "causal"
        assert example.mask == CAUSAL.tolist()
        assert example.weights[0] == [1, 0, 0, 0, 0]

    @pytest.mark.parametrize("preset", PRESETS)
    def test_zeros_are_what_the_package_and_the_fused_attention_of_pytorch_give(self, preset):
        example = explorer(preset=preset)
        mask, identity = torch.tensor(example.mask), torch.eye(5, dtype=torch.float64)
        # Keys and values are the identity: the scores are SCORES, and the context is the weights.
        query = SCORES * 5**0.5
        ours = scaled_dot_product_attention(query, identity, identity, mask)[1]
        fused = torch.nn.functional.scaled_dot_product_attention(query, identity, identity, attn_mask=mask)
        assert example.weights == pytest.approx(ours.numpy(), abs=1e-12)
        assert example.weights == pytest.approx(fused.numpy(), abs=1e-12)

    @pytest.mark.parametrize(
        ("preset", "right"),
        [
            ("padding", padding_mask(torch.tensor([2, 3, 4, 0, 0])).expand(5, 5)),
            ("left_padding", padding_mask(torch.tensor([0, 0, 2, 3, 4])).expand(5, 5)),
            ("causal_padding", CAUSAL & padding_mask(torch.tensor([2, 3, 4, 0, 0]))),
            ("causal_left_padding", CAUSAL & padding_mask(torch.tensor([0, 0, 2, 3, 4]))),
            ("hides_itself", CAUSAL & ~torch.eye(5, dtype=torch.bool)),
            ("sees_one_ahead", ~torch.ones(5, 5).triu(diagonal=2).bool()),
        ],
    )
    def test_presets_are_the_masks_that_their_names_say(self, preset, right):
        assert explorer(preset=preset).mask == right.tolist()
        assert explorer(mask=right).preset == preset

    @pytest.mark.parametrize("preset", PRESETS)
    def test_only_left_padding_with_a_causal_mask_and_the_hidden_diagonal_leave_empty_rows(self, preset):
        rows = torch.tensor(explorer(preset=preset).mask).any(dim=-1)
        assert (not rows.all()) == (preset in HIDES_EMPTY)

    def test_fully_masked_row_is_zeros_or_nan_or_uniform(self):
        example = explorer(preset="hides_itself")
        assert example.weights[0] == [0] * 5
        example.empty_row = "nan"
        assert torch.tensor(example.weights[0]).isnan().all()
        example.empty_row = "uniform"
        assert example.weights[0] == pytest.approx([0.2] * 5)
        # The other rows do not depend on it.
        assert example.weights[1] == [1, 0, 0, 0, 0]

    def test_mask_after_the_softmax_leaves_sums_below_one_and_renormalizing_mends_them(self):
        example = explorer(preset="causal", masking="after")
        sums = torch.tensor(example.weights).sum(dim=-1).tolist()
        assert sums == pytest.approx(torch.where(CAUSAL, SCORES.softmax(dim=-1), 0).sum(dim=-1).tolist())
        assert max(sums[:4]) < 0.9
        example.masking = "renormalized"
        assert example.weights == pytest.approx(torch.tensor(explorer(preset="causal").weights).numpy())

    def test_mask_of_integers_or_of_one_row_is_taken_as_the_package_takes_it(self):
        assert explorer(mask=CAUSAL.long()).mask == CAUSAL.tolist()
        example = explorer(mask=padding_mask(torch.tensor([2, 3, 4, 0, 0])))
        assert example.mask == [[True, True, True, False, False]] * 5
        assert example.preset == "padding"

    def test_another_mask_is_custom_and_a_preset_takes_over_again(self):
        example = explorer(preset="causal")
        example.mask = [[True] * 4 + [False]] * 5
        assert example.preset == "custom"
        example.padding = 1
        assert example.mask == [[True] * 4 + [False]] * 5
        example.preset = "causal_left_padding"
        assert example.mask == torch.tensor(example.mask).tril().tolist()
        assert not any(example.mask[0])
        example.padding = 0
        assert example.mask == CAUSAL.tolist()
        assert example.preset == "causal_left_padding"

    def test_preset_can_be_linked_to_an_ordinary_widget(self):
        example, dropdown = explorer(), ipywidgets.Dropdown(options=list(PRESETS))
        ipywidgets.link((dropdown, "value"), (example, "preset"))
        dropdown.value = "causal"
        assert example.mask == CAUSAL.tolist()

    def test_other_tokens_and_scores_keep_the_preset(self):
        example = explorer(preset="causal")
        with example.hold_trait_notifications():
            example.tokens, example.scores = ["a", "b"], [[0.0, 1.0], [2.0, 2.0]]
        assert example.mask == [[True, False], [True, True]]
        assert example.weights == [[1, 0], [0.5, 0.5]]

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"scores": SCORES[:3]}, r"scores has shape \(3, 5\), tokens 5 entries"),
            ({"scores": SCORES.clone().fill_(float("nan"))}, "scores must be finite"),
            ({"tokens": ["one"]}, r"scores has shape \(5, 5\), tokens 1 entries"),
            ({"mask": CAUSAL.double()}, r"mask must be Boolean \(True = may attend\), got torch.float64; .* mask != 0"),
            ({"mask": torch.zeros(5, 5).masked_fill(~CAUSAL, -torch.inf)}, "write mask == 0"),
            ({"mask": CAUSAL[:3, :3]}, r"mask \(3, 3\) does not fit scores \(5, 5\)"),
            ({"mask": CAUSAL[0]}, r"for one row that hides keys write mask\[None, :\]"),
            ({"mask": True}, r"mask \(1,\) does not fit scores \(5, 5\)"),
            ({"mask": "causal"}, r"mask must be Booleans of shape \(query, key\), True = may attend, got 'causal'"),
            ({"padding": -1}, "padding must be 0 or more, got -1"),
        ],
    )
    def test_bad_state_gets_a_clear_sentence(self, state, sentence):
        with pytest.raises(InvalidState, match=sentence):
            explorer(**state)

    def test_unknown_preset_names_those_that_exist(self):
        with pytest.raises(traitlets.TraitError, match="hides_itself"):
            explorer(preset="casual")

    def test_refused_mask_leaves_the_old_one(self):
        example = explorer(preset="causal")
        with pytest.raises(InvalidState):
            example.mask = [[True]]
        assert example.mask == CAUSAL.tolist()
        with pytest.raises(InvalidState), example.hold_trait_notifications():
            example.tokens = ["one"]
        assert example.tokens == EXAMPLE.tokens

    def test_custom_mask_that_no_longer_fits_is_refused_with_the_scores(self):
        example = explorer(mask=[[True, False, True, True, True]] * 5)
        unfit = pytest.raises(InvalidState, match=r"mask \(5, 5\) does not fit scores \(1, 1\)")
        with unfit, example.hold_trait_notifications():
            example.tokens, example.scores = ["one"], [[1.0]]


@pytest.fixture
def page(open_page):
    return open_page(page_of(explorer().to_html()))


@pytest.mark.slow
class TestOnThePage:
    def test_pressed_cell_hides_the_key_and_the_row_renormalizes(self, page):
        other_rows = [row(page, "weights", i) for i in range(1, 5)]
        cell(page, "Orange", "fruit").click()
        assert cell(page, "Orange", "fruit").get_attribute("aria-pressed") == "false"
        assert get_state(page, "mask")[0] == [True, True, True, True, False]
        assert get_state(page, "preset") == "custom"
        assert row(page, "weights", 0) == pytest.approx([w / 0.6 for w in (0.21, 0.03, 0.05, 0.31)] + [0], abs=1e-8)
        assert [row(page, "weights", i) for i in range(1, 5)] == other_rows
        assert "weights on its allowed keys sum to 0.60" in page.locator(".verdict").inner_text()
        cell(page, "Orange", "fruit").click()
        assert get_state(page, "preset") == "none"
        assert row(page, "weights", 0) == pytest.approx([0.21, 0.03, 0.05, 0.31, 0.40])

    def test_name_of_a_cell_says_query_key_and_score_and_the_state_is_pressed(self, page):
        button = page.get_by_role(
            "button", name="query Orange, key is: may attend. Score −1.25", exact=True, pressed=True
        )
        button.click()
        page.get_by_role("button", name="query Orange, key is: may attend. Score −∞", exact=True, pressed=False).click()
        assert button.is_visible()

    @pytest.mark.parametrize("preset", PRESETS)
    def test_preset_on_the_page_is_the_one_of_python(self, page, preset):
        words = {name: label for name, label in explorer().words["own"]["presets"].items()}
        set_state(page, {"mask": [[False] * 5] * 5, "preset": "custom"})
        choose(page, words[preset])
        assert (get_state(page, "preset"), get_state(page, "mask")) == (preset, explorer(preset=preset).mask)
        assert page.get_by_role("button", name=words[preset], exact=True).get_attribute("aria-pressed") == "true"

    @pytest.mark.parametrize(("preset", "name"), [("hides itself", "diagonal=-1"), ("sees one ahead", "diagonal=1")])
    def test_shifted_diagonal_is_called_the_famous_mistake(self, page, preset, name):
        choose(page, preset)
        text = page.locator(".verdict").inner_text()
        assert "The famous mistake" in text
        assert f"tril({name})" in text

    def test_padded_tokens_are_named(self, page):
        choose(page, "padding")
        assert "Counted as padding here: favorite, fruit." in page.locator(".verdict").inner_text()
        choose(page, "causal + left padding")
        assert "Counted as padding here: Orange, is." in page.locator(".verdict").inner_text()

    def test_fully_masked_row_three_ways_and_each_is_said(self, page):
        choose(page, "causal + left padding")
        assert row(page, "weights", 1) == [0] * 5
        assert "its context vector is 0 too" in page.locator(".verdict").inner_text()
        choose(page, "with −∞: NaN")
        assert page.locator('td[data-ref="weights/1/0"]').inner_text() == "NaN"
        assert page.locator('td[data-ref="sums/1/0"]').inner_text() == "NaN"
        assert "0 / 0, NaN" in page.locator(".verdict").inner_text()
        choose(page, "with −10⁹: uniform")
        assert row(page, "weights", 1) == pytest.approx([0.2] * 5)
        assert cell(page, "Orange", "is").inner_text() == "−10⁹"
        assert "no error says so" in page.locator(".verdict").inner_text()
        assert row(page, "weights", 2) == [0, 0, 1, 0, 0]

    def test_mask_after_the_softmax_shows_the_sums_and_renormalizing_the_same_weights(self, page):
        choose(page, "causal")
        right = [row(page, "weights", i) for i in range(5)]
        choose(page, "after it")
        assert page.locator('td[data-ref="sums/0/0"]').inner_text() == "0.21"
        assert page.get_by_text("fully masked row").is_hidden()
        assert cell(page, "Orange", "is").inner_text() == "−1.25"
        choose(page, "after it, then renormalize")
        assert page.locator('td[data-ref="sums/0/0"]').inner_text() == "1.00"
        for i in range(5):
            assert row(page, "weights", i) == pytest.approx(right[i], abs=1e-12)

    @pytest.mark.parametrize("masking", ["before", "after", "renormalized"])
    @pytest.mark.parametrize("empty_row", ["nan", "uniform", "zeros"])
    def test_every_chain_of_operands_ends_at_scores(self, page, masking, empty_row):
        mask = CAUSAL.clone()
        mask[2] = False
        set_state(page, {"mask": mask.tolist(), "preset": "custom", "masking": masking, "empty_row": empty_row})
        ends = page.evaluate(
            """() => {
                // What the page says, by clicking: the number, then each operand in turn.
                const ends = new Set(), seen = new Set();
                const buttons = () => [...document.querySelectorAll(".explanation .operand")];
                const operands = () => buttons().map((button) => button.dataset.operand);
                const follow = () => {
                    const next = operands();
                    if (next.length === 0) ends.add(document.querySelector(".explanation").dataset.ref.split("/")[0]);
                    for (const operand of next) {
                        if (seen.has(operand)) continue;
                        seen.add(operand);
                        document.querySelector(`[data-operand="${operand}"]`).click();
                        follow();
                        document.querySelector(".explanation .back").click();
                    }
                };
                for (const cell of document.querySelectorAll(".body td.number")) (cell.focus(), follow());
                return [...ends];
            }"""
        )
        by_decision = {"weights"} if (masking, empty_row) == ("before", "zeros") else set()
        assert set(ends) == {"scores"} | by_decision

    def test_weight_of_an_allowed_key_counts_the_allowed_keys_only(self, page):
        choose(page, "causal")
        page.locator('td[data-ref="weights/1/0"]').click()
        assert page.locator(".explanation .operand").all_inner_texts() == ["−1.06", "−1.06", "−0.48"]
        page.locator('td[data-ref="weights/1/4"]').click()
        assert page.locator(".explanation .operand").all_inner_texts() == ["−∞", "−1.06", "−0.48"]
        page.locator(".explanation .operand").first.click()
        assert "the mask puts −∞ in place of the score" in text_of_explanation(page)
        page.locator(".explanation .operand").first.click()
        assert "= 0.89" in text_of_explanation(page)

    def test_small_weight_is_not_taken_for_a_hidden_one(self, page):
        assert page.locator('td[data-ref="weights/4/4"]').inner_text() == "0.00"
        cell(page, "fruit", "fruit").click()
        assert page.locator('td[data-ref="weights/4/4"]').inner_text() == "0"

    def test_keyboard_alone_moves_hides_shows_and_explains(self, page):
        page.get_by_role("button", name="with −10⁹: uniform").focus()
        page.keyboard.press("Tab")
        assert cell(page, "Orange", "Orange").evaluate("(element) => element === document.activeElement")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        assert cell(page, "is", "is").evaluate("(element) => element === document.activeElement")
        assert "query is with the key is" in text_of_explanation(page)
        page.keyboard.press("Space")
        assert get_state(page, "mask")[1] == [True, False, True, True, True]
        assert cell(page, "is", "is").evaluate("(element) => element === document.activeElement")
        page.keyboard.press("Enter")
        assert get_state(page, "mask")[1][1] is False
        assert page.evaluate("() => document.activeElement.dataset.operand") == "scores/1/1"
        page.keyboard.press("Escape")
        cell(page, "is", "is").focus()
        page.keyboard.press("Space")
        assert get_state(page, "preset") == "none"
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.dataset.ref") == "weights/0/0"

    def test_finger_on_a_phone_finds_cells_large_enough(self, open_page):
        # A wide font, and the width that a page of the site leaves.
        style = "<style>.explorer { font-family: 'DejaVu Sans' } .body { width: 316px }</style>"
        page = open_page(page_of(style + explorer(preset="sees_one_ahead").to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        boxes = [button.bounding_box() for button in page.locator("table.mask button").all()]
        assert len(boxes) == 25
        assert min(min(box["width"], box["height"]) for box in boxes) >= 24
        cell(page, "my", "fruit").tap()
        assert get_state(page, "mask")[2] == [True] * 5
        for name in ("mask", "masked"):
            width, room = page.locator(f".grid:has(table.{name})").evaluate("(e) => [e.scrollWidth, e.clientWidth]")
            assert width <= room

    def test_verdict_speaks_of_the_row_that_was_chosen_last(self, page):
        choose(page, "causal")
        page.locator('td[data-ref="weights/2/0"]').click()
        assert "Row of my" in page.locator(".verdict").inner_text()
        choose(page, "after it")
        assert "Row of my" in page.locator(".verdict").inner_text()
        page.locator(".verdict [data-ref]").click()
        assert "kept.sum(-1)[2]" in text_of_explanation(page)
        choose(page, "Start again")
        assert "Row of Orange" in page.locator(".verdict").inner_text()
        assert get_state(page, "masking") == "before"

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"scores": [[0, 1]]}, "numbers cannot be shown"),
            ({"scores": [[None] * 5] * 5}, "numbers cannot be shown"),
            ({"mask": [[True]]}, "mask needs one true or false"),
            ({"mask": None}, "mask needs one true or false"),
        ],
    )
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state, sentence):
        before = numbers_on(page)
        set_state(page, state)
        assert sentence in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_other_tokens_and_a_long_sentence_are_shown(self, page):
        length = 20
        set_state(
            page,
            {
                "tokens": [f"t{place}" for place in range(length)],
                "scores": [[0.0] * length] * length,
                "mask": causal_mask(length).tolist(),
                "preset": "causal",
            },
        )
        assert page.locator("table.mask button.number").count() == 6 * 6
        for _ in range(3):
            page.locator("table.mask").get_by_role("button", name="Rows further down").click()
        assert cell(page, "t19", "t0").is_visible()
        assert page.locator('[data-ref="weights/19/0"]').is_visible()
        cell(page, "t19", "t0").click()
        assert get_state(page, "mask")[19][0] is False

    def test_tokens_are_text(self, open_page):
        wicked = "<img src=x onerror=alert(1)>"
        page = open_page(page_of(MaskExplorer([[0.5]], [wicked], preset="hides_itself", empty_row="nan").to_html()))
        assert wicked in page.locator(".verdict").inner_text()
        assert page.locator("img").count() == 0

    @pytest.mark.parametrize(
        ("language", "captions"),
        [("pt", ("Pontuações depois", "Pesos, e a soma")), ("es", ("Puntuaciones después", "Pesos, y la suma"))],
    )
    def test_tables_without_javascript(self, open_page, language, captions):
        use_language(language)
        example = explorer(preset="causal_left_padding", empty_row="nan")
        page = open_page(page_of(example.to_html(), language), java_script_enabled=False)
        scores, weights = page.locator("table").all()
        for table, caption in zip((scores, weights), captions, strict=True):
            assert table.locator("caption").inner_text().startswith(caption)
        assert scores.locator("tr").nth(3).inner_text().split() == ["my", "−∞", "−∞", "−0.03", "−∞", "−∞"]
        assert weights.locator("tr").nth(1).inner_text().split()[1:] == ["NaN"] * 6
        assert weights.locator("tr").nth(3).inner_text().split()[1:] == ["0.00", "0.00", "1.00", "0.00", "0.00", "1.00"]

    @pytest.mark.parametrize(
        ("state", "first"), [({"empty_row": "uniform"}, "−10⁹"), ({"masking": "after"}, "✗ −1.06"), ({}, "−∞")]
    )
    def test_table_of_scores_says_which_keys_are_hidden(self, state, first):
        html = explorer(mask=[[True] * 5, [False] * 5, *[[True] * 5] * 3], **state).to_html()
        assert f'<th scope="row">is</th><td>{first}</td>' in html


def test_row_whose_weights_do_not_sum_to_1_stands_out(open_page):
    state = explorer(preset="hides_itself", masking="after")
    page = open_page(page_of(state.to_html()))

    def standing_out() -> list[str]:
        return page.evaluate("() => [...document.querySelectorAll('.body td.broken')].map((cell) => cell.dataset.ref)")

    assert standing_out() == [f"sums/{i}/0" for i in range(5)]
    set_state(page, {"masking": "before", "empty_row": "nan"})
    assert standing_out() == [f"weights/0/{j}" for j in range(5)] + ["sums/0/0"]
    set_state(page, {"empty_row": "uniform"})
    assert standing_out() == []
