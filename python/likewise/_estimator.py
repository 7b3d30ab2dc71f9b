"""The estimator that every method's class is: scikit-learn's conventions around a trained model."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from . import _frames, _handed, _native
from ._errors import ParameterError, flag, whole
from ._notes import Told, tell
from ._progress import progress_bar
from ._reading import reading
from ._registry import READING, Method, plain
from ._summary import Summary
from ._writing import write_whole

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")

# What scikit-learn is to make of rows of numbers; whether these are finite is seen on the Rust side.
NUMBERS: dict[str, Any] = {
    "accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C", "ensure_all_finite": False
}

# scikit-learn tags what stays under an accuracy of 0.83 on two blobs of numbers whose labels are the truth. That is
# no pile: none of its rows is positive. With 40 of the 100 positives labelled and the others in the pile, all but
# NMFPUL and SpySVM are right about 94 % of the rows or more.
# These weigh the two sides by how many positives they find in the pile, and there are none.
POOR_SCORE = {"NNPU", "UPU"}
# By its own threshold this one takes a share of the pile for further positives; the others do as well as they can, and
# poorly where the cut leaves no positive in such a pile.
POOR_NATURAL, POOR_CUT = {"PULP"}, {"Rocchio", "SpySVM"}


class PUClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all estimators share. Use one of its subclasses, one for each method."""

    _method: ClassVar[Method]

    random_state: Any
    n_jobs: int | None
    words: dict[str, Any] | None
    text: str | Sequence[str] | None
    features: str | Sequence[str] | None
    vectors: str | Sequence[str] | None
    leave_out: str | Sequence[str] | None
    cut: str | dict[str, float] | None
    calibrated: bool
    verbose: bool

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labelled positives and unlabelled rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame, dict of blocks or list of str
            The rows: a data frame of pandas, polars or Arrow, whose columns are looked at as in ``find`` (text, numbers,
            which are scaled, categories, dates, vectors, missing values; a column ``id`` says nothing), also as a dict of
            named blocks, in which an array of two dimensions is vectors; documents, as a list or column of text; or an
            array or sparse matrix of shape (n_samples, n_features), whose numbers are taken as they are, as are those of a
            pandas frame whose columns are sparse or have no names of their own.
        y : array of shape (n_samples,)
            Two labels of any type. The larger one marks the labelled positives, the other one the
            unlabelled rows. Or the three numbers 1 (wanted), -1 (known not to be wanted) and 0 (unlabelled).

        Returns
        -------
        self : object
            The estimator itself, fitted.
        """
        every, X = _frames.is_named(X), _frames.given(X, "X")
        read = self._reading(X, every)
        self._forget_columns()
        if _frames.is_text(X) or (_frames.is_table(X) and not _frames.is_matrix_in_table(X)):
            if y is None:
                raise ValueError(f"this {type(self).__name__} requires y to be passed, but the target y is None")
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
            rows = _handed.rows(X, self.text)
            if _frames.is_numbers(X) and not self._names_columns():
                # scikit-learn wants new rows to have the same columns in the same order.
                validate_data(self, X, skip_check_array=True)
                self._columns = _frames.column_names(X)
            self.classes_, positive, unwanted = marks(y)
            self._learn(rows, [], positive, unwanted, read)
            return self
        if self._names_columns() and self.features != "all":
            raise ParameterError(
                "parameters `text`, `features`, `vectors` and `leave_out` name columns of a data frame, and X is "
                f"{type(X).__name__}, whose columns have no names; give a data frame, or leave them out"
            )
        if _is_plain(X, y):
            self.n_features_in_ = X.shape[1]
        else:
            X, y = validate_data(self, X, y, **NUMBERS, ensure_min_samples=2)
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        self.classes_, positive, unwanted = marks(y)
        with_arrays(X, lambda rows: self._learn(rows, names, positive, unwanted, read), type(self).__name__)
        return self

    def _names_columns(self) -> bool:
        return any(names is not None for names in (self.text, self.features, self.vectors, self.leave_out))

    def _reading(self, X: Any, every: bool) -> dict[str, Any]:
        """Which columns of a data frame are read, and how."""
        columns: dict[str, Any] = dict(text=self.text, features=self.features, vectors=self.vectors, leave_out=self.leave_out)
        return reading(X, **columns, words=self.words, every=every)

    def _learn(
        self, rows: Any, names: list[str], positive: np.ndarray, unwanted: np.ndarray | None, read: dict[str, Any]
    ) -> None:
        self._model, self.scores_, said, notes = _native.fit(
            self._method.name,
            method_parameters(self, self._method),
            rows,
            names,
            positive,
            unwanted,
            read,
            _label_names(self.classes_),
            ending(self.cut),
            flag("calibrated", self.calibrated),
            self._settings(),
        )
        self._said = None if said is None else Summary(said)
        self.notes_ = tell(notes)

    def _settings(self) -> _native.Settings:
        return settings(self.random_state, self.n_jobs, self.verbose)

    def _forget_columns(self) -> None:
        for name in ("n_features_in_", "feature_names_in_", "_columns"):
            self.__dict__.pop(name, None)

    def _asked(self, X: Any, ask: Callable[[Any], T]) -> T:
        """The answer to a question about new rows, which it gets as the model takes them."""
        check_is_fitted(self)
        X = _frames.given(X, "X")
        if self._model.reads == "rows":
            return with_arrays(validate_data(self, X, reset=False, **NUMBERS), ask, type(self).__name__)
        if _frames.is_table(X):
            if hasattr(self, "_columns"):
                validate_data(self, X, reset=False, skip_check_array=True)
            elif self._model.columns[:1] == ["feature 1"] and "feature 1" not in _frames.column_names(X):
                raise TypeError(
                    f"this {type(self).__name__} was found in a matrix, whose columns have no names; give such rows, as "
                    "frame.to_numpy() makes of a data frame"
                )
            return ask(_handed.table(X))
        if _frames.is_text(X) or (self._model.reads == "words" and _frames.is_blank(X)):
            return ask(_handed.texts(X))
        if hasattr(self, "_columns"):
            return ask(_handed.named_columns(validate_data(self, X, reset=False, **NUMBERS), self._columns))
        if self._model.reads == "columns" and _frames.is_matrix(X):
            return ask(_handed.matrix(_handed.dense(X)))
        wanted = "documents (a list or column of text)" if self._model.reads == "words" else "a data frame"
        raise TypeError(f"this {type(self).__name__} was trained on {wanted}, not on {type(X).__name__}")

    def _score_rows(self, X: Any) -> np.ndarray:
        run = self._settings()
        scores, notes = self._asked(X, lambda rows: self._model.score(rows, run))
        tell(notes)
        return scores

    def _compared(
        self, X: Any, recut: bool, probabilities: bool
    ) -> tuple[np.ndarray, list[Told], list[Told], str, np.ndarray | None]:
        run = self._settings()
        return self._asked(X, lambda rows: self._model.score_and_compare(rows, recut, probabilities, run))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Score rows: the second column is the score of the positive class, within 0 and 1.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of str
            Rows like those of ``fit``.

        Returns
        -------
        scores : ndarray of shape (n_samples, 2)
            A row is positive where its second score is at least 0.5, wherever the cut is. Scores rank; whether they are
            probabilities too depends on the method. With ``calibrated=True`` they are probabilities, and
            ``predict`` still cuts where the class ends, which need not be at 0.5 of these.
        """
        scores = self._score_rows(X)
        if self.calibrated:
            known = self._model.probabilities(scores)
            if known is None:
                raise ValueError(
                    f"this {type(self).__name__} does not know how probable rows are: fit it with calibrated=True, "
                    "from two positives or more"
                )
            return np.column_stack([1.0 - known[:, 0], known[:, 0]])
        # A score of exactly 0.5 is positive, so the other column must be the smaller one.
        others = np.where(scores == 0.5, np.nextafter(0.5, 0.0), 1.0 - scores)
        return np.column_stack([others, scores])

    def decision_function(self, X: Any) -> np.ndarray:
        """How far on the positive side rows are: above 0 exactly where they are positive.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of str
            Rows like those of ``fit``.

        Returns
        -------
        margins : ndarray of shape (n_samples,)
            One for each row.
        """
        return _native.margins(self._score_rows(X))

    def predict(self, X: Any) -> np.ndarray:
        """Decide: the larger label for what belongs to the class, else the smaller one.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of str
            Rows like those of ``fit``.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            One of the two labels for each row.
        """
        scores = self._score_rows(X)
        labels: np.ndarray = self.classes_[(scores >= 0.5).astype(int)]
        return labels

    def fit_predict(self, X: Any, y: Any) -> np.ndarray:
        """Learn, and decide on the very rows that were learned from.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of str
            Rows as for ``fit``.
        y : array of shape (n_samples,)
            Labels as for ``fit``.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            One of the two labels for each row.
        """
        self.fit(X, y)
        labels: np.ndarray = self.classes_[(self.scores_ >= 0.5).astype(int)]
        return labels

    def explain(self, X: Any, row: int = 0, top: int = 10) -> list[tuple[str, float]]:
        """Say why a row has its score.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of str
            Rows like those of ``fit``.
        row : int, default=0
            The position of the row, counted from 0, from the end where it is negative.
        top : int, default=10
            How many reasons.

        Returns
        -------
        reasons : list of (str, float)
            Names of features, strongest first; a push above 0 speaks for the positive class.
        """
        X = _frames.given(X, "X")
        return self._explained(X, _frames.place(row, _frames.rows_of(X)), None, None, top)[3]

    def _explained(
        self, X: Any, row: int | None, id: str | None, id_column: str | None, top: int
    ) -> tuple[str, float, bool, list[tuple[str, float]]]:
        run = self._settings()
        top = whole("top", top, 0)
        return self._asked(X, lambda rows: self._model.explain(rows, row, id, id_column, top, run))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which ``likewise.load`` and the command line read.

        Parameters
        ----------
        path : str or path
            Where to; a file that is there already is replaced.
        """
        check_is_fitted(self)
        write_model(self._model, path)

    @property
    def summary_(self) -> Summary:
        """How many positives there are, how sure that is, and what was tried; only where positives were hidden to tell."""
        check_is_fitted(self)
        if self._said is not None:
            return self._said
        said = self._model.summary()
        if said is None:
            raise AttributeError(
                f"this {type(self).__name__} says nothing of its own answer; Auto does, and others with cut='hidden'"
            )
        return Summary(said)

    @property
    def terms_(self) -> list[str]:
        """The words that the model knows; only where it was trained on documents."""
        check_is_fitted(self)
        if self._model.terms is None:
            raise AttributeError(f"this {type(self).__name__} was not trained on documents")
        return self._model.terms

    def _restore(self, model: _native.Model) -> None:
        """Puts a loaded model in place of training."""
        self._model, self._said = model, None
        self.classes_ = np.array([0, 1] if model.labels is None else json.loads(model.labels))
        if model.reads == "rows":
            self.n_features_in_ = model.width
            if model.columns:
                self.feature_names_in_ = np.array(model.columns, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        poor = POOR_SCORE | (POOR_NATURAL if self.cut == "natural" else POOR_CUT)
        tags.classifier_tags.poor_score = type(self).__name__ in poor
        tags.input_tags.sparse = True
        return tags


def method_parameters(estimator: Any, method: Method) -> str:
    """The method's parameters as JSON, without those that the reading decides."""
    given = {}
    for parameter in method.parameters:
        value = getattr(estimator, parameter.attribute)
        if parameter.name == "cut" and isinstance(value, dict):
            continue  # a place that is asked for, whatever the method would do
        follows = method.readings and parameter.name != READING
        if not (follows and isinstance(value, str) and value == READING):
            given[parameter.name] = plain(parameter, value)
    return json.dumps(given)


def write_model(model: _native.Model, path: str | os.PathLike[str]) -> None:
    """A model file; it appears whole or not at all."""
    write_whole(path, model.to_bytes())


def settings(random_state: Any, n_jobs: int | None, verbose: bool) -> _native.Settings:
    """The circumstances of a run."""
    seed = random_state
    if seed is None or isinstance(seed, np.random.RandomState) or seed is np.random:
        seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
    elif isinstance(seed, np.random.Generator):
        seed = seed.integers(np.iinfo(np.int32).max)
    seed = whole("random_state", seed, 0)
    jobs = None if n_jobs is None else whole("n_jobs", n_jobs)
    if jobs is not None and jobs < 0:
        jobs = max(1, (os.cpu_count() or 1) + 1 + jobs)
    if jobs == 0:
        raise ParameterError("parameter `n_jobs`: 0 threads do nothing; None and -1 mean one for each core")
    return _native.Settings(seed, jobs, progress_bar(verbose))


def marks(y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The two labels that answers have, which rows are positive, and which are known not to be wanted."""
    if y.ndim == 1 and y.dtype.kind in "if" and len(y) > 0 and y.min() == -1 and y.max() == 1 and (y == 0).any():
        unwanted = np.asarray(y == -1)
        positive = np.asarray(y == 1)
        if (unwanted | positive | (y == 0)).all():
            return np.array([-1, 1]), positive, unwanted
    classes, positive = two_labels(y)
    if classes.tolist() == [-1, 0]:
        raise ValueError(
            "y holds -1 (known not to be wanted) and 0 (unlabelled) and no 1 (wanted); mark examples with 1, or name the two "
            "labels otherwise if 0 marks them"
        )
    return classes, positive, None


def two_labels(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The labels of unlabelled and of positive rows, and which rows are positive."""
    if y.ndim == 1 and len(y) > 0 and y.dtype.kind in "biu":
        # The common case, with which scikit-learn's own checks take as long as some methods take to learn.
        ends: np.ndarray = np.array([y.min(), y.max()])
        positive: np.ndarray = y == ends[1]
        if ends[0] != ends[1] and np.logical_or(positive, y == ends[0]).all():
            return ends, positive
    if len(y) == 0:
        raise ValueError("y has no label; give one for each row")
    if y.dtype == object:
        for row, label in enumerate(y):
            if _frames.is_missing(label):
                raise ValueError(f"y has no label in row {row}; give one for each row, unlabelled rows the smaller of the two")
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        check_classification_targets(y)
        raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
    labels: np.ndarray = np.unique(y)
    if len(labels) < 2:
        raise ValueError(
            f"y holds a single class, {labels[0]!r}; it must mark labelled positives with the larger "
            "and unlabelled rows with the smaller of two labels"
        )
    return labels, np.asarray(y == labels[1])


def _is_plain(X: Any, y: Any) -> bool:
    """Whether rows and labels are as the Rust side takes them, so that scikit-learn has nothing to convert or to refuse."""
    return (
        isinstance(X, (scipy.sparse.csr_matrix, scipy.sparse.csr_array))
        and X.dtype in (np.float32, np.float64)
        and X.ndim == 2
        and min(X.shape) > 1
        and isinstance(y, np.ndarray)
        and y.shape == X.shape[:1]
        and y.dtype.kind in "biu"
    )


def with_arrays(X: Any, ask: Callable[[Any], T], asker: str | None = None) -> T:
    """The answer to a question about a validated matrix, which it gets as the Rust side takes it.

    That side looks at every index and value anyway. So they are not looked at before, which on large rows costs as much
    time as a fast method, but only where it refuses them.
    """
    try:
        return ask(_arrays(X))
    except ValueError as error:
        refused = error
    assert_all_finite(X.data if scipy.sparse.issparse(X) else X, estimator_name=asker, input_name="X")
    if not scipy.sparse.issparse(X) or X.has_canonical_format:
        raise refused
    X = X.copy()
    X.sum_duplicates()
    return ask(_arrays(X))


def _arrays(X: Any) -> Any:
    return (X.shape[1], X.indptr, X.indices, X.data) if scipy.sparse.issparse(X) else X


def ending(cut: Any) -> tuple[str, float | None] | None:
    """Where the class ends, by name and number."""
    if cut is None or isinstance(cut, str):
        return None if cut is None else (cut, None)
    if isinstance(cut, dict) and len(cut) == 1:
        [(name, value)] = cut.items()
        if isinstance(name, str) and isinstance(value, (int, float, np.number)):
            return name, float(value)
    named = "'natural', 'hidden', or one of recall, precision, share, top and threshold, as in {'recall': 0.95}"
    raise ValueError(f"cut is {named}; not {cut!r}")


def _label_names(classes: np.ndarray) -> str | None:
    """The labels for the model file, where JSON can hold them."""
    labels = classes.tolist()
    known = all(isinstance(label, (bool, int, float, str)) for label in labels)
    return json.dumps(labels) if known else None
