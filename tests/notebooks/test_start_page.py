"""What the start page shows is what the package computes."""

import re

import pytest

from attention_book import use_language
from attention_book.running_example import ORANGE_ROW
from book_extension import social_cards
from book_pages import ROOT, languages

PICTURES = ROOT / "book" / "pictures"


@pytest.mark.parametrize("language", languages())
def test_the_stored_walk_through_is_that_of_the_package(language):
    from store_walk_through import walk_through

    try:
        assert (PICTURES / f"walk_through_{language}.html").read_text(encoding="utf-8") == walk_through(language)
    finally:
        use_language("en")


def test_the_stored_picture_of_the_row_is_that_of_the_package(tmp_path):
    from attention_book import use_book_style
    from draw_orange_row import PICTURE, draw

    use_book_style()
    draw().savefig(tmp_path / "row.svg", metadata={"Date": None})
    assert (tmp_path / "row.svg").read_text(encoding="utf-8") == PICTURE.read_text(encoding="utf-8")


def test_the_row_on_the_cards_is_that_of_the_package():
    """They are drawn where the package can not be imported, since a build of the site has no torch."""
    assert social_cards.ROW == ORANGE_ROW


@pytest.mark.parametrize("document", sorted(path.name for path in ROOT.glob("*.md")))
def test_pictures_and_files_that_a_document_names_are_there(document):
    targets = re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("readme", sorted(path.name for path in ROOT.glob("README*.md")))
def test_a_readme_shows_the_book(readme):
    assert re.search(r"!\[[^]]+\]\([^)]+\.(?:png|svg)\)", (ROOT / readme).read_text(encoding="utf-8"))
