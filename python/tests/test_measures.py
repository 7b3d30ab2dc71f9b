"""Measures that need no negatives are those of pulearn where it has them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise

pulearn = pytest.importorskip("pulearn.metrics")


def problem(seed: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = np.append([1, 0], random.integers(0, 2, rows))
    # A few values often, so that scores tie; never the threshold itself, where pulearn decides otherwise.
    scores = np.round(random.random(rows + 2), 1)
    scores[scores == 0.5] = 0.51
    return labels, scores


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), rows=st.integers(0, 60), prior=st.floats(0.05, 0.9))
def test_measures_are_those_of_pulearn(seed, rows, prior):
    labels, scores = problem(seed, rows)
    share = (labels.sum() + prior * (labels == 0).sum()) / len(labels)
    told = likewise.evaluate(labels, scores, prior=prior, resamples=0)
    expected = {
        "recall": pulearn.pu_recall_score(labels, scores),
        "precision": pulearn.pu_precision_score(labels, scores, float(share)),
        "f1": pulearn.pu_f1_score(labels, scores, float(share)),
        "lee_liu": pulearn.lee_liu_score(labels, scores),
        "area_under_roc": np.clip(pulearn.pu_roc_auc_score(labels, scores, prior), 0, 1),
        "area_under_lift": pulearn.pu_average_precision_score(labels, scores, prior),
    }
    for name, value in expected.items():
        assert told[name].value == pytest.approx(value, abs=1e-12), name
    assert set(told) == {*expected, "average_precision"}


def overlapping_classes(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    truth = random.random(rows) < 0.3
    labels = (truth & (random.random(rows) < 0.3)).astype(int)
    return truth, labels, 1 / (1 + np.exp(-random.normal(np.where(truth, 1.5, -1.5))))


def test_estimates_come_near_the_truth():
    truth, labels, scores = overlapping_classes(20_000)
    prior = truth[labels == 0].mean()
    told = likewise.evaluate(labels, scores, prior=prior)
    from sklearn.metrics import average_precision_score, f1_score, precision_score, recall_score, roc_auc_score

    called = scores >= 0.5
    expected = {
        "recall": recall_score(truth, called),
        "precision": precision_score(truth, called),
        "f1": f1_score(truth, called),
        "area_under_roc": roc_auc_score(truth, scores),
        "average_precision": average_precision_score(truth, scores),
    }
    for name, value in expected.items():
        assert told[name].value == pytest.approx(value, abs=0.02), name
        assert told[name].low - 0.01 <= value <= told[name].high + 0.01, name
        assert 0 < told[name].high - told[name].low < 0.1
    estimated = likewise.evaluate(labels, scores)
    assert estimated["precision"].value == pytest.approx(expected["precision"], abs=0.05)


def test_an_estimated_prior_widens_the_intervals():
    truth, labels, scores = overlapping_classes(2_000)
    prior = likewise.prior(scores[labels == 1], scores[labels == 0], resamples=200)
    assert prior.low < prior.value < prior.high
    estimated = likewise.evaluate(labels, scores)
    assert estimated == likewise.evaluate(labels, scores, prior=prior)
    known = likewise.evaluate(labels, scores, prior=prior.value)
    ends = [likewise.evaluate(labels, scores, prior=share) for share in (prior.low, prior.high)]
    for name, told in estimated.items():
        depends = name not in {"recall", "lee_liu"}
        assert told.value == known[name].value
        assert (told.high - told.low > known[name].high - known[name].low) == depends, name
        assert all(told.low <= end[name].low and end[name].high <= told.high for end in ends), name
    called = scores >= 0.5
    assert estimated["precision"].low <= truth[called].mean() <= estimated["precision"].high
    bare = likewise.evaluate(labels, scores, resamples=0)
    assert all(told.low == told.value == told.high for told in bare.values())


@pytest.mark.parametrize(
    ("labels", "scores", "prior", "message"),
    [
        ([1, 0, 1], [0.1, 0.2], 0.5, "inconsistent"),
        ([1, 0], [0.1, float("nan")], 0.5, "not a finite number"),
        ([1, 0], [0.1, 0.2], 1.5, "`prior`"),
        ([1, 1], [0.1, 0.2], 0.5, "single class"),
        ([1, 2, 3], [0.1, 0.2, 0.3], 0.5, "binary"),
    ],
)
def test_bad_input_is_refused(labels, scores, prior, message):
    with pytest.raises(ValueError, match=message):
        likewise.evaluate(labels, scores, prior=prior)


LIKE = ["refund my money", "money back please", "please refund me", "want money back"]
PILE = ["money refund please", "late parcel", "parcel lost in the post", "post is late"]
TRUTH = [True, False, False, False]


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
@pytest.mark.parametrize(
    "truth, positive",
    [
        (TRUTH, {}),
        (np.array(TRUTH).astype(int), {}),
        (np.array(TRUTH) * 2.0 - 1.0, {}),
        (["yes", "no", "no", "no"], {"positive": "yes"}),
        ([3, 2, 2, 2], {"positive": 3}),
    ],
    ids=["bool", "0/1", "-1/1", "texts", "numbers"],
)
def test_the_truth_means_the_same_to_evaluate_and_compare(truth, positive):
    found = likewise.find(LIKE, PILE, method="nb")
    measured = likewise.evaluate(found, truth=truth, **positive).answer
    assert (measured.positives, measured.average_precision) == (1, 1.0)
    frame = pd.DataFrame({"positive": truth})
    assert likewise.evaluate(found, truth=frame, **positive).answer == measured
    given = {f"truth_{name}": value for name, value in positive.items()}
    for known in (truth, frame):
        compared = likewise.compare(LIKE, PILE, methods=["nb"], folds=0, truth=known, **given)
        assert compared["average_precision"].tolist() == [1.0], known
        assert compared["f1"].tolist() == [measured.f1]


def test_a_truth_that_nobody_can_read_is_refused():
    found = likewise.find(LIKE, PILE, method="nb")
    for ask in (
        lambda truth: likewise.evaluate(found, truth=truth),
        lambda truth: likewise.compare(LIKE, PILE, methods=["nb"], folds=0, truth=truth),
    ):
        with pytest.raises(ValueError, match="no row has `true`.*its values are `no`, `yes`"):
            ask(["yes", "no", "no", "no"])
    with pytest.raises(ValueError, match="the truth has 2 labels and the pile has 4 rows"):
        likewise.compare(LIKE, PILE, methods=["nb"], folds=0, truth=[True, False])
