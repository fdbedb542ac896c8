"""Every word that an explorer shows comes from the message files."""

import re

import pytest
from examples import EXAMPLES
from explorer_page import page_of

from attention_book.explorers.bundle import FRONT_END

# Names of mathematics and of the code, the same in every language.
SYMBOLS = {"e", "E", "X", "W_Q", "d_k", "d", "_", "q", "k", "q_k", "s", "scores", "weights", "cos"}
SYMBOLS |= {"log", "atan2", "θ", "q₁", "q₂", "k₁", "k₂"}
SYMBOLS |= {"B", "kB", "MB", "GB", "TB", "PB"}


def strings_of(source: str) -> list[str]:
    code = re.sub(r"(?<!:)//.*|/\*[\s\S]*?\*/", "", source)
    return [match[1:-1] for match in re.findall(r'"[^"\n]*"|`[^`]*`', code)]


def phrases(text: str) -> bool:
    """Two words in a row, or one with a capital letter or an accent, read as a sentence, not as a name."""
    text = re.sub(r"\$\{[^}]*\}", "", text)
    return bool(re.search(r"[^\W\d_]{3,} +[^\W\d_]{2,}|[à-ÿ]", text))


@pytest.mark.parametrize("path", sorted(FRONT_END.glob("*.js")), ids=lambda path: path.stem)
def test_no_string_in_the_javascript_reads_as_a_phrase(path):
    allowed = {"0 0 260 152"}
    found = [text for text in strings_of(path.read_text(encoding="utf-8")) if phrases(text) and text not in allowed]
    # Lists of style classes are the only strings with several words.
    classes = re.findall(r'class: "([^"]*)"', path.read_text(encoding="utf-8"))
    assert [text for text in found if text not in classes] == []


def marked(words):
    """The same messages with every text put between marks, places kept."""
    if isinstance(words, dict):
        return {key: marked(value) for key, value in words.items()}
    return "⟦" + re.sub(r"[^{}]+(?![^{]*\})", lambda match: "▪" * len(match[0]), words) + "⟧"


@pytest.mark.slow
def test_nothing_but_messages_tokens_and_symbols_is_shown(explorer, open_page):
    example = EXAMPLES[explorer].make()
    example.set_trait("words", marked(example.words))
    page = open_page(page_of(example.to_html()))
    texts = page.evaluate(
        """() => {
            const root = document.querySelector(".explorer"), texts = [];
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            while (walker.nextNode())
                if (!walker.currentNode.parentElement.closest("code")) texts.push(walker.currentNode.data);
            for (const element of [root, ...root.querySelectorAll("*")])
                for (const name of ["aria-label", "aria-valuetext", "title", "alt", "placeholder"])
                    if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
            return texts;
        }"""
    )
    assert any("▪" in text for text in texts)
    tokens = [*getattr(example, "tokens", []), *getattr(example, "vocabulary", [])]
    tokens += [model["name"] for model in getattr(example, "models", {}).values()]
    tokens += [text for entry in getattr(example, "sentences", []) for text in (entry["text"], *entry["tokens"])]
    own = {word for token in tokens for word in re.findall(r"\w+", token)}
    shown = {word for text in texts for word in re.findall(r"[^\W\d]\w*", text.replace("▪", " "))}
    assert shown - own - SYMBOLS == set()
