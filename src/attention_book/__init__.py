"""The teaching package of the multi-head attention book.

The chapters import it; every file is meant to be opened and read next to the chapter that explains it.
"""

from .attention import scaled_dot_product_attention
from .embeddings import look_up
from .exercises import check
from .language import message, use_language
from .masks import causal_mask, padding_mask
from .multi_head import MultiHeadAttention
from .plots import plot_bars, plot_heads, plot_matrix, plot_vectors, plot_weights, use_book_style
from .projections import join_projections, split_projection
from .running_example import running_example
from .text import Vocabulary, tokenize

__version__ = "1.0.0"

__all__ = [
    "MultiHeadAttention",
    "Vocabulary",
    "causal_mask",
    "check",
    "join_projections",
    "look_up",
    "message",
    "padding_mask",
    "plot_bars",
    "plot_heads",
    "plot_matrix",
    "plot_vectors",
    "plot_weights",
    "running_example",
    "scaled_dot_product_attention",
    "split_projection",
    "tokenize",
    "use_book_style",
    "use_language",
]
