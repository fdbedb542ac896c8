"""What every explorer is: a widget in JupyterLab, the same front end on the site, and a table where nothing runs."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, ClassVar

import anywidget
import torch
import traitlets

from ..language import messages
from .bundle import bundle, styles


class InvalidState(ValueError, traitlets.TraitError):
    """A trait was given something that can not be shown; the sentence says what, and how to mend it."""


class Numbers(traitlets.TraitType):
    """Finite numbers with fixed axes, kept as nested lists; tensors and arrays are taken too.

    Args:
        axes: the name of each axis, for example ("query", "key").
    """

    def __init__(self, *axes: str, **kwargs: Any):
        self.axes = axes
        super().__init__(**kwargs)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> list:
        wanted = f"({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''})"
        try:
            numbers = torch.as_tensor(value, dtype=torch.float64).detach().cpu()
        except (TypeError, ValueError, RuntimeError) as error:
            raise InvalidState(f"{self.name} must be numbers of shape {wanted}, got {value!r}") from error
        if numbers.dim() != len(self.axes) or numbers.numel() == 0:
            raise InvalidState(
                f"{self.name} must have shape {wanted}, got {tuple(numbers.shape)}; "
                "an explorer shows one sentence and one head"
            )
        if not numbers.isfinite().all():
            raise InvalidState(f"{self.name} must be finite, got {value!r}; a number that is NaN or ∞ can not be moved")
        return numbers.tolist()


class Tokens(traitlets.TraitType):
    """At least one token, each a string."""

    def validate(self, obj: traitlets.HasTraits, value: Any) -> list[str]:
        if not isinstance(value, list | tuple) or not all(isinstance(token, str) for token in value):
            raise InvalidState(f"{self.name} must be a list of tokens, got {value!r}; write tokenize(text)")
        if not value:
            raise InvalidState(f"{self.name} must hold at least one token, got an empty list")
        return list(value)


def check_table(state: dict) -> None:
    """Refuse a state whose tokens, ids, vocabulary and rows of the embedding matrix do not go together."""
    rows = len(state["embedding_matrix"])
    if len(state["tokens"]) != len(state["token_ids"]):
        raise InvalidState(f"tokens has {len(state['tokens'])} words, token_ids {len(state['token_ids'])}; one id each")
    if len(state["vocabulary"]) != rows:
        raise InvalidState(
            f"vocabulary has {len(state['vocabulary'])} words, embedding_matrix {rows} rows; one row each"
        )
    for token_id in state["token_ids"]:
        if not 0 <= token_id < rows:
            raise InvalidState(f"token id {token_id} is outside 0..{rows - 1}, the rows of embedding_matrix")


def check_place(proposal: dict, size: int, counted: str) -> int:
    """Refuse a place that is none of the `size` ones; `counted` is what they are, for the sentence."""
    name, value = proposal["trait"].name, proposal["value"]
    if not 0 <= value < size:
        raise InvalidState(f"{name} must be one of 0..{size - 1}, got {value}; {counted} are counted from 0")
    return value


class Explorer(anywidget.AnyWidget):
    """Base class; a subclass names its front-end module, its traits and the table that shows the same numbers.

    The words are those of the language chosen by `use_language` when the explorer is made.
    """

    module: ClassVar[str]
    # The traits that make up the state, and the kinds of numbers whose names and meanings are needed.
    state: ClassVar[tuple[str, ...]]
    kinds: ClassVar[tuple[str, ...]]

    words = traitlets.Dict(read_only=True).tag(sync=True)
    _css = styles()

    def __init_subclass__(cls, **kwargs: Any):
        if "module" in cls.__dict__:
            render = f"({{ model, el }}) => new Shell(explorer_{cls.module}, model, el).end"
            cls._esm = f"{bundle('shell', cls.module)}\nexport default {{ render: {render} }};\n"
        super().__init_subclass__(**kwargs)

    def __init__(self, **state: Any):
        unknown = sorted(set(state) - set(self.trait_names()))
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}; it has {', '.join(self.state)}")
        super().__init__(**state)
        self.set_trait("words", self._words())
        self.update()
        self.observe(lambda change: self.update(), names=list(self.state))

    def update(self) -> None:
        """Compute the results from the state."""
        raise NotImplementedError

    def tables(self) -> Iterable[tuple[str, Sequence[str], Iterable[Sequence[object]]]]:
        """The same numbers as (caption, header, rows), for where no script runs."""
        raise NotImplementedError

    def _words(self) -> dict:
        numbers = messages("explorers_numbers")
        return {
            "own": messages(f"explorers_{self.module}"),
            "controls": messages("explorers_controls"),
            "numbers": {part: {kind: numbers[part][kind] for kind in self.kinds} for part in ("name", "meaning")},
        }

    def __repr__(self) -> str:
        # No address: the notebooks' outputs are compared word by word.
        return f"{type(self).__name__}()"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict] | None:
        displayed = super()._repr_mimebundle_(**kwargs)
        if displayed is None:
            return None
        data, metadata = displayed
        return {**data, "text/html": self.to_html()}, metadata

    def to_html(self) -> str:
        """An element that carries the state for the page's script and, inside, tables for where no script runs."""
        content = {"words": self.words, **{name: getattr(self, name) for name in self.state}}
        # Digits beyond these change no number on the screen, and the page is smaller without them.
        text = json.dumps(_rounded(content), ensure_ascii=False, separators=(",", ":"))
        tables = "".join(_table(*table) for table in self.tables())
        return f'<div class="explorer-place" data-explorer="{self.module}" data-content="{escape(text)}">{tables}</div>'


def _rounded(content: Any) -> Any:
    if isinstance(content, float):
        return round(content, 8)
    if isinstance(content, dict):
        return {key: _rounded(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_rounded(value) for value in content]
    return content


def _table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain table; the first cell of each row is its heading."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in header)
    body = ""
    for first, *rest in rows:
        cells = "".join(f"<td>{written(cell)}</td>" for cell in rest)
        body += f'<tr><th scope="row">{escape(str(first))}</th>{cells}</tr>'
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def written(cell: object) -> str:
    """A cell as text: two decimals and a real minus sign for numbers that are not whole by kind."""
    if isinstance(cell, float):
        return f"{cell + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "−").replace("inf", "∞").replace("nan", "NaN")
    return escape(str(cell))
