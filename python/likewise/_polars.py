"""A ranking as a polars table."""

from __future__ import annotations

from typing import Any

import polars

from ._found import Answer, Found


class PolarsFound(Found, polars.DataFrame):  # type: ignore[misc]
    """A polars ``DataFrame`` that knows more than its rows; what is selected from it is a plain one."""

    @classmethod
    def of(cls, table: Any, answer: Answer) -> PolarsFound:
        found = cls(table)
        found._answer = answer
        return found
