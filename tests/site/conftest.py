"""The built site, a server for it and a browser, shared by the tests of this folder."""

from collections.abc import Iterator

import pytest
from built_site import CHAPTERS, LANGUAGES, PAGES, REPOSITORY_URL, SITE_URL, Site

from build_site import build_site
from serve_site import served


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for each language it asks for, with each `page_name` or each `chapter` (a page that is a notebook)."""
    names = set(metafunc.fixturenames)
    for argument, pages in (("page_name", PAGES), ("chapter", CHAPTERS)):
        if {"language", argument} <= names:
            pairs = [(language, page) for language in LANGUAGES for page in pages]
            ids = [f"{language.code}-{page}" for language, page in pairs]
            metafunc.parametrize(f"language, {argument}", pairs, ids=ids)
            return
    if "language" in names:
        metafunc.parametrize("language", LANGUAGES, ids=[language.code for language in LANGUAGES])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site as `make book` builds it."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build_site(folder)
    return Site(folder)


@pytest.fixture(scope="session")
def published_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site built with the addresses of the site and of the project."""
    folder = tmp_path_factory.mktemp("published") / "site"
    build_site(folder, site_url=SITE_URL, repository_url=REPOSITORY_URL)
    return Site(folder)


@pytest.fixture(scope="session")
def address(site: Site) -> Iterator[str]:
    """Address of the served site."""
    with served(site.folder) as where:
        yield where
