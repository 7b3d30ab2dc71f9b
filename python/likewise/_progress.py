"""How far the work is, shown by tqdm where that is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Progress = Callable[[str, int, int], None]


def progress_bar(wanted: bool) -> Progress | None:
    """Something to call at every step, if that is wanted and can be shown."""
    if not wanted:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


class _Bar:
    """One bar for each stage, replaced when the next begins."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage or self._bar is None:
            self.close()
            self._stage, self._bar = stage, self._tqdm(total=total, desc=stage, leave=False)
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self.close()
