"""The one sentence of the book and the matrices of chapters 03 to 12."""

from dataclasses import dataclass

import torch
from torch import Tensor

from .embeddings import look_up
from .text import Vocabulary, tokenize

SENTENCE = "Orange is my favorite fruit"
OTHER_SENTENCE = "Orange is my favorite color"
ORANGE_ROW = (0.21, 0.03, 0.05, 0.31, 0.40)


@dataclass(frozen=True)
class RunningExample:
    """Sentence, numbers and matrices; d_model = d_k = d_v = 16, float64."""

    sentence: str
    tokens: list[str]
    vocabulary: Vocabulary
    token_ids: Tensor  # (5,)
    embedding_matrix: Tensor  # (8, 16)
    embeddings: Tensor  # (5, 16)
    W_Q: Tensor  # (16, 16)
    W_K: Tensor  # (16, 16)
    W_V: Tensor  # (16, 16)
    W_O: Tensor  # (16, 16)


def running_example() -> RunningExample:
    """Build the example, the same in every chapter: drawn at random, but for one change in W_Q.

    With W_Q as it is drawn, the row of *Orange* would be any row; it is changed so that this row becomes
    .21 .03 .05 .31 .40. Chapter 06 shows how, and chapter 13 how training finds such a matrix.
    """
    vocabulary = Vocabulary.from_texts([SENTENCE, OTHER_SENTENCE])
    token_ids = vocabulary.encode(SENTENCE)
    d_model = 16
    generator = torch.Generator().manual_seed(136)

    def draw(rows: int) -> Tensor:
        return torch.randn(rows, d_model, generator=generator, dtype=torch.float64)

    embedding_matrix = draw(len(vocabulary))
    W_Q, W_K, W_V = (draw(d_model) / d_model**0.5 for _ in range(3))
    embeddings = look_up(embedding_matrix, token_ids)
    row = torch.tensor(ORANGE_ROW, dtype=torch.float64)
    query = smallest_query_for(row, embeddings @ W_K)
    W_Q = smallest_change_for(W_Q, embeddings[0], query)
    generator.manual_seed(137)
    W_O = draw(d_model) / d_model**0.5
    return RunningExample(
        SENTENCE, tokenize(SENTENCE), vocabulary, token_ids, embedding_matrix, embeddings, W_Q, W_K, W_V, W_O
    )


def smallest_query_for(weights: Tensor, keys: Tensor) -> Tensor:
    """Solve softmax(K q / √d_k) = weights for the shortest q.

    Softmax forgets a constant c that is added to all scores, so K q / √d_k = log(weights) + c has c as one more
    unknown; `lstsq` gives the shortest solution for any right-hand side, and c is chosen to make q shortest.

    Args:
        weights: shape (key,), all positive, sum 1.
        keys: shape (key, d_k), linearly independent rows.
    Returns:
        shape (d_k,).
    """
    scaled_keys = keys / keys.shape[-1] ** 0.5
    right_hand_sides = torch.stack([weights.log(), torch.ones_like(weights)], dim=1)
    for_log_weights, for_one = torch.linalg.lstsq(scaled_keys, right_hand_sides, driver="gelsd").solution.T
    c = -(for_log_weights @ for_one) / (for_one @ for_one)
    return for_log_weights + c * for_one


def smallest_change_for(matrix: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Change `matrix` as little as possible so that x @ matrix = y; what is at right angles to x stays.

    Args:
        matrix: shape (d_in, d_out). x: shape (d_in,). y: shape (d_out,).
    """
    return matrix + torch.outer(x, y - x @ matrix) / (x @ x)
