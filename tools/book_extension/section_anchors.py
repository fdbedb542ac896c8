"""Each section's anchor is the id of its notebook cell, so that anchors are the same in every language.

Docutils would make the anchor from the words of the heading. Here a section of a notebook is known by
the id of the cell that starts with its heading, a section of a Markdown page by the label before it,
`(name)=`. Links to anything else stay unresolved, which a strict build reports as an error.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)

LINES_PER_CELL = 10_000  # myst-nb numbers the lines of cell i from (i + 1) * 10,000


class SectionAnchors(SphinxTransform):
    """Replace the ids of all sections of a page."""

    default_priority = 500  # after docutils has moved labels to their sections, before links are resolved

    def apply(self, **kwargs) -> None:
        source = Path(self.env.doc2path(self.env.docname))
        sections = list(self.document.findall(nodes.section))
        anchors = self.cell_ids(source, sections) if source.suffix == ".ipynb" else self.labels(sections)

        slugs = {}
        for section, anchor in zip(sections, anchors, strict=True):
            if anchor in slugs:
                logger.warning("two headings in the same cell: %r", anchor, location=section)
            for old in section["ids"]:
                self.document.ids.pop(old, None)
            section["ids"] = [anchor]
            self.document.ids[anchor] = section
            slugs[anchor] = (section.line, anchor, section.next_node(nodes.title).astext())
        # MyST resolves `#anchor` from the document and `page.ipynb#anchor` from the environment.
        self.document.myst_slugs = slugs
        self.env.metadata[self.env.docname]["myst_slugs"] = slugs

    def cell_ids(self, source: Path, sections: list[nodes.section]) -> list[str]:
        cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
        return [cells[section.line // LINES_PER_CELL - 1]["id"] for section in sections]

    def labels(self, sections: list[nodes.section]) -> list[str]:
        anchors = []
        for number, section in enumerate(sections):
            labels = [self.document.nameids[name] for name in section["names"] if self.document.nametypes.get(name)]
            if labels:
                anchors.append(labels[0])
            elif number == 0:
                anchors.append(self.env.docname.rpartition("/")[2])
            else:
                logger.warning("a heading without a label; write (name)= on the line before it", location=section)
                anchors.append(section["ids"][0])
        return anchors


def setup(app: Sphinx) -> None:
    app.add_transform(SectionAnchors)
