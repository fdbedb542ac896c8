"""What a check compares an answer with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch


@dataclass(frozen=True)
class Exercise:
    """The right answer and the known wrong ones, each computed from the same inputs.

    Args:
        right: computes the answer: a tensor, or anything that == compares (a number, a string, a list).
        mistakes: name of the mistake → computes what it gives.
        inputs: makes the arguments. Sizes that all differ and small values, so that no mistake can pass by chance.
        wants_function: the answer is a function, called with the inputs; otherwise it is the result itself.
        tolerance: how far a number may be off, since a reader types two or three decimals.
    """

    right: Callable
    mistakes: Mapping[str, Callable] = field(default_factory=dict)
    inputs: Callable[[], tuple] = tuple
    wants_function: bool = False
    tolerance: float = 1e-5

    def diagnose(self, answer: object) -> tuple[str, dict[str, object]]:
        """Name the verdict on an answer, with the details its message shows.

        Returns:
            "right", a key of `mistakes`, or "empty", "not_a_function", "raised", "wrong_type", "wrong_shape", "wrong".
        """
        if answer is None or answer is ...:
            return "empty", {}
        if self.wants_function:
            if not callable(answer):
                return "not_a_function", {"found": type(answer).__name__}
            try:
                # Each call gets inputs of its own: an answer that changes them in place spoils nothing.
                answer = answer(*self.inputs())
            except Exception as error:  # whatever the reader's code raises is part of the verdict
                return "raised", {"error": f"{type(error).__name__}: {error}"}
            if answer is None or answer is ...:
                return "empty", {}
        elif callable(answer):
            return "wrong_type", {"found": "function", "wanted": type(self.right(*self.inputs())).__name__}
        right = self.right(*self.inputs())
        if self._same(answer, right):
            return "right", {}
        for name, mistake in self.mistakes.items():
            if self._same(answer, mistake(*self.inputs())):
                return name, {}
        if not isinstance(right, torch.Tensor):
            return "wrong", {}
        if not isinstance(answer, torch.Tensor):
            return "wrong_type", {"found": type(answer).__name__, "wanted": "Tensor"}
        if answer.shape != right.shape:
            return "wrong_shape", {"found": tuple(answer.shape), "wanted": tuple(right.shape)}
        return "wrong", {}

    def _same(self, answer: object, other: object) -> bool:
        if isinstance(other, float) and isinstance(answer, torch.Tensor) and answer.numel() == 1:
            answer = answer.item()
        if isinstance(other, float) and isinstance(answer, int | float) and not isinstance(answer, bool):
            return abs(answer - other) <= self.tolerance
        if isinstance(other, torch.Tensor):
            if isinstance(answer, list | tuple | float | int):
                try:
                    answer = torch.tensor(answer, dtype=torch.float64)
                except (ValueError, TypeError, OverflowError):
                    return False
            if not isinstance(answer, torch.Tensor) or answer.shape != other.shape:
                return False
            # A wrong answer may hold NaN where its mistake does.
            return torch.allclose(
                answer.detach().double(), other.detach().double(), rtol=0.0, atol=self.tolerance, equal_nan=True
            )
        return type(answer) is type(other) and answer == other
