"""The registry of methods as the Rust side tells it, and what each is called in Python."""

from __future__ import annotations

import json
import keyword
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _native
from ._errors import ParameterError

# Abbreviations keep their capitals; every other part of a method's name is a word with one.
_ABBREVIATIONS = {
    "apnb", "asw", "em", "knn", "lgn", "lp", "lsn", "nb", "nmfpul", "nn", "nnpu", "ocsvm", "pebl", "pnb", "pu", "pul",
    "rc", "roc", "rpt", "smc", "svdd", "svm", "svmc", "upu",
}
_SPELLINGS = {"kmeans": "KMeans", "onb": "OneClassNB", "onb-asw": "OneClassNB", "relocc": "RelOCC"}

READING = "reading"
# Parameters of every estimator that some method has one of its own by the name of, and what that one is called.
SHARED = {"calibrated": "calibrated_scores"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method."""

    name: str
    help: str
    type: str
    optional: bool
    default: Any
    min: float | None = None
    max: float | None = None
    choices: list[dict[str, str]] = field(default_factory=list)

    @property
    def attribute(self) -> str:
        """Its name in Python, where some words are taken, by the language or by what all estimators have."""
        name = self.name.replace("-", "_")
        return SHARED.get(name, name + "_" if keyword.iskeyword(name) else name)


@dataclass(frozen=True)
class Method:
    """What the registry says of a method."""

    name: str
    family: str
    title: str
    paper: str
    assumes: str
    inputs: list[str]
    weights: str
    keeps: str | None
    non_negative: bool
    parameters: list[Parameter]
    readings: list[dict[str, Any]]

    @property
    def class_name(self) -> str:
        """``spy-em`` is ``SpyEM``."""
        whole = _SPELLINGS.get(self.name)
        return whole or "".join(_spelled(part) for part in self.name.replace("_", "-").split("-"))

    @property
    def is_estimator(self) -> bool:
        """Whether it learns from rows and marks alone: not from related tables, and not from true labels."""
        return not self.is_relational and self.name != "supervised"

    @property
    def is_relational(self) -> bool:
        """Whether it learns from related tables."""
        return self.inputs == ["relational"]

    @property
    def has_cut(self) -> bool:
        """Whether a parameter of its own says where the class ends."""
        return any(parameter.name == "cut" for parameter in self.parameters)

    def default(self, parameter: Parameter) -> Any:
        """What the constructor sets: where a reading decides, nothing else may."""
        follows = self.readings and parameter.name != READING
        return READING if follows else parameter.default


def plain(parameter: Parameter, value: Any) -> Any:
    """A value that JSON can hold; numpy's scalars are numbers too, and what may be left empty may be ``'auto'``."""
    if parameter.optional and parameter.type != "text" and isinstance(value, str) and value == "auto":
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        raise ParameterError(f"parameter `{parameter.name}`: {value} is not a finite number")
    if value is not None and not isinstance(value, (bool, int, float, str)):
        raise ParameterError(f"parameter `{parameter.name}`: {value!r} is not a number, text or flag")
    return value


def _spelled(part: str) -> str:
    if part in _SPELLINGS:
        return _SPELLINGS[part]
    return part.upper() if part in _ABBREVIATIONS else part.capitalize()


def _method(described: dict[str, Any]) -> Method:
    parameters = [Parameter(**parameter) for parameter in described.pop("parameters")]
    return Method(**described, parameters=parameters)


METHODS: list[Method] = [_method(described) for described in json.loads(_native.methods())]
