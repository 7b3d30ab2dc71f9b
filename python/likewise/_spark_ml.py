"""Estimator and model for pipelines of ``pyspark.ml``."""

from __future__ import annotations

import base64
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from . import _native


class _Columns(Params):  # type: ignore[misc]
    """What both share."""

    labelCol = Param(Params._dummy(), "labelCol", "boolean column that marks the examples", TypeConverters.toString)
    textCol = Param(Params._dummy(), "textCol", "column of documents", TypeConverters.toString)
    idCol = Param(Params._dummy(), "idCol", "what a row is called", TypeConverters.toString)


class LikewiseEstimator(Estimator, _Columns, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    """Learns from the rows that a column marks and from a sample of the others, as ``likewise.spark.fit`` does.

    Parameters
    ----------
    labelCol : str, default='label'
        A boolean column, true for examples.
    textCol, idCol : str, default='text' and 'id'
        The documents, and what rows are called.
    method : str, default='auto'
        How to learn.
    sample : int, default=100000
        How many of the other rows to learn from.
    seed : int, default=0
        Seed of every random choice.
    """

    method = Param(Params._dummy(), "method", "how to learn", TypeConverters.toString)
    sample = Param(Params._dummy(), "sample", "rows of the pile to learn from", TypeConverters.toInt)
    seed = Param(Params._dummy(), "seed", "seed of every random choice", TypeConverters.toInt)

    @keyword_only  # type: ignore[untyped-decorator, unused-ignore]
    def __init__(
        self,
        *,
        labelCol: str = "label",
        textCol: str = "text",
        idCol: str = "id",
        method: str = "auto",
        sample: int = _native.SAMPLE,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self._setDefault(labelCol="label", textCol="text", idCol="id", method="auto", sample=_native.SAMPLE, seed=0)
        self._set(**self._input_kwargs)

    def _fit(self, dataset: DataFrame) -> LikewiseModel:
        from .spark import fit

        told = {name: self.getOrDefault(name) for name in ("labelCol", "textCol", "idCol", "method", "sample", "seed")}
        marked = F.coalesce(F.col(told["labelCol"]).cast("boolean"), F.lit(False))
        model = fit(
            dataset.filter(marked),
            dataset.filter(~marked),
            sample=told["sample"],
            id=told["idCol"],
            text=told["textCol"],
            method=told["method"],
            seed=told["seed"],
        )
        columns = {name: told[name] for name in ("labelCol", "textCol", "idCol")}
        fitted: LikewiseModel = LikewiseModel(model=base64.b64encode(model).decode(), **columns)
        return fitted


class LikewiseModel(Model, _Columns, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    """Adds ``score`` and ``positive``; ``bytes`` is what a model file of ``likewise`` holds."""

    model = Param(Params._dummy(), "model", "the bytes of a model file, in base 64", TypeConverters.toString)

    @keyword_only  # type: ignore[untyped-decorator, unused-ignore]
    def __init__(
        self, *, model: str = "", labelCol: str = "label", textCol: str = "text", idCol: str = "id"
    ) -> None:
        super().__init__()
        self._setDefault(model="", labelCol="label", textCol="text", idCol="id")
        self._set(**self._input_kwargs)

    @property
    def bytes(self) -> Any:
        return base64.b64decode(self.getOrDefault("model"))

    def _transform(self, dataset: DataFrame) -> DataFrame:
        from .spark import score

        return score(dataset, self.bytes)
