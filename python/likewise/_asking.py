"""What all questions do with their arguments."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import column_or_1d

from . import _frames
from ._columns import read
from ._estimator import json_text
from ._registry import METHODS, Method, plain

AUTOMATIC = "auto"


def rows(data: Any, text: Any) -> Any:
    """Documents, a table or a matrix as the Rust side takes it."""
    if _frames.is_matrix(data):
        return _frames.matrix(data)
    if _frames.is_table(data) and not (text is None and _frames.is_text(data)):
        return _frames.table(data)
    return _frames.texts(data)


def sides(positives: Any, pile: Any, text: Any, called: str = "positives") -> tuple[Any, Any]:
    """Both as the Rust side takes them. Where one is sparse, so is the other."""
    if _frames.is_matrix(pile) and _frames.is_matrix(positives):
        if scipy.sparse.issparse(positives) or scipy.sparse.issparse(pile):
            positives, pile = (scipy.sparse.csr_array(side) for side in (positives, pile))
        widths = [side.shape[1] if hasattr(side, "shape") else len(side[0]) for side in (positives, pile)]
        if widths[0] != widths[1]:
            raise ValueError(f"the {called} have {widths[0]} columns and the pile has {widths[1]}")
    return rows(positives, text), rows(pile, text)


def third(unlike: Any, pile: Any, text: Any) -> Any:
    """Rows known not to be wanted as the Rust side takes them, of one kind with the pile."""
    return None if unlike is None else sides(unlike, pile, text, "rows of unlike")[0]


def reading(
    data: Any,
    text: str | Sequence[str] | None,
    features: str | Sequence[str] | None,
    id: str | None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    vectors: str | Sequence[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Which columns are read, and how. A matrix is read whole."""
    if _frames.is_matrix(data):
        text, features = None, "all"
    told = None if words is None else json_text("words", words)
    return read(text, features, id, keep_positives, vectors=vectors, leave_out=leave_out, embed=embed, words=told)


def numbers(scores: Any) -> np.ndarray:
    return np.ascontiguousarray(column_or_1d(scores), dtype=np.float64)


def method_named(name: str) -> Method:
    methods = [method for method in METHODS if method.is_estimator]
    for method in methods:
        if method.name == name:
            return method
    known = ", ".join(method.name for method in methods)
    raise ValueError(f"there is no method {name!r}; there are {known}")


def given(method: Method, parameters: dict[str, Any]) -> str:
    """The method's parameters as JSON."""
    by_attribute = {parameter.attribute: parameter for parameter in method.parameters}
    values = {}
    for attribute, value in parameters.items():
        if attribute not in by_attribute:
            known = ", ".join(by_attribute) or "none"
            raise TypeError(f"method {method.name!r} has no parameter {attribute!r}; it has {known}")
        values[by_attribute[attribute].name] = plain(by_attribute[attribute], value)
    return json.dumps(values)
