"""Rehearse: a reading of labelled rows, played by a reader who never errs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _frames, _native
from ._errors import ParameterError, number, whole
from ._estimator import settings
from ._notes import tell
from ._reading import reading
from ._simulate import labelled_rows

RULES = ("proved", "buscar", "in-a-row", "knee", "qbcb", "never")
NEXT = ("best", "uncertain", "diverse")


class Rehearsal:
    """How a reading went. Marks and shares count what is known at the start as read and found.

    Attributes
    ----------
    rows, wanted : int
        Distinct rows, and those of them that are wanted in truth.
    examples, unwanted : list of int
        The rows that were known at the start, by their position.
    marks, found : int
        Rows that were read before the rule said stop, and wanted ones among them.
    recall : float
        The share of the wanted that was found.
    reached : bool
        Whether that is the target.
    checks : int
        Marks that were random checks.
    recall_low : float or None
        What was proved at the end; by the rule ``'proved'`` alone.
    ideal : int or None
        Marks after which reading best first had reached the target, had one known; None where it did not.
    random : float
        Marks that reading in random order needs for as much, on average.
    curve : ndarray of int
        Rows found after each mark.
    rankings : int
        How often a ranking was made anew.
    """

    rows: int
    wanted: int
    examples: list[int]
    unwanted: list[int]
    marks: int
    found: int
    recall: float
    reached: bool
    checks: int
    recall_low: float | None
    ideal: int | None
    random: float
    rankings: int

    def __init__(self, answer: str, lines: list[str]) -> None:
        self._answer, self._lines = answer, lines
        fields = self.to_dict()
        self.curve: np.ndarray = np.array(fields.pop("curve"), dtype=np.int64)
        self.__dict__.update(fields)

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as ``likewise rehearse --json`` writes them.

        Returns
        -------
        fields : dict
            What JSON can hold.
        """
        fields: dict[str, Any] = json.loads(self._answer)
        return fields

    def __repr__(self) -> str:
        return "\n".join(self._lines)


def rehearse(
    rows: Any,
    label: Any,
    positive: Any,
    *,
    examples: int = 10,
    rule: str = "proved",
    row: int = 50,
    target: float = 0.95,
    alpha: float = 0.05,
    most: int | None = None,
    next: str = "best",
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Rehearsal:
    """Play a reading with known truth: how many marks, how much is found, how much work is saved.

    A reader who never errs starts from a few examples, reads what the learner puts first and marks it, until the rule
    says stop. Equal rows are read once.

    Parameters
    ----------
    rows : data frame, list or column of str, dict of blocks, array or sparse matrix
        The labelled rows.
    label : str or array of shape (n_rows,)
        The column that holds the label, or the label of each row.
    positive : object
        The value of the label that is wanted.
    examples : int, default=10
        How many wanted rows the reader knows at the start.
    rule : {'proved', 'buscar', 'in-a-row', 'knee', 'qbcb', 'never'}, default='proved'
        When to stop: where random checks prove the target, by the p value of Callaghan & Müller-Hansen, after so many
        unwanted rows in a row, at a knee in the curve of finds, by a random sample of wanted rows that is met by reading,
        or only after ``most`` marks.
    row : int, default=50
        For ``'in-a-row'``: so many unwanted rows.
    target : float, default=0.95
        The share of the wanted rows to find.
    alpha : float, default=0.05
        The chance that the rule may stop too early.
    most : int, default=None
        Stop at so many marks in any case, examples not counted.
    next : {'best', 'uncertain', 'diverse'}, default='best'
        Which rows come next: the best, every second one from the learner's boundary, or the best without near copies.
    text, features, vectors, embed, leave_out, id, words, random_state, n_jobs, verbose : as in ``find``
        The same as there.

    Returns
    -------
    rehearsal : Rehearsal
        How it went; printed, it says so in words.

    Examples
    --------
    >>> import likewise
    >>> rows = [f"refund {i} please" if i % 3 == 0 else f"parcel {i} is late" for i in range(60)]
    >>> told = likewise.rehearse(rows, [i % 3 == 0 for i in range(60)], True, examples=2, rule="never", most=40)
    >>> told.rows, told.wanted, told.marks
    (60, 20, 42)
    """
    for name, value, known in (("rule", rule, RULES), ("next", next, NEXT)):
        if value not in known:
            raise ParameterError(f"parameter `{name}`: {value!r} is none of {', '.join(map(repr, known))}")
    every, rows = _frames.is_named(rows), _frames.given(rows, "rows")
    given, called, labels = labelled_rows(rows, label, text)
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
    answer, lines, told = _native.rehearse(
        given,
        called,
        labels,
        _frames.cell_text(positive),
        whole("examples", examples, 1),
        (rule, number("target", target), number("alpha", alpha), None if most is None else whole("most", most, 0)),
        whole("row", row, 1),
        next,
        reading(rows, **columns, keep_positives=True, every=every),
        settings(random_state, n_jobs, verbose),
    )
    tell(told)
    return Rehearsal(answer, lines)
