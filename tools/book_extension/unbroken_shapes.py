"""A shape such as [5, 16] stays on one line, in text and tables alike; short code does, too."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

SHAPE = re.compile(r"\[\w+(?:, \w+){1,4}\]")
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
# More letters than these would not fit on the line of a phone.
SHORT = 24


class UnbrokenShapes(SphinxPostTransform):
    default_priority = 500
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.literal):
                if len(text) <= SHORT:
                    text.parent["classes"].append("unbroken")
            elif not isinstance(text.parent, nodes.math | nodes.FixedTextElement):
                joined = SHAPE.sub(lambda shape: shape[0].replace(" ", NO_BREAK_SPACE), text)
                if joined != text:
                    text.parent.replace(text, nodes.Text(joined))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_post_transform(UnbrokenShapes)
    return {"parallel_read_safe": True}
