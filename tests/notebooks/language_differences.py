"""What must be the same in every language, and where it is not."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import book_pages
from book_languages import read_languages
from book_pages import Block, Page
from first_cell import first_cell, stored_package
from translated_texts import TranslatedText

# What is counted in a block of prose, and how it is found.
PARTS = {
    "formulas": lambda text: book_pages.FORMULA.findall(book_pages.without_code(text)),
    "code": lambda text: [
        " ".join(match[0].split()) for match in book_pages.INLINE_CODE.finditer(book_pages.FENCE.sub(" ", text))
    ],
    "code blocks": lambda text: [m[0] for m in book_pages.FENCE.finditer(text) if not m[0].startswith("```{")],
    "link targets": book_pages.LINK.findall,
    "images": book_pages.IMAGE.findall,
    "included files": book_pages.INCLUDED_FILE.findall,
    "citations": book_pages.CITATION.findall,
    "labels": book_pages.LABEL.findall,
    "color classes": book_pages.COLOR_CLASS.findall,
    "folded parts": lambda text: ["<details>"] * text.count("<details>"),
    "heading levels": lambda text: [level for level, _ in book_pages.HEADING.findall(book_pages.without_code(text))],
    "numbers": lambda text: [n.replace("−", "-") for n in book_pages.NUMBER.findall(book_pages.words_only(text))],
}
SHORT_PARTS = {name: PARTS[name] for name in ("formulas", "code", "numbers")}
# A message may spell a small number out where another language has the digit ("cinco unos", "cinco números 1").
MESSAGE_PARTS = SHORT_PARTS | {
    "numbers": lambda text: [n for n in PARTS["numbers"](text) if n not in map(str, range(11))],
}
# The commands in a README have comments in its language.
SECTION_PARTS = PARTS | {
    "code blocks": lambda text: [re.sub(r" +# .*", "", block) for block in PARTS["code blocks"](text)],
}
PARTS_OF = {
    "prose": PARTS,
    "section": SECTION_PARTS,
    "description": SHORT_PARTS,
    "alternative text": SHORT_PARTS,
    "message": MESSAGE_PARTS,
    "site": MESSAGE_PARTS,
}
OTHER_DOCUMENT = re.compile(r"\]\(\w+(\.\w+)?\.md\)")


def differences(root: Path, texts: dict[str, TranslatedText]) -> list[str]:
    """One sentence for each place where a language differs from the others; an empty list if none does."""
    codes, names = book_pages.languages(root), book_pages.page_names(root)
    found = _pages_of_some_languages(root, codes)
    first_cells = {language.code: first_cell(language, stored_package(root)) for language in read_languages(root)}
    for name in names:
        pages = [book_pages.read_page(code, name, root) for code in codes if (root / "book" / code / name).exists()]
        found += [f"{code}/{name} is missing" for code in codes if code not in [page.language for page in pages]]
        for page in pages:
            found += _language_cell(page, first_cells[page.language])
        wanted = _page_to_compare_with(pages)
        for page in pages:
            if page is not wanted:
                found += _page_differences(page, wanted)
    for code in codes:
        found += _titles_on_the_start_page(code, names, root)
    for text in texts.values():
        found += _text_differences(text, codes)
    return found


def _pages_of_some_languages(root: Path, codes: list[str]) -> list[str]:
    """Files beside the contents, as a chapter renamed in one language leaves them."""
    in_contents = {Path(name).stem for name in book_pages.page_names(root)}
    files = {
        code: {path.name for path in (root / "book" / code).glob("*.*") if book_pages.is_page(path)} for code in codes
    }
    return [
        f"{code}/{name} is not in every language and not in the contents"
        for code in codes
        for name in sorted(files[code])
        if Path(name).stem not in in_contents and not all(name in files[other] for other in codes)
    ]


def _titles_on_the_start_page(code: str, names: list[str], root: Path) -> list[str]:
    """A link of the start page to a whole chapter says the chapter's title."""
    if not (root / "book" / code / names[0]).exists():
        return []
    found = []
    for block in book_pages.read_page(code, names[0], root).blocks:
        for said, name in re.findall(r"\[([^\]]+)\]\(([\w.]+\.ipynb)\)", block.text):
            if not (root / "book" / code / name).exists():
                continue
            title = book_pages.read_page(code, name, root).blocks[0].text.splitlines()[0]
            if said != re.sub(r"^# (\d+ · )?", "", title):
                found.append(f"{code}/{names[0]}, cell {block.id}: {name} is called {said!r}, its title is {title!r}")
    return found


def _page_to_compare_with(pages: list[Page]) -> Page:
    """The first page whose cells are those of most languages: the language that strayed is named, not the others."""
    ids = [tuple(block.id for block in page.blocks) for page in pages]
    return pages[ids.index(Counter(ids).most_common(1)[0][0])]


def _page_differences(page: Page, wanted: Page) -> list[str]:
    ids, wanted_ids = [b.id for b in page.blocks], [b.id for b in wanted.blocks]
    if ids != wanted_ids:
        missing, extra = set(wanted_ids) - set(ids), set(ids) - set(wanted_ids)
        moved = [i for i, j in zip(ids, wanted_ids, strict=False) if i != j]
        what = f"missing {sorted(missing)}, extra {sorted(extra)}" if missing or extra else f"order, from {moved[0]}"
        return [f"{page.where()}: cells differ from {wanted.where()}: {what}"]
    found = []
    if page.description == wanted.description:
        found.append(f"{page.where()}: the description is that of {wanted.language}")
    for block, other in zip(page.blocks, wanted.blocks, strict=True):
        compare = _code_differences if other.kind == "code" else _prose_differences
        found += [f"{page.where(block)}: {what} from {wanted.language}" for what in compare(page, block, wanted, other)]
    return found


def _prose_differences(page: Page, block: Block, wanted_page: Page, wanted: Block) -> list[str]:
    found = [*_differing_parts("prose", block.text, page.language, wanted.text, wanted_page.language)]
    if block.kind != wanted.kind:
        found.append(f"the kind of cell, {block.kind}, differs")
    if block.text == wanted.text and len(book_pages.words_only(block.text).split()) > 3:
        found.append("the text does not differ: it is not translated")
    return found


# Copies of the book that are checked one after another differ in a passage or two.
@cache
def _differing_parts(kind: str, text: str, code: str, wanted: str, wanted_code: str) -> list[str]:
    found = []
    for name, part in PARTS_OF[kind].items():
        here = Counter(_without_language(item, code) for item in part(text))
        there = Counter(_without_language(item, wanted_code) for item in part(wanted))
        if here != there:
            found.append(f"{name} differ, only here {sorted((here - there).elements())}, only there "
                         f"{sorted((there - here).elements())},")  # fmt: skip
    return found


def _without_language(address: str, code: str) -> str:
    """The name of a file with the place of the language in it, `page_<language>.png` for `page_pt.png`."""
    return re.sub(rf"(?<=[\w-][_.]){code}(?=\.\w+$)", "<language>", address)


def _text_differences(text: TranslatedText, codes: list[str]) -> list[str]:
    """What differs outside the cells: alternative texts, descriptions, messages, the site's words and the READMEs."""
    if text.kind == "prose":
        return []
    # A README links to those in the other languages, each to others.
    texts = {code: OTHER_DOCUMENT.sub("]", text.by_language[code]) for code in codes if code in text.by_language}
    first, *others = texts
    return [
        f"{code}, {text.name} ({text.kind}): {what} from {first}"
        for code in others
        for what in _differing_parts(text.kind, texts[code], code, texts[first], first)
    ]


def _code_differences(_page: Page, block: Block, _wanted_page: Page, wanted: Block) -> list[str]:
    found = []
    if block.text != wanted.text and "language" not in wanted.tags:
        found.append("the code differs")
    if _shared(block.metadata) != _shared(wanted.metadata):
        found.append("tags or metadata differ")
    if [_kind(output) for output in block.outputs] != [_kind(output) for output in wanted.outputs]:
        found.append("the kinds of stored outputs differ")
    if bool(block.alt) != bool(wanted.alt):
        found.append("the presence of an alternative text differs")
    elif block.alt and block.alt == wanted.alt:
        found.append("the alternative text does not differ: it is not translated")
    return found


def _shared(metadata: dict) -> dict:
    return {key: value for key, value in metadata.items() if key != "mystnb"}


def _kind(output: dict) -> tuple:
    return output["output_type"], tuple(sorted(output.get("data", {})))


def _language_cell(page: Page, wanted: str) -> list[str]:
    if page.name.endswith(".md"):
        return []
    cells = [block.text for block in page.code if "language" in block.tags]
    if cells != [wanted]:
        return [
            f"{page.where()}: there must be one cell tagged language, with use_language({page.language!r}), "
            "as tools/first_cell.py writes it"
        ]
    return []
