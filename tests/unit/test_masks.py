"""One convention: Boolean, True = may attend. What broadcasting would misread is refused with the line to write."""

import pytest
import torch

from attention_book import causal_mask, padding_mask, scaled_dot_product_attention
from attention_book.masks import fit_mask

CPU = torch.device("cpu")


def test_causal_mask_lets_a_token_see_itself_and_the_past():  # A56
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(7).sum(-1).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert causal_mask(0).shape == (0, 0)
    assert causal_mask(2, device="meta").device.type == "meta"


def test_causal_weights_of_equal_scores():  # A01
    zero = torch.zeros(3, 2)
    _, weights = scaled_dot_product_attention(zero, zero, zero, causal_mask(3))
    torch.testing.assert_close(weights, torch.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]))


def test_padding_mask_hides_key_columns():  # A05, A62
    ids = torch.tensor([5, 7, 0, 0])
    assert padding_mask(ids).tolist() == [[True, True, False, False]]
    assert padding_mask(ids[None]).shape == (1, 1, 1, 4)
    zero = torch.zeros(1, 1, 4, 2)
    _, weights = scaled_dot_product_attention(zero, zero, zero, padding_mask(ids[None]))
    assert weights[0, 0].tolist() == [[0.5, 0.5, 0, 0]] * 4


def test_padding_mask_takes_the_padding_id_it_is_given():  # B11
    assert padding_mask(torch.tensor([0, 9]), pad_id=9).tolist() == [[True, False]]


@pytest.mark.parametrize("ids", [torch.zeros(3), torch.zeros(3, dtype=torch.bool), [1, 0]])
def test_padding_mask_refuses_what_are_no_ids(ids):
    with pytest.raises(TypeError, match="token_ids must be a tensor of whole numbers"):
        padding_mask(ids)


def test_padding_mask_refuses_embeddings():
    with pytest.raises(ValueError, match=r"got \(2, 3, 4\); pass the ids"):
        padding_mask(torch.zeros(2, 3, 4, dtype=torch.long))


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_zeros_and_ones_are_taken_as_such(dtype):  # A53
    mask = fit_mask(torch.tensor([[1, 1, 0]], dtype=dtype), (3, 3), CPU)
    assert mask.tolist() == [[True, True, False]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_floats_are_refused(dtype):  # A07
    with pytest.raises(TypeError, match=r"write mask != 0, .*write mask == 0"):
        fit_mask(torch.ones(3, 3, dtype=dtype).tril(), (3, 3), CPU)


def test_lists_are_refused():
    with pytest.raises(TypeError, match=r"got list; write torch\.tensor\(mask\)"):
        fit_mask([[True]], (1, 1), CPU)


def test_mask_on_another_device_names_both():  # A55
    with pytest.raises(ValueError, match=r"mask is on meta, the scores are on cpu; write mask\.to\('cpu'\)"):
        fit_mask(torch.ones(3, 3, dtype=torch.bool, device="meta"), (3, 3), CPU)


BATCH, HEADS, QUERIES, KEYS = 4, 2, 6, 5


@pytest.mark.parametrize(
    "shape",
    [
        (QUERIES, KEYS),
        (1, KEYS),
        (BATCH, 1, 1, KEYS),
        (BATCH, 1, QUERIES, KEYS),
        (BATCH, HEADS, QUERIES, KEYS),
        (1, 1, QUERIES, KEYS),
        (1, HEADS, 1, KEYS),
    ],
)
def test_shapes_that_mean_one_thing_are_taken(shape):  # A34
    assert fit_mask(torch.ones(shape, dtype=torch.bool), (BATCH, HEADS, QUERIES, KEYS), CPU).shape == shape


@pytest.mark.parametrize(
    ("shape", "scores_shape", "fix"),
    [
        ((KEYS,), (QUERIES, KEYS), r"mask\[None, :\]"),
        ((BATCH, KEYS), (BATCH, HEADS, QUERIES, KEYS), r"mask\[:, None, None, :\]"),  # A02
        ((BATCH, KEYS), (BATCH, QUERIES, KEYS), r"mask\[:, None, :\]"),
        ((BATCH, QUERIES, KEYS), (BATCH, HEADS, QUERIES, KEYS), r"mask\[:, None\]"),
        ((2, QUERIES, KEYS), (2, 2, QUERIES, KEYS), r"mask\[:, None\]"),  # A04: batch and heads of one size
        ((BATCH, 1, KEYS, 1), (BATCH, HEADS, QUERIES, KEYS), r"mask\.transpose\(-2, -1\)"),  # A05
        ((QUERIES, 1), (QUERIES, KEYS), "build it with shape"),
        ((8, 8), (1, 2, 16, 16), r"mask \(8, 8\) does not fit scores \(1, 2, 16, 16\)"),  # A59
        ((3, 1, QUERIES, KEYS), (1, HEADS, QUERIES, KEYS), "build it with shape"),  # it would enlarge the scores
        ((BATCH, 3, QUERIES, KEYS), (BATCH, HEADS, QUERIES, KEYS), r"\(batch, 1, 1, key\) = \(4, 1, 1, 5\)"),
        ((1, 1, QUERIES, KEYS), (QUERIES, KEYS), "build it with shape"),
        ((), (QUERIES, KEYS), "build it with shape"),
    ],
)
def test_shapes_that_would_be_misread_are_refused_with_the_line_that_mends_them(shape, scores_shape, fix):
    with pytest.raises(ValueError, match=fix):
        fit_mask(torch.ones(shape, dtype=torch.bool), scores_shape, CPU)
