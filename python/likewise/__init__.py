"""Show it a few of what you want; it finds the rest.

Learning from positive and unlabeled examples: one scikit-learn estimator for each method.

>>> import likewise
>>> model = likewise.NB().fit(["refund money", "money back", "late parcel", "lost parcel"], ["yes", "yes", "?", "?"])
>>> model.predict(["money please"]).tolist()
['yes']
"""

from . import relational
from ._errors import LikewiseWarning, ParameterError
from ._estimator import PUClassifier
from ._generate import ESTIMATORS as _ESTIMATORS
from ._loading import load
from ._native import __version__
from ._questions import Estimate, Prior, evaluate, find, prior, unexpected
from ._review import Review, review

globals().update(_ESTIMATORS)

__all__ = [
    "Estimate", "LikewiseWarning", "PUClassifier", "ParameterError", "Prior", "Review", "__version__", "evaluate",
    "find", "load", "prior", "relational", "review", "unexpected", *_ESTIMATORS,
]
