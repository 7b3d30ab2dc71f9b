"""Simulate: a problem with a known truth out of labelled data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_consistent_length

from . import _frames, _native
from ._errors import ParameterError
from ._estimator import settings
from ._notes import tell
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
    given, called = labelled_rows(rows, label)
    like, pile, truth, _, said = _native.simulate(
        given,
        called,
        _frames.cell_text(positive),
        labelled,
        None if mechanism == "scar" else (by, STRENGTH if strength is None else float(strength)),
        alpha,
        reading(rows, **columns, keep_positives=True, every=every),
        settings(random_state, n_jobs, verbose),
    )
    tell(said)
    without = label if isinstance(label, str) and _frames.is_table(rows) else None
    return Simulation(_chosen(rows, like, without), _chosen(rows, pile, without), np.array(truth))


def labelled_rows(rows: Any, label: Any) -> tuple[Any, str]:
    """Rows with their labels as the Rust side takes them, and the column that holds these."""
    if isinstance(label, str) and _frames.is_table(rows):
        return _frames.table(rows), label
    return _columns(rows, label), _LABEL


def _columns(rows: Any, label: Any) -> dict[str, Any]:
    """Rows beside the labels of a list of its own."""
    check_consistent_length(rows, label)
    labels = ["" if cell is None else _frames.cell_text(cell) for cell in _frames.documents(label)]
    if scipy.sparse.issparse(rows):
        columns: dict[str, Any] = {}
    elif _frames.is_matrix(rows):
        numbers = np.asarray(rows, dtype=np.float64)
        columns = {f"feature {j + 1}": np.ascontiguousarray(numbers[:, j]) for j in range(numbers.shape[1])}
    elif _frames.is_table(rows):
        columns = _frames.columns(rows)
    else:
        columns = {_frames.TEXT: _frames.documents(rows)}
    return {**columns, _LABEL: labels}


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
