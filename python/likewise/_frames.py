"""Tables and documents of every make: pandas, polars, Arrow, lists and arrays."""

from __future__ import annotations

import importlib
import operator
import os
from typing import Any

import numpy as np
import scipy.sparse

# The name of the only column where documents come without a table.
TEXT = "text"


def make(data: Any) -> str | None:
    """``pandas``, ``polars`` or ``pyarrow``, without importing any of them."""
    stands_for: str | None = getattr(type(data), "stands_for", None)
    if stands_for is not None:
        return stands_for
    roots = (base.__module__.partition(".")[0] for base in data.__class__.__mro__)
    return next((root for root in roots if root in ("pandas", "polars", "pyarrow")), None)


def given(data: Any, called: str) -> Any:
    """Rows as they are read: a lazy frame is collected, a dict of blocks becomes a table, and what are no rows is refused.

    A column of numbers, truth values, dates or categories is a table of it: its cells are not documents.
    """
    data = listed(data, called)
    if make(data) is None or is_table(data) or not hasattr(data, "__getitem__"):
        return table_of_blocks(data)
    tells = is_category(data) or _is_date(data) or _holds_whether(data) or (holds_numbers(data) and not is_blank(data))
    return _alone(data) if tells else data


def listed(data: Any, called: str) -> Any:
    """The same where each row may be a single label."""
    if data is None:
        raise TypeError(f"{called} is None; give rows: a list of texts, a data frame or an array")
    if isinstance(data, (str, bytes, os.PathLike)):
        raise TypeError(
            f"{called} is a single {type(data).__name__} ({_shortened(data)!r}), not rows; if it names a file, read that "
            "first, as with pandas.read_csv, and put a single text into a list"
        )
    data = collected(data)
    records = isinstance(data, list) and len(data) > 0 and isinstance(data[0], dict)
    if records or (isinstance(data, np.ndarray) and data.dtype.names is not None):
        raise TypeError(f"{called} holds records with names; make a data frame of them, as pandas.DataFrame({called}) does")
    if isinstance(data, np.ma.MaskedArray):
        return _without_mask(data)
    if hasattr(data, "__array__") and make(data) is None or hasattr(data, "tocsr"):
        return data
    if not hasattr(data, "__iter__") and not hasattr(data, "__len__"):
        raise TypeError(f"{called} is of type {type(data).__name__}; give rows: a list of texts, a data frame or an array")
    return data if hasattr(data, "__getitem__") else list(data)


def collected(data: Any) -> Any:
    """A lazy frame with its rows, Arrow data without views, the table of an answer of ours; anything else as it is."""
    if hasattr(type(data), "stands_for"):
        data = data.table
    if make(data) == "polars" and hasattr(data, "collect"):
        return data.collect()
    return _without_views(data) if make(data) == "pyarrow" else data


def _without_mask(data: Any) -> np.ndarray:
    """The same with what is masked as missing."""
    if data.dtype.kind not in "biuf":
        data = data.astype(object)
        return np.asarray(np.where(np.ma.getmaskarray(data), None, data.data))
    return np.where(np.ma.getmaskarray(data), np.nan, data.data)


def _alone(column: Any) -> Any:
    """A table of that column, whose cells are not documents."""
    if make(column) == "pyarrow":
        import pyarrow

        return pyarrow.table({"value": column})
    return column.to_frame("value" if column.name in (None, "", TEXT) else column.name)


def _is_date(column: Any) -> bool:
    kind = str(getattr(column, "dtype", getattr(column, "type", ""))).lower()
    return kind.startswith(("date", "timestamp"))


def _without_views(data: Any) -> Any:
    """Arrow data whose columns of string views are strings, which more can read."""
    if not is_table(data):
        return _strings(data)
    for at, field in enumerate(data.schema):
        if str(field.type) == "string_view":
            data = data.set_column(at, field.name, _strings(data.column(at)))
    return data


def _strings(column: Any) -> Any:
    import pyarrow

    viewed = str(getattr(column, "type", "")) == "string_view"
    return pyarrow.array(column.to_pylist(), pyarrow.large_string()) if viewed else column


def _shortened(data: Any) -> str:
    shown = data.decode(errors="replace") if isinstance(data, bytes) else os.fspath(data)
    return shown if len(shown) <= 60 else shown[:60] + "…"


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


def is_numbers(data: Any) -> bool:
    """Whether the data is a table of nothing but numbers and truth values, of which some may be missing."""
    return is_table(data) and all(_holds_whether(column) or holds_numbers(column) for column in _columns(data))


def is_matrix_in_table(data: Any) -> bool:
    """Whether the data is a matrix in a pandas table: sparse, or of numbers without a gap whose columns nobody named."""
    if make(data) != "pandas" or not is_table(data) or data.shape[1] == 0:
        return False
    nameless = not any(isinstance(name, str) for name in data.columns)
    return all(map(_is_sparse, data.dtypes)) or (nameless and is_numbers(data) and not data.isna().any(axis=None))


def _is_sparse(kind: Any) -> bool:
    return type(kind).__name__ == "SparseDtype"


def is_blank(data: Any) -> bool:
    """Whether a list or column has no cell that is there."""
    return not is_table(data) and not is_matrix(data) and all(is_missing(cell) for cell in cells(data))


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
        return holds_numbers(data)
    if isinstance(data, np.ndarray):
        return data.ndim == 1 and data.dtype.kind in "iuf"
    return isinstance(data, (list, tuple)) and len(data) > 0 and isinstance(data[0], (int, float, np.number))


def documents(data: Any) -> list[str | None]:
    """The documents of a list or column; a missing one is None."""
    return [None if is_missing(cell) else cell for cell in cells(only_column(data) if is_table(data) else data)]


def cells(column: Any) -> list[Any]:
    """The cells of a list or column."""
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    if hasattr(column, "to_list"):
        return list(column.to_list())
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def is_named(data: Any) -> bool:
    """Whether the data is a dict of blocks or classes; one of SciPy's sparse matrices is a dict, too."""
    return isinstance(data, dict) and not scipy.sparse.issparse(data)


# Sparse rows become vectors, every number of which is kept.
MOST_WIDE = 4096


def table_of_blocks(data: Any) -> Any:
    """A dict of named blocks as a pandas table, matrices as a column of vectors; else the data as it is."""
    if not is_named(data):
        return data
    pandas = importlib.import_module("pandas")
    blocks = {name: block for key, given in data.items() for name, block in _blocks(str(key), given).items()}
    lengths = {name: rows_of(block) for name, block in blocks.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"the blocks have different numbers of rows: {told}")
    index = _index_of(blocks)
    # Rows of blocks belong together by their position.
    return pandas.DataFrame({name: _cells_of_block(name, block) for name, block in blocks.items()}, index=index)


def _blocks(name: str, block: Any) -> dict[str, Any]:
    """The columns of a frame as blocks of their own; any other block is one."""
    block = collected(block)
    if not is_table(block):
        return {name: block}
    return {f"{name}.{column}": column_of(block, column) for column in column_names(block)}


def _index_of(blocks: dict[str, Any]) -> Any:
    """What pandas calls the rows, which must be the same in all blocks that say it."""
    indexed = {name: block.index for name, block in blocks.items() if make(block) == "pandas"}
    if not indexed:
        return None
    first, known = next(iter(indexed.items()))
    for name, index in indexed.items():
        if not index.equals(known):
            raise ValueError(
                f"the blocks {first} and {name} have different indexes; give both the same, or, if their rows belong "
                "together in the order in which they stand, call reset_index(drop=True) on each"
            )
    return known


def _cells_of_block(name: str, block: Any) -> Any:
    if make(block) is not None:
        return block.array if make(block) == "pandas" else cells(block)
    if scipy.sparse.issparse(block):
        if block.shape[1] > MOST_WIDE:
            raise ValueError(
                f"block {name} is a sparse matrix of {block.shape[1]} columns, and up to {MOST_WIDE} of a block become "
                "vectors; give it alone, or fewer dimensions of it, as sklearn.decomposition.TruncatedSVD makes"
            )
        block = block.toarray()
    two = isinstance(block, np.ndarray) and block.ndim == 2
    return list(block) if two else block


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


def place(row: Any, rows: int) -> int:
    """The position of a row; below 0 it is counted from the end, as ``iloc`` does."""
    at = operator.index(row)
    if not -rows <= at < rows:
        raise IndexError(f"there are {rows} rows, no row {at}")
    return at % rows


def column_or_none(data: Any, name: str) -> Any:
    """The column of that name; no cells where there is none, of which the Rust side tells with the names that there are."""
    return column_of(data, name) if name in column_names(data) else []


def rows_of(data: Any) -> int:
    """How many rows there are."""
    return int(data.shape[0]) if hasattr(data, "shape") else len(data)


def only_column(data: Any) -> Any:
    return column_of(data, column_names(data)[0])


def cell_text(cell: Any) -> str:
    """A cell as files have it."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if hasattr(cell, "isoformat"):
        return str(cell.isoformat())
    whole = isinstance(cell, (float, np.floating)) and float(cell).is_integer()
    return str(int(cell)) if whole else str(cell)


def holds_numbers(column: Any) -> bool:
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


def _holds_text(column: Any) -> bool:
    if make(column) == "pyarrow":
        import pyarrow.types as kinds

        return bool(kinds.is_string(column.type) or kinds.is_large_string(column.type))
    if make(column) == "polars":
        return str(column.dtype) in ("String", "Utf8")
    if is_category(column):
        return False
    kind = getattr(column.dtype, "kind", "O")
    return kind == "O" and _starts_with_text(column.tolist()) or kind in "UT"


def is_category(column: Any) -> bool:
    """Whether the column says that its cells are categories."""
    if make(column) == "pyarrow":
        return str(column.type).startswith("dictionary")
    if make(column) == "polars":
        return str(column.dtype).startswith(("Categorical", "Enum"))
    return str(getattr(column, "dtype", "")) == "category"


def _starts_with_text(cells: Any) -> bool:
    """Whether the first cell that is there is a text."""
    for cell in cells:
        if not is_missing(cell):
            return isinstance(cell, str)
    return False


def is_missing(cell: Any) -> bool:
    """Whether a cell has nothing in it."""
    # pandas' own sign of a missing value is neither equal to itself nor different.
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (float, np.floating)) and cell != cell
