"""New rows beside those that were learned from, new marks, and several classes."""

from __future__ import annotations

import json
import random
import warnings

import pandas
import pytest

import likewise


def texts(refunds: int, parcels: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    wanted = "refund money back paid charge return".split()
    other = "parcel late driver street lost box door track van depot".split()
    both = "please today order hello again number help still now thanks".split()

    def line(own: list[str]) -> str:
        return " ".join([draw.choice(own) for _ in range(3)] + [draw.choice(both) for _ in range(4)])

    return [line(wanted) for _ in range(refunds)] + [line(other) for _ in range(parcels)]


@pytest.fixture(scope="module")
def found():
    return likewise.find(texts(40, 0, 1), texts(60, 540, 2), method="logistic")


def test_rows_of_the_same_kind_are_scored_in_silence(found):
    with warnings.catch_warnings():
        warnings.simplefilter("error", likewise.LikewiseWarning)
        scored = likewise.score(found.model, texts(60, 540, 3))
    assert scored.summary.comparison.differs is False
    assert scored.summary.rows == 600 and scored.summary.to_dict()["found"] == scored["positive"].sum()


def test_another_share_is_told_and_the_cut_can_follow(found):
    new = texts(300, 300, 4)
    with pytest.warns(likewise.LikewiseWarning, match="recut") as told:
        scored = likewise.score(found.model, new)
    assert told[0].message.code == "share-changed"
    share = scored.summary.comparison.positives
    assert share.low < share.share < share.high and abs(share.share - 0.5) < 0.1
    recut = likewise.score(found.model, pandas.DataFrame({"text": new}), recut=True)
    assert recut.summary.recut and 250 <= recut["positive"].sum() <= 350
    assert recut["score"].rank().tolist() == scored["score"].rank().tolist()


def test_rows_of_another_kind_are_told(found):
    strange = [f"sehr geehrte damen und herren {k % 9}" for k in range(100)]
    with pytest.warns(likewise.LikewiseWarning, match="of another kind"):
        likewise.score(found.model, strange)


def test_a_model_of_an_estimator_has_nothing_to_compare_with():
    model = likewise.NB().fit(["refund money", "money back", "late parcel", "lost parcel"], [1, 1, 0, 0])
    assert likewise.score(model, ["money"]).summary.comparison is None
    with pytest.warns(likewise.LikewiseWarning, match="the cut stays where it was"):
        likewise.score(model, ["money"], recut=True)


def test_new_marks_correct_a_model_and_a_pile_makes_it_learn_again(found):
    wrong = ["parcel lost in the street", "driver lost the box"]
    better = likewise.update(found.model, like=wrong)
    assert better.predict(wrong).tolist() == [1, 1]
    assert type(better) is type(found.model)
    with pytest.warns(likewise.LikewiseWarning, match="does not keep"):
        likewise.update(found.model, like=texts(10, 0, 7), pile=texts(60, 540, 2))
    again = likewise.update(found.model, like=texts(40, 0, 1), pile=texts(60, 540, 2))
    rows = texts(5, 5, 9)
    assert again.predict_proba(rows).tolist() == found.model.predict_proba(rows).tolist()
    with pytest.raises(TypeError, match="which marks are new"):
        likewise.update(found.model)


def test_several_classes_in_one_run():
    pile = texts(60, 300, 2)
    classes = {"refunds": texts(30, 0, 1), "parcels": texts(0, 30, 5)}
    ranked = likewise.find(classes, pile, method="logistic")
    assert list(ranked.columns)[:6] == ["rank", "row", "class", "positive", "score_refunds", "score_parcels"]
    by_row = ranked.set_index("row")["class"]
    right = sum(by_row[row] == ("refunds" if row < 60 else "parcels") for row in by_row.index)
    assert right / len(by_row) > 0.95
    assert set(ranked.model) == set(ranked.summary) == {"refunds", "parcels"}
    of_refunds = ranked.model["refunds"].predict_proba(texts(5, 5, 9))[:, 1]
    assert of_refunds[:5].min() > of_refunds[5:].max()
    json.dumps(ranked.summary["refunds"].to_dict())
