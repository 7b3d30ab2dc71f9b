"""Rows as the Rust side takes them: a table or documents through Arrow where that can be, numbers as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

from ._columns import Names, listed
from ._errors import DataError
from ._frames import (
    TEXT,
    cell_text,
    cells,
    column_names,
    column_of,
    documents,
    holds_numbers,
    is_matrix,
    is_missing,
    is_table,
    make,
    only_column,
)

# What the Rust side takes as one column: numbers (NaN is missing) or texts (None is missing).
Column = Any


def rows(data: Any, text: Names = None) -> Any:
    """Documents, a table or a matrix as the Rust side takes it; documents under the name of the only text that is read."""
    if is_matrix(data):
        return matrix(data)
    if is_table(data):
        return table(data)
    named = listed(text) or [TEXT]
    return texts(data, named[0] if len(named) == 1 else TEXT)


def table(data: Any) -> Any:
    """A table as the Rust side takes it: through Arrow where that can be, else as a dictionary of columns.

    Arrow refuses a column of several types, and with it the table. Such a column goes as the texts of its cells; all others
    are what they are without it.
    """
    _check_names(data)
    handed = _stream(data)
    if handed is None:
        handed = _stream(_with_odd_columns_as_cells(data))
    return columns(data) if handed is None else handed


def texts(data: Any, called: str = TEXT) -> Any:
    """A list or column of documents as the Rust side takes it; a table with one column of that name where it is a column."""
    kind = make(data)
    column = only_column(data) if kind is not None and is_table(data) else data
    handed = None
    if kind == "pyarrow":
        import pyarrow

        handed = _stream(pyarrow.table({called: column}))
    elif kind is not None:
        handed = _stream(column.to_frame(called))
    if handed is not None:
        return handed
    found = documents(column)
    return found if called == TEXT else {called: found}


def matrix(data: Any) -> Any:
    """Rows of numbers as the Rust side takes them: an array, or number of columns and the arrays of compressed rows."""
    rows = check_array(
        data, accept_sparse="csr", dtype=[np.float64, np.float32], order="C", ensure_all_finite=False
    )
    if not scipy.sparse.issparse(rows):
        return rows
    if not rows.has_canonical_format or not rows.data.all():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows.shape[1], rows.indptr, rows.indices, rows.data


def dense(rows: Any) -> Any:
    """A matrix with all its numbers, of which each column is one that a model may read by itself."""
    return rows.toarray() if scipy.sparse.issparse(rows) else rows


def named_columns(rows: Any, names: list[str]) -> dict[str, Column]:
    """The columns of a matrix under these names."""
    return {name: np.ascontiguousarray(dense(rows)[:, j], dtype=np.float64) for j, name in enumerate(names)}


def columns(data: Any, exact: bool = False) -> dict[str, Column]:
    """The columns of a table by name, each as the Rust side takes it.

    ``exact`` leaves whole numbers as texts where a double cannot hold them, as keys often are.
    """
    _check_names(data)
    return {name: _typed_cells(column_of(data, name), exact) for name in column_names(data)}


def _check_names(data: Any) -> None:
    """Refuses a table of two columns that are called alike: of these only one would be read."""
    seen: set[str] = set()
    for name in column_names(data):
        if name in seen:
            # Names that are no texts are read as such, and then 1 and "1" are one.
            raise DataError(f"the table has two columns `{name}`; rename one of them", "inputs-differ", {"column": name})
        seen.add(name)


def _stream(data: Any) -> Any:
    """What a table hands over by Arrow's C stream interface, to be read once; None where it has none or cannot."""
    try:
        if make(data) == "pandas":
            data = data.reset_index(drop=True).set_axis(column_names(data), axis=1)
        if make(data) == "polars":
            data = _as_others_read_it(data)
        return data.__arrow_c_stream__()
    except Exception:  # Whatever Arrow does not take is read cell by cell.
        return None


def _as_others_read_it(data: Any) -> Any:
    """A polars table without the types that only polars has, or hands over in a way of its own, as texts."""
    import polars

    for name, kind in data.schema.items():
        if kind == polars.Object:
            told = [None if is_missing(cell) else cell_text(cell) for cell in data[name].to_list()]
            data = data.with_columns(polars.Series(name, told, dtype=polars.String))
        elif str(kind) in ("Null", "Int128", "UInt128"):
            data = data.with_columns(data[name].cast(polars.String))
    return data


def _with_odd_columns_as_cells(data: Any) -> Any:
    """The same where each column that Arrow does not take has its cells one by one as numbers, vectors or texts."""
    if make(data) != "pandas":
        return data
    import pandas

    odd = [at for at in range(data.shape[1]) if _stream(data.iloc[:, [at]]) is None]
    names = column_names(data)
    plain = {}
    for at in odd:
        found = _typed_cells(data.iloc[:, at], exact=False)
        whole = isinstance(found, np.ndarray) and found.ndim == 1
        plain[names[at]] = found if whole else pandas.Series(list(found), index=data.index, dtype=object)
    return data.set_axis(names, axis=1).assign(**plain)


def _typed_cells(column: Any, exact: bool) -> Column:
    if holds_numbers(column) and not (exact and _holds_large_integers(column)):
        if make(column) == "pyarrow":
            column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
            numbers = column.cast("float64").to_numpy(zero_copy_only=False)
        elif make(column) == "polars":
            numbers = column.cast(float).to_numpy()
        else:
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.ascontiguousarray(numbers, dtype=np.float64)
    vectors = _vectors(column)
    if vectors is not None:
        return vectors
    text = str if exact else cell_text
    return [None if cell is None else text(cell) for cell in documents(column)]


def _vectors(column: Any) -> np.ndarray | None:
    """A column of lists of equally many numbers as a matrix, a missing one all zeros; None where it is none."""
    found = cells(column)
    lists = [cell for cell in found if isinstance(cell, (list, tuple, np.ndarray))]
    if not lists or len({len(cell) for cell in lists}) != 1 or len(lists[0]) < 2:
        return None
    if any(not isinstance(cell, (list, tuple, np.ndarray)) and not is_missing(cell) for cell in found):
        return None
    try:
        rows = np.zeros((len(found), len(lists[0])), dtype=np.float32)
        for row, cell in enumerate(found):
            if isinstance(cell, (list, tuple, np.ndarray)):
                rows[row] = cell
    except (TypeError, ValueError):
        return None
    return rows


def _holds_large_integers(column: Any) -> bool:
    """Whether some whole number is beyond what doubles hold exactly."""
    present = [cell for cell in cells(column) if isinstance(cell, int)]
    return bool(present) and max(max(present), -min(present)) > 2**53
