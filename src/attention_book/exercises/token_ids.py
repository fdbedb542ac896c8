"""Exercises of the chapter `token_ids`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
