"""An estimator reads the columns of a frame as `find` does, whether or not a cell of them is missing."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import average_precision_score

import likewise
from support import bits

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


def people(rows=240):
    """A running id, metres that tell and grams that do not, in numbers that drown the metres; examples come first."""
    random = np.random.default_rng(3)
    truth = (np.arange(rows) < 30) | (np.arange(rows) % 4 == 0)
    metres = random.normal(np.where(truth, 3.0, 0.0), 0.3)
    grams = random.normal(0, 5000, rows)
    frame = pd.DataFrame({"id": np.arange(rows) * 7 + 100, "metres": metres, "grams": grams})
    return frame, truth, (np.arange(rows) < 30).astype(int)


MAKES = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize("method", ["nearest", "logistic"])
def test_an_estimator_and_find_read_a_frame_alike(make, method):
    frame, _, labels = people()
    model = {"nearest": likewise.Nearest, "logistic": likewise.Logistic}[method](cut="natural").fit(make(frame), labels)
    found = likewise.find(
        make(frame[labels == 1]), make(frame[labels == 0]), method=method, cut="natural", keep_positives=True
    )
    scores = np.empty(len(found))
    scores[np.asarray(found["row"])] = np.asarray(found["score"])
    assert bits(model.scores_[labels == 0]) == bits(scores)
    assert model.n_features_in_ == 3 and list(model.feature_names_in_) == ["id", "metres", "grams"]


def test_one_missing_cell_changes_little():
    frame, truth, labels = people()
    gap = frame.copy()
    gap.loc[5, "metres"] = np.nan
    pile = labels == 0
    whole, holed = (likewise.Nearest(cut="natural").fit(rows, labels) for rows in (frame, gap))
    quality = [average_precision_score(truth[pile], model.scores_[pile]) for model in (whole, holed)]
    assert min(quality) > 0.8 and abs(quality[0] - quality[1]) < 0.02
    assert np.isfinite(whole.predict_proba(gap)).all(), "tomorrow a cell is missing"
    assert not any("id" in reason for reason, _ in whole.explain(gap, 0))


def test_an_array_is_taken_for_the_columns_that_were_learned():
    frame, _, labels = people()
    model = likewise.Logistic(cut="natural").fit(frame, labels)
    with pytest.warns(UserWarning, match="valid feature names"):
        assert bits(model.predict_proba(frame.to_numpy())) == bits(model.predict_proba(frame))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["metres", "id", "grams"]])


def test_arrays_stay_as_they_are():
    frame, _, labels = people()
    rows = frame[["metres", "grams"]].to_numpy()
    model = likewise.Logistic(cut="natural").fit(rows, labels)
    assert model.n_features_in_ == 2 and not hasattr(model, "feature_names_in_")
    # A frame without names is one, as scikit-learn's checks want it; one with a gap cannot be.
    nameless = pd.DataFrame(rows)
    assert bits(likewise.Logistic(cut="natural").fit(nameless, labels).scores_) == bits(model.scores_)
    nameless.loc[5, 0] = np.nan
    assert likewise.Logistic(cut="natural").fit(nameless, labels).predict(rows).shape == (240,)
    with pytest.raises(likewise.ParameterError, match="columns have no names"):
        likewise.Logistic(features=["metres"]).fit(rows, labels)


def test_labels_that_mark_nothing_are_refused():
    frame, _, labels = people()
    with pytest.raises(ValueError, match="no 1 "):
        likewise.Logistic().fit(frame, -labels)
    with pytest.raises(ValueError, match="requires y to be passed"):
        likewise.Logistic().fit(frame, None)
