"""Attention pictures that people misread."""

import warnings

import numpy as np
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg

from attention_book import plot_heads, plot_weights


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


# https://github.com/google-research/bert/issues/994
def test_opposite_heads_are_drawn_side_by_side_and_never_averaged_to_gray():
    heads = torch.stack([torch.eye(3), torch.eye(3).roll(1, 0)])
    for head, ax in zip(heads, plot_heads(heads, list("abc")), strict=True):
        assert ax.images[0].get_array().tolist() == head.tolist()


# https://github.com/harvardnlp/annotated-transformer/issues/54
def test_a_title_can_say_which_attention_is_shown():
    ax = plot_weights(torch.full((2, 3), 1 / 3), ["eu", "durmo"], ["yo", "duermo", "."], title="cross-attention")
    assert ax.get_title() == "cross-attention"


# https://github.com/pytorch/pytorch/issues/44023
def test_numpy_arrays_are_drawn_as_the_tensors_they_came_from():
    weights = torch.tensor([[0.25, 0.75], [0.5, 0.5]])
    assert plot_weights(weights.numpy(), ["a", "b"]).images[0].get_array().tolist() == weights.tolist()
    assert len(plot_heads(weights.numpy()[None], ["a", "b"])) == 1
    with pytest.raises(ValueError, match=r"weights\[0, 0\]"):
        plot_weights(np.zeros((1, 1, 2, 2)), ["a", "b"])


# https://github.com/matplotlib/matplotlib/pull/9175
def test_accents_in_either_unicode_form_need_no_code_point_and_no_warning():
    words = ["café", "ação", "¿qué?", "ñandú", "cafe\u0301"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = plot_weights(torch.zeros(5, 5), words)
        FigureCanvasAgg(ax.figure).draw()
    assert labels(ax.xaxis) == words
