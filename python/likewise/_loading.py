"""Model files back into estimators."""

from __future__ import annotations

import json
import os
from pathlib import Path

from . import _native
from ._estimator import PUClassifier
from ._generate import ESTIMATORS
from ._registry import METHODS


def load(path: str | os.PathLike[str]) -> PUClassifier:
    """Read a model file that ``save`` or the command line wrote.

    Parameters
    ----------
    path : str or path
        The file. Nothing in it can run code.

    Returns
    -------
    estimator : PUClassifier
        A fitted estimator of the class of its method; it gives the same scores, bit for bit.
    """
    model = _native.load(Path(path).read_bytes())
    method = next(method for method in METHODS if method.name == model.method)
    if not method.is_estimator:
        raise ValueError(f"a model of method {method.name!r} is for the command line: likewise score")
    parameters = json.loads(model.parameters)
    attributes = {p.attribute: parameters[p.name] for p in method.parameters if p.name in parameters}
    estimator: PUClassifier = ESTIMATORS[method.class_name](**attributes, random_state=model.seed)
    estimator._restore(model)
    return estimator
