"""Exercises of the chapter `query_key_value`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
