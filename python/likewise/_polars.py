"""A ranking as a polars table."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import polars

from ._found import Answer, Found

# What gives a part of the rows, another order of them, or other columns beside them.
_KEEP = (
    "__copy__", "__deepcopy__", "__getitem__", "clear", "clone", "drop", "drop_nulls", "filter", "gather_every", "head", "limit",
    "rename", "reverse", "sample", "select", "slice", "sort", "tail", "top_k", "bottom_k", "unique", "with_columns",
    "with_row_index",
)


class PolarsFound(Found, polars.DataFrame):  # type: ignore[misc]
    """A polars ``DataFrame`` that knows more than its rows; what is selected from it knows it too."""

    @classmethod
    def of(cls, table: Any, answer: Answer | None) -> PolarsFound:
        found = cls(table)
        found._answer = answer
        return found

    def __getattr__(self, name: str) -> Any:
        # Polars would say that there is no such name, where ours says why nothing is known.
        if name in ("summary", "model", "left_out", "notes", "lines"):
            return self._known(name)
        own = getattr(polars.DataFrame, "__getattr__", None)
        if own is None:
            raise AttributeError(f"a table of polars has no attribute {name!r}")
        return own(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return PolarsFound.of, (polars.DataFrame(self.get_columns()), self._answer)


def _kept(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def keeping(self: PolarsFound, *arguments: Any, **given: Any) -> Any:
        part = method(self, *arguments, **given)
        return PolarsFound.of(part, self._answer) if isinstance(part, polars.DataFrame) else part

    return keeping


for _name in _KEEP:
    setattr(PolarsFound, _name, _kept(getattr(polars.DataFrame, _name)))
