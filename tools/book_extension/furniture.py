"""The words and parts around the text, wholly in the page's language."""

import json
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from book_languages import Language, read_languages

ROOT = Path(__file__).resolve().parents[2]
THEME = Path(__file__).parent / "theme"
COPY_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" \
stroke-width="1.5"><title>{copy}</title><rect x="8" y="8" width="12" height="12" rx="2"/>\
<path d="M16 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2"/></svg>"""


def language_of(config: Config) -> Language:
    """The language of this build."""
    for language in read_languages(ROOT):
        if language.locale == config.language:
            return language
    raise ExtensionError(f"book/languages.yml has no language with the locale {config.language!r}")


def put_words_in_place(app: Sphinx, config: Config) -> None:
    """Hand the words of the language to the theme and to the extensions that show words."""
    words = language_of(config).furniture
    config.html_context["furniture"] = words
    config.nb_code_prompt_show = words["show_code"]
    config.nb_code_prompt_hide = words["hide_code"]
    config.copybutton_image_svg = COPY_ICON.format(copy=words["copy"])
    config.templates_path[:0] = [str(THEME), str(THEME / "components")]
    config.html_static_path.append(str(ROOT / "book" / "assets"))
    config.project = language_of(config).title


def copy_button_words(language: Language) -> str:
    """A script that completes the table of words of copybutton.js, which knows few languages."""
    words = language.furniture
    messages = {
        "copy": words["copy"],
        "copy_to_clipboard": words["copy"],
        "copy_success": words["copied"],
        "copy_failure": words["copy_failed"],
    }
    return (
        "iconCheck = iconCheck.replace(messages[locale].copy_success, "
        f"{json.dumps(words['copied'])}); messages[locale] = {json.dumps(messages)};"
    )


def open_hidden_cell(translator, node: nodes.Element) -> None:
    """Write a folded code cell; myst-nb's own summary carries an English label for screen readers."""
    translator.body.append(
        f'<details class="hidden-code"><summary><span class="when-closed">{node["prompt_show"]}</span>'
        f'<span class="when-open">{node["prompt_hide"]}</span></summary>\n'
    )


def close_hidden_cell(translator, node: nodes.Element) -> None:
    translator.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, html=(open_hidden_cell, close_hidden_cell))
    # Before sphinx-copybutton (priority 500) copies its settings into the context.
    app.connect("config-inited", put_words_in_place, priority=100)
