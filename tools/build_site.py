"""Build the site: one strict Jupyter Book build per language, entrance, page for wrong addresses and site map.

    python tools/build_site.py [--output FOLDER]

Environment: SITE_URL, where the site will be published (for canonical and alternate addresses);
REPOSITORY_URL, the project on GitHub (for the Colab and Binder links). Nothing is executed: the pages show
the outputs stored in the notebooks.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from book_languages import Language, read_languages
from derived_configuration import derive_configuration, derive_toc, pages_of, read_yaml, site_pages, write_yaml
from first_cell import write_first_cell
from site_entrance import write_entrance
from site_map import write_site_map
from take_home import FOLDER, build_wheel, link_on_start_page, write_archive

ROOT = Path(__file__).resolve().parents[1]
BUILD_BOOK = "from sphinx.util.console import nocolor; from jupyter_book.cli.main import main; nocolor(); main()"


class BuildError(Exception):
    """The site is not complete; the message says what is missing and where."""


def build_language(language: Language, work: Path, *, site_url: str, repository_url: str) -> Path:
    """Build one language from clean in the folder `work` and give the folder of its pages.

    Raises BuildError with the output of Jupyter Book if it reports anything, or if a page is missing.
    """
    toc = derive_toc(read_yaml(ROOT / "_toc.yml"))
    configuration = derive_configuration(
        read_yaml(ROOT / "_config.yml"), language, ROOT, site_url=site_url, repository_url=repository_url
    )
    work.mkdir()
    write_yaml(toc, work / "_toc.yml")
    write_yaml(configuration, work / "_config.yml")
    arguments = ["build", str(ROOT / "book" / language.code), "--path-output", str(work)]
    arguments += ["--config", str(work / "_config.yml"), "--toc", str(work / "_toc.yml")]
    arguments += ["--all", "--nitpick", "--warningiserror", "--keep-going", "--quiet"]
    book = subprocess.run(
        [sys.executable, "-c", BUILD_BOOK, *arguments],
        cwd=work,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if book.returncode != 0:
        raise BuildError(f"{language.name}: the build of book/{language.code} failed.\n\n{book.stdout}")
    pages = work / "_build" / "html"
    missing = [page for page in pages_of(toc) if not (pages / f"{page}.html").is_file()]
    if missing:
        raise BuildError(f"{language.name}: no page was made for {', '.join(missing)}.\n\n{book.stdout}")
    return pages


def build_site(output: Path, *, site_url: str = "", repository_url: str = "") -> None:
    """Build all languages side by side and replace the folder `output` by the finished site."""
    languages = read_languages(ROOT)
    with tempfile.TemporaryDirectory(prefix="attention-book-") as temporary:
        work = Path(temporary)
        site = work / "site"
        site.mkdir()

        def build(language: Language) -> Path:
            started = time.monotonic()
            pages = build_language(language, work / language.code, site_url=site_url, repository_url=repository_url)
            print(f"  {language.name}: {time.monotonic() - started:.0f} s", flush=True)
            return pages

        wheel = build_wheel(site)

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for language, pages in zip(languages, pool.map(build, languages), strict=True):
                shutil.move(pages, site / language.code)
                write_archive(language, site / language.code / FOLDER)
                link_on_start_page(site / language.code / "index.html", language)
                for notebook in (site / language.code / "_sources").glob("*.ipynb") if site_url else ():
                    write_first_cell(notebook, language, f"{site_url.rstrip('/')}/{wheel.name}")
        write_entrance(site, languages, site_url=site_url)
        write_site_map(site, languages, site_pages(ROOT), site_url=site_url)
        (site / ".nojekyll").touch()  # GitHub Pages would leave out the folders that start with _
        if output.exists():
            shutil.rmtree(output)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(site, output)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the site in every language.")
    parser.add_argument("--output", type=Path, default=ROOT / "_build" / "site", help="folder of the finished site")
    output = parser.parse_args().output.resolve()
    names = ", ".join(language.name for language in read_languages(ROOT))
    print(f"Building the site ({names}); nothing is executed …", flush=True)
    try:
        build_site(output, site_url=os.environ.get("SITE_URL", ""), repository_url=os.environ.get("REPOSITORY_URL", ""))
    except BuildError as error:
        sys.exit(f"{error}\nThe site was not built.")
    print(f"The site is ready: open {(output / 'index.html').as_uri()} in a browser, or run `make serve`.")


if __name__ == "__main__":
    main()
