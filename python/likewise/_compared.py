"""What ``score`` says of new rows beside those that were learned from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ._errors import Note
from ._notes import Told, notes


class ShareRange(NamedTuple):
    """A believed share of positives and its range."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """New rows beside those that were learned from, under the model's own cut. Shares are numbers from 0 to 1.

    Attributes
    ----------
    rows, found : int
        New rows, and those of them that are marked.
    marked, marked_before : float
        The share that is marked, and the share that would be if they were like the pile.
    positives, positives_before : ShareRange or None
        The believed share of positives, and that of the pile; None where nobody has estimated that of the pile.
    precision, precision_range : float or None, tuple of float or None
        The believed share of the marked that are right, and where it lies.
    another_kind : bool
        Whether the rows are of another kind than those that were learned from.
    learned : float or None
        The share of these rows that the model learned from; None where too few could be asked. Of such rows it cannot tell
        what it tells of new ones.
    familiar, familiar_before : float or None
        How much of a row was there before (of its words, or of its numbers within the range that there was), and the
        same of rows like the pile.
    outside : list of (str, float)
        Columns that lie outside of the range that there was, and the share of rows in which they do.
    scores : ndarray of shape (n_steps, 3)
        Scores, the share of rows like the pile that reach each, and that of the new rows.
    deviations : float
        The largest difference of these shares, in deviations that chance would give it.
    differs : bool
        Whether anything differs beyond chance.
    notes : list of Note
        What there is to say of it.
    """

    rows: int
    found: int
    marked: float
    marked_before: float
    positives: ShareRange | None
    positives_before: ShareRange | None
    precision: float | None
    precision_range: tuple[float, float] | None
    another_kind: bool
    learned: float | None
    familiar: float | None
    familiar_before: float | None
    outside: list[tuple[str, float]]
    scores: np.ndarray
    deviations: float
    differs: bool
    notes: list[Note]


class ScoreSummary:
    """What was scored, in figures.

    Attributes
    ----------
    rows, found : int
        Rows, and those of them that are positive.
    method : str
        The method of the model.
    recut : bool
        Whether the cut was placed for these rows.
    comparison : Comparison or None
        The rows beside those that were learned from; None where the model does not know these.
    """

    def __init__(self, figures: str, told: list[Told]) -> None:
        self._figures = figures
        fields = self.to_dict()
        self.rows: int = fields["rows"]
        self.found: int = fields["found"]
        self.method: str = fields["method"]
        self.recut: bool = fields["recut"]
        found = fields["comparison"]
        self.comparison: Comparison | None = None
        if found is not None:
            for name in ("positives", "positives_before"):
                found[name] = None if found[name] is None else ShareRange(**found[name])
            if found["precision_range"] is not None:
                found["precision_range"] = (found["precision_range"]["low"], found["precision_range"]["high"])
            found["outside"] = [(column, share) for column, share in found["outside"]]
            found["scores"] = np.array(found["scores"], dtype=float).reshape(-1, 3)
            self.comparison = Comparison(**found, notes=notes(told))

    def to_dict(self) -> dict[str, Any]:
        """As ``--summary`` of the command line writes it."""
        fields: dict[str, Any] = json.loads(self._figures)
        return fields

    def __repr__(self) -> str:
        lines = [f"Scored {self.rows:,} rows, {self.found:,} of them positive."]
        if self.comparison is not None:
            lines += [str(note) for note in self.comparison.notes]
        return "\n".join(lines)


class Scored:
    """What is known of scored rows besides the scores, as an answer of ``find`` knows it."""

    def __init__(self, summary: ScoreSummary, model: Any, told: list[Told]) -> None:
        self.summary = summary
        self.model = model
        self.left_out: list[Any] = []
        self.notes: list[Note] = notes(told)
        self.lines: list[str] = repr(summary).split("\n")

    def report(self, path: Any) -> None:
        raise ValueError("a report is of a ranking; scored rows have a summary")
