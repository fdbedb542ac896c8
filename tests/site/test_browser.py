"""What a reader's browser makes of the pages, with no network but the site itself."""

import json
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from built_site import LANGUAGES, PAGES, ROOT, Site, until

from serve_site import served

pytestmark = pytest.mark.slow

WIDTHS = (390, 1280)


@dataclass
class Visit:
    """A tab that lets no request leave this computer and remembers what went wrong."""

    tab: object
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tab.route("**/*", self.answer)
        self.tab.on("console", self.note_console)
        self.tab.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.tab.on("requestfailed", lambda request: self.faults.append(f"not loaded: {request.url}"))
        self.tab.on("response", self.note_response)

    def answer(self, route) -> None:
        if urlsplit(route.request.url).hostname in ("127.0.0.1", None):
            route.continue_()
        else:
            self.faults.append(f"another host: {route.request.url}")
            route.abort()

    def note_console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console {message.type}: {message.text}")

    def note_response(self, response) -> None:
        if response.status >= 400:
            self.faults.append(f"status {response.status}: {response.url}")


@pytest.fixture
def visit(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Visit(context.new_page())
    context.close()


def has_formula(language, page: str) -> bool:
    folder = ROOT / "book" / language.code
    notebook = folder / f"{page}.ipynb"
    if notebook.exists():
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    else:
        text = (folder / f"{page}.md").read_text(encoding="utf-8")
    return bool(re.search(r"(?<!\\)\$", re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)))


def test_page_loads_alone_with_formulas_and_fits_the_screen(visit, address, language, page_name):
    tab = visit.tab
    tab.goto(f"{address}/{language.code}/{page_name}.html", wait_until="load")
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        until(tab, "scheme => document.documentElement.dataset.theme === scheme", scheme)
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 900})
            wide = tab.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                visit.faults.append(f"{scheme}, {width} px: the page is {wide} px wide because of {widest(tab)}")
    if has_formula(language, page_name):
        assert tab.query_selector("article .katex-html")
        assert tab.query_selector("article .katex-mathml math")
        assert tab.evaluate(
            "document.fonts.ready.then(fonts => [...fonts].some(f => /KaTeX/.test(f.family) && f.status === 'loaded'))"
        )
    assert not raw_formulas(tab)
    assert not visit.faults


def widest(tab) -> str:
    """The element that sticks out furthest, for the message."""
    return tab.evaluate(
        """() => {
            const right = element => element.getBoundingClientRect().right;
            const scrolling = "pre *, div.math *, .katex *, .pst-scrollable-table-container *";
            const elements = [...document.querySelectorAll(`main *:not(${scrolling})`)];
            return elements.sort((a, b) => right(b) - right(a))[0].outerHTML.slice(0, 200);
        }"""
    )


def raw_formulas(tab) -> list[str]:
    """Texts with dollar signs or TeX commands outside code and rendered formulas."""
    texts = tab.evaluate(
        """() => {
            const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
            const texts = [];
            while (walker.nextNode()) {
                if (!walker.currentNode.parentElement.closest("pre, code, .katex, script, style")) {
                    texts.push(walker.currentNode.data);
                }
            }
            return texts;
        }"""
    )
    return [text for text in texts if re.search(r"\$[^$]+\$|\\(frac|sqrt|sum|text|operatorname|mathbf|top)\b", text)]


@pytest.mark.parametrize("path", ["index.html", "404.html"])
def test_page_outside_the_contents_loads_alone_and_fits_the_screen(visit, address, path):
    visit.tab.goto(f"{address}/{path}", wait_until="load")
    for width in WIDTHS:
        visit.tab.set_viewport_size({"width": width, "height": 900})
        assert visit.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert not visit.faults


def test_page_works_when_opened_from_the_disk(visit, site: Site, language):
    visit.tab.goto((site.folder / language.code / f"{PAGES[1]}.html").as_uri(), wait_until="load")
    assert visit.tab.query_selector("nav.language-switcher")
    assert not visit.faults


def test_heading_link_survives_the_change_of_language(visit, address):
    first, second = LANGUAGES[:2]
    tab = visit.tab
    # Leaving before the icon has come would break its request off.
    tab.goto(f"{address}/{first.code}/{PAGES[-1]}.html", wait_until="networkidle")
    link = tab.query_selector_all("nav.page-toc a")[1]
    anchor = link.get_attribute("href")
    link.click()
    tab.click(f'nav.language-switcher a[hreflang="{second.tag}"]')
    tab.wait_for_url(f"{address}/{second.code}/{PAGES[-1]}.html{anchor}")
    # The address changes before the page has been laid out and scrolled.
    until(
        tab,
        """selector => {
            const top = document.querySelector(selector).getBoundingClientRect().top;
            return 0 <= top && top < 200;
        }""",
        f"section{anchor} > :is(h2, h3)",
    )
    assert not visit.faults


def test_switcher_works_without_scripts(browser, address):
    first, second = LANGUAGES[:2]
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/{first.code}/{PAGES[1]}.html")
    tab.click(f'nav.language-switcher a[hreflang="{second.tag}"]')
    assert tab.url == f"{address}/{second.code}/{PAGES[1]}.html"
    context.close()


def test_menus_open_on_a_phone(visit, address, language):
    tab = visit.tab
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{address}/{language.code}/{PAGES[1]}.html")
    for toggle, dialog in (
        (".primary-toggle", "#pst-primary-sidebar-modal"),
        (".secondary-toggle", "#pst-secondary-sidebar-modal"),
    ):
        tab.click(toggle)
        tab.wait_for_selector(f"{dialog}[open] a")
        tab.keyboard.press("Escape")
        tab.wait_for_selector(f"{dialog}:not([open])", state="attached")
    assert not visit.faults


@pytest.mark.parametrize("wanted", LANGUAGES, ids=[language.code for language in LANGUAGES])
def test_entrance_suggests_the_language_of_the_browser_and_stays(browser, address, wanted):
    context = browser.new_context(locale=f"{wanted.code}-XX")
    tab = context.new_page()
    tab.goto(f"{address}/index.html")
    shown = [element.text_content() for element in tab.query_selector_all(".suggested:not([hidden])")]
    assert len(shown) == 1
    assert wanted.choose["suggested"] in shown[0]
    assert tab.url == f"{address}/index.html"
    context.close()


def test_entrance_works_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/index.html")
    tab.click(f'a[hreflang="{LANGUAGES[-1].tag}"]')
    assert tab.url == f"{address}/{LANGUAGES[-1].code}/index.html"
    context.close()


def test_wrong_address_at_any_depth_leads_back_to_the_book(browser, address, language):
    context = browser.new_context()
    tab = context.new_page()
    response = tab.goto(f"{address}/{language.code}/nowhere/deep/down.html")
    assert response.status == 404
    assert tab.text_content("li.wanted strong") == language.lost["title"]
    tab.click("li.wanted a")
    assert tab.url == f"{address}/{language.code}/index.html"
    context.close()


def test_site_works_in_a_folder_of_its_host(browser, site: Site, tmp_path):
    (tmp_path / "attention").symlink_to(site.folder)
    (tmp_path / "404.html").symlink_to(site.folder / "404.html")
    language = LANGUAGES[1]
    with served(tmp_path) as address:
        start = f"{address}/attention/{language.code}/index.html"
        context = browser.new_context()
        visit = Visit(context.new_page())
        visit.tab.goto(f"{address}/attention/index.html", wait_until="networkidle")
        visit.tab.click(f'a[hreflang="{language.tag}"]')
        assert visit.tab.url == start
        assert not visit.faults
        visit.tab.goto(f"{address}/attention/{language.code}/nowhere/deep/down.html")
        visit.tab.click("li.wanted a")
        assert visit.tab.url == start
        context.close()
