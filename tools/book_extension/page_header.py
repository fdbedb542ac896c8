"""What the head of each page says: description, other languages, what it may load, where to download and run it."""

from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from content_policy import content_policy

from .furniture import ROOT, language_of, read_languages

logger = logging.getLogger(__name__)

CHOOSE_MODE = (Path(__file__).parent / "choose_mode.js").read_text(encoding="utf-8")


def description_of(pagename: str, doctree: nodes.document) -> str:
    """The description in the page's own metadata; without one the page is reported."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description" and meta["content"].strip():
            return meta["content"]
    logger.warning("no description: set myst.html_meta.description in the page's metadata", location=pagename)
    return ""


def language_links(app: Sphinx, pagename: str) -> list[dict[str, object]]:
    """This page in each language: a relative link, and the absolute address when the site's address is known."""
    to_top = "../" * (pagename.count("/") + 1)
    current = language_of(app.config)
    site_url = app.config.html_baseurl.removesuffix(f"{current.code}/")
    return [
        {
            "language": language,
            "href": f"{to_top}{language.code}/{pagename}.html",
            "address": f"{site_url}{language.code}/{pagename}.html" if site_url else "",
            "current": language == current,
        }
        for language in read_languages(ROOT)
    ]


def describe_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    language = language_of(app.config)
    context["book_language"] = language
    context["language_links"] = language_links(app, pagename) if app.config.book_offers_languages else []
    context["description"] = description_of(pagename, doctree) if doctree else language.choose["description"]
    context["choose_mode"] = CHOOSE_MODE
    context["content_policy"] = content_policy(CHOOSE_MODE)
    notebook = context.get("sourcename", "")
    if notebook.endswith(".ipynb"):
        context["notebook"] = f"_sources/{notebook}"
        context["notebook_name"] = PurePosixPath(notebook).name


def setup(app: Sphinx) -> None:
    app.add_config_value("book_offers_languages", False, "html", types=[bool])
    app.connect("html-page-context", describe_page)
