"""Frames and dicts with text, numbers, categories, dates and vectors together."""

import warnings

import numpy as np
import pandas as pd
import pytest

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
        assert likewise.Logistic().fit(numbers, MARKS)._model.reads == "rows"
