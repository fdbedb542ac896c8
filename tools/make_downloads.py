"""Make the PDF and the EPUB of every language from the built site, and name them on its start pages.

python tools/make_downloads.py [--site FOLDER]
"""

import argparse
import sys
import time
from pathlib import Path

from book_as_epub import write_epub
from book_as_pdf import NoBrowserError, write_pdf
from book_languages import read_languages
from first_cell import ROOT
from take_home import FOLDER, link_on_start_page, size


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the PDF and the EPUB of every language.")
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "site", help="folder of the built site")
    site = parser.parse_args().site.resolve()
    for language in read_languages(ROOT):
        folder = site / language.code / FOLDER
        if not folder.is_dir():
            sys.exit(f"{site} holds no finished site; run `make book` first.")
        for kind, write in (("epub", write_epub), ("pdf", write_pdf)):
            started = time.monotonic()
            target = folder / f"attention-{language.code}.{kind}"
            try:
                write(site, language, target)
            except NoBrowserError as error:
                sys.exit(str(error))
            print(f"  {target.name}: {size(target)}, {time.monotonic() - started:.0f} s", flush=True)
        link_on_start_page(site / language.code / "index.html", language)


if __name__ == "__main__":
    main()
