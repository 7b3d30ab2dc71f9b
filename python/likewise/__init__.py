"""Show it a few of what you want; it finds the rest.

Learning from positive and unlabeled examples: one scikit-learn estimator for each method.

>>> import likewise
>>> model = likewise.NB().fit(["refund money", "money back", "late parcel", "lost parcel"], ["yes", "yes", "?", "?"])
>>> model.predict(["money please"]).tolist()
['yes']
"""

from . import relational
from ._errors import DataError, LikewiseWarning, Note, ParameterError
from ._estimator import PUClassifier
from ._find import find, unexpected
from ._found import LeftOut
from ._generate import ESTIMATORS as _ESTIMATORS
from ._judge import Audit, audit, compare
from ._loading import load
from ._measure import Estimate, Evaluation, Prior, evaluate, prior
from ._native import __version__
from ._review import Review, review
from ._score import Explanation, explain, score
from ._simulate import Simulation, simulate
from ._summary import Summary

globals().update(_ESTIMATORS)

__all__ = [
    "Audit", "DataError", "Estimate", "Evaluation", "Explanation", "LeftOut", "LikewiseWarning", "Note",
    "PUClassifier", "ParameterError", "Prior", "Review", "Simulation", "Summary", "__version__", "audit", "compare",
    "evaluate", "explain", "find", "load", "prior", "relational", "review", "score", "simulate", "unexpected",
    *_ESTIMATORS,
]
