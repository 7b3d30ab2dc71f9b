"""Audit and compare: can these data carry an answer, and whose?"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _answer_tables, _frames, _handed, _native
from ._asking import problem
from ._errors import Note, whole
from ._estimator import settings
from ._found import Rows
from ._notes import Told, notes, tell
from ._summary import Drawn
from ._truth import labels_of, meant

_LOG = logging.getLogger("likewise")


class StrangeGroup(NamedTuple):
    """Rows of the pile that are believed positive and lie apart from all examples.

    Their positions, counted from 0, their ids, and their share of all that are believed positive.
    """

    rows: list[int]
    ids: list[str]
    share: float


class MoreLabels(NamedTuple):
    """How wide the range of recall would be with so many examples."""

    positives: int
    recall_width: float


class Audit:
    """Whether data can carry an answer. Shares are numbers from 0 to 1.

    Attributes
    ----------
    positives, pile : int
        Examples, and rows of the pile.
    separability : float
        The chance that a hidden example stands above a row of the pile, by the best method tried.
    prior, prior_low, prior_high : float
        The believed share of positives in the pile, and its range.
    recall_low, recall_high : float
        The range of recall of an automatic answer.
    drawn : Drawn or None
        Whether the examples are as typical as the rows beside them; None where too few could be compared.
    strange_groups : list of StrangeGroup
        Believed positives that look like none of the examples; there are none where examples are a random draw.
    groups_sought : bool
        Whether such groups were looked for: among related tables they are not.
    more_labels : list of MoreLabels
        What more examples would buy.
    warnings : list of Note
        What makes an answer worth less, each with a ``code``.
    """

    positives: int
    pile: int
    separability: float
    prior: float
    prior_low: float
    prior_high: float
    recall_low: float
    recall_high: float
    groups_sought: bool

    def __init__(self, found: str, groups: list[list[int]], lines: list[str], warnings: list[Note]) -> None:
        self._found, self._lines = found, lines
        fields = self.to_dict()
        self.strange_groups: list[StrangeGroup] = [
            StrangeGroup(rows, **group) for rows, group in zip(groups, fields.pop("strange_groups"))
        ]
        drawn = fields.pop("drawn")
        self.drawn: Drawn | None = Drawn(**drawn) if drawn else None
        self.more_labels: list[MoreLabels] = [MoreLabels(**more) for more in fields.pop("more_labels")]
        self.warnings: list[Note] = warnings
        fields.pop("warnings")
        self.__dict__.update(fields)

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as ``likewise audit --json`` writes them.

        Returns
        -------
        fields : dict
            What JSON can hold.
        """
        fields: dict[str, Any] = json.loads(self._found)
        return fields

    def __repr__(self) -> str:
        return "\n".join(self._lines)


def audit(
    positives: Any,
    pile: Any,
    *,
    unlike: Any = None,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Audit:
    """Say whether these data can carry an answer.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, dict of blocks, array or sparse matrix
        Examples of what you want, and the rows to search; both of one kind.
    unlike : the same, default=None
        Rows known not to be wanted. They teach and are never part of the pile.
    text, features, vectors, embed, leave_out, id, keep_positives, words, random_state, n_jobs, verbose : as in ``find``
        The same as there.

    Returns
    -------
    audit : Audit
        How well the examples differ from the pile, how many positives there may be, whether the examples look
        like a random draw of their class, and what more of them would buy. Printed, it says so in words.

    Examples
    --------
    >>> import likewise, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> positives, pile = rng.normal(3, size=(40, 2)), rng.normal([[3, 3]] * 60 + [[-3, -3]] * 140)
    >>> found = likewise.audit(positives, pile)
    >>> found.pile, found.separability > 0.8, found.strange_groups
    (200, True, [])
    """
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
    found = _native.audit(
        *problem("audit", positives, pile, unlike, **columns, keep_positives=keep_positives)[1],
        settings(random_state, n_jobs, verbose),
    )
    return audit_of(*found)


def audit_of(
    found: str, groups: list[list[int]], lines: list[str], warnings: list[Told], said: list[Told]
) -> Audit:
    """What the Rust side found, and what there is to say of it."""
    tell(said)
    return Audit(found, groups, lines, notes(warnings))


def compare(
    positives: Any,
    pile: Any,
    *,
    unlike: Any = None,
    methods: Sequence[str] | str | None = None,
    truth: Any = None,
    truth_label: str = "positive",
    truth_positive: Any = True,
    folds: int = 5,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Rows:
    """Run several methods on the same problem.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, dict of blocks, array or sparse matrix
        Examples of what you want, and the rows to search; both of one kind.
    unlike : the same, default=None
        Rows known not to be wanted. They teach and are never part of the pile.
    methods : list of str or 'all', default=None
        Which methods; ``'all'`` takes every one that reads the data, None a good dozen.
    truth : array or data frame, default=None
        What the rows of the pile are in truth: the label of each, in their order; or a data frame
        with the label of each, which are matched by id.
    truth_label, truth_positive : str and object, default='positive' and True
        The column of such a data frame that holds the label, and the label that means positive; True is the 1 of
        labels that are numbers.
    folds : int, default=5
        Into how many parts the positives are dealt to be hidden; 0 leaves the estimates out and is faster.
    text, features, vectors, embed, leave_out, id, keep_positives, words, random_state, n_jobs, verbose : as in ``find``
        The same as there.

    Returns
    -------
    comparison : DataFrame
        A row for each method: ``method``, ``seconds``, ``found`` (rows called positive), then what positives
        hidden in the pile say of it (``pu_auc``, ``estimated_recall``, ``estimated_precision``,
        ``estimated_f1``), with ``truth`` also ``precision``, ``recall``, ``f1`` and ``average_precision``,
        and ``error`` where it gave no answer. Of the make of the pile, else of pandas.

    Examples
    --------
    >>> import likewise, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> positives, pile = rng.normal(3, size=(40, 2)), rng.normal([[3, 3]] * 60 + [[-3, -3]] * 140)
    >>> told = likewise.compare(positives, pile, methods=["logistic", "nb"], truth=[True] * 60 + [False] * 140)
    >>> told["method"].tolist(), bool(told["f1"].min() > 0.9)
    (['logistic', 'nb'], True)
    """
    known: Any = None
    truth = None if truth is None else _frames.table_of_blocks(_frames.listed(truth, "truth"))
    if truth is not None and _frames.is_table(truth):
        known = _handed.table(truth), truth_label, meant(_frames.column_or_none(truth, truth_label), truth_positive)
    elif truth is not None:
        known = labels_of(truth), meant(truth, truth_positive)
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
    pile, asked = problem("compare", positives, pile, unlike, **columns, keep_positives=keep_positives)
    found = _native.compare(
        *asked,
        [methods] if isinstance(methods, str) else None if methods is None else list(methods),
        whole("folds", folds, 0),
        known,
        settings(random_state, n_jobs, verbose),
    )
    return table_of_methods(_frames.make(pile), found, truth is not None)


def table_of_methods(
    make: str | None, found: tuple[str, float | None, str | None, list[Told]], with_truth: bool
) -> Rows:
    """What the Rust side found of each method as a table of this make."""
    lines, _, line, said = found
    tell(said)
    if line is not None:
        _LOG.info(line)
    table: Rows = _answer_tables.table_of_make(make, _columns(json.loads(lines), with_truth))
    return table


_ESTIMATED = ["pu_auc", "estimated_recall", "estimated_precision", "estimated_f1"]
_TRUE = ["precision", "recall", "f1", "average_precision"]


def _columns(lines: list[dict[str, Any]], with_truth: bool) -> dict[str, list[Any]]:
    columns = {name: [line.get(name) for line in lines] for name in ["method", "seconds", "found", *_ESTIMATED]}
    if with_truth:
        columns |= {name: [(line.get("truth") or {}).get(name) for line in lines] for name in _TRUE}
    return {**columns, "error": [line.get("error") for line in lines]}
