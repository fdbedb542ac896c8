"""Store the walk-through of the start page in each language: `python tools/store_walk_through.py`.

The start page is Markdown and a build executes nothing, so the page includes a stored file; a test compares it with
what the package makes.
"""

from pathlib import Path

from attention_book import use_language
from attention_book.explorers import WalkThrough
from attention_book.language import languages

PICTURES = Path(__file__).resolve().parent.parent / "book" / "pictures"


def walk_through(language: str) -> str:
    """The explorer's element for a page in `language`, with its table for where no script runs."""
    use_language(language)
    return WalkThrough(step="weights").to_html() + "\n"


if __name__ == "__main__":
    for code in languages():
        (PICTURES / f"walk_through_{code}.html").write_text(walk_through(code), encoding="utf-8")
    print(f"Wrote the walk-through of {', '.join(languages())} into {PICTURES}.")
