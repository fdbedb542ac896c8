"""The whole book of one language as an EPUB: the site's pages with formulas as MathML and without scripts."""

import re
import tomllib
from pathlib import Path

from bs4 import Tag
from ebooklib import epub

from book_languages import Language
from first_cell import ROOT
from whole_book import Article, read_articles

STYLE = """
body { line-height: 1.5; }
pre { white-space: pre-wrap; font-size: 0.85em; }
table { border-collapse: collapse; font-size: 0.85em; }
th, td { border: 1px solid #bbb; padding: 0.2em 0.4em; text-align: left; }
img { max-width: 100%; }
summary { font-weight: bold; }
"""
MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
# Attributes that only scripts and style sheets of the site read.
FOR_SCREENS = re.compile(r"^(data-|aria-|on|tabindex|style|role|for|scope|open$|loading|align|border|width|height)")


def write_epub(site: Path, language: Language, target: Path) -> None:
    """Write the built site of one language as one EPUB 3 with contents, links, pictures and MathML."""
    book = epub.EpubBook()
    book.set_identifier(f"attention-book-{language.code}")
    book.set_title(language.title)
    book.set_language(language.tag)
    book.add_author(_author())
    style = epub.EpubItem(uid="style", file_name="style.css", media_type="text/css", content=STYLE.encode())
    book.add_item(style)
    pages, pictures = [], {}
    for article in read_articles(site, language):
        _simplify(article)
        _take_pictures(article, site / language.code, pictures)
        page = epub.EpubHtml(uid=f"page-{article.name}", title=article.title, file_name=f"{article.name}.xhtml")
        page.lang = language.tag
        page.add_item(style)
        page.content = _as_xhtml(article.content)
        if article.content.find("math"):
            page.properties.append("mathml")
        if article.content.find("svg"):
            page.properties.append("svg")
        book.add_item(page)
        pages.append(page)
    for number, (source, name) in enumerate(pictures.items()):
        picture = {"media_type": MEDIA_TYPES[source.suffix], "content": _picture(source)}
        book.add_item(epub.EpubItem(uid=f"picture-{number}", file_name=name, **picture))
    book.toc = pages
    book.spine = ["nav", *pages]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(str(target), book, {"raise_exceptions": True})


def _author() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["authors"][0]["name"]


def _simplify(article: Article) -> None:
    """Leave what an e-reader can show: MathML in place of KaTeX's spans, plain attributes, links between the files."""
    content = article.content
    for formula in content.select(".katex-html"):
        formula.decompose()
    for annotation in content.select("annotation"):
        annotation.decompose()
    for formula in content.select("span.katex, span.katex-mathml, span.katex-display"):
        formula.unwrap()
    for paragraph in content.select("summary p, summary div"):
        paragraph.name = "span"
    for element in content.find_all(True):
        if element.find_parent(["svg", "math"]) or element.name in ("svg", "math"):
            continue
        for attribute in [name for name in element.attrs if FOR_SCREENS.match(name)]:
            del element[attribute]
    for link in content.select("a[href]"):
        name, _, anchor = link["href"].partition("#")
        if "://" not in name:
            file = re.sub(r"\.html$", ".xhtml", name)
            link["href"] = f"{file}#{anchor}" if anchor else file
            link.attrs.pop("download", None)


def _take_pictures(article: Article, folder: Path, pictures: dict[Path, str]) -> None:
    """Note each picture of the page under its name in the EPUB."""
    for picture in article.content.select("img[src]"):
        source = (folder / picture["src"]).resolve()
        picture["src"] = pictures.setdefault(source, f"pictures/{source.name}")


def _picture(path: Path) -> bytes:
    """SVG without its document type, which EPUB does not allow."""
    content = path.read_bytes()
    return re.sub(rb"<!DOCTYPE[^>]*>", b"", content) if path.suffix == ".svg" else content


def _as_xhtml(content: Tag) -> bytes:
    content.name = "div"
    return content.decode(formatter="minimal").encode()
