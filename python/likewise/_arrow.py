"""A ranking as an Arrow table."""

from __future__ import annotations

from typing import Any

import pyarrow

from ._found import Answer, Found


class ArrowFound(Found):
    """An Arrow table that knows more than its rows.

    Arrow's own class cannot be extended, so this is none of it: it passes everything on to ``table``, which is one. What
    reads tables by Arrow's C stream interface takes it as it is (``pyarrow.table(found)``, ``polars.DataFrame(found)``,
    DuckDB); functions of Arrow that take nothing but their own class, its writers among them, take ``found.table``.
    """

    # What answers of this make are read as.
    stands_for = "pyarrow"

    def __init__(self, table: pyarrow.Table, answer: Answer | None) -> None:
        self.table = table
        self._answer = answer

    def __getattr__(self, name: str) -> Any:
        if name in ("table", "__setstate__"):
            raise AttributeError(name)
        return getattr(self.table, name)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __len__(self) -> int:
        return len(self.table)

    def __eq__(self, other: object) -> bool:
        return bool(self.table == (other.table if isinstance(other, ArrowFound) else other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.table)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __dataframe__(self, *arguments: Any, **given: Any) -> Any:
        return self.table.__dataframe__(*arguments, **given)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return ArrowFound, (self.table, self._answer)
