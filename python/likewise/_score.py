"""Score and explain: what a kept model says of new rows, and why."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _answer_tables, _frames
from ._columns import probable
from ._compared import Scored, ScoreSummary
from ._estimator import PUClassifier
from ._errors import whole
from ._found import Found, replaced, with_answer
from ._loading import estimator_of, load
from ._notes import tell
from ._related import RelationalClassifier


def score(
    model: Any,
    rows: Any = None,
    *,
    recut: bool = False,
    probabilities: bool = False,
    embed: str | os.PathLike[str] | None = None,
) -> Found:
    """Score new rows with a model.

    Parameters
    ----------
    model : estimator, str, path or bytes
        A fitted estimator, such as the ``model`` of what ``find`` returned; or a model file.
    rows : list or column of str, data frame, array or sparse matrix
        The new rows. For a model of related tables: the examples, as in its ``rank``.
    recut : bool, default=False
        Place the cut for the share of positives that these rows are believed to have, instead of where the model has it.
    probabilities : bool, default=False
        Say how probable each row is, for models that know: those of ``find`` whose cut comes from hidden positives or
        that was asked for probabilities. With ``recut`` for the share of positives that these rows are believed to have.
    embed : str or path, default=None
        The embedding that the model was learned with, for a model file or an estimator that was unpickled.

    Returns
    -------
    scored : DataFrame
        In the order of the rows: ``score`` (within 0 and 1), ``positive`` (a score of 0.5 or more), where asked for
        ``probability``, ``probability_low`` and ``probability_high``, then their columns, of which those that are called so
        give way, with a warning. Of the make of the rows, else of pandas; a pandas table keeps its index. Its ``summary`` says how the
        rows compare with those that were learned from, for models that ``find`` made; rows that differ beyond chance
        are warned of.

    Examples
    --------
    >>> import likewise
    >>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
    >>> likewise.score(found.model, ["money", "parcel"])["positive"].tolist()
    [True, False]
    """
    model = _fitted(model, embed)
    if isinstance(model, RelationalClassifier):
        if recut:
            raise TypeError("recut is for models of rows; a model of related tables knows nothing to compare with")
        listed: Found = model.listed(rows, probabilities)
        return listed
    as_given, rows = rows, _frames.given(rows, "rows")
    scores, notes, compared, figures, known = model._compared(rows, recut, probabilities)
    tell(notes)
    tell(compared)
    columns = {"score": scores, "positive": scores >= 0.5, **probable(known)}
    table = _answer_tables.beside(columns, rows, np.arange(len(scores)))
    scored = Scored(ScoreSummary(figures, compared), model, notes)
    scored.notes += replaced(columns, rows, as_given)
    return with_answer(table, scored)


@dataclass(frozen=True)
class Explanation:
    """Why a row has its score: names of features with their pushes, strongest first.

    A push above 0 speaks for the class. ``id``, ``score`` and ``positive`` are None where it is the model that was asked
    about.
    """

    id: str | None
    score: float | None
    positive: bool | None
    reasons: list[tuple[str, float]]

    def __str__(self) -> str:
        if self.score is None:
            head = "What counts most in any row"
        else:
            head = f"{self.id}: score {self.score:.3f}, {'positive' if self.positive else 'not positive'}"
        lines = [f"{push:+.3f}  {'for' if push > 0 else 'against':7}  {reason}" for reason, push in self.reasons]
        return "\n".join([head, *lines])


def explain(
    model: Any,
    rows: Any = None,
    row: Any = None,
    *,
    id: Any = None,
    id_column: str | None = None,
    top: int = 12,
    embed: str | os.PathLike[str] | None = None,
) -> Explanation:
    """Say why a row has its score, or what a model looks for.

    Parameters
    ----------
    model : estimator, str, path or bytes
        A fitted estimator, such as the ``model`` of what ``find`` returned; or a model file.
    rows : list or column of str, data frame, array or sparse matrix, default=None
        The rows among which it stands; None asks what counts most in any row. For a model of related
        tables: the key of one example.
    row : int, default=None
        The position of the row, counted from 0 as ``iloc`` does, from the end where it is negative; None is the first one, or that of ``id``.
    id : object, default=None
        The id of the row instead.
    id_column : str, default=None
        The column that holds ids; None is the column ``id``, else the row number, counted from 1.
    top : int, default=12
        How many reasons.
    embed : str or path, default=None
        The embedding that the model was learned with, as in ``score``.

    Returns
    -------
    explanation : Explanation
        ``id`` (or the position), ``score``, ``positive`` and ``reasons``.

    Examples
    --------
    >>> import likewise
    >>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
    >>> likewise.explain(found.model, ["refund"], row=0, top=1).reasons[0][0]
    'refund'
    """
    model, top = _fitted(model, embed), whole("top", top, 0)
    if isinstance(model, RelationalClassifier):
        if rows is None:
            return Explanation(None, None, None, model._model.counts_most(top))
        rules = model.explain(rows, top)
        score = float(model.score_samples(rows if _frames.is_table(rows) else [rows])[0])
        return Explanation(str(rows), score, score >= 0.5, [(f"{r.clause}\n{r.sql}", r.push) for r in rules])
    if rows is None:
        if row is not None or id is not None:
            raise TypeError("where does the row stand? Give rows")
        return Explanation(None, None, None, model._model.counts_most(top))
    if row is not None and id is not None:
        raise TypeError("give either row or id")
    rows = _frames.given(rows, "rows")
    if id is not None and not _frames.is_table(rows):
        raise TypeError(f"id: rows of type {type(rows).__name__} have no ids; name the row by its position with row=")
    if row is not None:
        row = _frames.place(row, _frames.rows_of(rows))
    return Explanation(*model._explained(rows, row, None if id is None else _frames.cell_text(id), id_column, top))


def _fitted(model: Any, embed: str | os.PathLike[str] | None) -> Any:
    if isinstance(model, (str, os.PathLike, bytes)):
        return load(model, embed=embed)
    if not isinstance(model, (PUClassifier, RelationalClassifier)):
        raise TypeError(f"{type(model).__name__} is no model; give a fitted estimator or a model file")
    check_is_fitted(model)
    return model if embed is None else estimator_of(model._model.with_embedding(os.fspath(embed)))
