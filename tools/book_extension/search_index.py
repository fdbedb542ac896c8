"""The index of the search, made by Pagefind from the finished pages of this language."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

FOLDER = "pagefind"
# Not what a reader looks for: signs of links, formulas a second time, numbers of explorers, buttons.
EXCLUDED = ".headerlink, .katex-html, annotation, [data-explorer], .toctree-wrapper, button, summary .when-open"
SECTION = re.compile(r'<section id="([^"]+)">\s*<(h[1-6])>')
ENTRY = "pagefind.js"
# Beside its entry and the index, Pagefind writes complete user interfaces.
UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-component-ui.*", "pagefind-highlight.js", "*playground*")


def index_pages(pages: Path, index: Path) -> None:
    """Make the index of the pages in the folder `pages`; ExtensionError if Pagefind finds none or fails.

    Pagefind takes a heading's own id as the address of its section, Sphinx gives the id to the section: what is
    indexed is a copy of the pages in which the heading has it.
    """
    with tempfile.TemporaryDirectory(prefix="search-") as temporary:
        copies = Path(temporary)
        for page in sorted(pages.rglob("*.html")):
            if "_static" not in page.parts:
                copy = copies / page.relative_to(pages)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(SECTION.sub(r'<section><\2 id="\1">', page.read_text(encoding="utf-8")), "utf-8")
        command = [sys.executable, "-m", "pagefind", "--site", temporary, "--output-path", str(index)]
        command += ["--root-selector", "article.bd-article", "--exclude-selectors", EXCLUDED]
        command += ["--include-characters", "_", "--keep-index-url", "--quiet"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0 or not (index / ENTRY).is_file():
        raise ExtensionError(f"Pagefind made no index of the pages:\n{result.stdout}{result.stderr}")
    for pattern in UNUSED:
        for file in index.glob(pattern):
            file.unlink()


def leave_out_other_search(app: Sphinx) -> None:
    """Sphinx's own index and its page are not needed."""
    app.builder.search = False


def write_index(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        index_pages(Path(app.outdir), Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", leave_out_other_search)
    app.connect("build-finished", write_index)
