"""A ranking as an Arrow table."""

from __future__ import annotations

from typing import Any

import pyarrow

from ._found import Answer, Found


class ArrowFound(Found):
    """An Arrow table that knows more than its rows.

    Arrow's own class cannot be extended, so this one passes everything on to ``table``, which is to be given to
    functions of Arrow that take nothing but that class.
    """

    def __init__(self, table: pyarrow.Table, answer: Answer | None) -> None:
        self.table = table
        self._answer = answer

    # What asks for the class is told that of the table, so that ``isinstance`` holds.
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return pyarrow.Table  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name in ("table", "__setstate__"):
            raise AttributeError(name)
        return getattr(self.table, name)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __len__(self) -> int:
        return len(self.table)

    def __eq__(self, other: object) -> bool:
        return bool(self.table == (other.table if type(other) is ArrowFound else other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.table)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __dataframe__(self, *arguments: Any, **given: Any) -> Any:
        return self.table.__dataframe__(*arguments, **given)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return ArrowFound, (self.table, self._answer)
