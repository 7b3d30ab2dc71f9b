"""A ranking as a pandas table."""

from __future__ import annotations

from typing import Any

import pandas

from ._found import Answer, Found


class PandasFound(Found, pandas.DataFrame):  # type: ignore[misc]
    """A ``DataFrame`` that knows more than its rows; what is selected from it knows it too."""

    _metadata = ["_answer"]

    @classmethod
    def of(cls, table: Any, answer: Answer) -> PandasFound:
        found = cls(table)
        found._answer = answer
        return found

    @property
    def _constructor(self) -> type[PandasFound]:
        return PandasFound
