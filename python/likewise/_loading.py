"""Model files back into estimators."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _native
from ._generate import ESTIMATORS, RELATIONAL
from ._registry import METHODS


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model file that ``save`` or the command line wrote.

    Parameters
    ----------
    path : str or path
        The file. Nothing in it can run code.

    Returns
    -------
    estimator : PUClassifier or RelationalClassifier
        A fitted estimator of the class of its method; it gives the same scores, bit for bit. One of related
        tables is told with ``bind`` where its examples are, since a model file holds no tables.
    """
    model = _native.load(Path(path).read_bytes())
    method = next(method for method in METHODS if method.name == model.method)
    classes: dict[str, type[Any]] = {**ESTIMATORS, **RELATIONAL}
    if method.class_name not in classes:
        raise ValueError(f"a model of method {method.name!r} is for the command line: likewise score")
    parameters = json.loads(model.parameters)
    attributes = {p.attribute: parameters[p.name] for p in method.parameters if p.name in parameters}
    estimator = classes[method.class_name](**attributes, random_state=model.seed)
    estimator._restore(model)
    return estimator
