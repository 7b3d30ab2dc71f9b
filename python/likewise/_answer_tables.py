"""Tables that are given back, of the make of those that were given."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._frames import collected, is_matrix, is_table, make


def beside(told: dict[str, np.ndarray], data: Any, order: np.ndarray) -> Any:
    """A table of what is told of rows, and the rows themselves; of the make of the rows, else of pandas.

    A column of theirs that has a name of ours is left out; ``_found.replaced`` tells of it.
    """
    ours = {name: cells.tolist() if cells.dtype == object else cells for name, cells in told.items()}
    data = collected(data)
    if make(data) == "polars":
        import polars

        theirs = (data if is_table(data) else data.to_frame(data.name or "text"))[order.tolist()]
        return polars.DataFrame(ours).hstack(theirs.drop([name for name in ours if name in theirs.columns]))
    if make(data) == "pyarrow":
        import pyarrow

        theirs = (data if is_table(data) else pyarrow.table({"text": data})).take(order)
        kept = {name: theirs.column(name) for name in theirs.column_names if name not in ours}
        return pyarrow.table({**ours, **kept})
    pandas = importlib.import_module("pandas")
    if make(data) == "pandas":
        theirs = (data if is_table(data) else data.to_frame(data.name or "text")).iloc[order]
        theirs = theirs.drop(columns=[name for name in ours if name in theirs.columns])
        return pandas.concat([_with_missing(pandas.DataFrame(ours, index=theirs.index), ours), theirs], axis=1)
    if is_matrix(data):
        return _with_missing(pandas.DataFrame(ours), ours)
    return _with_missing(pandas.DataFrame({**ours, "text": [data[row] for row in order]}), ours)


def _with_missing(table: Any, ours: dict[str, Any]) -> Any:
    """The same pandas table with None where ours have it, which pandas takes for a number that is none."""
    for name, cells in ours.items():
        if isinstance(cells, list) and any(cell is None for cell in cells):
            table[name] = type(table[name])(cells, index=table.index, dtype=object)
    return table


def table_of_make(make: str | None, told: dict[str, Any]) -> Any:
    """A table of this make, else of pandas."""
    if make == "polars":
        import polars

        return polars.DataFrame(told)
    if make == "pyarrow":
        import pyarrow

        return pyarrow.table(told)
    return importlib.import_module("pandas").DataFrame(told)
