"""Writes ``__init__.pyi`` and ``relational.pyi``, which tell type checkers of the generated classes:
``python -m likewise._stubs``."""

from __future__ import annotations

from pathlib import Path

from ._generate import common
from ._registry import METHODS, READING, Method, Parameter

FOLDER = Path(__file__).parent

_GENERATED = "# Generated from the registry of methods by `python -m likewise._stubs`; do not edit.\n"

_HEAD = '''
from typing import Any, Literal

from . import relational as relational
from ._compared import Comparison as Comparison
from ._compared import ScoreSummary as ScoreSummary
from ._errors import DataError as DataError
from ._errors import LikewiseWarning as LikewiseWarning
from ._errors import Note as Note
from ._errors import ParameterError as ParameterError
from ._estimator import PUClassifier as PUClassifier
from ._find import find as find
from ._find import unexpected as unexpected
from ._found import Found as Found
from ._found import LeftOut as LeftOut
from ._hidden_classes import UnexpectedSummary as UnexpectedSummary
from ._judge import Audit as Audit
from ._judge import audit as audit
from ._judge import compare as compare
from ._loading import load as load
from ._look import look as look
from ._measure import Evaluation as Evaluation
from ._measure import Prior as Prior
from ._measure import evaluate as evaluate
from ._measure import prior as prior
from ._native import __version__ as __version__
from ._read_sample import Estimate as Estimate
from ._read_sample import Read as Read
from ._read_sample import audit_sample as audit_sample
from ._rehearse import Rehearsal as Rehearsal
from ._rehearse import rehearse as rehearse
from ._review import Review as Review
from ._review import review as review
from ._score import Explanation as Explanation
from ._score import explain as explain
from ._score import score as score
from ._simulate import Simulation as Simulation
from ._simulate import simulate as simulate
from ._summary import Summary as Summary
from ._update import update as update
'''

_RELATIONAL_HEAD = '''
from typing import Any, Literal

from ._related import RelationalClassifier as RelationalClassifier
from ._related import Rule as Rule
from ._related_questions import audit as audit
from ._related_questions import compare as compare
from ._related_questions import prior as prior
from ._related_tables import Description as Description
from ._related_tables import describe as describe
'''

_COMMON_TYPES = {
    "calibrated": "bool",
    "certainty": "bool",
    "cut": "str | dict[str, float] | None",
    "random_state": "Any",
    "n_jobs": "int | None",
    "words": "dict[str, Any] | None",
    "text": "str | list[str] | None",
    "features": "str | list[str] | None",
    "vectors": "str | list[str] | None",
    "leave_out": "str | list[str] | None",
    "verbose": "bool",
}


def stubs() -> dict[str, str]:
    """What type checkers are to know of the package, by file."""
    rows = [_class(method, "PUClassifier") for method in METHODS if method.is_estimator]
    tables = [_class(method, "RelationalClassifier") for method in METHODS if method.is_relational]
    return {
        "__init__.pyi": "".join([_GENERATED, _HEAD, *rows]),
        "relational.pyi": "".join([_GENERATED, _RELATIONAL_HEAD, *tables]),
    }


def _class(method: Method, base: str) -> str:
    own = [(p.attribute, _type(method, p), method.default(p)) for p in method.parameters]
    shared = [(name, _COMMON_TYPES[name], default) for name, default, _, _ in common(method)]
    fields = "".join(f"    {name}: {kind}\n" for name, kind, _ in own)
    arguments = "".join(f"        {name}: {kind} = {default!r},\n" for name, kind, default in own + shared)
    return (
        f"\nclass {method.class_name}({base}):\n"
        f"{fields}    def __init__(\n        self,\n        *,\n{arguments}    ) -> None: ...\n"
    )


def _type(method: Method, parameter: Parameter) -> str:
    if parameter.type == "choice":
        names = ", ".join(repr(choice["name"]) for choice in parameter.choices)
        kind = f"Literal[{names}]"
    else:
        kind = {"number": "float", "integer": "int", "flag": "bool", "text": "str"}[parameter.type]
    if method.default(parameter) == READING:
        kind += f" | Literal[{READING!r}]"
    return kind + " | None" if parameter.optional else kind


if __name__ == "__main__":
    for _name, _text in stubs().items():
        (FOLDER / _name).write_text(_text, encoding="utf-8")
