import pytest
import torch
import torch.nn.functional as F

from attention_book import look_up


def test_look_up_equals_one_hot_times_matrix():
    matrix = torch.randn(8, 3, dtype=torch.float64)
    ids = torch.tensor([[2, 7], [2, 0]])
    assert torch.equal(look_up(matrix, ids), F.one_hot(ids, 8).double() @ matrix)


def test_only_the_rows_looked_up_have_a_gradient():
    matrix = torch.randn(5, 2, requires_grad=True)
    look_up(matrix, torch.tensor([1, 3, 1])).sum().backward()
    assert matrix.grad.tolist() == [[0, 0], [2, 2], [0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("ids", "error", "sentence"),
    [
        (torch.tensor([8]), IndexError, r"token id 8 is outside 0\.\.7"),
        (torch.tensor([0, -1]), IndexError, r"token id -1 is outside 0\.\.7"),
        (torch.Tensor([1]), TypeError, "must be torch.long, got torch.float32"),
        ([1], TypeError, "must be a tensor, got list"),
    ],
)
def test_look_up_refuses_ids_without_a_row(ids, error, sentence):
    with pytest.raises(error, match=sentence):
        look_up(torch.zeros(8, 2), ids)


def test_look_up_refuses_a_table_that_is_no_matrix():
    with pytest.raises(ValueError, match=r"shape \(vocabulary, d_model\), got \(8,\)"):
        look_up(torch.zeros(8), torch.tensor([1]))


def test_no_ids_give_no_rows():
    assert look_up(torch.zeros(8, 2), torch.zeros(0, dtype=torch.long)).shape == (0, 2)
