"""Columns that are read and columns that are written, as the Rust side names them.

Nothing but numpy is needed here: workers that only score Arrow batches import it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Names = str | Sequence[str] | None

# What a row has beside its score, where it is said how probable it is.
PROBABLE = ("probability", "probability_low", "probability_high")


def probable(known: np.ndarray | None) -> dict[str, np.ndarray]:
    """These columns, where somebody knows."""
    return {} if known is None else {name: known[:, at] for at, name in enumerate(PROBABLE)}


def read(
    text: Names = None,
    features: Names = None,
    id: str | None = None,
    keep_positives: bool = False,
    *,
    vectors: Names = None,
    leave_out: Names = None,
    embed: str | os.PathLike[str] | None = None,
    words: str | None = None,
    every: bool = False,
) -> dict[str, Any]:
    """Which columns are read, and how."""
    return {
        "text": listed(text),
        "features": listed(features),
        "vectors": listed(vectors),
        "embed": None if embed is None else os.fspath(embed),
        "leave_out": listed(leave_out) or [],
        # Learn from all columns that carry something, also where there is one called `text`.
        "every": every,
        "id": id,
        "keep_positives": keep_positives,
        "words": words,
    }


def listed(names: Names) -> list[str] | None:
    if names is None:
        return None
    # Columns may be called by numbers, which are texts on the other side.
    several = isinstance(names, Iterable) and not isinstance(names, str)
    return [str(name) for name in (names if several else [names])]
