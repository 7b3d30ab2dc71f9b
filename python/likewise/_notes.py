"""What the Rust side says, told in Python's ways."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings

from ._errors import LikewiseWarning, Note

_LOG = logging.getLogger("likewise")

# A level, a text, a code, and fields as JSON.
Told = tuple[str, str, str, str]


def notes(told: list[Told]) -> list[Note]:
    return [Note(text, level, code, json.loads(fields)) for level, text, code, fields in told]


def tell(told: list[Told]) -> list[Note]:
    """Warnings become Python's, said of the line that called this package; the rest goes to the log."""
    said = notes(told)
    for note in said:
        if note.level == "warning":
            warnings.warn(LikewiseWarning(str(note), note.code, note.fields), stacklevel=outside())
        else:
            _LOG.info(str(note))
    return said


def outside() -> int:
    """How many calls above the caller of this function the caller of the package is."""
    here, level = os.path.dirname(__file__), 1
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
        frame, level = frame.f_back, level + 1
    return level
