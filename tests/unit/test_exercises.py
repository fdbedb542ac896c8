"""Every check takes the right answer and names each well-known mistake in each language."""

import pytest
import torch

from attention_book import check, message, use_language
from attention_book.exercises import CHAPTERS, find_exercise
from attention_book.exercises.exercise import Exercise
from attention_book.language import languages

NAMES = [f"{chapter}.{name}" for chapter, exercises in CHAPTERS.items() for name in exercises]
MISTAKES = [(name, mistake) for name in NAMES for mistake in find_exercise(name).mistakes]
VERDICTS = ["right", "empty", "not_a_function", "raised", "wrong_type", "wrong_shape", "wrong"]


def answer_of(exercise: Exercise, compute):
    return compute if exercise.wants_function else compute(*exercise.inputs())


@pytest.mark.parametrize("name", NAMES)
def test_the_right_answer_passes(name, capsys):
    exercise = find_exercise(name)
    assert exercise.diagnose(answer_of(exercise, exercise.right)) == ("right", {})
    check(name, answer_of(exercise, exercise.right))
    assert capsys.readouterr().out.strip() == message("exercises.right")


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_each_mistake_gets_its_own_message_in_each_language(name, mistake, capsys):
    exercise = find_exercise(name)
    answer = answer_of(exercise, exercise.mistakes[mistake])
    assert exercise.diagnose(answer)[0] == mistake
    for language in languages():
        use_language(language)
        check(name, answer)
        printed = capsys.readouterr().out.strip()
        others = {message(f"{name}.{other}") for other in exercise.mistakes if other != mistake}
        others |= {message(f"exercises.{verdict}", found="", wanted="", error="") for verdict in VERDICTS}
        assert printed == message(f"{name}.{mistake}")
        assert printed not in others


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_names_its_mistakes_and_no_two_coincide(name):
    exercise = find_exercise(name)
    assert exercise.mistakes, "a check that can only say right or wrong teaches nothing"
    assert not set(exercise.mistakes) & set(VERDICTS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", [None, ...])
def test_an_exercise_not_begun_is_not_wrong(name, answer):
    assert find_exercise(name).diagnose(answer)[0] == "empty"
    if find_exercise(name).wants_function:
        assert find_exercise(name).diagnose(lambda *_: answer)[0] == "empty"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "answer",
    ["?", object(), [], [float("nan")] * 5, [10**400], ["a", 1], float("nan"), torch.tensor([]), True, {}, 10**30],
)
def test_any_answer_gets_a_sentence(name, answer, capsys):
    check(name, answer)
    assert capsys.readouterr().out.strip()
    assert find_exercise(name).diagnose(answer)[0] != "right"


def test_a_function_that_stops_is_told_why(capsys):
    def broken(*_):
        raise RuntimeError("no such axis")

    check("masks.causal-mask", broken)
    assert capsys.readouterr().out.strip() == "Your function stopped with `RuntimeError: no such axis`"


def test_the_mistakes_named_in_the_plan_of_the_book_are_all_known():
    known = {mistake for _, mistake in MISTAKES}
    assert {
        "softmax_over_queries",
        "no_scale",
        "sqrt_d_model",
        "scores_not_weights",
        "key_as_value",
        "transposed",
        "view_without_transpose",
        "mask_after_softmax",
        "hides_itself",
    } <= known
