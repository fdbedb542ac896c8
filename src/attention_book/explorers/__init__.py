"""Explorers: numbers that can be moved and that explain themselves, in a notebook and on the page."""

from .explorer import Explorer, InvalidState
from .softmax import SoftmaxExplorer
from .walk_through import WalkThrough

__all__ = ["Explorer", "InvalidState", "SoftmaxExplorer", "WalkThrough"]
