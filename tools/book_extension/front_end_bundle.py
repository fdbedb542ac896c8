"""One style sheet and one deferred script for all pages, in place of the two dozen files of the theme and extensions.

The pages name `book.css` and `book.js` from the start. When all pages are written, the two files are made: the style
sheet with the rules, icons and glyphs that these pages use, the script from what the theme needs to work. What was
only there to be joined is removed.
"""

import base64
import html as html_entities
import posixpath
import re
from hashlib import sha256
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from .code_sizes import with_code_sizes
from .figure_sizes import with_figure_sizes
from .formula_sizes import with_formula_sizes
from .furniture import copy_button_words, language_of
from .used_glyphs import ICON, Font, FontFace, FormulaFonts, formula_texts, read_font_face
from .used_styles import UsedStyles

STYLE, SCRIPT = "book.css", "book.js"
STYLE_SHEETS = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "copybutton.css",
    "mystnb.*.css",
    "katex/katex.min.css",
    "katex-math.css",
    "site.css",
)
SCRIPTS = (
    "documentation_options.js",
    "scripts/sphinx-book-theme.js",
    "scripts/pydata-sphinx-theme.js",
    "clipboard.min.js",
    "copybutton.js",
    "language-switcher.js",
    "contents-in-view.js",
    "scrollable-boxes.js",
    "search.js",
)
# On the pages by habit: icons are a font here, and nothing asks for translations or highlights from a search.
DROPPED = ("doctools.js", "sphinx_highlight.js", "translations.js")
# Where the theme's script is changed, as (pattern, replacement, what it does there).
THEME_CHANGES = (
    # scrollable-boxes.js does that.
    (re.compile(r'\["pre",[^\]]*"\.pst-scrollable-table-container"\]\.join\(", "\)'), '"none"', "looks after boxes"),
    # It measures where the chapter stands in the list, for which the browser would lay out the whole page in the middle
    # of a script; after the frame that does so anyway, to measure costs nothing.
    (
        re.compile(r'\be(?=\(\(?function\(\)\{if\(!document\.querySelector\("\.bd-docs-nav"\)\)return;)'),
        "(f=>requestAnimationFrame(()=>setTimeout(f)))",
        "scrolls the list of chapters",
    ),
)
# A font smaller than this travels inside the style sheet: a request costs more.
SMALL_FONT = 4096
# Any formula needs these two: in the style sheet, they are there when the text is first shown. A preload would do the
# same, but is refused with an error on pages opened from the disk.
EARLY_FONTS = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")


class Bundle:
    """The files of one build in the folder `static`, and its pages."""

    def __init__(self, static: Path, pages: list[Path], words: str) -> None:
        self.static = static
        self.words = words
        self.pages = {page: page.read_text(encoding="utf-8") for page in pages}

    def write(self) -> None:
        script = "\n".join(self.scripts())
        (self.static / SCRIPT).write_text(script, encoding="utf-8")
        own = [path.read_text(encoding="utf-8") for path in self.static.glob("explorers.*")]
        used = UsedStyles("\n".join(self.style_sheets()), self.names([script, *own]), [script, *own])
        faces = [read_font_face(rule) for rule in used.font_faces]
        style = '@charset "UTF-8";\n' + used.text + "\n" + "\n".join(self.font_faces(faces, used.text))
        (self.static / STYLE).write_text(style, encoding="utf-8")

    def scripts(self) -> list[str]:
        parts = [(self.static / name).read_text(encoding="utf-8") for name in SCRIPTS]
        # The words must be known before the buttons are made, which a deferred script does at once.
        place = SCRIPTS.index("copybutton.js")
        before, start, after = parts[place].rpartition("runWhenDOMLoaded(")
        parts[place] = f"{before}{self.words}\n{start}{after}"
        place = SCRIPTS.index("scripts/pydata-sphinx-theme.js")
        for pattern, replacement, what in THEME_CHANGES:
            parts[place], count = pattern.subn(replacement, parts[place])
            if count != 1:
                raise RuntimeError(f"the theme's script no longer {what} as it did; see THEME_CHANGES")
        return [re.sub(r"^//# sourceMappingURL=.*$", "", part, flags=re.M) for part in parts]

    def style_sheets(self) -> list[str]:
        """The style sheets in the order of the cascade, their addresses seen from the folder `static`."""
        parts = []
        for pattern in STYLE_SHEETS:
            for path in sorted(self.static.glob(pattern)):
                folder = posixpath.dirname(path.relative_to(self.static).as_posix())
                parts.append(
                    re.sub(
                        r"url\(([^'\"):]+)\)",
                        lambda match, folder=folder: f"url({posixpath.normpath(posixpath.join(folder, match[1]))})",
                        path.read_text(encoding="utf-8"),
                    )
                )
        return parts

    def names(self, scripts: list[str]) -> set[str]:
        """Classes and ids on the pages, and every word of a script, which may be one."""
        attributes = re.compile(r'\s(?:class|id)=(?:"([^"]*)"|\'([^\']*)\')')
        names = {name for page in self.pages.values() for match in attributes.findall(page) for name in match}
        return {word for name in names for word in name.split()} | set(re.findall(r"[\w-]+", "\n".join(scripts)))

    def font_faces(self, faces: list[FontFace], style: str) -> list[str]:
        """Cut the fonts, store the larger ones, and give the rules for them."""
        texts = {text for page in self.pages.values() for text in formula_texts(page)}
        texts = {(classes, html_entities.unescape(text)) for classes, text in texts}
        formulas = FormulaFonts(style, texts)
        icons = set(ICON.findall(style))
        rules = []
        for face in faces:
            asked = formulas.shown_in(face) if face.family.startswith("KaTeX") else icons
            font = Font(self.static / face.address)
            shown = asked & font.characters if asked and self.is_asked_for(face, style) else set()
            if not shown:
                continue
            cut = font.cut_to(shown)
            if len(cut) < SMALL_FONT or face.name in EARLY_FONTS:
                rules.append(face.rule(f"data:font/woff2;base64,{base64.b64encode(cut).decode()}"))
                continue
            address = f"fonts/{face.name}.woff2"
            (self.static / "fonts").mkdir(exist_ok=True)
            (self.static / address).write_bytes(cut)
            rules.append(face.rule(f"{address}?v={version_of(cut)}"))
        return rules

    def is_asked_for(self, face: FontFace, style: str) -> bool:
        """Whether a rule that is left names the family; the icons are all in the heaviest weight."""
        named = face.family in style.replace("\\", "")
        return named and (face.family.startswith("KaTeX") or face.weight == "900")

    def finish_pages(self) -> None:
        """Give the pages the addresses with versions, and the sizes of figures, code and formulas."""
        versions = {path.name: version_of(path.read_bytes()) for path in self.static.glob("*.*s")}
        for page, html in self.pages.items():
            html = re.sub(
                r'(?<=_static/)([\w.-]+\.(?:js|css))(?:\?v=\w*)?(?=")', lambda m: f"{m[1]}?v={versions[m[1]]}", html
            )
            html = with_formula_sizes(with_code_sizes(with_figure_sizes(html, page.parent)))
            self.pages[page] = html
            page.write_text(html, encoding="utf-8")

    def remove_parts(self) -> None:
        """Leave in `static` what a page or the style sheet names, and the licences."""
        texts = [*self.pages.values(), (self.static / STYLE).read_text(encoding="utf-8")]
        named = {name for text in texts for name in re.findall(r"(?:_static/|url\()([\w./-]+)", text)}
        for path in sorted(self.static.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path.relative_to(self.static).as_posix() not in named and path.name != "LICENSE":
                path.unlink()


def version_of(content: bytes) -> str:
    """A mark in the address, so that a browser does not show an old file on a new page."""
    return sha256(content).hexdigest()[:8]


def is_part(filename: str) -> bool:
    name = filename.removeprefix("_static/")
    return name in (*SCRIPTS, *STYLE_SHEETS, *DROPPED) or bool(re.fullmatch(r"mystnb\.\w+\.css", name))


def name_bundle(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Put the bundle in the place of its parts; a file that is no part stays on the page. Scripts without one go."""
    app.add_css_file(STYLE, priority=100)
    app.add_js_file(SCRIPT, priority=100, loading_method="defer")
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if file.filename and not is_part(str(file.filename))]


def write_bundle(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir)
        pages = [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]
        bundle = Bundle(folder / "_static", pages, copy_button_words(language_of(app.config)))
        bundle.write()
        bundle.finish_pages()
        bundle.remove_parts()


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", name_bundle, priority=900)
    # After the explorers have written their files.
    app.connect("build-finished", write_bundle, priority=900)
