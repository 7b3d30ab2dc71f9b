"""Rows of two kinds are not compared, columns that are named must be there, and sparse rows go wherever dense ones do."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import likewise
from support import DOCUMENTS, LABELS, PILE, REFUNDS, bits, sparse_rows

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
RANDOM = np.random.default_rng(0)
LIKE, OTHERS = RANDOM.normal(2, size=(40, 3)), RANDOM.normal(0, size=(80, 3))


def test_a_wrong_name_of_the_text_is_refused():
    like, pile = pd.DataFrame({"text": REFUNDS, "n": range(6)}), pd.DataFrame({"text": PILE, "n": range(6)})
    for ask in (
        lambda: likewise.find(like, pile, text="nope", method="nb"),
        lambda: likewise.find(like[["text"]], pile[["text"]], text="nope", method="nb"),
        lambda: likewise.find(REFUNDS, pile, text="nope", method="nb"),
        lambda: likewise.NB(text="nope").fit(pd.concat([like, pile]), LABELS),
        lambda: likewise.audit(like, pile, text="nope"),
    ):
        with pytest.raises(likewise.DataError, match="has no column `nope`"):
            ask()


def test_documents_are_called_as_the_text_is():
    pile = pd.DataFrame({"body": PILE, "n": range(6)})
    found = likewise.find(REFUNDS, pile, text="body", method="nb")
    assert found["row"].tolist() == likewise.find(REFUNDS, PILE, method="nb")["row"].tolist()
    assert likewise.NB(text="body").fit(DOCUMENTS, LABELS).predict(pile).shape == (6,)


def test_a_frame_beside_a_matrix_is_refused():
    frame = pd.DataFrame(LIKE, columns=list("abc"))
    for positives, pile in ((frame, OTHERS), (LIKE, frame), (LIKE, PILE), (REFUNDS, scipy.sparse.csr_array(OTHERS))):
        with pytest.raises(likewise.DataError, match="no column in common; give both") as refused:
            likewise.find(positives, pile, method="logistic")
        assert refused.value.code == "inputs-differ"
    with pytest.raises(likewise.DataError, match="no column in common"):
        likewise.find(LIKE, OTHERS, unlike=frame, method="logistic")
    with pytest.raises(likewise.ParameterError, match="has no text"):
        likewise.find(LIKE, OTHERS, text="a")


def test_a_model_of_a_matrix_scores_sparse_rows():
    model = likewise.find(LIKE, OTHERS, method="nearest").model
    assert bits(model.predict_proba(scipy.sparse.csr_array(OTHERS))) == bits(model.predict_proba(OTHERS))
    with pytest.raises(TypeError, match="to_numpy"):
        model.predict(pd.DataFrame(OTHERS, columns=list("abc")))
    sparse = likewise.find(scipy.sparse.csr_array(LIKE), scipy.sparse.csr_array(OTHERS), method="nearest").model
    assert bits(sparse.predict_proba(scipy.sparse.csr_array(OTHERS))) == bits(sparse.predict_proba(OTHERS))


def test_sparse_rows_are_rehearsed_and_simulated():
    x, _ = sparse_rows(120)
    labels = ["yes" if row % 2 == 0 else "no" for row in range(120)]
    told = likewise.rehearse(x, labels, "yes", examples=4, rule="never", most=60)
    assert told.rows <= 120 and told.found > 10
    positives, pile, truth = likewise.simulate(x, labels, "yes", labelled=20, mechanism="sar")
    assert positives.shape == (20, 30) and pile.shape == (100, 30) and truth.sum() == 40


def test_a_column_called_label_is_a_column():
    labels = [row % 2 == 0 for row in range(120)]
    rows = np.vstack([LIKE, OTHERS])
    rows[:, 0] = np.where(labels, 4, 0) + RANDOM.normal(size=120)
    plain = pd.DataFrame(rows, columns=["a", "b", "c"])
    told = [
        likewise.rehearse(frame, labels, True, examples=4, rule="never", most=50).to_dict()
        for frame in (plain, plain.rename(columns={"a": "label"}))
    ]
    assert told[0] == told[1]
    drawn = [
        likewise.simulate(frame, labels, True, labelled=10, mechanism="sar", by=by).positives.index.tolist()
        for frame, by in ((plain, "a"), (plain.rename(columns={"a": "label"}), "label"))
    ]
    assert drawn[0] == drawn[1]


def test_an_estimator_of_an_array_is_updated():
    rows, labels = np.vstack([LIKE, OTHERS]), [1] * 40 + [0] * 80
    for kind in (np.asarray, scipy.sparse.csr_array):
        model = likewise.Logistic(cut="natural").fit(kind(rows), labels)
        better = likewise.update(model, like=OTHERS[:5], unlike=kind(LIKE[:5]))
        assert better.decision_function(OTHERS[:5]).mean() > model.decision_function(OTHERS[:5]).mean()
        again = likewise.update(model, like=LIKE, pile=kind(OTHERS))
        assert again.predict(OTHERS).shape == (80,)
    with pytest.raises(ValueError, match="no column `feature 1`; give rows of a matrix"):
        likewise.update(likewise.Logistic().fit(rows, labels), like=pd.DataFrame(LIKE, columns=list("abc")))
