"""Vectors that are made of the text, and models that ask for what made them."""

import pickle

import pytest

import likewise

LIKE = [f"refund my money {n}" for n in range(20, 32)]
PILE = [f"where is parcel {n}" for n in range(40, 80)] + ["reimburse the cash", "stamp the envelope"]
VECTORS = "refund 1 0\nmoney 1 .2\nreimburse 1 .1\ncash 1 .3\nparcel -1 .2\nwhere -1 0\nthe 0 .1\nstamp -1 .3\nenvelope -1 .1\n"


@pytest.fixture
def embedding(tmp_path):
    path = tmp_path / "tiny.vec"
    path.write_text(VECTORS)
    return path


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_a_row_is_found_by_what_its_words_mean(embedding):
    words = likewise.find(LIKE, PILE, method="logistic").set_index("row")["score"]
    assert words[40] == pytest.approx(words[41]), "words alone cannot tell them apart"
    both = likewise.find(LIKE, PILE, method="logistic", embed=embedding).set_index("row")["score"]
    assert both.index[0] == 40 and both[40] > both[41] + 0.1
    classes = likewise.find({"refunds": LIKE, "parcels": PILE[:5]}, PILE[5:], method="logistic", embed=str(embedding))
    assert classes.set_index("row")["class"][35] == "refunds"


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_a_model_asks_for_its_embedding(embedding, tmp_path):
    found = likewise.find(LIKE, PILE, method="logistic", embed=embedding)
    scores = found.set_index("row")["score"].sort_index().to_numpy()
    assert likewise.score(found.model, PILE)["score"].to_numpy().tolist() == scores.tolist()
    path = tmp_path / "refunds.model"
    found.model.save(path)
    needed = r"learned with the embedding `tiny.vec` \(hash [0-9a-f]{64}\); give it with embed"
    for model in (path, likewise.load(path), pickle.loads(pickle.dumps(found.model))):
        with pytest.raises(ValueError, match=needed) as told:
            likewise.score(model, PILE)
        assert told.value.code == "embedding"
        assert likewise.score(model, PILE, embed=embedding)["score"].to_numpy().tolist() == scores.tolist()
    why = likewise.explain(path, PILE, row=40, embed=embedding)
    assert any("(vector)" in reason for reason, _ in why.reasons)
    assert likewise.load(path, embed=embedding).predict_proba(PILE)[:, 1].tolist() == scores.tolist()
    corrected = likewise.update(found.model, like=["cash for me"])
    assert likewise.score(corrected, PILE) is not None

    other = tmp_path / "other.vec"
    other.write_text("refund 1 2\n")
    with pytest.raises(ValueError, match=r"`other.vec` is another \(hash "):
        likewise.score(path, PILE, embed=other)
    with pytest.raises(ValueError, match="without an embedding"):
        likewise.score(likewise.find(LIKE, PILE, method="nb").model, PILE, embed=embedding)
    with pytest.raises(FileNotFoundError):
        likewise.find(LIKE, PILE, embed=tmp_path / "gone.vec")


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_workers_are_told_where_the_embedding_is(embedding):
    pyarrow = pytest.importorskip("pyarrow")
    found = likewise.find(LIKE, PILE, method="logistic", embed=embedding)
    rows = pyarrow.table({"text": PILE})
    with pytest.raises(ValueError, match="give it with embed"):
        likewise.arrow.score_batches(found.model)(rows)
    scorer = pickle.loads(pickle.dumps(likewise.arrow.score_batches(found.model, embed=embedding)))
    assert scorer(rows)["score"].to_pylist() == likewise.score(found.model, PILE)["score"].tolist()
