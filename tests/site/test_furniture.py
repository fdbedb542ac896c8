"""Around the text, every word is in the language of the page."""

from functools import cache

import pytest
from built_site import LANGUAGES, PAGES, Site
from furniture_words import furniture_words, head_words

pytestmark = pytest.mark.slow

ENGLISH = next(language for language in LANGUAGES if language.code == "en")
OTHERS = [language for language in LANGUAGES if language is not ENGLISH]
# The same in every language: names of languages, of keys and services; and Spanish and English write "Error" alike.
SHARED = {language.name for language in LANGUAGES} | {language.code.upper() for language in LANGUAGES}
SHARED |= {"Ctrl", "Colab", "Binder", "Error"}
# What the theme and the extensions say in English unless told otherwise.
ENGLISH_FURNITURE = (
    "Back to top",
    "Skip to main content",
    "Color mode",
    "Light",
    "Dark",
    "System Settings",
    "Toggle primary sidebar",
    "Toggle secondary sidebar",
    "Toggle hidden content",
    "Show code cell source",
    "Show code cell content",
    "Hide code cell source",
    "Hide code cell content",
    "Copy",
    "Copy to clipboard",
    "Copied!",
    "Main",
    "Page",
    "Link to this heading",
    "Search this book...",
    "Search",
    "Search...",
    "By author",
    "Contents",
    "On this page",
    "previous",
    "next",
    "previous page",
    "next page",
    "Site navigation",
    "Section Navigation",
    "Version warning",
    "Project name not set",
    "Download this page",
    "Fullscreen mode",
)
pages = pytest.mark.parametrize("page", PAGES)
languages = pytest.mark.parametrize("reader", OTHERS, ids=[language.code for language in OTHERS])


def english_left(words: set[str], english: set[str]) -> set[str]:
    """What a page shares with the English one, or with the lists of known English words."""
    return (words & english - SHARED) | (words & set(ENGLISH_FURNITURE))


@pages
@languages
def test_no_english_word_is_left_in_the_file(site: Site, reader, page):
    words = furniture_words(str(site.document(reader, page)))
    english = furniture_words(str(site.document(ENGLISH, page)))
    assert len(words) > 10
    assert english_left(words, english) == set()


@pages
@languages
def test_no_english_word_is_left_in_the_head(site: Site, reader, page):
    words = head_words(str(site.document(reader, page)))
    english = head_words(str(site.document(ENGLISH, page)))
    assert reader.title in site.document(reader, page).title.get_text()
    shared = {"article", f"_static/cards/{page}.png"}
    assert len(words - shared) >= 2
    assert english_left(words, english) - shared == set()


@pytest.fixture(scope="module")
def words_after_scripts(browser, address):
    """Furniture of a page as the browser shows it; English pages are read once for all comparisons."""

    @cache
    def words(code: str, page: str) -> frozenset[str]:
        tab = browser.new_page()
        tab.goto(f"{address}/{code}/{page}.html")
        if tab.query_selector("div.highlight pre"):
            tab.wait_for_selector("button.copybtn", state="attached")
        tab.keyboard.press("Control+k")
        tab.keyboard.type("softmax")
        tab.wait_for_selector("#search-results a")
        html = tab.content()
        tab.close()
        return frozenset(furniture_words(html))

    return words


@pages
@languages
def test_no_english_word_is_left_once_scripts_have_run(words_after_scripts, reader, page):
    words = words_after_scripts(reader.code, page)
    assert english_left(words, words_after_scripts(ENGLISH.code, page)) == set()


@languages
def test_copy_button_speaks_the_language_after_a_click(browser, address, reader):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(f"{address}/{reader.code}/{PAGES[1]}.html")
    button = tab.wait_for_selector(".cell:not(.tag_hide-input) button.copybtn", state="attached")
    code = tab.evaluate("button => button.parentElement.querySelector('pre').innerText", button)
    assert button.get_attribute("data-tooltip") == reader.furniture["copy"]
    button.evaluate("button => button.click()")
    assert button.get_attribute("data-tooltip") == reader.furniture["copied"]
    assert button.query_selector("title").text_content() == reader.furniture["copied"]
    assert tab.evaluate("navigator.clipboard.readText()").strip() == code.strip()
    context.close()
