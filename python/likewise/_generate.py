"""One estimator class for each registered method: signature, defaults and documentation come from the registry."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from ._estimator import PUClassifier
from ._related import RelationalClassifier
from ._registry import METHODS, READING, Method, Parameter

# A parameter that methods share: name, default, type, help.
Shared = tuple[str, Any, str, str]

_RUN: list[Shared] = [
    ("random_state", 0, "int, RandomState instance or None",
     "Seed of every random choice; the same seed gives the same model on any number of threads."),
    ("n_jobs", None, "int or None", "Number of threads; None and -1 mean one for each core."),
]
_WORDS: list[Shared] = [
    ("words", None, "dict or None",
     "How documents become words: ``stop_words`` ('auto', 'none', a language such as 'english', or {'these': [...]}), ``tokens`` "
     "('auto', 'words' of two characters and more, or 'all': single characters, marks and lengths of numbers too), "
     "``times`` (how often a word of each text column counts, such as [3, 1]), ``fold_accents``, ``stemming``, "
     "``ngrams``, ``min_documents``, ``max_share``, ``most_terms``, ``weights`` ('count', 'binary', "
     "'tfidf'), ``unit_length``. Numbers as rows are taken as they are."),
]
_COLUMNS: list[Shared] = [
    ("text", None, "str, list of str or None",
     "Text columns of a data frame. Where none of these four is given, a column called ``text`` is learned from alone, "
     "else all that carry something."),
    ("features", None, "str, list of str or None",
     "Columns of a data frame with numbers, categories and dates; 'all' is every column but those named as text or vectors."),
    ("vectors", None, "str, list of str or None", "Columns of a data frame with embeddings."),
    ("leave_out", None, "str, list of str or None", "Columns of a data frame not to learn from."),
]
_CUT: list[Shared] = [
    ("cut", None, "str, dict or None",
     "Where the class ends. None is where ``find`` cuts: where positives that are hidden in the pile say, unless the "
     "method's own threshold is its point. 'hidden' is the same for every method, and gives ``summary_``; 'natural' the "
     "method's own threshold, at once, for searches that fit often; a dict of one of ``recall``, ``precision``, ``share``, "
     "``top`` and ``threshold`` a place of your choice, as in {'recall': 0.95}. Hiding positives takes many times as long as "
     "a small fit alone; the ranking is the same."),
]
_CALIBRATED: list[Shared] = [
    ("calibrated", False, "bool",
     "Let ``predict_proba`` say how probable rows are: the share of positives among rows of their score, learned from "
     "positives that are hidden in the pile. Methods other than Auto learn several times for it."),
]
_RELATED_CUT: list[Shared] = [
    ("cut", None, "str, dict or None",
     "Where the class ends: 'natural' (at the method's own threshold), 'hidden' (where positives that are hidden among the "
     "other examples say), or a dict of one of ``recall``, ``precision``, ``share``, ``top`` and ``threshold``. None is what "
     "suits the method."),
]
_RELATED: list[Shared] = [
    ("certainty", False, "bool",
     "Say how many positives there are and how sure that is, in ``summary_`` and ``report``: positives are hidden among the "
     "other examples, for which the method learns several times."),
    ("calibrated", False, "bool",
     "Learn how probable examples are, for ``likewise.score`` with ``probabilities=True``; it learns several times for it."),
]
_SHOWN: list[Shared] = [("verbose", False, "bool", "Show progress with tqdm, where that is installed.")]


def common(method: Method) -> list[Shared]:
    """What an estimator takes besides its method's parameters."""
    if not method.is_relational:
        return _RUN + _WORDS + _COLUMNS + _CUT + _CALIBRATED + _SHOWN
    return _RUN + ([] if method.has_cut else _RELATED_CUT) + _RELATED + _SHOWN


def _class(method: Method, base: type, module: str, documentation: str) -> type:
    signature = _signature(method)
    defaults = {name: parameter.default for name, parameter in list(signature.parameters.items())[1:]}

    def __init__(self: Any, *arguments: Any, **given: Any) -> None:
        if arguments or not given.keys() <= defaults.keys():
            signature.bind(self, *arguments, **given)  # which says what is wrong with them
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{method.class_name}.__init__"
    body = {"__init__": __init__, "__doc__": documentation, "__module__": module, "_method": method}
    return type(method.class_name, (base,), body)


def _signature(method: Method) -> inspect.Signature:
    own = [(parameter.attribute, method.default(parameter)) for parameter in method.parameters]
    shared = [(name, default) for name, default, _, _ in common(method)]
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, keyword, default=default) for name, default in own + shared]
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([this, *parameters])


def _for_rows(method: Method) -> str:
    """The documentation of an estimator that takes rows."""
    attributes = [
        _entry("classes_", "ndarray of shape (2,)", "The two labels; the second one is the positive class."),
        _entry("scores_", "ndarray of shape (n_samples,)", "The scores of the rows that were learned from."),
        _entry("n_features_in_", "int", "Number of features; not there after learning from documents."),
        _entry("feature_names_in_", "ndarray of shape (n_features_in_,)",
               "Names of the features, where all of them are strings."),
        _entry("notes_", "list of Note", "What there was to say of the training; each is a text with a ``code``."),
        _entry("summary_", "Summary",
               "How many positives there are, how sure that is, and what was tried; where positives were hidden to tell."),
    ]
    takes = {"dense": "numbers", "sparse": "sparse rows and documents"}
    inputs = " and ".join(takes[kind] for kind in method.inputs if kind in takes)
    facts = f"Method ``{method.name}`` of the command line. Made for {inputs}" + (
        "; where there are negative values, columns are cut into bins." if method.non_negative else "."
    )
    return _docstring(method, facts, attributes, _example(method))


def _for_tables(method: Method) -> str:
    """The documentation of an estimator that takes related tables."""
    attributes = [
        _entry("ranking_", "DataFrame",
               "The pile, best first: ``rank``, the keys of the examples, ``score``, ``positive``; of the make of the "
               "tables."),
        _entry("target_", "str", "What the examples are, with their types."),
        _entry("summary_", "Summary",
               "How many positives there are and how sure that is; with ``certainty=True``."),
        _entry("notes_", "list of Note", "What there was to say of tables and training; each is a text with a ``code``."),
    ]
    facts = (
        f"Method ``{method.name}`` of the command line. Made for examples among tables that refer to each other; see "
        "``fit`` for how these are given."
    )
    return _docstring(method, facts, attributes, _relational_example(method))


def _docstring(method: Method, facts: str, attributes: list[str], example: str) -> str:
    described = [_described(method, parameter) for parameter in method.parameters]
    described += [_entry(name, f"{kind}, default={default!r}", text) for name, default, kind, text in common(method)]
    # One line that says what it is; what it is for stands below.
    title, _, purpose = (part.strip() for part in method.title.partition(";"))
    sections = [
        _sentence(title),
        *([_filled(_sentence(purpose))] if purpose else []),
        _filled(facts),
        _filled(f"Assumes: {method.assumes}"),
        "Parameters\n----------\n" + "\n".join(described),
        "Attributes\n----------\n" + "\n".join(attributes),
        "References\n----------\n" + _filled(method.paper),
        "Examples\n--------\n" + example,
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
    if parameter.name == "cut":
        help += " A dict of one of ``recall``, ``precision``, ``share``, ``top`` and ``threshold`` is a place of your choice."
        values += " or dict"
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


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


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


def _relational_example(method: Method) -> str:
    name = method.class_name
    return textwrap.dedent(f"""\
        >>> import pandas as pd
        >>> from likewise.relational import {name}
        >>> tables = {{
        ...     "orders": pd.DataFrame({{"id": range(1, 61)}}),
        ...     "items": pd.DataFrame({{"order": range(1, 61), "product": [1, 2, 3, 4] * 15}}),
        ...     "products": pd.DataFrame({{"id": [1, 2, 3, 4], "kind": ["fragile"] + ["solid"] * 3}}),
        ... }}
        >>> references = ["items.order -> orders.id", "items.product -> products.id"]
        >>> model = {name}().fit(tables, references, target="refund(order)", positives=range(1, 61, 8))
        >>> model.ranking_.columns.tolist(), len(model.ranking_)
        (['rank', 'id', 'score', 'positive'], 52)
        >>> model.target_, model.score_samples([5, 6]).shape
        ('refund(orders)', (2,))""")


# All estimators by their names: those that take rows, and those that take related tables.
ESTIMATORS: dict[str, type[PUClassifier]] = {
    method.class_name: _class(method, PUClassifier, "likewise", _for_rows(method))
    for method in METHODS
    if method.is_estimator
}
RELATIONAL: dict[str, type[RelationalClassifier]] = {
    method.class_name: _class(method, RelationalClassifier, "likewise.relational", _for_tables(method))
    for method in METHODS
    if method.is_relational
}
