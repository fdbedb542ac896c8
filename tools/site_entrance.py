"""The two pages that belong to no language: the entrance, and the one for addresses that lead nowhere."""

import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from book_languages import Language
from content_policy import content_policy

ASSETS = Path(__file__).resolve().parents[1] / "book" / "assets"
TEMPLATES = Path(__file__).parent / "entrance"


def write_entrance(site: Path, languages: list[Language], *, site_url: str) -> None:
    """Write `index.html` and `404.html` with their pictures into the folder of the site.

    The server shows `404.html` at any depth, so its links start at the root of the host: the path of
    `site_url`, or `/`.
    """
    site_url = site_url.rstrip("/")
    environment = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True)
    for name in ("index.html", "404.html"):
        template = environment.get_template(name)
        values = {"languages": languages, "site_url": site_url, "site_path": urlsplit(site_url).path}
        scripts = re.findall(r"<script>(.*?)</script>", template.render(values, content_policy=""), re.S)
        page = template.render(values, content_policy=content_policy(*scripts))
        (site / name).write_text(page, encoding="utf-8")
    for picture in ("logo.svg", "social-card.png"):
        shutil.copy(ASSETS / picture, site)
