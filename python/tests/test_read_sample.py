"""Rows to read, and what their verdicts say: the same draw and the same figures as on the command line."""

import json

import doors
import pandas as pd
import pytest
from doors import documents, framed, written

import likewise

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
LIKE, PILE = documents(30, 1.0, 5), documents(200, 0.3, 6)


@pytest.mark.parametrize("make", ["pandas", "polars", "arrow"])
def test_both_doors_draw_and_measure_alike(make, tmp_path):
    pile = {"id": [f"r{row}" for row in range(len(PILE))], "text": PILE}
    found = likewise.find(framed(make, {"text": LIKE}), framed(make, pile), method="logistic")
    sample = likewise.audit_sample(found, 12)
    assert type(sample).__module__.split(".")[0] == {"arrow": "pyarrow"}.get(make, make)
    like, rows = written(tmp_path / "like.csv", {"text": LIKE}), written(tmp_path / "pile.csv", pile)
    ranking, read = tmp_path / "ranking.jsonl", tmp_path / "read.csv"
    doors.likewise(
        "find", "--like", like, "--in", rows, "--method", "logistic", "-o", ranking, "--audit-sample", 12, "--audit-file", read
    )
    drawn = pd.read_csv(read, dtype=str)
    ids = sample["id"].to_pylist() if make == "arrow" else list(sample["id"])
    assert drawn["id"].tolist() == ids and len(ids) == 24
    verdicts = ["yes" if PILE[int(name[1:])].count("refund") + PILE[int(name[1:])].count("money") else "no" for name in ids]
    verdicts[3] = ""
    told = likewise.evaluate(found, marks=framed(make, {"id": ids, "wanted": verdicts}))
    drawn["wanted"] = verdicts
    drawn.to_csv(read, index=False)
    said = json.loads(doors.likewise("evaluate", ranking, "--marks", read, "--json").stdout)
    for name in ("precision", "recall", "f1"):
        figure = getattr(told, name)
        assert (figure.value, figure.low, figure.high) == tuple(said[name][end] for end in ("value", "low", "high"))
    assert told.marked["read"] + told.unmarked["read"] == 23


def test_rows_are_matched_by_their_number_without_ids():
    found = likewise.find(LIKE, PILE, method="nb")
    sample = likewise.audit_sample(found, 5)
    assert sample["wanted"].tolist() == [""] * 10 and "score" not in sample
    marked = set(found["row"][found["positive"]])
    sample["wanted"] = ["yes" if row in marked else "no" for row in sample["row"]]
    told = likewise.evaluate(found, marks=sample)
    assert told.precision.value == told.recall.value == told.f1.value == 1.0
    assert told.precision.low < 1.0 and told.marked["read"] == 5
    with pytest.raises(ValueError, match="neither an id"):
        likewise.evaluate(found, marks=pd.DataFrame({"wanted": ["yes"]}))
    with pytest.raises(ValueError, match="`each`: give a whole number from 1"):
        likewise.audit_sample(found, 0)


def test_a_missing_verdict_is_a_row_that_was_not_read():
    found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel", "lost"], method="nb")
    for empty in (None, float("nan"), pd.NA, ""):
        marks = pd.DataFrame({"row": [0, 1], "wanted": pd.Series(["yes", empty], dtype=object)})
        assert likewise.evaluate(found, marks=marks).marked["read"] + likewise.evaluate(found, marks=marks).unmarked["read"] == 1
        assert likewise.evaluate(found, marks=marks.astype({"wanted": "string"})).marked["read"] <= 1
