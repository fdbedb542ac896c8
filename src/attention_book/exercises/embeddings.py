"""Exercises of the chapter `embeddings`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
