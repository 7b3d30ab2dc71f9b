"""Arrow batches of any engine get the scores of the command line, on workers that have little installed."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import likewise
from support import PILE, REFUNDS, bits

pyarrow = pytest.importorskip("pyarrow")

ROWS = [*PILE, *REFUNDS[::-1], "", "zebra"] * 30


@pytest.fixture(scope="module")
def model() -> bytes:
    return likewise.find(REFUNDS, PILE, method="logistic").model._model.to_bytes()


def rows() -> "pyarrow.Table":
    return pyarrow.table({"id": list(range(len(ROWS))), "text": ROWS})


def expected(model: bytes) -> np.ndarray:
    return likewise.score(model, ROWS)["score"].to_numpy()


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_batches_of_any_size_get_the_same_bits(model, size):
    scorer = likewise.arrow.score_batches(model)
    batches = list(scorer(rows().to_batches(max_chunksize=size)))
    assert all(isinstance(batch, pyarrow.RecordBatch) for batch in batches)
    scored = pyarrow.Table.from_batches(batches)
    assert scored.column_names == ["id", "text", "score", "positive"]
    assert scored.schema == scorer.schema(rows().schema)
    assert bits(scored["score"].to_numpy()) == bits(expected(model))
    assert scored["positive"].to_pylist() == [score >= 0.5 for score in expected(model)]
    assert scored["id"].to_pylist() == list(range(len(ROWS)))


def test_the_command_line_gives_the_same_bits(model, tmp_path):
    (tmp_path / "refunds.model").write_bytes(model)
    (tmp_path / "rows.txt").write_text("".join(f"{row}\n" for row in ROWS if row))
    out = tmp_path / "scored.parquet"
    command = ["score", str(tmp_path / "refunds.model"), "--in", str(tmp_path / "rows.txt"), "--output", str(out)]
    subprocess.run([sys.executable, "-m", "likewise", *command, "--quiet"], check=True)
    import pyarrow.parquet

    table = pyarrow.table({"text": [row for row in ROWS if row]})
    scored = likewise.arrow.score_batches(str(tmp_path / "refunds.model"))(table)
    assert bits(scored["score"].to_numpy()) == bits(pyarrow.parquet.read_table(out)["score"].to_numpy())


def test_a_scorer_is_sent_by_pickle_and_keeps_what_it_is_told(model):
    scorer = pickle.loads(pickle.dumps(likewise.arrow.score_batches(model, keep=["id"])))
    scored = scorer(rows())
    assert scored.column_names == ["id", "score", "positive"]
    assert bits(scored["score"].to_numpy()) == bits(expected(model))


def test_empty_and_missing_texts_are_rows_too(model):
    scorer = likewise.arrow.score_batches(likewise.load(model))
    assert scorer(rows().slice(0, 0)).num_rows == 0
    scored = scorer(pyarrow.record_batch({"text": pyarrow.array([None, "refund my money"])}))
    assert scored["score"].to_pylist()[0] == 0.0 and scored["positive"].to_pylist() == [False, True]


def test_what_cannot_be_scored_is_said(model):
    scorer = likewise.arrow.score_batches(model)
    with pytest.raises(ValueError, match="has a column 'score'|have a column 'score'"):
        scorer(pyarrow.table({"text": ["a"], "score": [1.0]}))
    with pytest.raises(likewise.DataError, match="text"):
        scorer(pyarrow.table({"body": ["a"], "title": ["b"]}))
    with pytest.raises(TypeError, match="no model"):
        likewise.arrow.score_batches(3)


WORKER = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("sklearn", "scipy", "pandas", "joblib"):
            raise ImportError(name + " is not installed here")

sys.meta_path.insert(0, Absent())
import pickle, likewise.arrow, pyarrow
scorer = pickle.load(sys.stdin.buffer)
print(scorer(pyarrow.table({"text": ["refund my money", "late parcel"]}))["positive"].to_pylist())
"""


def test_a_worker_needs_neither_scikit_learn_nor_scipy(model):
    sent = pickle.dumps(likewise.arrow.score_batches(model))
    ran = subprocess.run([sys.executable, "-c", WORKER], input=sent, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout.decode().strip() == "[True, False]"


def test_duckdb_streams_through_it(model, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    import pyarrow.parquet

    pyarrow.parquet.write_table(rows(), tmp_path / "rows.parquet")
    # A connection answers one question at a time.
    source, sink = duckdb.connect(), duckdb.connect()
    reader = source.sql(f"SELECT * FROM '{tmp_path}/rows.parquet' ORDER BY id").to_arrow_reader(50)
    scorer = likewise.arrow.score_batches(model)
    scored = pyarrow.RecordBatchReader.from_batches(scorer.schema(reader.schema), scorer(reader))
    found = sink.sql("SELECT score FROM scored").fetchnumpy()["score"]
    assert bits(found) == bits(expected(model))


def test_polars_frames_go_through_it(model):
    polars = pytest.importorskip("polars")
    scored = polars.from_arrow(likewise.arrow.score_batches(model)(polars.from_arrow(rows()).to_arrow()))
    assert bits(scored["score"].to_numpy()) == bits(expected(model))


def test_sums_of_any_parts_give_one_model_of_every_row():
    positives = pyarrow.table({"text": REFUNDS})
    counting = likewise.arrow.count_batches(positives, method="nb", prior=0.2)
    counter = pickle.loads(pickle.dumps(counting.counter))
    whole = counting.finish([counter(rows())])
    batches = rows().to_batches(max_chunksize=17)
    assert counting.finish(counter(batch) for batch in reversed(batches)) == whole
    assert counting.finish([counter(batches[:3]), counter([]), counter(iter(batches[3:]))]) == whole
    with pytest.raises(likewise.ParameterError, match="nb, "):
        likewise.arrow.count_batches(positives, method="auto")
