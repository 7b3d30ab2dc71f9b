"""What all questions do with their arguments."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import column_or_1d

from . import _frames, _handed, _native
from ._columns import Names
from ._errors import DataError, ParameterError
from ._reading import reading
from ._registry import METHODS, Method, plain

AUTOMATIC = "auto"


def sides(
    positives: Any, pile: Any, unlike: Any = None, called: str = "positives", text: Names = None
) -> tuple[Any, Any, Any]:
    """Examples, pile and rows that are not wanted as the Rust side takes them."""
    named = {called: positives, "pile": pile, "rows of unlike": unlike}
    there = alike({name: data for name, data in named.items() if data is not None})
    positives, pile, unlike = (None if name not in there else _handed.rows(there[name], text) for name in named)
    return positives, pile, unlike


def alike(there: dict[str, Any]) -> dict[str, Any]:
    """The same rows of one kind. Where one matrix is sparse, so are the others."""
    _check_kinds(there)
    if not all(_frames.is_matrix(data) for data in there.values()):
        return there
    if any(scipy.sparse.issparse(data) for data in there.values()):
        there = {name: scipy.sparse.csr_array(data) for name, data in there.items()}
    widths = {name: _width(data) for name, data in there.items()}
    last = "pile" if "pile" in widths else list(widths)[-1]
    for name, width in widths.items():
        if width != widths[last]:
            raise ValueError(f"the {name} have {width} columns and the {last} has {widths[last]}")
    return there


def _check_kinds(there: dict[str, Any]) -> None:
    """Refuses a matrix beside rows with names: no column of the one is a column of the other."""
    matrices = [name for name, data in there.items() if _frames.is_matrix(data)]
    others = [name for name in there if name not in matrices]
    if matrices and others:
        what = "a data frame" if _frames.is_table(there[others[0]]) else "a list or column"
        raise DataError(
            f"a matrix of numbers (the {matrices[0]}) and {what} (the {others[0]}) have no column in common; give both as "
            "data frames with the same columns, or both as matrices (frame.to_numpy() makes one)",
            "inputs-differ",
        )


def _width(matrix: Any) -> int:
    return int(matrix.shape[1]) if hasattr(matrix, "shape") else len(matrix[0])


# Both sides, what is not wanted, and what is read of them, as the Rust side takes it.
Asked = tuple[Any, Any, Any, dict[str, Any]]


def problem(question: str, positives: Any, pile: Any, unlike: Any, **columns: Any) -> tuple[Any, Asked]:
    """The pile as it is read, and the problem. Examples of several classes are for ``find`` alone."""
    if _frames.is_named(positives) and not _frames.is_named(pile):
        raise TypeError(f"{question} is asked of one class at a time; give the examples of one, or both sides as blocks")
    every = _frames.is_named(pile)
    positives, pile = _frames.given(positives, "positives"), _frames.given(pile, "pile")
    unlike = None if unlike is None else _frames.given(unlike, "unlike")
    return pile, (*sides(positives, pile, unlike, text=columns["text"]), reading(pile, **columns, every=every))


def numbers(scores: Any) -> np.ndarray:
    return np.ascontiguousarray(column_or_1d(scores), dtype=np.float64)


def method_named(name: str) -> Method:
    methods = {method.name: method for method in METHODS if method.is_estimator}
    if name not in methods:
        _native.check_method(str(name))
        raise DataError(
            f"method {name!r} does not learn from rows of which some are examples; likewise.relational has those of "
            "related tables",
            "unknown-method",
            {"method": name},
        )
    return methods[name]


def given(method: Method, parameters: dict[str, Any]) -> str:
    """The method's parameters as JSON."""
    by_attribute = {parameter.attribute: parameter for parameter in method.parameters}
    values = {}
    for attribute, value in parameters.items():
        if attribute not in by_attribute:
            known = ", ".join(by_attribute) or "none"
            raise ParameterError(f"method {method.name!r} has no parameter {attribute!r}; it has {known}")
        values[by_attribute[attribute].name] = plain(by_attribute[attribute], value)
    return json.dumps(values)
