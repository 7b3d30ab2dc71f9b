"""Writes ``__init__.pyi``, which tells type checkers of the generated classes: ``python -m likewise._stubs``."""

from __future__ import annotations

from pathlib import Path

from ._generate import COMMON
from ._registry import METHODS, READING, Method, Parameter

STUBS = Path(__file__).with_name("__init__.pyi")

_HEAD = '''\
# Generated from the registry of methods by `python -m likewise._stubs`; do not edit.

from typing import Any, Literal

from ._errors import LikewiseWarning as LikewiseWarning
from ._errors import ParameterError as ParameterError
from ._estimator import PUClassifier as PUClassifier
from ._loading import load as load
from ._native import __version__ as __version__
from ._questions import Estimate as Estimate
from ._questions import Prior as Prior
from ._questions import evaluate as evaluate
from ._questions import find as find
from ._questions import prior as prior
from ._questions import unexpected as unexpected
'''

_COMMON_TYPES = {
    "random_state": "Any",
    "n_jobs": "int | None",
    "words": "dict[str, Any] | None",
    "verbose": "bool",
}


def stubs() -> str:
    """What type checkers are to know of the package."""
    return _HEAD + "".join(_class(method) for method in METHODS if method.is_estimator)


def _class(method: Method) -> str:
    own = [(p.attribute, _type(method, p), method.default(p)) for p in method.parameters]
    common = [(name, _COMMON_TYPES[name], default) for name, default, _, _ in COMMON]
    fields = "".join(f"    {name}: {kind}\n" for name, kind, _ in own)
    arguments = "".join(f"        {name}: {kind} = {default!r},\n" for name, kind, default in own + common)
    return (
        f"\nclass {method.class_name}(PUClassifier):\n"
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
    STUBS.write_text(stubs(), encoding="utf-8")
