"""The pages are light: few and small files, nothing that keeps the text from being shown, nothing that moves it."""

import re
from functools import cache
from pathlib import Path

import pydata_sphinx_theme
import pytest
import sphinx_book_theme
import tinycss2
from built_site import CHAPTERS, PAGES, ROOT, Site, until
from fontTools.ttLib import TTFont

from book_extension.figure_sizes import with_figure_sizes
from book_extension.used_styles import UsedStyles
from measure_pages import first_visit

MOST_BYTES = 200_000
MOST_REQUESTS = 20
MOST_SHIFT = 0.02
THEMES = Path(pydata_sphinx_theme.__file__).parent / "theme", Path(sphinx_book_theme.__file__).parent / "theme"
KATEX = ROOT / "book" / "assets" / "katex"
slow = pytest.mark.slow


@slow
def test_first_visit_of_a_chapter_is_small_and_steady(browser, address, language, chapter):
    visit = first_visit(browser, f"{address}/{language.code}/{chapter}.html")
    assert visit.bytes["document"] > 5_000
    assert visit.bytes.total() <= MOST_BYTES, visit.bytes
    assert visit.requests.total() <= MOST_REQUESTS, visit.requests
    assert visit.foreign == 0
    assert visit.shift < MOST_SHIFT


@slow
@pytest.mark.parametrize("page", ["index", CHAPTERS[-1]])
def test_text_of_a_wide_page_does_not_move_while_it_loads(browser, address, language, page):
    assert first_visit(browser, f"{address}/{language.code}/{page}.html", width=1280).shift < MOST_SHIFT


@slow
def test_no_script_keeps_the_page_from_being_shown(site: Site, language, page_name):
    document = site.document(language, page_name)
    scripts = document.select("script")
    assert [script["src"] for script in scripts if script.get("src") and not script.has_attr("defer")] == []
    # Light or dark is decided before the first line is drawn; nothing else runs there.
    inline = [script.get_text() for script in scripts if not script.get("src")]
    assert len(inline) == 1
    assert len(inline[0]) < 500
    assert 1 <= len([script for script in scripts if script.get("src")]) <= 2


@slow
def test_nothing_lies_beside_the_pages_that_no_page_needs(site: Site, language):
    folder = site.folder / language.code / "_static"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    texts = [str(site.document(language, page)) for page in PAGES]
    texts.append((folder / "book.css").read_text(encoding="utf-8"))
    unused = {file for file in files if not any(file in text for text in texts)}
    assert "book.js" in files
    assert unused == {"katex/LICENSE"}


@slow
def test_no_file_names_a_source_map(site: Site):
    texts = [path for path in site.folder.rglob("*") if path.suffix in (".js", ".css")]
    assert texts
    assert [path.name for path in texts if "sourceMappingURL" in path.read_text(encoding="utf-8")] == []
    assert not list(site.folder.rglob("*.map"))


def selectors(style: str) -> set[str]:
    """Every selector outside print and other media that the browser would read, as one string each."""
    found = set()
    for rule in tinycss2.parse_stylesheet(style, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            parts = [[]]
            for token in rule.prelude:
                if token == ",":
                    parts.append([])
                else:
                    parts[-1].append(token)
            found |= {" ".join(tinycss2.serialize(part).split()) for part in parts}
    return found


@cache
def theme_selectors() -> frozenset[str]:
    sheets = [path for theme in THEMES for path in theme.rglob("static/styles/*.css")]
    sheets += [KATEX / "katex.min.css", KATEX.parent / "site.css"]
    assert len(sheets) >= 4
    return frozenset().union(*(selectors(sheet.read_text(encoding="utf-8")) for sheet in sheets))


@slow
def test_every_rule_that_a_page_needs_is_in_the_style_sheet(browser, site: Site, address, language, page_name):
    style = (site.folder / language.code / "_static" / "book.css").read_text(encoding="utf-8")
    left_out = sorted(theme_selectors() - selectors(style))
    assert len(left_out) > 1000
    tab = browser.new_page()
    tab.goto(f"{address}/{language.code}/{page_name}.html", wait_until="networkidle")
    missed = tab.evaluate(
        """selectors => selectors.filter(selector => {
            const element = selector.replace(/::?(before|after|placeholder|marker|backdrop|-[a-z-]+)/g, "");
            try { return document.querySelector(element || "*"); } catch { return false; }
        })""",
        left_out,
    )
    tab.close()
    assert missed == []


GLYPHS = """() => {
    const shown = {};
    for (const root of document.querySelectorAll(".katex-html")) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const { fontFamily, fontWeight, fontStyle } = getComputedStyle(walker.currentNode.parentElement);
            const face = [fontFamily.split(",")[0].replaceAll('"', ""), fontWeight, fontStyle].join(" ");
            shown[face] = (shown[face] ?? "") + walker.currentNode.data;
        }
    }
    return shown;
}"""
SUFFIX = {"400 normal": "Regular", "400 italic": "Italic", "700 normal": "Bold", "700 italic": "BoldItalic"}


@slow
def test_fonts_have_every_sign_of_the_formulas(browser, site: Site, address, language, page_name):
    tab = browser.new_page()
    tab.goto(f"{address}/{language.code}/{page_name}.html", wait_until="networkidle")
    shown = tab.evaluate(GLYPHS)
    cut = tab.evaluate(
        """async () => Promise.all([...document.fonts].map(async face => {
            await face.load();
            return [face.family.replaceAll('"', ""), face.weight, face.style].join(" ");
        }))"""
    )
    tab.close()
    style = (site.folder / language.code / "_static" / "book.css").read_text(encoding="utf-8")
    for face, text in shown.items():
        family, wish = face.split(" ", 1)
        whole = characters(KATEX / "fonts" / f"{family}-{SUFFIX[wish]}.woff2")
        needed = set(text) & whole
        assert needed == set() or face in cut, face
        if needed:
            assert needed <= cut_characters(site.folder / language.code / "_static", style, face), face


@cache
def characters(path: Path) -> frozenset[str]:
    with TTFont(path) as font:
        return frozenset(map(chr, font.getBestCmap()))


@cache
def cut_characters(static: Path, style: str, face: str) -> frozenset[str]:
    """What the font holds that the style sheet gives for a face, in a file or in itself."""
    import base64
    import io

    family, weight, form = face.split(" ")
    rule = re.search(rf'@font-face{{font-family:"{family}";font-style:{form};font-weight:{weight};[^}}]*}}', style)[0]
    source = re.search(r"url\(([^)]*)\)", rule)[1]
    if source.startswith("data:"):
        content = base64.b64decode(source.partition(",")[2])
    else:
        content = (static / source.partition("?")[0]).read_bytes()
    with TTFont(io.BytesIO(content)) as font:
        return frozenset(map(chr, font.getBestCmap()))


@slow
def test_every_icon_on_the_page_is_drawn(browser, address, language):
    tab = browser.new_page()
    tab.goto(f"{address}/{language.code}/{CHAPTERS[0]}.html", wait_until="networkidle")
    icons = tab.evaluate(
        """() => [...document.querySelectorAll("[class*='fa-']")].map(icon => {
            const sign = getComputedStyle(icon, "::before");
            return [icon.className, sign.content, document.fonts.check(`${sign.fontWeight} 16px ${sign.fontFamily}`)];
        })"""
    )
    tab.close()
    assert len(icons) > 5
    signs = re.compile(r'"[\ue000-\uf8ff]"')
    assert [name for name, content, there in icons if not signs.fullmatch(content) or not there] == []


@slow
def test_contents_of_the_page_mark_the_section_being_read(browser, address, language):
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(f"{address}/{language.code}/{CHAPTERS[0]}.html", wait_until="load")
    link = tab.query_selector_all("nav.page-toc a")[2]
    tab.evaluate("address => document.querySelector(address).scrollIntoView()", link.get_attribute("href"))
    until(tab, "link => link.classList.contains('active')", link)
    assert len(tab.query_selector_all("nav.page-toc a.active")) == 1
    tab.close()


@slow
def test_figures_say_how_large_they_are(site: Site, language, page_name):
    images = site.document(language, page_name).select("article img")
    assert [image["src"] for image in images if not (image.get("width") and image.get("height"))] == []


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        (".seen{color:red}.unseen{color:red}", ".seen{color:red}"),
        (".seen .unseen,.seen p{color:red}", ".seen p{color:red}"),
        ("#seen,#unseen{color:red}", "#seen{color:red}"),
        (".seen:not(.unseen){color:red}", ".seen:not(.unseen){color:red}"),
        (":is(.unseen,.seen) a{color:red}:is(.unseen) a{color:red}", ":is(.unseen,.seen) a{color:red}"),
        ("@media print{.seen{color:red}.unseen{color:red}}", "@media print{.seen{color:red}}"),
        ("@media print{.unseen{color:red}}p{color:red!important}", "p{color:red!important}"),
        (":root{--a:1px;--b:var(--a);--c:2px;--d:3px}p{margin:var(--c)}", ":root{--c:2px;--d:3px}\np{margin:var(--c)}"),
        ("/*! licence */p{color:red}/* remark */", "/*! licence */\np{color:red}"),
        ('p{background:url("data:image/svg+xml;a,b}")}', 'p{background:url("data:image/svg+xml;a,b}")}'),
    ],
)
def test_rules_are_left_out_only_if_nothing_can_match(style, kept):
    assert UsedStyles(style, {"seen"}, ["getPropertyValue('--d')"]).text == kept


def test_figure_gets_the_size_that_the_drawing_asks_for(tmp_path: Path):
    (tmp_path / "a.svg").write_text('<svg xmlns="x" width="90pt" height="60pt" viewBox="0 0 90 60"/>', encoding="utf-8")
    (tmp_path / "b.svg").write_text('<svg viewBox="0 0 90 60"/>', encoding="utf-8")
    html = '<img src="a.svg" alt="1"/><img src="a.svg"><img src="b.svg"/><img src="a.svg" width="1"/>'
    assert with_figure_sizes(html, tmp_path) == (
        '<img src="a.svg" alt="1" width="120" height="80"/><img src="a.svg" width="120" height="80" loading="lazy">'
        '<img src="b.svg" loading="lazy"/><img src="a.svg" width="1"/>'
    )
