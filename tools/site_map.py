"""What search engines read: `sitemap.xml`, each page with its translations, and `robots.txt`."""

from pathlib import Path
from xml.sax.saxutils import quoteattr

from book_languages import Language

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"',
)


def write_site_map(site: Path, languages: list[Language], pages: list[str], *, site_url: str) -> None:
    """Write `robots.txt`, and `sitemap.xml` if the address of the site is known: its addresses must be absolute."""
    robots = "User-agent: *\nAllow: /\n"
    if site_url:
        site_url = site_url.rstrip("/")
        robots += f"Sitemap: {site_url}/sitemap.xml\n"
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<urlset {' '.join(NAMESPACES)}>"]
        for page in pages:
            addresses = {language.tag: f"{site_url}/{language.code}/{page}.html" for language in languages}
            links = "".join(
                f'<xhtml:link rel="alternate" hreflang="{tag}" href={quoteattr(address)}/>'
                for tag, address in addresses.items()
            )
            lines += [f"<url><loc>{address}</loc>{links}</url>" for address in addresses.values()]
        lines += [f"<url><loc>{site_url}/</loc></url>", "</urlset>"]
        (site / "sitemap.xml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (site / "robots.txt").write_text(robots, encoding="utf-8")
