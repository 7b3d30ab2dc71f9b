# Generated from the registry of methods by `python -m likewise._stubs`; do not edit.

from typing import Any, Literal

from ._related import RelationalClassifier as RelationalClassifier
from ._related import Rule as Rule
from ._related_questions import audit as audit
from ._related_questions import compare as compare
from ._related_questions import prior as prior
from ._related_tables import Description as Description
from ._related_tables import describe as describe

class RelOCC(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    lambda_: float
    sampling: Literal['random', 'active', 'mixed']
    unlabeled: float
    drawn: float
    pool: int
    gradient: Literal['mean', 'sum']
    step: float
    rounds: int
    cut: Literal['hidden', 'natural']
    threshold: Literal['mean', 'quantile', 'max']
    quantile: float
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        lambda_: float = 0.5,
        sampling: Literal['random', 'active', 'mixed'] = 'random',
        unlabeled: float = 30.0,
        drawn: float = 60.0,
        pool: int = 10000,
        gradient: Literal['mean', 'sum'] = 'mean',
        step: float = 0.001,
        rounds: int = 20,
        cut: Literal['hidden', 'natural'] = 'hidden',
        threshold: Literal['mean', 'quantile', 'max'] = 'mean',
        quantile: float = 0.9,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RelOCCRandom(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    largest_share: float
    lambda_: float
    unlabeled: float
    pool: int
    gradient: Literal['mean', 'sum']
    step: float
    rounds: int
    cut: Literal['hidden', 'natural']
    threshold: Literal['mean', 'quantile', 'max']
    quantile: float
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        largest_share: float = 0.95,
        lambda_: float = 0.5,
        unlabeled: float = 30.0,
        pool: int = 10000,
        gradient: Literal['mean', 'sum'] = 'mean',
        step: float = 0.001,
        rounds: int = 20,
        cut: Literal['hidden', 'natural'] = 'hidden',
        threshold: Literal['mean', 'quantile', 'max'] = 'mean',
        quantile: float = 0.9,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RPT(RelationalClassifier):
    depth: int
    literals: int
    significance: float
    smallest: int
    smoothing: float
    pool: int
    bindings: int
    def __init__(
        self,
        *,
        depth: int = 8,
        literals: int = 2,
        significance: float = 0.05,
        smallest: int = 2,
        smoothing: float = 1.0,
        pool: int = 10000,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        cut: str | dict[str, float] | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ORel(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    nu: float
    gamma: float | None
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        nu: float = 0.5,
        gamma: float | None = None,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        cut: str | dict[str, float] | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ORnd(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    nu: float
    gamma: float | None
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        nu: float = 0.5,
        gamma: float | None = None,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        cut: str | dict[str, float] | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SRel(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    c: float
    balanced: bool
    pile: int
    gamma: float | None
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        c: float = 1.0,
        balanced: bool = True,
        pile: int = 3000,
        gamma: float | None = None,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        cut: str | dict[str, float] | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SRnd(RelationalClassifier):
    trees: int
    depth: int
    literals: int
    c: float
    balanced: bool
    pile: int
    gamma: float | None
    bindings: int
    def __init__(
        self,
        *,
        trees: int = 10,
        depth: int = 3,
        literals: int = 2,
        c: float = 1.0,
        balanced: bool = True,
        pile: int = 3000,
        gamma: float | None = None,
        bindings: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        cut: str | dict[str, float] | None = None,
        certainty: bool = False,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...
