from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLE: int
__version__: str

_Scores = NDArray[np.float64]
_Notes = list[tuple[str, str, str, str]]
_Line = tuple[str, float, float, float]

class Settings:
    def __new__(
        cls, seed: int, threads: int | None = None, progress: Callable[[str, float], None] | None = None
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
    def score_and_compare(
        self, rows: Any, recut: bool, probabilities: bool, settings: Settings
    ) -> tuple[_Scores, _Notes, _Notes, str, _Scores | None]: ...
    def probabilities(self, scores: _Scores) -> _Scores | None: ...
    def explain(
        self,
        rows: Any,
        row: int | None,
        id: str | None,
        id_column: str | None,
        top: int,
        settings: Settings,
    ) -> tuple[str, float, bool, list[tuple[str, float]]]: ...
    def with_embedding(self, path: str) -> Model: ...
    def counts_most(self, top: int) -> list[tuple[str, float]]: ...
    def summary(self, scores: _Scores | None = None) -> Summary | None: ...
    def settings(self) -> str: ...
    def to_bytes(self) -> bytes: ...

class Summary:
    def __new__(cls, json: str, scores: list[float] | None = None) -> Summary: ...
    def json(self) -> str: ...
    def lines(self) -> list[str]: ...
    def warnings(self) -> _Notes: ...
    def html(self) -> str: ...

class Answer:
    def model(self) -> Model: ...
    def summary(self) -> Summary | None: ...
    def lines(self) -> list[str]: ...
    def notes(self) -> _Notes: ...
    def probabilities(self) -> _Scores | None: ...
    def left_out(self) -> list[tuple[int, str | None, bool, str]]: ...
    def report(self, settings: Settings) -> str | None: ...

class Learned:
    def model(self) -> bytes: ...
    def examples(self) -> str: ...
    def answer(self, ranked: int, positive: int, copies: int) -> tuple[Summary | None, list[str], _Notes]: ...

class PartRanker:
    columns: list[str]
    def __new__(cls, model: bytes, examples: str, embed: str | None) -> PartRanker: ...
    def batch(self, rows: Any, settings: Settings) -> tuple[NDArray[np.int64], _Scores, int]: ...

class Counting:
    def __new__(cls, method: str, given: str, positives: Any, reading: dict[str, Any]) -> Counting: ...
    def plan(self) -> str: ...
    def finish(self, parts: list[bytes], settings: Settings) -> tuple[bytes, _Notes]: ...

class PartCounts:
    columns: list[str]
    def __new__(cls, plan: str) -> PartCounts: ...
    def batch(self, rows: Any, settings: Settings) -> None: ...
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

_Examples = tuple[Related, str, Any, Any, Any, int]

def fit_related(
    method: str,
    given: str,
    examples: _Examples,
    ending: tuple[str, float | None] | None,
    certainty: bool,
    probabilities: bool,
    settings: Settings,
) -> tuple[_Constants, _Arguments, _Scores, Answer]: ...
def audit_related(
    examples: _Examples, settings: Settings
) -> tuple[str, list[list[int]], list[str], _Notes, _Notes]: ...
def prior_related(
    examples: _Examples,
    folds: int,
    resamples: int,
    settings: Settings,
) -> tuple[list[_Line], _Notes]: ...
def compare_related(
    examples: _Examples,
    methods: list[str] | None,
    folds: int,
    settings: Settings,
) -> tuple[str, float | None, str | None, _Notes]: ...
def score_related(
    model: Model, related: Related, examples: Any, draw: int, settings: Settings
) -> tuple[_Constants, _Arguments, _Scores, _Notes]: ...
def explain_related(
    model: Model, related: Related, example: Any, top: int, settings: Settings
) -> tuple[list[tuple[str, str, float]], _Notes]: ...
def paths_related(
    model: Model, related: Related, examples: Any, draw: int, settings: Settings
) -> tuple[NDArray[np.int64], NDArray[np.uint32], list[str], _Notes]: ...
def merge_counts(parts: list[bytes]) -> bytes: ...
def command_line(arguments: list[str]) -> int: ...
def methods() -> str: ...
def check_method(name: str) -> None: ...
def columns_replaced(columns: list[str]) -> _Notes: ...
def word(name: str, value: str, related: bool) -> str: ...
def look(rows: Any, label: str | None, reading: dict[str, Any], settings: Settings) -> tuple[str, str, _Notes]: ...
def rehearse(
    rows: Any,
    label: str,
    labels: list[str] | None,
    positive: str,
    examples: int,
    stopping: tuple[str, float, float, int | None],
    row: int,
    next: str,
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[str, list[str], _Notes]: ...
def load(bytes: bytes) -> Model: ...
def margins(scores: _Scores) -> _Scores: ...
def fit(
    method: str,
    given: str,
    rows: Any,
    names: list[str],
    positive: NDArray[np.bool_],
    unwanted: NDArray[np.bool_] | None,
    reading: dict[str, Any],
    labels: str | None,
    ending: tuple[str, float | None] | None,
    calibrated: bool,
    settings: Settings,
) -> tuple[Model, _Scores, Summary | None, _Notes]: ...
def find(
    method: str,
    given: str,
    positives: Any,
    pile: Any,
    unlike: Any,
    ending: tuple[str, float | None] | None,
    asked: tuple[bool, bool],
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[NDArray[np.int64], _Scores, Answer]: ...
def find_classes(
    method: str,
    given: str,
    names: list[str],
    positives: list[Any],
    pile: Any,
    ending: tuple[str, float | None] | None,
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.bool_],
    list[_Scores],
    list[tuple[Model, Summary | None, _Notes]],
    list[str],
    list[tuple[int, str | None, bool, str]],
    _Notes,
]: ...
def sample_keys(rows: Any, reading: dict[str, Any], seed: int) -> bytes: ...
def learn_from_sample(
    method: str,
    given: str,
    positives: Any,
    pile: Any,
    rows: int,
    reading: dict[str, Any],
    certainty: bool,
    settings: Settings,
) -> Learned: ...
def unexpected(
    method: str,
    given: str,
    known: Any,
    label: str | None,
    classes: list[str] | None,
    new: Any,
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[_Scores, list[bool], list[str | None], _Notes, str, str]: ...
def update(
    model: Model, like: Any, unlike: Any, pile: Any, id: str | None, settings: Settings
) -> tuple[Model, list[str], _Notes]: ...
def audit(
    positives: Any, pile: Any, unlike: Any, reading: dict[str, Any], settings: Settings
) -> tuple[str, list[list[int]], list[str], _Notes, _Notes]: ...
def compare(
    positives: Any,
    pile: Any,
    unlike: Any,
    reading: dict[str, Any],
    methods: list[str] | None,
    folds: int,
    truth: tuple[list[str], str] | tuple[Any, str, str] | None,
    settings: Settings,
) -> tuple[str, float | None, str | None, _Notes]: ...
def simulate(
    rows: Any,
    label: str,
    labels: list[str] | None,
    positive: str,
    labelled: int,
    bias: tuple[str | None, float] | None,
    alpha: float | None,
    reading: dict[str, Any],
    settings: Settings,
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[bool], str, _Notes]: ...
def prior_of_tables(
    positives: Any,
    pile: Any,
    unlike: Any,
    reading: dict[str, Any],
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
def draw_to_read(positive: NDArray[np.bool_], each: int, settings: Settings) -> NDArray[np.int64]: ...
def evaluate_marks(
    answer: dict[str, Any], marks: Any, id: str | None, label: str, settings: Settings
) -> tuple[str, _Notes]: ...
def evaluate_beside_truth(
    answer: Any, truth: Any, id: str | None, label: str, positive: str, settings: Settings
) -> tuple[str, _Notes]: ...
