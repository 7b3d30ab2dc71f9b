"""Writes ``__init__.pyi`` and ``relational.pyi``, which tell type checkers of the generated classes:
``python -m likewise._stubs``."""

from __future__ import annotations

from pathlib import Path

from . import _PLACES
from ._generate import common
from ._registry import METHODS, READING, Method, Parameter

FOLDER = Path(__file__).parent

_GENERATED = "# Generated from the registry of methods by `python -m likewise._stubs`; do not edit.\n"

def _head() -> str:
    """Every name of the package from where it is."""
    places = {**_PLACES, "__version__": "_native"}
    by_module = sorted((module, name) for name, module in places.items())
    lines = [f"from .{module} import {name} as {name}\n" for module, name in by_module]
    return "\nfrom typing import Any, Literal\n\nfrom . import relational as relational\n" + "".join(lines) + "\n_PLACES: dict[str, str]\n"


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
        "__init__.pyi": "".join([_GENERATED, _head(), *rows]),
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
