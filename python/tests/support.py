"""What the tests share: the estimators, and small problems with a known answer."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import likewise
from likewise import _generate

ESTIMATORS = list(_generate.ESTIMATORS.values())
NAMES = [estimator.__name__ for estimator in ESTIMATORS]


def data_folder(name: str) -> Path:
    """The folder of a data set; where it is absent the test is skipped; with ``CI=true`` it fails, unless
    ``LIKEWISE_DATA=none`` says that the absence is known."""
    if os.environ.get("LIKEWISE_TESTS") == "small":
        pytest.skip("real data, because LIKEWISE_TESTS=small")
    root = os.environ.get("LIKEWISE_DATA", Path(__file__).parents[3] / "shared" / "data")
    folder = Path(root) / name
    if not folder.exists():
        absent = f"{folder} is not there; LIKEWISE_DATA names the folder of the data sets"
        (pytest.fail if os.environ.get("CI") == "true" and root != "none" else pytest.skip)(absent)
    return folder


def quick(estimator: type[likewise.PUClassifier], **given: object) -> likewise.PUClassifier:
    """An estimator that tries as little as it may."""
    effort = {"effort": "quick"} if estimator is likewise.Auto else {}
    return estimator(**effort, **given)


def word_counts(rows: int = 90, share: float = 1 / 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts over two topics of ten words and ten common ones; returns rows, labels and the truth."""
    random = np.random.default_rng(7)
    truth = np.arange(rows) % 2 == 0
    chances = np.full((rows, 30), 0.02)
    chances[truth, :10] = 0.07
    chances[~truth, 10:20] = 0.07
    counts = np.array([random.multinomial(20, row / row.sum()) for row in chances]).astype(np.float64)
    labelled = truth & (np.arange(rows) < rows * share)
    return counts, labelled.astype(int), truth


def sparse_rows(rows: int = 90) -> tuple[scipy.sparse.csr_array, np.ndarray]:
    """The counts with most words left out: few enough values to be worked on as sparse rows."""
    counts, labels, _ = word_counts(rows)
    counts[counts < 2] = 0
    return scipy.sparse.csr_array(counts), labels


REFUNDS = [
    "refund my money", "money back please", "please refund me", "my refund money", "want money back",
    "refund the money back",
]
PILE = [
    "money refund please", "late parcel", "parcel lost in the post", "post is late", "the parcel post lost it",
    "where is the late parcel",
]
DOCUMENTS = REFUNDS + PILE
LABELS = np.array([1] * len(REFUNDS) + [0] * len(PILE))


def bits(scores: np.ndarray) -> bytes:
    return np.asarray(scores, dtype=np.float64).tobytes()
