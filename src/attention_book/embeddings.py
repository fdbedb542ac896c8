"""From token ids to vectors (chapter 03)."""

from torch import Tensor

from .text import check_token_ids


def look_up(embedding_matrix: Tensor, token_ids: Tensor) -> Tensor:
    """Take row i of the embedding matrix for each token id i; the same as one-hot(token_ids) · embedding_matrix.

    Args:
        embedding_matrix: shape (vocabulary, d_model).
        token_ids: whole numbers, any shape.
    Returns:
        The embeddings, shape (*token_ids.shape, d_model).
    Raises:
        TypeError, IndexError: see `check_token_ids`.
    """
    if embedding_matrix.dim() != 2:
        raise ValueError(
            f"embedding_matrix must have shape (vocabulary, d_model), got {tuple(embedding_matrix.shape)}; "
            "one row per token"
        )
    check_token_ids(token_ids, len(embedding_matrix))
    return embedding_matrix[token_ids]
