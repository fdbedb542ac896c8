"""Explorers: numbers that can be moved and that explain themselves, in a notebook and on the page."""

from .attention_row import AttentionRowExplorer
from .context import ContextExplorer
from .explorer import Explorer, InvalidState
from .softmax import SoftmaxExplorer

__all__ = [
    "AttentionRowExplorer",
    "ContextExplorer",
    "Explorer",
    "InvalidState",
    "SoftmaxExplorer",
]
