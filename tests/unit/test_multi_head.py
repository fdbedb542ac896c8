"""The module against `nn.MultiheadAttention` with the same weights."""

import copy
import itertools
import shutil

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import TOLERANCE, dtypes, random_mask, random_tensor, seeds
from torch import nn
from torch.autograd import forward_ad

from attention_book import MultiHeadAttention, causal_mask, scaled_dot_product_attention

ALL_DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
# Batch, lengths, head size and heads all differ, so that no swapped axis fits by chance.
BATCH, QUERIES, KEYS, D_MODEL, HEADS = 2, 7, 5, 24, 3


def module(dtype=torch.float64, qkv_bias=False, seed=0) -> MultiHeadAttention:
    torch.manual_seed(seed)
    return MultiHeadAttention(D_MODEL, HEADS, qkv_bias=qkv_bias).to(dtype)


def inputs(dtype=torch.float64):
    return (random_tensor(1, BATCH, QUERIES, D_MODEL, dtype=dtype), random_tensor(2, BATCH, KEYS, D_MODEL, dtype=dtype))


@given(
    sizes=st.tuples(st.integers(1, 3), st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(1, 4)),
    bias=st.booleans(),
    masked=st.booleans(),
    dtype=dtypes,
    seed=seeds,
)
def test_equals_pytorch_with_copied_weights(sizes, bias, masked, dtype, seed):  # A47
    batch, queries, keys, heads, head_dim = sizes
    d_model = heads * head_dim
    torch.manual_seed(seed)
    theirs = nn.MultiheadAttention(d_model, heads, bias=bias, batch_first=True, dtype=dtype)
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    ours = MultiHeadAttention.from_torch(theirs)
    query = random_tensor(seed, batch, queries, d_model, dtype=dtype)
    key = random_tensor(seed + 1, batch, keys, d_model, dtype=dtype)
    value = random_tensor(seed + 2, batch, keys, d_model, dtype=dtype)
    mask = None
    if masked:
        mask = random_mask(seed, batch, heads, queries, keys)
        mask[..., 0] = True  # their weights of a fully masked row are NaN; ours have a test of their own
    # Their True means blocked, and their heads share the batch axis.
    blocked = None if mask is None else ~mask.flatten(0, 1)
    expected, expected_weights = theirs(query, key, value, attn_mask=blocked, average_attn_weights=False)
    output, weights = ours(query, key, value, mask, return_weights=True)
    without_weights = ours(query, key, value, mask)
    tolerance = TOLERANCE[dtype]
    torch.testing.assert_close(weights, expected_weights, rtol=0, atol=tolerance)
    torch.testing.assert_close(output, expected, rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(without_weights, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("return_weights", [False, True])
def test_fully_masked_query_gets_the_output_bias_and_finite_gradients(dtype, return_weights):  # A11, A14
    attention, x = module(dtype), random_tensor(3, BATCH, QUERIES, D_MODEL, dtype=dtype).requires_grad_()
    mask = torch.ones(BATCH, 1, 1, QUERIES, dtype=torch.bool)
    mask[1] = False
    result = attention(x, mask=mask, return_weights=return_weights)
    output = result[0] if return_weights else result
    assert torch.equal(output[1], attention.output_linear.bias.expand(QUERIES, D_MODEL))
    if return_weights:
        assert (result[1][1] == 0).all()
    gradients = torch.autograd.grad(output.double().sum(), [x, *attention.parameters()])
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert (gradients[0][1] == 0).all()


@pytest.mark.parametrize("training", [False, True])
def test_asking_for_the_weights_changes_nothing(training):  # A14, A40
    attention, (query, key) = module().train(training), inputs()
    mask = random_mask(4, BATCH, 1, QUERIES, KEYS)
    mask[0, 0, 2] = False
    for grad in (torch.no_grad(), torch.enable_grad()):
        with grad:
            output, weights = attention(query, key, mask=mask, return_weights=True)
            torch.testing.assert_close(attention(query, key, mask=mask), output, rtol=0, atol=1e-12)
    sums = mask.any(-1).double().expand(BATCH, HEADS, QUERIES)
    torch.testing.assert_close(weights.sum(-1), sums, rtol=0, atol=1e-12)


@pytest.mark.parametrize("return_weights", [False, True])
def test_gradients_are_those_of_finite_differences(return_weights):
    torch.manual_seed(0)
    attention = MultiHeadAttention(4, 2).double()
    x = random_tensor(5, 2, 3, 4).requires_grad_()
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    assert torch.autograd.gradcheck(lambda x: attention(x, mask=mask, return_weights=return_weights), (x,))


def test_split_heads_gives_each_head_its_columns_of_every_token():  # A22
    x = torch.arange(12.0).reshape(1, 3, 4)
    heads = MultiHeadAttention(4, 2).split_heads(x)
    assert heads.tolist() == [[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]]


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=20)
def test_combine_heads_undoes_split_heads(batch, length, heads, head_dim):  # A23
    attention = MultiHeadAttention(heads * head_dim, heads)
    x = torch.arange(float(batch * length * heads * head_dim)).reshape(batch, heads * head_dim, length).transpose(1, 2)
    assert torch.equal(attention.combine_heads(attention.split_heads(x)), x)


def test_every_head_reads_the_whole_embedding():  # A25
    attention, x = module(), torch.zeros(1, 1, D_MODEL, dtype=torch.float64)
    x[..., -1] = 1.0
    assert (attention.split_heads(attention.query_linear(x)) != 0).any(-1).all()


def test_output_is_the_sum_of_what_each_head_writes():  # A46
    attention, (query, key) = module(), inputs()
    q, k, v = (
        attention.split_heads(linear(x))
        for linear, x in (
            (attention.query_linear, query),
            (attention.key_linear, key),
            (attention.value_linear, key),
        )
    )
    context, _ = scaled_dot_product_attention(q, k, v)
    row_blocks = attention.output_linear.weight.T.reshape(HEADS, -1, D_MODEL)
    expected = attention.output_linear.bias + sum(context[:, head] @ row_blocks[head] for head in range(HEADS))
    torch.testing.assert_close(attention(query, key), expected, rtol=0, atol=1e-12)


def identity_attention(d_model: int, num_heads: int) -> MultiHeadAttention:
    """A module whose four projections change nothing."""
    attention = MultiHeadAttention(d_model, num_heads)
    with torch.no_grad():
        for linear in attention.children():
            nn.init.eye_(linear.weight)
        attention.output_linear.bias.zero_()
    return attention


def test_identity_projections_give_attention_on_raw_embeddings():  # A65
    x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 1], [1, 1, 0, 0]])
    attention = identity_attention(4, num_heads=1)
    output = attention(x)
    torch.testing.assert_close(output, (x @ x.T / 2).softmax(-1) @ x, rtol=0, atol=1e-6)
    torch.testing.assert_close(output[0], torch.tensor([0.8137, 0.6798, 0.5065, 0.1863]), rtol=0, atol=1e-4)


# https://github.com/fchollet/keras-resources/issues/53
def test_identity_projections_with_two_heads_are_not_attention_on_raw_embeddings():
    x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 1], [1, 1, 0, 0]])
    attention = identity_attention(4, num_heads=2)
    halves = [(half @ half.T / 2**0.5).softmax(-1) @ half for half in (x[:, :2], x[:, 2:])]
    torch.testing.assert_close(attention(x), torch.cat(halves, -1), rtol=0, atol=1e-6)
    assert not torch.allclose(attention(x), (x @ x.T / 2).softmax(-1) @ x, atol=1e-2)


def test_one_sentence_needs_no_batch_axis():  # A38
    attention, (query, key) = module(), inputs()
    output, weights = attention(query[0], key[0], mask=causal_mask(QUERIES)[:, :KEYS], return_weights=True)
    batched, batched_weights = attention(query[:1], key[:1], mask=causal_mask(QUERIES)[:, :KEYS], return_weights=True)
    assert output.shape == (QUERIES, D_MODEL)
    assert weights.shape == (HEADS, QUERIES, KEYS)
    torch.testing.assert_close(output, batched[0], rtol=0, atol=1e-12)
    torch.testing.assert_close(weights, batched_weights[0], rtol=0, atol=1e-12)
    torch.testing.assert_close(attention(query[0], key[0]).shape, output.shape)


def test_one_token_has_weight_one():  # A52
    attention, x = module(), random_tensor(6, 1, 1, D_MODEL)
    output, weights = attention(x, return_weights=True)
    assert weights.tolist() == [[[[1.0]]] * HEADS]
    torch.testing.assert_close(output, attention.output_linear(attention.value_linear(x)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(0, QUERIES, D_MODEL), (BATCH, 0, D_MODEL)])
@pytest.mark.parametrize("return_weights", [False, True])
def test_no_sentences_and_no_tokens_keep_their_shape(shape, return_weights):  # B08
    result = module()(torch.zeros(shape, dtype=torch.float64), return_weights=return_weights)
    assert (result[0] if return_weights else result).shape == shape


def test_sentences_of_a_batch_do_not_see_each_other():  # A32, A37
    attention, (query, key) = module(), inputs()
    torch.testing.assert_close(attention(query, key)[:1], attention(query[:1], key[:1]), rtol=0, atol=1e-12)


def test_the_future_can_not_be_seen_through_a_causal_mask():  # A58
    attention, (x, _) = module(), inputs()
    changed = x.clone()
    changed[:, 3:] += 10.0
    mask = causal_mask(QUERIES)
    torch.testing.assert_close(attention(x, mask=mask)[:, :3], attention(changed, mask=mask)[:, :3], rtol=0, atol=1e-12)
    assert not torch.allclose(attention(x)[:, :3], attention(changed)[:, :3], atol=1e-2)


def test_key_stands_for_value_and_query_for_both():
    attention, (query, key) = module(), inputs()
    assert torch.equal(attention(query), attention(query, query, query))
    assert torch.equal(attention(query, key), attention(query, key, key))
    with pytest.raises(ValueError, match="value is given but key is not"):
        attention(query, value=key)


def test_inputs_and_mask_stay_as_they_are():  # A61
    attention, (query, key), mask = module(), inputs(), random_mask(1, QUERIES, KEYS)
    before = query.clone(), key.clone(), mask.clone()
    first = attention(query, key, mask=mask, return_weights=True)
    second = attention(query, key, mask=mask, return_weights=True)
    assert all(map(torch.equal, before, (query, key, mask)))
    assert all(map(torch.equal, first, second))


def test_number_of_parameters_does_not_depend_on_the_heads():
    counts = {sum(p.numel() for p in MultiHeadAttention(16, heads).parameters()) for heads in (1, 2, 4, 8, 16)}
    assert counts == {4 * 16 * 16 + 16} == {1040}


def test_state_dict_goes_round(tmp_path):
    attention, other, (query, key) = module(), module(seed=1), inputs()
    assert not torch.equal(attention(query, key), other(query, key))
    torch.save(attention.state_dict(), tmp_path / "weights.pt")
    other.load_state_dict(torch.load(tmp_path / "weights.pt", weights_only=True))
    assert torch.equal(attention(query, key), other(query, key))
    assert torch.equal(copy.deepcopy(attention)(query, key), attention(query, key))


@pytest.mark.parametrize("return_weights", [False, True])
@pytest.mark.parametrize("gradients", [False, True])
def test_compiles_and_exports_as_one_graph(return_weights, gradients):
    attention, (query, key) = module(torch.float32), inputs(torch.float32)
    mask = random_mask(2, BATCH, 1, QUERIES, KEYS)
    with torch.set_grad_enabled(gradients):
        expected = attention(query, key, None, mask, return_weights)
        compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(compiled(query, key, None, mask, return_weights), expected)
        exported = torch.export.export(attention, (query, key, None, mask, return_weights)).module()
        torch.testing.assert_close(exported(query, key, None, mask, return_weights), expected)


def forward_derivative(function, x):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(function(forward_ad.make_dual(x, torch.ones_like(x)))).tangent


@pytest.mark.parametrize(
    "transform",
    [
        lambda function, x: torch.func.vmap(function)(x),
        lambda function, x: torch.func.jvp(function, (x,), (torch.ones_like(x),))[1],
        lambda function, x: torch.func.jacfwd(function)(x[0]),
        lambda function, x: torch.func.jacrev(function)(x[0]),
        forward_derivative,
    ],
    ids=["vmap", "jvp", "jacfwd", "jacrev", "dual number"],
)
@pytest.mark.parametrize("masked", [False, True])
def test_weights_that_take_the_memory_of_the_scores_let_functions_be_transformed(transform, masked):
    attention, (x, _) = module(), inputs()
    mask = causal_mask(QUERIES) if masked else None

    def output(x):
        return attention(x, mask=mask, return_weights=True)[0]

    expected = transform(output, x)
    with torch.no_grad():
        torch.testing.assert_close(transform(output, x), expected)


@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile's own back end needs the compiler g++")
def test_compiled_by_inductor_gives_the_same_numbers():
    attention, (query, key) = module(torch.float32).eval(), inputs(torch.float32)
    compiled = torch.compile(attention, fullgraph=True)
    torch.testing.assert_close(compiled(query, key), attention(query, key), rtol=1e-5, atol=1e-6)


def test_works_under_autocast():  # A20
    attention, (query, key) = module(torch.float32), inputs(torch.float32)
    mask = random_mask(2, QUERIES, KEYS)
    expected = attention(query, key, mask=mask)
    for return_weights in (False, True):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            result = attention(query, key, mask=mask, return_weights=return_weights)
        output = result[0] if return_weights else result
        torch.testing.assert_close(output.float(), expected, rtol=0, atol=5e-2)


def test_works_on_another_device_and_without_contiguous_memory():  # A55
    x = torch.zeros(BATCH, QUERIES, D_MODEL, device="meta", dtype=torch.float64)
    output, weights = module().to("meta")(x, mask=causal_mask(QUERIES, "meta"), return_weights=True)
    assert output.device.type == weights.device.type == "meta"
    query, key = inputs()
    scattered = query.transpose(0, 1).contiguous().transpose(0, 1)
    assert not scattered.is_contiguous()
    assert torch.equal(module()(scattered, key), module()(query, key))


@pytest.mark.parametrize(
    ("d_model", "heads", "error", "sentence"),
    [
        (10, 4, ValueError, "d_model=10 must be a multiple of num_heads=4; for example d_model=8"),
        (0, 1, ValueError, "d_model=0 must be"),
        (4, 0, ValueError, "num_heads=0"),
        (-4, 2, ValueError, "d_model=-4"),
        (4.0, 2, TypeError, r"d_model must be a whole number, got 4\.0; write int\(d_model\)"),
        (4, True, TypeError, "num_heads must be a whole number, got True"),
    ],
)
def test_sizes_that_can_not_be_are_refused(d_model, heads, error, sentence):
    with pytest.raises(error, match=sentence):
        MultiHeadAttention(d_model, heads)


def zeros(*shape):
    return torch.zeros(shape, dtype=torch.float64)


@pytest.mark.parametrize(
    ("query", "key", "value", "error", "sentence"),
    [
        (zeros(2, 7, 16), None, None, ValueError, r"query must have shape \(batch, length, 24\) or \(length, 24\), got \(2, 7, 16\)"),
        (zeros(24), None, None, ValueError, r"query must have shape .*got \(24,\)"),
        (zeros(1, 2, 7, 24), None, None, ValueError, r"query must have shape"),
        (zeros(2, 7, 24), zeros(2, 5, 24), zeros(2, 6, 24), ValueError, r"key \(2, 5, 24\) and value \(2, 6, 24\) must have the same length"),
        (zeros(1, 7, 24), zeros(4, 5, 24), None, ValueError, "must have the same batch axes"),
        (zeros(7, 24), zeros(1, 5, 24), None, ValueError, "must have the same batch axes"),
        (zeros(2, 7, 24).float(), None, None, TypeError, r"query is torch\.float32, the module's weights are torch\.float64; write query\.to\(torch\.float64\)"),
        (zeros(2, 7, 24), zeros(2, 5, 24).to("meta"), None, ValueError, "key is on meta, the module on cpu"),
        ([[0.0] * 24], None, None, TypeError, "query must be a tensor, got list"),
    ],
)  # fmt: skip
def test_inputs_that_do_not_go_together_are_refused(query, key, value, error, sentence):  # A19, A35
    with pytest.raises(error, match=sentence):
        module()(query, key, value)


@pytest.mark.parametrize("return_weights", [False, True])
@pytest.mark.parametrize(
    "shape", [(BATCH, KEYS), (BATCH, QUERIES, KEYS), (KEYS,), (3, 1, QUERIES, KEYS), (BATCH, 1, QUERIES, 1)]
)
def test_masks_that_would_be_misread_are_refused_with_and_without_weights(shape, return_weights):  # A02, A04, A05
    query, key = inputs()
    with pytest.raises(ValueError, match="does not fit scores"):
        module()(query, key, mask=torch.ones(shape, dtype=torch.bool), return_weights=return_weights)


def test_every_mask_shape_of_the_contract_gives_the_same_as_its_full_form():  # A34
    query, key = inputs()
    shapes = [(QUERIES, KEYS), (1, KEYS), (BATCH, 1, 1, KEYS), (BATCH, 1, QUERIES, KEYS), (BATCH, HEADS, QUERIES, KEYS)]
    for shape, return_weights in itertools.product(shapes, (False, True)):
        mask = random_mask(7, *shape)
        full = mask.expand(BATCH, HEADS, QUERIES, KEYS)
        for given_mask in (mask, mask.long()):
            result, expected = (module()(query, key, mask=m, return_weights=return_weights) for m in (given_mask, full))
            torch.testing.assert_close(result, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("options", [{"kdim": 8}, {"vdim": 8}, {"add_bias_kv": True}, {"add_zero_attn": True}])
def test_from_torch_refuses_what_the_module_has_not(options):
    with pytest.raises(ValueError, match="build it from embed_dim and num_heads alone"):
        MultiHeadAttention.from_torch(nn.MultiheadAttention(4, 2, **options))


def test_from_torch_copies_and_does_not_share():
    theirs = nn.MultiheadAttention(4, 2).eval()
    ours = MultiHeadAttention.from_torch(theirs)
    before = ours.query_linear.weight.clone()
    with torch.no_grad():
        theirs.in_proj_weight.zero_()
    assert torch.equal(ours.query_linear.weight, before)
    assert not ours.training
    with pytest.raises(TypeError, match="got Linear"):
        MultiHeadAttention.from_torch(nn.Linear(2, 2))
