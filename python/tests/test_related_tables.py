"""Examples among related tables: data frames of every make give the answer of the command line on the same files."""

import copy
import json
import pickle
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import likewise
from likewise import relational
from likewise._generate import RELATIONAL
from likewise.relational import RelOCC
from support import bits, data_folder

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")

METHODS = list(RELATIONAL.values())
REFERENCES = ["items.order_id -> orders.id", ("items.product", "products.id")]
TARGET = "refund(order)"
KNOWN = list(range(1, 61, 8))
HIDDEN = list(range(5, 61, 8))


def shop() -> dict[str, pd.DataFrame]:
    """Orders with a fragile product are refunded; half of the refunds are known."""
    orders = np.arange(60)
    return {
        "orders": pd.DataFrame({"id": orders + 1, "total": 10 + orders * 37 % 90}),
        "products": pd.DataFrame(
            {"id": ["p1", "p2", "p3", "p4"], "kind": ["fragile", "solid", "solid", "solid"], "heavy": [False, True, True, True]}
        ),
        "items": pd.DataFrame({"order_id": orders + 1, "product": [f"p{1 if o % 4 == 0 else 2 + o % 3}" for o in orders]}),
    }


def in_folder(tables: dict[str, pd.DataFrame], folder: Path) -> Path:
    folder.mkdir()
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    (folder / "schema.toml").write_text('[items.columns]\norder_id = "-> orders"\nproduct = "-> products"\n')
    return folder


def command_line(*arguments: object) -> str:
    command = [sys.executable, "-m", "likewise", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_the_answer_is_that_of_the_command_line(method, tmp_path):
    tables = shop()
    model = method(random_state=3).fit(tables, REFERENCES, target=TARGET, positives=KNOWN)
    model.save(tmp_path / "ours")
    folder = in_folder(tables, tmp_path / "shop")
    (tmp_path / "known.txt").write_text("\n".join(map(str, KNOWN)))
    command_line(
        "find", "--database", folder, "--target", TARGET, "--like", tmp_path / "known.txt", "--seed", 3,
        "--method", method._method.name, "--output", tmp_path / "out.jsonl", "--model", tmp_path / "theirs",
    )
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    told = pd.DataFrame(rows)
    assert model.ranking_["id"].tolist() == told["id"].astype(int).tolist()
    assert bits(model.ranking_["score"]) == bits(told["score"])
    assert model.ranking_["positive"].tolist() == told["positive"].tolist()
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()

    ask = tmp_path / "ask.txt"
    ask.write_text("5\n1\n6")
    lines = command_line("score", tmp_path / "ours", "--database", folder, "--in", ask).splitlines()
    assert model.score_samples([5, 1, 6]).tolist() == [json.loads(line)["score"] for line in lines]
    why = json.loads(command_line("explain", tmp_path / "ours", "--database", folder, "--id", 5, "--json"))
    assert [(rule.clause, rule.sql, rule.push) for rule in model.explain(5)] == [
        (reason["reason"], reason["sql"], reason["push"]) for reason in why["reasons"]
    ]


def makes(tables: dict[str, pd.DataFrame]) -> dict[str, dict]:
    return {
        "pandas": tables,
        "polars": {name: pl.from_pandas(table) for name, table in tables.items()},
        "lazy": {name: pl.from_pandas(table).lazy() for name, table in tables.items()},
        "arrow": {name: pa.Table.from_pandas(table) for name, table in tables.items()},
        "columns": {name: table.to_dict("list") for name, table in tables.items()},
        "other order": dict(reversed(tables.items())),
        "doubles": {**tables, "items": tables["items"].astype({"order_id": float})},
        "objects": {name: table.astype(object) for name, table in tables.items()},
    }


@pytest.mark.parametrize("make", makes(shop()))
def test_tables_of_every_make(make):
    expected = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    assert sorted(expected.ranking_["id"][:7].tolist()) == HIDDEN
    found = RelOCC().fit(makes(shop())[make], REFERENCES, target=TARGET, positives=KNOWN)
    kind = {"polars": pl.DataFrame, "lazy": pl.DataFrame, "arrow": pa.Table}.get(make, pd.DataFrame)
    assert isinstance(found.ranking_, kind)
    frame = found.ranking_ if kind is pd.DataFrame else found.ranking_.to_pandas()
    pd.testing.assert_frame_equal(frame, expected.ranking_)
    assert frame["id"].dtype == np.int64


@pytest.mark.parametrize(
    "positives",
    [
        KNOWN, tuple(KNOWN), range(1, 61, 8), np.array(KNOWN), np.array(KNOWN, dtype=float), [str(key) for key in KNOWN],
        [(key,) for key in KNOWN], np.array(KNOWN)[:, None], pd.Series(KNOWN), pl.Series(KNOWN), pa.array(KNOWN),
        pd.DataFrame({"why": "broken", "id": range(len(KNOWN)), "order_id": KNOWN}), pl.DataFrame({"order": KNOWN}), {"id": KNOWN},
    ],
    ids=lambda positives: type(positives).__name__,
)
def test_examples_of_every_make(positives):
    expected = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    found = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=positives)
    pd.testing.assert_frame_equal(found.ranking_, expected.ranking_)


def test_a_table_may_hold_the_positives():
    tables = {**shop(), "refund": pd.DataFrame({"order_id": KNOWN})}
    references = [*REFERENCES, "refund.order_id -> orders"]
    own = RelOCC().fit(tables, references, target="refund")
    assert own.target_ == "refund(orders)"
    assert sorted(own.ranking_["id"][:7].tolist()) == HIDDEN
    named = RelOCC().fit(tables, references, target="returned(order)", positives="refund")
    assert named.ranking_["id"].tolist() == own.ranking_["id"].tolist()
    some = RelOCC().fit(tables, references, target="refund", pile=[5, 6, 1])
    assert sorted(some.ranking_["id"]) == [5, 6]
    assert any("1 row of the pile is among the positive examples" in note for note in some.notes_)


def test_pairs_are_examples_too():
    people = pd.DataFrame({"name": [f"p{n}" for n in range(30)]})
    members = pd.DataFrame({"person": people["name"], "club": [f"c{n // 3}" for n in range(30)]})
    clubs = pd.DataFrame({"id": [f"c{n}" for n in range(10)]})
    tables = {"people": people, "members": members, "clubs": clubs}
    references = ["members.person -> people.name", "members.club -> clubs.id"]
    known = [(f"p{3 * c}", f"p{3 * c + 1}") for c in range(6)]
    model = RelOCC().fit(tables, references, target="knows(people, people)", positives=known)
    assert model.ranking_.columns.tolist() == ["rank", "people", "people_2", "score", "positive"]
    assert len(model.ranking_) == 30 * 30 - 6
    assert model.predict([("p24", "p25"), ("p0", "p29")]).tolist() == [True, False]
    rule = model.explain(("p24", "p25"))[0]
    assert rule.clause.startswith("knows(A,B) :- ") and rule.sql.startswith("SELECT ") and rule.push > 0
    as_frame = pd.DataFrame(known, columns=["a", "b"])
    again = RelOCC().fit(tables, references, target="knows(people, people)", positives=as_frame)
    pd.testing.assert_frame_equal(again.ranking_, model.ranking_)
    with pytest.raises(ValueError, match="`knows` takes 2"):
        model.predict(["p24"])
    with pytest.raises(ValueError, match="1 to 2 keys"):
        model.predict([("p24", "p25"), ("p0",)])


def test_scores_decisions_rankings_and_paths_agree():
    model = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    scores = model.score_samples(model.ranking_["id"])
    assert bits(scores) == bits(model.ranking_["score"])
    assert ((model.decision_function([5, 6]) > 0) == model.predict([5, 6])).all()
    everybody = model.rank()
    assert len(everybody) == 60 and everybody["score"].is_monotonic_decreasing
    paths, rules = model.paths([5, 6])
    assert paths.shape == (2, len(rules)) and set(paths.data) == {1.0}
    with pytest.raises(ValueError, match="one example"):
        model.explain(pd.DataFrame({"id": [5, 6]}))


def test_a_kept_model_is_bound_to_tables(tmp_path):
    model = RelOCC(trees=7).fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    model.save(tmp_path / "model")
    for kept in (likewise.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        assert type(kept) is RelOCC and kept.trees == 7 and kept.target_ == "refund(orders)"
        with pytest.raises(ValueError, match=r"holds no tables; .* refund\(orders\).*bind"):
            kept.predict([5])
        assert bits(kept.bind(shop(), REFERENCES).score_samples([5, 6])) == bits(model.score_samples([5, 6]))
        folder = in_folder(shop(), tmp_path / f"shop{id(kept)}")
        assert bits(kept.bind(database=folder).score_samples([5, 6])) == bits(model.score_samples([5, 6]))
    assert bits(copy.copy(model).score_samples([5])) == bits(model.score_samples([5]))
    with pytest.raises(NotFittedError):
        clone(model).save(tmp_path / "other")
    assert clone(model).get_params() == model.get_params()


def test_tables_of_tomorrow_are_read_as_those_of_training(tmp_path):
    model = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    model.save(tmp_path / "model")
    tomorrow = shop()
    tomorrow["orders"] = tomorrow["orders"].iloc[:9]
    tomorrow["items"] = tomorrow["items"].iloc[:9]
    tomorrow["products"]["price"] = [1.0, 2.0, 3.0, 4.0]
    keys = list(range(1, 10))
    scores = likewise.load(tmp_path / "model").bind(tomorrow).score_samples(keys)
    assert bits(scores) == bits(model.score_samples(keys)), "nine totals are still numbers"
    folder = in_folder(tomorrow, tmp_path / "tomorrow")
    (folder / "schema.toml").unlink()
    (tmp_path / "ask.txt").write_text("\n".join(map(str, keys)))
    told = command_line("score", tmp_path / "model", "--database", folder, "--in", tmp_path / "ask.txt")
    assert bits([json.loads(line)["score"] for line in told.splitlines()]) == bits(scores)
    del tomorrow["products"]
    with pytest.raises(ValueError, match="table `products` is not in the tables"):
        model.bind(tomorrow).score_samples(keys)


def test_databases_are_read(tmp_path):
    expected = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN).ranking_
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER)")
        connection.execute("CREATE TABLE products (id TEXT PRIMARY KEY, kind TEXT, heavy TEXT)")
        connection.execute("CREATE TABLE items (order_id REFERENCES orders(id), product REFERENCES products(id))")
        for name, table in shop().items():
            rows = table.astype(object).to_numpy().tolist()
            connection.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * table.shape[1])})", rows)
    found = RelOCC().fit(database=path, target=TARGET, positives="SELECT id FROM orders WHERE id % 8 = 1").ranking_
    assert found["id"].astype(int).tolist() == expected["id"].tolist()
    schema = {"products": {"columns": {"kind": "ignore"}}}
    assert not any("kind" in literal for literal in relational.describe(database=path, schema=schema).literals)
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        RelOCC().fit(database=tmp_path / "gone", target=TARGET)


def test_keys_stay_exact():
    large = 2**60
    tables = shop()
    tables["orders"]["id"] += large
    tables["items"]["order_id"] += large
    model = RelOCC().fit(tables, REFERENCES, target=TARGET, positives=[large + key for key in KNOWN])
    assert sorted(model.ranking_["id"][:7].tolist()) == [large + key for key in HIDDEN]


def test_missing_cells_say_nothing():
    tables = shop()
    items = tables["items"].astype({"order_id": float})
    items.loc[len(items)] = [np.nan, "p1"]
    model = RelOCC().fit({**tables, "items": items}, REFERENCES, target=TARGET, positives=KNOWN)
    assert sorted(model.ranking_["id"][:7].tolist()) == HIDDEN
    with pytest.raises(ValueError, match="an example has an empty cell"):
        model.predict([5, None])


def test_what_is_understood_can_be_seen_and_corrected():
    told = relational.describe(shop(), REFERENCES)
    assert told.types["orders"] == 60
    assert "products_kind(+products,#products.kind)" in told.literals
    schema = {"products": {"columns": {"kind": "ignore"}}}
    assert not any("kind" in literal for literal in relational.describe(shop(), REFERENCES, schema=schema).literals)
    with pytest.raises(ValueError, match="`words` for `products.kind` is not one of"):
        relational.describe(shop(), schema={"products": {"columns": {"kind": "words"}}})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"references": ["itms.order_id -> orders"]}, "there is no table `itms` in the tables .did you mean `items`"),
        ({"references": ["items.order -> orders"]}, "table `items` has no column `order` .did you mean `order_id`"),
        ({"references": ["items.order_id -> order"]}, "there is no such table .did you mean `orders`"),
        ({"references": ["items.order_id -> orders.nr"]}, "table `orders` has no column `nr`"),
        ({"references": ["items.order_id = orders.id"]}, "is not like `orders.customer -> customers`"),
        ({"target": "refund"}, "^target refund: nothing says what its arguments are"),
        ({"target": "refund(ordr)"}, "there is no type `ordr` .did you mean `orders`"),
        ({"target": "refund("}, "write it like"),
        ({"positives": []}, "there is no positive example; name at least one with positives"),
        ({"positives": None}, "which examples of `refund` are known. Name them with positives"),
        ({"positives": "refunds"}, "`refunds` is neither a file, nor a table, nor a SELECT"),
        ({"tables": {}}, "there are no tables"),
        ({"tables": None}, "either tables or a database"),
        ({"database": "shop"}, "either tables or a database"),
        ({"tables": {**shop(), "Orders": shop()["orders"]}}, "one name for two tables"),
        ({"modes": "modes.txt"}, "modes belong to facts"),
    ],
)
def test_wrong_calls_are_explained(given, message):
    call = {"tables": shop(), "references": REFERENCES, "target": TARGET, "positives": KNOWN, **given}
    with pytest.raises(ValueError, match=message):
        RelOCC().fit(**call)


def test_wrong_types_are_explained():
    for given, message in [
        ({"tables": [1]}, "tables are a dictionary"),
        ({"tables": {"orders": [1, 2]}}, "table 'orders' is of type list"),
        ({"references": [("a", "b", "c")]}, "neither a text like"),
    ]:
        with pytest.raises(TypeError, match=message):
            RelOCC().fit(**{"tables": shop(), "target": TARGET, "positives": KNOWN, **given})
    with pytest.raises(likewise.ParameterError, match="trees"):
        RelOCC(trees=0).fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)


def test_known_negatives_are_not_ranked():
    model = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN, negatives=[2, 3, 4])
    ranked = set(model.ranking_["id"]) if "id" in model.ranking_ else set(model.ranking_.iloc[:, 1])
    assert len(ranked) == 60 - len(KNOWN) - 3 and not ranked & {2, 3, 4}


def test_a_key_that_nobody_knows_is_mentioned():
    with pytest.warns(likewise.LikewiseWarning, match="1 of 9 examples names nothing that is known and is left out: `99`"):
        RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=[*KNOWN, 99])


def test_real_facts_are_read():
    data = data_folder("uwcse")
    model = RelOCC().fit(
        database=[str(data / "area1_facts.txt.gz")], modes=data / "modes.txt", target="advisedby",
        positives=str(data / "area1_pos.txt.gz"), pile=str(data / "area1_neg.txt.gz"),
    )
    assert model.ranking_.columns[0] == "rank" and model.ranking_["score"].between(0, 1).all()
    assert model.explain(tuple(model.ranking_.iloc[0, 1:3]))[0].clause.startswith("advisedby(A,B) :- ")


def test_how_sure_an_answer_is(tmp_path):
    model = RelOCC(certainty=True, calibrated=True).fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    plain = RelOCC().fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    assert model.ranking_["id"].tolist() == plain.ranking_["id"].tolist()
    assert model.summary_.pile == 52 and 0 < model.summary_.prior < 1
    model.report(tmp_path / "answer.html")
    assert "<html" in (tmp_path / "answer.html").read_text(encoding="utf-8")
    scored = likewise.score(model, [5, 6], probabilities=True)
    assert scored["probability"][0] > scored["probability"][1]
    with pytest.raises(ValueError, match="fit it with calibrated=True"):
        likewise.score(plain, [5], probabilities=True)
    for ask in (lambda: plain.summary_, lambda: plain.report(tmp_path / "x")):
        with pytest.raises((AttributeError, ValueError), match="certainty=True"):
            ask()
    assert pickle.loads(pickle.dumps(model)).summary_ == model.summary_


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_the_class_ends_where_it_is_asked_to(method):
    model = method(cut={"top": 5}).fit(shop(), REFERENCES, target=TARGET, positives=KNOWN)
    scores = model.ranking_["score"]
    # Equal scores end together.
    assert model.ranking_["positive"].sum() == max(5, (scores >= scores[4]).sum())
    assert clone(model).cut == {"top": 5}


def test_audit_prior_and_compare_are_those_of_the_command_line(tmp_path):
    given = {"tables": shop(), "references": REFERENCES, "target": TARGET, "positives": KNOWN}
    (tmp_path / "known.txt").write_text("\n".join(map(str, KNOWN)))
    where = ["--database", in_folder(shop(), tmp_path / "shop"), "--target", TARGET, "--like", tmp_path / "known.txt"]
    asked = lambda command, *more: json.loads(command_line(command, *where, *more, "--json"))
    audit = relational.audit(**given)
    answer = asked("audit")
    assert [note["code"] for note in answer.pop("notes")] == ["pile-of-combinations"]
    assert audit.to_dict() == answer and (audit.positives, audit.pile) == (len(KNOWN), 52)
    prior = relational.prior(**given, resamples=10)
    expected = {e["estimator"]: (e["estimate"], e["low"], e["high"]) for e in asked("prior", "--resamples", 10)["estimates"]}
    assert {name: (e.value, e.low, e.high) for name, e in prior.estimates.items()} == expected
    table = relational.compare(**given, methods=["relocc", "rpt"], folds=2)
    told = asked("compare", "--methods", "relocc,rpt", "--folds", 2)["methods"]
    for name in ("method", "found", "pu_auc", "estimated_f1"):
        assert table[name].tolist() == [line[name] for line in told], name
