"""The search in the dialog: what readers type, with or without accents, finds the pages in their language."""

import json

import pytest
from built_site import LANGUAGES, PAGES, Site
from test_browser import Visit

from serve_site import served

pytestmark = pytest.mark.slow

FIELD = "#pst-search-dialog input"
RESULTS = ".search-results > li > a"


@pytest.fixture(scope="module")
def search(browser, address):
    """Type into the search of a page in a language; gives the addresses of the pages found, best first."""
    tabs = {}

    def find(code: str, words: str) -> list[str]:
        if code not in tabs:
            tabs[code] = visit = Visit(browser.new_page(viewport={"width": 1280, "height": 900}))
            visit.tab.goto(f"{address}/{code}/{PAGES[1]}.html", wait_until="networkidle")
            visit.tab.keyboard.press("Control+k")
        visit = tabs[code]
        visit.tab.evaluate("document.querySelector('.search-status').textContent = ''")
        visit.tab.fill(FIELD, words)
        visit.tab.wait_for_selector(".search-status:not(:empty)")
        assert not visit.faults
        return [link.get_attribute("href") for link in visit.tab.query_selector_all(RESULTS)]

    yield find
    for visit in tabs.values():
        visit.tab.close()


FOUND = {
    "pt": {
        "atencao": "atenção",
        "mascara": "máscara",
        "cabecas": "cabeça",
        "projecao": "projeção",
        "pontuacao": "pontuações",
        "pontuação": "pontuações",
        "corações": "coração",
        "matrizes": "matriz",
        "linguagens": "linguagem",
        "softmax": "softmax",
    },
    "es": {
        "atencion": "atención",
        "tamano": "tamaño",
        "cabezas": "cabeza",
        "cabeza": "cabezas",
        "matriz": "matrices",
        "matrices": "matriz",
        "vez": "veces",
        "softmax": "softmax",
    },
    "en": {"head": "heads", "masking": "mask", "matrix": "matrices", "softmax": "softmax"},
}
PAIRS = [(code, typed, meant) for code, words in FOUND.items() for typed, meant in words.items()]


@pytest.mark.parametrize(("code", "typed", "meant"), PAIRS)
def test_word_is_found_in_each_of_its_forms(search, site: Site, code, typed, meant):
    language = next(language for language in LANGUAGES if language.code == code)
    found = search(code, typed)
    assert found
    text = "".join(site.document(language, address.rpartition("/")[2][:-5]).get_text() for address in found)
    assert meant in text.lower()


@pytest.mark.parametrize("name", ["use_language", "scaled_dot_product_attention", "MultiHeadAttention"])
def test_names_in_code_are_found(search, site: Site, language, name):
    found = search(language.code, name)
    assert found
    assert all(name in site.document(language, address.rpartition("/")[2][:-5]).get_text() for address in found)


@pytest.mark.parametrize("word", ["xyzzy", "qqqq", "softmax xyzzy"])
def test_unknown_word_finds_nothing_and_says_so(search, browser, language, word):
    assert search(language.code, word) == []


def test_results_are_pages_in_the_language_of_the_reader(search, language):
    found = search(language.code, "softmax")
    assert len(found) > 3
    assert all(address.startswith(f"/{language.code}/") for address in found)


def test_chapter_about_the_word_comes_first(search, language):
    assert search(language.code, "softmax")[0].endswith("/06_attention_weights.html")


def test_nothing_is_loaded_before_the_first_letter(browser, address, language):
    tab = browser.new_page()
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{address}/{language.code}/{PAGES[1]}.html", wait_until="networkidle")
    tab.keyboard.press("Control+k")
    assert [url for url in asked if "pagefind" in url] == []
    tab.close()


def test_search_is_used_with_the_keyboard_alone(browser, address, language):
    visit = Visit(browser.new_page())
    tab = visit.tab
    tab.goto(f"{address}/{language.code}/index.html", wait_until="networkidle")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("softmax")
    tab.wait_for_selector(RESULTS)
    status = tab.query_selector(".search-status[role=status]").text_content()
    assert status == language.furniture["search_found"].format(count=len(tab.query_selector_all(RESULTS)))
    places = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        tab.keyboard.press(key)
        places.append(tab.evaluate("document.activeElement.getAttribute('href')"))
    sections = [link.get_attribute("href") for link in tab.query_selector_all(".search-results a")]
    assert places == [sections[0], sections[1], sections[0], None]
    assert "#" in sections[1]
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{address}{sections[1]}")
    tab.keyboard.press("Control+k")
    tab.keyboard.press("Escape")
    tab.wait_for_selector("#pst-search-dialog:not([open])", state="attached")
    assert not visit.faults
    tab.close()


def test_enter_in_the_field_opens_the_first_result(browser, address, language):
    tab = browser.new_page()
    tab.goto(f"{address}/{language.code}/index.html", wait_until="networkidle")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("softmax")
    first = tab.wait_for_selector(RESULTS).get_attribute("href")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{address}{first}")
    tab.close()


def test_search_works_in_a_folder_of_its_host(browser, site: Site, tmp_path, language):
    (tmp_path / "some" / "where").mkdir(parents=True)
    (tmp_path / "some" / "where" / "book").symlink_to(site.folder)
    with served(tmp_path) as address:
        visit = Visit(browser.new_page())
        visit.tab.goto(f"{address}/some/where/book/{language.code}/index.html", wait_until="networkidle")
        visit.tab.keyboard.press("Control+k")
        visit.tab.keyboard.type("softmax")
        href = visit.tab.wait_for_selector(RESULTS).get_attribute("href")
        assert href.startswith(f"/some/where/book/{language.code}/")
        visit.tab.click(RESULTS)
        visit.tab.wait_for_url(f"{address}{href}")
        assert visit.tab.query_selector("article h1")
        assert not visit.faults
        visit.tab.close()


def test_page_opened_from_the_disk_says_why_it_can_not_search(browser, site: Site, language):
    tab = browser.new_page()
    tab.goto((site.folder / language.code / f"{PAGES[1]}.html").as_uri(), wait_until="load")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("softmax")
    tab.wait_for_selector(".search-status:not(:empty)")
    assert tab.text_content(".search-status") == language.furniture["search_failed"]
    tab.close()


def test_endings_are_pairs_without_accents(language):
    assert language.endings
    assert all(len(pair) == 2 and all(ending.isascii() for ending in pair) for pair in language.endings)
    assert json.dumps(language.endings)
