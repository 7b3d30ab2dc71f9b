"""One problem in every form that a door takes, and the command line as a function."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
# What the command line calls what Python calls so.
OPTIONS = {"keep_positives=True": "--keep-positives", "id=COLUMN": "--id COLUMN", "prior=SHARE": "--set prior=SHARE"}

_WANTED = ["refund", "money", "back", "return", "paid", "charge"]
_OTHERS = ["parcel", "late", "post", "lost", "address", "door"]
_COMMON = ["please", "order", "hello", "today", "again", "when"]


def documents(count: int, share: float, seed: int) -> list[str]:
    """Messages of two kinds; `share` of them are about money."""
    random = np.random.default_rng(seed)
    topics = [_WANTED if wanted else _OTHERS for wanted in random.random(count) < share]
    words = lambda topic: [*random.choice(topic, 4), *random.choice(_COMMON, 3)]
    return [" ".join([*words(topic), f"n{number}"]) for number, topic in enumerate(topics)]


def messages() -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Examples, one blank and one twice; a pile with copies of examples and with blank rows. All have ids."""
    like, pile = documents(24, 1.0, 1), documents(90, 0.3, 2)
    like[5], like[7] = "", like[6]
    pile[3], pile[20], pile[40], pile[41] = like[0], f" {like[1]}", "", ""
    return (
        {"id": list(range(1001, 1025)), "text": like},
        {"id": list(range(2001, 2091)), "text": pile},
    )


def numbers() -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Rows of numbers with copies and missing cells."""
    random = np.random.default_rng(3)
    like = np.round(random.normal(2, 1, size=(30, 4)), 3)
    pile = np.round(random.normal([[2] * 4] * 40 + [[-1, 0, 1, 2]] * 80), 3)
    like[4], pile[7], pile[50] = like[3], like[0], like[1]
    like[9, 1] = pile[11, 2] = pile[60, 0] = np.nan
    return tuple({f"feature {j + 1}": side[:, j].tolist() for j in range(4)} for side in (like, pile))  # type: ignore[return-value]


def written(path: Path, columns: dict[str, list[Any]]) -> Path:
    """A file of the format that its name says."""
    table = pa.table(columns, schema=schema(columns))
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    elif path.suffix == ".jsonl":
        rows = pl.from_arrow(table).to_dicts()
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    else:
        pl.from_arrow(table).write_csv(path)
    return path


def schema(columns: dict[str, list[Any]]) -> pa.Schema:
    present = {name: [cell for cell in cells if cell is not None and cell == cell] for name, cells in columns.items()}
    return pa.schema({name: pa.array(cells).type for name, cells in present.items()})


def framed(make: str, columns: dict[str, list[Any]]) -> Any:
    """A table of the make, with missing cells where files have none."""
    table = pa.table({name: pa.array(cells, from_pandas=True) for name, cells in columns.items()})
    return {"pandas": table.to_pandas, "polars": lambda: pl.from_arrow(table), "arrow": lambda: table}[make]()


def database(path: Path, like: dict[str, list[Any]], pile: dict[str, list[Any]]) -> Path:
    """Both sides in one table, which says what is marked."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT, marked INTEGER)")
        rows = [(*row, 1) for row in zip(like["id"], like["text"])] + [(*row, 0) for row in zip(pile["id"], pile["text"])]
        connection.executemany("INSERT INTO messages VALUES (?, ?, ?)", rows)
    connection.close()
    return path


def likewise(*arguments: Any) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "likewise", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def said(done: subprocess.CompletedProcess) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith(("note: ", "warning: "))]


def as_said(notes: list[Any]) -> list[str]:
    """Notes of Python as the command line prints them."""
    def worded(note: Any) -> str:
        text = str(note)
        for here, there in OPTIONS.items():
            text = text.replace(here, there)
        return f"{'warning' if note.level == 'warning' else 'note'}: {text}"

    return [worded(note) for note in notes]


def ranked(found: Any) -> list[tuple[int, str, bool]]:
    """Rows, scores to the last bit, and marks of a ranking of any make."""
    cells = lambda name: found[name].to_pylist() if hasattr(found[name], "to_pylist") else found[name].to_list()
    return [(row, score.hex(), mark) for row, score, mark in zip(cells("row"), cells("score"), cells("positive"))]


def ranked_by(path: Path, ids: list[Any]) -> list[tuple[int, str, bool]]:
    """The same of a file of the command line, whose rows are called so."""
    places = {str(id): row for row, id in enumerate(ids)}
    return [(places[line["id"]], line["score"].hex(), line["positive"]) for line in lines(path)]
