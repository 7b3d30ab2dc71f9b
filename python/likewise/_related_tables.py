"""Related tables and examples among them as the Rust side takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _frames, _handed, _native
from ._estimator import settings
from ._notes import tell
from ._reading import json_text

# Columns of a ranking that are not examples.
_TOLD = ("rank", "score", "positive")

MOST_DRAWN = 100_000


class Description(NamedTuple):
    """What tables were understood to be.

    A schema that can be corrected, types with the number of their constants, and the literals that rules may use with the
    number of facts behind them.
    """

    schema: str | None
    types: dict[str, int]
    literals: dict[str, int]


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
    found, notes = related_tables(tables, references, schema, database, modes).describe(settings(0, None, False))
    tell(notes)
    return Description(found[0], dict(found[1]), dict(found[2]))


def collected(tables: Any) -> Any:
    """Tables that are not rows yet with their rows."""
    if not isinstance(tables, Mapping):
        return tables
    return {name: _frames.collected(table) for name, table in tables.items()}


def related_tables(tables: Any, references: Any, schema: Any, database: Any, modes: Any) -> _native.Related:
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
    columns = {str(name): _columns(table, f"table {name!r}") for name, table in collected(tables).items()}
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
        return _handed.columns(table, exact=True)
    if isinstance(table, Mapping):
        return {str(name): _cells(cells) for name, cells in table.items()}
    raise TypeError(f"{what} is of type {type(table).__name__}; give a pandas, polars or Arrow table")


def asked(
    related: _native.Related, target: str, positives: Any, negatives: Any, pile: Any, draw: int
) -> tuple[_native.Related, str, Any, Any, Any, int]:
    """Where facts come from and which examples are meant, as the Rust side takes it."""
    return related, target, examples_of(positives), examples_of(negatives), examples_of(pile), draw


def examples_of(given: Any) -> Any:
    """A name, or columns of keys."""
    if given is None or isinstance(given, str):
        return given
    given = _frames.collected(given)
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


def names_of(arguments: list[tuple[str, str | None]]) -> list[str]:
    """What the columns of examples are called: the only one as the key, several as their types; each once."""
    names: list[str] = []
    for of, key in arguments:
        name = key if key is not None and len(arguments) == 1 else of
        name = f"{name}_key" if name in _TOLD else name
        same = sum(1 for other, _ in arguments[: len(names)] if other == of)
        names.append(f"{name}_{same + 1}" if same else name)
    return names


def as_in(table: Any, key: str, cells: list[str]) -> Any:
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
