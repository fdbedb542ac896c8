"""The built site, a server for it and a browser, shared by the tests of this folder."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from built_site import CHAPTERS, LANGUAGES, PAGES, REPOSITORY_URL, SITE_URL, Site
from filelock import FileLock

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


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Site:
    """The site in the folder of the run: whichever worker of pytest-xdist comes first builds it, the others wait."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            build(folder)
    return Site(folder)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site as `make book` builds it."""
    return built_once(tmp_path_factory, "site", build_site)


@pytest.fixture(scope="session")
def published_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site built with the addresses of the site and of the project."""
    addresses = {"site_url": SITE_URL, "repository_url": REPOSITORY_URL}
    return built_once(tmp_path_factory, "published", lambda folder: build_site(folder, **addresses))


@pytest.fixture(scope="session")
def address(site: Site) -> Iterator[str]:
    """Address of the served site."""
    with served(site.folder) as where:
        yield where
