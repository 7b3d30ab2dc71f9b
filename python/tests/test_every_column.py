"""Frames and dicts with text, numbers, categories, dates and vectors together."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import likewise

ROWS = 120
WANTED = np.arange(ROWS) % 4 == 0
NOISE = (np.arange(ROWS) * 7919 % 101) / 101 - 0.5
VECTORS = np.stack([np.where(WANTED, 1.0, -1.0), NOISE, NOISE[::-1]], axis=1).astype(np.float32)
MARKS = (WANTED & (np.arange(ROWS) < 60)).astype(int)


def frame(**others):
    body = [f"please refund order {i} money back" if w else f"where is parcel {i} it is late" for i, w in enumerate(WANTED)]
    return pd.DataFrame(
        {
            "body": body,
            "amount": np.where(WANTED, 300.0, 100.0) + NOISE,
            "country": np.where(WANTED, "FR", np.where(np.arange(ROWS) % 2 == 0, "DE", "IT")),
            "created": [f"2024-03-{i % 28 + 1:02}" for i in range(ROWS)],
            **others,
        }
    )


def best(found):
    return WANTED[MARKS == 0][found["row"].to_numpy()[:15]].mean()


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
@pytest.mark.parametrize("method", ["logistic", "nearest-mean"])
def test_all_kinds_of_columns_are_learned_from_at_once(method):
    rows = frame(v=list(VECTORS))
    found = likewise.find(rows[MARKS == 1], rows[MARKS == 0], method=method)
    assert best(found) == 1.0
    assert any("text: body; numbers: amount; category: country; date: created; vectors: v" in note for note in found.notes)
    named = likewise.find(rows[MARKS == 1], rows[MARKS == 0], method=method, text="body", vectors="v", leave_out="amount")
    assert best(named) == 1.0


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_a_dict_names_blocks():
    blocks = {"body": frame()["body"].tolist(), "v": VECTORS}
    like, pile = ({name: np.asarray(block)[MARKS == side] for name, block in blocks.items()} for side in (1, 0))
    found = likewise.find(like, pile, method="logistic", vectors="v")
    assert best(found) == 1.0
    with pytest.raises(ValueError, match="different numbers of rows: a has 1, b has 2"):
        likewise.find({"a": ["x"], "b": ["x", "y"]}, pile)
    both = likewise.Logistic().fit(blocks, MARKS)
    assert both._model.reads == "blocks"
    assert both.predict_proba(blocks)[WANTED, 1].min() > both.predict_proba(blocks)[~WANTED, 1].max()


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_estimators_take_missing_values_and_categories():
    rows = frame()
    rows.loc[::7, "amount"] = np.nan
    rows["country"] = rows["country"].astype("category")
    rows.loc[3, "country"] = None
    model = likewise.Logistic().fit(rows[["amount", "country"]], MARKS)
    scores = model.predict_proba(rows[["amount", "country"]])[:, 1]
    assert scores[WANTED].min() > scores[~WANTED].max()
    assert model._model.reads == "columns"
    numbers = pd.DataFrame({"a": np.where(WANTED, 1.0, -1.0), "b": NOISE})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert likewise.Logistic().fit(numbers, MARKS)._model.reads == "columns"


BLOCKS = {"text": frame()["body"], "v": VECTORS}


def sides(blocks):
    """The examples and the pile of a dict of arrays."""
    return [{name: np.asarray(block)[side == MARKS] for name, block in blocks.items()} for side in (1, 0)]


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_blocks_of_every_make_are_all_learned_from():
    forms = {
        "array": VECTORS,
        "sparse": scipy.sparse.csr_array(VECTORS),
        "pandas": pd.DataFrame(VECTORS, columns=["a", "b", "c"]),
        "polars": pl.DataFrame({"a": VECTORS[:, 0]}),
        "column": pd.Series(VECTORS[:, 0]),
    }
    for name, block in forms.items():
        model = likewise.Logistic().fit({"text": BLOCKS["text"], "v": block}, MARKS)
        read = {"pandas": ["v.a", "v.b", "v.c"], "polars": ["v.a"]}.get(name, ["v"])
        assert model._model.columns == ["text", *read], name
        assert (model.predict({"text": BLOCKS["text"], "v": block}) == WANTED).all(), name
    with pytest.raises(ValueError, match="blocks text and v have different indexes"):
        likewise.Logistic().fit({"text": BLOCKS["text"], "v": pd.Series(VECTORS[:, 0])[::-1]}, MARKS)
    with pytest.raises(ValueError, match="sparse matrix of 5000 columns"):
        likewise.Logistic().fit({"text": BLOCKS["text"], "v": scipy.sparse.csr_array((ROWS, 5000))}, MARKS)


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_every_question_takes_blocks():
    like, pile = sides(BLOCKS)
    assert any("text: text; vectors: v" in note for note in likewise.find(like, pile, method="logistic").notes)
    assert likewise.audit(like, pile).pile == (MARKS == 0).sum()
    assert 0 < likewise.prior(like, pile, rankers="logistic", resamples=0).value < 1
    assert likewise.compare(like, pile, methods="logistic", folds=0)["found"].tolist()[0] > 0
    with pytest.raises(TypeError, match="audit is asked of one class"):
        likewise.audit(like, list(pile["text"]))


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_estimators_learn_from_the_columns_that_are_named():
    rows = frame().rename(columns={"body": "text"})
    read = {
        "text alone": ({}, ["text"]),
        "all": ({"text": "text", "features": "all"}, ["text", "amount", "country", "created"]),
        "left out": ({"leave_out": ["created", "country"]}, ["text", "amount"]),
        "features": ({"features": ["amount"]}, ["amount"]),
    }
    for name, (given, columns) in read.items():
        model = likewise.Logistic(**given).fit(rows, MARKS)
        assert model._model.columns == columns, name
        assert model.predict(rows).shape == (ROWS,)
    same = likewise.find(rows[MARKS == 1], rows[MARKS == 0], method="logistic", text="text", features="all")
    assert same.model._model.columns == read["all"][1]
    numbers = pd.DataFrame({"a": NOISE, "b": np.where(WANTED, 1.0, -1.0)})
    assert likewise.Logistic(leave_out="a").fit(numbers, MARKS)._model.columns == ["b"]


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_the_only_column_is_text_unless_it_looks_otherwise():
    body, days = frame()[["body"]], frame()[["created"]]
    like, pile = body[MARKS == 1], body[MARKS == 0]
    expected = likewise.find(like["body"].tolist(), pile["body"].tolist(), method="nb")["row"].tolist()
    numbered = pile.assign(id=range(len(pile)))
    for given in ((like, pile), (like, numbered), (like["body"].tolist(), numbered), (like.rename(columns={"body": "b"}), pile)):
        assert likewise.find(*given, method="nb")["row"].tolist() == expected
    assert likewise.find(like["body"].tolist(), pile, method="nb", text="body")["row"].tolist() == expected
    for given in ({}, {"features": "created"}):
        found = likewise.find(days[MARKS == 1], days[MARKS == 0], method="logistic", keep_positives=True, **given)
        assert found.model._model.reads == "columns"
    day = pd.to_datetime(days["created"])
    assert likewise.find(day[MARKS == 1], day[MARKS == 0], method="logistic", keep_positives=True).model._model.reads == "columns"
    for one in (frame()["country"].astype("category"), frame()["country"].astype("category").to_frame(), pl.DataFrame({"c": pl.Series(frame()["country"], dtype=pl.Categorical)})):
        assert likewise.Logistic().fit(one, MARKS)._model.reads == "columns"


def test_look_says_what_columns_are_taken_for():
    seen = likewise.look(frame(v=list(VECTORS)), leave_out="amount")
    assert dict(zip(seen["column"], seen["kind"])) == {
        "body": "text", "amount": "left-out", "country": "category", "created": "date", "v": "vectors"
    }
    assert isinstance(likewise.look(pl.DataFrame({"a": [1.0, 2.0]})), pl.DataFrame)
    with pytest.raises(ValueError, match="no column `amout` .did you mean `amount`"):
        likewise.look(frame(), leave_out="amout")
