"""The browser that the tests of the site and of the explorers share."""

import os
from collections.abc import Iterator

import pytest

from installed_browser import installed_browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What opens a browser is left out of `make check`."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Debian's Chromium, driven by Playwright; its absence is an error, never a skip."""
    from playwright.sync_api import sync_playwright

    program = installed_browser()
    if program is None:
        where = "in CI" if os.environ.get("CI") else "on this computer"
        pytest.fail(
            f"No browser {where}: the tests of the pages need Chromium. "
            "Install it, on Debian or Ubuntu with: sudo apt-get install chromium",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program,
            args=[
                "--no-sandbox",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield chromium
        chromium.close()
