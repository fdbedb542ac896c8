"""The pages of one language as one text, for the PDF and the EPUB: the articles without what only screens need."""

import re
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from book_languages import Language
from derived_configuration import site_pages
from first_cell import ROOT

# The cell tagged `language` looks for the package, and on paper nothing runs.
ON_SCREENS_ONLY = "a.headerlink, button, script, style, link, .take-home, input, canvas, .tag_language"


@dataclass(frozen=True)
class Article:
    """One page: its name without ending, its title, and its content."""

    name: str
    title: str
    content: Tag

    @property
    def sections(self) -> list[tuple[str, str]]:
        """Anchor and heading of each section below the title."""
        return [
            (section["id"], section.h2.get_text(strip=True))
            for section in self.content.select("section[id]")
            if section.find("h2", recursive=False)
        ]


def read_articles(site: Path, language: Language) -> list[Article]:
    """The articles of a built site in the order of the contents; every folded part is open."""
    articles = []
    for name in site_pages(ROOT):
        page = BeautifulSoup((site / language.code / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        content = page.select_one("article.bd-article")
        for element in content.select(ON_SCREENS_ONLY):
            element.decompose()
        for folded in content.select("details"):
            folded["open"] = ""
        for picture in content.select("img[loading]"):
            del picture["loading"]  # what is printed is all in view
        articles.append(Article(name, content.h1.get_text(strip=True), content))
    return articles


def style_sheets(site: Path, language: Language) -> list[Path]:
    """The style sheets of a page with formulas and explorers."""
    page = BeautifulSoup((site / language.code / "index.html").read_text(encoding="utf-8"), "html.parser")
    links = [re.sub(r"\?.*", "", link["href"]) for link in page.select('link[rel="stylesheet"]')]
    return [(site / language.code / link).resolve() for link in links]
