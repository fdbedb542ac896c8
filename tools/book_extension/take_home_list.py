"""The list of downloads on the start page, `{take-home}`: a mark that the build fills when the files are made."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from take_home import MARK


class TakeHomeList(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", MARK, format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("take-home", TakeHomeList)
    return {"parallel_read_safe": True}
