"""Model files back into estimators."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _native
from ._estimator import PUClassifier
from ._generate import ESTIMATORS, RELATIONAL
from ._registry import METHODS
from ._related import RelationalClassifier


def load(path: str | os.PathLike[str] | bytes, *, embed: str | os.PathLike[str] | None = None) -> PUClassifier | RelationalClassifier:
    """Read a model file that ``save`` or the command line wrote.

    Parameters
    ----------
    path : str, path or bytes
        The file, or what is in it. Nothing in it can run code.
    embed : str or path, default=None
        The embedding that the model was learned with, where ``find`` was given one: a model file does not hold it.

    Returns
    -------
    estimator : PUClassifier or RelationalClassifier
        A fitted estimator of the class of its method; it gives the same scores, bit for bit, and has the parameters that
        the file tells of: those of the method, the columns and word options, the cut, whether scores are probabilities,
        and the seed. So ``sklearn.base.clone`` of it learns the same again. One of related
        tables is told with ``bind`` where its examples are, since a model file holds no tables.
    """
    model = _native.load(path if isinstance(path, bytes) else Path(path).read_bytes())
    loaded: PUClassifier | RelationalClassifier = estimator_of(model if embed is None else model.with_embedding(os.fspath(embed)))
    return loaded


def estimator_of(model: _native.Model) -> Any:
    """A fitted estimator of the class of the model's method."""
    method = next(method for method in METHODS if method.name == model.method)
    classes: dict[str, type[Any]] = {**ESTIMATORS, **RELATIONAL}
    if method.class_name not in classes:
        raise ValueError(f"a model of method {method.name!r} is for the command line: likewise score")
    parameters = json.loads(model.parameters)
    attributes = {p.attribute: parameters[p.name] for p in method.parameters if p.name in parameters}
    if not method.is_relational:
        asked = json.loads(model.settings())
        if method.has_cut and isinstance(asked.get("cut"), str):
            del asked["cut"]  # such a method has it among its own parameters
        attributes |= asked
    estimator = classes[method.class_name](**attributes, random_state=model.seed)
    estimator._restore(model)
    return estimator
