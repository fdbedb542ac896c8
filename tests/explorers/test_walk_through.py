"""The walk-through: every chain ends at a token id, by mouse, by touch and by keyboard alone."""

import pytest
import torch
from examples import EXAMPLES
from explorer_page import ENDS, PHONE, explained_numbers, page_of, set_state, without_origin

from attention_book import running_example, use_language
from attention_book.explorers import InvalidState, WalkThrough


@pytest.fixture
def walk(open_page):
    return open_page(page_of(WalkThrough().to_html()))


def explained(page) -> str:
    """The reference of the number that is being explained."""
    return page.locator(".explanation").get_attribute("data-ref")


def step_of(page) -> str:
    return page.evaluate("() => document.querySelector('[data-explorer]').explorer.model.get('step')")


@pytest.mark.slow
@pytest.mark.parametrize("num_heads", [1, 4])
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_every_chain_of_operands_ends_at_a_token_id(num_heads, mask, walk):
    set_state(walk, {"num_heads": num_heads, "mask": mask})
    numbers = explained_numbers(walk)
    assert len(numbers) > 1500
    assert without_origin(numbers) == []


@pytest.mark.slow
def test_arithmetic_with_the_shown_operands_gives_the_number(walk):
    """What the line says is what was computed: the operands, put together by the rule of each step, give the result."""
    refs = ["query.0/0/3", "products.0/0/4", "scores.0/0/4", "weights.0/0/4", "context.0/0/2", "output/1/5"]
    state = walk.evaluate(
        """(refs) => {
            const { graph } = document.querySelector("[data-explorer]").explorer;
            const operands = (ref) => graph.explain(ref).operands.map((operand) => graph.value(operand));
            return Object.fromEntries(refs.map((ref) => [ref, { value: graph.value(ref), operands: operands(ref) }]));
        }""",
        refs,
    )
    for ref in ("query.0/0/3", "products.0/0/4", "context.0/0/2", "output/1/5"):
        pairs = torch.tensor(state[ref]["operands"], dtype=torch.float64).view(-1, 2)
        assert pairs.prod(dim=1).sum().item() == pytest.approx(state[ref]["value"], abs=1e-9)
    assert state["scores.0/0/4"]["value"] == pytest.approx(state["scores.0/0/4"]["operands"][0] / 4)
    own, *row = torch.tensor(state["weights.0/0/4"]["operands"], dtype=torch.float64).exp()
    assert (own / sum(row)).item() == pytest.approx(0.40, abs=1e-6)


@pytest.mark.slow
def test_famous_row_stands_in_the_first_step_shown(walk):
    row = [walk.locator(f'td[data-ref="weights.0/0/{j}"]').inner_text() for j in range(5)]
    assert row == ["0.21", "0.03", "0.05", "0.31", "0.40"]


@pytest.mark.slow
def test_by_mouse_hover_lights_row_and_column_and_clicks_lead_to_a_token_id(walk):
    walk.get_by_role("button", name="Q", exact=True).click()
    walk.locator('td[data-ref="query.0/1/3"]').hover()
    lit = set(walk.evaluate("() => [...document.querySelectorAll('.lit')].map((cell) => cell.dataset.ref)"))
    assert lit == {f"embeddings/1/{k}" for k in range(16)} | {f"W_Q.0/{k}/3" for k in range(16)}
    walk.locator('td[data-ref="query.0/1/3"]').click()
    trail = ["query.0/1/3"]
    while explained(walk).split("/")[0] not in ENDS:
        walk.locator(".operand").first.click()
        trail.append(explained(walk))
        assert len(trail) < 8
    assert trail == ["query.0/1/3", "embeddings/1/0", "token_ids/1/0"]
    assert step_of(walk) == "token_ids"
    assert "chosen" in walk.locator('td[data-ref="token_ids/1/0"]').get_attribute("class")
    for ref in reversed(trail[:-1]):
        walk.locator(".back").click()
        assert explained(walk) == ref


@pytest.mark.slow
def test_hover_is_a_glance_and_the_chosen_number_returns(walk):
    walk.locator('td[data-ref="weights.0/2/1"]').click()
    walk.locator('td[data-ref="weights.0/3/1"]').hover()
    assert explained(walk) == "weights.0/3/1"
    walk.locator(".explorer header").hover()
    assert explained(walk) == "weights.0/2/1"


@pytest.mark.slow
def test_by_touch_on_a_narrow_screen_taps_lead_to_a_token_id(open_page):
    page = open_page(page_of(WalkThrough().to_html()), **PHONE)
    page.get_by_role("button", name="K", exact=True).tap()
    page.locator('td[data-ref="key.0/4/1"]').tap()
    assert explained(page) == "key.0/4/1"
    page.locator(".operand").first.tap()
    page.locator(".operand").first.tap()
    assert explained(page) == "token_ids/4/0"
    page.locator(".back").tap()
    assert explained(page) == "embeddings/4/0"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_by_keyboard_alone_from_the_address_bar_to_a_token_id_and_back(walk):
    for _ in range(40):
        walk.keyboard.press("Tab")
        if walk.evaluate("() => document.activeElement.dataset.ref ?? ''").startswith("weights.0/"):
            break
    walk.keyboard.press("Home")
    walk.keyboard.press("ArrowDown")
    walk.keyboard.press("ArrowRight")
    assert explained(walk) == "weights.0/1/1"
    trail = []
    while explained(walk).split("/")[0] not in ENDS:
        walk.keyboard.press("Enter")
        trail.append(explained(walk))
        assert len(trail) < 12
    assert trail[0] == "weights.0/1/1"  # the first Enter goes into the arithmetic
    assert trail[-1] == "token_ids/1/0"
    for key in ("Backspace", "Escape"):
        walk.keyboard.press(key)
    assert explained(walk) == trail[-3]


@pytest.mark.slow
def test_arrow_keys_reach_every_number_of_a_long_matrix(open_page):
    generator = torch.Generator().manual_seed(1)
    d_model = 40
    matrices = {name: torch.randn(d_model, d_model, generator=generator) for name in ("W_Q", "W_K", "W_V", "W_O")}
    words = ["a", "b", "c"]
    explorer = WalkThrough(
        tokens=words, token_ids=[0, 1, 2], vocabulary=words, step="embeddings",
        embedding_matrix=torch.randn(3, d_model, generator=generator), **matrices,
    )  # fmt: skip
    page = open_page(page_of(explorer.to_html()))
    page.locator('td[data-ref="embeddings/0/0"]').click()
    for _ in range(39):
        page.keyboard.press("ArrowRight")
    assert explained(page) == "embeddings/0/39"
    # The matrix that the row was copied from moves along, so that what lights up is seen in both.
    assert page.locator('td.lit[data-ref="embedding_matrix/0/39"]').is_visible()
    for _ in range(6):
        page.get_by_role("button", name="Columns further left").last.click()
    assert page.locator('td[data-ref="embeddings/0/0"]').is_visible()


@pytest.mark.slow
def test_windows_of_a_long_product_move_together(open_page):
    """What lights up is seen in each matrix, and the lit row and the lit column are the same terms."""
    generator = torch.Generator().manual_seed(2)
    d_model = 40
    words = [f"word{place}" for place in range(20)]
    matrices = {name: torch.randn(d_model, d_model, generator=generator) for name in ("W_Q", "W_K", "W_V", "W_O")}
    explorer = WalkThrough(
        tokens=words, token_ids=list(range(20)), vocabulary=words, step="output",
        embedding_matrix=torch.randn(20, d_model, generator=generator), **matrices,
    )  # fmt: skip
    page = open_page(page_of(explorer.to_html()))

    def lit() -> list[str]:
        return page.evaluate("() => [...document.querySelectorAll('td.lit')].map((cell) => cell.dataset.ref)")

    for _ in range(2):
        page.get_by_role("button", name="Columns further right").nth(1).click()  # of W_O
        page.get_by_role("button", name="Rows further down").nth(1).click()
    page.mouse.move(1, 1)
    page.locator('td[data-ref="output/1/14"]').hover()
    assert lit() == [f"heads/1/{k}" for k in range(12, 18)] + [f"W_O/{k}/14" for k in range(12, 18)]
    # A parameter multiplies the number of the query token, whose row may be far away.
    page.get_by_role("button", name="Rows further down").first.click()
    page.locator('td[data-ref="W_O/13/15"]').click()
    assert lit() == ["heads/0/13"]


@pytest.mark.slow
def test_operands_of_the_chosen_number_have_their_names_and_the_focus_never_leaves(walk):
    labels = "() => [...document.querySelectorAll('.operand')].map((operand) => operand.getAttribute('aria-label'))"
    texts = "() => [...document.querySelectorAll('.operand')].map((operand) => operand.textContent)"
    walk.evaluate(
        """() => {
            window.lost = 0;
            document.addEventListener("focusout", ({ relatedTarget }) => (window.lost += relatedTarget ? 0 : 1));
        }"""
    )
    walk.locator('td[data-ref="weights.0/0/4"]').focus()
    walk.keyboard.press("Enter")
    walk.wait_for_function("() => ![...document.querySelectorAll('.operand')].some((o) => !o.ariaLabel)")
    named = walk.evaluate(labels)
    assert named[0] == "score of the query Orange with the key fruit, the product divided by √d_k: 1.34"
    assert len(set(named)) == 5
    for step in ("Enter", "Enter", "Backspace", "Backspace"):
        walk.keyboard.press(step)
        first = walk.evaluate(labels)[0]  # at once, before the others: it has the focus
        assert first.endswith(f": {walk.evaluate(texts)[0]}")
        assert walk.evaluate("() => document.activeElement.ariaLabel") == first
    assert walk.evaluate("() => window.lost") == 0
    for other in (1, 2):  # a pointer that has just appeared has not moved
        walk.locator(f'td[data-ref="weights.0/0/{other}"]').hover()
    assert set(walk.evaluate(labels)) == {None}


@pytest.mark.slow
def test_tables_stay_in_their_place_from_one_step_to_the_next(walk):
    removed = """(step) => {
        const seen = [];
        const watch = new MutationObserver((all) => seen.push(...all.flatMap(({ removedNodes }) => [...removedNodes])));
        watch.observe(document.querySelector(".matrices"), { childList: true });
        document.querySelector("[data-explorer]").explorer.set({ step });
        seen.push(...watch.takeRecords().flatMap(({ removedNodes }) => [...removedNodes]));
        watch.disconnect();
        return seen.filter((node) => node.className === "matrix").length;
    }"""
    tables = {"query": 3, "embeddings": 3, "token_ids": 2, "heads": 1, "output": 3, "weights": 2, "context": 3}
    before = walk.locator(".matrix").count()
    for step, count in tables.items():
        assert walk.evaluate(removed, step) == max(before - count, 0)
        before = walk.locator(".matrix").count()
        assert before == count
        captions = walk.locator(".matrix caption code:first-child").all_inner_texts()
        assert len(set(captions)) == count


@pytest.mark.slow
def test_explanation_that_comes_to_the_edge_of_the_window_does_not_take_the_first_click(open_page):
    page = open_page(page_of(WalkThrough(step="query").to_html()))
    button = page.get_by_role("button", name="favorite", exact=True)
    box = button.bounding_box()
    page.set_viewport_size({"width": 1280, "height": int(box["y"] + box["height"]) + 5})
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    explanation = page.locator(".explanation")
    assert explanation.evaluate("(element) => getComputedStyle(element).position") == "sticky"
    page.locator("h1").click()
    assert explanation.evaluate("(element) => getComputedStyle(element).position") == "static"


@pytest.mark.slow
def test_query_head_and_mask_are_chosen_on_the_page(walk):
    walk.get_by_role("button", name="favorite", exact=True).click()
    assert explained(walk).startswith("weights.0/3/")
    walk.get_by_role("button", name="4", exact=True).click()
    walk.get_by_role("button", name="2", exact=True).click()
    assert explained(walk).startswith("weights.2/3/")
    walk.get_by_role("button", name="causal").click()
    assert walk.locator('td[data-ref="weights.2/3/4"]').inner_text() == "0.00"
    walk.get_by_role("button", name="mask", exact=True).click()
    assert walk.locator('td[data-ref="masked.2/3/4"]').inner_text() == "−∞"
    walk.get_by_role("button", name="Start again").click()
    assert step_of(walk) == "weights"
    assert walk.locator('td[data-ref="weights.0/0/4"]').inner_text() == "0.40"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["pt", "es", "en"])
def test_bar_of_steps_stays_on_one_line_of_a_page(language, open_page):
    use_language(language)
    page = open_page(page_of(WalkThrough(mask="causal").to_html(), language))
    page.evaluate("() => (document.querySelector('main').style.maxWidth = '686px')")  # a column of the site
    tops = "() => [...document.querySelectorAll('.steps button')].map((step) => step.getBoundingClientRect().top)"
    for step in page.locator(".step").all():
        step.click()
        assert len(set(page.evaluate(tops))) == 1


@pytest.mark.slow
def test_products_are_divided_into_scores_as_in_the_chapters(walk):
    walk.get_by_role("button", name="scores", exact=True).click()
    captions = walk.locator(".matrix caption").all_inner_texts()
    assert captions == ["products: each query with each key [5, 5]", "scores: products divided by √d_k [5, 5]"]
    assert [walk.locator(f'td[data-ref="{name}.0/0/4"]').inner_text() for name in ("products", "scores")] == [
        "5.36",
        "1.34",
    ]
    first = "() => [...document.querySelectorAll('.matrix tbody')].map((rows) => rows.getBoundingClientRect().top)"
    assert len(set(walk.evaluate(first))) == 1


@pytest.mark.slow
def test_chapter_that_stops_earlier_offers_no_later_step(open_page):
    page = open_page(page_of(WalkThrough(step="query", last="value").to_html()))
    assert page.locator(".step").all_inner_texts() == ["ids", "X", "Q", "K", "V"]


@pytest.mark.slow
def test_tokens_are_shown_as_text(open_page):
    attack = '<img src=x onerror="document.title=1">'
    state = WalkThrough()
    explorer = WalkThrough(tokens=[attack, *state.tokens[1:]])
    page = open_page(page_of(explorer.to_html()))
    assert page.title() == "Explorer"
    assert page.locator(".explorer img").count() == 0
    assert page.locator("th", has_text=attack).count() > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"tokens": [], "token_ids": []}, "The sentence is empty"),
        ({"W_Q": [[float("nan")] * 16] * 16}, "These numbers cannot be shown"),
        ({"W_Q": [[0.0] * 15] * 16}, "These numbers cannot be shown"),
        ({"token_ids": [2, 3, 4, 5, 99]}, "These numbers cannot be shown"),
    ],
)
def test_bad_state_keeps_the_last_picture_and_says_why(bad, sentence, walk):
    before = walk.locator(".body").inner_text()
    set_state(walk, bad)
    assert sentence in walk.get_by_role("alert").inner_text()
    assert walk.locator(".body").inner_text() == before
    set_state(walk, {name: getattr(WalkThrough(), name) for name in bad})
    assert not walk.get_by_role("alert").is_visible()


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"tokens": []}, "tokens must hold at least one token"),
        ({"token_ids": [2, 3, 4, 5, 8]}, r"token id 8 is outside 0\.\.7"),
        ({"W_V": torch.zeros(16, 8)}, r"W_V must have shape \(16, 16\)"),
        ({"W_K": torch.full((16, 16), torch.nan)}, "W_K must be finite"),
        ({"num_heads": 3}, "num_heads must divide d_model 16, got 3"),
        ({"head": 1}, r"head must be one of 0\.\.0, got 1"),
        ({"query": 5}, r"query must be one of 0\.\.4, got 5"),
    ],
)
def test_bad_state_in_python_gets_a_clear_sentence(state, sentence):
    with pytest.raises(InvalidState, match=sentence):
        WalkThrough(**state)


def test_weights_in_python_are_those_of_the_book():
    assert WalkThrough().weights[0] == pytest.approx([0.21, 0.03, 0.05, 0.31, 0.40], abs=1e-6)


def test_weights_follow_head_and_mask():
    walk = WalkThrough(num_heads=4)
    first = walk.weights
    walk.head = 2
    assert walk.weights != first
    walk.mask = "causal"
    assert walk.weights[0] == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert len(walk.context[0]) == 4
    assert len(walk.output[0]) == running_example().W_Q.shape[0]


def test_table_shows_the_step():
    assert "<td>0.40</td>" in WalkThrough().to_html()
    assert "<td>−∞</td>" in WalkThrough(step="masked", mask="causal").to_html()
    assert EXAMPLES["walk_through"].make().to_html().count("<table>") == 1


def test_fewer_heads_than_the_chosen_one_show_the_last_head():
    explorer = WalkThrough(num_heads=4, head=3)
    explorer.num_heads = 2
    last = WalkThrough(num_heads=2, head=1)
    assert explorer.weights == last.weights
    assert [list(rows) for _, _, rows in explorer.tables()] == [list(rows) for _, _, rows in last.tables()]


@pytest.mark.slow
def test_fewer_heads_than_the_chosen_one_show_the_last_head_on_the_page(open_page):
    page = open_page(page_of(WalkThrough(num_heads=4, head=3).to_html()))
    set_state(page, {"num_heads": 2})
    assert explained(page).startswith("weights.1/")
    assert page.locator('td[data-ref^="weights.1/"]').count() == 25
