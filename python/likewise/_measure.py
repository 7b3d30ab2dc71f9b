"""Prior and evaluate: how many there are, and how good an answer is."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _frames, _handed, _native
from ._asking import numbers, problem
from ._errors import number, whole
from ._estimator import settings, two_labels
from ._notes import Told, tell
from ._read_sample import WANTED, Estimate, Read, columns_of_answer, read, texts
from ._truth import labels_of, meant


@dataclass(frozen=True)
class Prior(Estimate):
    """The share of positives in a pile: the median of the estimators, and each of them."""

    estimates: dict[str, Estimate]


@dataclass(frozen=True)
class Measures:
    """An answer beside the truth."""

    rows: int
    positives: int
    precision: float
    recall: float
    f1: float
    accuracy: float
    average_precision: float
    area_under_roc: float
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


@dataclass(frozen=True)
class Evaluation:
    """An answer beside the truth, and the two answers that need no learning."""

    answer: Measures
    all_positive: Measures
    all_negative: Measures


def prior(
    positives: Any,
    pile: Any,
    *,
    unlike: Any = None,
    rankers: Sequence[str] | None = None,
    folds: int = 5,
    resamples: int = 100,
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
) -> Prior:
    """Estimate how many of a pile are positive.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, dict of blocks, array or sparse matrix
        Examples of the class, and the pile. One-dimensional arrays of numbers are taken for the scores of
        both by a model that has seen neither.
    unlike : the same, default=None
        Rows known not to be wanted. They teach and are never part of the pile.
    rankers : list of str, default=None
        Methods whose ranks of hidden positives are used; None takes several.
    folds : int, default=5
        Into how many parts the positives are dealt, each of which is hidden once.
    resamples : int, default=100
        Bootstrap resamples behind the intervals.
    text, features, vectors, embed, leave_out, id, keep_positives, words, random_state, n_jobs, verbose : as in ``find``
        The same as there.

    Returns
    -------
    prior : Prior
        ``value``, ``low`` and ``high`` of the default, which is the median of several estimators, and all
        ``estimates`` by name. It works as a number too. It is an upper bound: negatives that look exactly
        like positives cannot be told from them.

    Examples
    --------
    >>> import likewise, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> held_out, pile = rng.normal(3, size=200), rng.normal([3.0] * 250 + [-3.0] * 750)
    >>> round(float(likewise.prior(held_out, pile)), 1)
    0.2
    """
    run = settings(random_state, n_jobs, verbose)
    folds, resamples = whole("folds", folds, 0), whole("resamples", resamples, 0)
    if _frames.is_scores(pile):
        lines, notes = _native.prior_of_scores(numbers(positives), numbers(pile), resamples, run)
    else:
        columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
        lines, notes = _native.prior_of_tables(
            *problem("prior", positives, pile, unlike, **columns, keep_positives=keep_positives)[1],
            [rankers] if isinstance(rankers, str) else None if rankers is None else list(rankers),
            folds,
            resamples,
            run,
        )
    return prior_of(lines, notes)


def prior_of(lines: list[tuple[str, float, float, float]], notes: list[Told]) -> Prior:
    """What the estimators say; the last is the default."""
    tell(notes)
    estimates = {name: Estimate(*numbers) for name, *numbers in lines}
    default = list(estimates.values())[-1]
    return Prior(default.value, default.low, default.high, estimates)


@overload
def evaluate(
    y: Any,
    scores: Any,
    *,
    prior: float | Estimate | None = ...,
    resamples: int = ...,
    random_state: Any = ...,
    n_jobs: int | None = ...,
) -> dict[str, Estimate]: ...


@overload
def evaluate(
    y: Any,
    *,
    truth: Any,
    label: str = ...,
    positive: Any = ...,
    id: str | None = ...,
    random_state: Any = ...,
    n_jobs: int | None = ...,
) -> Evaluation: ...


@overload
def evaluate(y: Any, *, marks: Any, label: str = ..., id: str | None = ...) -> Read: ...


def evaluate(
    y: Any,
    scores: Any = None,
    *,
    truth: Any = None,
    marks: Any = None,
    label: str | None = None,
    positive: Any = True,
    id: str | None = None,
    prior: float | Estimate | None = None,
    resamples: int = 200,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> dict[str, Estimate] | Evaluation | Read:
    """Measure an answer: without a single known negative, beside the truth, or by rows of it that were read.

    Parameters
    ----------
    y : array of shape (n_samples,), or data frame
        Two labels; the larger one marks the labelled positives, the other one the unlabelled rows. With
        ``truth`` or ``marks``, an answer of ``find`` or ``score`` instead.
    scores : array of shape (n_samples,), default=None
        Scores from 0 to 1, of a model that did not learn from these labels (``cross_val_predict``);
        0.5 and more is called positive. Not with ``truth``.
    truth : array or data frame, default=None
        What the rows are in truth: the label of each row of the pile, in its order; or a data
        frame with the label of each row, which are matched by id.
    marks : data frame, default=None
        Rows of the answer that were drawn with ``audit_sample`` and read: a column ``wanted`` with yes or no, empty where
        a row was not read. They are matched by id, else by ``row``.
    label, positive : str and object, default=None and True
        The column of the truth or the marks that holds the label (None is ``positive`` of a truth and ``wanted`` of
        marks), and the label of a truth that means positive; True is the 1 of labels that are numbers.
    id : str, default=None
        The column of the truth that holds the id; None is the column ``id``, else the row number, counted
        from 1.
    prior : float or Estimate, default=None
        The share of positives among the unlabelled. A number is taken as known; an estimate, such as that of
        ``prior``, brings its range; None estimates it from the scores.
    resamples : int, default=200
        Bootstrap resamples behind the intervals; 0 leaves them out.
    random_state : int, RandomState instance or None, default=0
        Seed of the resamples.
    n_jobs : int, default=None
        Number of threads; None and -1 mean one for each core.

    Returns
    -------
    measures : dict of str to Estimate, Evaluation or Read
        With ``marks``, ``precision``, ``recall`` and ``f1`` that rest on reading and on no assumption, with exact
        intervals, and how many rows were read. With ``truth``, the measures of the ``answer``, and those of the two that need no learning:
        ``all_positive`` and ``all_negative``. Else ``recall``, ``precision`` and ``f1`` as estimated; ``lee_liu`` (recall² over the share called
        positive), ``area_under_roc`` corrected for the positives in the pile, ``area_under_lift``, and
        ``average_precision`` as estimated; each with its interval. Where the prior is an estimate, its own
        error is larger than any other: the interval then reaches from the lower end at one end of the
        prior's range to the upper end at the other. Only ``recall`` and ``lee_liu`` do not depend on it.

    Examples
    --------
    >>> import likewise
    >>> y = [1, 0, 1, 0, 1, 0]
    >>> told = likewise.evaluate(y, [0.9, 0.8, 0.7, 0.6, 0.2, 0.1], prior=0.5)
    >>> round(told["recall"].value, 3), round(told["precision"].value, 3), round(told["lee_liu"].value, 3)
    (0.667, 0.75, 0.667)
    >>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
    >>> likewise.evaluate(found, truth=[True, False]).answer.average_precision
    1.0
    """
    if marks is not None:
        if truth is not None or scores is not None:
            raise TypeError("with marks=, give nothing but the answer: evaluate(found, marks=marks)")
        return read(y, marks, label or WANTED, id, settings(random_state, n_jobs, False))
    if truth is not None:
        if scores is not None:
            raise TypeError("with truth=, the answer brings its scores: evaluate(found, truth=truth)")
        truth = _frames.table_of_blocks(_frames.listed(truth, "truth"))
        return _beside_truth(y, truth, label or "positive", positive, id, settings(random_state, n_jobs, False))
    if scores is None:
        raise TypeError(
            "what is measured? Give labels and scores, or an answer with what is known of it: evaluate(found, truth=truth) "
            "or evaluate(found, marks=marks)"
        )
    resamples = whole("resamples", resamples, 0)
    labels = column_or_1d(y)
    scores = numbers(scores)
    check_consistent_length(labels, scores)
    _, marked = two_labels(labels)
    run = settings(random_state, n_jobs, False)
    if prior is None:
        lines, notes = _native.prior_of_scores(scores[marked], scores[~marked], resamples, run)
        tell(notes)
        prior = Estimate(*lines[-1][1:])
    elif not isinstance(prior, Estimate):
        share_known = number("prior", prior)
        prior = Estimate(share_known, share_known, share_known)
    share = (prior.value, prior.low, prior.high)
    measures = _native.evaluate(scores, np.ascontiguousarray(marked), share, resamples, run)
    return {name: Estimate(*numbers) for name, *numbers in measures}


def _beside_truth(
    answer: Any, truth: Any, label: str, positive: Any, id: str | None, run: _native.Settings
) -> Evaluation:
    """The answer and the truth as tables that name their rows alike."""
    columns = columns_of_answer(answer)
    at = columns.get("row", range(len(columns["score"])))
    if _frames.is_table(truth):
        ids = columns["id"] if "id" in columns else [row + 1 for row in at]
        known, value = _handed.table(truth), meant(_frames.column_or_none(truth, label), positive)
    else:
        labels = labels_of(truth)
        ids, value = [row + 1 for row in at], meant(truth, positive)
        known, id, label = {"id": texts(range(1, len(labels) + 1)), "positive": labels}, None, "positive"
    told = {"id": texts(ids), "score": numbers(columns["score"]), "positive": texts(columns["positive"])}
    found, notes = _native.evaluate_beside_truth(told, known, id, label, value, run)
    tell(notes)
    return Evaluation(**{name: Measures(**measures) for name, measures in json.loads(found).items()})
