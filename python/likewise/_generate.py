"""One estimator class for each registered method: signature, defaults and documentation come from the registry."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from ._estimator import PUClassifier
from ._registry import METHODS, READING, Method, Parameter

# What every estimator takes besides its method's parameters: name, default, type, help.
COMMON: list[tuple[str, Any, str, str]] = [
    ("random_state", 0, "int, RandomState instance or None",
     "Seed of every random choice; the same seed gives the same model on any number of threads."),
    ("n_jobs", None, "int or None", "Number of threads; None and -1 mean one for each core."),
    ("words", None, "dict or None",
     "How documents become words: ``stop_words`` ('english', 'none' or {'these': [...]}), ``stemming``, "
     "``ngrams``, ``min_documents``, ``max_share``, ``most_terms``, ``weights`` ('count', 'binary', "
     "'tfidf'), ``unit_length``. Numbers as rows are taken as they are."),
    ("verbose", False, "bool", "Show progress with tqdm, where that is installed."),
]


def estimator_class(method: Method) -> type[PUClassifier]:
    signature = _signature(method)

    def __init__(self: PUClassifier, *arguments: Any, **given: Any) -> None:
        bound = signature.bind(self, *arguments, **given)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{method.class_name}.__init__"
    body = {"__init__": __init__, "__doc__": _docstring(method), "__module__": "likewise", "_method": method}
    return type(method.class_name, (PUClassifier,), body)


def _signature(method: Method) -> inspect.Signature:
    own = [(parameter.attribute, method.default(parameter)) for parameter in method.parameters]
    common = [(name, default) for name, default, _, _ in COMMON]
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, keyword, default=default) for name, default in own + common]
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([this, *parameters])


def _docstring(method: Method) -> str:
    described = [_described(method, parameter) for parameter in method.parameters]
    described += [_entry(name, f"{kind}, default={default!r}", text) for name, default, kind, text in COMMON]
    attributes = [
        _entry("classes_", "ndarray of shape (2,)", "The two labels; the second one is the positive class."),
        _entry("scores_", "ndarray of shape (n_samples,)", "The scores of the rows that were learned from."),
        _entry("n_features_in_", "int", "Number of features; not there after learning from documents."),
        _entry("feature_names_in_", "ndarray of shape (n_features_in_,)",
               "Names of the features, where all of them are strings."),
        _entry("notes_", "list of str", "What there was to say of the training."),
    ]
    title = method.title[0].upper() + method.title[1:]
    takes = {"dense": "numbers", "sparse": "sparse rows and documents"}
    inputs = " and ".join(takes[kind] for kind in method.inputs if kind in takes)
    facts = f"Method ``{method.name}`` of the command line. Made for {inputs}" + (
        "; where there are negative values, columns are cut into bins." if method.non_negative else "."
    )
    if not method.inductive:
        facts += " It ranks the rows it is trained with; ``scores_`` is its answer."
    sections = [
        _filled(title + "."),
        _filled(facts),
        "Parameters\n----------\n" + "\n".join(described),
        "Attributes\n----------\n" + "\n".join(attributes),
        "References\n----------\n" + _filled(method.paper),
        "Examples\n--------\n" + _example(method),
    ]
    return textwrap.indent("\n\n".join(sections), "    ").lstrip() + "\n    "


def _described(method: Method, parameter: Parameter) -> str:
    help = parameter.help.rstrip(".") + "."
    values = type_name(parameter)
    if parameter.min is not None or parameter.max is not None:
        help += f" {_range(parameter)}."
    for choice in parameter.choices:
        if choice["help"]:
            help += f" {choice['name']!r}: {choice['help'].rstrip('.')}."
    if method.default(parameter) == READING:
        by_reading = ", ".join(f"{r[parameter.name]!r} ({r[READING]})" for r in method.readings)
        help += f" 'reading' takes what the reading sets: {by_reading}."
        values += " or 'reading'"
    return _entry(parameter.attribute, f"{values}, default={method.default(parameter)!r}", help)


def type_name(parameter: Parameter) -> str:
    """The type as numpydoc writes it."""
    if parameter.type == "choice":
        name = "{" + ", ".join(repr(choice["name"]) for choice in parameter.choices) + "}"
    else:
        name = {"number": "float", "integer": "int", "flag": "bool", "text": "str"}[parameter.type]
    return name + " or None" if parameter.optional else name


def _range(parameter: Parameter) -> str:
    low, high = (None if end is None else f"{end:g}" for end in (parameter.min, parameter.max))
    if low is None:
        return f"At most {high}"
    return f"At least {low}" if high is None else f"From {low} to {high}"


def _entry(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n" + textwrap.indent(_filled(text), "    ")


def _filled(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 92))


def _example(method: Method) -> str:
    name = method.class_name
    if "sparse" in method.inputs:
        return textwrap.dedent(f"""\
            >>> from likewise import {name}
            >>> refunds = ["refund my money", "money back please", "please refund me", "my refund money",
            ...            "want money back", "refund the money back"]
            >>> pile = ["money refund please", "late parcel", "parcel lost in the post", "post is late",
            ...         "the parcel post lost it", "where is the late parcel"]
            >>> model = {name}().fit(refunds + pile, [1] * 6 + [0] * 6)
            >>> model.scores_.shape, model.classes_.tolist()
            ((12,), [0, 1])""")
    return textwrap.dedent(f"""\
        >>> from likewise import {name}
        >>> import numpy as np
        >>> positives = np.random.default_rng(0).normal(2, 1, size=(20, 2))
        >>> pile = np.random.default_rng(1).normal([[2, 2]] * 20 + [[-2, -2]] * 40)
        >>> model = {name}().fit(np.vstack([positives, pile]), [1] * 20 + [0] * 60)
        >>> bool(model.scores_[20:40].mean() > model.scores_[40:].mean())
        True""")


# All estimators by their names.
ESTIMATORS: dict[str, type[PUClassifier]] = {
    method.class_name: estimator_class(method) for method in METHODS if method.is_estimator
}
