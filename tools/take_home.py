"""What readers take home: the package as a wheel, and per language an archive with notebooks, package and a how-to."""

import re
import zipfile
from pathlib import Path

from flit_core.wheel import make_wheel_in

from book_languages import Language
from first_cell import ROOT

FOLDER = "take_home"
MARK = "<!-- take home -->"
PACKAGE_FILES = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT")
LISTS_OF_VERSIONS = ("requirements-book.txt", "requirements.txt")


def build_wheel(folder: Path) -> Path:
    """The package as a wheel in `folder`, for `pip install` from the site's address."""
    folder.mkdir(parents=True, exist_ok=True)
    return make_wheel_in(ROOT / "pyproject.toml", folder).file


def write_archive(language: Language, folder: Path) -> Path:
    """The archive of one language: one folder with notebooks, package, versions and the how-to, as in the project.

    The notebooks lie where they lie in the project, so that their first cell finds the package beside them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"attention-{language.code}"
    files = {ROOT / file: file for file in PACKAGE_FILES}
    for pattern in (f"book/{language.code}/*.ipynb", "src/attention_book/**/*"):
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                files[path] = str(path.relative_to(ROOT))
    archive = folder / f"{name}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path, inside in files.items():
            target.writestr(_entry(f"{name}/{inside}"), path.read_bytes())
        target.writestr(_entry(f"{name}/constraints.txt"), constraints())
        target.writestr(_entry(f"{name}/{language.take_home['file']}.txt"), how_to(language))
    return archive


def how_to(language: Language) -> str:
    """Three lines: what to have, what to install, what to start."""
    return language.take_home["steps"].format(
        install="python -m pip install -c constraints.txt . jupyterlab",
        start=f"python -m jupyterlab book/{language.code}",
    )


def constraints() -> str:
    """The versions that the book is tested with, as pip's `-c` takes them."""
    lines = [line for name in LISTS_OF_VERSIONS for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    return "\n".join(sorted(line for line in lines if re.match(r"[\w.-]+==", line))) + "\n"


def link_on_start_page(page: Path, language: Language) -> None:
    """Put a list of what lies in its folder, with sizes, where the start page has the mark or an earlier list."""
    kinds = {".zip": "archive", ".pdf": "pdf", ".epub": "epub"}
    found = {path.suffix: path for path in (page.parent / FOLDER).glob("*.*")}
    items = []
    for suffix, kind in kinds.items():
        if path := found.get(suffix):
            link = f'<a href="{FOLDER}/{path.name}" download>{language.take_home[kind]}</a>'
            items.append(f"<li>{link}, {size(path)}</li>")
    html = page.read_text(encoding="utf-8")
    place = re.compile(rf'{MARK}|<ul class="take-home">.*?</ul>')
    page.write_text(place.sub(f'<ul class="take-home">{"".join(items)}</ul>', html), encoding="utf-8")


def size(path: Path) -> str:
    """In MB, as readers see it beside a download."""
    return f"{path.stat().st_size / 1e6:.1f} MB"


def _entry(name: str) -> zipfile.ZipInfo:
    """The same date in every build, so that equal files give an equal archive."""
    entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
