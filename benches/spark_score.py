"""Scoring on Spark against `likewise score`: rows a second of one processor, on the same Parquet files.

    python3 benches/spark_score.py [--rows 2000000] [--method pseudo-smooth] [--rounds 3] [--wheel FILE]

The work: messages of twelve words (those of `benches/pile.py`) in eight Parquet files, a model learned from 30,000 of
them, and the score of every row. The command line writes its scores to Parquet with one thread; Spark runs with one task
at a time, and its scores are counted and summed, so that none can be left out. All processor time counts: that of the
driver, of Java and of the Python workers, from the moment the session stands and has scored one file. The sum of all
scores must agree. Without `--wheel` the package is built first.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import pile
import race

PARTS = 8
SAMPLE = 30_000
PEERS = ("pyspark==4.0.1", "pandas==2.3.3", "pyarrow==22.0.0", "psutil==7.1.3")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Scoring on Spark against the command line.")
    arguments.add_argument("--rows", type=int, default=2_000_000)
    arguments.add_argument("--method", default="pseudo-smooth")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--wheel", type=Path, help="a wheel of likewise instead of building one")
    arguments.add_argument("--side", choices=["spark", "command"], help="run one side only; the race does this")
    arguments.add_argument("--folder", type=Path, help="where that side finds the rows and the model")
    options = arguments.parse_args()
    if options.side:
        return {"spark": score_on_spark, "command": score_by_command}[options.side](options.folder)

    package = options.wheel.resolve() if options.wheel else race.ROOT
    python = race.virtualenv(*PEERS)
    race.check([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps", package])
    with race.workplace() as name:
        folder = Path(name)
        write(python, folder, options)
        sides = {side: [python, __file__, "--side", side, "--folder", folder] for side in ("command", "spark")}
        runs = race.alternate(sides, options.rounds)
        race.agree(runs, "rows", "sum")
        race.table(runs)
    for name, outcome in runs.items():
        print(f"{name}: {outcome.answer['rows'] / outcome.seconds:,.0f} rows a processor second")
    race.finish([race.Ratio("rows a processor second, Spark over the command line", runs["command"], runs["spark"])])


def write(python: Path, folder: Path, options: argparse.Namespace) -> None:
    like, rows = folder / "like.csv", folder / "rows"
    rows.mkdir()
    pile.write_rows(like, pile.EXAMPLES, seed=1, every=1)
    first = None
    for part in range(PARTS):
        one = folder / f"part-{part}.csv"
        pile.write_rows(one, options.rows // PARTS, seed=2 + part, every=pile.EVERY)
        first = first or one
        race.check([python, "-c", f"import pyarrow.csv, pyarrow.parquet; pyarrow.parquet.write_table(pyarrow.csv.read_csv({str(one)!r}), {str(rows / one.stem)!r} + '.parquet')"])
    race.check([python, "-m", "likewise", "find", "--like", like, "--in", first, "--sample", SAMPLE, "--method", options.method,
                "--model", folder / "kept.model", "--top", "1", "--quiet", "--output", folder / "ranked.csv"])


def score_by_command(folder: Path) -> None:
    """One process for all files; its own processor time is what counts."""
    import resource
    import subprocess

    out = folder / "scored"
    command = [sys.executable, "-m", "likewise", "score", folder / "kept.model", "--in", folder / "rows", "--output", f"{out}/", "--threads", "1", "--quiet"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    import pyarrow.compute
    import pyarrow.parquet

    scores = pyarrow.parquet.read_table(out, columns=["score"])["score"]
    tell(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, len(scores), pyarrow.compute.sum(scores).as_py())
    for path in out.iterdir():
        path.unlink()
    out.rmdir()


def score_on_spark(folder: Path) -> None:
    """One task at a time; the processor time of this process and of all that it started."""
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, RAYON_NUM_THREADS="1")
    import likewise.spark
    import psutil
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "50000").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    model = (folder / "kept.model").read_bytes()

    def scored(path: Path) -> tuple[int, float]:
        rows = likewise.spark.score(session.read.parquet(str(path)), model)
        row = rows.agg(F.count("score"), F.sum("score")).collect()[0]
        return row[0], row[1]

    def worked() -> float:
        me = psutil.Process()
        times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
        return sum(t.user + t.system + t.children_user + t.children_system for t in times)

    scored(next((folder / "rows").iterdir()))
    before, started = worked(), time.perf_counter()
    rows, total = scored(folder / "rows")
    print(f"Spark took {time.perf_counter() - started:.1f} s", file=sys.stderr)
    tell(worked() - before, rows, total)
    session.stop()


def tell(seconds: float, rows: int, total: float) -> None:
    # Spark adds in another order than Arrow does.
    json.dump({"seconds": seconds, "rows": rows, "sum": round(total, 3)}, sys.stdout)


if __name__ == "__main__":
    main()
