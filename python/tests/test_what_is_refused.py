"""What cannot be answered is refused in words, not by an error from inside."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import likewise
import likewise.arrow
from support import DOCUMENTS, LABELS, PILE, REFUNDS

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


@pytest.mark.parametrize(
    ("name", "ask"),
    {
        "random_state": lambda: likewise.find(REFUNDS, PILE, random_state="x"),
        "random_state ": lambda: likewise.NB(random_state=1.5).fit(DOCUMENTS, LABELS),
        "n_jobs": lambda: likewise.NB(n_jobs="two").fit(DOCUMENTS, LABELS),
        "labelled": lambda: likewise.simulate(DOCUMENTS, LABELS, 1, labelled=-1),
        "top": lambda: likewise.NB().fit(DOCUMENTS, LABELS).explain(PILE, top=-1),
        "top ": lambda: likewise.explain(likewise.NB().fit(DOCUMENTS, LABELS), top=2.5),
        "resamples": lambda: likewise.prior([0.9, 0.8], [0.9, 0.1], resamples=-1),
        "resamples ": lambda: likewise.evaluate([1, 0], [0.9, 0.1], resamples=-1),
        "each": lambda: likewise.audit_sample(likewise.find(REFUNDS, PILE, method="nb"), 0),
    }.items(),
)
def test_a_number_that_means_nothing(name, ask):
    with pytest.raises(likewise.ParameterError, match=f"parameter `{name.strip()}`: give a whole number"):
        ask()


@pytest.mark.parametrize(
    ("said", "ask"),
    {
        "`strength`: give a number": lambda: likewise.simulate(DOCUMENTS, LABELS, 1, labelled=2, mechanism="sar", strength="x"),
        "`alpha`: give a number": lambda: likewise.simulate(DOCUMENTS, LABELS, 1, labelled=2, alpha="0.5"),
        "`target`: give a number": lambda: likewise.rehearse(DOCUMENTS, LABELS, 1, target=None),
        "`prior`: give a number": lambda: likewise.evaluate([1, 0], [0.9, 0.1], prior="half"),
        "`calibrated`: give True or False": lambda: likewise.NB(calibrated="yes").fit(DOCUMENTS, LABELS),
        "`certainty`: give True or False": lambda: likewise.find(REFUNDS, PILE, method="nb", certainty=1),
    }.items(),
)
def test_a_value_of_another_type(said, ask):
    with pytest.raises(likewise.ParameterError, match=f"parameter {said}"):
        ask()


@pytest.mark.parametrize("rows", [DOCUMENTS, np.ones((12, 2)), pd.DataFrame({"text": DOCUMENTS})], ids=["list", "array", "frame"])
def test_a_row_without_a_label_is_named(rows):
    with pytest.raises(ValueError, match="y has no label in row 1;"):
        likewise.NB().fit(rows, [1, None, *LABELS[2:]])


def test_a_generator_is_a_seed():
    seeds = [likewise.NB(random_state=np.random.default_rng(5)).fit(DOCUMENTS, LABELS)._model.seed for _ in range(2)]
    assert seeds[0] == seeds[1]


@pytest.mark.parametrize(
    "ask", [likewise.score, likewise.explain, lambda model, rows: likewise.update(model, like=rows),
            lambda model, rows: likewise.arrow.score_batches(model)],
)
def test_what_is_not_fitted_answers_nothing(ask):
    with pytest.raises(NotFittedError):
        ask(likewise.NB(), PILE)


def test_records_are_to_be_made_a_frame():
    records = [{"size": size, "kind": "a"} for size in range(12)]
    for rows in (records, pd.DataFrame({"size": range(12)}).to_records(index=False)):
        with pytest.raises(TypeError, match="records with names; make a data frame of them"):
            likewise.Logistic().fit(rows, [1] * 4 + [0] * 8)


def test_nothing_is_measured_of_nothing():
    with pytest.raises(ValueError, match="no label"):
        likewise.evaluate([], [])


def test_no_row_is_explained_of_none():
    frames = pd.DataFrame({"text": REFUNDS}), pd.DataFrame({"text": PILE})
    model = likewise.find(*frames, method="nb").model
    for ask in (lambda: likewise.explain(model, frames[1][:0]), lambda: likewise.explain(model, [])):
        with pytest.raises(IndexError, match="no rows"):
            ask()
    with pytest.raises(TypeError, match="have no ids"):
        likewise.explain(model, PILE, id="m1")


def test_an_answer_of_several_classes_is_not_drawn_from_as_one():
    found = likewise.find({"refund": REFUNDS, "parcel": PILE[:3]}, PILE, method="nb")
    with pytest.raises(ValueError, match="of several classes; find the class by itself"):
        likewise.audit_sample(found, 1)


def test_the_truth_may_be_a_column_of_any_type():
    found = likewise.find(REFUNDS, PILE, method="nb", keep_positives=True)
    truth = [True] + [False] * 5
    expected = likewise.evaluate(found, truth=truth)
    for column in (pd.Series(truth), pd.Series(truth).astype(int), pd.Series(truth).astype("category")):
        assert likewise.evaluate(found, truth=column) == expected
