"""Ids and padding that people got wrong on the way from text to embeddings."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_book import Vocabulary, look_up, padding_mask

WORDS = st.lists(st.text(alphabet="abcçãñé", min_size=1, max_size=3), max_size=6)


# https://github.com/ajhalthor/Transformer-Neural-Network/issues/13
@given(known=WORDS, text=WORDS)
def test_a_table_with_one_row_per_token_has_a_row_for_every_id_unknown_words_and_padding_too(known, text):
    vocabulary = Vocabulary(known)
    ids = vocabulary.encode(" ".join(text), length=len(text) + 1)
    assert look_up(torch.zeros(len(vocabulary), 2), ids).shape == (len(text) + 1, 2)
    assert max(map(vocabulary.encode, vocabulary.tokens[2:]), default=torch.tensor([1])) == len(vocabulary) - 1


# https://github.com/orcax/PGPR/issues/8
@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int8, torch.int16])
def test_boolean_and_small_ids_are_refused_instead_of_choosing_rows_like_a_mask(dtype):
    table = torch.eye(3)
    with pytest.raises(TypeError, match=r"write token_ids\.long\(\)"):
        look_up(table, torch.tensor([0, 1, 1], dtype=dtype))
    with pytest.raises(TypeError, match=r"write token_ids\.long\(\)"):
        Vocabulary(["sol"]).decode(torch.tensor([0, 1, 1], dtype=dtype))


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_ids_of_32_and_64_bits_choose_the_same_rows(dtype):
    ids = torch.tensor([2, 0], dtype=dtype)
    assert look_up(torch.eye(3), ids).tolist() == [[0, 0, 1], [1, 0, 0]]
    assert Vocabulary(["sol"]).decode(ids) == ["sol", "<pad>"]


# https://github.com/kpe/bert-for-tf2/issues/68
def test_the_first_word_of_a_vocabulary_is_not_taken_for_padding():
    vocabulary = Vocabulary(["a", "casa"])
    assert padding_mask(vocabulary.encode("a casa desconhecida", length=4)).tolist() == [[True, True, True, False]]


# https://github.com/microsoft/onnxruntime-genai/pull/1639
@given(st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_padding_of_one_sentence_does_not_slip_into_the_next(lengths):
    vocabulary = Vocabulary(["sol"])
    ids = torch.stack([vocabulary.encode("sol " * length, length=5) for length in lengths])
    expected = [[place < length for place in range(5)] for length in lengths]
    assert padding_mask(ids, vocabulary.pad_id)[:, 0, 0].tolist() == expected
