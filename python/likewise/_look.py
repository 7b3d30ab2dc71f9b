"""Look: what the columns of a table are taken for."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from . import _answer_tables, _frames, _handed, _native
from ._estimator import settings
from ._found import Rows
from ._notes import tell
from ._reading import reading

_LOG = logging.getLogger("likewise")


def look(
    rows: Any, *, label: str | None = None, leave_out: str | Sequence[str] | None = None, id: str | None = None
) -> Rows:
    """Say what each column of a table is taken for, and why.

    It is what ``find`` learns from where neither text nor features nor vectors are named. A column ``text`` is learned from
    alone, unless ``leave_out`` says that all others count too, or the columns come as a dict of blocks.

    Parameters
    ----------
    rows : data frame, dict of blocks, list or column of str, or array
        The rows.
    label : str, default=None
        The column that marks positives, which is not learned from.
    leave_out : str or list of str, default=None
        Columns not to learn from.
    id : str, default=None
        The column that is an id and says nothing; None is the column ``id``.

    Returns
    -------
    columns : DataFrame
        A row for each column: ``column``, ``kind`` (``'text'``, ``'number'``, ``'category'``, ``'date'``, ``'vectors'`` or
        ``'left-out'``), ``missing`` and ``distinct`` (how many cells are empty, and how many values there are),
        ``examples`` of these, and ``why``. Of the make of the rows, else of pandas.

    Examples
    --------
    >>> import likewise
    >>> rows = {"amount": [3.0, 7.5, 3.0], "country": ["FR", "DE", "FR"]}
    >>> likewise.look(rows)["kind"].tolist()
    ['number', 'category']
    """
    make, every, rows = _frames.make(rows), _frames.is_named(rows), _frames.given(rows, "rows")
    read = reading(rows, leave_out=leave_out, id=id, every=every)
    found, line, told = _native.look(_handed.rows(rows), label, {**read, "text": None, "features": None}, settings(0, None, False))
    tell(told)
    _LOG.info(line)
    seen = json.loads(found)
    names = ("column", "kind", "missing", "distinct", "examples", "why")
    table: Rows = _answer_tables.table_of_make(make, {name: [column[name] for column in seen] for name in names})
    return table
