"""Tables and documents of every make: pandas, polars, Arrow, lists and arrays."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

# The name of the only column where documents come without a table.
TEXT = "text"

# What the Rust side takes as one column: numbers (NaN is missing) or texts (None is missing).
Column = Any


def make(data: Any) -> str | None:
    """``pandas``, ``polars`` or ``pyarrow``, without importing any of them."""
    roots = (base.__module__.partition(".")[0] for base in data.__class__.__mro__)
    return next((root for root in roots if root in ("pandas", "polars", "pyarrow")), None)


def is_table(data: Any) -> bool:
    """Whether the data has named columns."""
    return make(data) is not None and hasattr(data, "columns")


def is_text(data: Any) -> bool:
    """Whether the data is a list or column of documents."""
    if is_table(data):
        return len(column_names(data)) == 1 and _holds_text(only_column(data))
    if make(data) is not None:
        return _holds_text(data)
    if isinstance(data, np.ndarray):
        return data.ndim == 1 and (data.dtype.kind in "UT" or (data.dtype.kind == "O" and _starts_with_text(data)))
    return isinstance(data, (list, tuple)) and _starts_with_text(data)


def is_mixed(data: Any) -> bool:
    """Whether the data is a table that is more than numbers: texts, categories, dates, vectors, or missing values."""
    if not is_table(data):
        return False
    return any(not _holds_whether(column) and not _is_complete(column) for column in _columns(data))


def is_matrix(data: Any) -> bool:
    """Whether the data is rows of numbers without names."""
    if scipy.sparse.issparse(data):
        return True
    if isinstance(data, np.ndarray):
        return data.ndim == 2
    return isinstance(data, (list, tuple)) and len(data) > 0 and isinstance(data[0], (list, tuple, np.ndarray))


def is_scores(data: Any) -> bool:
    """Whether the data is a list or column of numbers."""
    if is_table(data) or is_matrix(data):
        return False
    if make(data) is not None:
        return _holds_numbers(data)
    if isinstance(data, np.ndarray):
        return data.ndim == 1 and data.dtype.kind in "iuf"
    return isinstance(data, (list, tuple)) and len(data) > 0 and isinstance(data[0], (int, float, np.number))


def documents(data: Any) -> list[str | None]:
    """The documents of a list or column; a missing one is None."""
    return [None if _is_missing(cell) else cell for cell in cells(only_column(data) if is_table(data) else data)]


def cells(column: Any) -> list[Any]:
    """The cells of a list or column."""
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    if hasattr(column, "to_list"):
        return list(column.to_list())
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def beside(told: dict[str, np.ndarray], data: Any, order: np.ndarray) -> Any:
    """A table of what is told of rows, and the rows themselves; of the make of the rows, else of pandas.

    A column of theirs that has a name of ours is left out.
    """
    ours = {name: cells.tolist() if cells.dtype == object else cells for name, cells in told.items()}
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
        return pandas.concat([pandas.DataFrame(ours, index=theirs.index), theirs], axis=1)
    if is_matrix(data):
        return pandas.DataFrame(ours)
    return pandas.DataFrame({**ours, "text": [data[row] for row in order]})


def table_of_make(make: str | None, told: dict[str, Any]) -> Any:
    """A table of this make, else of pandas."""
    if make == "polars":
        import polars

        return polars.DataFrame(told)
    if make == "pyarrow":
        import pyarrow

        return pyarrow.table(told)
    return importlib.import_module("pandas").DataFrame(told)


def is_named(data: Any) -> bool:
    """Whether the data is a dict of blocks or classes; one of SciPy's sparse matrices is a dict, too."""
    return isinstance(data, dict) and not scipy.sparse.issparse(data)


def table_of_blocks(data: Any) -> Any:
    """A dict of named blocks as a pandas table, arrays of two dimensions as a column of vectors; else the data as it is."""
    if not is_named(data):
        return data
    pandas = importlib.import_module("pandas")
    lengths = {name: len(block) for name, block in data.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"the blocks have different numbers of rows: {told}")
    rows = {}
    for name, block in data.items():
        two = isinstance(block, np.ndarray) and block.ndim == 2
        rows[str(name)] = list(np.asarray(block)) if two else block
    return pandas.DataFrame(rows)


def table(data: Any) -> Any:
    """A table as the Rust side takes it: through Arrow where that can be, else as a dictionary of columns."""
    handed = _stream(data)
    return columns(data) if handed is None else handed


def texts(data: Any) -> Any:
    """A list or column of documents as the Rust side takes it; in a table of its own where it is a column."""
    kind = make(data)
    if kind is None:
        return documents(data)
    column = only_column(data) if is_table(data) else data
    if kind == "pyarrow":
        import pyarrow

        alone = pyarrow.table({TEXT: column})
    else:
        alone = column.to_frame(TEXT)
    handed = _stream(alone)
    return documents(column) if handed is None else handed


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


def _stream(data: Any) -> Any:
    """What a table hands over by Arrow's C stream interface, to be read once; None where it has none or cannot."""
    names = column_names(data)
    if len(set(names)) < len(names):
        return None
    try:
        if make(data) == "pandas":
            data = data.reset_index(drop=True).set_axis(names, axis=1)
        return data.__arrow_c_stream__()
    except Exception:  # Whatever Arrow does not take is read cell by cell.
        return None


def columns(data: Any, exact: bool = False) -> dict[str, Column]:
    """The columns of a table by name, each as the Rust side takes it.

    ``exact`` leaves whole numbers as texts where a double cannot hold them, as keys often are.
    """
    return {name: _typed_cells(column_of(data, name), exact) for name in column_names(data)}


def column_names(data: Any) -> list[str]:
    if make(data) == "pyarrow":
        return list(data.column_names)
    return [str(name) for name in data.columns]


def column_of(data: Any, name: str) -> Any:
    if make(data) == "pyarrow":
        return data.column(name)
    if make(data) == "pandas":
        return data.iloc[:, column_names(data).index(name)]
    return data[name]


def only_column(data: Any) -> Any:
    return column_of(data, column_names(data)[0])


def _typed_cells(column: Any, exact: bool) -> Column:
    if _holds_numbers(column) and not (exact and _holds_large_integers(column)):
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
    if any(not isinstance(cell, (list, tuple, np.ndarray)) and not _is_missing(cell) for cell in found):
        return None
    try:
        rows = np.zeros((len(found), len(lists[0])), dtype=np.float32)
        for row, cell in enumerate(found):
            if isinstance(cell, (list, tuple, np.ndarray)):
                rows[row] = cell
    except (TypeError, ValueError):
        return None
    return rows


def cell_text(cell: Any) -> str:
    """A cell as files have it."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    whole = isinstance(cell, (float, np.floating)) and float(cell).is_integer()
    return str(int(cell)) if whole else str(cell)


def _holds_numbers(column: Any) -> bool:
    if make(column) == "pyarrow":
        import pyarrow.types as kinds

        return bool(
            kinds.is_integer(column.type) or kinds.is_floating(column.type) or kinds.is_decimal(column.type)
        )
    if make(column) == "polars":
        return bool(column.dtype.is_numeric())
    return getattr(column.dtype, "kind", "O") in "iuf"


def _columns(data: Any) -> list[Any]:
    return [column_of(data, name) for name in column_names(data)]


def _holds_whether(column: Any) -> bool:
    """Whether the cells are true or false, which are numbers to scikit-learn."""
    if make(column) == "pyarrow":
        return str(column.type) == "bool"
    if make(column) == "polars":
        return str(column.dtype) == "Boolean"
    return getattr(column.dtype, "kind", "O") == "b"


def _is_complete(column: Any) -> bool:
    """Whether every cell is a number."""
    if not _holds_numbers(column):
        return False
    if make(column) == "pandas":
        return not bool(column.isna().any())
    numbers = np.asarray(column.to_numpy(), dtype=np.float64)
    return not bool(np.isnan(numbers).any())


def _holds_large_integers(column: Any) -> bool:
    """Whether some whole number is beyond what doubles hold exactly."""
    present = [cell for cell in cells(column) if isinstance(cell, int)]
    return bool(present) and max(max(present), -min(present)) > 2**53


def _holds_text(column: Any) -> bool:
    if make(column) == "pyarrow":
        import pyarrow.types as kinds

        return bool(
            kinds.is_string(column.type) or kinds.is_large_string(column.type) or kinds.is_string_view(column.type)
        )
    if make(column) == "polars":
        return str(column.dtype) in ("String", "Utf8", "Categorical")
    kind = getattr(column.dtype, "kind", "O")
    return kind == "O" and _starts_with_text(column.tolist()) or kind in "UT"


def _starts_with_text(cells: Any) -> bool:
    """Whether the first cell that is there is a text."""
    for cell in cells:
        if not _is_missing(cell):
            return isinstance(cell, str)
    return False


def _is_missing(cell: Any) -> bool:
    if cell is None:
        return True
    return not isinstance(cell, str) and type(cell).__name__ in ("float", "NAType", "NaTType") and cell != cell
