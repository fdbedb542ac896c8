"""The words on a page that no author of a chapter wrote."""

import re

from bs4 import BeautifulSoup, NavigableString

# Written by authors: the article itself and the titles that menus repeat from it.
AUTHORED = "article, nav.bd-links a, nav.page-toc a, .prev-next-title, #search-results a"
SHOWN_ATTRIBUTES = (
    "title",
    "aria-label",
    "aria-description",
    "aria-placeholder",
    "aria-roledescription",
    "aria-valuetext",
    "placeholder",
    "alt",
    "data-tooltip",
    "data-bs-title",
    "data-bs-original-title",
)
# In the article, these are furniture all the same.
FURNITURE_IN_ARTICLE = "a.headerlink, details.hidden-code > summary, button.copybtn"


def furniture_words(html: str) -> set[str]:
    """Every text and every shown attribute of the page's furniture."""
    page = BeautifulSoup(html, "html.parser").body
    parts = [element.extract() for element in page.select(FURNITURE_IN_ARTICLE)]
    for element in page.select(f"{AUTHORED}, script, style"):
        element.decompose()
    words = set()
    for part in [page, *parts]:
        texts = [
            text for text in part.find_all(string=True) if type(text) is NavigableString
        ]  # comments are a subclass
        words |= {" ".join(text.split()) for text in texts}
        for element in [part, *part.find_all(True)]:
            words |= {element[name].strip() for name in SHOWN_ATTRIBUTES if element.has_attr(name)}
    return {word for word in words if re.search(r"[^\W\d_]{2}", word)}


def head_words(html: str) -> set[str]:
    """What the tab of the browser and a search result show, but for the page's own title."""
    page = BeautifulSoup(html, "html.parser")
    shown = re.split(" — | - ", page.title.get_text())
    shown += [meta["content"] for meta in page.select('meta[name="description"], meta[property^="og:"]')]
    title = page.select_one("article h1")
    for link in title.select("a.headerlink") if title else ():
        link.decompose()
    own = {title.get_text().strip()} if title else set()
    return {word for word in map(str.strip, shown) if re.search(r"[^\W\d_]{2}", word)} - own
