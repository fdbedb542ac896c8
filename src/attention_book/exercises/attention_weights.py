"""Exercises of the chapter `attention_weights`."""

from .exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
