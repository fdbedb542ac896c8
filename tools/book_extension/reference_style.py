"""How references are printed: authors, title, where, year, with no word of any language between them."""

from typing import Any

from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style
from pybtex.style.template import field, href, join, names, optional, sentence, tag
from sphinx.application import Sphinx


class WordlessStyle(Style):
    """Entries of any type: `author`, `title`, `year`, and `journal` or `publisher` and `url` where they are given."""

    default_label_style = "alpha"

    def __init__(self, *args, **settings):
        super().__init__(*args, **settings)
        format_name = self.format_name
        # A list of authors that BibTeX ends in `and others` ends so in every language.
        self.format_name = lambda person, abbr=False: "et al." if str(person) == "others" else format_name(person, abbr)

    def format_entry_of_any_type(self, entry):
        title = tag("em")[field("title")]
        return join(" ")[
            sentence(sep=", ")[names("author", sep=", ", sep2=", ", last_sep=", ")],
            sentence[href[field("url"), title] if "url" in entry.fields else title],
            sentence(sep=", ")[optional[field("journal")], optional[field("publisher")], field("year")],
        ]

    def get_article_template(self, entry):
        return self.format_entry_of_any_type(entry)

    get_misc_template = get_book_template = get_inproceedings_template = get_article_template


def entries_of_a_list(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None
) -> None:
    """The role that docutils gives an entry is deprecated; it stands in a list."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, Any]:
    register_plugin("pybtex.style.formatting", "wordless", WordlessStyle)
    app.connect("html-page-context", entries_of_a_list)
    return {"parallel_read_safe": True}
