"""What ``unexpected`` says of its answer: how well it found known classes that were hidden."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ._errors import Note
from ._frames import cell_text
from ._notes import Told, notes


class Competitor(NamedTuple):
    """What was tried, and how it found known classes that were hidden: means over all times that one was."""

    method: str
    area_under_roc: float
    area_under_roc_low: float
    area_under_roc_high: float
    average_precision: float
    own_cut_f1: float
    hidden_cut_f1: float | None


@dataclass(frozen=True)
class Competition:
    """Known classes hidden in turn, and who found them.

    Attributes
    ----------
    hidden : list of str
        The classes that were hidden.
    rehearsals : int
        How often one was.
    share : float
        The mean share of hidden rows among those in which they were looked for.
    candidates : list of Competitor
        Everything that was tried, the chosen one first.
    cut : str
        ``'own'`` where the chosen one cuts by itself, ``'hidden'`` where hidden classes say.
    f1_of_all : float
        The mean F1 of marking every row.
    told : bool
        Whether the hidden classes were told from the others; else the marks are not to be relied upon.
    """

    hidden: list[str]
    rehearsals: int
    share: float
    candidates: list[Competitor]
    cut: str
    f1_of_all: float
    told: bool


class UnexpectedSummary:
    """What was judged, in figures.

    Attributes
    ----------
    rows, found : int
        New rows, and those of them that are unexpected.
    method : str
        The method that was used.
    unnamed : int
        Known rows that took no part, since their class is blank.
    competition : Competition or None
        How hidden known classes were found; None where a method was named or no class could be hidden.
    """

    def __init__(self, figures: str, line: str) -> None:
        self._figures = figures
        self._line = line
        fields = self.to_dict()
        self.rows: int = fields["rows"]
        self.found: int = fields["found"]
        self.method: str = fields["method"]
        self.unnamed: int = fields["unnamed"]
        found = fields["competition"]
        self.competition: Competition | None = None
        if found is not None:
            found["candidates"] = [Competitor(**tried) for tried in found["candidates"]]
            self.competition = Competition(**found)

    def to_dict(self) -> dict[str, Any]:
        """As ``--summary`` of the command line writes it."""
        fields: dict[str, Any] = json.loads(self._figures)
        return fields

    def __repr__(self) -> str:
        return self._line


def as_given(found: list[str | None], labels: list[Any]) -> np.ndarray:
    """The classes that were found as they were given, and not as they are written; None where a row is of none."""
    known = {cell_text(label): label for label in labels if label is not None}
    # A column of an answer has one type.
    if len({type(label) for label in known.values()}) > 1:
        known = {}
    classes: np.ndarray = np.empty(len(found), dtype=object)
    classes[:] = [None if name is None else known.get(name, name) for name in found]
    return classes


class Verdicts:
    """What is known of judged rows besides the verdicts, as an answer of ``find`` knows it."""

    def __init__(self, summary: UnexpectedSummary, told: list[Told]) -> None:
        self.summary = summary
        self.model: Any = None
        self.left_out: list[Any] = []
        self.notes: list[Note] = notes(told)
        self.lines: list[str] = [repr(summary)]

    def report(self, path: Any) -> None:
        raise ValueError("a report is of a ranking; verdicts have a summary")
