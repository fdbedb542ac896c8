import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_book import join_projections, split_projection


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 5))
def test_splitting_and_joining_are_inverses(num_heads, d_model, head_dim):
    weight = torch.randn(d_model, num_heads * head_dim, dtype=torch.float64)
    blocks = split_projection(weight, num_heads)
    assert blocks.shape == (num_heads, d_model, head_dim)
    assert torch.equal(join_projections(blocks), weight)
    assert torch.equal(join_projections(list(blocks)), weight)


@given(st.integers(1, 4), st.integers(1, 4))
def test_one_product_with_the_fused_matrix_equals_one_per_head(num_heads, head_dim):
    x, weight = torch.randint(-3, 4, (7, 5)), torch.randint(-3, 4, (5, num_heads * head_dim))
    fused = (x @ weight).reshape(7, num_heads, head_dim).transpose(0, 1)
    assert torch.equal(fused, torch.stack([x @ block for block in split_projection(weight, num_heads)]))


@pytest.mark.parametrize(("shape", "heads"), [((4, 6), 4), ((4, 6), 0), ((6,), 2), ((2, 4, 6), 2)])
def test_columns_that_can_not_be_shared_out_are_refused(shape, heads):
    with pytest.raises(ValueError, match="must be a multiple of num_heads"):
        split_projection(torch.zeros(shape), heads)


@pytest.mark.parametrize("weights", [[], [torch.zeros(4, 2), torch.zeros(4, 3)], torch.zeros(4, 2)])
def test_matrices_of_different_shapes_are_refused(weights):
    with pytest.raises(ValueError, match="one matrix per head"):
        join_projections(weights)
