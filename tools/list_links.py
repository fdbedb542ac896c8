"""List the addresses outside the book that its built pages name, each with the pages that name it.

    python tools/list_links.py [--site FOLDER]

Nothing is fetched: whether an address still answers is for a person with internet to see.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from bs4 import BeautifulSoup

from first_cell import ROOT


def outside_links(site: Path) -> dict[str, list[str]]:
    """The pages of a built site by each address outside it, both in alphabetical order."""
    pages = defaultdict(set)
    for path in site.glob("*/*.html"):
        document = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for link in document.select('article a[href^="http"]'):
            pages[link["href"]].add(path.relative_to(site).as_posix())
    return {address: sorted(pages[address]) for address in sorted(pages)}


def main() -> None:
    parser = argparse.ArgumentParser(description="List the addresses outside the book that its pages name.")
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "site", help="folder of the built site")
    site = parser.parse_args().site.resolve()
    if not site.is_dir():
        sys.exit(f"{site} holds no site; run `make book` first.")
    for address, pages in outside_links(site).items():
        print(f"{address}\n    {' '.join(pages)}")


if __name__ == "__main__":
    main()
