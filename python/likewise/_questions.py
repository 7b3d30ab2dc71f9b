"""Questions asked of positives and a pile, or of scores, in one call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _frames, _native
from ._estimator import json_text, settings, tell, two_labels, with_arrays
from ._generate import ESTIMATORS
from ._registry import METHODS, Method, plain

AUTOMATIC = "auto"


def find(
    positives: Any,
    pile: Any,
    *,
    method: str = AUTOMATIC,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    id: str | None = None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
    **parameters: Any,
) -> Any:
    """Rank a pile by likeness to a few examples.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, array or sparse matrix
        Examples of what you want, and the rows to search; both of one kind.
    method : str, default='auto'
        How to learn: the name of a method of the command line, such as ``'lgn'``.
    text : str or list of str, default=None
        Text columns of data frames; None is the column ``text``, or the only one.
    features : str or list of str, default=None
        Columns of data frames with numbers and categories to learn from instead of text; ``'all'`` is
        every column but the id.
    id : str, default=None
        The column that is an id and says nothing; None is the column ``id``.
    keep_positives : bool, default=False
        Rank rows of a pile of documents or of a data frame even if their content is that of a positive, and
        learn from positives that repeat another.
    words : dict, default=None
        How documents become words, as in the estimators.
    random_state : int, RandomState instance or None, default=0
        Seed of every random choice.
    n_jobs : int, default=None
        Number of threads; None and -1 mean one for each core.
    verbose : bool, default=False
        Show progress with tqdm, where that is installed.
    **parameters
        Parameters of the method.

    Returns
    -------
    ranking : DataFrame
        Best first: ``rank``, ``row`` (the position in the pile), ``score``, ``positive``, then the columns
        of the pile. A polars or Arrow table where the pile was one, else a pandas table.

    Examples
    --------
    >>> import likewise
    >>> refunds = ["refund my money", "money back please", "please refund me", "want my money back"]
    >>> pile = ["late parcel", "where is my parcel", "I need a refund of my money", "parcel lost in the post"]
    >>> found = likewise.find(refunds, pile, method="nb")
    >>> found["row"].tolist()[0], found["positive"].tolist()[0]
    (2, True)
    """
    if _frames.is_matrix(pile):
        matrix, labels = _stacked(positives, pile)
        own = {"words": words, "random_state": random_state, "n_jobs": n_jobs, "verbose": verbose}
        estimator = ESTIMATORS[_method(method).class_name](**parameters, **own)
        scores = estimator.fit(matrix, labels).scores_[labels == 0]
        rows = np.argsort(-scores, kind="stable")
        scores = scores[rows]
    else:
        order, scores, _, notes = _native.find(
            method,
            _given(_method(method), parameters),
            _columns(positives, text),
            _columns(pile, text),
            _reading(pile, text, features, id, keep_positives, words),
            settings(random_state, n_jobs, verbose),
        )
        tell(notes)
        rows = order.astype(np.int64)
    told = {"rank": np.arange(1, len(rows) + 1), "row": rows, "score": scores, "positive": scores >= 0.5}
    return _frames.beside(told, pile, rows)


def unexpected(
    known: Any,
    label: Any,
    new: Any,
    *,
    method: str = AUTOMATIC,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    id: str | None = None,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
    **parameters: Any,
) -> Any:
    """Tell new rows of unknown classes from those of known ones.

    Parameters
    ----------
    known : list or column of str, or data frame
        Rows of the known classes.
    label : str or array of shape (n_known,)
        The class of each known row, or the column of ``known`` that names it.
    new : list or column of str, or data frame
        The new rows.
    method : str, default='auto'
        How to learn: the name of a method of the command line, such as ``'lgn'``.
    text, features, id, words, random_state, n_jobs, verbose, **parameters
        As in ``find``.

    Returns
    -------
    verdicts : DataFrame
        In the order of ``new``: ``unexpected``, ``score`` (larger is more likely unexpected), ``class``
        (None where a row is unexpected), then the columns of ``new``.

    Examples
    --------
    >>> import likewise
    >>> known = ["engine wheel motor car", "car wheel brake motor", "goal team match ball", "team ball goal win"]
    >>> new = ["motor car engine brake", "ball team goal", "protein enzyme cell gene protein enzyme gene"]
    >>> told = likewise.unexpected(known, ["cars", "cars", "sport", "sport"], new, method="lgn")
    >>> told["unexpected"].tolist(), told["class"].tolist()[:2]
    ([False, False, True], ['cars', 'sport'])
    """
    named = isinstance(label, str) and _frames.is_table(known)
    classes = _frames.cells(_frames.column_of(known, label) if named else label)
    check_consistent_length(classes, known)
    scores, marks, found, notes = _native.unexpected(
        method,
        _given(_method(method), parameters),
        _columns(known, text),
        [str(cell) for cell in classes],
        label if named else None,
        _columns(new, text),
        _reading(new, text, features, id, True, words),
        settings(random_state, n_jobs, verbose),
    )
    tell(notes)
    told = {"unexpected": np.array(marks), "score": scores, "class": np.array(found, dtype=object)}
    return _frames.beside(told, new, np.arange(len(scores)))


@dataclass(frozen=True)
class Estimate:
    """An estimate with its bootstrap interval (nominal 95 %)."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Prior(Estimate):
    """The share of positives in a pile: the median of the estimators, and each of them."""

    estimates: dict[str, Estimate]


def prior(
    positives: Any,
    pile: Any,
    *,
    rankers: Sequence[str] | None = None,
    folds: int = 5,
    resamples: int = 100,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    id: str | None = None,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Prior:
    """Estimate how many of a pile are positive.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, array or sparse matrix
        Examples of the class, and the pile. One-dimensional arrays of numbers are taken for the scores of
        both by a model that has seen neither.
    rankers : list of str, default=None
        Methods whose ranks of hidden positives are used; None takes several.
    folds : int, default=5
        Into how many parts the positives are dealt, each of which is hidden once.
    resamples : int, default=100
        Bootstrap resamples behind the intervals.
    text, features, id, words, random_state, n_jobs, verbose
        As in ``find``.

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
    if _frames.is_scores(pile):
        lines, notes = _native.prior_of_scores(_numbers(positives), _numbers(pile), resamples, run)
    elif _frames.is_matrix(pile):
        rows, labels = _stacked(positives, pile)
        given = None if rankers is None else list(rankers)
        lines, notes = with_arrays(
            rows, lambda rows: _native.prior_of_rows(rows, labels == 1, given, folds, resamples, run)
        )
    else:
        lines, notes = _native.prior_of_tables(
            _columns(positives, text),
            _columns(pile, text),
            _reading(pile, text, features, id, False, words),
            None if rankers is None else list(rankers),
            folds,
            resamples,
            run,
        )
    tell(notes)
    estimates = {name: Estimate(*numbers) for name, *numbers in lines}
    default = list(estimates.values())[-1]
    return Prior(default.value, default.low, default.high, estimates)


def evaluate(
    y: Any,
    scores: Any,
    *,
    prior: float | Estimate | None = None,
    resamples: int = 200,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> dict[str, Estimate]:
    """Measure scores without a single known negative.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Two labels; the larger one marks the labelled positives, the other one the unlabeled rows.
    scores : array of shape (n_samples,)
        Scores from 0 to 1, of a model that did not learn from these labels (``cross_val_predict``);
        0.5 and more is called positive.
    prior : float or Estimate, default=None
        The share of positives among the unlabeled. A number is taken as known; an estimate, such as that of
        ``prior``, brings its range; None estimates it from the scores.
    resamples : int, default=200
        Bootstrap resamples behind the intervals; 0 leaves them out.
    random_state : int, RandomState instance or None, default=0
        Seed of the resamples.
    n_jobs : int, default=None
        Number of threads; None and -1 mean one for each core.

    Returns
    -------
    measures : dict of str to Estimate
        ``recall``, ``precision`` and ``f1`` as estimated; ``lee_liu`` (recall² over the share called
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
    """
    labels = column_or_1d(y)
    scores = _numbers(scores)
    check_consistent_length(labels, scores)
    _, positive = two_labels(labels)
    run = settings(random_state, n_jobs, False)
    if prior is None:
        lines, notes = _native.prior_of_scores(scores[positive], scores[~positive], resamples, run)
        tell(notes)
        prior = Estimate(*lines[-1][1:])
    elif not isinstance(prior, Estimate):
        prior = Estimate(float(prior), float(prior), float(prior))
    share = (prior.value, prior.low, prior.high)
    measures = _native.evaluate(scores, np.ascontiguousarray(positive), share, resamples, run)
    return {name: Estimate(*numbers) for name, *numbers in measures}


def _numbers(scores: Any) -> np.ndarray:
    return np.ascontiguousarray(column_or_1d(scores), dtype=np.float64)


def _method(name: str) -> Method:
    methods = [method for method in METHODS if method.is_estimator]
    for method in methods:
        if method.name == name:
            return method
    known = ", ".join(method.name for method in methods)
    raise ValueError(f"there is no method {name!r}; there are {known}")


def _given(method: Method, parameters: dict[str, Any]) -> str:
    by_attribute = {parameter.attribute: parameter for parameter in method.parameters}
    given = {}
    for attribute, value in parameters.items():
        if attribute not in by_attribute:
            known = ", ".join(by_attribute) or "none"
            raise TypeError(f"method {method.name!r} has no parameter {attribute!r}; it has {known}")
        given[by_attribute[attribute].name] = plain(by_attribute[attribute], value)
    return json.dumps(given)


def _columns(data: Any, text: Any) -> Any:
    """Documents as a list, tables as a dictionary of columns."""
    if _frames.is_table(data) and not (text is None and _frames.is_text(data)):
        return _frames.columns(data)
    return _frames.documents(data)


def _reading(
    data: Any, text: Any, features: Any, id: str | None, keep_positives: bool, words: dict[str, Any] | None
) -> dict[str, Any]:
    listed = [None if names is None else [names] if isinstance(names, str) else list(names) for names in (text, features)]
    return {
        "text": listed[0],
        "features": listed[1],
        "id": id,
        "keep_positives": keep_positives,
        "words": None if words is None else json_text("words", words),
    }


def _stacked(positives: Any, pile: Any) -> tuple[Any, np.ndarray]:
    """Both matrices in one, and which rows are which."""
    above, below = (
        check_array(side, accept_sparse="csr", dtype=[np.float64, np.float32], order="C") for side in (positives, pile)
    )
    if above.shape[1] != below.shape[1]:
        raise ValueError(f"the positives have {above.shape[1]} columns and the pile has {below.shape[1]}")
    sparse = scipy.sparse.issparse(above) or scipy.sparse.issparse(below)
    rows = scipy.sparse.vstack([above, below], format="csr") if sparse else np.vstack([above, below])
    return rows, np.repeat([1, 0], [above.shape[0], below.shape[0]])
