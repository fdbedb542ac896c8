"""Gives the pages that hold an explorer the script that runs it and its style sheet; other pages load nothing."""

import importlib.util
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "src" / "attention_book" / "explorers" / "bundle.py"
HOST = Path(__file__).parent / "explorers_on_page.js"
MARK = 'data-explorer="'


def load_bundle():
    """The file that joins the front end, without the package around it: a build of the site has no torch."""
    spec = importlib.util.spec_from_file_location("explorers_bundle", BUNDLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def script() -> str:
    """All explorers and what starts them, as one classic script: modules are blocked on pages opened from a file."""
    front_end = load_bundle()
    names = front_end.explorer_names()
    table = ", ".join(f"{name}: explorer_{name}" for name in names)
    host = front_end.code_of(HOST.read_text(encoding="utf-8"))
    parts = [front_end.bundle("shell", *names), f"const EXPLORERS = {{ {table} }};", host]
    return "(() => {\n" + "\n".join(parts) + "})();\n"


def add_to_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    if doctree is not None and any(MARK in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("explorers.js", loading_method="defer")
        app.add_css_file("explorers.css")


def write_files(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        (static / "explorers.js").write_text(script(), encoding="utf-8")
        (static / "explorers.css").write_text(load_bundle().styles(), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_to_page)
    app.connect("build-finished", write_files)
