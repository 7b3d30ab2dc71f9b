"""Every question gives one answer, to the last bit, whichever door it is asked through and however the rows come.

The command line is the reference; `crates/likewise-cli/tests/promises/doors_agree.rs` holds it against the library itself.
"""

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import doors
import likewise
from doors import FRAMES, as_said, framed, ranked, ranked_by, said, written

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")

QUICK = ["--effort", "quick"]


def find_by_command_line(folder, like, pile, ids, *more):
    """Ranking, notes and summary."""
    out, summary = folder / "out.jsonl", folder / "summary.json"
    done = doors.likewise("find", "--like", like, "--in", pile, "-o", out, "--summary", summary, *QUICK, *more)
    return ranked_by(out, ids), said(done), json.loads(summary.read_text())


def answer(found):
    return ranked(found), as_said(found.notes), found.summary.to_dict()


@pytest.fixture(scope="module")
def of_messages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("messages")
    like, pile = doors.messages()
    files = [written(folder / f"{name}.csv", side) for name, side in (("like", like), ("pile", pile))]
    return folder, like, pile, find_by_command_line(folder, *files, pile["id"])


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_find_in_files(of_messages, format, tmp_path):
    _, like, pile, expected = of_messages
    sides = [written(tmp_path / f"{name}.{format}", side) for name, side in (("like", like), ("pile", pile))]
    assert find_by_command_line(tmp_path, *sides, pile["id"]) == expected


def test_find_in_a_text_column_of_a_database(of_messages, tmp_path):
    """Copies and blanks leave it as they leave a file."""
    _, like, pile, (ranking, notes, summary) = of_messages
    path = doors.database(tmp_path / "shop.db", like, pile)
    where = ["--database", path, "--text", "messages.body", "--like", "SELECT id FROM messages WHERE marked = 1"]
    done = doors.likewise("find", *where, "-o", tmp_path / "out.jsonl", "--summary", tmp_path / "told.json", *QUICK)
    assert ranked_by(tmp_path / "out.jsonl", pile["id"]) == ranking
    assert json.loads((tmp_path / "told.json").read_text()) == summary
    assert set(notes) <= set(said(done))


@pytest.mark.parametrize("make", FRAMES)
def test_find_in_frames(of_messages, make):
    _, like, pile, expected = of_messages
    found = likewise.find(framed(make, like), framed(make, pile), effort="quick")
    assert answer(found) == expected


def test_find_in_lists_and_columns(of_messages):
    _, like, pile, expected = of_messages
    forms = [
        (like["text"], pile["text"]),
        (np.array(like["text"]), np.array(pile["text"], dtype=object)),
        (pd.Series(like["text"]), pl.Series("text", pile["text"])),
    ]
    for positives, rows in forms:
        assert answer(likewise.find(positives, rows, effort="quick")) == expected


def test_what_is_left_out_is_listed(of_messages):
    _, like, pile, (ranking, notes, _) = of_messages
    found = likewise.find(framed("pandas", like), framed("pandas", pile), effort="quick")
    left = [(out.row, out.id, out.example, out.reason) for out in found.left_out]
    assert left == [
        (5, "1006", True, "blank-example"), (7, "1008", True, "repeated-example"),
        (3, "2004", False, "copy-of-example"), (20, "2021", False, "copy-of-example"),
    ]
    assert len(ranking) == 88 and len(notes) >= 3
    codes = {note.code: note.fields for note in found.notes}
    assert codes["blank-examples"] == {"rows": 1} and codes["repeated-examples"] == {"rows": 1}
    assert codes["copies-of-examples"] == {"rows": 2, "ranked": False}


def test_rows_are_positions_in_the_users_own_frame(tmp_path):
    """From 0 in Python, as iloc; from 1 on the command line, where rows have no id."""
    like, pile = ({"text": side["text"]} for side in doors.messages())
    files = [written(tmp_path / f"{name}.csv", side) for name, side in (("like", like), ("pile", pile))]
    out = tmp_path / "out.jsonl"
    doors.likewise("find", "--like", files[0], "--in", files[1], "-o", out, "--method", "nb")
    frame = pd.DataFrame(pile, index=[f"r{row}" for row in range(len(pile["text"]))])
    found = likewise.find(pd.DataFrame(like), frame, method="nb")
    assert [line["id"] for line in doors.lines(out)] == [str(row + 1) for row in found["row"]]
    assert found.index.tolist() == [f"r{row}" for row in found["row"]]
    assert found["text"].tolist() == frame["text"].iloc[found["row"]].tolist()


@pytest.fixture(scope="module")
def of_numbers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    like, pile = doors.numbers()
    files = [written(folder / f"{name}.csv", side) for name, side in (("like", like), ("pile", pile))]
    ids = range(1, len(pile["feature 1"]) + 1)
    return files, like, pile, find_by_command_line(folder, *files, ids, "--features", "all")


def matrix(columns):
    return np.array(list(columns.values()), dtype=float).T


@pytest.mark.parametrize("make", FRAMES)
def test_find_in_columns_of_numbers(of_numbers, make):
    _, like, pile, expected = of_numbers
    found = likewise.find(framed(make, like), framed(make, pile), features="all", effort="quick")
    assert answer(found) == expected
    assert len(expected[0]) == 118, "two rows of the pile are copies"


def test_find_in_a_matrix(of_numbers):
    """One matrix as an array and as a frame, with copies."""
    _, like, pile, expected = of_numbers
    positives, rows = matrix(like), matrix(pile)
    forms = [(positives, rows), (np.asfortranarray(positives), rows.tolist()), (positives[::1], np.repeat(rows, 2, axis=0)[::2])]
    for form in forms:
        assert answer(likewise.find(*form, effort="quick")) == expected
    model = likewise.find(positives, rows, method="logistic").model
    frame = likewise.find(framed("pandas", like), framed("pandas", pile), features="all", method="logistic").model
    assert likewise.score(model, rows)["score"].tolist() == likewise.score(frame, framed("pandas", pile))["score"].tolist()


def test_find_in_sparse_rows(tmp_path):
    """svmlight is to files what scipy is to arrays."""
    random = np.random.default_rng(5)
    like = random.poisson([[3, 0.2, 1, 0.1, 0.4]] * 20)
    pile = random.poisson([[3, 0.2, 1, 0.1, 0.4]] * 20 + [[0.2, 2, 1, 1, 0.4]] * 50)
    like[0, 4] = pile[0, 4] = 1
    for name, rows in (("like", like), ("pile", pile)):
        entries = [" ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) for row in rows]
        (tmp_path / f"{name}.svmlight").write_text("".join(f"0 {line}\n" for line in entries))
    expected = find_by_command_line(
        tmp_path, tmp_path / "like.svmlight", tmp_path / "pile.svmlight", range(1, len(pile) + 1)
    )
    for kind in (scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array):
        assert answer(likewise.find(kind(like.astype(float)), kind(pile.astype(float)), effort="quick")) == expected


def test_cells_of_every_type(tmp_path):
    """Flags, dates, categories and large numbers are the same cells in a file and in a frame."""
    random = np.random.default_rng(9)
    def side(count, wanted):
        day = lambda: datetime.date(2024, 1, 1) + datetime.timedelta(days=int(random.integers(0, 3)))
        return {
            "premium": [bool(random.random() < (0.9 if wanted else 0.3)) for _ in range(count)],
            "town": [str(random.choice(["Oslo", "Rome"] if wanted else ["Rome", "Bern"])) for _ in range(count)],
            "day": [day() for _ in range(count)],
            "amount": [float(np.round(random.normal(5 if wanted else 1), 4)) for _ in range(count)],
            "count": [int(random.integers(0, 4)) for _ in range(count)],
        }
    like, yes, no = side(25, True), side(20, True), side(60, False)
    pile = {name: yes[name] + no[name] for name in yes}
    expected = None
    for format in ("parquet", "csv"):
        files = [written(tmp_path / f"{name}.{format}", part) for name, part in (("like", like), ("pile", pile))]
        found = find_by_command_line(tmp_path, *files, range(1, 81), "--features", "all", "--keep-positives")
        expected = expected or found
        assert found == expected, format
    for make in FRAMES:
        found = likewise.find(framed(make, like), framed(make, pile), features="all", keep_positives=True, effort="quick")
        assert answer(found) == expected, make


KNOWN = {
    "text": ["engine wheel car", "car brake motor", "wheel motor car", "goal team ball", "team ball win", "goal match win"] * 3
    + ["protein enzyme gene", "gene cell protein"],
    "kind": ["cars", "cars", "cars", "sport", "sport", "sport"] * 3 + ["", None],
}
NEW = {"text": ["motor car engine", "ball team goal", "protein enzyme cell gene protein", "", "wheel team"]}


def test_unexpected_drops_rows_without_a_class(tmp_path):
    """A blank class is none: its rows are not learned from, so their kind is not known."""
    known = {"text": KNOWN["text"], "kind": [kind or "" for kind in KNOWN["kind"]]}
    written(tmp_path / "known.csv", known), written(tmp_path / "new.jsonl", NEW)
    where = ["--known", tmp_path / "known.csv", "--label", "kind", "--in", tmp_path / "new.jsonl"]
    done = doors.likewise("unexpected", *where, "-o", tmp_path / "out.jsonl")
    assert "warning: known rows left out because their class is blank: 2" in said(done)
    expected = [(line["unexpected"], line["score"].hex(), line["class"] or None) for line in doors.lines(tmp_path / "out.jsonl")]
    cells = lambda told, name: told[name].to_pylist() if hasattr(told[name], "to_pylist") else told[name].to_list()
    forms = [(framed(make, KNOWN), "kind", framed(make, NEW)) for make in FRAMES]
    forms.append((KNOWN["text"], KNOWN["kind"], NEW["text"]))
    for form in forms:
        with pytest.warns(likewise.LikewiseWarning, match="class is blank: 2") as warned:
            told = likewise.unexpected(*form)
        assert {w.message.code: w.message.fields for w in warned}["unnamed-class"] == {"rows": 2}
        classes = [None if kind != kind else kind for kind in cells(told, "class")]
        scores = [score.hex() for score in cells(told, "score")]
        assert list(zip(cells(told, "unexpected"), scores, classes)) == expected


def test_unexpected_by_hidden_classes(tmp_path):
    """Who ranks is chosen alike, and the figures are the same."""
    topics = {"cars": "engine wheel motor brake car gear", "sport": "goal team match ball season win"}
    words = {kind: said.split() for kind, said in topics.items()}
    text = lambda kind, i: " ".join(words[kind][(i * (2 + j) + j) % 6] for j in range(4)) + f" n{i % 9}"
    known = {"text": [text(kind, i) for kind in words for i in range(20)], "kind": [kind for kind in words for _ in range(20)]}
    new = {"text": [*(text(kind, i + 40) for kind in words for i in range(10)), "protein enzyme gene cell", "gene cell protein"]}
    written(tmp_path / "known.csv", known), written(tmp_path / "new.csv", new)
    where = ["--known", tmp_path / "known.csv", "--label", "kind", "--in", tmp_path / "new.csv"]
    done = doors.likewise("unexpected", *where, "-o", tmp_path / "out.jsonl", "--summary", tmp_path / "figures.json")
    expected = [(line["unexpected"], line["score"].hex()) for line in doors.lines(tmp_path / "out.jsonl")]
    told = likewise.unexpected(framed("pandas", known), "kind", framed("pandas", new))
    assert list(zip(told["unexpected"], (score.hex() for score in told["score"]))) == expected
    assert told.summary.to_dict() == json.loads((tmp_path / "figures.json").read_text())
    assert told.summary.competition.candidates[0].method == told.summary.method
    assert told.summary.competition.hidden == ["cars", "sport"]
    assert as_said(told.notes) == said(done) and told.lines[0] in done.stderr


def test_prior(of_messages, of_numbers):
    folder, like, pile, _ = of_messages
    sides = ["--like", folder / "like.csv", "--in", folder / "pile.csv"]
    few = ["--resamples", 10, "--json"]
    expected = {e["estimator"]: (e["estimate"], e["low"], e["high"]) for e in json.loads(doors.likewise("prior", *sides, *few).stdout)["estimates"]}
    for make in FRAMES:
        told = likewise.prior(framed(make, like), framed(make, pile), resamples=10)
        assert {name: (e.value, e.low, e.high) for name, e in told.estimates.items()} == expected, make
    files, like, pile, _ = of_numbers
    done = doors.likewise("prior", "--like", files[0], "--in", files[1], "--features", "all", *few)
    expected = {e["estimator"]: (e["estimate"], e["low"], e["high"]) for e in json.loads(done.stdout)["estimates"]}
    forms = [(matrix(like), matrix(pile), {}), (framed("pandas", like), framed("pandas", pile), {"features": "all"})]
    for positives, rows, more in forms:
        told = likewise.prior(positives, rows, resamples=10, **more)
        assert {name: (e.value, e.low, e.high) for name, e in told.estimates.items()} == expected


def test_audit(of_messages, of_numbers):
    folder, like, pile, _ = of_messages
    done = doors.likewise("audit", "--like", folder / "like.csv", "--in", folder / "pile.csv", "--json")
    told = likewise.audit(framed("polars", like), framed("polars", pile))
    assert told.to_dict() == printed(done)
    files, like, pile, _ = of_numbers
    done = doors.likewise("audit", "--like", files[0], "--in", files[1], "--features", "all", "--json")
    assert likewise.audit(matrix(like), matrix(pile)).to_dict() == printed(done)
    assert repr(told).startswith("22 examples, 88 rows in the pile.\nSeparability: ")


def test_compare(of_messages, of_numbers):
    folder, like, pile, _ = of_messages
    truth = [any(word in text for word in doors._WANTED) for text in pile["text"]]
    written(folder / "truth.jsonl", {"id": pile["id"], "positive": truth})
    where = ["--like", folder / "like.csv", "--in", folder / "pile.csv", "--truth", folder / "truth.jsonl"]
    done = doors.likewise("compare", *where, "--methods", "nb,logistic,roc-svm", "--json")
    def facts(line):
        known = {name: value for name, value in line.items() if name not in ("seconds", "memory_bytes", "truth")}
        return {**known, **{name: line["truth"][name] for name in ("precision", "recall", "f1", "average_precision")}}
    expected = [facts(line) for line in printed(done)["methods"]]
    frame = framed("pandas", pile)
    given = {"methods": ["nb", "logistic", "roc-svm"]}
    for known in (truth, pd.DataFrame({"id": pile["id"], "positive": truth}), pl.DataFrame({"id": pile["id"], "positive": truth})):
        told = likewise.compare(framed("pandas", like), frame, truth=known, **given).drop(columns=["seconds", "error"])
        assert told.to_dict("records") == expected
    files, like, pile, _ = of_numbers
    done = doors.likewise("compare", "--like", files[0], "--in", files[1], "--features", "all", "--methods", "nb,logistic", "--json")
    expected = [line["estimated_f1"] for line in printed(done)["methods"]]
    assert likewise.compare(matrix(like), matrix(pile), methods=["nb", "logistic"])["estimated_f1"].tolist() == expected


@pytest.mark.parametrize("biased", [False, True])
def test_simulate(biased, tmp_path):
    texts = doors.documents(80, 0.5, 11)
    rows = {"id": list(range(1, 81)), "text": texts, "kind": ["money" if "n" in t and any(w in t for w in doors._WANTED) else "post" for t in texts]}
    written(tmp_path / "all.jsonl", rows)
    more = ["--mechanism", "sar"] if biased else []
    where = ["--in", tmp_path / "all.jsonl", "--label", "kind", "--positive", "money", "--labelled", 12, "-o", tmp_path / "made"]
    doors.likewise("simulate", *where, *more)
    like, pile, truth = (doors.lines(tmp_path / "made" / f"{name}.jsonl") for name in ("like", "pile", "truth"))
    for make in FRAMES:
        made = likewise.simulate(framed(make, rows), "kind", "money", labelled=12, mechanism="sar" if biased else "scar")
        cells = lambda frame, name: frame[name].to_pylist() if hasattr(frame[name], "to_pylist") else frame[name].to_list()
        assert [str(id) for id in cells(made.positives, "id")] == [row["id"] for row in like], make
        assert [str(id) for id in cells(made.pile, "id")] == [row["id"] for row in pile], make
        assert made.truth.tolist() == [row["positive"] for row in truth], make
    listed = likewise.simulate(texts, rows["kind"], "money", labelled=12, mechanism="sar" if biased else "scar")
    assert listed.positives == [row["text"] for row in like] and listed.pile == [row["text"] for row in pile]


def test_score_explain_and_evaluate(of_messages, tmp_path):
    folder, like, pile, _ = of_messages
    model, out, again = tmp_path / "m.likewise", tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    sides = ["--like", folder / "like.csv", "--in", folder / "pile.csv"]
    doors.likewise("find", *sides, "--method", "logistic", "--model", model, "-o", out)
    found = likewise.find(framed("arrow", like), framed("arrow", pile), method="logistic")
    found.model.save(tmp_path / "own.likewise")
    assert (tmp_path / "own.likewise").read_bytes() == model.read_bytes()
    doors.likewise("score", model, "--in", folder / "pile.csv", "-o", again)
    expected = [(line["score"], line["positive"]) for line in doors.lines(again)]
    for given in (model, model.read_bytes(), likewise.load(model), found.model):
        told = likewise.score(given, framed("pandas", pile))
        assert list(zip(told["score"], told["positive"])) == expected
    done = doors.likewise("explain", model, "--in", folder / "pile.csv", "--id", 2013, "--json")
    why = json.loads(done.stdout)
    for asked in ({"row": 12}, {"id": 2013}):
        told = likewise.explain(model, framed("pandas", pile), **asked)
        assert (told.score, told.positive) == (why["score"], why["positive"])
        assert told.reasons == [(reason["reason"], reason["push"]) for reason in why["reasons"]]
    most = json.loads(doors.likewise("explain", model, "--json").stdout)["features"]
    assert likewise.explain(model).reasons == [(feature["reason"], feature["push"]) for feature in most]
    with pytest.raises(likewise.DataError, match="no row has the id `7`.*id_column=COLUMN") as refused:
        likewise.explain(model, framed("pandas", pile), id=7)
    assert refused.value.code == "no-such-row" and refused.value.fields == {"id": "7"}

    truth = [any(word in text for word in doors._WANTED) for text in pile["text"]]
    written(tmp_path / "truth.csv", {"id": pile["id"], "positive": truth})
    where = ["--truth", tmp_path / "truth.csv", "--label", "positive", "--positive", "true"]
    expected = printed(doors.likewise("evaluate", out, *where, "--json"))
    for known in (truth, np.array(truth), pl.DataFrame({"id": pile["id"], "positive": truth})):
        told = likewise.evaluate(found, truth=known)
        assert {name: vars(getattr(told, name)) for name in expected} == expected


def printed(done):
    """What the command line printed as JSON, without the notes, which Python tells as warnings."""
    told = json.loads(done.stdout)
    assert all(note["code"] and note["text"] for note in told.pop("notes"))
    return told


def labelled():
    """Messages with their label, some of them twice."""
    text = doors.documents(120, 0.3, 7)
    text[9] = text[8]
    return {"body": text, "size": [len(cell) % 7 for cell in text], "y": ["yes" if "money" in t or "refund" in t else "no" for t in text]}


def test_look(tmp_path):
    rows = labelled()
    file = written(tmp_path / "rows.csv", rows)
    told = printed(doors.likewise("look", file, "--label", "y", "--except", "size", "--json"))["columns"]
    for make in FRAMES:
        seen = likewise.look(framed(make, rows), label="y", leave_out="size")
        columns = seen.to_pydict() if make == "arrow" else seen.to_dict(as_series=False) if make == "polars" else seen.to_dict("list")
        assert [dict(zip(columns, row)) for row in zip(*columns.values())] == told


def test_rehearse(tmp_path):
    rows = labelled()
    file = written(tmp_path / "rows.csv", rows)
    given = ["--label", "y", "--positive", "yes", "--text", "body", "--examples", 3, "--rule", "knee", "--most", 60, "--seed", 4]
    told = printed(doors.likewise("rehearse", "--in", file, *given, "--json"))
    found = likewise.rehearse(
        framed("pandas", rows), "y", "yes", text="body", examples=3, rule="knee", most=60, random_state=4
    )
    assert found.to_dict() == told
    assert repr(found).splitlines() == doors.likewise("rehearse", "--in", file, *given).stdout.splitlines()


def test_columns_are_left_out_and_rows_refused_alike(tmp_path):
    (like, pile), rows = doors.messages(), labelled()
    like, pile = ({**side, "size": [len(cell or "") % 7 for cell in side["text"]]} for side in (like, pile))
    unlike = {name: cells[60:66] for name, cells in pile.items()}
    files = [written(tmp_path / f"{name}.csv", side) for name, side in (("like", like), ("pile", pile), ("unlike", unlike))]
    given = ["--like", files[0], "--in", files[1], "--unlike", files[2], "--except", "id"]
    sides = (framed("pandas", like), framed("pandas", pile))
    asked = {"unlike": framed("pandas", unlike), "leave_out": "id"}
    assert likewise.audit(*sides, **asked).to_dict() == printed(doors.likewise("audit", *given, "--json"))
    prior = likewise.prior(*sides, **asked, resamples=10)
    told = printed(doors.likewise("prior", *given, "--resamples", 10, "--json"))
    assert prior.value == next(line["estimate"] for line in told["estimates"] if line["estimator"] == "median")


def test_a_cut_that_cannot_be_placed_is_in_both_summaries(tmp_path):
    like, pile = ({"text": side["text"]} for side in doors.messages())
    likewise.NB().fit(like["text"] + pile["text"], [1] * len(like["text"]) + [0] * len(pile["text"])).save(tmp_path / "model")
    rows = written(tmp_path / "rows.csv", pile)
    doors.likewise(
        "score", tmp_path / "model", "--in", rows, "--recut", "-o", tmp_path / "out.jsonl", "--summary", tmp_path / "told.json"
    )
    told = json.loads((tmp_path / "told.json").read_text())
    assert "cut-not-placed" in json.dumps(told["notes"])
    assert likewise.score(tmp_path / "model", pile["text"], recut=True).summary.to_dict() == told
