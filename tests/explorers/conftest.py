"""A browser without network and, for each explorer, a page like those of the site."""

from collections.abc import Callable, Iterator

import pytest
from examples import EXAMPLES

from attention_book import use_language


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `explorer` once for each, unless it names those it is about."""
    named = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "explorer" in metafunc.fixturenames and "explorer" not in named:
        metafunc.parametrize("explorer", EXAMPLES)


@pytest.fixture(autouse=True)
def english():
    """The language is a setting of the process: each test starts and ends in English."""
    use_language("en")
    yield
    use_language("en")


@pytest.fixture
def open_page(browser, tmp_path) -> Iterator[Callable]:
    """Open HTML from a file, as a reader of the downloaded site does; a message on the console fails the test."""
    contexts, faults = [], []

    def open_html(html: str, **settings):
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("requestfailed", lambda request: faults.append(f"not loaded: {request.url}"))
        page.goto(path.as_uri())
        return page

    yield open_html
    for context in contexts:
        context.close()
    assert faults == []
