"""Which columns are read, and how."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _frames
from ._columns import Names, read
from ._errors import ParameterError


def reading(
    data: Any,
    *,
    text: Names = None,
    features: Names = None,
    vectors: Names = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: Names = None,
    id: str | None = None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    every: bool = False,
) -> dict[str, Any]:
    """Which columns are read, and how. A matrix is read whole, and so is ``every`` block of a dict, which were all named."""
    if _frames.is_matrix(data):
        if text is not None:
            raise ParameterError("parameter `text`: the rows are a matrix of numbers, which has no text; leave it out")
        features = "all" if features is None else features
    elif text is None and features is None and vectors is None and _frames.is_table(data):
        features = _only_category(data, id)
    if words is not None and not isinstance(words, Mapping):
        raise ParameterError(f"parameter `words`: give a dict of options, such as {{'stemming': 'english'}}, not {words!r}")
    told = None if words is None else json_text("words", words)
    return read(
        text, features, id, keep_positives, vectors=vectors, leave_out=leave_out, embed=embed, words=told, every=every
    )


def _only_category(data: Any, id: str | None) -> str | None:
    """The only column, where it says that it is a category: as strings of Arrow's it would be taken for text."""
    own = [name for name in _frames.column_names(data) if name != (id or "id")]
    return own[0] if len(own) == 1 and _frames.is_category(_frames.column_of(data, own[0])) else None


def json_text(name: str, value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"parameter `{name}`: {error}") from error
