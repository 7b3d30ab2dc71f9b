"""Rows known not to be wanted, and where the class ends."""

import numpy as np
import pytest

import likewise

QUIET = pytest.mark.filterwarnings("ignore::UserWarning")
MORE = ["today", "again", "please", "now", "soon"]


def texts(topic, start, end):
    return [f"{topic} number {k} {MORE[k % 5]} order {k % 7}" for k in range(start, end)]


REFUNDS = texts("refund my money", 0, 12)
REFUSED = texts("voucher for my money", 0, 10)
PILE = texts("refund my money", 12, 40) + texts("voucher for my money", 5, 40) + texts("late parcel", 0, 80)


@QUIET
def test_rows_not_wanted_teach_and_are_not_ranked():
    without = likewise.find(REFUNDS, PILE, method="logistic")
    found = likewise.find(REFUNDS, PILE, unlike=REFUSED, method="logistic")
    assert (len(without), len(found)) == (len(PILE), len(PILE) - 5)
    assert {left.reason for left in found.left_out} == {"copy-of-unwanted"}
    assert found.summary.known_negatives == 10 and found.summary.pile == len(found)
    with pytest.raises(ValueError, match="rows of unlike have 3 columns"):
        likewise.find(np.ones((4, 2)), np.zeros((9, 2)), unlike=np.ones((2, 3)))


@QUIET
def test_the_class_ends_where_it_is_told_to():
    for method in ("auto", "logistic", "nb"):
        for cut, rows in (({"top": 17}, 17), ({"share": 0.1}, 14)):
            found = likewise.find(REFUNDS, PILE, method=method, cut=cut)
            # Rows of one score end together.
            last = np.flatnonzero(found["score"] == found["score"].iloc[rows - 1])[-1]
            assert found["positive"].sum() == last + 1
    natural = likewise.find(REFUNDS, PILE, method="logistic", cut="natural")
    hidden = likewise.find(REFUNDS, PILE, method="logistic", cut="hidden")
    assert natural["row"].tolist() == hidden["row"].tolist() and hidden.summary is not None
    most = likewise.find(REFUNDS, PILE, method="logistic", cut={"recall": 1.0})
    assert most.summary.recall_high == 1.0
    kept = most.model.predict_proba(PILE)[:, 1]
    assert np.allclose(kept[most["row"]], most["score"])
    for wrong in ("knee", {"recall": 2.0}, {"top": 1.5}, {"recall": 0.5, "top": 3}, 0.5):
        with pytest.raises(ValueError):
            likewise.find(REFUNDS, PILE, cut=wrong)


@QUIET
def test_estimators_and_compare_cut_where_find_does():
    rows, y = REFUNDS + PILE, np.array([1] * len(REFUNDS) + [0] * len(PILE))
    for estimator, method, cut in (
        (likewise.Logistic, "logistic", "hidden"), (likewise.Logistic, "logistic", None), (likewise.NB, "nb", None),
        (likewise.SVMC, "svmc", None),
    ):
        found = likewise.find(REFUNDS, PILE, method=method)
        marked = sorted(found["row"][found["positive"]])
        model = estimator(cut=cut).fit(rows, y)
        assert np.flatnonzero(model.scores_[len(REFUNDS):] >= 0.5).tolist() == marked, method
        assert np.array_equal(model.predict(PILE), found.model.predict(PILE)), method
        [line] = likewise.compare(REFUNDS, PILE, methods=[method]).to_dict("records")
        assert line["found"] == len(marked), method
    natural, hidden, alone = (likewise.Logistic(cut=cut).fit(rows, y) for cut in ("natural", "hidden", None))
    assert np.array_equal(alone.scores_, hidden.scores_)
    with pytest.raises(AttributeError, match="cut='hidden'"):
        alone.summary_  # noqa: B018
    # Scores that differ by a last bit may become equal.
    assert (np.diff(hidden.scores_[np.argsort(natural.scores_)]) >= 0).all()
    assert hidden.summary_.found == hidden.predict(PILE).sum() != natural.predict(PILE).sum()
    top = likewise.find(REFUNDS, PILE, cut={"top": 17}).summary
    assert likewise.Auto(cut={"top": 17}).fit(rows, y).summary_ == top
    with pytest.raises(ValueError, match="cut is 'natural'"):
        likewise.Logistic(cut=0.5).fit(rows, y)


@QUIET
def test_three_labels_mark_both_ways():
    y = np.array([1] * len(REFUNDS) + [-1] * len(REFUSED) + [0] * len(PILE))
    rows = REFUNDS + REFUSED + PILE
    model = likewise.Logistic().fit(rows, y)
    assert model.classes_.tolist() == [-1, 1] and set(model.predict(PILE)) <= {-1, 1}
    unread = np.where(y == 1, 1, 0)
    assert not np.allclose(model.scores_, likewise.Logistic().fit(rows, unread).scores_)
    with pytest.raises(ValueError, match="every row is marked|Only binary|single class"):
        likewise.Logistic().fit(["a", "b", "c"], [1, -1, 2])
