"""What can go wrong and what there is to know, as Python's own errors and warnings, with codes for programs."""

from __future__ import annotations

import operator
from typing import Any


class _Coded(Exception):
    """``code`` says what kind of message it is (``docs/codes.md`` lists them all), ``fields`` holds the facts in it."""

    def __init__(self, message: str = "", code: str = "", fields: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.fields: dict[str, Any] = {} if fields is None else fields

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.fields)


class ParameterError(_Coded, ValueError, TypeError):
    """A parameter is unknown, of the wrong type or out of range. It has a ``code`` and ``fields``."""

    def __init__(self, message: str = "", code: str = "parameter", fields: dict[str, Any] | None = None) -> None:
        super().__init__(message, code, fields)


def whole(name: str, value: Any, least: int | None = None) -> int:
    """A parameter that is a whole number; a number of NumPy's is one too."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    low, start = (-(2**63), "") if least is None else (least, f" from {least}")
    if number is None or isinstance(value, bool) or not low <= number < 2**64:
        raise ParameterError(f"parameter `{name}`: give a whole number{start}, not {value!r}")
    return number


def number(name: str, value: Any) -> float:
    """A parameter that is a number."""
    try:
        return float(value) if not isinstance(value, str) else float("no number")
    except (TypeError, ValueError):
        raise ParameterError(f"parameter `{name}`: give a number, not {value!r}") from None


def flag(name: str, value: Any) -> bool:
    """A parameter that is true or false; a truth value of NumPy's is one too."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise ParameterError(f"parameter `{name}`: give True or False, not {value!r}")
    return bool(value)


class DataError(_Coded, ValueError):
    """The data cannot be learned from, or do not fit the model. It has a ``code`` and ``fields``."""


class LikewiseWarning(_Coded, UserWarning):
    """Something about a result that its reader should know. It has a ``code`` and ``fields``."""


class Note(str):
    """Something about a result that its reader should know.

    A text with a ``level`` (``'info'`` or ``'warning'``), a ``code`` that says what kind of message it is, and ``fields``
    with the facts in it.
    """

    level: str
    code: str
    fields: dict[str, Any]

    def __new__(cls, text: str, level: str = "info", code: str = "", fields: dict[str, Any] | None = None) -> Note:
        note = super().__new__(cls, text)
        note.level, note.code, note.fields = level, code, {} if fields is None else fields
        return note

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.level, self.code, self.fields
