"""The site can stand anywhere: it asks no other host, has pictures to be shared by, and can be found."""

import io
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from built_site import LANGUAGES, PAGES, SITE_URL, Site, until
from fontTools.ttLib import TTFont
from PIL import Image

from book_extension import social_cards
from content_policy import content_policy

slow = pytest.mark.slow

# Each tries to reach the other server in its way; all are to be refused.
ATTEMPTS = {
    "connect-src": "address => fetch(address).catch(() => null)",
    "img-src": "address => { new Image().src = address; }",
    "script-src-elem": "address => { document.head.append(Object.assign(document.createElement('script'), "
    "{ src: address })); }",
    "style-src-elem": "address => { document.head.append(Object.assign(document.createElement('link'), "
    "{ rel: 'stylesheet', href: address })); }",
    "font-src": "address => new FontFace('Foreign', `url(${address})`).load().catch(() => null)",
    "frame-src": "address => { document.body.append(Object.assign(document.createElement('iframe'), "
    "{ src: address })); }",
}


@pytest.fixture(scope="module")
def other_server():
    """A second server on this computer that anybody may use, and the paths it was asked for."""
    asked = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@slow
@pytest.mark.parametrize("page", ["index.html", "404.html", *[f"{lang.code}/{PAGES[1]}.html" for lang in LANGUAGES]])
def test_no_page_reaches_another_host(browser, address, other_server, page):
    other, asked = other_server
    tab = browser.new_page()
    tab.goto(f"{address}/{page}", wait_until="networkidle")
    tab.evaluate(
        "() => { window.refused = []; document.addEventListener('securitypolicyviolation', event => "
        "refused.push([event.effectiveDirective, event.blockedURI])); }"
    )
    for kind, attempt in ATTEMPTS.items():
        tab.evaluate(attempt, f"{other}/{kind}")
    until(tab, "count => refused.length >= count", len(ATTEMPTS))
    refused = {kind for kind, where in tab.evaluate("refused") if where.startswith(other)}
    tab.close()
    assert refused == set(ATTEMPTS)
    assert asked == []


@slow
def test_other_server_would_have_answered(browser, other_server):
    other, asked = other_server
    tab = browser.new_page()
    tab.goto(f"{other}/start")
    tab.evaluate(ATTEMPTS["connect-src"], f"{other}/free")
    tab.close()
    assert "/free" in asked
    asked.clear()


@slow
def test_every_page_has_the_policy_before_anything_it_loads(site: Site):
    for path, document in site.documents.items():
        first = document.select("meta[http-equiv], script, link, style, img")[0]
        assert first.get("http-equiv") == "Content-Security-Policy", path
        assert first["content"] == content_policy(*[s.string for s in document.select("script:not([src])")]), path


@slow
def test_no_element_carries_code_in_an_attribute(site: Site):
    for path, document in site.documents.items():
        names = {name for element in document.find_all(True) for name in element.attrs if name.startswith("on")}
        assert not names, path


def test_policy_names_no_host():
    words = content_policy("start()").replace(";", "").split()
    assert "'sha256-" in content_policy("start()")
    assert [word for word in words if "." in word or "*" in word or "://" in word] == []


@slow
def test_picture_of_a_page_shows_its_title(published_site: Site, language, page_name):
    document = published_site.document(language, page_name)
    tags = {meta["property"]: meta["content"] for meta in document.select('meta[property^="og:image"]')}
    picture = Image.open(published_site.folder / tags["og:image"].removeprefix(f"{SITE_URL}/"))
    title = document.select_one('meta[property="og:title"]')["content"]
    assert picture.size == (1200, 630) == (int(tags["og:image:width"]), int(tags["og:image:height"]))
    assert picture.text["Title"] == tags["og:image:alt"] == title


@slow
def test_title_on_the_picture_fits_and_every_letter_is_drawn(published_site: Site, language, page_name):
    title = published_site.document(language, page_name).select_one('meta[property="og:title"]')["content"]
    font, lines = social_cards.fitting(title)
    assert " ".join(lines) == " ".join(title.split())
    assert all(font.getlength(line) <= social_cards.TEXT_WIDTH for line in lines)
    with TTFont(font.path) as letters:
        assert {sign for sign in title if not sign.isspace() and ord(sign) not in letters.getBestCmap()} == set()


def test_pictures_differ_by_their_titles():
    one, other = (Image.open(io.BytesIO(social_cards.draw_card(title, "Book"))) for title in ("Query", "Key"))
    assert one.size == other.size == (1200, 630)
    assert one.tobytes() != other.tobytes()


def test_title_too_long_for_a_picture_is_an_error():
    with pytest.raises(ValueError, match="too long"):
        social_cards.draw_card("attention " * 90, "Book")


@slow
def test_site_map_lists_every_page_with_its_translations(published_site: Site):
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    entries = ElementTree.parse(published_site.folder / "sitemap.xml").getroot().findall("s:url", names)
    listed = {
        entry.find("s:loc", names).text: {
            link.get("hreflang"): link.get("href") for link in entry.findall("x:link", names)
        }
        for entry in entries
    }
    expected = {f"{SITE_URL}/": {}}
    for page in PAGES:
        translations = {language.tag: f"{SITE_URL}/{language.code}/{page}.html" for language in LANGUAGES}
        expected |= {address: translations for address in translations.values()}
    assert listed == expected
    canonical = {
        link["href"] for page in published_site.documents.values() for link in page.select('link[rel="canonical"]')
    }
    assert canonical == set(expected)


@slow
def test_robots_are_welcome_and_led_to_the_site_map(published_site: Site, site: Site):
    assert (published_site.folder / "robots.txt").read_text(encoding="utf-8") == (
        f"User-agent: *\nAllow: /\nSitemap: {SITE_URL}/sitemap.xml\n"
    )
    assert (site.folder / "robots.txt").read_text(encoding="utf-8") == "User-agent: *\nAllow: /\n"
    assert not (site.folder / "sitemap.xml").exists()


@slow
def test_page_for_wrong_addresses_speaks_every_language(site: Site):
    lost = site.documents["404.html"]
    assert [item["lang"] for item in lost.select("main li")] == [language.tag for language in LANGUAGES]
    for language, item in zip(LANGUAGES, lost.select("main li"), strict=True):
        assert language.lost["title"] in item.get_text()
    assert lost.select_one('meta[name="robots"]')["content"] == "noindex"
    assert urlsplit(lost.select_one("main a")["href"]).netloc == ""
