"""A Spark cluster of two workers on this machine's own addresses: an executor is killed with tasks under way, slow
tasks are tried twice, and every row still comes out once, with the bits of the command line."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from support import bits

pyarrow = pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)

ROWS = 20_000
PARTITIONS = 16
# Spark makes no second copy of a task on the host that runs the first, so the workers are two hosts.
HOSTS = ["127.0.0.1", "127.0.0.2"]
PATIENCE = 120.0


class Part:
    """A process of the cluster, and what it has said so far."""

    def __init__(self, work, *arguments: str) -> None:
        program = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class")
        environment = {**os.environ, "SPARK_NO_DAEMONIZE": "1", "SPARK_WORKER_DIR": str(work), "PYSPARK_PYTHON": sys.executable}
        self.process = subprocess.Popen(
            [program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )
        self.said: list[str] = []
        threading.Thread(target=lambda: self.said.extend(self.process.stdout), daemon=True).start()

    def wait_for(self, pattern: str) -> re.Match:
        def look():
            return next((found for line in list(self.said) if (found := re.search(pattern, line))), None)

        return until(look, lambda: f"no `{pattern}` in\n" + "".join(self.said))

    def stop(self) -> None:
        """Ends it and the executors that it started: they are of its own group."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def until(look, why):
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    pytest.fail(why())


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Address of a master, and its two workers."""
    work, parts = tmp_path_factory.mktemp("cluster"), []
    try:
        master = Part(work, "org.apache.spark.deploy.master.Master", "--host", HOSTS[0], "--port", "0", "--webui-port", "0")
        parts.append(master)
        address = master.wait_for(r"spark://127\.0\.0\.1:\d+")[0]
        for host in HOSTS:
            options = ["--host", host, "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", str(work / host)]
            parts.append(Part(work, "org.apache.spark.deploy.worker.Worker", *options, address))
        for worker in parts[1:]:
            worker.wait_for("Successfully registered with master")
        yield address, parts[1:]
    finally:
        for part in reversed(parts):
            part.stop()


@pytest.fixture(scope="module")
def session(cluster):
    from pyspark.sql import SparkSession

    address, _ = cluster
    os.environ["SPARK_LOCAL_IP"] = HOSTS[0]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": HOSTS[0],
        "spark.driver.bindAddress": HOSTS[0],
        "spark.executor.memory": "512m",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "500",
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.multiplier": "1.5",
        "spark.speculation.quantile": "0.5",
    }
    builder = SparkSession.builder.master(address)
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A pile, a model of it, and the scores that the command line gives."""
    import random

    import pyarrow.parquet

    draw, folder = random.Random(5), tmp_path_factory.mktemp("pile")
    topic = ["refund", "money", "back", "order", "return"]

    def message(about: bool) -> str:
        words = [f"w{int(2000 ** draw.random())}" for _ in range(9)]
        return " ".join(words if not about else words[:6] + draw.sample(topic, 3))

    for name, rows in (("like", [message(True) for _ in range(40)]), ("pile", [message(row % 20 == 0) for row in range(ROWS)])):
        ids = [f"{name}{row}" for row in range(len(rows))]
        pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": rows}), folder / f"{name}.parquet")
    run = [sys.executable, "-m", "likewise"]
    found = ["--like", folder / "like.parquet", "--in", folder / "pile.parquet", "--method", "nb", "--model", folder / "nb.model"]
    scored = [folder / "nb.model", "--in", folder / "pile.parquet", "--output", folder / "scored.parquet"]
    for command in ([*run, "find", *found, "--top", "1", "--quiet"], [*run, "score", *scored, "--quiet"]):
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return folder


def scores_of(session, folder, begun):
    """Scores by tasks that leave a file for each batch they begin. The first of all leaves the number of its executor too,
    and goes on when another has begun the same batch."""
    from likewise.arrow import score_batches

    scorer, begun = score_batches(folder / "nb.model"), str(begun)

    def left(name: str) -> bool:
        try:
            os.close(os.open(os.path.join(begun, name), os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False

    def scored(batches):
        for batch in scorer(batches):
            name = batch.column("id")[0].as_py()
            first = left(name)
            if not first:
                left(f"again-{name}")
            if first and left("first"):
                # A Python worker is forked by one that the executor started.
                with open(f"/proc/{os.getppid()}/stat") as parent, open(os.path.join(begun, "executor"), "w") as out:
                    out.write(parent.read().rpartition(")")[2].split()[1] + "\n")
                end = time.monotonic() + PATIENCE
                while not os.path.exists(os.path.join(begun, f"again-{name}")) and time.monotonic() < end:
                    time.sleep(0.1)
            yield batch

    schema = "id string, text string, score double, positive boolean"
    pile = session.read.parquet(str(folder / "pile.parquet")).repartition(PARTITIONS)
    return pile.mapInArrow(scored, schema).select("id", "score").toArrow().sort_by("id")


def begun_again(begun) -> list[str]:
    return [name for name in os.listdir(begun) if name.startswith("again-")]


def same_as_the_command_line(folder, rows):
    import pyarrow.parquet

    known = pyarrow.parquet.read_table(folder / "scored.parquet").sort_by("id")
    assert rows["id"].to_pylist() == known["id"].to_pylist()
    assert bits(rows["score"].to_numpy()) == bits(known["score"].to_numpy())


def test_an_executor_that_is_killed_loses_and_doubles_nothing(session, folder, tmp_path):
    told, killed = tmp_path / "executor", []

    def kill():
        until(lambda: told.exists() and told.read_text().endswith("\n"), lambda: "no task has begun")
        executor = int(told.read_text())
        with open(f"/proc/{executor}/cmdline") as command:
            assert "ExecutorBackend" in command.read()
        os.kill(executor, signal.SIGKILL)
        killed.append(executor)

    killer = threading.Thread(target=kill)
    killer.start()
    rows = scores_of(session, folder, tmp_path)
    killer.join()
    assert len(killed) == 1 and begun_again(tmp_path), "what the dead one had begun is done again"
    same_as_the_command_line(folder, rows)


def test_a_task_that_is_tried_twice_gives_its_rows_once(session, folder, tmp_path):
    rows = scores_of(session, folder, tmp_path)
    assert begun_again(tmp_path), "no second copy of the task that waits was made"
    same_as_the_command_line(folder, rows)


def test_the_model_does_not_depend_on_the_cluster(session, folder):
    import likewise.spark

    like, pile = (session.read.parquet(str(folder / f"{name}.parquet")) for name in ("like", "pile"))
    models = [likewise.spark.count(pile.repartition(parts), like, method="nb") for parts in (3, 11)]
    assert models[0] == models[1]
