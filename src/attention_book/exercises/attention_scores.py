"""Exercises of the chapter `attention_scores`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
