"""Exercises of the chapter `context_vectors`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
