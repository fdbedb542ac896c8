"""Hypothesis strategies: random sizes and masks, all of them different from each other where that matters."""

import torch
from hypothesis import strategies as st

# float32 numbers are compared to 1e-6 of their size, float64 ones to 1e-12.
TOLERANCE = {torch.float32: 1e-6, torch.float64: 1e-12}


def random_tensor(seed: int, *shape: int, dtype=torch.float64) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def random_mask(seed: int, *shape: int) -> torch.Tensor:
    """Boolean, about two in three allowed, so that now and then a query may attend to nothing."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < 0.65


seeds = st.integers(0, 10_000)
dtypes = st.sampled_from([torch.float32, torch.float64])
