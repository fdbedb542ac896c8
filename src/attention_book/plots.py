"""Labelled figures: rows are queries, columns are keys, and each quantity keeps one color through the book.

Every function draws on `ax` if it is given; otherwise it makes a figure, shows it once in a notebook and returns
its Axes. Such a figure belongs to nobody else: nothing stays open, and `ax.figure.savefig(…)` writes it to a file.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import matplotlib
import numpy as np
from IPython import get_ipython
from IPython.display import display
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib_inline.backend_inline import set_matplotlib_formats
from torch import Tensor

from .language import message

# Dark enough for text on white, and told apart with any kind of color vision; the site's style sheet has the same.
COLORS = {
    "embeddings": "#7a5c00",
    "query": "#0b5fa5",
    "key": "#b34700",
    "value": "#00714f",
    "scores": "#6a3d9a",
    "weights": "#b3206f",
    "context": "#006d85",
}
# From white to the color of the weights: darker all the way, so that it also reads in print.
WEIGHTS_MAP = LinearSegmentedColormap.from_list("weights", ["white", COLORS["weights"]])
# White and black text have the same contrast on the color of this weight.
BLACK_UP_TO = 0.82
MOST_LABELS = 40
MOST_PRINTED = 8
INCHES_PER_LETTER = 0.11


def use_book_style() -> None:
    """Make the notebook's figures the same in every run, as SVG for the page and PNG for untrusted notebooks."""
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "attention-book",
            "svg.fonttype": "none",
            "figure.constrained_layout.use": True,
            "figure.facecolor": "white",
            "font.size": 11,
        }
    )
    if get_ipython() is not None:
        set_matplotlib_formats("svg", "png", metadata={"Date": None})


def plot_weights(
    weights: Tensor, queries: Sequence[str], keys: Sequence[str] | None = None, ax: Axes | None = None, title: str = ""
) -> Axes:
    """Heat map of one head's attention weights, color from 0 to 1.

    Args:
        weights: shape (query, key).
        queries: the query tokens, top to bottom.
        keys: the key tokens, left to right; None means the queries.
    Raises:
        ValueError: the shape does not fit the tokens.
    """
    keys = queries if keys is None else keys
    numbers = _checked_weights(weights, queries, keys)
    width, height = _size(queries, keys, cell=(0.48, 0.42))
    figure, ax = _axes(ax, width + 0.8, height)
    image = _draw_weights(ax, numbers, queries, keys, title)
    ax.figure.colorbar(image, ax=ax, label=message("plots.weight"), shrink=0.9)
    return _show(figure, ax)


def plot_heads(weights: Tensor, queries: Sequence[str], keys: Sequence[str] | None = None) -> list[Axes]:
    """Heat maps of all heads side by side, one color bar from 0 to 1 for all.

    Args:
        weights: shape (heads, query, key).
        queries: the query tokens. keys: the key tokens; None means the queries.
    Returns:
        One Axes per head.
    """
    keys = queries if keys is None else keys
    if weights.ndim != 3:
        raise ValueError(
            f"weights must have shape (heads, query, key), got {tuple(weights.shape)}; "
            "for one sentence of a batch write weights[0], for a single head use plot_weights"
        )
    columns = min(len(weights), 4)
    rows = -(-len(weights) // columns)
    width, height = _size(queries, keys, cell=(0.4, 0.36))
    figure = Figure(figsize=(1.1 + columns * width, rows * (height + 0.3)), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for head, (ax, head_weights) in enumerate(zip(grid, weights, strict=False)):
        numbers = _checked_weights(head_weights, queries, keys)
        image = _draw_weights(ax, numbers, queries, keys, message("plots.head", number=head))
    for ax in grid[len(weights) :]:
        ax.remove()
    axes = list(grid[: len(weights)])
    figure.colorbar(image, ax=axes, label=message("plots.weight"), shrink=0.9)
    _show(figure, axes[0])
    return axes


def plot_matrix(
    matrix: Tensor,
    quantity: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """A matrix in the color of its quantity, negative numbers in gray; numbers are printed up to 8 columns.

    Weights have the colors of `plot_weights`, from 0 to 1; each other matrix is as strong as its own largest number.

    Args:
        matrix: shape (rows, columns).
        quantity: "embeddings", "query", "key", "value", "scores", "weights" or "context".
        rows, columns: labels; None means 0, 1, 2, …, columns then being places in a vector.
        title: None means the name of the quantity.
    """
    numbers = _as_array(matrix)
    rows = [str(i) for i in range(numbers.shape[0])] if rows is None else rows
    place = message("plots.place") if columns is None else ""
    columns = [str(j) for j in range(numbers.shape[1])] if columns is None else columns
    _check_shape("matrix", numbers, rows, columns)
    with_numbers = numbers.shape[1] <= MOST_PRINTED
    width, height = _size(rows, columns, cell=(0.55 if with_numbers else 0.25, 0.4))
    figure, ax = _axes(ax, width, height)
    if quantity == "weights":
        _color_weights(ax, numbers)
    else:
        limit = float(np.abs(numbers).max(initial=0.0)) or 1.0
        signed = LinearSegmentedColormap.from_list(quantity, ["#8a8a8a", "white", COLORS[quantity]])
        # Printed numbers stay readable on the palest half of the colors.
        strongest = limit * (1.7 if with_numbers else 1.0)
        ax.imshow(numbers, cmap=signed, vmin=-strongest, vmax=strongest, aspect="auto")
    if with_numbers:
        _print_numbers(ax, numbers, white_from=BLACK_UP_TO if quantity == "weights" else np.inf)
    else:
        # Where there is no room for numbers, a dash tells negative cells apart in print and to any eye.
        for i, j in np.argwhere(numbers < 0):
            ax.text(j, i, "–", ha="center", va="center", fontsize=10)
    _label_tokens(ax, rows, columns)
    ax.set_xlabel(place)
    ax.set_title(message(f"plots.{quantity}") if title is None else title, color=COLORS[quantity])
    return _show(figure, ax)


def plot_bars(
    values: Tensor, tokens: Sequence[str], quantity: str, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """One row as bars, the number on top of each.

    Args:
        values: shape (tokens,).
        tokens: one label per bar.
        quantity: as for `plot_matrix`; it gives the color and the name of the axis.
    """
    numbers = _as_array(values)
    if numbers.shape != (len(tokens),):
        raise ValueError(f"values {numbers.shape} do not fit {len(tokens)} tokens; one value per token")
    width = max(0.9, INCHES_PER_LETTER * max(map(len, tokens), default=0))
    figure, ax = _axes(ax, 1.0 + width * len(tokens), 2.8)
    bars = ax.bar(range(len(tokens)), numbers, color=COLORS[quantity])
    ax.bar_label(bars, fmt=_written, padding=2)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.margins(y=0.15)
    ax.set_xticks(range(len(tokens)), labels=[_drawable(token) for token in tokens])
    _never_mathematics(ax.get_xticklabels())
    ax.set_ylabel(message(f"plots.{quantity}"))
    if title:
        ax.set_title(title)
    return _show(figure, ax)


def plot_vectors(vectors: Mapping[str, tuple[Tensor, str]], ax: Axes | None = None, title: str = "") -> Axes:
    """Arrows from the origin of a plane, for vectors with two numbers.

    Args:
        vectors: label → (vector of shape (2,), quantity that gives its color).
    """
    figure, ax = _axes(ax, 4.2, 3.8)
    reach = 0.0
    for label, (vector, quantity) in vectors.items():
        x, y = _as_array(vector)
        reach = max(reach, abs(x), abs(y))
        ax.annotate("", xy=(x, y), xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "lw": 2, "color": COLORS[quantity]})
        beside = {"xytext": (4, 4), "textcoords": "offset points"}
        _never_mathematics([ax.annotate(_drawable(label), xy=(x, y), color=COLORS[quantity], **beside)])
    ax.set(xlim=(-1.3 * reach, 1.3 * reach), ylim=(-1.3 * reach, 1.3 * reach), aspect="equal")
    ax.set(xlabel=message("plots.first_number"), ylabel=message("plots.second_number"), title=title)
    ax.axhline(0, color="gray", linewidth=0.8)
    ax.axvline(0, color="gray", linewidth=0.8)
    return _show(figure, ax)


def _size(rows: Sequence[str], columns: Sequence[str], cell: tuple[float, float]) -> tuple[float, float]:
    """Width and height in inches that leave room for the cells and for the longest labels."""

    def room(tokens: Sequence[str], cell_size: float) -> float:
        return 0.45 + cell_size * min(len(tokens), MOST_LABELS)

    def longest(tokens: Sequence[str]) -> float:
        return 0.45 + INCHES_PER_LETTER * max((len(_drawable(token)) for token in tokens), default=0)

    return room(columns, cell[0]) + longest(rows), room(rows, cell[1]) + longest(columns)


def _axes(ax: Axes | None, width: float, height: float) -> tuple[Figure | None, Axes]:
    if ax is not None:
        return None, ax
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _show(figure: Figure | None, ax: Axes) -> Axes:
    if figure is not None and get_ipython() is not None:
        display(figure)
    return ax


def _as_array(numbers: Tensor) -> np.ndarray:
    """Also from tensors that need a gradient, are in half precision or live on another device."""
    return numbers.detach().double().cpu().numpy() if isinstance(numbers, Tensor) else np.asarray(numbers, dtype=float)


def _checked_weights(weights: Tensor, queries: Sequence[str], keys: Sequence[str]) -> np.ndarray:
    if weights.ndim != 2:
        raise ValueError(
            f"weights must have shape (query, key), got {tuple(weights.shape)}; "
            "choose a sentence and a head, for example weights[0, 0], or use plot_heads(weights[0], …)"
        )
    numbers = _as_array(weights)
    _check_shape("weights", numbers, queries, keys)
    return numbers


def _check_shape(name: str, numbers: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> None:
    if numbers.shape != (len(rows), len(columns)):
        raise ValueError(
            f"{name} {numbers.shape} do not fit {len(rows)} row labels and {len(columns)} column labels; "
            "rows are queries, columns are keys"
        )


def _draw_weights(ax: Axes, numbers: np.ndarray, queries: Sequence[str], keys: Sequence[str], title: str):
    image = _color_weights(ax, numbers)
    if max(numbers.shape) <= MOST_PRINTED:
        _print_numbers(ax, numbers, white_from=BLACK_UP_TO)
    _label_tokens(ax, queries, keys)
    every = max(_every(queries), _every(keys))
    thinned = " " + message("plots.thinned", every=every) if every > 1 else ""
    ax.set(xlabel=message("plots.key_axis") + thinned, ylabel=message("plots.query_axis"), title=title)
    return image


def _color_weights(ax: Axes, numbers: np.ndarray):
    return ax.imshow(numbers, cmap=WEIGHTS_MAP, vmin=0, vmax=1, aspect="auto")


def _print_numbers(ax: Axes, numbers: np.ndarray, white_from: float) -> None:
    for i, j in np.ndindex(numbers.shape):
        color = "white" if numbers[i, j] >= white_from else "black"
        ax.text(j, i, _written(numbers[i, j]), ha="center", va="center", fontsize=10, color=color)


def _written(number: float) -> str:
    """Two decimals, with the minus sign of the axes and of the text."""
    return f"{number:.2f}".replace("-", "−")


def _every(tokens: Sequence[str]) -> int:
    return -(-len(tokens) // MOST_LABELS)


def _label_tokens(ax: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    for axis, tokens in ((ax.yaxis, rows), (ax.xaxis, columns)):
        places = range(0, len(tokens), max(_every(tokens), 1))
        axis.set_ticks(places, labels=[_drawable(tokens[place]) for place in places])
        _never_mathematics(axis.get_ticklabels())
    if max(map(len, columns), default=0) > 3:
        ax.tick_params(axis="x", rotation=45 if len(columns) <= 12 else 90)


def _never_mathematics(texts: Sequence[Text]) -> None:
    for text in texts:
        text.set_parse_math(False)


def _drawable(token: str) -> str:
    """The token, with U+… in place of each sign that the font has no picture for."""
    return "".join(sign if ord(sign) in _glyphs() else f"U+{ord(sign):04X}" for sign in token)


@cache
def _glyphs() -> dict[int, int]:
    return font_manager.get_font(font_manager.findfont(font_manager.FontProperties())).get_charmap()
