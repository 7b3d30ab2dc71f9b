"""Simulate: a problem with a known truth out of labelled data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_consistent_length

from . import _frames, _handed, _native
from ._columns import Names
from ._errors import ParameterError, number, whole
from ._estimator import settings
from ._notes import tell
from ._read_sample import texts
from ._reading import reading

STRENGTH = 2.0
_LABEL = "label"


class Simulation(NamedTuple):
    """Marked positives, all other rows, and whether each of these is positive in truth."""

    positives: Any
    pile: Any
    truth: np.ndarray


def simulate(
    rows: Any,
    label: Any,
    positive: Any,
    *,
    labelled: int = 30,
    mechanism: str = "scar",
    by: str | None = None,
    strength: float | None = None,
    alpha: float | None = None,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Simulation:
    """Make a problem with a known truth out of labelled data.

    Parameters
    ----------
    rows : data frame, list or column of str, dict of blocks, array or sparse matrix
        The labelled rows.
    label : str or array of shape (n_rows,)
        The column that holds the label, or the label of each row.
    positive : object
        The value of the label that is the class to find.
    labelled : int, default=30
        How many positives are marked.
    mechanism : {'scar', 'sar'}, default='scar'
        Mark every positive with equal probability, or by something of the row.
    by : str, default=None
        For ``'sar'``: a column of numbers, larger is likelier; None is nearness to the centre of the class.
    strength : float, default=None
        For ``'sar'``: how strongly; 0 is ``'scar'``, None is 2.
    alpha : float, default=None
        Keep only so many other rows in the pile, as a share of the positives left there; None keeps all.
    text, features, vectors, embed, leave_out, id, random_state, n_jobs, verbose : as in ``find``
        The same as there.

    Returns
    -------
    simulation : Simulation
        ``positives`` and ``pile`` of the make of the rows, without the label, and ``truth``: whether each row of
        the pile is positive. A pandas table keeps its index.

    Examples
    --------
    >>> import likewise
    >>> texts, topics = ["a goal", "a car", "a ball", "a wheel", "a team"], ["sport", "cars", "sport", "cars", "sport"]
    >>> positives, pile, truth = likewise.simulate(texts, topics, "sport", labelled=2)
    >>> len(positives), len(pile), int(truth.sum())
    (2, 3, 1)
    """
    if mechanism not in ("scar", "sar"):
        raise ParameterError(f"parameter `mechanism`: {mechanism!r} is neither 'scar' nor 'sar'")
    if mechanism == "scar" and (by is not None or strength is not None):
        raise ParameterError("parameter `mechanism`: by and strength say what a biased draw goes by; it must be 'sar'")
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id)
    every, rows = _frames.is_named(rows), _frames.given(rows, "rows")
    given, called, labels = labelled_rows(rows, label, text)
    like, pile, truth, _, said = _native.simulate(
        given,
        called,
        labels,
        _frames.cell_text(positive),
        whole("labelled", labelled, 1),
        None if mechanism == "scar" else (by, STRENGTH if strength is None else number("strength", strength)),
        None if alpha is None else number("alpha", alpha),
        reading(rows, **columns, keep_positives=True, every=every),
        settings(random_state, n_jobs, verbose),
    )
    tell(said)
    without = label if isinstance(label, str) and _frames.is_table(rows) else None
    return Simulation(_chosen(rows, like, without), _chosen(rows, pile, without), np.array(truth))


def labelled_rows(rows: Any, label: Any, text: Names = None) -> tuple[Any, str, list[str] | None]:
    """Rows as the Rust side takes them, the column that holds their labels, and these where it is none of the rows'."""
    if isinstance(label, str) and _frames.is_table(rows):
        return _handed.table(rows), label, None
    if isinstance(label, str):
        raise ParameterError(f"parameter `label`: {label!r} names a column, and the rows have none; give the label of each row")
    check_consistent_length(rows, label)
    return _handed.rows(rows, text), _LABEL, texts(label)


def _chosen(rows: Any, wanted: np.ndarray, without: str | None) -> Any:
    """These rows, of the same make."""
    make = _frames.make(rows)
    if make == "pandas":
        chosen = rows.iloc[wanted]
        return chosen if without is None else chosen.drop(columns=without)
    if make == "polars":
        chosen = rows[wanted.tolist()]
        return chosen if without is None else chosen.drop(without)
    if make == "pyarrow":
        chosen = rows.take(wanted)
        return chosen if without is None else chosen.drop_columns([without])
    if isinstance(rows, np.ndarray) or scipy.sparse.issparse(rows):
        return (rows.tocsr() if scipy.sparse.issparse(rows) else rows)[wanted]
    return [rows[row] for row in wanted]
