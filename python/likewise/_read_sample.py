"""Rows of an answer that a person reads, and what their verdicts say of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _answer_tables, _frames, _native
from ._columns import PROBABLE
from ._errors import whole
from ._estimator import settings
from ._notes import tell

WANTED = "wanted"


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval (nominal 95 %)."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Read:
    """What rows that were read say of an answer; a figure is None where the side of the cut that it needs was not read.

    ``marked`` and ``unmarked`` are the two sides: how many rows each has, how many were read, and how many of those are
    wanted.
    """

    precision: Estimate | None
    recall: Estimate | None
    f1: Estimate | None
    marked: dict[str, int]
    unmarked: dict[str, int]


def audit_sample(found: Any, each: int, *, random_state: Any = 0) -> Any:
    """Draw rows of an answer at random, to be read.

    Parameters
    ----------
    found : data frame
        What ``find`` or ``score`` returned.
    each : int
        How many of the marked rows, and how many of the others.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw.

    Returns
    -------
    rows : DataFrame
        In random order and without scores, which would tell the reader what to think: ``row``, an empty column
        ``wanted`` for yes or no, and the columns of the pile. Of the make of ``found``, else of pandas. Filled in, it is
        the ``marks`` of ``likewise.evaluate``.

    Examples
    --------
    >>> import likewise
    >>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel", "lost"], method="nb")
    >>> sample = likewise.audit_sample(found, 1)
    >>> len(sample)
    2
    >>> marks = {"row": sample["row"], "wanted": ["yes" if row == 0 else "no" for row in sample["row"]]}
    >>> likewise.evaluate(found, marks=type(sample)(marks)).precision.value
    1.0
    """
    columns = columns_of_answer(found)
    each = whole("each", each, 1)
    positive = np.asarray(columns["positive"], dtype=bool)
    drawn = _native.draw_to_read(positive, each, settings(random_state, None, False))
    at = columns.get("row", range(len(positive)))
    told: dict[str, Any] = {"row": [at[place] for place in drawn], WANTED: [""] * len(drawn)}
    own = {"rank", "row", "score", "positive", *PROBABLE, WANTED}
    for name, cells in columns.items():
        if name not in own:
            told[name] = [cells[place] for place in drawn]
    return _answer_tables.table_of_make(_frames.make(found), told)


def read(answer: Any, marks: Any, label: str, id: str | None, run: _native.Settings) -> Read:
    """Precision, recall and F1 of an answer by rows of it that were read."""
    columns, marks = columns_of_answer(answer), _frames.given(marks, "marks")
    if not _frames.is_table(marks):
        raise TypeError(f"marks are a data frame with a row or an id and {label!r}, not {type(marks).__name__}")
    at = columns.get("row", range(len(columns["score"])))
    names = _frames.column_names(marks)
    by_id = id is not None or ("id" in names and "id" in columns)
    if not by_id and "row" not in names:
        raise ValueError("the marks have neither an id that the answer has too nor a column 'row'")
    called = _frames.cells(_frames.column_of(marks, (id or "id") if by_id else "row"))
    verdicts = {"id": texts(called), label: texts(_frames.cells(_frames.column_of(marks, label)))}
    told = {
        "id": texts(columns["id"] if by_id else at),
        "score": np.asarray(columns["score"], dtype=np.float64),
        "positive": texts(columns["positive"]),
    }
    found, notes = _native.evaluate_marks(told, verdicts, None, label, run)
    tell(notes)
    figures = json.loads(found)
    for name in ("precision", "recall", "f1"):
        figures[name] = figures[name] and Estimate(**figures[name])
    return Read(**figures)


def columns_of_answer(answer: Any) -> dict[str, list[Any]]:
    """The columns of what ``find`` or ``score`` returned."""
    if not _frames.is_table(answer):
        raise TypeError(f"an answer is a data frame with score and positive, not {type(answer).__name__}")
    columns = {name: _frames.cells(_frames.column_of(answer, name)) for name in _frames.column_names(answer)}
    missing = {"score", "positive"} - columns.keys()
    if missing and {"class", "positive"} <= columns.keys():
        raise ValueError("the answer is of several classes; find the class by itself, and give that answer")
    if missing:
        raise ValueError(f"the answer has no column {sorted(missing)[0]!r}; give what find or score returned")
    return columns


def texts(cells: Any) -> list[str]:
    """Cells as the Rust side reads them; a missing one is empty."""
    return ["" if cell is None else _frames.cell_text(cell) for cell in _frames.documents(cells)]
