"""Time and memory of our MultiHeadAttention against torch.nn.MultiheadAttention: python tools/benchmark_module.py

Same weights, same inputs, same run, two threads, batch first. Forward is timed as for inference (eval, no gradients),
forward + backward as for training. The two are called in turn, the first one second in the next round (a call finds
the memory that the one before has left), and each round gives a ratio: what else the machine does at the time falls on
both. The table shows the median; below 1 is faster or smaller than PyTorch's layer.
For inference with weights, short sentences and a bias, PyTorch's layer is one operator written in C++, which adds the
bias, scales and splits the heads in a single pass over memory. A module written in Python makes several, whether it
projects with three products or with one, so that the first two of those rows stay near 1.1.
Memory is the peak of what PyTorch's allocator hands out above the inputs and weights: it does not vary.
"""

import statistics
import sys
import time

import torch
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile

from attention_book import MultiHeadAttention

SIZES = ((8, 64, 512, 8), (8, 256, 512, 8), (2, 1024, 512, 8), (1, 4096, 512, 8))  # (batch, length, d_model, heads)
LIMITS = {False: 1.05, True: 1.00}  # by whether the weights are returned
SECONDS, LEAST_ROUNDS, MOST_ROUNDS = 6.0, 5, 60


def ours(module: MultiHeadAttention, x: Tensor, with_weights: bool) -> Tensor:
    return module(x, return_weights=True)[0] if with_weights else module(x)


def theirs(module: nn.MultiheadAttention, x: Tensor, with_weights: bool) -> Tensor:
    return module(x, x, x, need_weights=with_weights, average_attn_weights=False)[0]


def forward(call, module: nn.Module, x: Tensor, with_weights: bool) -> Tensor:
    with torch.no_grad():
        return call(module.eval(), x, with_weights)


def forward_and_backward(call, module: nn.Module, x: Tensor, with_weights: bool) -> Tensor:
    module.train().zero_grad(set_to_none=True)
    x = x.detach().requires_grad_()
    output = call(module, x, with_weights)
    output.backward(torch.ones_like(output))
    return x.grad


def seconds(run, *arguments) -> float:
    start = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - start


def peak_bytes(run, *arguments) -> int:
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        run(*arguments)
    events = [event for event in recorded.profiler.kineto_results.events() if event.name() == "[memory]"]
    now = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        peak = max(peak, now)
    return peak


def compare(run, size: tuple[int, int, int, int], with_weights: bool) -> tuple[float, float, float, float, float]:
    """Median seconds of both, median of their ratio, peak MiB of both."""
    batch, length, d_model, num_heads = size
    torch.manual_seed(0)
    their_module = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
    our_module = MultiHeadAttention.from_torch(their_module)
    x = torch.randn(batch, length, d_model)
    our_arguments, their_arguments = (ours, our_module, x, with_weights), (theirs, their_module, x, with_weights)
    torch.testing.assert_close(run(*our_arguments), run(*their_arguments), rtol=1e-3, atol=1e-3)  # and a warm-up
    our_peak, their_peak = (peak_bytes(run, *arguments) / 2**20 for arguments in (our_arguments, their_arguments))
    times = []
    end = time.perf_counter() + SECONDS
    while len(times) < LEAST_ROUNDS or (time.perf_counter() < end and len(times) < MOST_ROUNDS):
        if len(times) % 2:
            their_time, our_time = seconds(run, *their_arguments), seconds(run, *our_arguments)
        else:
            our_time, their_time = seconds(run, *our_arguments), seconds(run, *their_arguments)
        times.append((our_time, their_time))
    our_time, their_time = (statistics.median(column) for column in zip(*times, strict=True))
    return our_time, their_time, statistics.median(a / b for a, b in times), our_peak, their_peak


def main() -> int:
    torch.set_num_threads(2)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads; ours / PyTorch's, and the ratio")
    print(
        f"{'(batch, length, d_model, heads)':32}{'weights':9}{'pass':20}{'ms':>17}{'ratio':>7}{'MiB':>17}{'ratio':>7}"
    )
    too_much = []
    for with_weights in (False, True):
        for size in SIZES:
            for name, run in (("forward", forward), ("forward + backward", forward_and_backward)):
                our_time, their_time, ratio, our_peak, their_peak = compare(run, size, with_weights)
                row = f"{size!s:32}{'returned' if with_weights else 'no':9}{name:20}"
                times = f"{1000 * our_time:.1f} / {1000 * their_time:.1f}"
                memory = f"{our_peak:.1f} / {their_peak:.1f}"
                print(f"{row}{times:>17}{ratio:7.2f}{memory:>17}{our_peak / their_peak:7.2f}", flush=True)
                if max(ratio, our_peak / their_peak) > LIMITS[with_weights] + 0.005:
                    too_much.append(f"{size} {name}{' with weights' if with_weights else ''}")
    if too_much:
        print(f"Over the limit ({LIMITS[False]} without weights, {LIMITS[True]} with): " + "; ".join(too_much))
    return 1 if too_much else 0


if __name__ == "__main__":
    sys.exit(main())
