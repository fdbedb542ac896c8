"""In Python: traits that follow each other, and clear sentences for what cannot be shown."""

import anywidget
import ipywidgets
import pytest
import torch
import traitlets
from examples import EXAMPLES

from attention_book import use_language
from attention_book.explorers import InvalidState, SoftmaxExplorer
from attention_book.language import languages


def test_displayed_explorer_has_a_widget_and_a_table(explorer):
    data, _ = EXAMPLES[explorer].make()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<table><caption>" in data["text/html"]


def test_output_is_the_same_in_every_run(explorer):
    first, second = (EXAMPLES[explorer].make()._repr_mimebundle_()[0] for _ in range(2))
    for kind in ("text/plain", "text/html"):
        assert first[kind] == second[kind]


def test_explorer_without_a_view_displays_nothing(explorer, monkeypatch):
    example = EXAMPLES[explorer].make()
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda self, **kwargs: None)
    assert example._repr_mimebundle_() is None


def test_table_and_words_are_in_the_language_in_use(explorer):
    pages = set()
    for language in languages():
        use_language(language)
        pages.add(EXAMPLES[explorer].make().to_html())
    assert len(pages) == len(languages())


def test_random_states_are_taken(explorer):
    generator = torch.Generator().manual_seed(3)
    for _ in range(10):
        EXAMPLES[explorer].make().set_state(EXAMPLES[explorer].random_state(generator))


def test_unknown_trait_is_refused_with_those_that_exist(explorer):
    example = EXAMPLES[explorer].make()
    state = {name: getattr(example, name) for name in example.state}
    with pytest.raises(TypeError, match="has no colour; it has"):
        type(example)(**state, colour="red")


def test_weights_follow_the_scores():
    explorer = SoftmaxExplorer([0.0, 0.0])
    assert explorer.weights == [0.5, 0.5]
    explorer.scores = torch.tensor([1.0, 3.0])
    assert explorer.weights == pytest.approx(torch.tensor([1.0, 3.0], dtype=torch.float64).softmax(-1).tolist())


def test_temperature_follows_an_ordinary_slider():
    explorer, slider = SoftmaxExplorer([1.0, 2.0]), ipywidgets.FloatSlider(min=0.1, max=10)
    ipywidgets.link((slider, "value"), (explorer, "temperature"))
    slider.value = 4.0
    assert explorer.weights == pytest.approx(torch.tensor([0.25, 0.5], dtype=torch.float64).softmax(-1).tolist())
    explorer.temperature = 2.0
    assert slider.value == 2.0


def test_weights_can_be_linked():
    explorer, other = SoftmaxExplorer([1.0, 2.0]), SoftmaxExplorer([0.0, 0.0])
    traitlets.dlink((explorer, "weights"), (other, "scores"))
    assert other.scores == explorer.weights
    explorer.scores = [0.0, 5.0]
    assert other.scores == explorer.weights


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"scores": []}, r"scores must have shape \(key,\), got \(0,\)"),
        ({"scores": [[1.0, 2.0]]}, r"scores must have shape \(key,\), got \(1, 2\)"),
        ({"scores": [1.0, float("nan")]}, "scores must be finite"),
        ({"scores": [1.0, float("inf")]}, "scores must be finite"),
        ({"scores": "many"}, "scores must be numbers of shape"),
        ({"scores": [1.0, 2.0], "tokens": ["one"]}, "scores has 2 numbers, tokens 1; one score per token"),
        ({"scores": [1.0], "tokens": "one"}, "tokens must be a list of tokens"),
        ({"scores": [1.0], "temperature": 0.0}, "temperature must be positive, got 0.0"),
        ({"scores": [1.0], "temperature": float("nan")}, "temperature must be positive, got nan"),
        ({"scores": [1.0], "d_k": 0}, "d_k must be at least 1, got 0"),
    ],
)
def test_bad_state_gets_a_clear_sentence(state, sentence):
    with pytest.raises(InvalidState, match=sentence):
        SoftmaxExplorer(**state)


def test_refused_state_leaves_the_old_one():
    explorer = SoftmaxExplorer([1.0, 2.0])
    with pytest.raises(InvalidState, match="finite"):
        explorer.scores = [float("nan"), 1.0]
    assert explorer.scores == [1.0, 2.0]
