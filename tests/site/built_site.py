"""The project's languages and pages, and a built site to look at."""

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from book_languages import Language, read_languages
from derived_configuration import site_pages

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = read_languages(ROOT)
PAGES = site_pages(ROOT)
CHAPTERS = [page for page in PAGES if not (ROOT / "book" / LANGUAGES[0].code / f"{page}.md").exists()]
SITE_URL = "https://book.example/attention"
REPOSITORY_URL = "https://github.com/example/attention-book"


@dataclass(frozen=True)
class Site:
    """A built site on disk."""

    folder: Path

    @cached_property
    def documents(self) -> dict[str, BeautifulSoup]:
        """Every page of the site by its path, parsed; not the files that pages are made of."""
        paths = sorted(path for path in self.folder.rglob("*.html") if "_static" not in path.parts)
        return {
            path.relative_to(self.folder).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            for path in paths
        }

    def document(self, language: Language, page: str) -> BeautifulSoup:
        return self.documents[f"{language.code}/{page}.html"]


def until(tab, condition: str, argument: object = None, *, seconds: float = 10) -> None:
    """Wait until a condition holds on a page. Playwright's own way evaluates strings there, which the pages forbid."""
    end = time.monotonic() + seconds
    while not tab.evaluate(condition, argument):
        if time.monotonic() > end:
            pytest.fail(f"after {seconds} s it does not hold that {condition}")
        tab.wait_for_timeout(20)
