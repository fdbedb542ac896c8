"""Explorers: numbers that can be moved and that explain themselves, in a notebook and on the page."""

from .attention_row import AttentionRowExplorer
from .context import ContextExplorer
from .cost import CostExplorer
from .dot_product import DotProductExplorer
from .explorer import Explorer, InvalidState
from .fused_projection import FusedProjectionExplorer
from .heads import HeadsExplorer
from .look_up import LookUpExplorer
from .mask import MaskExplorer
from .real_heads import RealHeadsExplorer
from .softmax import SoftmaxExplorer
from .token_ids import TokenIdsExplorer
from .training import TrainingReplay
from .walk_through import WalkThrough

__all__ = [
    "AttentionRowExplorer",
    "ContextExplorer",
    "CostExplorer",
    "DotProductExplorer",
    "Explorer",
    "FusedProjectionExplorer",
    "HeadsExplorer",
    "InvalidState",
    "LookUpExplorer",
    "MaskExplorer",
    "RealHeadsExplorer",
    "SoftmaxExplorer",
    "TokenIdsExplorer",
    "TrainingReplay",
    "WalkThrough",
]
