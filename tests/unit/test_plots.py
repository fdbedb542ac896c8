"""Figures: rows are queries, columns are keys, every token labelled and inside the picture."""

import warnings

import matplotlib.pyplot as plt
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb

from attention_book import plot_bars, plot_heads, plot_matrix, plot_vectors, plot_weights, use_language
from attention_book.language import languages
from attention_book.plots import COLORS, WEIGHTS_MAP


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def draw(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas


def weights(queries, keys, heads=None):
    shape = (queries, keys) if heads is None else (heads, queries, keys)
    return torch.rand(shape, generator=torch.Generator().manual_seed(0)).softmax(-1)


def test_rows_are_queries_from_top_to_bottom_and_columns_are_keys():  # C01, C07
    w = weights(2, 3)
    ax = plot_weights(w, ["eu", "durmo"], ["yo", "duermo", "."])
    assert labels(ax.yaxis) == ["eu", "durmo"]
    assert labels(ax.xaxis) == ["yo", "duermo", "."]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("query", "key")
    torch.testing.assert_close(torch.tensor(ax.images[0].get_array().data).float(), w)
    assert (ax.get_ylim(), ax.get_xlim()) == ((1.5, -0.5), (-0.5, 2.5))


@pytest.mark.parametrize("shape", [(3, 2), (2, 2), (3, 3)])
def test_weights_that_do_not_fit_the_tokens_are_refused(shape):  # C02
    with pytest.raises(ValueError, match=r"do not fit 2 row labels and 3 column labels"):
        plot_weights(torch.zeros(shape), ["a", "b"], ["c", "d", "e"])


@pytest.mark.parametrize("shape", [(1, 4, 2, 2), (4, 2, 2), (2,)])
def test_weights_with_other_axes_ask_for_a_sentence_and_a_head(shape):  # C10
    with pytest.raises(ValueError, match=r"weights\[0, 0\]"):
        plot_weights(torch.zeros(shape), ["a", "b"])
    if len(shape) != 3:
        with pytest.raises(ValueError, match=r"shape \(heads, query, key\)"):
            plot_heads(torch.zeros(shape), ["a", "b"])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_half_precision_and_gradients_can_be_drawn_without_a_warning(dtype):  # C10
    w = weights(2, 2).to(dtype).requires_grad_()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(plot_weights(w, ["a", "a"]).figure)
        draw(plot_matrix(w, "value").figure)


@pytest.mark.parametrize("length", [1, 30, 40])
def test_every_token_is_labelled_up_to_forty(length):  # C04
    ax = plot_weights(weights(length, length), [f"token{i}" for i in range(length)])
    assert len(labels(ax.xaxis)) == len(labels(ax.yaxis)) == length
    assert "labeled" not in ax.get_xlabel()


def test_long_texts_are_thinned_and_say_so():  # C04
    ax = plot_weights(weights(100, 100), [f"token{i}" for i in range(100)])
    assert labels(ax.yaxis)[:2] == ["token0", "token3"]
    assert ax.get_xlabel() == "key (one token in 3 is labeled)"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("word", ["extraordinariamente", "anticonstitucionalissimamente"])
def test_no_label_is_cut_off(language, word):  # C05
    use_language(language)
    figures = [
        plot_weights(weights(4, 4), [word] * 4).figure,
        plot_heads(weights(4, 4, heads=3), [word] * 4)[0].figure,
        plot_matrix(weights(4, 4), "scores", [word] * 4, [word] * 4).figure,
        plot_bars(weights(4, 4)[0], [word] * 4, "weights").figure,
    ]
    for figure in figures:
        canvas = draw(figure)
        renderer, (width, height) = canvas.get_renderer(), canvas.get_width_height()
        for ax in figure.axes:
            for text in [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label, ax.title]:
                box = text.get_window_extent(renderer)
                inside = box.x0 > -1 and box.y0 > -1 and box.x1 < width + 1 and box.y1 < height + 1
                is_words = any(sign.isalpha() for sign in text.get_text())
                assert inside or not is_words, text.get_text()


def test_tokens_are_text_and_never_mathematics():
    tokens = ["$x^2$", "$", r"\frac", "a_b"]
    for ax in (
        plot_weights(weights(4, 4), tokens),
        plot_bars(weights(4, 4)[0], tokens, "weights"),
        plot_vectors({"$x^2$": (torch.tensor([1.0, 2.0]), "query"), "$": (torch.tensor([1.0, -1.0]), "key")}),
    ):
        draw(ax.figure)
        assert all(not text.get_parse_math() for text in [*ax.get_xticklabels(), *ax.texts] if "$" in text.get_text())
    assert labels(plot_weights(weights(4, 4), tokens).xaxis) == tokens


@given(st.lists(st.text(max_size=4), min_size=1, max_size=3))
@settings(max_examples=10)
def test_any_token_can_be_drawn_without_a_warning(tokens):  # C08
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(plot_weights(weights(len(tokens), len(tokens)), tokens).figure)


def test_a_sign_without_a_picture_shows_its_code_point():  # C08
    assert labels(plot_weights(weights(1, 1), ["🎉"]).xaxis) == ["U+1F389"]
    assert labels(plot_weights(weights(1, 1), ["ação"]).xaxis) == ["ação"]


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 5, 8, 12])
def test_each_head_has_a_panel_of_its_own(heads):  # C16, C17
    axes = plot_heads(weights(3, 5, heads), list("abc"), list("vwxyz"))
    assert [ax.get_title() for ax in axes] == [f"head {head}" for head in range(heads)]
    assert len(axes[0].figure.axes) == heads + 1


def test_all_heads_share_one_scale_and_one_color_bar():  # C11
    axes = plot_heads(weights(3, 3, heads=2), list("abc"))
    assert {ax.images[0].get_clim() for ax in axes} == {(0, 1)}
    assert plot_weights(weights(3, 3), list("abc")).images[0].get_clim() == (0, 1)


@pytest.mark.parametrize("columns", [3, 12])
def test_weights_have_the_same_colors_in_every_figure(columns):  # C11
    image = plot_matrix(weights(2, columns) / 5, "weights").images[0]
    assert (image.get_clim(), image.get_cmap()) == ((0, 1), WEIGHTS_MAP)
    assert plot_matrix(weights(2, columns), "scores").images[0].get_clim() != (0, 1)


def test_negative_numbers_have_a_minus_sign():
    numbers = torch.tensor([[-1.25, 0.5]])
    printed = [plot_matrix(numbers, "scores").texts, plot_bars(numbers[0], ["a", "b"], "scores").texts]
    assert [[text.get_text() for text in texts] for texts in printed] == [["−1.25", "0.50"]] * 2


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_color_map_gets_darker_all_the_way_toward_the_color_of_the_weights():  # C13
    steps = [luminance(WEIGHTS_MAP(i / 20)) for i in range(21)]
    assert steps == sorted(steps, reverse=True)
    assert to_hex(WEIGHTS_MAP(1.0)) == COLORS["weights"]


def test_colors_of_the_quantities_can_be_read_on_white_and_told_apart():
    assert len(set(COLORS.values())) == len(COLORS)
    for quantity, color in COLORS.items():
        assert 1.05 / (luminance(color) + 0.05) >= 4.5, quantity


def test_numbers_printed_on_weights_can_be_read():
    table = torch.linspace(0, 1, 64).reshape(8, 8)
    for ax in (plot_weights(table, list("abcdefgh")), plot_matrix(table, "weights")):
        for text, weight in zip(ax.texts, table.flatten().tolist(), strict=True):
            light, dark = sorted((luminance(text.get_color()), luminance(WEIGHTS_MAP(weight))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, weight


def test_a_weight_that_is_not_a_number_is_printed_in_black_on_white():
    ax = plot_weights(torch.full((1, 1), torch.nan), ["a"])
    assert [(text.get_text(), text.get_color()) for text in ax.texts] == [("nan", "black")]


def test_nothing_stays_open_and_a_given_axes_is_used():
    figure, ax = plt.subplots()
    open_before = plt.get_fignums()
    assert plot_weights(weights(2, 2), ["a", "b"], ax=ax) is ax
    for _ in range(3):
        plot_weights(weights(2, 2), ["a", "b"])
        plot_bars(weights(2, 2)[0], ["a", "b"], "weights")
    assert plt.get_fignums() == open_before
    plt.close(figure)


def test_the_weights_are_not_changed_by_drawing_them():
    w = weights(2, 2)
    before = w.clone()
    plot_weights(w, ["a", "b"])
    assert torch.equal(w, before)


def test_labels_follow_the_language():
    seen = set()
    for language in languages():
        use_language(language)
        seen.add(
            plot_weights(weights(2, 2), ["a", "b"]).get_xlabel()
            + plot_heads(weights(2, 2, 1), ["a", "b"])[0].get_title()
        )
    assert len(seen) == len(languages())


def test_bars_refuse_values_that_do_not_fit():
    with pytest.raises(ValueError, match="one value per token"):
        plot_bars(torch.zeros(3), ["a", "b"], "weights")
