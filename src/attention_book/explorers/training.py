"""A training that was recorded, step by step: loss, accuracy and a row of weights that moves (chapter 13)."""

from typing import Any

import torch
import traitlets

from ..language import message
from .explorer import Explorer, InvalidState, Numbers, Tokens, check_place


class TrainingReplay(Explorer):
    """A slider over the recorded steps.

    Traits:
        steps: the steps that were recorded, growing. losses, accuracies: shape (record,), one for each.
        rows: shape (record, key), the attention row of one query at each. tokens: its keys.
        record: which one is shown, from 0.
        loss, accuracy, weights: those of the record that is shown; `weights` has shape (key,).
    """

    module = "training"
    state = ("tokens", "steps", "losses", "accuracies", "rows", "record")
    kinds = ("recorded_loss", "right_probability", "recorded_accuracy", "recorded_weight", "weight_change")

    tokens = Tokens().tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    losses = Numbers("record").tag(sync=True)
    accuracies = Numbers("record").tag(sync=True)
    rows = Numbers("record", "key").tag(sync=True)
    record = traitlets.Int(0).tag(sync=True)
    loss = traitlets.Float(read_only=True)
    accuracy = traitlets.Float(read_only=True)
    weights = traitlets.List(read_only=True)

    def __init__(self, steps: list[int], losses: Any, accuracies: Any, rows: Any, tokens: list[str], **state: Any):
        super().__init__(steps=steps, losses=losses, accuracies=accuracies, rows=rows, tokens=tokens, **state)

    @traitlets.validate("tokens", "steps", "losses", "accuracies", "rows")
    def _check_records(self, proposal: dict) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        new = {part: getattr(self, part) for part in ("tokens", "steps", "losses", "accuracies", "rows")}
        new[name] = value
        lengths = {part: len(new[part]) for part in ("steps", "losses", "accuracies", "rows")}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{part} {length}" for part, length in lengths.items())
            raise InvalidState(
                f"every record has one of each, got {told}; "
                "set them together inside `with explorer.hold_trait_notifications():`"
            )
        if len(new["rows"][0]) != len(new["tokens"]):
            raise InvalidState(f"rows has {len(new['rows'][0])} weights each, tokens {len(new['tokens'])}; one per key")
        if any(later <= earlier for earlier, later in zip(new["steps"], new["steps"][1:], strict=False)):
            raise InvalidState(f"steps must grow from record to record, got {new['steps']}")
        if min(new["losses"]) < 0:
            raise InvalidState(f"losses must not be negative, got {min(new['losses'])}")
        if not all(0 <= accuracy <= 1 for accuracy in new["accuracies"]):
            raise InvalidState(f"accuracies must be shares from 0 to 1, got {new['accuracies']}")
        rows = torch.tensor(new["rows"], dtype=torch.float64)
        if rows.min() < 0 or (rows.sum(dim=-1) - 1).abs().max() > 1e-3:
            raise InvalidState("rows must hold attention weights: none negative, each row with sum 1")
        return value

    @traitlets.validate("record")
    def _check_record(self, proposal: dict) -> int:
        return check_place(proposal, len(self.steps), "records")

    def update(self) -> None:
        # The last one, where fewer records were given than the one chosen.
        record = min(self.record, len(self.steps) - 1)
        self.set_trait("loss", self.losses[record])
        self.set_trait("accuracy", self.accuracies[record])
        self.set_trait("weights", self.rows[record])

    def tables(self):
        header = [message(f"explorers_training.{name}") for name in ("step", "loss", "accuracy")]
        records = zip(self.steps, self.losses, self.accuracies, self.rows, strict=True)
        rows = ((step, loss, accuracy, *row) for step, loss, accuracy, row in records)
        yield message("explorers_training.table"), [*header, *self.tokens], rows
