"""What an automatic choice says of its answer."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._errors import Note
from ._notes import notes


class Candidate(NamedTuple):
    """A method that was tried, and what positives hidden in the pile say of it."""

    method: str
    pu_auc: float
    estimated_f1: float
    partial_auc: float


class Drawn(NamedTuple):
    """Whether the examples look like a random draw of their class: how far they are more typical than the rows of the
    pile beside them, in standard errors, and how much of that is explained. The strength is how much a standard
    deviation nearer to the middle of the class made it likelier to be marked, as a power of e."""

    compared: int
    deviations: float
    limit: float
    strength: float
    strength_high: float

    @property
    def alarm(self) -> bool:
        """Whether they are too typical for a random draw."""
        return self.deviations > self.limit


class Summary:
    """How many positives there are, how sure that is, and what was tried. Shares are numbers from 0 to 1.

    Attributes
    ----------
    prior, prior_low, prior_high : float
        The believed share of positives in the pile, and its range.
    recall, recall_low, recall_high : float
        The share of the pile's positives that are marked, and its range.
    precision_low, precision_high, f1_low, f1_high : float
        Ranges that hold if those of prior and recall do.
    recall_curve : ndarray of shape (n_points, 4)
        The share of the pile that is accepted, the recall there, and the ends of its range.
    method, because : str
        What was chosen, and why.
    candidates : list of Candidate
        Everything that was tried, best first.
    cut : float
        The share of the pile that is marked.
    pile, positives, found : int
        Rows of the pile, examples, and rows that are marked.
    sampled : int or None
        Rows of the pile that were learned from, where that is not all of them.
    routed_to_unexpected, prior_untold : bool
        Whether the pile is mostly what was shown; whether the examples cannot be told from it.
    drawn : Drawn or None
        Whether the examples look like a random draw of their class; None where too few could be compared.
    warnings : list of Note
        What makes the answer worth less, each with a ``code``.
    """

    prior: float
    prior_low: float
    prior_high: float
    method: str
    because: str
    routed_to_unexpected: bool
    prior_untold: bool
    cut: float
    pile: int
    sampled: int | None = None
    positives: int
    found: int
    recall: float
    recall_low: float
    recall_high: float
    precision_low: float
    precision_high: float
    f1_low: float
    f1_high: float

    def __init__(self, said: _native.Summary) -> None:
        self._said = said
        fields = self.to_dict()
        self.candidates: list[Candidate] = [Candidate(**tried) for tried in fields.pop("candidates")]
        self.recall_curve: np.ndarray = np.array(fields.pop("recall_curve"), dtype=float).reshape(-1, 4)
        drawn = fields.pop("drawn")
        self.drawn: Drawn | None = Drawn(**drawn) if drawn else None
        self.warnings: list[Note] = notes(said.warnings())
        fields.pop("warnings")
        self.__dict__.update(fields)

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as ``--summary`` of the command line writes them.

        Returns
        -------
        fields : dict
            What JSON can hold.
        """
        fields: dict[str, Any] = json.loads(self._said.json())
        return fields

    def __repr__(self) -> str:
        return "\n".join(self._said.lines())

    def _repr_html_(self) -> str:
        return self._said.html()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Summary) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Summary, (self._said,)
