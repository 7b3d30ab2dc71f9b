"""What every race against a peer shares: a virtualenv, fair timing, peak memory, the ratio last.

A race is one script in this folder. It installs the peer, builds our side, runs both on the same
work in turn, checks that both did the same work, and prints the ratio on its last line:

    import race

    python = race.virtualenv("scikit-learn==1.7.2")         # benches/.venv, made when missing
    ours = race.driver("count_words")                       # cargo build --release --bench …
    runs = race.alternate({
        "CountVectorizer": [python, "peers/counts.py", corpus],
        "likewise, 2 threads": [ours, corpus, "--threads", "2"],
    }, rounds=3)
    race.agree(runs, "vocabulary", "nonzeros")              # ends the race when the answers differ
    race.table(runs)
    race.finish([race.Ratio("2 threads", runs["CountVectorizer"], runs["likewise, 2 threads"], wanted=20)])

A contestant is a command. What it prints on the last line of its standard output may be a JSON
object: its fields are the run's `answer`, and a field `seconds` replaces the wall-clock time, so that
a contestant can leave loading its input out of the race. Contestants run in turn (A, B, A, B, …, never
A, A, B, B), alone, and the best round of each counts: noise only ever adds time. The table also tells
the processor time of each whole process, which is what to look at on a busy machine. Peak memory is the
largest resident set the kernel saw in the contestant's process (or in its largest child process).

Scripts put their big files under `race.workplace()`, a temporary folder that goes away at the end.
Data comes from `race.data("20newsgroups/…")`, which ends the script with a plain sentence when the
data folder is not there (`../shared/data`, or wherever LIKEWISE_DATA points).
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

BENCHES = Path(__file__).resolve().parent
ROOT = BENCHES.parent

# The kernel counts a process's memory before `exec` to the peak of the program it becomes, so a
# command started by a big Python process would look as big as that. This small one starts it instead.
LAUNCHER = """
import os, sys, time
started = time.perf_counter()
child = os.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
wall, worked = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
line = f"{wall} {worked} {usage.ru_maxrss * 1024} {os.waitstatus_to_exitcode(status)}"
os.write(int(sys.argv[1]), line.encode())
"""


@dataclass
class Outcome:
    """One run of one contestant: seconds, seconds of processor time, peak memory, and what it answered."""

    seconds: float
    processor_seconds: float
    peak_bytes: int
    answer: dict = field(default_factory=dict)


@dataclass
class Ratio:
    """How many times as fast `ours` is as `theirs`, and how many times it should be."""

    title: str
    theirs: Outcome
    ours: Outcome
    wanted: float | None = None

    @property
    def value(self) -> float:
        return self.theirs.seconds / self.ours.seconds


def virtualenv(*packages: str) -> Path:
    """The Python of `benches/.venv` with these packages installed."""
    python = BENCHES / ".venv" / "bin" / "python"
    if not python.exists():
        say(f"making {python.parent.parent.relative_to(ROOT)}")
        made = subprocess.run([sys.executable, "-m", "venv", python.parent.parent])
        if made.returncode != 0:
            sys.exit("could not make a virtualenv: on Debian, `apt-get install python3-venv` first")
    if packages:
        say("installing " + " ".join(packages))
        check([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
    return python


def driver(name: str, package: str = "likewise") -> Path:
    """Builds the program of a race with optimisation and returns its path."""
    return built(["--package", package, "--bench", name])


def binary(name: str = "likewise", package: str = "likewise-cli") -> Path:
    """Builds one of our programs with optimisation and returns its path."""
    return built(["--package", package, "--bin", name])


def built(what: list[str]) -> Path:
    """The program that `cargo build --release` makes of `what`."""
    say("building " + " ".join(what))
    command = ["cargo", "build", "--release", "--quiet", "--message-format=json", *what]
    messages = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if messages.returncode != 0:
        for message in map(json.loads, messages.stdout.splitlines()):
            if rendered := (message.get("message") or {}).get("rendered"):
                sys.stderr.write(rendered)
        sys.exit("the build failed")
    programs = [json.loads(line).get("executable") for line in messages.stdout.splitlines()]
    return Path(next(path for path in reversed(programs) if path))


def data(name: str) -> Path:
    """A file of the data folder."""
    folder = Path(os.environ.get("LIKEWISE_DATA", ROOT.parent / "shared" / "data"))
    path = folder / name
    if not path.exists():
        sys.exit(f"skipped: {path} is not there; point LIKEWISE_DATA at the folder that holds {name}")
    return path


def workplace() -> tempfile.TemporaryDirectory:
    """A folder for big files, for use in a `with` statement."""
    return tempfile.TemporaryDirectory(prefix="likewise-race-")


def run(command: list, threads: int | None = None, cwd: Path = BENCHES) -> Outcome:
    """Runs one command to its end. `threads` caps rayon, OpenMP and the BLAS libraries alike."""
    environment = dict(os.environ)
    if threads is not None:
        for name in ("RAYON", "OMP", "OPENBLAS", "MKL", "NUMEXPR"):
            environment[f"{name}_NUM_THREADS"] = str(threads)
    command = [str(part) for part in command]
    measured, measure = os.pipe()
    launched = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LAUNCHER, str(measure), *command],
        cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True, pass_fds=[measure],
    )
    os.close(measure)
    with os.fdopen(measured) as report:
        figures = report.read().split()
    if launched.returncode != 0 or len(figures) != 4 or int(figures[3]) != 0:
        sys.exit(f"failed: {' '.join(command)}\n{launched.stdout}")
    answer = last_object(launched.stdout)
    return Outcome(float(answer.get("seconds", figures[0])), float(figures[1]), int(figures[2]), answer)


def alternate(contestants: dict[str, list], rounds: int = 3, threads: int | None = None) -> dict[str, Outcome]:
    """The best of `rounds` runs of every contestant, run in turn."""
    best: dict[str, Outcome] = {}
    for turn in range(1, rounds + 1):
        for name, command in contestants.items():
            outcome = run(command, threads)
            say(f"round {turn}/{rounds}  {name}: {outcome.seconds:.3f} s, {mebibytes(outcome)}")
            if name not in best or outcome.seconds < best[name].seconds:
                best[name] = outcome
    return best


def agree(runs: dict[str, Outcome], *fields: str) -> None:
    """Ends the race when contestants answered differently: they did not do the same work."""
    for what in fields:
        answers = {name: outcome.answer.get(what) for name, outcome in runs.items()}
        if len(set(answers.values())) != 1 or None in answers.values():
            sys.exit(f"the contestants differ in {what}: {answers}")
        print(f"all agree: {what} = {next(iter(answers.values()))}")


def table(runs: dict[str, Outcome]) -> None:
    """Prints the machine and the best run of everybody."""
    load = ", ".join(f"{share:.2f}" for share in os.getloadavg())
    print(f"\n{platform.machine()}, {os.cpu_count()} cores, load {load}")
    width = max(map(len, runs))
    for name, outcome in runs.items():
        worked = f"({outcome.processor_seconds:.1f} s of processor time in all)"
        print(f"{name:<{width}}  {outcome.seconds:>9.3f} s  {mebibytes(outcome):>10}  {worked}")


def finish(ratios: list[Ratio]) -> None:
    """Prints the ratios, the last thing a race does, and fails the script when one is too small."""
    for ratio in ratios:
        wanted = "" if ratio.wanted is None else f" (wanted: {ratio.wanted:g})"
        print(f"ratio, {ratio.title}: {ratio.value:.2f}{wanted}", flush=True)
    sys.exit(any(ratio.wanted is not None and ratio.value < ratio.wanted for ratio in ratios))


def last_object(output: str) -> dict:
    """The JSON object on the last line of a contestant's output, or nothing."""
    lines = output.strip().splitlines()
    try:
        answer = json.loads(lines[-1]) if lines else {}
    except json.JSONDecodeError:
        return {}
    return answer if isinstance(answer, dict) else {}


def mebibytes(outcome: Outcome) -> str:
    return f"{outcome.peak_bytes / 2**20:,.0f} MiB"


def check(command: list) -> None:
    """Runs a command that must succeed."""
    if subprocess.run([str(part) for part in command], cwd=ROOT).returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def say(what: str) -> None:
    """Progress, on standard error: standard output is the result."""
    print(f"[{time.strftime('%H:%M:%S')}] {what}", file=sys.stderr, flush=True)
