"""In the explorers of heads and of the fused projection, too, every number comes from token ids in the end."""

import pytest
from explorer_page import explained_numbers, page_of, without_origin

from attention_book.explorers import FusedProjectionExplorer, HeadsExplorer

pytestmark = pytest.mark.slow

EXPLORERS = [
    HeadsExplorer,
    lambda: HeadsExplorer(matrix="context", num_heads=8, transpose_split=False, transpose_join=False),
    FusedProjectionExplorer,
    lambda: FusedProjectionExplorer(linear=True, num_heads=2),
]


@pytest.mark.parametrize("make", EXPLORERS, ids=["heads", "heads by view", "fused", "linear"])
def test_every_chain_of_operands_ends_at_a_token_id(make, open_page):
    page = open_page(page_of(make().to_html()))
    numbers = explained_numbers(page)
    assert len(numbers) >= 973  # all matrices of the smallest graph
    assert without_origin(numbers) == []
    # What is said to be the same number in another place has the same value, and says so too.
    same = [(ref, other) for ref, number in numbers.items() for other in number["also"]]
    assert same
    for ref, other in same:
        assert numbers[other]["value"] == pytest.approx(numbers[ref]["value"], abs=1e-12)
        assert ref in numbers[other]["also"] + numbers[other]["operands"]
