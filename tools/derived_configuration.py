"""Table of contents and Jupyter Book configuration of one language, derived from the two files at the top."""

from copy import deepcopy
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from book_languages import Language
from first_cell import repository


def read_yaml(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def write_yaml(content: dict[str, Any], path: Path) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")


def derive_toc(toc: dict[str, Any]) -> dict[str, Any]:
    """Give the table of contents relative to the folder of one language.

    The folder is the source of that language's build: a page named `book/es/index` in it would land
    at `/es/book/es/index.html`.
    """
    folder = PurePosixPath(toc["root"]).parent

    def without_folder(entry: Any) -> Any:
        if isinstance(entry, list):
            return [without_folder(item) for item in entry]
        if isinstance(entry, dict):
            return {
                key: str(PurePosixPath(value).relative_to(folder)) if key in ("root", "file") else without_folder(value)
                for key, value in entry.items()
            }
        return entry

    return without_folder(toc)


def pages_of(toc: Any) -> list[str]:
    """List the pages of a table of contents in reading order."""
    if isinstance(toc, list):
        return [page for entry in toc for page in pages_of(entry)]
    if isinstance(toc, dict):
        own = [str(toc[key]) for key in ("root", "file") if key in toc]
        return own + [page for value in toc.values() if isinstance(value, list) for page in pages_of(value)]
    return []


def site_pages(root: Path) -> list[str]:
    """List the pages that each language has, in reading order."""
    return pages_of(derive_toc(read_yaml(root / "_toc.yml")))


def derive_configuration(
    configuration: dict[str, Any], language: Language, root: Path, *, site_url: str = "", repository_url: str = ""
) -> dict[str, Any]:
    """Give the configuration of one language, with absolute paths since it is stored outside the project.

    `site_url` is where the site will be published (canonical and alternate addresses are written only
    when it is known), `repository_url` the address of the project on GitHub (for Binder, and for Colab if the
    notebooks know it too: see first_cell.py).
    """
    derived = deepcopy(configuration)
    derived["title"] = language.title
    sphinx = derived["sphinx"]
    sphinx["local_extensions"] = {name: str(root / path) for name, path in sphinx["local_extensions"].items()}
    settings = sphinx["config"]
    settings["language"] = language.locale
    settings["locale_dirs"] = [str(root / path) for path in settings["locale_dirs"]]
    settings["bibtex_bibfiles"] = [str(root / path) for path in settings["bibtex_bibfiles"]]
    settings["html_favicon"] = str(root / settings["html_favicon"])
    settings["book_offers_languages"] = True
    if site_url:
        settings["html_baseurl"] = f"{site_url.rstrip('/')}/{language.code}/"
    if repository_url:
        settings["html_theme_options"] |= {
            "repository_url": repository_url.rstrip("/"),
            "repository_branch": "main",
            "path_to_docs": f"book/{language.code}",
            "launch_buttons": {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org"},
        }
        # On Binder the whole project is there; on Colab a notebook is alone and must know where its package is.
        if repository(root):
            settings["html_theme_options"]["launch_buttons"]["colab_url"] = "https://colab.research.google.com"
    return derived
