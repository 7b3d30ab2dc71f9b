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

from . import _frames
from ._columns import listed

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
        self, arguments: list[str], project: Path, make: str | None, folder: tempfile.TemporaryDirectory[str]
    ) -> None:
        self.project = project
        self._make, self._folder = make, folder
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
            Of the make of the tables.
        """
        ran = subprocess.run(
            [*COMMAND, str(self.project), "--export", "-", "--what", what], capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            raise ValueError(ran.stderr.strip().removeprefix("error: "))
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        names = list(rows[0]) if rows else []
        return _frames.table_of_make(self._make, {name: [row.get(name) for row in rows] for name in names})

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
    target: float | None = None,
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
    text, features, leave_out, id : as in ``find``
        The same as there.
    target : float, default=None
        The share of the wanted that is to be found; None is 0.95.
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
    reach = [] if target is None else ["--target", str(target)]
    if pile is None:
        own = {"like": like, "text": text, "features": features, "leave_out": leave_out, "id": id}
        for name, value in own.items():
            if value is not None:
                raise ValueError(f"{name} is for new rows, and a project goes on with its own; give a pile, or leave it out")
        return Review([str(kept), *reach], kept, None, folder)
    pile = _frames.given(pile, "pile")
    arguments = ["--in", _written(pile, Path(folder.name) / "pile.jsonl"), "--project", str(kept)]
    if like is not None:
        arguments += ["--like", _written(_frames.given(like, "like"), Path(folder.name) / "like.jsonl")]
    for option, value in (("--text", text), ("--features", features), ("--except", leave_out), ("--id", id)):
        for name in listed(value) or []:
            arguments += [option, name]
    arguments += [*reach, "--seed", str(random_state)]
    return Review(arguments, kept, _frames.make(pile), folder)


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
