"""Columns of every type that a frame can have are read for what they are, or it is said why not."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likewise
from support import DOCUMENTS, LABELS, PILE, REFUNDS

QUIET = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
RANDOM = np.random.default_rng(1)
LIKE = pd.DataFrame({"size": RANDOM.normal(2, 1, 30), "day": pd.date_range("2026-03-01", periods=30)})
OTHERS = pd.DataFrame({"size": RANDOM.normal(0, 1, 90), "day": pd.date_range("2025-01-01", periods=90)})


def ranked(like, pile, **more):
    found = likewise.find(like, pile, method="logistic", cut="natural", **more)
    return np.asarray(found["row"]).tolist(), np.asarray(found["score"]).tolist()


def kinds(frame):
    looked = likewise.look(frame)
    return dict(zip(np.asarray(looked["column"]).tolist(), np.asarray(looked["kind"]).tolist()))


@QUIET
def test_one_column_that_arrow_refuses_leaves_the_others_as_they_are():
    others = OTHERS.assign(wait=pd.to_timedelta(np.arange(90) % 7, "h"))
    assert kinds(others) == {"size": "number", "day": "date", "wait": "number"}
    assert kinds(others.assign(odd=[1, "two", 3.0] * 30)) == {**kinds(others), "odd": "category"}
    # Some cells of the pile are texts, none of the examples is.
    mixed = OTHERS.assign(level=[1, "2", 3] * 30)
    plain = OTHERS.assign(level=[1, 2, 3] * 30)
    like = LIKE.assign(level=[1, 2, 2] * 10)
    assert ranked(like, mixed) == ranked(like, plain)


@QUIET
@pytest.mark.parametrize("make", [pd.Series, lambda cells, name: pl.Series(name, cells), lambda cells, name: pa.array(cells)])
def test_a_column_alone_is_a_table_of_it(make):
    like, pile = LIKE["size"].tolist(), OTHERS["size"].tolist()
    alone = ranked(make(like, name="size"), make(pile, name="size"))
    assert alone == ranked(LIKE[["size"]], OTHERS[["size"]])
    flags = kinds(make([True, False, False] * 20, name="flag"))
    assert list(flags.values()) == ["category"]


@pytest.mark.parametrize("names", [["a", "a"], [1, "1"]])
def test_two_columns_of_one_name_are_refused(names):
    rows = pd.DataFrame(np.eye(4, 2), columns=names)
    for ask in (
        lambda: likewise.find(rows, rows, method="logistic"),
        lambda: likewise.Logistic().fit(rows, [1, 1, 0, 0]),
        lambda: likewise.look(rows),
    ):
        with pytest.raises(likewise.DataError, match=f"two columns `{names[0]}`; rename one of them"):
            ask()


@QUIET
def test_polars_types_of_its_own():
    rows = pl.DataFrame({"size": OTHERS["size"], "nothing": [None] * 90, "many": range(90)})
    rows = rows.with_columns(pl.col("many").mod(7).cast(pl.Int128), kind=pl.Series([object()] * 90, dtype=pl.Object))
    assert kinds(rows.drop("kind")) == {"size": "number", "nothing": "left-out", "many": "number"}
    assert len(ranked(rows.drop("kind").head(20), rows.drop("kind"), keep_positives=True)[0]) == 90
    assert kinds(rows)["size"] == "number"


CATEGORIES = {
    "pandas": lambda frame: frame.assign(code=frame["code"].astype("category")),
    "pandas, texts": lambda frame: frame.assign(code=frame["code"].astype(str).astype("category")),
    "polars": lambda frame: pl.from_pandas(frame).with_columns(pl.col("code").cast(pl.String).cast(pl.Categorical)),
    "polars, enum": lambda frame: pl.from_pandas(frame).with_columns(
        pl.col("code").cast(pl.String).cast(pl.Enum(["1", "2", "3"]))
    ),
    "arrow": lambda frame: pa.table(
        {"size": frame["size"], "code": pa.array(frame["code"]).dictionary_encode()}
    ),
}


@QUIET
@pytest.mark.parametrize("make", CATEGORIES.values(), ids=CATEGORIES)
def test_digits_that_are_declared_a_category_are_one(make):
    like = LIKE[["size"]].assign(code=[2] * 28 + [1, 3])
    pile = OTHERS[["size"]].assign(code=[1, 2, 3] * 30)
    assert kinds(make(pile))["code"] == "category" and kinds(pile)["code"] == "number"
    found = likewise.find(make(like), make(pile), method="logistic", cut="natural")
    assert any("code = 2" in reason for reason, _ in found.model.explain(make(pile), 1))
    both = pd.concat([like, pile], ignore_index=True)
    model = likewise.Logistic(cut="natural").fit(make(both), [1] * 30 + [0] * 90)
    assert any("code = 2" in reason for reason, _ in model.explain(make(both), 0))
    assert model.predict(both.iloc[:3]).shape == (3,), "without the declaration the cells are the same"


@QUIET
def test_masked_cells_are_missing():
    rows = np.vstack([LIKE[["size"]], OTHERS[["size"]]]) + np.zeros(2)
    masked = np.ma.masked_array(rows, mask=np.zeros_like(rows, dtype=bool))
    masked[3, 1] = np.ma.masked
    masked.data[3, 1] = 1e9
    missing = rows.copy()
    missing[3, 1] = np.nan
    assert ranked(masked[:30], masked[30:]) == ranked(missing[:30], missing[30:])
    with pytest.raises(ValueError, match="NaN"):
        likewise.Logistic().fit(masked, [1] * 30 + [0] * 90)


def test_a_column_of_structures_is_left_out_with_a_warning():
    rows = pl.DataFrame({"text": PILE, "place": [{"town": "Oslo"}] * len(PILE)})
    with pytest.warns(likewise.LikewiseWarning, match="their type cannot be read: `place`") as told:
        likewise.find(REFUNDS, rows, method="nb")
    assert "columns-not-used" in {warning.message.code for warning in told}


@QUIET
def test_a_text_model_answers_to_nothing_with_nothing():
    model = likewise.NB(cut="natural").fit(DOCUMENTS, LABELS)
    for none in ([], pd.Series([], dtype=object), pd.Series(PILE[:0]), pl.Series("text", [], dtype=pl.String)):
        assert len(model.predict(none)) == 0
    for blank in ([None, None], pd.Series([None, None]), pd.Series([np.nan, np.nan]), pl.Series([None, None])):
        assert model.predict(blank).tolist() == [0, 0]
    assert likewise.score(model, []).shape[0] == 0


@QUIET
def test_dates_beside_texts_are_written_as_files_have_them():
    day = datetime.date(2026, 1, 5)
    assert likewise._frames.cell_text(day) == "2026-01-05"
    assert likewise._frames.cell_text(pd.Timestamp("2026-01-05 10:00")) == "2026-01-05T10:00:00"
