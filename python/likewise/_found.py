"""What ``find`` gives back: the ranking as a table of the pile's make that knows more than its rows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _frames, _native
from ._errors import Note
from ._loading import estimator_of
from ._notes import Told, notes, tell
from ._summary import Summary
from ._writing import write_whole


class LeftOut(NamedTuple):
    """A row that was given and takes no part.

    Its position in the pile or among the examples (those of several classes together, in their order), counted from 0, its
    id where rows have one, whether it was an example, and why: ``'blank-example'``, ``'repeated-example'`` or
    ``'copy-of-example'``, the same of rows known not to be wanted (``'blank-unwanted'``, ``'repeated-unwanted'``,
    ``'copy-of-unwanted'``), or ``'marked-both-ways'``.
    """

    row: int
    id: str | None
    example: bool
    reason: str


class Answer:
    """What is known of an answer besides the ranking."""

    def __init__(self, told: _native.Answer, settings: _native.Settings) -> None:
        said = told.summary()
        self.summary: Summary | None = None if said is None else Summary(said)
        self.lines: list[str] = told.lines()
        self.left_out: list[LeftOut] = [LeftOut(*left) for left in told.left_out()]
        self.notes: list[Note] = notes(told.notes())
        self.model: Any = estimator_of(told.model())
        self._told: tuple[_native.Answer, _native.Settings] | None = (told, settings)

    def report(self, path: str | os.PathLike[str]) -> None:
        if self._told is None:
            raise ValueError("a report needs the rows that were ranked, which a pickle does not hold")
        told, settings = self._told
        page = told.report(settings)
        if page is None:
            raise ValueError("a report tells how sure the answer is; find it with certainty=True, or with method='auto'")
        write_whole(path, page.encode())

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_told": None}


class OfClasses:
    """What is known of an answer for several classes besides the ranking: models and summaries by class."""

    def __init__(
        self,
        names: list[str],
        found: list[tuple[_native.Model, _native.Summary | None, list[Told]]],
        lines: list[str],
        left_out: list[tuple[int, str | None, bool, str]],
        told: list[Told],
    ) -> None:
        self.summary = {name: None if said is None else Summary(said) for name, (_, said, _) in zip(names, found)}
        self.model: dict[str, Any] = {name: estimator_of(model) for name, (model, _, _) in zip(names, found)}
        self.lines = lines
        self.left_out = [LeftOut(*left) for left in left_out]
        self.notes: list[Note] = notes(told)

    def report(self, path: str | os.PathLike[str]) -> None:
        raise ValueError("a report is of one class; find each class by itself")


class Rows:
    """A table of the make of what was asked about: pandas, polars or Arrow."""

    if TYPE_CHECKING:
        # Whatever else such a table has.
        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, key: Any) -> Any: ...
        def __len__(self) -> int: ...


class Found(Rows):
    """A ranking that knows more than its rows.

    Attributes
    ----------
    summary : Summary or None
        How many positives there are, how sure that is, and what was tried; None where the method does not say, and was not
        asked with ``certainty=True``.
    model : PUClassifier
        What was learned: it scores, explains and can be saved.
    left_out : list of LeftOut
        Rows that were given and take no part.
    notes : list of Note
        What there is to know, each with a ``code`` and ``fields``.
    lines : list of str
        What was done, in plain lines.
    """

    _answer: Answer | None = None

    def _known(self, name: str) -> Any:
        if self._answer is None:
            raise AttributeError(f"this table was made from a ranking, and {name} is known of the ranking alone")
        return getattr(self._answer, name)

    @property
    def summary(self) -> Any:
        return self._known("summary")

    @property
    def model(self) -> Any:
        return self._known("model")

    @property
    def left_out(self) -> list[LeftOut]:
        known: list[LeftOut] = self._known("left_out")
        return known

    @property
    def notes(self) -> list[Note]:
        known: list[Note] = self._known("notes")
        return known

    @property
    def lines(self) -> list[str]:
        known: list[str] = self._known("lines")
        return known

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a page that shows the answer and how sure it is, as ``--report`` of the command line does.

        Parameters
        ----------
        path : str or path
            Where to; a file that is there already is replaced.
        """
        self._known("report")(path)


def replaced(told: Iterable[str], data: Any, given: Any) -> list[Note]:
    """Tells that columns of the rows have names of ours, if so. Those of an answer have, and give way without a word."""
    if not _frames.is_table(data) or isinstance(given, Found):
        return []
    names = [name for name in told if name in _frames.column_names(data)]
    return tell(_native.columns_replaced(names)) if names else []


def with_answer(table: Any, answer: Any) -> Found:
    """The table, of the same make, with what is known of it."""
    make = _frames.make(table)
    if make == "polars":
        from ._polars import PolarsFound

        return PolarsFound.of(table, answer)
    if make == "pyarrow":
        from ._arrow import ArrowFound

        return ArrowFound(table, answer)
    from ._pandas import PandasFound

    return PandasFound.of(table, answer)
