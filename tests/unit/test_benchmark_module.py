"""Our module needs no more memory than PyTorch's layer; its time is the benchmark's, since it varies with the machine."""

import pytest
import torch
from torch import nn

from attention_book import MultiHeadAttention
from benchmark_module import forward, forward_and_backward, ours, peak_bytes, theirs


@pytest.mark.parametrize("with_weights", [False, True])
@pytest.mark.parametrize("run", [forward, forward_and_backward])
def test_module_needs_no_more_memory_than_torch(run, with_weights):
    their_module = nn.MultiheadAttention(64, 4, batch_first=True)
    our_module = MultiHeadAttention.from_torch(their_module)
    x = torch.randn(2, 256, 64)
    for call, module in ((ours, our_module), (theirs, their_module)):
        run(call, module, x, with_weights)  # what is made once, at the first call, is not counted
    our_peak = peak_bytes(run, ours, our_module, x, with_weights)
    assert our_peak <= 1.01 * peak_bytes(run, theirs, their_module, x, with_weights)


def test_peak_counts_what_is_freed_before_the_end():
    def run():
        large = torch.ones(3 * 2**18)
        small = large[:1] + 1
        del large
        return small

    assert peak_bytes(run) // 2**20 == 3
