"""How far the work is, shown by tqdm, or said that it is not installed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ._errors import LikewiseWarning
from ._notes import outside

Progress = Callable[[str, float], None]


def progress_bar(wanted: bool) -> Progress | None:
    """Something to call at every step, if that is wanted; without tqdm there is nothing to show it with, which is said."""
    if not wanted:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        text = "verbose=True shows progress with tqdm, which is not installed; get it with `pip install tqdm`"
        warnings.warn(LikewiseWarning(text, "no-progress"), stacklevel=outside())
        return None
    return _Bar(tqdm)


class _Bar:
    """One bar for the whole of the work, named by what is being done; a notebook shows it as one of its own."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, stage: str, done: float) -> None:
        if self._bar is None:
            # Without smoothing the time left follows from all of the time so far: parts are not equally fast.
            self._bar = self._tqdm(
                total=1.0, leave=False, smoothing=0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}"
            )
        self._bar.set_description_str(stage, refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self.close()
