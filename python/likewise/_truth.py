"""What rows are in truth, as the Rust side takes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _frames
from ._read_sample import texts

# Numbers of which nobody has to say which one means positive: it is the 1.
_PLAIN = ({0, 1}, {-1, 1}, {1})


def labels_of(truth: Any) -> list[str]:
    """The label of each row as it is written; a missing one is empty."""
    if _frames.is_matrix(truth):
        raise ValueError("the truth is one label for each row, not a matrix")
    return texts(truth)


def meant(labels: Any, positive: Any) -> str:
    """The label that means positive, as it is written.

    True, which is what nobody has to say, is the 1 among labels that are numbers.
    """
    numbers = {cell for cell in _frames.documents(labels) if cell is not None}
    if positive is True and any(numbers <= plain for plain in _PLAIN) and not any(map(_is_truth, numbers)):
        positive = 1
    return _frames.cell_text(positive)


def _is_truth(cell: Any) -> bool:
    return isinstance(cell, (bool, np.bool_))
