"""What a first visit of a chapter transfers, beside a stock Jupyter Book page of the same notebook, in the same run.

    python tools/measure_pages.py [--language pt] [--chapter 06_attention_weights]

Both are opened in Chromium, 390 px wide, and read to the end, so that every figure is loaded. Texts count as gzip
makes them. What the stock page asks of other hosts (its formulas among it) is refused and only counted.
"""

import argparse
import gzip
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from build_site import BUILD_BOOK, build_site
from derived_configuration import write_yaml
from installed_browser import installed_browser
from serve_site import served

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT = 390, 844
# Already compressed; gzip would add to them.
COMPRESSED = ("font/woff2", "image/png", "image/jpeg")
ALL_FIGURES = """() => Promise.all([...document.images].map(image => {
    image.loading = "eager";
    return image.decode();
}))"""
SHIFT = """() => new Promise(resolve => {
    let shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => shift += entry.value))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(shift), 300);
})"""


@dataclass
class Visit:
    """Bytes and requests by kind of file, requests to other hosts, and the layout shift until the page is at rest."""

    bytes: Counter = field(default_factory=Counter)
    requests: Counter = field(default_factory=Counter)
    foreign: int = 0
    shift: float = 0.0


def transferred(body: bytes, media_type: str) -> int:
    return len(body) if media_type.split(";")[0] in COMPRESSED else len(gzip.compress(body, 6))


def first_visit(browser: Browser, address: str, *, width: int = WIDTH) -> Visit:
    """Open a page with an empty cache and read it to the end."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT})
    tab = context.new_page()
    visit = Visit()
    host = urlsplit(address).netloc

    def answer(route) -> None:
        if urlsplit(route.request.url).netloc == host:
            route.continue_()
        else:
            visit.foreign += 1
            route.abort()

    responses = []
    tab.route("http*://**/*", answer)
    tab.on("response", lambda response: responses.append(response))
    tab.goto(address, wait_until="networkidle")
    visit.shift = tab.evaluate(SHIFT)
    tab.evaluate(ALL_FIGURES)
    for response in responses:
        kind = response.request.resource_type
        visit.bytes[kind] += transferred(response.body(), response.headers.get("content-type", ""))
        visit.requests[kind] += 1
    context.close()
    return visit


def build_stock(notebook: Path, folder: Path) -> Path:
    """Build the notebook as a book of one page with the settings that Jupyter Book comes with; gives the page."""
    source = folder / "source"
    source.mkdir(parents=True)
    shutil.copy(notebook, source)
    write_yaml({"title": "Stock", "execute": {"execute_notebooks": "off"}}, source / "_config.yml")
    write_yaml({"format": "jb-book", "root": notebook.stem}, source / "_toc.yml")
    command = [sys.executable, "-c", BUILD_BOOK, "build", str(source), "--path-output", str(folder), "--quiet"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return folder / "_build" / "html" / f"{notebook.stem}.html"


def table(stock: Visit, ours: Visit) -> str:
    lines = [f"{'':12}{'stock':>18}{'this book':>18}", f"{'':12}" + f"{'bytes':>10}{'files':>8}" * 2]
    for kind in sorted(stock.bytes | ours.bytes):
        cells = "".join(f"{visit.bytes[kind]:>10,}{visit.requests[kind]:>8}" for visit in (stock, ours))
        lines.append(f"{kind:12}{cells}")
    totals = "".join(f"{visit.bytes.total():>10,}{visit.requests.total():>8}" for visit in (stock, ours))
    lines.append(f"{'all':12}{totals}")
    lines.append(f"{'other hosts':12}{stock.foreign:>18}{ours.foreign:>18}")
    lines.append(f"{'shift':12}{stock.shift:>18.4f}{ours.shift:>18.4f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the weight of a chapter with that of a stock page.")
    parser.add_argument("--language", default="pt")
    parser.add_argument("--chapter", default="06_attention_weights")
    chosen = parser.parse_args()
    name = f"{chosen.chapter}.html"
    with tempfile.TemporaryDirectory(prefix="measure-") as temporary, sync_playwright() as playwright:
        site = Path(temporary) / "site"
        build_site(site)
        page = build_stock(ROOT / "book" / chosen.language / f"{chosen.chapter}.ipynb", Path(temporary) / "stock")
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        with served(page.parent) as there, served(site) as here:
            stock = first_visit(browser, f"{there}/{name}")
            ours = first_visit(browser, f"{here}/{chosen.language}/{name}")
        browser.close()
    print(f"First visit of {chosen.language}/{name}, {WIDTH} px wide, texts gzipped:\n\n{table(stock, ours)}")


if __name__ == "__main__":
    main()
