"""One head against PyTorch's own, over random shapes, dtypes and masks."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from shapes import TOLERANCE, dtypes, random_mask, random_tensor, seeds

from attention_book import scaled_dot_product_attention

ALL_DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


@given(
    leading=st.lists(st.integers(1, 3), max_size=2),
    sizes=st.tuples(st.integers(1, 6), st.integers(1, 7), st.integers(1, 5), st.integers(1, 4)),
    masked=st.booleans(),
    dtype=dtypes,
    seed=seeds,
)
def test_equals_pytorch(leading, sizes, masked, dtype, seed):
    queries, keys, d_k, d_v = sizes
    query = random_tensor(seed, *leading, queries, d_k, dtype=dtype)
    key = random_tensor(seed + 1, *leading, keys, d_k, dtype=dtype)
    value = random_tensor(seed + 2, *leading, keys, d_v, dtype=dtype)
    mask = random_mask(seed, queries, keys) if masked else None
    context, weights = scaled_dot_product_attention(query, key, value, mask)
    expected = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    torch.testing.assert_close(context, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    row_sums = torch.ones(*leading, queries, dtype=dtype)
    if masked:
        row_sums = row_sums * mask.any(-1)
        assert (weights.masked_select(~mask) == 0).all()
    torch.testing.assert_close(weights.sum(-1), row_sums, rtol=0, atol=TOLERANCE[dtype])
    assert (weights >= 0).all()


@given(seed=seeds)
def test_adding_a_constant_to_all_keys_changes_no_weight(seed):
    query, key, value = (random_tensor(seed + i, 3, 4) for i in range(3))
    shift = random_tensor(seed + 3, 1, 4)
    before, after = (scaled_dot_product_attention(query, k, value)[1] for k in (key, key + shift))
    torch.testing.assert_close(before, after, rtol=0, atol=1e-12)


@given(seed=seeds, length=st.integers(2, 6))
def test_permuting_the_tokens_permutes_the_context(seed, length):  # B25
    x = random_tensor(seed, length, 4)
    order = torch.randperm(length, generator=torch.Generator().manual_seed(seed))
    context, _ = scaled_dot_product_attention(x, x, x)
    permuted, _ = scaled_dot_product_attention(x[order], x[order], x[order])
    torch.testing.assert_close(permuted, context[order], rtol=0, atol=1e-12)


@given(seed=seeds)
def test_each_query_is_computed_for_itself(seed):  # A64
    query, key, value = random_tensor(seed, 7, 4), random_tensor(seed + 1, 5, 4), random_tensor(seed + 2, 5, 3)
    together, _ = scaled_dot_product_attention(query, key, value)
    alone = torch.cat([scaled_dot_product_attention(q[None], key, value)[0] for q in query])
    torch.testing.assert_close(alone, together, rtol=0, atol=1e-12)


def test_divides_by_the_root_of_the_head_size():  # A28, A29
    query, key = torch.tensor([[4.0, 0, 0, 0]]), torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    _, weights = scaled_dot_product_attention(query, key, key)
    torch.testing.assert_close(weights, torch.tensor([[4 / 2, 0.0]]).softmax(-1))


def test_rows_sum_to_one_where_columns_do_not():  # A31
    _, weights = scaled_dot_product_attention(random_tensor(1, 2, 3), random_tensor(2, 5, 3), random_tensor(3, 5, 4))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2).double())
    assert not torch.allclose(weights.sum(-2), torch.ones(5).double())


def test_a_zero_key_is_no_mask():  # B13
    query, key, value = torch.tensor([[1.0, 0]]), torch.tensor([[1.0, 0], [0, 0], [0, 0]]), torch.eye(3)[:, :1]
    context, weights = scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(weights, torch.tensor([[0.5035, 0.2483, 0.2483]]), rtol=0, atol=1e-4)
    context, weights = scaled_dot_product_attention(query, key, value, torch.tensor([[True, False, False]]))
    assert context.item() == 1.0
    assert weights.tolist() == [[1.0, 0.0, 0.0]]


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_fully_masked_query_gets_zero_context_forward_and_backward(dtype):  # A11, A13, A16
    query, key, value = (random_tensor(i, 2, 3, 4, dtype=dtype).requires_grad_() for i in range(3))
    mask = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
    context, weights = scaled_dot_product_attention(query, key, value, mask)
    assert context.dtype == weights.dtype == dtype
    assert (context[:, 1] == 0).all()
    assert (weights[:, 1] == 0).all()
    gradients = torch.autograd.grad(context.double().sum(), (query, key, value))
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert (gradients[0][:, 1] == 0).all()


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_fully_masked_query_makes_no_nan_on_the_way_either():
    query, key, value = (random_tensor(i, 3, 4).requires_grad_() for i in range(3))
    with torch.autograd.detect_anomaly():
        context, _ = scaled_dot_product_attention(query, key, value, torch.zeros(3, 3, dtype=torch.bool))
        context.sum().backward()


def test_half_precision_does_not_overflow_before_the_division():
    query, key = (torch.full((1, 64), 36.0, dtype=torch.float16) for _ in range(2))
    assert query @ key.T == math.inf
    _, weights = scaled_dot_product_attention(query, torch.cat([key, -key]), torch.eye(2, dtype=torch.float16))
    assert weights.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("masked", [False, True])
def test_gradients_are_those_of_finite_differences(masked):
    inputs = tuple(random_tensor(i, 2, 3, 4).requires_grad_() for i in range(3))
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]]) if masked else None
    assert torch.autograd.gradcheck(lambda q, k, v: scaled_dot_product_attention(q, k, v, mask), inputs)


def test_inputs_and_mask_stay_as_they_are():  # A61
    query, key, value = (random_tensor(i, 3, 4) for i in range(3))
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    before = [tensor.clone() for tensor in (query, key, value, mask)]
    scaled_dot_product_attention(query, key, value, mask)
    assert all(torch.equal(a, b) for a, b in zip(before, (query, key, value, mask), strict=True))


def test_no_queries_and_no_keys_give_empty_and_zero():  # B08
    none, some = torch.zeros(0, 4), torch.ones(3, 4)
    assert scaled_dot_product_attention(none, some, some)[0].shape == (0, 4)
    context, weights = scaled_dot_product_attention(some, none, none)
    assert weights.shape == (3, 0)
    assert (context == 0).all()


@pytest.mark.parametrize(
    ("shapes", "sentence"),
    [
        (((3, 4), (5, 6), (5, 6)), r"query \(3, 4\) and key \(5, 6\) must have the same last size d_k; project both"),
        (((3, 4), (5, 4), (6, 4)), r"key \(5, 4\) and value \(6, 4\) must have the same length.*same tokens"),
        (((1, 3, 4), (2, 5, 4), (2, 5, 4)), r"same batch axes; write \.expand"),
        (((2, 3, 4), (2, 5, 4), (5, 4)), r"same batch axes"),
        (((4,), (5, 4), (5, 4)), r"query must have shape \(…, length, size\), got \(4,\); .*query\[None, :\]"),
    ],
)
def test_shapes_that_do_not_go_together_are_refused(shapes, sentence):  # A35
    with pytest.raises(ValueError, match=sentence):
        scaled_dot_product_attention(*(torch.zeros(shape) for shape in shapes))


def test_other_things_than_floating_point_tensors_are_refused():  # A19, A55
    x = torch.zeros(3, 4)
    with pytest.raises(TypeError, match=r"query is torch\.float64, key torch\.float32.*\.to\(torch\.float64\)"):
        scaled_dot_product_attention(x.double(), x, x)
    with pytest.raises(TypeError, match=r"value must hold floating-point numbers, got torch\.int64; .*value\.float"):
        scaled_dot_product_attention(x, x, x.long())
    with pytest.raises(TypeError, match=r"key must be a tensor, got list"):
        scaled_dot_product_attention(x, x.tolist(), x)
    with pytest.raises(ValueError, match=r"query is on cpu, key on meta"):
        scaled_dot_product_attention(x, x.to("meta"), x)
