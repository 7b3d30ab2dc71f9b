from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

_Scores = NDArray[np.float64]
_Notes = list[tuple[str, str]]
_Line = tuple[str, float, float, float]

class Settings:
    def __new__(
        cls, seed: int, threads: int | None = None, progress: Callable[[str, int, int], None] | None = None
    ) -> Settings: ...

class Model:
    method: str
    seed: int
    parameters: str
    labels: str | None
    reads: str
    columns: list[str]
    width: int | None
    terms: list[str] | None
    target: str | None
    def score(self, rows: Any, settings: Settings) -> tuple[_Scores, _Notes]: ...
    def explain(self, rows: Any, row: int, top: int, settings: Settings) -> list[tuple[str, float]]: ...
    def to_bytes(self) -> bytes: ...

class Related:
    @staticmethod
    def of_tables(tables: dict[str, dict[str, Any]], schema: str | None, references: list[str]) -> Related: ...
    @staticmethod
    def of_paths(paths: list[str], modes: Any, schema: str | None, references: list[str]) -> Related: ...
    def describe(
        self, settings: Settings
    ) -> tuple[tuple[str | None, list[tuple[str, int]], list[tuple[str, int]]], _Notes]: ...

_Constants = list[list[str]]
_Arguments = list[tuple[str, str | None]]

def fit_related(
    method: str,
    given: str,
    related: Related,
    target: str,
    positives: Any,
    pile: Any,
    draw: int,
    settings: Settings,
) -> tuple[Model, _Constants, _Arguments, _Scores, _Notes]: ...
def score_related(
    model: Model, related: Related, examples: Any, draw: int, settings: Settings
) -> tuple[_Constants, _Arguments, _Scores, _Notes]: ...
def explain_related(
    model: Model, related: Related, example: Any, top: int, settings: Settings
) -> tuple[list[tuple[str, str, float]], _Notes]: ...
def paths_related(
    model: Model, related: Related, examples: Any, draw: int, settings: Settings
) -> tuple[NDArray[np.int64], NDArray[np.uint32], list[str], _Notes]: ...
def command_line(arguments: list[str]) -> int: ...
def methods() -> str: ...
def load(bytes: bytes) -> Model: ...
def margins(scores: _Scores) -> _Scores: ...
def fit(
    method: str,
    given: str,
    rows: Any,
    names: list[str],
    positive: NDArray[np.bool_],
    words: str | None,
    labels: str | None,
    settings: Settings,
) -> tuple[Model, _Scores, _Notes]: ...
def find(
    method: str, given: str, positives: Any, pile: Any, reading: dict[str, Any], settings: Settings
) -> tuple[NDArray[np.uint64], _Scores, Model, _Notes]: ...
def unexpected(
    method: str,
    given: str,
    known: Any,
    classes: list[str],
    label: str | None,
    new: Any,
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[_Scores, list[bool], list[str | None], _Notes]: ...
def prior_of_tables(
    positives: Any,
    pile: Any,
    reading: dict[str, Any],
    rankers: list[str] | None,
    folds: int,
    resamples: int,
    settings: Settings,
) -> tuple[list[_Line], _Notes]: ...
def prior_of_rows(
    rows: Any,
    positive: NDArray[np.bool_],
    rankers: list[str] | None,
    folds: int,
    resamples: int,
    settings: Settings,
) -> tuple[list[_Line], _Notes]: ...
def prior_of_scores(
    positives: _Scores, pile: _Scores, resamples: int, settings: Settings
) -> tuple[list[_Line], _Notes]: ...
def evaluate(
    scores: _Scores,
    labelled: NDArray[np.bool_],
    prior: tuple[float, float, float],
    resamples: int,
    settings: Settings,
) -> list[_Line]: ...
