"""The two pages that belong to no language: the entrance, and the one for addresses that lead nowhere."""

import shutil
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from book_languages import Language

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).parent / "entrance"


def write_entrance(site: Path, languages: list[Language], *, site_url: str) -> None:
    """Write `index.html` and `404.html` with their icon into the folder of the site.

    The server shows `404.html` at any depth, so its links start at the root of the host: the path of
    `site_url`, or `/`.
    """
    site_url = site_url.rstrip("/")
    environment = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True)
    for name in ("index.html", "404.html"):
        page = environment.get_template(name).render(
            languages=languages, site_url=site_url, site_path=urlsplit(site_url).path
        )
        (site / name).write_text(page, encoding="utf-8")
    shutil.copy(ROOT / "book" / "assets" / "logo.svg", site)
