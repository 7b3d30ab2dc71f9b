"""Scores and sums for every engine that hands over Arrow batches: Spark, Ray, Dask, Daft, DuckDB, Polars.

A worker that imports this module needs numpy and pyarrow, and neither scikit-learn nor scipy. Batches come in and go out
by Arrow's own interface, without a Python object for each cell, and are scored on one thread, since such engines run a
task for each core.

>>> import likewise, likewise.arrow
>>> import pyarrow as pa
>>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
>>> scorer = likewise.arrow.score_batches(found.model)
>>> rows = pa.table({"id": [1, 2], "text": ["money", "parcel"]})
>>> scorer(rows).column_names
['id', 'text', 'score', 'positive']
>>> [batch["positive"].to_pylist() for batch in scorer(rows.to_batches())]
[[True, False]]

A model can also be learned where the rows are, by methods to which a pile is nothing but sums of whole numbers:

>>> counting = likewise.arrow.count_batches(pa.table({"text": ["refund money", "money back", "refund"]}), method="nb")
>>> parts = [counting.counter(part) for part in (rows.slice(0, 1), rows.slice(1))]
>>> model = likewise.arrow.score_batches(counting.finish(parts))
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow

from . import _native
from ._columns import PROBABLE, probable, read
from ._notes import tell

__all__ = ["Counter", "Counting", "Scorer", "count_batches", "score_batches"]

# What is added to the columns of a batch.
_ADDED = [("score", pyarrow.float64()), ("positive", pyarrow.bool_())]

_PROBABLE = [(name, pyarrow.float64()) for name in PROBABLE]

# Models that this process has read already: engines send a function anew for each task.
_LOADED: dict[tuple[bytes, str | None], _native.Model] = {}
_MOST_LOADED = 4


def score_batches(
    model: Any,
    *,
    keep: Sequence[str] | None = None,
    probabilities: bool = False,
    embed: str | os.PathLike[str] | None = None,
    n_jobs: int = 1,
) -> Scorer:
    """Make a function that scores Arrow batches, for an engine to call on its workers.

    Parameters
    ----------
    model : bytes, str, path or estimator
        What is in a model file, the file, or a fitted estimator.
    keep : list of str, default=None
        The columns that go on beside ``score`` and ``positive``; None is all of them.
    probabilities : bool, default=False
        Say how probable each row is too: ``probability``, ``probability_low``, ``probability_high``.
    embed : str or path, default=None
        The embedding that the model was learned with, where the workers find it.
    n_jobs : int, default=1
        Threads of each call.

    Returns
    -------
    scorer : Scorer
        Takes a batch or a table and returns one of the same kind, or takes batches one after the other and yields
        them. It can be pickled, and holds the model in the bytes of its file.
    """
    kept, path = None if keep is None else list(keep), None if embed is None else os.fspath(embed)
    return Scorer(model_bytes(model), kept, n_jobs, probabilities, path)


def model_bytes(model: Any) -> bytes:
    """The bytes of a model file, whatever stands for it."""
    if isinstance(model, bytes):
        return model
    if isinstance(model, (str, os.PathLike)):
        return Path(model).read_bytes()
    if hasattr(model, "fit"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
    trained = getattr(model, "_model", model)
    if not isinstance(trained, _native.Model):
        raise TypeError(f"{type(model).__name__} is no model; give a fitted estimator, a model file or its bytes")
    return trained.to_bytes()


def loaded(model: bytes, embed: str | None = None) -> _native.Model:
    """The model in the bytes of its file, with the embedding at that path; both are read once in a process."""
    name = hashlib.blake2b(model, digest_size=16).digest(), embed
    if name not in _LOADED:
        while len(_LOADED) >= _MOST_LOADED:
            _LOADED.pop(next(iter(_LOADED)))
        read = _native.load(model)
        _LOADED[name] = read if embed is None else read.with_embedding(embed)
    return _LOADED[name]


class Scorer:
    """Scores Arrow batches with a model. See ``score_batches``."""

    def __init__(
        self,
        model: bytes,
        keep: list[str] | None,
        n_jobs: int,
        probabilities: bool = False,
        embed: str | None = None,
    ) -> None:
        self.model = model
        self.keep = keep
        self.n_jobs = n_jobs
        self.probabilities = probabilities
        self.embed = embed
        self._model: _native.Model | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Scorer, (self.model, self.keep, self.n_jobs, self.probabilities, self.embed)

    def __call__(self, rows: Any) -> Any:
        rows = _table_of(rows)
        if isinstance(rows, (pyarrow.RecordBatch, pyarrow.Table)):
            return self._scored(rows)
        return self._stream(rows)

    def schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The columns that come out where these come in."""
        self._check(schema)
        kept = [schema.field(name) for name in self._kept(schema)]
        return pyarrow.schema([*kept, *(pyarrow.field(name, kind) for name, kind in self._added())])

    def _added(self) -> list[tuple[str, Any]]:
        return [*_ADDED, *(_PROBABLE if self.probabilities else [])]

    def _stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield self._scored(batch)

    def _kept(self, schema: pyarrow.Schema) -> list[str]:
        return list(schema.names) if self.keep is None else self.keep

    def _check(self, schema: pyarrow.Schema) -> None:
        names = self._kept(schema)
        taken = [name for name, _ in self._added() if name in names]
        if taken:
            raise ValueError(
                f"the rows have a column {taken[0]!r}, which the scores need; rename it, or name the columns to keep"
            )

    def _scored(self, rows: Any) -> Any:
        self._check(rows.schema)
        if self._model is None:
            self._model = loaded(self.model, self.embed)
        scores, notes = self._model.score(stream(rows, self._model.columns), _native.Settings(0, self.n_jobs))
        tell(notes)
        names = self._kept(rows.schema)
        arrays = [rows.column(name) for name in names]
        arrays += [pyarrow.array(scores), pyarrow.array(scores >= 0.5)]
        if self.probabilities:
            known = self._model.probabilities(scores)
            if known is None:
                raise ValueError("the model does not know how probable rows are; learn it again with probabilities=True")
            arrays += [pyarrow.array(column) for column in probable(known).values()]
        return type(rows).from_arrays(arrays, schema=self.schema(rows.schema))


def count_batches(
    positives: Any,
    *,
    method: str = "nb",
    text: str | Sequence[str] | None = None,
    keep_positives: bool = False,
    **parameters: Any,
) -> Counting:
    """Learn from sums over Arrow batches, which an engine counts on its workers.

    Parameters
    ----------
    positives : Table or RecordBatch
        Examples of what you want.
    method : {'nb', 'pnb', 'apnb', 'prototype'}, default='nb'
        How to learn; ``pnb`` needs its ``prior``. Other methods need the rows of the pile, not only their sums.
    text : str or list of str, default=None
        The columns to learn from; None is the column ``text``.
    keep_positives : bool, default=False
        Count also rows whose content is that of a positive.
    **parameters
        Parameters of the method.

    Returns
    -------
    counting : Counting
        Its ``counter`` takes batches to sums, as bytes; its ``finish`` takes the sums of all parts to a model, which is the
        same, bit for bit, whatever the parts and their order.
    """
    return Counting(method, json.dumps(parameters), positives, read(text, keep_positives=keep_positives))


class Counting:
    """Examples, and what is to be counted of a pile. See ``count_batches``."""

    def __init__(self, method: str, given: str, positives: Any, reading: dict[str, Any]) -> None:
        self._counting = _native.Counting(method, given, stream(positives, []), reading)
        self.counter = Counter(self._counting.plan())

    def finish(self, parts: Iterable[bytes], *, seed: int = 0, n_jobs: int | None = None) -> bytes:
        """The bytes of a model file, learned from the sums of all parts. The cut is the method's own."""
        model, notes = self._counting.finish(list(parts), _native.Settings(seed, n_jobs))
        tell(notes)
        return model


class Counter:
    """Adds up the rows of a batch, of a table or of many batches, and gives the sums as bytes. It can be pickled."""

    def __init__(self, plan: str) -> None:
        self.plan = plan

    def __call__(self, rows: Any) -> bytes:
        counts = _native.PartCounts(self.plan)
        rows = _table_of(rows)
        one = isinstance(rows, (pyarrow.RecordBatch, pyarrow.Table))
        for batch in [rows] if one else rows:
            counts.batch(stream(batch, counts.columns), _native.Settings(0, 1))
        return counts.to_bytes()


def _table_of(rows: Any) -> Any:
    """The table of an answer of ours; else the rows as they are."""
    return rows.table if hasattr(type(rows), "stands_for") else rows


def stream(rows: Any, columns: Sequence[str]) -> Any:
    """The columns that are read, by Arrow's C stream interface; all of them where some are missing, so that it is said
    which."""
    if columns and set(columns) <= set(rows.schema.names):
        rows = rows.select(list(columns))
    if isinstance(rows, pyarrow.RecordBatch):
        rows = pyarrow.Table.from_batches([rows])
    return rows.__arrow_c_stream__()
