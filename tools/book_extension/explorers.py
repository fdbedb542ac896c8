"""Gives the pages that hold an explorer the script that runs it and its style sheet; other pages load nothing."""

import importlib.util
import json
import posixpath
import re
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from .front_end_bundle import version_of

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "src" / "attention_book" / "explorers" / "bundle.py"
HOST = Path(__file__).parent / "explorers_on_page.js"
MARK = 'data-explorer="'
REAL_HEADS = re.compile(r'(?<=data-explorer="real_heads" )data-content="([^"]*)"')


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


def set_maps_apart(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Leave in the page the maps of the sentence that is shown first; those of all wait in a file of their own."""
    if app.builder.format != "html":
        return
    for node in list(doctree.findall(nodes.raw)):
        found = REAL_HEADS.search(node.astext())
        if found is None:
            continue
        content = json.loads(unescape(found[1]))
        maps = [sentence["maps"] for sentence in content["sentences"]]
        for place, sentence in enumerate(content["sentences"]):
            if place != content["sentence"]:
                sentence["maps"] = ""
        rest = f"restOfExplorer({json.dumps(maps)});\n"
        file = f"_static/real_heads.{version_of(rest.encode())}.js"
        path = Path(app.outdir) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest, encoding="utf-8")
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        address = posixpath.relpath(file, posixpath.dirname(docname) or ".")
        attributes = f'data-rest="{address}" data-content="{escape(text)}"'
        html = node.astext().replace(found[0], attributes)
        node.replace_self(nodes.raw(node.rawsource, html, **node.attributes))


def write_files(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        (static / "explorers.js").write_text(script(), encoding="utf-8")
        (static / "explorers.css").write_text(load_bundle().styles(), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("doctree-resolved", set_maps_apart)
    app.connect("html-page-context", add_to_page)
    app.connect("build-finished", write_files)
