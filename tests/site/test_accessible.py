"""Every page as axe, a keyboard, a large print and a reader who minds motion find it."""

import pytest
from axe_faults import ALL_SHOWN, READ, axe_faults
from built_site import CHAPTERS, LANGUAGES, until

pytestmark = pytest.mark.slow

EXPLORERS_STARTED = "() => [...document.querySelectorAll('[data-explorer]')].every((place) => place.explorer)"
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const stroke = element.querySelector(".ring") ? getComputedStyle(element.querySelector(".ring")).stroke : "none";
    const before = window.lastFocused && element.compareDocumentPosition(window.lastFocused);
    window.lastFocused = element;
    return {
        name: `${element.tagName}.${element.getAttribute("class")} ${element.textContent.trim()}`,
        ring: !outlineStyle.startsWith("none") || boxShadow !== "none" || stroke !== "none",
        seen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
        backwards: Boolean(before & Node.DOCUMENT_POSITION_FOLLOWING),
    };
}"""
MOVING = """() => [...document.querySelectorAll("*")].filter((element) => {
    const style = getComputedStyle(element);
    return /[1-9]/.test(style.transitionDuration) || style.animationName !== "none" || style.scrollBehavior !== "auto";
}).map((element) => `${element.tagName}.${element.className}`)"""
UNFOLDED = "[...document.querySelectorAll('pre, div.math')].filter((box) => !box.closest('details:not([open])'))"
REACHED = f"() => {UNFOLDED}.map((box) => box.tabIndex === 0)"
SCROLLING = f"() => {UNFOLDED}.map((box) => box.scrollWidth > box.clientWidth)"
CUT = """() => [...document.querySelectorAll(".cell pre")].filter(
    (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth).map((box) => box.textContent)"""
HEIGHTS = """(kind) => [...document.querySelectorAll(kind)].map((box) => box.getBoundingClientRect().height)"""


@pytest.fixture
def open_tab(browser):
    """Opens pages whose policy does not keep scripts of the tests out, and starts their explorers."""
    contexts = []

    def open_tab(address: str, **settings):
        settings = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | settings
        contexts.append(browser.new_context(bypass_csp=True, **settings))
        tab = contexts[-1].new_page()
        tab.goto(address, wait_until="load")
        tab.mouse.move(5, 5)
        until(tab, EXPLORERS_STARTED)
        return tab

    yield open_tab
    for context in contexts:
        context.close()


# All pages in both themes and both widths; a rule looks at the theme or at the width, never at the two together.
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing(open_tab, address, language, page_name, theme, width):
    viewport = {"width": width, "height": 900}
    tab = open_tab(f"{address}/{language.code}/{page_name}.html", color_scheme=theme, viewport=viewport)
    assert tab.evaluate("() => document.documentElement.dataset.theme") == theme
    assert axe_faults(tab) == []


@pytest.mark.parametrize("page", ["index", CHAPTERS[5]])
def test_tab_key_goes_down_the_page_and_its_place_is_seen(open_tab, address, language, page):
    tab = open_tab(f"{address}/{language.code}/{page}.html")
    visited = []
    while len(visited) < 1000:
        tab.keyboard.press("Tab")
        place = tab.evaluate(FOCUSED)
        if place is None:
            break
        visited.append(place)
    names = [place["name"] for place in visited]
    assert 30 < len(names) < 1000
    assert [place["name"] for place in visited if not place["ring"]] == []
    assert [place["name"] for place in visited if not place["seen"]] == []
    assert [place["name"] for place in visited if place["backwards"]] == []
    # The first stop leads past the menus, and the last part of the page is reached.
    assert tab.evaluate("() => document.querySelector('.skip-link a, a.skip-link').hash") == "#main-content"
    ways = tab.locator(".prev-next-area a").all()
    assert ways
    assert {way.evaluate("(a) => `A.${a.className} ${a.textContent.trim()}`") for way in ways} <= set(names)


def test_page_of_double_size_does_not_scroll_sideways(open_tab, address, language, page_name):
    """200 % in a window of 1280 pixels is one of 640; 400 % is one of 320."""
    tab = open_tab(f"{address}/{language.code}/{page_name}.html")
    for width in (640, 320):
        tab.set_viewport_size({"width": width, "height": 450})
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("page", ["index", "09_many_heads", "search"])
def test_nothing_moves_for_who_minds_motion(open_tab, address, language, page):
    assert open_tab(f"{address}/{language.code}/{page}.html").evaluate(MOVING) == []


@pytest.mark.parametrize("page", ["index", "09_many_heads"])
def test_formulas_carry_mathml_and_figures_say_what_they_show(site, language, page):
    document = site.document(language, page)
    formulas = document.select(".katex")
    assert len(document.select(".katex math annotation")) == len(formulas)
    assert all(len(image["alt"]) > 30 for image in document.select("article .cell_output img"))


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("width", [1280, 390])
def test_code_and_formulas_that_are_skipped_have_the_height_that_they_will_have(open_tab, address, chapter, width):
    tab = open_tab(f"{address}/{LANGUAGES[0].code}/{chapter}.html", viewport={"width": width, "height": 600})
    code, formulas = tab.evaluate(HEIGHTS, "pre"), tab.evaluate(HEIGHTS, "div.math")
    tab.add_style_tag(content="pre, div.math { content-visibility: visible !important }")
    assert len(code) > 3
    assert tab.evaluate(HEIGHTS, "pre") == pytest.approx(code, abs=0.6)
    assert tab.evaluate(HEIGHTS, "div.math") == pytest.approx(formulas, abs=2)


def test_box_that_scrolls_keeps_its_place_in_the_order_of_tab_when_it_is_skipped_again(open_tab, address):
    tab = open_tab(f"{address}/{LANGUAGES[0].code}/{CHAPTERS[5]}.html", viewport={"width": 390, "height": 700})
    tab.evaluate(READ)
    reached = tab.evaluate(REACHED)
    tab.add_style_tag(content=ALL_SHOWN)
    scrolling = tab.evaluate(SCROLLING)
    assert sum(scrolling) > 30
    assert reached == scrolling


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_code_and_what_it_prints_fit_beside_the_list_of_sections(open_tab, address, chapter):
    tab = open_tab(f"{address}/{LANGUAGES[0].code}/{chapter}.html")
    tab.add_style_tag(content=ALL_SHOWN)
    assert tab.evaluate(CUT) == []
