"""Checks for the exercises: each knows the right answer and what the well-known mistakes give.

An exercise is named "chapter.exercise"; the chapter's file here holds it, and `messages/<language>/<chapter>.toml`
holds a sentence for each of its mistakes, in the table of the exercise's name.
"""

from IPython import get_ipython
from IPython.display import display

from ..language import message
from . import (
    attention_scores,
    attention_weights,
    concatenate_and_project,
    context_vectors,
    embeddings,
    learning_to_attend,
    many_heads,
    masks,
    one_projection_or_many,
    query_key_value,
    real_heads,
    the_cost_of_attention,
    the_module,
    the_transformer_block,
    token_ids,
    translation,
    why_attention,
)
from .exercise import Exercise

CHAPTERS = {
    "why_attention": why_attention.EXERCISES,
    "token_ids": token_ids.EXERCISES,
    "embeddings": embeddings.EXERCISES,
    "query_key_value": query_key_value.EXERCISES,
    "attention_scores": attention_scores.EXERCISES,
    "attention_weights": attention_weights.EXERCISES,
    "context_vectors": context_vectors.EXERCISES,
    "masks": masks.EXERCISES,
    "many_heads": many_heads.EXERCISES,
    "concatenate_and_project": concatenate_and_project.EXERCISES,
    "one_projection_or_many": one_projection_or_many.EXERCISES,
    "the_module": the_module.EXERCISES,
    "the_transformer_block": the_transformer_block.EXERCISES,
    "learning_to_attend": learning_to_attend.EXERCISES,
    "real_heads": real_heads.EXERCISES,
    "the_cost_of_attention": the_cost_of_attention.EXERCISES,
    "translation": translation.EXERCISES,
}


def find_exercise(name: str) -> Exercise:
    """The exercise called "chapter.exercise"."""
    chapter, _, exercise = name.partition(".")
    return CHAPTERS[chapter][exercise]


def check(name: str, answer: object) -> None:
    """Say whether `answer` is right for the exercise `name`, or which mistake it looks like.

    In a notebook the sentence is shown as text that fits the page, elsewhere it is printed.

    Args:
        name: "chapter.exercise", for example "attention_scores.all-scores".
        answer: a value or a function, as the exercise asks; `...` means not answered yet.
    """
    verdict, details = find_exercise(name).diagnose(answer)
    is_mistake = verdict in find_exercise(name).mistakes
    sentence = message(f"{name}.{verdict}" if is_mistake else f"exercises.{verdict}", **details)
    if get_ipython() is None:
        print(sentence)
    else:
        display({"text/plain": sentence, "text/markdown": sentence}, raw=True)
