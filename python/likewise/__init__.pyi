# Generated from the registry of methods by `python -m likewise._stubs`; do not edit.

from typing import Any, Literal

from . import relational as relational
from ._compared import Comparison as Comparison
from ._compared import ScoreSummary as ScoreSummary
from ._errors import DataError as DataError
from ._errors import LikewiseWarning as LikewiseWarning
from ._errors import Note as Note
from ._errors import ParameterError as ParameterError
from ._estimator import PUClassifier as PUClassifier
from ._find import find as find
from ._find import unexpected as unexpected
from ._found import Found as Found
from ._found import LeftOut as LeftOut
from ._hidden_classes import UnexpectedSummary as UnexpectedSummary
from ._judge import Audit as Audit
from ._judge import audit as audit
from ._judge import compare as compare
from ._loading import load as load
from ._look import look as look
from ._measure import Evaluation as Evaluation
from ._measure import Prior as Prior
from ._measure import evaluate as evaluate
from ._measure import prior as prior
from ._native import __version__ as __version__
from ._read_sample import Estimate as Estimate
from ._read_sample import Read as Read
from ._read_sample import audit_sample as audit_sample
from ._rehearse import Rehearsal as Rehearsal
from ._rehearse import rehearse as rehearse
from ._review import Review as Review
from ._review import review as review
from ._score import Explanation as Explanation
from ._score import explain as explain
from ._score import score as score
from ._simulate import Simulation as Simulation
from ._simulate import simulate as simulate
from ._summary import Summary as Summary
from ._update import update as update

_PLACES: dict[str, str]

class Auto(PUClassifier):
    effort: Literal['quick', 'normal', 'thorough']
    prior: float | None
    folds: int
    with_graph: bool
    candidates: str | None
    def __init__(
        self,
        *,
        effort: Literal['quick', 'normal', 'thorough'] = 'normal',
        prior: float | None = None,
        folds: int = 5,
        with_graph: bool = False,
        candidates: str | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RankMean(PUClassifier):
    of: str
    prior: float | None
    def __init__(
        self,
        *,
        of: str = 'pseudo-smooth+logistic',
        prior: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NB(PUClassifier):
    smoothing: Literal['laplace', 'background']
    strength: float | None
    prior: float
    def __init__(
        self,
        *,
        smoothing: Literal['laplace', 'background'] = 'background',
        strength: float | None = None,
        prior: float = 0.5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class LGN(PUClassifier):
    reading: Literal['best', 'printed']
    entropy: Literal['posterior', 'literal'] | Literal['reading']
    rounding: Literal['floor', 'round', 'ceil', 'fraction'] | Literal['reading']
    document: Literal['sampled', 'expected'] | Literal['reading']
    negative_draws: Literal['clip', 'keep', 'resample'] | Literal['reading']
    entropy_smoothing: float | Literal['reading']
    smoothing: float | Literal['reading']
    prior: float | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['best', 'printed'] = 'best',
        entropy: Literal['posterior', 'literal'] | Literal['reading'] = 'reading',
        rounding: Literal['floor', 'round', 'ceil', 'fraction'] | Literal['reading'] = 'reading',
        document: Literal['sampled', 'expected'] | Literal['reading'] = 'reading',
        negative_draws: Literal['clip', 'keep', 'resample'] | Literal['reading'] = 'reading',
        entropy_smoothing: float | Literal['reading'] = 'reading',
        smoothing: float | Literal['reading'] = 'reading',
        prior: float | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NBEM(PUClassifier):
    event: Literal['bernoulli', 'multinomial']
    teachers: Literal['labelled-and-pile', 'labelled']
    smoothing: Literal['laplace', 'background']
    strength: float | None
    tolerance: float
    iterations: int
    def __init__(
        self,
        *,
        event: Literal['bernoulli', 'multinomial'] = 'multinomial',
        teachers: Literal['labelled-and-pile', 'labelled'] = 'labelled-and-pile',
        smoothing: Literal['laplace', 'background'] = 'background',
        strength: float | None = None,
        tolerance: float = 1e-06,
        iterations: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SpyEM(PUClassifier):
    reading: Literal['best', 'printed']
    spies: float | Literal['reading']
    noise: float | Literal['reading']
    spy_step: Literal['naive-bayes', 'i-em'] | Literal['reading']
    event: Literal['bernoulli', 'multinomial'] | Literal['reading']
    keep: Literal['best', 'last'] | Literal['reading']
    smoothing: Literal['laplace', 'background'] | Literal['reading']
    strength: float | Literal['reading'] | None
    iterations: int | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['best', 'printed'] = 'best',
        spies: float | Literal['reading'] = 'reading',
        noise: float | Literal['reading'] = 'reading',
        spy_step: Literal['naive-bayes', 'i-em'] | Literal['reading'] = 'reading',
        event: Literal['bernoulli', 'multinomial'] | Literal['reading'] = 'reading',
        keep: Literal['best', 'last'] | Literal['reading'] = 'reading',
        smoothing: Literal['laplace', 'background'] | Literal['reading'] = 'reading',
        strength: float | Literal['reading'] | None = 'reading',
        iterations: int | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SpyNB(PUClassifier):
    spies: float
    noise: float
    spy_step: Literal['naive-bayes', 'i-em']
    event: Literal['bernoulli', 'multinomial']
    prior: float | None
    smoothing: Literal['laplace', 'background']
    strength: float | None
    def __init__(
        self,
        *,
        spies: float = 0.15,
        noise: float = 0.15,
        spy_step: Literal['naive-bayes', 'i-em'] = 'naive-bayes',
        event: Literal['bernoulli', 'multinomial'] = 'bernoulli',
        prior: float | None = None,
        smoothing: Literal['laplace', 'background'] = 'background',
        strength: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class PNB(PUClassifier):
    prior: float | None
    choice: Literal['estimate', 'held-out']
    event: Literal['bernoulli', 'multinomial']
    absent: bool
    correction: Literal['clip', 'calvo', 'calvon']
    smoothing: Literal['laplace', 'background']
    strength: float | None
    def __init__(
        self,
        *,
        prior: float | None = None,
        choice: Literal['estimate', 'held-out'] = 'estimate',
        event: Literal['bernoulli', 'multinomial'] = 'bernoulli',
        absent: bool = True,
        correction: Literal['clip', 'calvo', 'calvon'] = 'calvon',
        smoothing: Literal['laplace', 'background'] = 'background',
        strength: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class APNB(PUClassifier):
    a: float
    b: float
    points: int
    event: Literal['bernoulli', 'multinomial']
    absent: bool
    correction: Literal['clip', 'calvo', 'calvon']
    smoothing: Literal['laplace', 'background']
    strength: float | None
    def __init__(
        self,
        *,
        a: float = 1.0,
        b: float = 1.0,
        points: int = 50,
        event: Literal['bernoulli', 'multinomial'] = 'bernoulli',
        absent: bool = True,
        correction: Literal['clip', 'calvo', 'calvon'] = 'calvon',
        smoothing: Literal['laplace', 'background'] = 'background',
        strength: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class OneClassNB(PUClassifier):
    reading: Literal['best', 'literal']
    distance: Literal['hamming', 'euclidean', 'cosine', 'jaccard'] | Literal['reading']
    guard: float | Literal['reading']
    tie: Literal['first', 'middle', 'last'] | Literal['reading']
    forced: bool | Literal['reading']
    step: float | Literal['reading']
    correction: Literal['clip', 'calvo', 'calvon'] | Literal['reading']
    absent: bool | Literal['reading']
    smoothing: Literal['laplace', 'background'] | Literal['reading']
    strength: float | Literal['reading'] | None
    def __init__(
        self,
        *,
        reading: Literal['best', 'literal'] = 'best',
        distance: Literal['hamming', 'euclidean', 'cosine', 'jaccard'] | Literal['reading'] = 'reading',
        guard: float | Literal['reading'] = 'reading',
        tie: Literal['first', 'middle', 'last'] | Literal['reading'] = 'reading',
        forced: bool | Literal['reading'] = 'reading',
        step: float | Literal['reading'] = 'reading',
        correction: Literal['clip', 'calvo', 'calvon'] | Literal['reading'] = 'reading',
        absent: bool | Literal['reading'] = 'reading',
        smoothing: Literal['laplace', 'background'] | Literal['reading'] = 'reading',
        strength: float | Literal['reading'] | None = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class OneClassNBLSN(PUClassifier):
    reading: Literal['best', 'literal']
    distance: Literal['hamming', 'euclidean', 'cosine', 'jaccard'] | Literal['reading']
    guard: float | Literal['reading']
    tie: Literal['first', 'middle', 'last'] | Literal['reading']
    forced: bool | Literal['reading']
    step: float | Literal['reading']
    correction: Literal['clip', 'calvo', 'calvon'] | Literal['reading']
    absent: bool | Literal['reading']
    smoothing: Literal['laplace', 'background'] | Literal['reading']
    strength: float | Literal['reading'] | None
    def __init__(
        self,
        *,
        reading: Literal['best', 'literal'] = 'best',
        distance: Literal['hamming', 'euclidean', 'cosine', 'jaccard'] | Literal['reading'] = 'reading',
        guard: float | Literal['reading'] = 'reading',
        tie: Literal['first', 'middle', 'last'] | Literal['reading'] = 'reading',
        forced: bool | Literal['reading'] = 'reading',
        step: float | Literal['reading'] = 'reading',
        correction: Literal['clip', 'calvo', 'calvon'] | Literal['reading'] = 'reading',
        absent: bool | Literal['reading'] = 'reading',
        smoothing: Literal['laplace', 'background'] | Literal['reading'] = 'reading',
        strength: float | Literal['reading'] | None = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Prototype(PUClassifier):
    reject: float
    def __init__(
        self,
        *,
        reject: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Nearest(PUClassifier):
    reject: float
    def __init__(
        self,
        *,
        reject: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NearestMean(PUClassifier):
    k: int
    reject: float
    def __init__(
        self,
        *,
        k: int = 5,
        reject: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Logistic(PUClassifier):
    c: float
    balanced: bool
    def __init__(
        self,
        *,
        c: float = 1.0,
        balanced: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class LogisticSpared(PUClassifier):
    prior: float | None
    def __init__(
        self,
        *,
        prior: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Bagging(PUClassifier):
    rounds: int
    bag: int | None
    c: float
    def __init__(
        self,
        *,
        rounds: int = 15,
        bag: int | None = None,
        c: float = 1.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class WeightedLogistic(PUClassifier):
    c: float | None
    folds: int
    def __init__(
        self,
        *,
        c: float | None = None,
        folds: int = 5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class BiasedSVM(PUClassifier):
    c_pile: float | None
    ratio: float | None
    folds: int
    def __init__(
        self,
        *,
        c_pile: float | None = None,
        ratio: float | None = None,
        folds: int = 3,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ElkanNoto(PUClassifier):
    reading: Literal['prior', 'printed']
    frequency: Literal['prior', 'held-out'] | Literal['reading']
    prior: float | Literal['reading'] | None
    c: float | Literal['reading']
    folds: int | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['prior', 'printed'] = 'prior',
        frequency: Literal['prior', 'held-out'] | Literal['reading'] = 'reading',
        prior: float | Literal['reading'] | None = 'reading',
        c: float | Literal['reading'] = 'reading',
        folds: int | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ElkanNotoWeighted(PUClassifier):
    prior: float | None
    c: float
    folds: int
    def __init__(
        self,
        *,
        prior: float | None = None,
        c: float = 1.0,
        folds: int = 5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class UPU(PUClassifier):
    prior: float | None
    c: float
    def __init__(
        self,
        *,
        prior: float | None = None,
        c: float = 1.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NNPU(PUClassifier):
    prior: float | None
    c: float
    def __init__(
        self,
        *,
        prior: float | None = None,
        c: float = 1.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class OCSVM(PUClassifier):
    nu: float
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial']
    gamma: float | None
    calibrated_scores: bool
    cache: int
    def __init__(
        self,
        *,
        nu: float = 0.1,
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] = 'auto',
        gamma: float | None = None,
        calibrated_scores: bool = True,
        cache: int = 512,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SVDD(PUClassifier):
    nu: float
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial']
    gamma: float | None
    calibrated_scores: bool
    cache: int
    def __init__(
        self,
        *,
        nu: float = 0.1,
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] = 'auto',
        gamma: float | None = None,
        calibrated_scores: bool = True,
        cache: int = 512,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SVMC(PUClassifier):
    reading: Literal['guarded', 'printed']
    mapping: Literal['auto', '1-dnf', 'rocchio', 'ocsvm', 'lowest'] | Literal['reading']
    svm: Literal['nu', 'c'] | Literal['reading']
    nu: float | Literal['reading']
    c: float | Literal['reading']
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] | Literal['reading']
    gamma: float | Literal['reading'] | None
    guard: float | Literal['reading'] | None
    remember: bool | Literal['reading']
    refit: bool | Literal['reading']
    warm: bool | Literal['reading']
    lowest: float | Literal['reading']
    iterations: int | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['guarded', 'printed'] = 'guarded',
        mapping: Literal['auto', '1-dnf', 'rocchio', 'ocsvm', 'lowest'] | Literal['reading'] = 'reading',
        svm: Literal['nu', 'c'] | Literal['reading'] = 'reading',
        nu: float | Literal['reading'] = 'reading',
        c: float | Literal['reading'] = 'reading',
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] | Literal['reading'] = 'reading',
        gamma: float | Literal['reading'] | None = 'reading',
        guard: float | Literal['reading'] | None = 'reading',
        remember: bool | Literal['reading'] = 'reading',
        refit: bool | Literal['reading'] = 'reading',
        warm: bool | Literal['reading'] = 'reading',
        lowest: float | Literal['reading'] = 'reading',
        iterations: int | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SMC(PUClassifier):
    reading: Literal['warm', 'printed']
    mapping: Literal['auto', '1-dnf', 'rocchio', 'ocsvm', 'lowest'] | Literal['reading']
    svm: Literal['nu', 'c'] | Literal['reading']
    nu: float | Literal['reading']
    c: float | Literal['reading']
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] | Literal['reading']
    gamma: float | Literal['reading'] | None
    guard: float | Literal['reading'] | None
    warm: bool | Literal['reading']
    lowest: float | Literal['reading']
    iterations: int | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['warm', 'printed'] = 'warm',
        mapping: Literal['auto', '1-dnf', 'rocchio', 'ocsvm', 'lowest'] | Literal['reading'] = 'reading',
        svm: Literal['nu', 'c'] | Literal['reading'] = 'reading',
        nu: float | Literal['reading'] = 'reading',
        c: float | Literal['reading'] = 'reading',
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] | Literal['reading'] = 'reading',
        gamma: float | Literal['reading'] | None = 'reading',
        guard: float | Literal['reading'] | None = 'reading',
        warm: bool | Literal['reading'] = 'reading',
        lowest: float | Literal['reading'] = 'reading',
        iterations: int | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class PEBL(PUClassifier):
    c: float
    iterations: int
    def __init__(
        self,
        *,
        c: float = 1.0,
        iterations: int = 100,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ROCSVM(PUClassifier):
    alpha: float
    beta: float
    guard: float
    c: float
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial']
    gamma: float | None
    iterations: int
    def __init__(
        self,
        *,
        alpha: float = 16.0,
        beta: float = 4.0,
        guard: float = 0.08,
        c: float = 1.0,
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] = 'auto',
        gamma: float | None = None,
        iterations: int = 100,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RCSVM(PUClassifier):
    alpha: float
    beta: float
    clusters: int | None
    c: float
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial']
    gamma: float | None
    def __init__(
        self,
        *,
        alpha: float = 16.0,
        beta: float = 4.0,
        clusters: int | None = 10,
        c: float = 1.0,
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] = 'auto',
        gamma: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SpySVM(PUClassifier):
    spies: float
    noise: float
    spy_step: Literal['naive-bayes', 'i-em']
    smoothing: Literal['laplace', 'background']
    c: float
    def __init__(
        self,
        *,
        spies: float = 0.15,
        noise: float = 0.15,
        spy_step: Literal['naive-bayes', 'i-em'] = 'naive-bayes',
        smoothing: Literal['laplace', 'background'] = 'background',
        c: float = 1.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SVMNN(PUClassifier):
    c: float
    kernel: Literal['auto', 'linear', 'rbf', 'polynomial']
    gamma: float | None
    def __init__(
        self,
        *,
        c: float = 1.0,
        kernel: Literal['auto', 'linear', 'rbf', 'polynomial'] = 'auto',
        gamma: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Rocchio(PUClassifier):
    alpha: float
    beta: float
    def __init__(
        self,
        *,
        alpha: float = 16.0,
        beta: float = 4.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NMFPUL(PUClassifier):
    reading: Literal['centroid', 'printed']
    topics: int | Literal['reading'] | None
    iterations: int | Literal['reading']
    tolerance: float | Literal['reading']
    low: float | Literal['reading']
    start: Literal['centroid', 'uniform'] | Literal['reading']
    decision: Literal['mass', 'argmax', 'share'] | Literal['reading']
    precision: Literal['single', 'double'] | Literal['reading']
    def __init__(
        self,
        *,
        reading: Literal['centroid', 'printed'] = 'centroid',
        topics: int | Literal['reading'] | None = 'reading',
        iterations: int | Literal['reading'] = 'reading',
        tolerance: float | Literal['reading'] = 'reading',
        low: float | Literal['reading'] = 'reading',
        start: Literal['centroid', 'uniform'] | Literal['reading'] = 'reading',
        decision: Literal['mass', 'argmax', 'share'] | Literal['reading'] = 'reading',
        precision: Literal['single', 'double'] | Literal['reading'] = 'reading',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class KMeans(PUClassifier):
    k: int
    threshold: float | None
    goal: Literal['rarer', 'positives', 'unexpected']
    def __init__(
        self,
        *,
        k: int = 1,
        threshold: float | None = None,
        goal: Literal['rarer', 'positives', 'unexpected'] = 'rarer',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class LogisticSmooth(PUClassifier):
    prior: float | None
    from_neighbours: float | None
    with_graph: bool
    distil: bool
    def __init__(
        self,
        *,
        prior: float | None = None,
        from_neighbours: float | None = None,
        with_graph: bool = False,
        distil: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Pseudo(PUClassifier):
    prior: float | None
    def __init__(
        self,
        *,
        prior: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class PseudoSmooth(PUClassifier):
    prior: float | None
    from_neighbours_first: float | None
    from_neighbours: float | None
    with_graph: bool
    distil: bool
    def __init__(
        self,
        *,
        prior: float | None = None,
        from_neighbours_first: float | None = None,
        from_neighbours: float | None = None,
        with_graph: bool = False,
        distil: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class KNNNovelty(PUClassifier):
    k: int
    goal: Literal['rarer', 'positives', 'unexpected']
    def __init__(
        self,
        *,
        k: int = 5,
        goal: Literal['rarer', 'positives', 'unexpected'] = 'rarer',
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class KNNNB(PUClassifier):
    k: int
    goal: Literal['rarer', 'positives', 'unexpected']
    smoothing: float
    def __init__(
        self,
        *,
        k: int = 5,
        goal: Literal['rarer', 'positives', 'unexpected'] = 'rarer',
        smoothing: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class LPPUL(PUClassifier):
    k: int
    mutual: bool
    least_cosine: float
    negatives: float
    spreading: Literal['gfhf', 'llgc']
    alpha: float
    unreachable: Literal['by-share', 'passive', 'farthest']
    sources: int
    def __init__(
        self,
        *,
        k: int = 15,
        mutual: bool = False,
        least_cosine: float = 0.0,
        negatives: float = 5.0,
        spreading: Literal['gfhf', 'llgc'] = 'gfhf',
        alpha: float = 0.9,
        unreachable: Literal['by-share', 'passive', 'farthest'] = 'by-share',
        sources: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class PULP(PUClassifier):
    k: int
    attenuation: float | None
    positives: float
    rounds: int
    def __init__(
        self,
        *,
        k: int = 15,
        attenuation: float | None = None,
        positives: float = 0.6,
        rounds: int = 3,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...

class Forest(PUClassifier):
    trees: int
    prior: float | None
    columns: int | None
    bag: float
    depth: int | None
    def __init__(
        self,
        *,
        trees: int = 200,
        prior: float | None = None,
        columns: int | None = None,
        bag: float = 0.3,
        depth: int | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        words: dict[str, Any] | None = None,
        text: str | list[str] | None = None,
        features: str | list[str] | None = None,
        vectors: str | list[str] | None = None,
        leave_out: str | list[str] | None = None,
        cut: str | dict[str, float] | None = None,
        calibrated: bool = False,
        verbose: bool = False,
    ) -> None: ...
