"""The page on which a person reads a pile, started from Python."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from . import _answer_tables, _frames
from ._columns import listed
from ._read_sample import texts

COMMAND = [sys.executable, "-m", "likewise", "review"]


class Review:
    """A page that is being served. In a notebook it shows itself; ``marks()`` gives back what was marked.

    Attributes
    ----------
    url : str
        The address of the page; whoever knows it may read and mark.
    project : Path
        The file that keeps everything; ``likewise.review(project=...)`` goes on with it.
    """

    def __init__(
        self,
        arguments: list[str],
        project: Path,
        folder: tempfile.TemporaryDirectory[str],
        pile: Any = None,
        id: str | None = None,
    ) -> None:
        self.project = project
        self._make, self._folder = _frames.make(pile), folder
        self._index = pile.index if self._make == "pandas" else None
        self._id = id or "id"
        self._ids = None if pile is None else _ids_of(pile, self._id)
        # What it says while it serves: a pipe that nobody reads would fill up and stop it.
        said = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [*COMMAND, *arguments, "--no-open", "--framed"], stdout=subprocess.PIPE, stderr=said, text=True
        )
        # The page ends with the object, before the folder of a temporary project goes.
        weakref.finalize(self, _gone, self._process, folder)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            self._process.wait()
            said.seek(0)
            raise ValueError(said.read().strip().removeprefix("error: "))

    def marks(self, what: str = "all") -> Any:
        """Give the rows with their marks.

        Parameters
        ----------
        what : {'all', 'yes', 'log'}, default='all'
            Every row, what was found, or everything that was done.

        Returns
        -------
        marks : DataFrame
            Of the make of the rows; a pandas table keeps their index. ``row`` is the position of a row among those that
            were given, counted from 0 as ``iloc`` does. A project that is gone on with knows no more than ``id``, which is
            the number of the row, counted from 1, where rows have no id.
        """
        ran = subprocess.run(
            [*COMMAND, str(self.project), "--export", "-", "--what", what], capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            raise ValueError(ran.stderr.strip().removeprefix("error: "))
        lines = [json.loads(line) for line in ran.stdout.splitlines()]
        names = list(lines[0]) if lines else []
        told = {name: [line.get(name) for line in lines] for name in names}
        rows = self._positions(told, what)
        if rows is None:
            return _answer_tables.table_of_make(self._make, told)
        told.pop("row", None)
        table = _answer_tables.table_of_make(self._make, {"row": rows, **told})
        return table if self._index is None or what == "log" else table.set_index(self._index[rows])

    def _positions(self, told: dict[str, list[Any]], what: str) -> list[int] | None:
        """Where the rows stand among those that were given; None where that cannot be told."""
        if self._ids is None:
            return None
        called = told.get("id" if what == "log" else self._id, told.get("id", []))
        by_id = {id: row for row, id in enumerate(self._ids)}
        if len(by_id) == len(self._ids) and by_id.keys() >= set(called):
            return [by_id[id] for id in called]
        # Of rows that share an id the order tells which is which, where all of them are there.
        return list(range(len(self._ids))) if what == "all" and len(called) == len(self._ids) else None

    def close(self) -> None:
        """End the page; everything marked is kept."""
        _end(self._process)

    def __enter__(self) -> Review:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Review at {self.url}"

    def _repr_html_(self) -> str:
        url = html.escape(self.url, quote=True)
        # Notebooks go by this name, and a page of another site would not get its cookie.
        framed = url.replace("//127.0.0.1:", "//localhost:")
        return (
            f'<iframe src="{framed}" width="100%" height="720" title="likewise review"></iframe>'
            f'<p><a href="{url}" target="_blank" rel="noreferrer">Open it in a tab of its own</a></p>'
        )


def _ids_of(pile: Any, id: str) -> list[str]:
    """What the page calls the rows: by their id, or by their number, counted from 1."""
    if not _frames.is_table(pile) or id not in _frames.column_names(pile):
        return [str(row + 1) for row in range(_frames.rows_of(pile))]
    told = texts(_frames.column_of(pile, id))
    return [cell or str(row + 1) for row, cell in enumerate(told)]


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _gone(process: subprocess.Popen[str], folder: tempfile.TemporaryDirectory[str]) -> None:
    _end(process)
    folder.cleanup()


def review(
    pile: Any = None,
    *,
    like: Any = None,
    project: str | Path | None = None,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    words: dict[str, Any] | None = None,
    target: float | None = None,
    sure: float | None = None,
    random_state: int = 0,
) -> Review:
    """Read a pile on a page, best first, and be told when to stop.

    Parameters
    ----------
    pile : data frame, or list or column of str, default=None
        The rows to read. None goes on with a project.
    like : data frame, or list or column of str, default=None
        Examples of what you want, if there are any.
    project : path, default=None
        The file that keeps everything; None is a temporary one, which ends with the object.
    text, features, leave_out, id, words : as in ``find``
        The same as there.
    target : float, default=None
        The share of the wanted that is to be found; None is 0.95.
    sure : float, default=None
        How sure that is to be; None is 0.95.
    random_state : int, default=0
        Seed of the random order in which rows are checked.

    Returns
    -------
    review : Review
        The page; ``review.marks()`` gives the marks as a frame, ``review.close()`` ends it.

    Examples
    --------
    >>> import likewise
    >>> pile = ["late parcel", "where is my parcel", "I need a refund", "parcel lost in the post"]
    >>> with likewise.review(pile, like=["refund my money"]) as page:
    ...     marks = page.marks()
    >>> len(marks), set(marks["verdict"])
    (4, {''})
    """
    if pile is None and project is None:
        raise ValueError("give the rows to read, or a project to go on with")
    folder = tempfile.TemporaryDirectory(prefix="likewise-")
    kept = Path(project) if project is not None else Path(folder.name) / "review.likewise"
    reach = [f"--{name}={value}" for name, value in (("target", target), ("sure", sure)) if value is not None]
    if pile is None:
        own = {"like": like, "text": text, "features": features, "leave_out": leave_out, "id": id, "words": words}
        for name, value in own.items():
            if value is not None:
                raise ValueError(f"{name} is for new rows, and a project goes on with its own; give a pile, or leave it out")
        return Review([str(kept), *reach], kept, folder)
    pile = _frames.given(pile, "pile")
    arguments = ["--in", _written(pile, Path(folder.name) / "pile.jsonl"), "--project", str(kept)]
    if like is not None:
        arguments += ["--like", _written(_frames.given(like, "like"), Path(folder.name) / "like.jsonl")]
    named = {"text": text, "features": features, "except": leave_out, "id": id}
    for option, names in named.items():
        arguments += [f"--{option}={name}" for name in listed(names) or []]
    arguments += [*_word_options(words, Path(folder.name)), *reach, "--seed", str(random_state)]
    return Review(arguments, kept, folder, pile, None if id is None else str(id))


# Word options that the command line calls otherwise.
_OTHERWISE = {"most_terms": "most-words"}


def _word_options(words: dict[str, Any] | None, folder: Path) -> list[str]:
    """Word options as the command line takes them."""
    options = []
    for name, value in (words or {}).items():
        option = "--" + _OTHERWISE.get(name, name.replace("_", "-"))
        if value is True:
            options.append(option)
        elif name == "ngrams":
            options.append(f"{option}={value[0]}-{value[1]}")
        elif name == "stop_words" and isinstance(value, dict):
            (folder / "stop-words.txt").write_text("\n".join(value.get("these", [])), encoding="utf-8")
            options.append(f"{option}={folder / 'stop-words.txt'}")
        elif isinstance(value, (list, tuple)):
            options.append(f"{option}={','.join(map(str, value))}")
        elif value not in (None, False, "auto"):
            options.append(f"{option}={value}")
    return options


def _written(data: Any, path: Path) -> str:
    """The rows as JSON lines."""
    if _frames.is_table(data):
        names = _frames.column_names(data)
        columns = [_frames.cells(_frames.column_of(data, name)) for name in names]
    else:
        names, columns = ["text"], [_frames.documents(data)]
    with path.open("w", encoding="utf-8") as file:
        for row in zip(*columns, strict=True):
            cells = {name: _plain(cell) for name, cell in zip(names, row, strict=True)}
            file.write(json.dumps(cells, ensure_ascii=False) + "\n")
    return str(path)


def _plain(cell: Any) -> Any:
    """What JSON holds; a missing cell is None."""
    if isinstance(cell, (str, bool)):
        return cell
    if isinstance(cell, (list, tuple, np.ndarray)):
        return [_plain(value) for value in cell]
    if _frames.is_missing(cell):
        return None
    return cell.item() if hasattr(cell, "item") else cell if isinstance(cell, (int, float)) else str(cell)
