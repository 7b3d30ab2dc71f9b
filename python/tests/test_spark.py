"""On a real Spark: the sample, the model and the scores of the command line, whatever the partitions and whoever dies."""

import json
import os
import random
import shutil
import subprocess
import sys

import numpy as np
import pytest

from support import bits

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)

TOPIC = ["refund", "money", "back", "order", "return", "receipt"]
ROWS = 20_000
SAMPLE = 3_000


def collected(frame):
    """All rows as Arrow; Spark 3.5 knows no ``toArrow``."""
    return frame.toArrow() if hasattr(frame, "toArrow") else pyarrow.Table.from_pandas(frame.toPandas())


@pytest.fixture(scope="module")
def session():
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Four tries a task, so that one whose worker dies is tried again.
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "3000").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import pyarrow.parquet

    draw = random.Random(3)
    folder = tmp_path_factory.mktemp("pile")

    def message(about: bool) -> str:
        words = [f"w{int(2000 ** draw.random())}" for _ in range(8)]
        if about:
            words[:3] = draw.sample(TOPIC, 3)
        return " ".join(words)

    like = [message(True) for _ in range(60)]
    pile = [message(row % 20 == 0) for row in range(ROWS - 2)] + like[:2]
    ids = [f"n{row}" for row in range(ROWS)]
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": pile}), folder / "pile.parquet")
    like_ids = [f"e{row}" for row in range(len(like))]
    pyarrow.parquet.write_table(pyarrow.table({"id": like_ids, "text": like}), folder / "like.parquet")
    command = [
        sys.executable, "-m", "likewise", "find", "--like", folder / "like.parquet", "--in", folder / "pile.parquet", "--sample", str(SAMPLE),
        "--method", "nb", "--output", folder / "ranked.parquet", "--model", folder / "nb.model", "--quiet",
    ]
    subprocess.run([str(part) for part in command], check=True)
    return folder


def frames(session, folder, partitions):
    like = session.read.parquet(str(folder / "like.parquet"))
    return like, session.read.parquet(str(folder / "pile.parquet")).repartition(partitions)


@pytest.mark.parametrize("partitions", [1, 5])
def test_the_model_is_that_of_the_command_line(session, folder, partitions):
    import likewise.spark

    model = likewise.spark.fit(*frames(session, folder, partitions), sample=SAMPLE, method="nb")
    assert model == (folder / "nb.model").read_bytes()
    other = likewise.spark.fit(*frames(session, folder, partitions), sample=SAMPLE, method="nb", seed=1)
    assert other != model


def test_ids_that_repeat_are_sampled_all_the_same(session, folder):
    import likewise.spark
    import pyarrow.parquet
    from pyspark.sql import functions as F

    like, pile = frames(session, folder, 3)
    few = pile.withColumn("id", F.concat(F.lit("n"), (F.substring("id", 2, 9).cast("int") % 3).cast("string")))
    pyarrow.parquet.write_table(collected(few), folder / "few.parquet")
    command = [
        sys.executable, "-m", "likewise", "find", "--like", folder / "like.parquet", "--in", folder / "few.parquet", "--sample", str(SAMPLE),
        "--method", "nb", "--output", folder / "few.csv", "--model", folder / "few.model", "--quiet",
    ]
    subprocess.run([str(part) for part in command], check=True)
    assert likewise.spark.fit(like, few, sample=SAMPLE, method="nb") == (folder / "few.model").read_bytes()


def learned(model: bytes) -> dict:
    """What a model file holds, without what sums cannot tell: where rows stand that later ones are compared with."""
    end = 8 + int.from_bytes(model[:8], "little")
    header = json.loads(model[8:end])
    values = json.loads(header.pop("__metadata__")["likewise"])
    tensors = {name: model[end:][slice(*told["data_offsets"])] for name, told in header.items()}
    held = {**values, **tensors}
    return {name: value for name, value in held.items() if name != "checksum" and not name.startswith("baseline/")}


@pytest.mark.parametrize("method, given", [("nb", {}), ("pnb", {"prior": 0.1}), ("apnb", {}), ("prototype", {})])
def test_sums_on_two_partitionings_give_the_model_of_find(session, folder, method, given):
    import likewise.spark

    models = []
    for partitions in (1, 7):
        like, pile = frames(session, folder, partitions)
        with pytest.warns(likewise.LikewiseWarning, match="2 rows of the pile have the content"):
            models.append(likewise.spark.count(pile, like, method=method, **given))
    assert models[0] == models[1]
    command = [
        sys.executable, "-m", "likewise", "find", "--like", folder / "like.parquet", "--in", folder / "pile.parquet",
        "--method", method, "--cut", "natural", "--model", folder / f"{method}-whole.model", "--quiet",
        *(part for name, value in given.items() for part in ("--set", f"{name}={value}")),
    ]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    assert learned(models[0]) == learned((folder / f"{method}-whole.model").read_bytes())


def test_what_needs_rows_is_not_counted(session, folder):
    import likewise.spark

    like, pile = frames(session, folder, 2)
    with pytest.raises(likewise.ParameterError, match="those that learn from sums are"):
        likewise.spark.count(pile, like, method="logistic")
    with pytest.raises(likewise.ParameterError, match="prior"):
        likewise.spark.count(pile, like, method="pnb")


def test_find_ranks_all_but_copies_with_the_bits_of_the_command_line(session, folder):
    import likewise.spark
    import pyarrow.parquet

    found = likewise.spark.find(*frames(session, folder, 3), sample=SAMPLE, method="nb")
    ranked = pyarrow.parquet.read_table(folder / "ranked.parquet").sort_by("id")
    rows = collected(found.rows.select("id", "score", "positive")).sort_by("id")
    assert rows["id"].to_pylist() == ranked["id"].to_pylist()
    assert bits(rows["score"].to_numpy()) == bits(ranked["score"].to_numpy())
    answer = found.answer
    assert (answer.ranked, answer.copies) == (ROWS - 2, 2)
    assert answer.positive == sum(ranked["positive"].to_pylist())
    assert "copies-of-examples" in [note.code for note in answer.notes]
    assert f"of the {ROWS - 2:,} rows" in repr(answer)


def test_scores_are_those_of_the_command_line(session, folder):
    import likewise.spark
    import pyarrow.parquet

    _, pile = frames(session, folder, 4)
    scored = collected(likewise.spark.score(pile, folder / "nb.model").select("id", "score")).sort_by("id")
    ranked = pyarrow.parquet.read_table(folder / "ranked.parquet")
    known = dict(zip(ranked["id"].to_pylist(), ranked["score"].to_pylist()))
    pairs = [(known[name], score) for name, score in zip(scored["id"].to_pylist(), scored["score"].to_pylist()) if name in known]
    assert len(pairs) == ROWS - 2 and scored.num_rows == ROWS
    assert bits(np.array([pair[0] for pair in pairs])) == bits(np.array([pair[1] for pair in pairs]))


def test_an_embedding_and_probabilities_reach_the_workers(session, folder):
    import likewise.spark
    import pyarrow.parquet

    vectors = folder / "tiny.vec"
    vectors.write_text("".join(f"{word} 1 {at}\n" for at, word in enumerate(TOPIC)) + "w1 -1 0\nw2 -1 1\nw3 -1 2\n")
    command = [
        sys.executable, "-m", "likewise", "find", "--like", folder / "like.parquet", "--in", folder / "pile.parquet", "--sample", str(SAMPLE),
        "--method", "logistic", "--embed", vectors, "--probabilities", "--output", folder / "embedded.parquet",
        "--model", folder / "embedded.model", "--quiet",
    ]
    subprocess.run([str(part) for part in command], check=True)
    like, pile = frames(session, folder, 3)
    found = likewise.spark.find(like, pile, sample=SAMPLE, method="logistic", embed=vectors)
    ranked = pyarrow.parquet.read_table(folder / "embedded.parquet").sort_by("id")
    rows = collected(found.rows.select("id", "score")).sort_by("id")
    assert rows["id"].to_pylist() == ranked["id"].to_pylist()
    assert bits(rows["score"].to_numpy()) == bits(ranked["score"].to_numpy())
    probable = likewise.spark.score(pile, folder / "embedded.model", probabilities=True, embed=vectors)
    scored = collected(probable)
    known = dict(zip(ranked["id"].to_pylist(), ranked["probability"].to_pylist()))
    told = dict(zip(scored["id"].to_pylist(), scored["probability"].to_pylist()))
    assert {name: told[name] for name in known} == known


def test_a_worker_that_dies_is_tried_again(session, folder, tmp_path):
    from likewise.arrow import score_batches

    _, pile = frames(session, folder, 4)
    scorer, mark = score_batches(folder / "nb.model"), str(tmp_path / "died")

    def dies_once(batches):
        for batch in scorer(batches):
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
            else:
                os._exit(1)

    schema = "id string, text string, score double, positive boolean"
    rows = collected(pile.mapInArrow(dies_once, schema).select("id", "score")).sort_by("id")
    assert os.path.exists(mark)
    whole = scorer(collected(pile).sort_by("id"))
    assert rows["id"].to_pylist() == whole["id"].to_pylist()
    assert bits(rows["score"].to_numpy()) == bits(whole["score"].to_numpy())


def test_a_pipeline_learns_is_saved_and_scores_the_same(session, folder, tmp_path):
    from likewise.spark import LikewiseEstimator
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.sql import functions as F

    like, pile = frames(session, folder, 2)
    rows = like.withColumn("label", F.lit(True)).unionByName(pile.withColumn("label", F.lit(None).cast("boolean")))
    fitted = Pipeline(stages=[LikewiseEstimator(method="nb", sample=SAMPLE)]).fit(rows)
    fitted.save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    assert loaded.stages[0].bytes == fitted.stages[0].bytes
    columns = ["id", "score", "positive"]
    again, before = (collected(model.transform(pile).select(columns)) for model in (loaded, fitted))
    assert again == before
