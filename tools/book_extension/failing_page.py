"""When a build ends with an exception, say which page was being worked on."""

from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)


class CurrentPage:
    """Remembers the page that was read or written last."""

    name = ""

    def note_reading(self, app: Sphinx, docname: str, source: list[str]) -> None:
        self.name = docname

    def note_writing(self, app: Sphinx, doctree, docname: str) -> None:
        self.name = docname

    def report(self, app: Sphinx, exception: Exception | None) -> None:
        if exception is not None and self.name:
            logger.error("the build stopped at this page: %s", exception, location=self.name)


def setup(app: Sphinx) -> None:
    page = CurrentPage()
    app.connect("source-read", page.note_reading)
    app.connect("doctree-resolved", page.note_writing)
    app.connect("build-finished", page.report, priority=100)
