"""The whole book as a PDF and as an EPUB: complete, with contents that lead where they say, and valid."""

import shutil
import subprocess
import zipfile
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from built_site import PAGES, Site
from pypdf import PdfReader

from book_as_epub import write_epub
from book_as_pdf import write_pdf
from whole_book import read_articles

pytestmark = [pytest.mark.slow, pytest.mark.long]
WITH_SUMS = "06_attention_weights"
EPUBCHECK = Path("/usr/share/java/epubcheck.jar")


@pytest.fixture(scope="module")
def made(site: Site, tmp_path_factory):
    """Makes each file once."""
    folder, files = tmp_path_factory.mktemp("downloads"), {}

    def make(kind: str, language) -> Path:
        if (kind, language.code) not in files:
            files[kind, language.code] = folder / f"{language.code}.{kind}"
            {"pdf": write_pdf, "epub": write_epub}[kind](site.folder, language, folder / f"{language.code}.{kind}")
        return files[kind, language.code]

    return make


def test_pdf_has_every_page_and_its_contents_give_the_right_page_numbers(site: Site, language, made):
    pdf = PdfReader(made("pdf", language))
    articles = read_articles(site.folder, language)[1:]
    contents = " ".join(page.extract_text() for page in pdf.pages[1:15])
    for article in articles:
        number = pdf.get_destination_page_number(pdf.named_destinations[f"/{article.name}"])
        title = "".join(article.title.split())
        assert title in "".join(pdf.pages[number].extract_text().split()), article.name
        assert f"{title}{number + 1}" in "".join(contents.split()), article.name
    assert len(pdf.outline) > len(articles)
    assert pdf.metadata.title == language.title


def elements_of(pdf: PdfReader) -> list[tuple[str, str]]:
    """Kind and alternative text of everything that a screen reader is told of."""
    found, waiting = [], [pdf.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop().get_object()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            found.append((str(node.get("/S", "")), str(node.get("/Alt", ""))))
            waiting += [node["/K"]] if "/K" in node else []
    return found


def test_pdf_has_the_figures_the_formulas_and_the_explorers_as_tables(site: Site, language, made):
    pdf = PdfReader(made("pdf", language))
    articles = read_articles(site.folder, language)
    elements = elements_of(pdf)
    figures = [image["alt"] for article in articles for image in article.content.select("img")]
    assert len(figures) > 50
    assert Counter(text for kind, text in elements if kind == "/Figure") == Counter(figures)
    captions = [caption for article in articles for caption in article.content.select(".explorer-place caption")]
    assert len(captions) >= 28
    assert [kind for kind, _ in elements].count("/Caption") == len(captions)
    # Signs that stand nowhere but in formulas: a sum in the chapter of the softmax.
    (first, last) = (
        pdf.get_destination_page_number(pdf.named_destinations[f"/{PAGES[PAGES.index(WITH_SUMS) + step]}"])
        for step in (0, 1)
    )
    assert "∑" in "".join(page.extract_text() for page in pdf.pages[first:last])


def test_links_inside_the_pdf_lead_to_a_place_in_it(site: Site, language, made):
    pdf = PdfReader(made("pdf", language))
    names, links, outside = set(pdf.named_destinations), [], set()
    for page in pdf.pages:
        for note in page.get("/Annots") or []:
            entry = note.get_object()
            target = entry.get("/Dest") or entry.get("/A", {}).get("/D")
            uri = entry.get("/A", {}).get("/URI", "")
            assert not uri.startswith("file:"), uri
            outside |= {uri} - {""}
            if target is not None:
                links.append(str(target))
    assert len(links) > 300
    assert [link for link in links if link not in names and f"/{link}" not in names] == []
    articles = read_articles(site.folder, language)
    named = {link["href"] for article in articles for link in article.content.select('a[href^="http"]')}
    # Chromium gives the bare name of a host its slash.
    assert outside == {address if urlsplit(address).path else f"{address}/" for address in named}


def test_epub_is_valid(language, made):
    """By the checker that shops use; a missing checker is a failure and not a skip."""
    assert EPUBCHECK.exists(), "install it: sudo apt-get install epubcheck default-jre-headless"
    assert shutil.which("java"), "install it: sudo apt-get install default-jre-headless"
    command = ["java", "-jar", str(EPUBCHECK), str(made("epub", language))]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_epub_has_every_page_of_the_contents(language, made):
    with zipfile.ZipFile(made("epub", language)) as epub:
        pages = {Path(name).stem for name in epub.namelist() if name.endswith(".xhtml")}
    assert set(PAGES) <= pages
