"""Odd data give scores within 0 and 1 or a clear error; never anything else."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from support import ESTIMATORS, NAMES, quick

ODD = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES),
]

HUGE_AND_TINY = [0.0, 1.0, 2.5, 1e-30, 1e-300, 1e30, 3e38, 5e-324]
VALUES = st.one_of(st.sampled_from(HUGE_AND_TINY), st.floats(0, 100, width=32))
SHAPES = st.tuples(st.integers(2, 12), st.integers(1, 6))


@st.composite
def labelled_rows(draw, values=VALUES):
    """Rows some of which may be empty or equal, columns some of which may be constant."""
    x = draw(arrays.arrays(np.float64, SHAPES, elements=values, fill=st.just(0.0)))
    if draw(st.booleans()):
        x[:, 0] = x[0, 0]
    if draw(st.booleans()):
        x[-1] = 0
    positives = draw(st.integers(1, len(x) - 1))
    return x, np.arange(len(x)) < positives


def learned(estimator, rows, labels):
    """Scores of training and of new rows are proper, or a clear error says what to do."""
    try:
        model = quick(estimator, random_state=1).fit(rows, labels)
    except ValueError as error:
        assert len(str(error)) > 20, error
        return
    again = model.predict_proba(rows)
    for scores in (model.scores_, again[:, 0], again[:, 1]):
        assert ((0 <= scores) & (scores <= 1)).all()
    assert np.isfinite(model.decision_function(rows)).all()
    assert model.predict(rows).shape == labels.shape


@ODD
@given(data=st.data())
def test_numbers(estimator, data):
    x, labels = data.draw(labelled_rows())
    if not estimator._method.non_negative and data.draw(st.booleans()):
        x = -x
    learned(estimator, scipy.sparse.csr_array(x) if data.draw(st.booleans()) else x, labels)


WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["", " ", "\x00", "Ünïcödé straße", "日本語の文章", "🙂🙃", "ا لعربية", "a" * 1000, "e\u0301", "\ud800"]),
    st.lists(st.sampled_from(["red", "green", "blue", "refund", "parcel"]), max_size=8).map(" ".join),
)


@ODD
@given(data=st.data())
def test_documents(estimator, data):
    if "sparse" not in estimator._method.inputs:
        pytest.skip("takes numbers only")
    documents = data.draw(st.lists(WORDS, min_size=2, max_size=12))
    positives = data.draw(st.integers(1, len(documents) - 1))
    learned(estimator, documents, np.arange(len(documents)) < positives)
