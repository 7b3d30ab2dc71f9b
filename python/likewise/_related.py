"""The estimator that every relational method's class is: examples among tables that refer to each other."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _answer_tables, _frames, _native
from ._columns import probable
from ._errors import Note
from ._estimator import ending, method_parameters, settings, write_model
from ._notes import tell
from ._registry import Method
from ._related_tables import MOST_DRAWN, as_in, asked, collected, examples_of, names_of, related_tables
from ._summary import Summary
from ._writing import write_whole

if TYPE_CHECKING:
    from typing_extensions import Self


class Rule(NamedTuple):
    """A rule that an example satisfies, as a clause and as SQL, and how much it pushes the score."""

    clause: str
    sql: str
    push: float


class RelationalClassifier(BaseEstimator):  # type: ignore[misc]
    """What all relational methods share. Use one of its subclasses, one for each method."""

    _method: ClassVar[Method]
    _model: _native.Model
    # Where facts come from, and the tables as they were given; none after loading.
    _bound: tuple[_native.Related, dict[str, Any]] | None

    # What is known of the answer, and the circumstances of the run; none after loading.
    _answer: tuple[_native.Answer, _native.Settings] | None
    _said: Summary | None

    random_state: Any
    n_jobs: int | None
    cut: str | dict[str, float] | None
    certainty: bool
    calibrated: bool
    verbose: bool

    def fit(
        self,
        tables: Mapping[str, Any] | None = None,
        references: Iterable[str | tuple[str, str]] = (),
        *,
        target: str,
        positives: Any = None,
        negatives: Any = None,
        pile: Any = None,
        schema: Mapping[str, Any] | None = None,
        database: str | os.PathLike[str] | list[str] | None = None,
        modes: str | os.PathLike[str] | None = None,
        draw: int = MOST_DRAWN,
    ) -> Self:
        """Learn from examples among related tables, and rank the others.

        Parameters
        ----------
        tables : dict of str to data frame, default=None
            The tables by name: pandas, polars, Arrow, or dictionaries of columns.
        references : list of str or of pairs of str, default=()
            Which column refers to which table: ``'orders.customer -> customers.id'``, the pair
            ``('orders.customer', 'customers.id')``, or without the key ``'orders.customer -> customers'``.
            References and keys that are not given are guessed from names and values; ``notes_`` says which.
        target : str
            What the examples are: ``'refund(order)'`` is a property of the rows of ``orders``,
            ``'knows(person, person)'`` one of pairs. A table of that name may hold the positives; then
            ``'refund'`` will do.
        positives : list of keys, data frame or str, default=None
            The known examples: keys (tuples of keys where the target has several arguments), a data frame
            that holds them in columns named after the keys or in the first ones, or the name of a table.
            None is the table named as the target.
        negatives : list of keys, data frame or str, default=None
            Examples known not to be wanted, given like the positives. They teach and are not ranked.
        pile : list of keys, data frame or str, default=None
            The examples to rank; None is all other possible ones.
        schema : dict, default=None
            What else there is to say of tables, as in the file ``schema.toml`` of the command line:
            ``{'orders': {'key': 'id', 'columns': {'status': 'category', 'note': 'ignore'}}}``. Kinds are
            key, category, number, text, time, ignore and ``'-> table'``.
        database : str, path or list of str, default=None
            Instead of ``tables`` a SQLite file, a PostgreSQL address, a folder of table files, or files of
            facts. Positives and pile may then also be files and ``SELECT`` statements.
        modes : str or path, default=None
            Which literals rules may use, for facts; None is the mode file beside them.
        draw : int, default=100000
            How many possible examples are drawn where ``pile`` is None and they are too many to list.

        Returns
        -------
        self : object
            The estimator itself, fitted.
        """
        tables = collected(tables)
        related = related_tables(tables, references, schema, database, modes)
        run = self._settings()
        columns, arguments, scores, answer = _native.fit_related(
            self._method.name,
            method_parameters(self, self._method),
            asked(related, target, positives, negatives, pile, draw),
            None if self._method.has_cut and not isinstance(self.cut, dict) else ending(self.cut),
            self.certainty,
            self.calibrated,
            run,
        )
        self._model, self._answer = answer.model(), (answer, run)
        said = answer.summary()
        self._said = None if said is None else Summary(said)
        self._bound = related, {} if tables is None else dict(tables)
        self.target_: str = self._model.target or target
        self.ranking_: Any = self._ranking(columns, arguments, scores, np.arange(len(scores)))
        self.notes_: list[Note] = tell(answer.notes())
        return self

    def bind(
        self,
        tables: Mapping[str, Any] | None = None,
        references: Iterable[str | tuple[str, str]] = (),
        *,
        schema: Mapping[str, Any] | None = None,
        database: str | os.PathLike[str] | list[str] | None = None,
        modes: str | os.PathLike[str] | None = None,
    ) -> Self:
        """The same model over other tables, such as tomorrow's; a loaded model needs this first.

        Parameters
        ----------
        tables, references, schema, database, modes : as in ``fit``
            The same as there. The model keeps what it knew of its tables at training: keys, references and kinds of
            columns stay as they were, whatever is said here; only a model of an older version needs to be told.

        Returns
        -------
        model : object
            A copy that scores examples of these tables.
        """
        check_is_fitted(self)
        bound, tables = copy.copy(self), collected(tables)
        bound._bound = related_tables(tables, references, schema, database, modes), dict(tables or {})
        return bound

    def score_samples(self, examples: Any = None) -> np.ndarray:
        """Score examples, within 0 and 1.

        Parameters
        ----------
        examples : list of keys, data frame or str, default=None
            As the positives of ``fit``; None is all possible ones, in the order of ``rank``'s keys.

        Returns
        -------
        scores : ndarray of shape (n_examples,)
            An example is positive where its score is at least 0.5.
        """
        return self._scored(examples)[2]

    def decision_function(self, examples: Any = None) -> np.ndarray:
        """How far on the positive side examples are: above 0 exactly where they are positive.

        Parameters
        ----------
        examples : list of keys, data frame or str, default=None
            As the positives of ``fit``; None is all possible ones.

        Returns
        -------
        margins : ndarray of shape (n_examples,)
            One for each example.
        """
        return _native.margins(self._scored(examples)[2])

    def predict(self, examples: Any = None) -> np.ndarray:
        """Decide which examples belong to the target.

        Parameters
        ----------
        examples : list of keys, data frame or str, default=None
            As the positives of ``fit``; None is all possible ones.

        Returns
        -------
        positive : ndarray of bool of shape (n_examples,)
            One for each example.
        """
        positive: np.ndarray = self._scored(examples)[2] >= 0.5
        return positive

    def rank(self, examples: Any = None) -> Any:
        """Rank examples, known ones too.

        Parameters
        ----------
        examples : list of keys, data frame or str, default=None
            As the positives of ``fit``; None is all possible ones.

        Returns
        -------
        ranking : DataFrame
            Best first: ``rank``, the keys, ``score``, ``positive``; of the make of the tables.
        """
        columns, arguments, scores = self._scored(examples)
        return self._ranking(columns, arguments, scores, np.argsort(-scores, kind="stable"))

    def explain(self, example: Any, top: int = 12) -> list[Rule]:
        """Say why an example has its score.

        Parameters
        ----------
        example : key, tuple of keys or data frame of one row
            The example.
        top : int, default=12
            How many rules.

        Returns
        -------
        rules : list of Rule
            The rules that the example satisfies, strongest first: ``clause``, ``sql`` (a query that is true
            for it) and ``push``.
        """
        related = self._tables()
        row = example if _frames.is_table(example) or isinstance(example, Mapping) else [example]
        rules, notes = _native.explain_related(self._model, related, examples_of(row), top, self._settings())
        tell(notes)
        return [Rule(*rule) for rule in rules]

    def paths(self, examples: Any = None) -> tuple[scipy.sparse.csr_array, list[str]]:
        """Turn examples into features: which paths of the model's trees they take.

        Parameters
        ----------
        examples : list of keys, data frame or str, default=None
            As the positives of ``fit``; None is all possible ones.

        Returns
        -------
        paths : csr_array of shape (n_examples, n_paths)
            1 where an example takes a path.
        rules : list of str
            The rule of each path.
        """
        related = self._tables()
        ends, indices, rules, notes = _native.paths_related(
            self._model, related, examples_of(examples), MOST_DRAWN, self._settings()
        )
        tell(notes)
        shape = (len(ends) - 1, len(rules))
        return scipy.sparse.csr_array((np.ones(len(indices)), indices, ends), shape=shape), rules

    @property
    def summary_(self) -> Summary:
        """How many positives there are and how sure that is; with ``certainty=True``."""
        check_is_fitted(self)
        if self._said is None:
            raise AttributeError(f"this {type(self).__name__} says nothing of its own answer; fit it with certainty=True")
        return self._said

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a page that shows the answer and how sure it is, as ``--report`` of the command line does.

        Parameters
        ----------
        path : str or path
            Where to; a file that is there already is replaced.
        """
        check_is_fitted(self)
        if self._answer is None:
            raise ValueError("a report needs the examples that were ranked, which neither a model file nor a pickle holds")
        answer, run = self._answer
        page = answer.report(run)
        if page is None:
            raise ValueError("a report tells how sure the answer is; fit the model with certainty=True")
        write_whole(path, page.encode())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which ``likewise.load`` and the command line read. Tables are not in it.

        Parameters
        ----------
        path : str or path
            Where to; a file that is there already is replaced.
        """
        check_is_fitted(self)
        write_model(self._model, path)

    def _settings(self) -> _native.Settings:
        return settings(self.random_state, self.n_jobs, self.verbose)

    def _tables(self) -> _native.Related:
        check_is_fitted(self)
        if self._bound is None:
            raise ValueError(
                f"a model file holds no tables; say where the examples of {self.target_} are: "
                "model.bind(tables=..., references=...)"
            )
        return self._bound[0]

    def _scored(self, examples: Any) -> tuple[list[list[str]], list[tuple[str, str | None]], np.ndarray]:
        related = self._tables()
        columns, arguments, scores, notes = _native.score_related(
            self._model, related, examples_of(examples), MOST_DRAWN, self._settings()
        )
        tell(notes)
        return columns, arguments, scores

    def _ranking(
        self,
        columns: list[list[str]],
        arguments: list[tuple[str, str | None]],
        scores: np.ndarray,
        order: np.ndarray,
    ) -> Any:
        """A table of the make of the tables."""
        return _answer_tables.table_of_make(self._make(), self._told(columns, arguments, scores, order))

    def _make(self) -> str | None:
        tables = [] if self._bound is None else list(self._bound[1].values())
        makes = [make for make in map(_frames.make, tables) if make is not None]
        return makes[0] if makes else None

    def _told(
        self,
        columns: list[list[str]],
        arguments: list[tuple[str, str | None]],
        scores: np.ndarray,
        order: np.ndarray,
    ) -> dict[str, Any]:
        """What is told of examples; keys are of the type that they have in their table."""
        tables = {} if self._bound is None else {name.lower(): table for name, table in self._bound[1].items()}
        told: dict[str, Any] = {"rank": np.arange(1, len(scores) + 1)}
        for name, (of, key), cells in zip(names_of(arguments), arguments, columns):
            cells = [cells[row] for row in order]
            table = tables.get(of.lower())
            told[name] = cells if table is None or key is None else as_in(table, key, cells)
        return {**told, "score": scores[order], "positive": scores[order] >= 0.5}

    def listed(self, examples: Any, probabilities: bool) -> Any:
        """Score examples in their order.

        Parameters
        ----------
        examples : as in ``rank``
            The same as there.
        probabilities : bool
            Say how probable each is, too.

        Returns
        -------
        listed : DataFrame
            Keys, ``score``, ``positive``, and how probable they are where that is asked for.
        """
        columns, arguments, scores = self._scored(examples)
        told = self._told(columns, arguments, scores, np.arange(len(scores)))
        told.pop("rank")
        if probabilities:
            known = self._model.probabilities(scores)
            if known is None:
                raise ValueError(
                    f"this {type(self).__name__} does not know how probable examples are: fit it with calibrated=True, "
                    "from two positives or more"
                )
            told.update(probable(known))
        return _answer_tables.table_of_make(self._make(), told)

    def _restore(self, model: _native.Model) -> None:
        """Puts a loaded model in place of training."""
        self._model = model
        self._bound = self._answer = self._said = None
        self.target_ = model.target or ""

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __copy__(self) -> RelationalClassifier:
        same = type(self).__new__(type(self))
        same.__dict__.update(self.__dict__)
        return same

    def __getstate__(self) -> dict[str, Any]:
        # Like a model file, a pickle holds no tables.
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_bound": None, "_answer": None} if "_bound" in state else state
