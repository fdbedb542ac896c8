"""Explorers: numbers that can be moved and that explain themselves, in a notebook and on the page."""

from .explorer import Explorer, InvalidState
from .look_up import LookUpExplorer
from .softmax import SoftmaxExplorer
from .token_ids import TokenIdsExplorer
from .walk_through import WalkThrough

__all__ = ["Explorer", "InvalidState", "LookUpExplorer", "SoftmaxExplorer", "TokenIdsExplorer", "WalkThrough"]
