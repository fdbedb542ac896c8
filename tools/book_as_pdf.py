"""The whole book of one language as a PDF: the site's pages in one document, printed by Chromium.

It is printed twice: only the first printing tells on which page each section of the contents begins.
"""

import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from pypdf import PdfReader

from book_languages import Language
from installed_browser import installed_browser
from whole_book import Article, read_articles, style_sheets

PRINT_STYLE = """
@page { size: A4; margin: 20mm 18mm 22mm; @bottom-center { content: counter(page); font: 9pt sans-serif; } }
@page :first { @bottom-center { content: none; } }
html, body { background: white; font-size: 10.5pt; scroll-behavior: auto; height: auto; }
.chapter, .pages { break-before: page; }
h1, h2, h3, summary { break-after: avoid; }
figure, img, svg, tr, .katex-display, .cell_output > * { break-inside: avoid; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
table { max-width: 100%; font-size: 0.85em; }
img { max-width: 100%; height: auto; }
.bd-article { padding: 0; }
.hidden-code > summary { display: none; }
.title-page { padding-top: 30vh; text-align: center; text-wrap: balance; font-size: 2.4em; font-weight: bold; }
.pages li { list-style: none; display: flex; align-items: baseline; gap: 0.5em; }
.pages a { text-decoration: none; }
.pages ol { padding-left: 1em; }
.pages .leader { flex: 1; border-bottom: 1px dotted gray; }
"""


class NoBrowserError(Exception):
    """There is no Chromium to print with; the message says how to install it."""


def write_pdf(site: Path, language: Language, target: Path) -> None:
    """Print the built site of one language as one PDF with contents, page numbers, links and an outline.

    Raises:
        NoBrowserError: neither Chromium nor Chrome is installed.
    """
    articles = read_articles(site, language)
    for article in articles:
        _make_anchors_unique(article, site / language.code)
    with tempfile.TemporaryDirectory(prefix="attention-book-") as folder:
        page, printed = Path(folder) / "book.html", Path(folder) / "book.pdf"
        numbers: dict[str, int] = {}
        for _ in range(2):
            page.write_text(_document(site, language, articles, numbers), encoding="utf-8")
            _print(page, printed)
            reader = PdfReader(printed)
            numbers = {
                name.removeprefix("/"): reader.get_destination_page_number(place) + 1
                for name, place in reader.named_destinations.items()
            }
        shutil.copy(printed, target)


def _make_anchors_unique(article: Article, folder: Path) -> None:
    """`#exercises` of chapter 5 becomes `#05_attention_scores--exercises`; pictures are found from anywhere."""
    content = article.content
    for element in content.select("[id]"):
        element["id"] = f"{article.name}--{element['id']}"
    for element in content.select("[aria-labelledby], [aria-describedby], [for]"):
        for attribute in ("aria-labelledby", "aria-describedby", "for"):
            element.attrs.pop(attribute, None)
    for link in content.select("a[href]"):
        name, _, anchor = link["href"].partition("#")
        if "://" not in name and name.endswith((".html", "")) and "/" not in name:
            stem = name.removesuffix(".html") or article.name
            link["href"] = f"#{stem}--{anchor}" if anchor else f"#{stem}"
    for picture in content.select("img[src]"):
        picture["src"] = (folder / picture["src"]).resolve().as_uri()


def _document(site: Path, language: Language, articles: list[Article], numbers: dict[str, int]) -> str:
    sheets = "".join(f'<link rel="stylesheet" href="{path.as_uri()}">' for path in style_sheets(site, language))
    chapters = "".join(
        f'<div class="chapter" id="{article.name}">{article.content.decode()}</div>' for article in articles
    )
    return (
        f'<!DOCTYPE html><html lang="{language.tag}" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>{escape(language.title)}</title>{sheets}<style>{PRINT_STYLE}</style></head><body>"
        f'<div class="title-page"><p class="book-title">{escape(language.title)}</p></div>'
        f"{_contents(language, articles, numbers)}{chapters}</body></html>"
    )


def _contents(language: Language, articles: list[Article], numbers: dict[str, int]) -> str:
    def line(anchor: str, text: str) -> str:
        number = numbers.get(anchor, "")
        return f'<a href="#{anchor}">{escape(text)}</a><span class="leader"></span><span>{number}</span>'

    entries = ""
    for article in articles[1:]:
        entries += f"<li>{line(article.name, article.title)}</li>"
        if article.name[0].isdigit():
            sections = "".join(f"<li>{line(anchor, text)}</li>" for anchor, text in article.sections)
            entries += f"<ol>{sections}</ol>"
    return f'<nav class="pages"><h1>{escape(language.furniture["chapters"])}</h1><ol>{entries}</ol></nav>'


def _print(page: Path, target: Path) -> None:
    browser = installed_browser()
    if browser is None:
        raise NoBrowserError("Chromium is missing. Install it, on Debian or Ubuntu with: sudo apt-get install chromium")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += ["--no-pdf-header-footer", "--generate-pdf-document-outline", "--allow-file-access-from-files"]
    command += [f"--user-data-dir={target.parent / 'profile'}", f"--print-to-pdf={target}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
