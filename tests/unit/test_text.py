"""Tokens and ids. The letters in brackets name the case in which somebody met the fault."""

import subprocess
import sys
import unicodedata

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_book import Vocabulary, tokenize


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u00a0", "\u3000", "\u200b", "\ufe0f", "\u200d"])
def test_text_with_nothing_to_see_has_no_tokens(text):  # B07
    assert tokenize(text) == []


def test_accents_and_capital_letters_are_kept():  # B16
    assert tokenize("Café com PÃO") == ["Café", "com", "PÃO"]
    for one, other in (("hacia", "hacía"), ("cana", "caña"), ("avô", "avó"), ("maca", "maçã"), ("si", "sí")):
        assert tokenize(one) != tokenize(other)


def test_accented_words_are_not_cut():  # B17
    assert tokenize("Piñata coração œuvre 3×4") == ["Piñata", "coração", "œuvre", "3", "×", "4"]


def test_decomposed_letters_give_the_same_tokens():
    decomposed = unicodedata.normalize("NFD", "atenção à mão")
    assert decomposed != "atenção à mão"
    assert tokenize(decomposed) == ["atenção", "à", "mão"]


def test_a_letter_that_has_no_composed_form_stays_one_word():
    assert tokenize("x\u0303y q") == ["x\u0303y", "q"]


def test_each_punctuation_mark_is_a_token():  # B19
    assert tokenize("—Ven aquí… –dijo la abuela– “pronto”") == [
        "—", "Ven", "aquí", "…", "–", "dijo", "la", "abuela", "–", "“", "pronto", "”",
    ]  # fmt: skip
    assert tokenize("¿Qué? ¡No!") == ["¿", "Qué", "?", "¡", "No", "!"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("guarda-chuva", ["guarda-chuva"]),
        ("fazê-lo", ["fazê-lo"]),
        ("d'água", ["d'água"]),
        ("d’água", ["d’água"]),
        ("don't stop", ["don't", "stop"]),
        ("'olá'", ["'", "olá", "'"]),
        ("pré- e pós-", ["pré", "-", "e", "pós", "-"]),
    ],
)
def test_inner_hyphen_and_apostrophe_keep_a_word_together(text, tokens):  # B20
    assert tokenize(text) == tokens


def test_an_emoji_of_several_code_points_is_one_token():  # B26
    family, wave, heart, keycap = "👨\u200d👩\u200d👧", "👋🏽", "❤\ufe0f", "1\ufe0f\u20e3"
    assert tokenize(f"oi {family} {wave}{heart} {keycap} 🇧🇷🇪🇸") == ["oi", family, wave, heart, keycap, "🇧🇷", "🇪🇸"]


# Signs that Python's own table does not know yet are left out: the regex library's table is newer.
@given(st.text(alphabet=st.characters(exclude_categories=["Cn", "Cs"])))
def test_no_visible_letter_is_lost_and_no_token_is_invisible(text):
    tokens = tokenize(text)
    letters = [sign for sign in unicodedata.normalize("NFC", text) if sign.isalnum()]
    assert [sign for token in tokens for sign in token if sign.isalnum()] == letters
    assert all(any(unicodedata.category(sign)[0] not in "CMZ" for sign in token) for token in tokens)
    assert not any(sign.isspace() for token in tokens for sign in token)


@pytest.mark.parametrize("text", [None, b"orange", ["orange"], 3])
def test_what_is_no_string_is_refused(text):
    with pytest.raises(TypeError, match=r"text must be a string, got .*; write str\(text\)"):
        tokenize(text)


def test_vocabulary_numbers_tokens_in_order_of_first_appearance():  # B11, B23
    vocabulary = Vocabulary(["o", "gato", "o", "rato"])
    assert vocabulary.tokens == ["<pad>", "<unk>", "o", "gato", "rato"]
    assert (vocabulary.pad_id, vocabulary.unk_id, len(vocabulary)) == (0, 1, 5)


def test_vocabulary_is_the_same_with_every_hash_seed():  # B23
    code = "from attention_book import Vocabulary; print(Vocabulary('o gato preto dorme bem'.split()).tokens)"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "7")
    }
    assert len(runs) == 1


def test_running_sentence_has_ids_2_to_6():
    vocabulary = Vocabulary.from_texts(["Orange is my favorite fruit"])
    assert vocabulary.encode("Orange is my favorite fruit").tolist() == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("text", ["", "sol", "lua sol"])
def test_encode_always_gives_int64(text):  # B05, B08
    ids = Vocabulary(["sol"]).encode(text)
    assert ids.dtype == torch.int64
    assert ids.shape == (len(text.split()),)


def test_unknown_words_show_as_unk_when_decoded():  # B10
    vocabulary = Vocabulary(["sol"])
    ids = vocabulary.encode("lua sol mar")
    assert ids.tolist() == [1, 2, 1]
    assert vocabulary.decode(ids) == ["<unk>", "sol", "<unk>"]


def test_encode_fills_up_with_padding_and_never_cuts():
    vocabulary = Vocabulary(["sol", "lua"])
    assert vocabulary.encode("lua sol", length=4).tolist() == [3, 2, 0, 0]
    with pytest.raises(ValueError, match=r"text has 2 tokens, length is 1; use length=2 or more"):
        vocabulary.encode("lua sol", length=1)


def test_a_decomposed_token_is_found_in_its_composed_form():
    vocabulary = Vocabulary([unicodedata.normalize("NFD", "atenção")])
    assert vocabulary.encode("atenção").tolist() == [2]


@given(st.lists(st.text(alphabet="abcçãñé", min_size=1, max_size=5), min_size=1, max_size=8))
def test_decode_gives_back_what_was_encoded(words):
    text = " ".join(words)
    vocabulary = Vocabulary.from_texts([text])
    assert vocabulary.decode(vocabulary.encode(text)) == tokenize(text)


@pytest.mark.parametrize("make", [Vocabulary, Vocabulary.from_texts])
def test_one_string_in_place_of_a_list_is_refused(make):
    with pytest.raises(TypeError, match=r"write Vocabulary\.from_texts\(\[text\]\)"):
        make("sol")


@pytest.mark.parametrize(
    ("ids", "error", "sentence"),
    [
        ([3], IndexError, r"token id 3 is outside 0\.\.2 \(vocabulary size 3\)"),  # B01
        ([-1], IndexError, r"token id -1 is outside 0\.\.2"),  # B02
        (torch.Tensor([1, 2]), TypeError, r"torch\.float32; did you write torch\.Tensor"),  # B04
        (torch.tensor([True]), TypeError, r"torch\.bool; write token_ids\.long\(\)"),
        (torch.zeros(1, dtype=torch.int16), TypeError, r"torch\.int16; write token_ids\.long\(\)"),  # B05
        (torch.zeros(2, 2, dtype=torch.long), ValueError, r"shape \(tokens,\), got \(2, 2\)"),
    ],
)
def test_decode_refuses_ids_that_have_no_token(ids, error, sentence):
    with pytest.raises(error, match=sentence):
        Vocabulary(["sol"]).decode(ids)


def test_no_ids_decode_to_no_tokens():
    assert Vocabulary(["sol"]).decode([]) == []
