"""The famous row: built, not typed."""

import torch

from attention_book import running_example, scaled_dot_product_attention
from attention_book.running_example import ORANGE_ROW, smallest_change_for, smallest_query_for


def test_row_of_orange_emerges_to_1e6():
    example = running_example()
    X = example.embeddings
    _, weights = scaled_dot_product_attention(X @ example.W_Q, X @ example.W_K, X @ example.W_V)
    torch.testing.assert_close(weights[0], torch.tensor(ORANGE_ROW, dtype=torch.float64), rtol=0, atol=1e-6)


def test_the_construction_can_not_be_seen_in_the_size_of_the_matrices():
    example = running_example()
    deviations = {name: getattr(example, name).std().item() for name in ("W_Q", "W_K", "W_V")}
    assert all(0.22 < deviation < 0.28 for deviation in deviations.values()), deviations


def test_two_calls_give_the_same_numbers_and_leave_the_global_seed_alone():
    torch.manual_seed(0)
    expected = torch.randn(3)
    torch.manual_seed(0)
    one, other = running_example(), running_example()
    assert torch.equal(torch.randn(3), expected)
    assert torch.equal(one.W_Q, other.W_Q)
    assert torch.equal(one.embedding_matrix, other.embedding_matrix)


def test_the_solved_query_is_the_shortest_that_gives_the_weights():
    keys = torch.randn(4, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    wanted = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    query = smallest_query_for(wanted, keys)
    torch.testing.assert_close((keys @ query / 3).softmax(0), wanted, rtol=0, atol=1e-12)
    # At right angles to the differences of keys there is nothing to gain; what remains of q there must be 0.
    differences = keys[1:] - keys[:1]
    projected = differences.T @ torch.linalg.lstsq(differences.T, query, driver="gelsd").solution
    torch.testing.assert_close(projected, query, rtol=0, atol=1e-10)


def test_the_smallest_change_of_a_matrix_has_only_one_direction():
    matrix, x, y = torch.randn(4, 3).double(), torch.randn(4).double(), torch.randn(3).double()
    changed = smallest_change_for(matrix, x, y)
    torch.testing.assert_close(x @ changed, y)
    across = torch.randn(4).double()
    across -= (across @ x) / (x @ x) * x
    torch.testing.assert_close(across @ changed, across @ matrix)
