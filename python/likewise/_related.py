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

from . import _frames, _native
from ._errors import Note
from ._estimator import json_text, method_parameters, settings, write_model
from ._notes import tell
from ._registry import Method

if TYPE_CHECKING:
    from typing_extensions import Self

# Columns of a ranking that are not examples.
_TOLD = ("rank", "score", "positive")

MOST_DRAWN = 100_000


class Rule(NamedTuple):
    """A rule that an example satisfies, as a clause and as SQL, and how much it pushes the score."""

    clause: str
    sql: str
    push: float


class Description(NamedTuple):
    """What tables were understood to be.

    A schema that can be corrected, types with the number of their constants, and the literals that rules may use with the
    number of facts behind them.
    """

    schema: str | None
    types: dict[str, int]
    literals: dict[str, int]


class RelationalClassifier(BaseEstimator):  # type: ignore[misc]
    """What all relational methods share. Use one of its subclasses, one for each method."""

    _method: ClassVar[Method]
    _model: _native.Model
    # Where facts come from, and the tables as they were given; none after loading.
    _bound: tuple[_native.Related, dict[str, Any]] | None

    random_state: Any
    n_jobs: int | None
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
        related = _related(tables, references, schema, database, modes)
        self._model, columns, arguments, scores, notes = _native.fit_related(
            self._method.name,
            method_parameters(self, self._method),
            related,
            target,
            _examples(positives),
            _examples(negatives),
            _examples(pile),
            draw,
            self._settings(),
        )
        self._bound = related, {} if tables is None else dict(tables)
        self.target_: str = self._model.target or target
        self.ranking_: Any = self._ranking(columns, arguments, scores, np.arange(len(scores)))
        self.notes_: list[Note] = tell(notes)
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
        bound = copy.copy(self)
        bound._bound = _related(tables, references, schema, database, modes), dict(tables or {})
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
        rules, notes = _native.explain_related(self._model, related, _examples(row), top, self._settings())
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
            self._model, related, _examples(examples), MOST_DRAWN, self._settings()
        )
        tell(notes)
        shape = (len(ends) - 1, len(rules))
        return scipy.sparse.csr_array((np.ones(len(indices)), indices, ends), shape=shape), rules

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
            self._model, related, _examples(examples), MOST_DRAWN, self._settings()
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
        return _frames.table_of_make(self._make(), self._told(columns, arguments, scores, order))

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
        for name, (of, key), cells in zip(_names(arguments), arguments, columns):
            cells = [cells[row] for row in order]
            table = tables.get(of.lower())
            told[name] = cells if table is None or key is None else _as_in(table, key, cells)
        return {**told, "score": scores[order], "positive": scores[order] >= 0.5}

    def _listed(self, examples: Any) -> Any:
        """Examples in their order: keys, ``score``, ``positive``."""
        columns, arguments, scores = self._scored(examples)
        told = self._told(columns, arguments, scores, np.arange(len(scores)))
        told.pop("rank")
        return _frames.table_of_make(self._make(), told)

    def _restore(self, model: _native.Model) -> None:
        """Puts a loaded model in place of training."""
        self._model = model
        self._bound = None
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
        return {**state, "_bound": None} if "_bound" in state else state


def describe(
    tables: Mapping[str, Any] | None = None,
    references: Iterable[str | tuple[str, str]] = (),
    *,
    schema: Mapping[str, Any] | None = None,
    database: str | os.PathLike[str] | list[str] | None = None,
    modes: str | os.PathLike[str] | None = None,
) -> Description:
    """Say what tables were understood to be, before anything is learned.

    Parameters
    ----------
    tables, references, schema, database, modes : as in ``RelOCC.fit``
        The same as there.

    Returns
    -------
    description : Description
        The ``schema`` as the file ``schema.toml``, the ``types`` and the ``literals``.

    Examples
    --------
    >>> from likewise.relational import describe
    >>> tables = {"orders": {"id": [1, 2], "customer": ["ann", "bob"]}, "customers": {"id": ["ann", "bob"]}}
    >>> describe(tables, ["orders.customer -> customers"]).literals
    {'orders_customer(+orders,-customers)': 2, 'orders_customer(-orders,+customers)': 2}
    """
    found, notes = _related(tables, references, schema, database, modes).describe(settings(0, None, False))
    tell(notes)
    return Description(found[0], dict(found[1]), dict(found[2]))


def _related(tables: Any, references: Any, schema: Any, database: Any, modes: Any) -> _native.Related:
    if (tables is None) == (database is None):
        raise ValueError("give either tables or a database")
    said = None if schema is None else json_text("schema", schema)
    referring = [_reference(reference) for reference in references]
    if database is not None:
        paths = [database] if isinstance(database, (str, os.PathLike)) else list(database)
        return _native.Related.of_paths([os.fspath(path) for path in paths], modes, said, referring)
    if modes is not None:
        raise ValueError("modes belong to facts; the modes of tables come from their keys")
    if not isinstance(tables, Mapping):
        raise TypeError(f"tables are a dictionary from names to data frames, not {type(tables).__name__}")
    columns = {str(name): _columns(table, f"table {name!r}") for name, table in tables.items()}
    return _native.Related.of_tables(columns, said, referring)


def _reference(reference: Any) -> str:
    if isinstance(reference, str):
        return reference
    if isinstance(reference, (tuple, list)) and len(reference) == 2 and all(isinstance(r, str) for r in reference):
        return " -> ".join(reference)
    raise TypeError(f"the reference {reference!r} is neither a text like 'orders.customer -> customers.id' nor a pair")


def _columns(table: Any, what: str) -> dict[str, Any]:
    """The columns of a table as the Rust side takes them."""
    if _frames.is_table(table):
        return _frames.columns(table, exact=True)
    if isinstance(table, Mapping):
        return {str(name): _cells(cells) for name, cells in table.items()}
    raise TypeError(f"{what} is of type {type(table).__name__}; give a pandas, polars or Arrow table")


def _examples(given: Any) -> Any:
    """A name, or columns of keys."""
    if given is None or isinstance(given, str):
        return given
    if _frames.is_table(given) or isinstance(given, Mapping):
        return _columns(given, "the list of examples")
    rows = _frames.cells(given)
    if not any(isinstance(row, (tuple, list)) for row in rows):
        return {"1": _cells(rows)}
    widths = {len(row) if isinstance(row, (tuple, list)) else 1 for row in rows}
    if len(widths) > 1:
        raise ValueError(f"examples have {min(widths)} to {max(widths)} keys; give each as many as the target takes")
    return {str(at + 1): _cells(column) for at, column in enumerate(zip(*rows))}


def _cells(cells: Any) -> list[str | None]:
    """Cells as texts; a whole number is written without a point, as in a column of integers."""
    def text(cell: Any) -> str:
        whole = isinstance(cell, (float, np.floating)) and float(cell).is_integer()
        return str(int(cell)) if whole else str(cell)

    return [None if cell is None else text(cell) for cell in _frames.documents(cells)]


def _names(arguments: list[tuple[str, str | None]]) -> list[str]:
    """What the columns of examples are called: the only one as the key, several as their types; each once."""
    names: list[str] = []
    for of, key in arguments:
        name = key if key is not None and len(arguments) == 1 else of
        name = f"{name}_key" if name in _TOLD else name
        same = sum(1 for other, _ in arguments[: len(names)] if other == of)
        names.append(f"{name}_{same + 1}" if same else name)
    return names


def _as_in(table: Any, key: str, cells: list[str]) -> Any:
    """Keys as the table has them: numbers where they are numbers there."""
    names = list(table) if isinstance(table, Mapping) else _frames.column_names(table)
    name = next((name for name in names if name.lower() == key.lower()), None)
    if name is None:
        return cells
    first = _frames.cells(table[name] if isinstance(table, Mapping) else _frames.column_of(table, name))[:1]
    for kind, dtype in ((int, np.int64), (float, np.float64)):
        if first and isinstance(first[0], (kind, np.integer if kind is int else np.floating)):
            try:
                return np.array([kind(cell) for cell in cells], dtype=dtype)
            except (ValueError, OverflowError):
                return cells
    return cells
