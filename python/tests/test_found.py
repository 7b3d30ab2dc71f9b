"""A ranking is a table of the pile's make that knows more than its rows; messages have codes."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import likewise
from support import DOCUMENTS, LABELS, PILE, REFUNDS, word_counts

QUIET = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


@pytest.fixture(scope="module")
def found():
    counts, labels, _ = word_counts(300)
    names = [f"w{j}" for j in range(30)]
    sides = [pd.DataFrame(counts[labels == mark], columns=names) for mark in (1, 0)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return likewise.find(*sides, features="all", effort="quick")


def test_the_summary_tells_how_sure_it_is(found):
    summary = found.summary
    assert 0 <= summary.prior_low <= summary.prior <= summary.prior_high <= 1
    assert 0 <= summary.recall_low <= summary.recall <= summary.recall_high <= 1
    assert summary.found == found["positive"].sum() and summary.pile == len(found)
    assert summary.recall_curve.shape[1] == 4 and len(summary.recall_curve) > 5
    assert summary.candidates[0].method and summary.method
    assert repr(summary).splitlines() == found.lines
    assert repr(summary).startswith("About ") and "random draw of the class" in repr(summary)
    for warning in summary.warnings:
        assert warning.code and warning.level == "warning"


def test_a_notebook_shows_the_charts(found, tmp_path):
    html = found.summary._repr_html_()
    assert html.startswith('<div class="likewise">') and html.count("<svg") == 2
    assert "body {" not in html and ":root" not in html, "nothing around it changes its looks"
    assert html.count("{") == html.count("}")
    found.report(tmp_path / "answer.html")
    page = (tmp_path / "answer.html").read_text()
    assert page.startswith("<!doctype html>") and page.count("<svg") == 2
    assert "The surest" in page and "What matters most" in page


@QUIET
def test_estimators_have_the_summary_too():
    counts, labels, _ = word_counts(300)
    model = likewise.Auto(effort="quick").fit(counts, labels)
    assert model.summary_.pile == (labels == 0).sum() and "<svg" in model.summary_._repr_html_()
    assert pickle.loads(pickle.dumps(model)).summary_ == model.summary_
    other = likewise.NB().fit(DOCUMENTS, LABELS)
    assert not hasattr(other, "summary_")
    assert likewise.find(REFUNDS, PILE, method="nb", cut="natural").summary is None
    with pytest.raises(ValueError, match="certainty=True, or with method='auto'"):
        likewise.find(REFUNDS, PILE, method="nb", cut="natural").report("never.html")


@QUIET
def test_a_method_that_says_nothing_by_itself_is_asked_how_sure_it_is(tmp_path):
    found = likewise.find(REFUNDS, PILE, method="nb", cut="natural", certainty=True)
    plain = likewise.find(REFUNDS, PILE, method="nb", cut="natural")
    assert found["score"].tolist() == plain["score"].tolist() and found.summary.positives == 6
    found.report(tmp_path / "answer.html")
    assert (tmp_path / "answer.html").read_text().startswith("<!doctype html>")


def test_a_pandas_ranking_is_a_frame(found):
    assert isinstance(found, pd.DataFrame) and type(found["score"]) is pd.Series
    for part in (found[found["positive"]], found.head(3), found.copy(), found.sort_values("row"), copy.deepcopy(found)):
        assert part.summary == found.summary
    again = pickle.loads(pickle.dumps(found))
    assert again.equals(found) and again.summary == found.summary and again.left_out == found.left_out
    assert again.model.predict_proba(found)[:, 1].tolist() == found.model.predict_proba(found)[:, 1].tolist()
    assert pd.DataFrame(found).merge(found[["row"]], on="row").shape == found.shape
    with pytest.raises(AttributeError, match="summary"):
        type(found)({"a": [1]}).summary
    assert not hasattr(pd.DataFrame(found), "summary")


@QUIET
def test_other_makes(tmp_path):
    found = likewise.find(pl.DataFrame({"text": REFUNDS}), pl.DataFrame({"text": PILE}), method="nb")
    assert isinstance(found, pl.DataFrame) and found.model.predict(["money"]).tolist() == [1]
    assert found.filter(pl.col("positive")).height == found["positive"].sum() and found.lines
    again = pickle.loads(pickle.dumps(found))
    assert again.equals(found) and again.model.predict(["money"]).tolist() == [1]
    parts = [found.head(2), found.clone(), found.slice(1, 2), found[:3], found.sort("row"), found.filter(pl.col("positive"))]
    parts += [copy.copy(found), copy.deepcopy(found), found.select("row", "score"), found.with_columns(twice=2)]
    for part in parts:
        assert isinstance(part, pl.DataFrame) and part.lines == found.lines and part.model is found.model
    with pytest.raises(AttributeError, match="known of the ranking alone"):
        type(found)({"a": [1]}).summary
    found = likewise.find(pa.table({"text": REFUNDS}), pa.table({"text": PILE}), method="nb")
    assert not isinstance(found, pa.Table) and found.num_rows == len(found) == len(PILE) and found.left_out == []
    assert found["row"].to_pylist() == found.column("row").to_pylist() == found.to_pydict()["row"]
    assert pl.DataFrame(found).equals(pl.from_arrow(found.table)) and found.to_pandas()["row"][0] == 0
    assert pa.table(found).equals(found.table) and found == found.table and found.slice(0, 1).num_rows == 1
    assert pickle.loads(pickle.dumps(found)) == found
    pyarrow.parquet.write_table(found.table, tmp_path / "found.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "found.parquet").equals(found.table)
    assert likewise.score(found.model, found)["row"].to_pylist() == found["row"].to_pylist()
    assert likewise.audit_sample(found, 1).num_rows == 2


@QUIET
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_that_give_way_to_ours_are_named(make):
    pile = make({"text": PILE, "score": [7] * 6, "row": range(6)})
    with pytest.warns(likewise.LikewiseWarning, match="take their place: `row`, `score`; .* rename them") as told:
        found = likewise.find(REFUNDS, pile, method="nb")
    assert "columns-replaced" in {warning.message.code for warning in told}
    assert {note.code: note.fields for note in found.notes}["columns-replaced"] == {"columns": ["row", "score"]}
    with pytest.warns(likewise.LikewiseWarning, match="take their place: `score`"):
        likewise.score(found.model, pile)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*take their place")
        likewise.score(found.model, found)


def test_warnings_have_codes():
    with pytest.warns(likewise.LikewiseWarning) as told:
        found = likewise.find([*REFUNDS, REFUNDS[0]], [*PILE, REFUNDS[1]], method="nb")
    codes = {warning.message.code: warning.message.fields for warning in told}
    assert codes["repeated-examples"] == {"rows": 1} and codes["copies-of-examples"] == {"rows": 1, "ranked": False}
    assert [(str(note), note.code) for note in found.notes if note.level == "warning"] == [
        (str(warning.message), warning.message.code) for warning in told
    ]
    assert any("(keep_positives=True ranks them)" in note for note in found.notes)
    again = pickle.loads(pickle.dumps(told[0].message))
    assert (str(again), again.code, again.fields) == (str(told[0].message), told[0].message.code, told[0].message.fields)


@QUIET
def test_errors_have_codes():
    with pytest.raises(likewise.DataError, match="name the text with text=COLUMN, or .* features='all'") as refused:
        likewise.find(pd.DataFrame({"a": 2, "b": [1] * 4}), pd.DataFrame({"a": 2, "b": [1] * 4}), method="nb")
    assert refused.value.code == "what-to-learn-from" and isinstance(refused.value, ValueError)
    with pytest.raises(likewise.ParameterError) as refused:
        likewise.NB(smoothing=-1.0).fit(DOCUMENTS, LABELS)
    assert refused.value.code == "parameter" and refused.value.fields["parameter"] == "smoothing"
    with pytest.raises(likewise.DataError) as refused:
        likewise.load(b"no model")
    assert refused.value.code == "model-file"
    with pytest.raises(FileNotFoundError) as missing:
        likewise.relational.describe(database="no such file.db")
    assert missing.value.code == "no-such-file"


@QUIET
def test_the_users_own_words_are_left_alone():
    """A column called `--text` is called so in every message."""
    with pytest.raises(likewise.DataError, match="`--in`.*`--like x`"):
        rows = (pd.DataFrame({"--in": side, "--like x": 1}) for side in (REFUNDS, PILE))
        likewise.find(*rows, method="nb", text="body")


@QUIET
def test_frames_give_the_same_cells_with_and_without_arrow(monkeypatch):
    random = np.random.default_rng(0)
    def side(count, shift):
        return pd.DataFrame({
            "size": random.normal(shift, size=count), "flag": random.random(count) < 0.5,
            "town": random.choice(["Oslo", "Rome"], count), "many": random.integers(0, 5, count),
        })
    sides = side(20, 2), side(60, 0)
    handed = likewise.find(*sides, features="all", method="logistic")
    monkeypatch.setattr(likewise._handed, "_stream", lambda data: None)
    read = likewise.find(*sides, features="all", method="logistic")
    assert handed.equals(read)
