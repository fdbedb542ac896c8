"""Every explorer by mouse, by touch at 390 pixels and by keyboard alone, in every language, without a network."""

import pytest
from examples import EXAMPLES
from explorer_page import get_state, page_of
from readers_hands import HANDS

from attention_book import use_language
from attention_book.explorers.explorer import Explorer
from attention_book.language import languages, message

pytestmark = pytest.mark.slow

# What is pressed, and the trait that it sets to a value.
PRESSED = {
    "attention_row": (".words button:nth-child(3)", "query", 2),
    "context": (".choice:last-child .buttons button:nth-child(2)", "weights", [0, 1, 0, 0, 0]),
    "cost": (".choice .buttons button >> nth=4", "d_model", 18432),
    "dot_product": (".choice .buttons button:nth-child(2)", "key", [-1, 2]),
    "fused_projection": (".choice .buttons button >> nth=1", "matrix", "key"),
    "heads": (".choice .buttons button >> nth=1", "matrix", "key"),
    "look_up": (".choice .buttons button:nth-child(4)", "query", 3),
    "mask": (".choice .buttons button >> nth=0", "preset", "none"),
    "real_heads": (".switch input", "special", False),
    "softmax": (".switch input", "scale", False),
    "token_ids": (".switch input >> nth=0", "normalize", False),
    "walk_through": (".step:nth-child(4)", "step", "query"),
}
# What is dragged, or moved with an arrow key, and the trait that follows.
DRAGGED = {
    "attention_row": ("td input >> nth=1", "scores"),
    "context": ("td input >> nth=1", "weights"),
    "cost": (".sizes input[type=range] >> nth=5", "num_tokens"),
    "dot_product": (".handle .ring >> nth=1", "key"),
    "softmax": ("td input >> nth=2", "scores"),
    "training": (".controls input", "record"),
}
# A number with its first operand, and where that leads; nothing where the path ends.
NUMBERS = {
    "attention_row": ("weights/0/2", "scores/0/2"),
    "context": ("context/0/3", "weights/0/0"),
    "cost": ("cache_size/0/0", "num_tokens/0/0"),
    "dot_product": ("by_angle/0/0", "length_q/0/0"),
    "fused_projection": ("embeddings/2/1", "token_ids/2/0"),
    "heads": ("query/1/2", "embeddings/1/0"),
    "look_up": ("embeddings/2/1", "one_hot/2/0"),
    "mask": ("weights/2/1", "masked/2/1"),
    "real_heads": ("model/2/1", None),
    "softmax": ("weights/2/0", "inputs/2/0"),
    "token_ids": ("code_points/1/0", None),
    "training": ("right/4/0", "losses/4/0"),
    "walk_through": ("weights.0/1/2", "scores.0/1/2"),
}


@pytest.fixture(params=HANDS)
def hand(request):
    return HANDS[request.param]


@pytest.fixture
def opened(explorer, hand, open_page):
    """A page with the explorer in a language, and the hand that operates it."""

    def in_language(language: str = "en"):
        use_language(language)
        page = open_page(page_of(EXAMPLES[explorer].make().to_html(), language), offline=True, **hand.settings)
        assert page.locator(".title").inner_text() == message(f"explorers_{explorer}.title")
        return page, hand(page)

    return in_language


def explained(page) -> str:
    """The reference of the number that is being explained."""
    return page.locator(".explanation").get_attribute("data-ref")


@pytest.mark.parametrize("language", languages())
def test_number_is_explained_followed_to_its_origin_and_back(explorer, language, opened):
    page, hand = opened(language)
    ref, origin = NUMBERS[explorer]
    assert explained(page) != ref
    hand.number(page.locator(f'.body [data-ref="{ref}"].number').first)
    assert explained(page) == ref
    assert page.locator(f'.body .chosen[data-ref="{ref}"]').count() > 0
    assert page.locator(".explanation .name").inner_text().strip()
    assert page.locator(".explanation .meaning").inner_text().strip()
    assert page.locator(".for-ears").inner_text().strip()
    if origin is None:
        assert page.locator(".operand").count() == 0
        return
    # Where the origin stands in the explorer too, it lights up.
    for place in page.locator(f'.body [data-ref="{origin}"]').all():
        assert "lit" in place.get_attribute("class").split()
    hand.follow()
    assert explained(page) == origin
    hand.back()
    assert explained(page) == ref


@pytest.mark.parametrize("explorer", PRESSED)
def test_button_or_switch_sets_its_trait(explorer, opened):
    page, hand = opened()
    target, trait, value = PRESSED[explorer]
    assert get_state(page, trait) != value
    hand.press(page.locator(target))
    assert get_state(page, trait) == pytest.approx(value)
    hand.press(page.locator(".reset"))
    assert get_state(page, trait) != value


@pytest.mark.parametrize("explorer", DRAGGED)
def test_what_can_be_dragged_moves_its_trait(explorer, opened):
    page, hand = opened()
    target, trait = DRAGGED[explorer]
    before = get_state(page, trait)
    hand.drag(page.locator(target))
    assert get_state(page, trait) != before


@pytest.mark.parametrize("explorer", ["token_ids"])
def test_sentence_is_typed(explorer, opened):
    page, hand = opened()
    hand.press(page.locator("input[type=text]"))
    page.keyboard.press("End")
    page.keyboard.type(" red")
    assert get_state(page, "text").rstrip().endswith("red")
    assert page.locator("table.tokens tbody th").all_inner_texts()[-1] == "red"


def test_page_is_no_wider_than_the_screen_of_a_phone(explorer, open_page):
    for language in languages():
        use_language(language)
        page = open_page(page_of(EXAMPLES[explorer].make().to_html(), language), **HANDS["touch"].settings)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


# A place no wider than what the site leaves an explorer at 1280 and at 390 pixels, beside its sidebars and margins.
PLACES = {"dot_product": (624, {}), "attention_row": (320, HANDS["touch"].settings)}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("explorer", PLACES)
def test_small_table_is_seen_whole(explorer, language, open_page):
    width, settings = PLACES[explorer]
    use_language(language)
    page = open_page(page_of(EXAMPLES[explorer].make().to_html(), language), **settings)
    page.add_style_tag(content=f"main {{ width: {width}px; max-width: none; padding: 0 }}")
    assert page.locator(".explorer").bounding_box()["width"] == width
    for grid in page.locator(".numbers .grid, .back-to-scores .grid").all():
        assert grid.evaluate("(grid) => grid.scrollWidth - grid.clientWidth") <= 0


def test_every_explorer_is_operated():
    modules = {kind.module for kind in Explorer.__subclasses__() if hasattr(kind, "module")}
    assert modules <= set(NUMBERS) == {*PRESSED, *DRAGGED, "token_ids"}
