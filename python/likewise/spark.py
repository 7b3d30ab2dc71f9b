"""Piles that lie on a cluster: Apache Spark learns from a sample of them, or from sums over all of them, and scores
every row.

Needs ``pip install likewise[spark]`` (PySpark 4 or 3.5) and Java 17. Rows need an id column, by whose hash they are
sampled: the same rows give the same sample, the same model and the same scores as ``likewise find --sample`` on files of
them, however Spark cuts them into partitions and however often a task is tried again.

The model is broadcast, once for each worker; a task scores its batches on one thread.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, BooleanType, DoubleType, LongType, StructField, StructType

from . import _native
from ._columns import PROBABLE, read
from ._sampled import PileAnswer
from ._spark_ml import LikewiseEstimator, LikewiseModel
from .arrow import count_batches, model_bytes, score_batches, stream

__all__ = ["Found", "LikewiseEstimator", "LikewiseModel", "PileAnswer", "count", "find", "fit", "score"]

SAMPLE = _native.SAMPLE
# Tasks that add up what others have counted.
MERGERS = 8


class Found:
    """The answer of ``find``: ``rows``, a data frame of the pile's rows that take part, with ``score`` and ``positive``,
    in no order; and ``answer``, what is known of the whole pile."""

    def __init__(self, rows: DataFrame, answer: PileAnswer) -> None:
        self.rows = rows
        self.answer = answer

    def __repr__(self) -> str:
        return repr(self.answer)


def fit(
    positives: DataFrame,
    pile: DataFrame,
    *,
    sample: int = SAMPLE,
    id: str = "id",
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    method: str = "auto",
    keep_positives: bool = False,
    seed: int = 0,
    n_jobs: int | None = None,
    **parameters: Any,
) -> bytes:
    """Learn from positives and from a sample of the pile, on the driver.

    The pile is counted first, so that tasks send on only rows that can be in the sample.

    Parameters
    ----------
    positives, pile : DataFrame
        Examples of what you want, and the rows to search.
    sample : int, default=100000
        How many rows of the pile to learn from.
    id : str, default='id'
        The column that says what a row is called; its hash decides whether the row is in the sample.
    text, features : str or list of str, default=None
        The columns to learn from; None is the column ``text``.
    embed : str or path, default=None
        An embedding that makes vectors of the text, as in ``likewise.find``, where driver and workers find it.
    method : str, default='auto'
        How to learn.
    keep_positives : bool, default=False
        Learn also from rows whose content is that of a positive.
    seed : int, default=0
        Seed of every random choice, the sample among them.
    n_jobs : int, default=None
        Threads of the driver; None is one for each core.
    **parameters
        Parameters of the method.

    Returns
    -------
    model : bytes
        What a model file holds; that of ``likewise find --sample`` on the same rows, bit for bit.
    """
    told = read(text, features, id, keep_positives, embed=embed)
    return _learn(positives, pile, sample, told, method, seed, n_jobs, parameters).model()


def count(
    pile: DataFrame,
    positives: DataFrame,
    *,
    text: str | Sequence[str] | None = None,
    method: str = "nb",
    keep_positives: bool = False,
    seed: int = 0,
    n_jobs: int | None = None,
    **parameters: Any,
) -> bytes:
    """Learn from every row of the pile, by sums that the cluster counts.

    Only methods to which a pile is nothing but sums of whole numbers can do that. The sums are the same in any order, and so
    is the model, however the pile is cut into partitions. Methods that follow gradients are not among them: they add up
    fractions, and their bits are promised for the same rows in the same order alone.

    Parameters
    ----------
    pile, positives : DataFrame
        The rows to count, and examples of what you want, which are collected on the driver.
    text : as in ``fit``
        The same as there.
    method : {'nb', 'pnb', 'apnb', 'prototype'}, default='nb'
        How to learn; ``pnb`` needs its ``prior``.
    keep_positives, seed, n_jobs : as in ``fit``
        The same as there; the seed is kept in the model, and nothing is drawn.
    **parameters : as in ``fit``
        The same as there.

    Returns
    -------
    model : bytes
        What a model file holds: the words and the weights of ``likewise find --cut natural`` on the same rows, bit for bit.
        The cut is the method's own, and later rows are not compared with these, since sums do not tell where rows stand.
    """
    columns = list(read(text)["text"] or ["text"])
    examples = _collected(positives.select(*columns))
    counting = count_batches(examples, method=method, text=text, keep_positives=keep_positives, **parameters)
    held = _session(pile).sparkContext.broadcast(counting.counter)

    def counted(batches: Iterable[Any]) -> Iterator[Any]:
        yield _row_of(held.value(batches))

    def merged(batches: Iterable[Any]) -> Iterator[Any]:
        parts = [part for batch in batches for part in batch.column(0).to_pylist()]
        yield _row_of(_native.merge_counts(parts))

    schema = StructType([StructField("counts", BinaryType())])
    parts = pile.select(*columns).mapInArrow(counted, schema)
    # Two steps, so that the driver does not add up the sums of thousands of partitions alone.
    rows = parts.repartition(MERGERS).mapInArrow(merged, schema).collect()
    return counting.finish([bytes(row[0]) for row in rows], seed=seed, n_jobs=n_jobs)


def score(
    rows: DataFrame,
    model: Any,
    *,
    probabilities: bool = False,
    embed: str | os.PathLike[str] | None = None,
) -> DataFrame:
    """Score rows on the cluster.

    Parameters
    ----------
    rows : DataFrame
        With the columns that the model reads.
    model : bytes, str, path or estimator
        What ``fit`` returned, a model file of the driver, or a fitted estimator.
    probabilities : bool, default=False
        Say how probable each row is too: ``probability``, ``probability_low``, ``probability_high``.
    embed : str or path, default=None
        The embedding that the model was learned with, where the workers find it.

    Returns
    -------
    scored : DataFrame
        The rows with ``score`` (within 0 and 1) and ``positive`` (a score of 0.5 or more).
    """
    held = _session(rows).sparkContext.broadcast(model_bytes(model))

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        return iter(score_batches(held.value, probabilities=probabilities, embed=embed)(batches))

    return rows.mapInArrow(task, _with_scores(rows.schema, PROBABLE if probabilities else ()))


def find(
    positives: DataFrame,
    pile: DataFrame,
    *,
    sample: int = SAMPLE,
    id: str = "id",
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    method: str = "auto",
    keep_positives: bool = False,
    seed: int = 0,
    n_jobs: int | None = None,
    **parameters: Any,
) -> Found:
    """Learn from a sample of the pile, then score all of it and say how much there is.

    Parameters
    ----------
    positives, pile, sample, id, text, features, embed, method, keep_positives, seed, n_jobs : as in ``fit``
        The same as there.
    **parameters : as in ``fit``
        The same as there.

    Returns
    -------
    found : Found
        ``rows``: the pile without copies of examples, with ``score`` and ``positive``; order it by ``score`` for a
        ranking. ``answer``: the summary of the whole pile, notes, and the model.
    """
    told = read(text, features, id, keep_positives, embed=embed)
    learned = _learn(positives, pile, sample, told, method, seed, n_jobs, parameters)
    held = _session(pile).sparkContext.broadcast((learned.model(), learned.examples(), told["embed"]))

    def ranked(batches: Iterable[Any]) -> Iterator[Any]:
        ranker = _ranker(*held.value)
        for batch in batches:
            places, scores, _ = ranker.batch(stream(batch, ranker.columns), _native.Settings(seed, 1))
            kept = batch.take(pyarrow.array(places))
            arrays = [*kept.columns, pyarrow.array(scores), pyarrow.array(scores >= 0.5)]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, "score", "positive"])

    def counted(batches: Iterable[Any]) -> Iterator[Any]:
        ranker = _ranker(*held.value)
        for batch in batches:
            _, scores, copies = ranker.batch(stream(batch, ranker.columns), _native.Settings(seed, 1))
            row = {"ranked": [len(scores)], "positive": [int((scores >= 0.5).sum())], "copies": [copies]}
            yield pyarrow.RecordBatch.from_pydict(row)

    counts = StructType([StructField(name, LongType()) for name in ("ranked", "positive", "copies")])
    sums = pile.mapInArrow(counted, counts).agg(F.sum("ranked"), F.sum("positive"), F.sum("copies")).first()
    answer = PileAnswer(learned, *(int(count or 0) for count in (sums or (0, 0, 0))))
    return Found(pile.mapInArrow(ranked, _with_scores(pile.schema)), answer)


# What this process ranks with already.
_RANKERS: dict[tuple[bytes, str, str | None], _native.PartRanker] = {}


def _ranker(model: bytes, examples: str, embed: str | None) -> _native.PartRanker:
    name = (model, examples, embed)
    if name not in _RANKERS:
        _RANKERS.clear()
        _RANKERS[name] = _native.PartRanker(*name)
    return _RANKERS[name]


def _learn(
    positives: DataFrame,
    pile: DataFrame,
    sample: int,
    told: dict[str, Any],
    method: str,
    seed: int,
    n_jobs: int | None,
    parameters: dict[str, Any],
) -> _native.Learned:
    columns = _columns(pile, told)
    # Keys are made of ids and content alone.
    named = {**told, "embed": None}

    def keyed(limit: int) -> Callable[[Iterable[Any]], Iterator[Any]]:
        def task(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                keys = _native.sample_keys(stream(batch, columns), named, seed)
                # The first half of a key is the hash of the id, in an order of bytes that is that of numbers.
                low = np.frombuffer(keys, dtype=">u8")[::2] <= limit
                key = pyarrow.FixedSizeBinaryArray.from_buffers(
                    pyarrow.binary(16), batch.num_rows, [None, pyarrow.py_buffer(keys)]
                ).cast(pyarrow.binary())
                whole = pyarrow.RecordBatch.from_arrays([*batch.columns, key], names=[*batch.schema.names, KEY])
                yield whole.filter(pyarrow.array(low))

        return task

    narrow = pile.select(*columns)
    schema = StructType([*narrow.schema.fields, StructField(KEY, BinaryType())])

    def least(limit: int) -> pyarrow.Table:
        return _collected(narrow.mapInArrow(keyed(limit), schema).orderBy(KEY).limit(sample).drop(KEY))

    # Every task would send on as many rows as the sample has, if it did not know which have no chance to be among them.
    total = pile.count()
    share = (sample + 8 * math.sqrt(sample) + 64) / max(total, 1)
    rows = least(min(int(share * 2**64), 2**64 - 1))
    if rows.num_rows < min(sample, total):
        # Ids that repeat are not spread as hashes are.
        rows = least(2**64 - 1)
    return _native.learn_from_sample(
        method,
        json.dumps(parameters),
        stream(_collected(positives.select(*[c for c in columns if c in positives.columns])), []),
        stream(rows, []),
        sample,
        told,
        False,
        _native.Settings(seed, n_jobs),
    )


KEY = "__likewise_key"


def _row_of(counts: bytes) -> pyarrow.RecordBatch:
    return pyarrow.RecordBatch.from_arrays([pyarrow.array([counts], pyarrow.binary())], names=["counts"])


def _columns(pile: DataFrame, told: dict[str, Any]) -> list[str]:
    named = [*(told["text"] or []), *(told["features"] or [])] or ["text"]
    if named == ["all"]:
        return list(pile.columns)
    return list(dict.fromkeys([told["id"], *named]))


def _with_scores(schema: StructType, probable: Sequence[str] = ()) -> StructType:
    added = [StructField("score", DoubleType()), StructField("positive", BooleanType())]
    added += [StructField(name, DoubleType()) for name in probable]
    taken = [field.name for field in added if field.name in schema.names]
    if taken:
        raise ValueError(f"the rows have a column {taken[0]!r}, which the scores need; rename it")
    return StructType([*schema.fields, *added])


def _collected(rows: DataFrame) -> pyarrow.Table:
    if hasattr(rows, "toArrow"):
        return rows.toArrow()
    return pyarrow.Table.from_pandas(rows.toPandas(), preserve_index=False)


def _session(rows: DataFrame) -> SparkSession:
    return rows.sparkSession
