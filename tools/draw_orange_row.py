"""Draw the picture of the start page and the README, the row of *Orange* as arcs: `python tools/draw_orange_row.py`.

The weights are computed from the running example; the picture has no words but the sentence's own, so one serves
every language.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from attention_book import running_example, scaled_dot_product_attention, use_book_style
from attention_book.plots import COLORS

PICTURE = Path(__file__).resolve().parent.parent / "book" / "pictures" / "orange_row.svg"


def draw() -> Figure:
    """Orange above, the five words below, an arc for each weight as wide as the weight is large."""
    example = running_example()
    X = example.embeddings
    _, weights = scaled_dot_product_attention(X @ example.W_Q, X @ example.W_K, X @ example.W_V)
    figure = Figure(figsize=(4.6, 2.3), layout="constrained")
    ax = figure.subplots()
    ax.set(xlim=(-0.45, 4.45), ylim=(-0.42, 1.15))
    ax.axis("off")
    height = np.linspace(0, 1, 60)
    middle = (len(example.tokens) - 1) / 2
    for place, (token, weight) in enumerate(zip(example.tokens, weights[0].tolist(), strict=True)):
        # A smooth step from the word below to Orange above.
        across = middle + (place - middle) * (1 - height**2 * (3 - 2 * height))
        width = {"linewidth": 20 * weight, "solid_capstyle": "butt"}
        ax.plot(across, 0.1 + 0.82 * height, color=COLORS["weights"], alpha=0.75, **width)
        ax.text(place, 0.0, token, ha="center", va="center", fontsize=13)
        ax.text(place, -0.3, f"{weight:.2f}", ha="center", va="center", fontsize=13, color=COLORS["weights"])
    asking = {"color": COLORS["query"], "weight": "bold"}
    ax.text(middle, 1.03, example.tokens[0], ha="center", va="center", fontsize=13, **asking)
    return figure


if __name__ == "__main__":
    use_book_style()
    PICTURE.parent.mkdir(exist_ok=True)
    draw().savefig(PICTURE, metadata={"Date": None})
    print(f"Wrote {PICTURE}.")
