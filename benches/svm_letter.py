"""Kernel SVMs on letter: likewise against scikit-learn's SVC, NuSVC and OneClassSVM (LIBSVM).

    python3 benches/svm_letter.py [--rows 2000 5000 10000 20000] [--rounds 3] [--processor]

The work: the first n rows of letter, 16 raw columns, radial kernel with gamma 1/16, tolerance 1e-3, 500 MB of
kernel cache. svc: A-M against N-Z, C = 1; nusvc: the same, nu = 0.1; oneclass: nu = 0.1. Both must reach the
same dual objective within 1e-6. `--processor` compares processor time, for busy machines. The peer has one
thread; so has the first of our contestants.
"""

import argparse
import gzip
import json
import math
import sys
import time
from pathlib import Path

import race
import rows

PEER = "scikit-learn==1.9.1"
TASKS = ("svc", "nusvc", "oneclass")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Kernel SVMs, against scikit-learn.")
    arguments.add_argument("--rows", type=int, nargs="+", default=[2000, 5000, 10000, 20000])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--processor", action="store_true")
    arguments.add_argument("--peer", nargs=2, metavar=("TASK", "FILE"), help="the peer's side; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return learn_with_peer(*options.peer, options.processor)

    source = race.data("letter/letter.csv.gz")
    python = race.virtualenv(PEER)
    ours = race.driver("margin_race")
    clock = ["--processor"] if options.processor else []
    ratios, times = [], {}
    with race.workplace() as folder:
        for n in options.rows:
            file = Path(folder) / f"letter{n}"
            race.check([python, __file__, "--peer", "write", f"{source}:{n}:{file}"])
            for task in TASKS:
                peer, one, two = f"{task} {n}, scikit-learn", f"{task} {n}, 1 thread", f"{task} {n}, 2 threads"
                runs = race.alternate({
                    peer: [python, __file__, "--peer", task, file, *clock],
                    one: [ours, task, file, "--threads", 1, *clock],
                    two: [ours, task, file, "--threads", 2, *clock],
                }, options.rounds)
                race.table(runs)
                objective = runs[peer].answer["objective"]
                for name in (one, two):
                    error = abs(runs[name].answer["objective"] / objective - 1)
                    print(f"{name}: objective {runs[name].answer['objective']:.6f}, off by {error:.1e}")
                    if error > 2e-6:
                        sys.exit(f"the objectives differ: {objective} and {runs[name].answer['objective']}")
                times.setdefault(task, []).append((n, runs[peer].seconds, runs[one].seconds))
                last = n == 20000
                ratios.append(race.Ratio(f"{task}, {n} rows, 1 thread", runs[peer], runs[one], 3 if last else None))
                if not options.processor:
                    ratios.append(race.Ratio(f"{task}, {n} rows, 2 threads", runs[peer], runs[two], 5 if last else None))
    for task, found in times.items():
        (n, theirs, mine), (m, theirs_last, mine_last) = found[0], found[-1]
        if m > n:
            growth = [math.log(b / a) / math.log(m / n) for a, b in ((theirs, theirs_last), (mine, mine_last))]
            print(f"{task}: time grows as n^{growth[0]:.2f} for scikit-learn, n^{growth[1]:.2f} for likewise")
    race.finish(ratios)


def learn_with_peer(task: str, file: str, processor: bool) -> None:
    import numpy as np

    if task == "write":
        source, n, out = file.split(":")
        with gzip.open(source, "rt") as lines:
            table = [line.strip().split(",") for line in lines][1 : int(n) + 1]
        x = np.array([row[1:] for row in table], np.float32)
        return rows.write(Path(out), x, [row[0] <= "M" for row in table])
    from sklearn.svm import SVC, NuSVC, OneClassSVM

    x, labelled, _ = rows.read(Path(file))
    common = {"gamma": 1 / x.shape[1], "cache_size": 500, "tol": 1e-3}
    model = {"svc": SVC(C=1, **common), "nusvc": NuSVC(nu=0.1, **common), "oneclass": OneClassSVM(nu=0.1, **common)}[task]
    clock = time.process_time if processor else time.perf_counter
    started = clock()
    model.fit(x, labelled * 2 - 1)
    seconds = clock() - started

    # ½ βᵀKβ, less Σ|β| for svc; nusvc's weights come divided by the width of the margin.
    beta, support = model.dual_coef_[0], model.support_vectors_
    if task == "nusvc":
        beta = beta / np.abs(beta).max()
    squares = (support**2).sum(1)
    quadratic = 0.0
    for from_ in range(0, len(beta), 1000):
        part = support[from_ : from_ + 1000]
        distances = squares[from_ : from_ + 1000, None] + squares[None] - 2 * part @ support.T
        quadratic += beta[from_ : from_ + 1000] @ (np.exp(-distances / x.shape[1]) @ beta)
    objective = quadratic / 2 - (np.abs(beta).sum() if task == "svc" else 0)
    print(json.dumps({"seconds": seconds, "objective": objective, "support": len(beta)}))


if __name__ == "__main__":
    main()
