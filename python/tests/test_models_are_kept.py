"""A model outlives its process: files shared with the command line, pickles, copies; always the same bits."""

import copy
import json
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import likewise
from support import DOCUMENTS, ESTIMATORS, LABELS, NAMES, bits, quick, sparse_rows, word_counts

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


def command_line(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "likewise", *map(str, arguments)], capture_output=True, text=True)


def rows_of(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_copies_score_alike(estimator, tmp_path):
    x, labels = sparse_rows()
    model = quick(estimator).fit(x, labels)
    path = tmp_path / "model.likewise"
    model.save(path)
    joblib.dump(model, tmp_path / "model.joblib")
    copies = {
        "file": likewise.load(path),
        "pickle": pickle.loads(pickle.dumps(model)),
        "joblib": joblib.load(tmp_path / "model.joblib"),
        "deep copy": copy.deepcopy(model),
    }
    for name, other in copies.items():
        assert type(other) is type(model), name
        assert bits(other.decision_function(x)) == bits(model.decision_function(x)), name
        assert other.classes_.tolist() == model.classes_.tolist(), name
        assert other.n_features_in_ == 30, name
    assert not hasattr(clone(model), "classes_")
    again = copies["file"].fit(x, labels)
    assert bits(again.scores_) == bits(model.scores_), "a loaded estimator learns as before"


@pytest.mark.parametrize("labels", [["no", "yes"], [-1, 1], [False, True], [1.0, 2.0]])
def test_labels_are_kept(labels, tmp_path):
    y = np.array(labels)[LABELS]
    model = likewise.NB().fit(DOCUMENTS, y)
    model.save(tmp_path / "model")
    loaded = likewise.load(tmp_path / "model")
    assert loaded.classes_.tolist() == labels
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(DOCUMENTS).tolist() == model.predict(DOCUMENTS).tolist()


def test_the_command_line_scores_with_our_text_models(tmp_path):
    frame = pd.DataFrame({"message": DOCUMENTS})
    model = likewise.LGN().fit(frame, LABELS)
    model.save(tmp_path / "model")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    done = command_line("score", tmp_path / "model", "--in", tmp_path / "rows.csv", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    scores = [row["score"] for row in rows_of(tmp_path / "out.jsonl")]
    assert scores == model.predict_proba(DOCUMENTS)[:, 1].tolist()


def test_the_command_line_scores_with_our_number_models(tmp_path):
    counts, labels, _ = word_counts()
    frame = pd.DataFrame(counts, columns=[f"w{j}" for j in range(30)])
    model = likewise.Logistic().fit(frame, labels)
    model.save(tmp_path / "model")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    done = command_line("score", tmp_path / "model", "--in", tmp_path / "rows.csv", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    scores = [row["score"] for row in rows_of(tmp_path / "out.jsonl")]
    assert scores == model.predict_proba(frame)[:, 1].tolist()


def test_we_score_with_models_of_the_command_line(tmp_path):
    frame = pd.DataFrame({"subject": DOCUMENTS, "wanted": LABELS, "size": np.arange(len(LABELS)), "kind": ["a", "b"] * 6})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for chosen in (["--text", "subject"], ["--features", "size,kind"]):
        made = command_line(
            "find", "--in", tmp_path / "rows.csv", "--label", "wanted", "--positive", "1", *chosen,
            "--keep-positives", "--model", tmp_path / "model", "-o", tmp_path / "found.jsonl",
        )
        assert made.returncode == 0, made.stderr
        done = command_line("score", tmp_path / "model", "--in", tmp_path / "rows.csv", "-o", tmp_path / "out.jsonl")
        assert done.returncode == 0, done.stderr
        model = likewise.load(tmp_path / "model")
        scores = [row["score"] for row in rows_of(tmp_path / "out.jsonl")]
        assert model.predict_proba(frame)[:, 1].tolist() == scores
        assert model.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("estimator", [likewise.Logistic, likewise.NB, likewise.SpySVM], ids=lambda e: e.__name__)
def test_probabilities_stay_probabilities(estimator, tmp_path):
    x, labels = sparse_rows()
    model = estimator(calibrated=True).fit(x, labels)
    model.save(tmp_path / "model")
    loaded = likewise.load(tmp_path / "model")
    assert loaded.calibrated and bits(loaded.predict_proba(x)) == bits(model.predict_proba(x))
    assert not likewise.load(estimator(cut="hidden").fit(x, labels)._model.to_bytes()).calibrated


CUTS = [None, "natural", "hidden", {"recall": 0.9}, {"precision": 0.5}, {"share": 0.3}, {"top": 4}, {"threshold": 0.6}]


@pytest.mark.parametrize("cut", CUTS, ids=str)
@pytest.mark.parametrize("estimator", [likewise.Logistic, likewise.OCSVM, likewise.NB], ids=lambda e: e.__name__)
def test_the_cut_is_known_again(estimator, cut):
    x, labels = sparse_rows()
    model = estimator(cut=cut).fit(x, labels)
    again = clone(likewise.load(model._model.to_bytes())).fit(x, labels)
    assert bits(again.scores_) == bits(model.scores_)
    assert isinstance(cut, dict) <= (again.cut == cut)


def test_a_clone_of_what_was_found_learns_the_same():
    like = pd.DataFrame({"title": DOCUMENTS[:6], "body": DOCUMENTS[5::-1], "size": range(6), "place": [1, 2] * 3})
    pile = pd.DataFrame({"title": DOCUMENTS[6:], "body": DOCUMENTS[:5:-1], "size": [5, 3, 9, 1, 0, 2], "place": [2, 1] * 3})
    rows = pd.concat([like, pile], ignore_index=True)
    asked = [
        {"text": "body"}, {"text": ["title", "body"], "words": {"ngrams": [1, 2], "stop_words": "english"}},
        {"features": ["size", "place"]}, {"text": "title", "features": "size"}, {"leave_out": "title"},
    ]
    for columns in asked:
        found = likewise.find(like, pile, method="logistic", cut="natural", keep_positives=True, **columns)
        again = clone(found.model).fit(rows, LABELS)
        scores = dict(zip(found["row"], found["score"]))
        assert again.scores_[6:].tolist() == [scores[row] for row in range(6)], columns


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "model"
    likewise.NB().fit(DOCUMENTS, LABELS).save(path)
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match="not a usable model file"):
        likewise.load(path)


def test_what_is_not_fitted_cannot_be_kept(tmp_path):
    with pytest.raises(NotFittedError):
        likewise.NB().save(tmp_path / "model")
