"""What must be the same in every language, and where it is not."""

from collections import Counter
from pathlib import Path

import book_pages
from book_pages import Block, Page

LANGUAGE_CELL = 'from attention_book import use_language\n\nuse_language("{}")'

# What is counted in a block of prose, and how it is found.
PARTS = {
    "formulas": lambda text: book_pages.FORMULA.findall(book_pages.without_code(text)),
    "code": lambda text: [match[0] for match in book_pages.INLINE_CODE.finditer(book_pages.FENCE.sub(" ", text))],
    "code blocks": lambda text: [m[0] for m in book_pages.FENCE.finditer(text) if not m[0].startswith("```{")],
    "link targets": book_pages.LINK.findall,
    "images": book_pages.IMAGE.findall,
    "citations": book_pages.CITATION.findall,
    "labels": book_pages.LABEL.findall,
    "color classes": book_pages.COLOR_CLASS.findall,
    "folded parts": lambda text: ["<details>"] * text.count("<details>"),
    "heading levels": lambda text: [level for level, _ in book_pages.HEADING.findall(book_pages.without_code(text))],
    "numbers": lambda text: [n.replace("−", "-") for n in book_pages.NUMBER.findall(book_pages.words_only(text))],
}


def differences(root: Path = book_pages.ROOT) -> list[str]:
    """One sentence for each place where a language differs from the first one; an empty list if none does."""
    reference, *others = book_pages.languages(root)
    found = []
    for name in book_pages.page_names(root):
        wanted = book_pages.read_page(reference, name, root)
        found += _language_cell(wanted)
        for language in others:
            if not (root / "book" / language / name).exists():
                found.append(f"{language}/{name} is missing")
                continue
            page = book_pages.read_page(language, name, root)
            found += _language_cell(page) + _page_differences(page, wanted)
    return found


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
        found += [f"{page.where(block)}: {what} from {wanted.language}" for what in compare(block, other)]
    return found


def _prose_differences(block: Block, wanted: Block) -> list[str]:
    found = []
    for name, part in PARTS.items():
        here, there = Counter(part(block.text)), Counter(part(wanted.text))
        if here != there:
            found.append(f"{name} differ, only here {sorted((here - there).elements())}, only there "
                         f"{sorted((there - here).elements())},")  # fmt: skip
    if block.kind != wanted.kind:
        found.append(f"the kind of cell, {block.kind}, differs")
    if block.text == wanted.text and len(book_pages.words_only(block.text).split()) > 3:
        found.append("the text does not differ: it is not translated")
    return found


def _code_differences(block: Block, wanted: Block) -> list[str]:
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


def _language_cell(page: Page) -> list[str]:
    if page.name.endswith(".md"):
        return []
    cells = [block.text for block in page.code if "language" in block.tags]
    if cells != [LANGUAGE_CELL.format(page.language)]:
        return [f"{page.where()}: there must be one cell tagged language, with use_language({page.language!r})"]
    return []
