"""Explorers on the pages of the site start when they are needed; chapter 16 loads maps when they are asked for."""

import pytest
from built_site import Site, until

from attention_book.explorers import RealHeadsExplorer

pytestmark = pytest.mark.slow

CHAPTER = "16_real_heads"
WEIGHTS = """() => {
    const { values } = document.querySelector('[data-explorer="real_heads"]').explorer.graph.matrix("model");
    return values.flat();
}"""
SENTENCE = 8
REST = "/_static/real_heads"
STARTED = "() => [...document.querySelectorAll('[data-explorer]')].map((place) => Boolean(place.explorer))"


def weights(sentence: int) -> list[float]:
    return [weight for row in RealHeadsExplorer(sentence=sentence).weights for weight in row]


@pytest.fixture
def tab(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def choose(tab, sentence: int) -> None:
    tab.mouse.wheel(0, 10)
    until(tab, """() => document.querySelector('[data-explorer="real_heads"]').explorer""")
    tab.locator(".explorer select").select_option(str(sentence))


def test_explorers_below_the_window_start_when_the_reader_moves(tab, address, language):
    tab.goto(f"{address}/{language.code}/09_many_heads.html", wait_until="networkidle")
    tab.wait_for_timeout(500)
    assert not any(tab.evaluate(STARTED))
    tab.keyboard.press("Tab")
    until(tab, "() => [...document.querySelectorAll('[data-explorer]')].every((place) => place.explorer)")


def test_link_to_a_part_of_the_page_starts_the_explorers(tab, address, language):
    tab.goto(f"{address}/{language.code}/09_many_heads.html#exercises")
    until(tab, "() => [...document.querySelectorAll('[data-explorer]')].every((place) => place.explorer)")


@pytest.mark.parametrize("host", ["server", "disk"])
def test_maps_of_another_sentence_come_when_it_is_chosen(tab, site: Site, address, language, host):
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    root = {"server": address, "disk": site.folder.as_uri()}[host]
    tab.goto(f"{root}/{language.code}/{CHAPTER}.html")
    choose(tab, 0)
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(0), abs=1e-6)
    assert not any(REST in url for url in asked)
    choose(tab, SENTENCE)
    until(tab, "(length) => document.querySelectorAll('.grid tbody tr').length === length", 12)
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(SENTENCE), abs=1e-6)
    # What was loaded once stays, also when the reader begins again.
    tab.locator(".reset").first.click()
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(0), abs=1e-6)
    choose(tab, SENTENCE + 1)
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(SENTENCE + 1), abs=1e-6)
    assert len([url for url in asked if REST in url]) == 1


def test_maps_that_can_not_be_loaded_are_said_to_be_missing(tab, address, language):
    tab.route(f"**{REST}*", lambda route: route.abort())
    tab.goto(f"{address}/{language.code}/{CHAPTER}.html")
    choose(tab, SENTENCE)
    until(tab, "() => !document.querySelector('.explorer .problem').hidden")
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(0), abs=1e-6)
    assert tab.locator(".explorer select").input_value() == "0"
    tab.unroute(f"**{REST}*")
    choose(tab, SENTENCE)
    until(tab, "(length) => document.querySelectorAll('.grid tbody tr').length === length", 12)
    assert tab.evaluate(WEIGHTS) == pytest.approx(weights(SENTENCE), abs=1e-6)
