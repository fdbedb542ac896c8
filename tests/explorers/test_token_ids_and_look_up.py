"""The reader's own sentence, and the look-up as a product with one-hot rows."""

import unicodedata

import pytest
import torch
from explorer_page import get_state, lit, page_of, set_state

from attention_book import Vocabulary, tokenize
from attention_book.explorers import InvalidState, LookUpExplorer, TokenIdsExplorer

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def typing(open_page):
    return open_page(page_of(TokenIdsExplorer().to_html()))


def tokens_on(page) -> list[str]:
    return page.locator(".tokens tbody th").all_inner_texts()


@pytest.mark.slow
def test_typed_sentence_gets_its_ids(typing):
    typing.get_by_role("textbox", name="sentence").fill("my color is pink!")
    assert tokens_on(typing) == tokenize("my color is pink!")
    assert typing.locator("td[data-ref^=token_ids]").all_inner_texts() == ["4", "7", "3", "1", "1"]
    assert "pink !" in typing.locator(".verdict").inner_text()
    assert get_state(typing, "text") == "my color is pink!"


@pytest.mark.slow
def test_typed_markup_is_shown_as_text(typing):
    typing.get_by_role("textbox", name="sentence").fill("<img src=x onerror=document.title=1> fruit")
    assert tokens_on(typing) == tokenize("<img src=x onerror=document.title=1> fruit")
    assert typing.locator(".explorer img").count() == 0
    assert typing.title() == "Explorer"


@pytest.mark.slow
@pytest.mark.parametrize("nothing", ["", "   ", "\u200b"])
def test_sentence_without_tokens_keeps_the_last_picture_and_says_why(nothing, typing):
    typing.get_by_role("textbox", name="sentence").fill(nothing)
    assert "There is no token yet" in typing.get_by_role("alert").inner_text()
    assert tokens_on(typing) == ["Orange", "is", "my", "favorite", "fruit"]
    assert get_state(typing, "text") == "Orange is my favorite fruit"
    typing.get_by_role("textbox", name="sentence").fill("is")
    assert not typing.get_by_role("alert").is_visible()
    assert tokens_on(typing) == ["is"]


@pytest.mark.slow
def test_separate_accents_make_a_known_word_unknown_unless_normalized(typing):
    typing.get_by_role("textbox", name="sentence").fill("atenção")
    typing.get_by_label("write accents as separate signs").check()
    number = typing.locator('td[data-ref="token_ids/0/0"]')
    known = str(TokenIdsExplorer().vocabulary.index("atenção"))
    assert number.inner_text() == known
    typing.get_by_label("normalize first").uncheck()
    assert number.inner_text() == "1"
    assert typing.locator('td[data-ref="code_points/0/0"]').inner_text() == "9"
    typing.locator('td[data-ref="code_points/0/0"]').click()
    assert "U+0061 U+0074 U+0065 U+006E U+0063 U+0327" in typing.locator(".meaning").inner_text()


@pytest.mark.slow
def test_every_sign_is_a_token_as_in_python(typing):
    """A sample of the signs in Python's own, older table; newer ones depend on the year of the browser."""
    signs = [chr(code) for code in range(0x20, 0x30000, 7)]
    signs = [sign for sign in signs if unicodedata.category(sign) not in ("Cn", "Cs")]
    different = []
    for start in range(0, len(signs), 2000):
        part = signs[start : start + 2000]
        texts = [f"a{sign}b {sign}" for sign in part]
        found = typing.evaluate(
            """(texts) => {
                const { explorer, words } = document.querySelector("[data-explorer]").explorer;
                const state = { normalize: true, vocabulary: ["<unk>"] };
                const tokens = (text) => explorer.compute({ ...state, text }, words).matrix("token_ids").rows;
                return texts.map(tokens);
            }""",
            texts,
        )  # fmt: skip
        different += [text for text, tokens in zip(texts, found, strict=True) if tokens != tokenize(text)]
    assert different == []


@pytest.mark.slow
def test_look_up_by_touch_and_by_keyboard(open_page):
    page = open_page(page_of(LookUpExplorer().to_html()), **PHONE)
    page.get_by_role("button", name="my", exact=True).tap()
    assert page.locator(".explanation").get_attribute("data-ref") == "one_hot/2/4"
    rows = {f"{row}/{k}" for row in ("embedding_matrix/4", "embeddings/2") for k in range(16)}
    assert lit(page) == {"token_ids/2/0", *rows}
    assert page.locator("caption").first.inner_text() == "token_ids [5]"
    page.locator('td[data-ref="embeddings/2/3"]').tap()
    assert lit(page) == {f"one_hot/2/{v}" for v in range(8)} | {f"embedding_matrix/{v}/3" for v in range(8)}
    page.locator('td[data-ref="one_hot/2/4"]').tap()
    assert "place 4 of the one-hot vector of my" in page.locator(".name").inner_text()
    assert "1 where the place is the token id" in page.locator(".meaning").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".explanation").get_attribute("data-ref") == "one_hot/2/3"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.locator(".explanation").get_attribute("data-ref") == "token_ids/2/0"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_id_without_a_row_keeps_the_last_picture(open_page):
    page = open_page(page_of(LookUpExplorer().to_html()))
    set_state(page, {"token_ids": [2, 3, 4, 5, -1]})
    assert page.get_by_role("alert").is_visible()
    assert page.locator('td[data-ref="token_ids/4/0"]').inner_text() == "6"


def test_ids_and_embeddings_follow_in_python():
    explorer = TokenIdsExplorer(vocabulary=Vocabulary(["red", "car"]))
    explorer.text = "red bus"
    assert (explorer.tokens, explorer.token_ids) == (["red", "bus"], [2, 1])
    look_up = LookUpExplorer()
    look_up.embedding_matrix = torch.arange(16.0).view(8, 2)
    assert look_up.embeddings[0] == [4.0, 5.0]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: TokenIdsExplorer(""), "text must hold at least one token, got ''"),
        (lambda: TokenIdsExplorer(vocabulary=["a"]), "vocabulary must hold <unk>"),
        (lambda: LookUpExplorer(token_ids=[2, 3, 4, 5, -1]), r"token id -1 is outside 0\.\.7"),
        (lambda: LookUpExplorer(query=5), r"query must be one of 0\.\.4, got 5"),
        (lambda: LookUpExplorer(tokens=["a"]), "tokens has 1 words, token_ids 5; one id each"),
        (
            lambda: LookUpExplorer(embedding_matrix=torch.zeros(8)),
            r"must have shape \(vocabulary, d_model\), got \(8,\)",
        ),
    ],
)
def test_bad_state_gets_a_clear_sentence(make, sentence):
    with pytest.raises(InvalidState, match=sentence):
        make()
