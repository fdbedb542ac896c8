"""Settings for the unit tests: the same examples in every run, small models on one thread."""

import pytest
import torch
from hypothesis import settings

from attention_book import use_language

settings.register_profile("book", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("book")
torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def english():
    """The language is a setting of the process: each test starts and ends in English."""
    use_language("en")
    yield
    use_language("en")
