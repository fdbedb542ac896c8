"""What stands in the pages of the built site."""

import json
import posixpath
import re
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from built_site import LANGUAGES, PAGES, ROOT, Site

from list_links import outside_links

pytestmark = pytest.mark.slow

LOADED = [("img", "src"), ("script", "src"), ("source", "src"), ("iframe", "src"), ("object", "data"), ("use", "href")]
LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "manifest", "prefetch"}


def loaded_addresses(document: BeautifulSoup) -> list[str]:
    """Addresses that a browser fetches by itself when it shows the page."""
    addresses = [element[attribute] for tag, attribute in LOADED for element in document.select(f"{tag}[{attribute}]")]
    addresses += [link["href"] for link in document.select("link[href]") if LOADED_LINKS & set(link.get("rel", []))]
    for element in document.select("[srcset]"):
        addresses += [part.split()[0] for part in element["srcset"].split(",")]
    styles = [style.get_text() for style in document.select("style")]
    styles += [element["style"] for element in document.select("[style]")]
    return addresses + style_addresses("\n".join(styles))


def style_addresses(style: str) -> list[str]:
    found = re.findall(r"url\(\s*['\"]?([^'\")]+)", style) + re.findall(r"@import\s+['\"]([^'\"]+)", style)
    return [address for address in found if not address.startswith("data:")]


def anchors_of(document: BeautifulSoup) -> set[str]:
    return {element["id"] for element in document.select("[id]")}


def test_every_page_of_the_contents_exists_in_each_language(site: Site):
    missing = [
        f"{language.code}/{page}.html"
        for language in LANGUAGES
        for page in PAGES
        if f"{language.code}/{page}.html" not in site.documents
    ]
    assert not missing


def test_every_internal_link_and_anchor_resolves(site: Site):
    broken = []
    anchors_in = {path: anchors_of(document) for path, document in site.documents.items()}
    for path, document in site.documents.items():
        for element in document.select("a[href], link[href], img[src], script[src], source[src], form[action]"):
            address = element.get("href") or element.get("src") or element.get("action")
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            if not parts.path:
                if parts.fragment and unquote(parts.fragment) not in anchors_in[path]:
                    broken.append(f"{path} → {address}")
                continue
            folder = "" if parts.path.startswith("/") else posixpath.dirname(path)
            target = posixpath.normpath(posixpath.join(folder, unquote(parts.path).lstrip("/")))
            if not (site.folder / target).is_file() or (
                parts.fragment and unquote(parts.fragment) not in anchors_in[target]
            ):
                broken.append(f"{path} → {address}")
    assert not broken, "links that lead nowhere:\n" + "\n".join(broken)


def test_every_link_out_of_the_book_is_listed(site: Site):
    listed = {(page, address) for address, pages in outside_links(site.folder).items() for page in pages}
    links = {
        (path, link["href"])
        for path, document in site.documents.items()
        for link in document.select("article a[href]")
        if urlsplit(link["href"]).netloc
    }
    assert ("pt/further_reading.html", "https://arxiv.org/abs/1706.03762") in listed
    assert listed == links


def test_links_of_a_page_stay_in_its_language_but_for_the_switcher(site: Site):
    astray = []
    for language in LANGUAGES:
        for page in PAGES:
            for link in site.document(language, page).select("a[href]"):
                parts = urlsplit(link["href"])
                if parts.scheme or parts.netloc or not parts.path or link.find_parent(class_="language-switcher"):
                    continue
                target = posixpath.normpath(posixpath.join(language.code, posixpath.dirname(page), parts.path))
                if not target.startswith(f"{language.code}/"):
                    astray.append(f"{language.code}/{page}.html → {link['href']}")
    assert not astray


def test_ids_are_unique_within_each_page(site: Site):
    repeated = []
    for path, document in site.documents.items():
        ids = [element["id"] for element in document.select("[id]")]
        repeated += [f"{path}#{name}" for name in sorted(set(ids)) if ids.count(name) > 1]
    assert not repeated


def test_nothing_is_loaded_from_another_host(site: Site):
    foreign = [
        f"{path}: {address}"
        for path, document in site.documents.items()
        for address in loaded_addresses(document)
        if urlsplit(address).netloc
    ]
    for style in site.folder.rglob("*.css"):
        addresses = style_addresses(style.read_text(encoding="utf-8"))
        foreign += [f"{style.relative_to(site.folder)}: {a}" for a in addresses if urlsplit(a).netloc]
    assert not foreign


def test_style_sheets_of_the_book_find_their_fonts(site: Site):
    missing = []
    for language in LANGUAGES:
        for style in (site.folder / language.code / "_static" / "katex").glob("*.css"):
            addresses = style_addresses(style.read_text(encoding="utf-8"))
            assert addresses
            missing += [address for address in addresses if not (style.parent / address).is_file()]
    assert not missing


def test_html_is_in_the_language_of_its_folder(site: Site, language, page_name):
    assert site.document(language, page_name).html["lang"] == language.tag


def test_page_has_a_description_of_its_own(site: Site, language, page_name):
    document = site.document(language, page_name)
    descriptions = [meta["content"] for meta in document.select('meta[name="description"]')]
    assert len(descriptions) == 1
    assert 50 <= len(descriptions[0]) <= 200
    others = [page for page in PAGES if page != page_name]
    assert all(
        site.document(language, page).select_one('meta[name="description"]')["content"] != descriptions[0]
        for page in others
    )


def test_page_describes_itself_to_social_networks(site: Site, language, page_name):
    document = site.document(language, page_name)
    tags = {meta["property"]: meta["content"] for meta in document.select("meta[property]")}
    assert tags["og:title"] == document.select_one("article h1").find(string=True, recursive=False).strip() or (
        tags["og:title"] in document.title.get_text()
    )
    assert tags["og:description"] == document.select_one('meta[name="description"]')["content"]
    assert tags["og:locale"] == language.locale
    assert tags["og:image"] == f"_static/cards/{page_name}.png"


def test_figures_have_alternative_text_in_words(site: Site, language, page_name):
    faults = []
    for image in site.document(language, page_name).select("article img"):
        text = image.get("alt", "").strip()
        if not text or re.search(r"[/\\]\S*\.\w{3,4}$|\.(svg|png|jpe?g|gif)$|[0-9a-f]{32}", text):
            faults.append(f"{image['src']}: {text!r}")
    assert not faults, "figures without alternative text:\n" + "\n".join(faults)


def test_figures_of_the_notebook_are_on_the_page(site: Site, language, chapter):
    source = ROOT / "book" / language.code / f"{chapter}.ipynb"
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    figures = [
        output for cell in cells for output in cell.get("outputs", []) if "image/svg+xml" in output.get("data", {})
    ]
    assert len(site.document(language, chapter).select("article img")) >= len(figures)


def test_headings_have_the_ids_of_their_cells_as_anchors(site: Site, language, chapter):
    source = ROOT / "book" / language.code / f"{chapter}.ipynb"
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    headed = [c["id"] for c in cells if c["cell_type"] == "markdown" and re.match(r"#+ ", "".join(c["source"]))]
    sections = [section["id"] for section in site.document(language, chapter).select("article section[id]")]
    assert sections == headed


def test_anchors_are_the_same_in_all_languages(site: Site, language, page_name):
    def anchors(lang):
        return [section["id"] for section in site.document(lang, page_name).select("article section[id]")]

    assert anchors(language) == anchors(LANGUAGES[0])


def test_contents_of_the_page_lead_to_its_sections(site: Site, language, page_name):
    document = site.document(language, page_name)
    links = [link["href"] for link in document.select("nav.page-toc a")]
    headings = document.select("article section section > :is(h2, h3)")
    assert links == [f"#{heading.parent['id']}" for heading in headings]


def test_previous_and_next_follow_the_contents(site: Site, language, page_name):
    document = site.document(language, page_name)
    place = PAGES.index(page_name)
    for relation, neighbour in (("prev", place - 1), ("next", place + 1)):
        links = [link["href"] for link in document.select(f'nav.prev-next-area a[rel="{relation}"]')]
        assert links == ([f"{PAGES[neighbour]}.html"] if 0 <= neighbour < len(PAGES) else [])


def test_notebook_can_be_downloaded_byte_for_byte(site: Site, language, chapter):
    links = site.document(language, chapter).select("a[download]")
    assert [link["download"] for link in links] == [f"{chapter}.ipynb"]
    assert links[0]["aria-label"] == language.furniture["download_notebook"]
    downloaded = site.folder / language.code / links[0]["href"]
    assert downloaded.read_bytes() == (ROOT / "book" / language.code / f"{chapter}.ipynb").read_bytes()


def test_switcher_leads_to_the_same_page_in_each_language(site: Site, language, page_name):
    switcher = site.document(language, page_name).select_one("nav.language-switcher")
    assert switcher["aria-label"] == language.furniture["languages"]
    links = switcher.select("a")
    assert [link["href"] for link in links] == [f"../{other.code}/{page_name}.html" for other in LANGUAGES]
    assert [link["lang"] for link in links] == [link["hreflang"] for link in links] == [o.tag for o in LANGUAGES]
    assert [link["href"] for link in links if link.has_attr("aria-current")] == [f"../{language.code}/{page_name}.html"]


def test_without_the_address_of_the_site_no_page_claims_one(site: Site):
    for path, document in site.documents.items():
        assert not document.select('link[rel="canonical"], link[rel="alternate"][hreflang]'), path


def test_without_the_address_of_the_project_no_launch_link_is_offered(site: Site):
    for path, document in site.documents.items():
        assert not document.select(".launch-button"), path


def test_entrance_offers_every_language_and_sends_nobody_away(site: Site):
    entrance = site.documents["index.html"]
    links = entrance.select("main a")
    assert [link["href"] for link in links] == [f"{language.code}/index.html" for language in LANGUAGES]
    assert [link.find_parent("li")["lang"] for link in links] == [language.tag for language in LANGUAGES]
    assert not entrance.select('meta[http-equiv="refresh"]')
    assert not re.search(r"location\s*(\.href)?\s*=|location\.(replace|assign)", str(entrance))
