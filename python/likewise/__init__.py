"""Show it a few of what you want; it finds the rest.

Learning from positive and unlabelled examples: one scikit-learn estimator for each method.

>>> import likewise
>>> model = likewise.NB().fit(["refund money", "money back", "late parcel", "lost parcel"], ["yes", "yes", "?", "?"])
>>> model.predict(["money please"]).tolist()
['yes']
"""

from importlib import import_module as _import_module
from typing import Any as _Any

from ._native import __version__

# Where names are to be found when somebody asks for them: a worker that only scores Arrow batches never imports
# scikit-learn.
_PLACES = {
    "Audit": "_judge",
    "Comparison": "_compared",
    "DataError": "_errors",
    "Estimate": "_read_sample",
    "Evaluation": "_measure",
    "Explanation": "_score",
    "Found": "_found",
    "LeftOut": "_found",
    "LikewiseWarning": "_errors",
    "Note": "_errors",
    "PUClassifier": "_estimator",
    "ParameterError": "_errors",
    "Prior": "_measure",
    "Read": "_read_sample",
    "Rehearsal": "_rehearse",
    "Review": "_review",
    "ScoreSummary": "_compared",
    "Simulation": "_simulate",
    "Summary": "_summary",
    "UnexpectedSummary": "_hidden_classes",
    "audit": "_judge",
    "audit_sample": "_read_sample",
    "compare": "_judge",
    "evaluate": "_measure",
    "explain": "_score",
    "find": "_find",
    "load": "_loading",
    "look": "_look",
    "prior": "_measure",
    "rehearse": "_rehearse",
    "review": "_review",
    "score": "_score",
    "simulate": "_simulate",
    "unexpected": "_find",
    "update": "_update",
}
_MODULES = ["arrow", "relational", "spark"]


def _estimators() -> dict[str, _Any]:
    estimators: dict[str, _Any] = _import_module("._generate", __name__).ESTIMATORS
    return estimators


def __getattr__(name: str) -> _Any:
    if name == "__all__":
        return sorted([*_PLACES, "__version__", "relational", *_estimators()])
    if name in _MODULES:
        return _import_module(f".{name}", __name__)
    if name in _PLACES:
        value = getattr(_import_module(f".{_PLACES[name]}", __name__), name)
    elif name[:1].isupper() and name in _estimators():
        value = _estimators()[name]
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__"), *_MODULES})
