"""In the explorers of heads and of the fused projection, too, every number comes from token ids in the end."""

import pytest
from explorer_page import page_of

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
    numbers = page.evaluate(
        """() => {
            const { graph } = document.querySelector("[data-explorer]").explorer;
            return Object.fromEntries([...graph.matrices].flatMap(([name, { values }]) =>
                values.flatMap((row, i) => row.map((_, j) => {
                    const { operands, also, value } = graph.explain(`${name}/${i}/${j}`);
                    return [`${name}/${i}/${j}`, { operands, also, value }];
                }))));
        }"""
    )
    assert len(numbers) >= 973  # all matrices of the smallest graph
    ends: dict[str, bool] = {}

    def ends_well(ref: str) -> bool:
        if ref not in ends:
            ends[ref] = False  # a chain that comes back to itself never ends
            operands = numbers[ref]["operands"]
            ends[ref] = all(map(ends_well, operands)) if operands else ref.split("/")[0] in ("token_ids", "vocabulary")
        return ends[ref]

    assert [ref for ref in numbers if not ends_well(ref)] == []
    # What is said to be the same number in another place has the same value, and says so too.
    same = [(ref, other) for ref, number in numbers.items() for other in number["also"]]
    assert same
    for ref, other in same:
        assert numbers[other]["value"] == pytest.approx(numbers[ref]["value"], abs=1e-12)
        assert ref in numbers[other]["also"] + numbers[other]["operands"]
