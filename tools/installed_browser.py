"""Where Chromium is, under any of the names that systems give it."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")


def installed_browser() -> str | None:
    """The path of the first one found, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)
