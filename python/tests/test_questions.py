"""Find, unexpected, prior: documents, tables and matrices of every make."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import likewise
from support import DOCUMENTS, PILE, REFUNDS, bits, word_counts

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


def test_find_ranks_documents_like_the_estimator():
    found = likewise.find(REFUNDS, PILE, method="nb", cut="natural")
    model = likewise.NB(cut="natural").fit(DOCUMENTS, [1] * len(REFUNDS) + [0] * len(PILE))
    assert found.columns.tolist() == ["rank", "row", "score", "positive", "text"]
    assert found["text"].tolist() == [PILE[row] for row in found["row"]]
    assert bits(found["score"]) == bits(model.scores_[len(REFUNDS):][found["row"]])
    assert found["score"].is_monotonic_decreasing
    assert found["positive"].tolist() == [score >= 0.5 for score in found["score"]]
    assert found["row"][0] == 0


def test_the_answer_is_of_the_make_of_the_pile():
    named = {"message": PILE, "size": list(range(len(PILE)))}
    expected = likewise.find(REFUNDS, PILE, method="nb")["row"].tolist()
    positives = pd.DataFrame({"message": REFUNDS})
    frame = pd.DataFrame(named, index=list("abcdef"))
    found = likewise.find(positives, frame, method="nb", text="message")
    assert isinstance(found, pd.DataFrame) and found["row"].tolist() == expected
    assert found.index.tolist() == [frame.index[row] for row in expected]
    assert found["size"].tolist() == expected
    found = likewise.find(pl.DataFrame(positives.to_dict("list")), pl.DataFrame(named), method="nb", text="message")
    assert isinstance(found, pl.DataFrame) and found["size"].to_list() == expected
    found = likewise.find(pa.table({"message": REFUNDS}), pa.table(named), method="nb", text="message")
    assert isinstance(found.table, pa.Table) and found["size"].to_pylist() == expected
    for column in (pd.Series(PILE, name="message"), pl.Series("message", PILE), pa.array(PILE)):
        found = likewise.find(REFUNDS, column, method="nb")
        assert list(np.asarray(found["row"]).tolist()) == expected


def test_find_in_matrices_and_columns():
    counts, labels, truth = word_counts()
    positives, pile = counts[labels == 1], counts[labels == 0]
    dense = likewise.find(positives, pile, method="logistic")
    sparse = likewise.find(scipy.sparse.csr_array(positives), scipy.sparse.csc_array(pile), method="logistic")
    mixed = likewise.find(positives, scipy.sparse.coo_array(pile), method="logistic")
    assert sparse.equals(mixed)
    for found in (dense, sparse):
        assert truth[labels == 0][found["row"][:10]].mean() >= 0.8
    with pytest.raises(ValueError, match="the positives have 30 columns and the pile has 29"):
        likewise.find(positives, pile[:, 1:])
    names = [f"w{j}" for j in range(30)]
    tables = [pd.DataFrame(side, columns=names) for side in (positives, pile)]
    by_name = likewise.find(*tables, method="logistic", features="all")
    assert by_name[["row", "score"]].equals(dense[["row", "score"]].set_axis(by_name.index))


def test_copies_of_positives_are_left_out_unless_wanted():
    with pytest.warns(likewise.LikewiseWarning, match="1 row of the pile .* left out of the ranking .keep_positives"):
        assert len(likewise.find(REFUNDS, [*PILE, REFUNDS[0]], method="nb")) == len(PILE)
    assert len(likewise.find(REFUNDS, [*PILE, REFUNDS[0]], method="nb", keep_positives=True)) == len(PILE) + 1
    with pytest.warns(likewise.LikewiseWarning, match="another one has their content: 1"):
        likewise.find([*REFUNDS, REFUNDS[0]], PILE, method="nb")


def test_the_automatic_method_is_the_default():
    counts, labels, truth = word_counts(300)
    found = likewise.find(counts[labels == 1], counts[labels == 0])
    assert truth[labels == 0][found["row"][:20]].mean() > 0.9


def test_bad_calls_of_find_are_explained():
    with pytest.raises(likewise.DataError, match="no method `bayes`"):
        likewise.find(REFUNDS, PILE, method="bayes")
    with pytest.raises(likewise.DataError, match="did you mean `nb`") as refused:
        likewise.find(REFUNDS, PILE, method="nbb")
    assert refused.value.code == "unknown-method" and refused.value.fields["nearest"] == "nb"
    with pytest.raises(likewise.DataError, match="likewise.relational"):
        likewise.find(REFUNDS, PILE, method="relocc")
    with pytest.raises(TypeError, match="no parameter 'smoothin'"):
        likewise.find(REFUNDS, PILE, method="nb", smoothin=1)
    with pytest.raises(ValueError, match="has nothing to learn from .*the same everywhere.*text=COLUMN"):
        likewise.find(pd.DataFrame({"a": [2] * 4, "b": 1}), pd.DataFrame({"a": [2] * 6, "b": 1}), method="nb")
    both = pd.DataFrame({"a": REFUNDS, "created": 1}), pd.DataFrame({"a": PILE, "created": 1})
    with pytest.raises(ValueError, match="no column `crated` .did you mean `created`"):
        likewise.find(*both, leave_out="crated")
    with pytest.raises(ValueError, match="^positives has no column `c`"):
        likewise.find(pd.DataFrame({"a": REFUNDS, "b": 1}), pd.DataFrame({"a": PILE, "b": 1}), text="c")


def test_what_are_no_rows_is_refused():
    model = likewise.find(REFUNDS, PILE, method="nb").model
    for ask in (
        lambda rows: likewise.find(rows, PILE),
        lambda rows: likewise.find(REFUNDS, rows),
        lambda rows: likewise.audit(REFUNDS, rows),
        lambda rows: likewise.score(model, rows),
        lambda rows: model.predict(rows),
        lambda rows: likewise.NB().fit(rows, [1, 0]),
        lambda rows: likewise.unexpected(rows, CLASSES, NEW),
        lambda rows: likewise.review(rows),
    ):
        with pytest.raises(TypeError, match="is a single str .'pile.csv'., not rows; if it names a file, read that"):
            ask("pile.csv")
    with pytest.raises(TypeError, match="pile is None; give rows"):
        likewise.find(REFUNDS, None)
    with pytest.raises(TypeError, match="pile is of type object; give rows"):
        likewise.find(REFUNDS, object())
    found = likewise.find(iter(REFUNDS), iter(PILE), method="nb")
    for ask in (
        lambda: likewise.evaluate(found, truth="pile.csv"),
        lambda: likewise.compare(REFUNDS, PILE, truth="pile.csv"),
        lambda: likewise.evaluate(found, marks="pile.csv"),
    ):
        with pytest.raises(TypeError, match="(truth|marks) is a single str"):
            ask()
    with pytest.raises(TypeError, match="Give labels and scores, or an answer"):
        likewise.evaluate(found)
    with pytest.raises(likewise.ParameterError, match="`words`: give a dict"):
        likewise.find(REFUNDS, PILE, words="english")


def test_columns_may_be_called_by_numbers():
    like, pile = pd.DataFrame({0: REFUNDS, 1: 1.0}), pd.DataFrame({0: PILE, 1: 2.0})
    expected = likewise.find(REFUNDS, PILE, method="nb")["row"].tolist()
    assert likewise.find(like, pile, method="nb", text=0)["row"].tolist() == expected


def test_rows_are_counted_from_0():
    vectors = pd.DataFrame({"v": [[1.0, 2.0]] * 19 + [[1.0]], "other": range(20)})
    with pytest.raises(ValueError, match="pile:19: column `v`"):
        likewise.find(vectors[:5], vectors, leave_out="other")
    model = likewise.find(REFUNDS, PILE, method="nb").model
    assert likewise.explain(model, PILE, row=-1) == likewise.explain(model, PILE, row=len(PILE) - 1)
    assert model.explain(PILE, row=-1) == model.explain(PILE, row=len(PILE) - 1)
    for row in (len(PILE), -len(PILE) - 1):
        with pytest.raises(IndexError, match=f"no row {row}"):
            likewise.explain(model, PILE, row=row)


def test_missing_values_lazy_frames_and_views_are_read():
    expected = likewise.find(REFUNDS, PILE, method="nb")["row"].tolist()
    views = [pa.array(rows, pa.string_view()) for rows in (REFUNDS, PILE)]
    for like, pile in [
        [pl.LazyFrame({"text": rows}) for rows in (REFUNDS, PILE)],
        [pa.table({"text": rows}) for rows in views],
        views,
    ]:
        found = likewise.find(like, pile, method="nb")
        assert list(np.asarray(found["row"]).tolist()) == expected
    for missing in ([*PILE, pd.NA], pd.Series([*PILE, pd.NA], dtype="string"), pd.DataFrame({"body": [*PILE, pd.NA]})):
        assert likewise.find(REFUNDS, missing, method="nb")["row"].tolist()[:3] == expected[:3]


def test_rows_known_not_to_be_wanted_are_no_part_of_the_pile():
    counts, labels, _ = word_counts(300)
    sides, unlike = (counts[labels == 1], counts[labels == 0][5:]), counts[labels == 0][:5]
    assert likewise.audit(*sides, unlike=unlike).pile == len(sides[1])
    assert 0 < likewise.prior(*sides, unlike=unlike, rankers="nb", resamples=0).value < 1
    assert likewise.compare(*sides, unlike=unlike, methods="nb", folds=0)["found"].tolist()[0] > 0


def test_columns_are_left_out_of_every_question():
    rows = pd.DataFrame({"body": [f"refund {i} please" if i % 3 == 0 else f"parcel {i} is late" for i in range(60)]})
    rows["label"] = ["yes" if i % 3 == 0 else "no" for i in range(60)]
    rows["leak"] = np.arange(60) % 3
    drawn = likewise.simulate(rows, "label", "yes", labelled=5, mechanism="sar", leave_out="leak")
    assert len(drawn.positives) == 5
    told = likewise.unexpected(rows, "label", rows, method="lgn", leave_out="leak")
    assert len(told) == 60
    sides = rows[rows["leak"] == 0].drop(columns="label"), rows.drop(columns="label")
    assert likewise.audit(*sides, leave_out="leak", keep_positives=True).separability < 1
    with pytest.raises(ValueError, match="did you mean `leak`"):
        likewise.prior(*sides, leave_out="leek")


def test_a_reading_is_rehearsed():
    rows = [f"refund {i} please" if i % 3 == 0 else f"parcel {i} is late" for i in range(60)]
    wanted = [i % 3 == 0 for i in range(60)]
    told = likewise.rehearse(rows, wanted, True, examples=2, rule="never", most=40)
    assert (told.rows, told.wanted, told.marks, len(told.curve)) == (60, 20, 42, 42)
    assert all(wanted[row] for row in told.examples) and "20 of 60 distinct rows are wanted" in repr(told)
    assert set(told.to_dict()) >= {"recall", "reached", "ideal"}
    same = likewise.rehearse(pd.DataFrame({"body": rows, "y": wanted}), "y", True, examples=2, rule="never", most=40)
    assert same.to_dict() | {"seconds_a_ranking": 0} == told.to_dict() | {"seconds_a_ranking": 0}
    with pytest.raises(likewise.ParameterError, match="none of 'proved'"):
        likewise.rehearse(rows, wanted, True, rule="provd")


KNOWN = ["engine wheel motor car", "car wheel brake motor", "goal team match ball", "team ball goal win"]
CLASSES = ["cars", "cars", "sport", "sport"]
NEW = ["motor car engine brake", "ball team goal", "protein enzyme cell gene protein enzyme gene"]


def test_unexpected_rows_have_no_class():
    told = likewise.unexpected(KNOWN, CLASSES, NEW, method="lgn")
    assert told["unexpected"].tolist() == [False, False, True]
    assert told["class"].tolist()[:2] == ["cars", "sport"] and told["class"].isna().tolist()[2]
    assert told["text"].tolist() == NEW
    known = pl.DataFrame({"message": KNOWN, "topic": CLASSES})
    told = likewise.unexpected(known, "topic", pl.DataFrame({"message": NEW}), text="message", method="lgn")
    assert told["class"].to_list() == ["cars", "sport", None]
    with pytest.raises(ValueError, match="inconsistent"):
        likewise.unexpected(KNOWN, CLASSES[:2], NEW)


def test_the_prior_is_estimated_from_rows_tables_and_scores():
    counts, labels, truth = word_counts(600)
    share = truth[labels == 0].mean()
    sides = counts[labels == 1], counts[labels == 0]
    of_rows = likewise.prior(*sides, resamples=10)
    assert abs(of_rows.value - share) < 0.15 and of_rows.low <= float(of_rows) <= of_rows.high
    assert of_rows.estimates["median"].value == of_rows.value
    sparse = likewise.prior(*(scipy.sparse.csr_array(side) for side in sides), resamples=10)
    assert abs(sparse.value - share) < 0.15
    texts = [[" ".join(f"w{j}" for j in np.repeat(np.arange(30), row.astype(int))) for row in side] for side in sides]
    of_texts = likewise.prior(*texts, resamples=0, rankers=["nb"])
    assert abs(of_texts.value - share) < 0.15
    scores = likewise.NB().fit(counts[::2], labels[::2]).predict_proba(counts[1::2])[:, 1]
    rest = labels[1::2] == 1
    if rest.any():
        of_scores = likewise.prior(scores[rest], scores[~rest])
        assert 0 < of_scores.value < 1
    with pytest.raises(ValueError, match="at least two"):
        likewise.prior(counts[:1], counts[1:])


def test_a_sparse_row_is_named_by_its_position():
    rows = scipy.sparse.random(6, 5, density=0.5, format="csr", random_state=1)
    odd = rows.copy()
    odd.data[odd.indptr[5]] = np.nan
    with pytest.raises(likewise.DataError, match="not a finite number in row 5, counted from 0") as told:
        likewise.find(rows, odd, effort="quick")
    assert told.value.code == "not-a-number"


@pytest.mark.parametrize("make", [list, pd.Series, lambda cells: pl.Series("t", cells), pa.array])
@pytest.mark.parametrize("labels", [["cars", "cars", "sport", "sport"], [1, 1, 2, 2], [True, True, False, False]])
def test_classes_are_given_back_as_they_were(make, labels):
    known = ["engine wheel motor car", "car wheel brake motor", "goal team match ball", "team ball goal win"]
    new = ["motor car engine brake", "ball team goal", "protein enzyme cell gene protein enzyme gene"]
    told = likewise.unexpected(make(known), labels, make(new), method="lgn")["class"]
    found = told.to_pylist() if isinstance(told, pa.ChunkedArray) else list(told)
    assert found == [labels[0], labels[2], None] and type(found[0]) is type(labels[0])
