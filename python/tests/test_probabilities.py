"""How probable rows are: in rankings, of kept models, in Arrow batches, and as scikit-learn asks for it."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import doors
from doors import documents, written
from support import word_counts

import likewise
import likewise.arrow

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
COLUMNS = ["probability", "probability_low", "probability_high"]
LIKE, PILE = documents(40, 1.0, 11), documents(300, 0.3, 12)


@pytest.mark.parametrize("method", ["auto", "logistic"])
def test_a_ranking_says_how_probable_its_rows_are(method, tmp_path):
    found = likewise.find(LIKE, PILE, method=method, probabilities=True)
    assert np.isclose(found["probability"].mean(), found.summary.prior)
    assert (found["probability"].diff().dropna() <= 0).all()
    assert (found["probability_low"] <= found["probability"]).all()
    assert (found["probability"] <= found["probability_high"]).all()
    like, pile = (written(tmp_path / name, {"text": side}) for name, side in (("l.parquet", LIKE), ("p.parquet", PILE)))
    said = doors.likewise("find", "--like", like, "--in", pile, "--method", method, "--probabilities", "-o", "-").stdout
    of_the_command = pd.DataFrame([json.loads(line) for line in said.splitlines()])
    assert of_the_command[COLUMNS].to_numpy().tobytes() == found[COLUMNS].to_numpy().tobytes()
    assert not set(COLUMNS) & set(likewise.find(LIKE, PILE, method=method).columns)


def test_a_kept_model_knows_them():
    found = likewise.find(LIKE, PILE, method="logistic", probabilities=True)
    scored = likewise.score(found.model, PILE, probabilities=True)
    assert np.isclose(scored["probability"].mean(), found.summary.prior)
    batches = likewise.arrow.score_batches(found.model, probabilities=True)
    again = batches(pa.table({found.model._model.columns[0]: PILE}))
    assert again.column_names[-3:] == COLUMNS
    assert again["probability"].to_numpy().tobytes() == scored["probability"].to_numpy().tobytes()
    natural = likewise.find(LIKE, PILE, method="logistic", cut="natural")
    with pytest.raises(ValueError, match="probabilities=True"):
        likewise.score(natural.model, PILE, probabilities=True)


def test_estimators_can_be_calibrated():
    counts, labels, truth = word_counts(600)
    for estimator in (likewise.Logistic, likewise.Auto):
        model = estimator(calibrated=True).fit(counts, labels)
        chances = model.predict_proba(counts)
        assert chances.shape == (600, 2) and np.allclose(chances.sum(axis=1), 1)
        pile = labels == 0
        # Half of the pile that is left is positive; what is said adds up to what is there.
        assert abs(chances[pile, 1].mean() - truth[pile].mean()) < 0.15
        assert chances[pile & truth, 1].mean() > chances[pile & ~truth, 1].mean() + 0.2
        plain = estimator().fit(counts, labels)
        assert (plain.predict(counts) == model.predict(counts)).all()
    documents_too = likewise.NB(calibrated=True).fit(LIKE + PILE, [1] * len(LIKE) + [0] * len(PILE))
    assert documents_too.predict_proba(PILE)[:, 1].max() > 0.5
    loaded = likewise.load(documents_too._model.to_bytes()).set_params(calibrated=True)
    assert (loaded.predict_proba(PILE) == documents_too.predict_proba(PILE)).all()
    with pytest.raises(ValueError, match="calibrated=True"):
        likewise.NB().fit(LIKE + PILE, [1] * len(LIKE) + [0] * len(PILE)).set_params(calibrated=True).predict_proba(PILE)
