"""KL-NMF: likewise against scikit-learn's multiplicative updates, to a divergence no worse.

    python3 benches/factorisation.py [--iterations 300] [--trials 10] [--rounds 2]

The work of `nmfpul`: the tf-idf rows of fbis (17 topics) and wap (20 topics), 300 updates from a given
start. The peer is `NMF(solver="mu", beta_loss="kullback-leibler")` on a sparse matrix of doubles, as its
vectoriser gives it, its stopping rule off. Our divergence must not be more than a thousandth above its own
(it may be below: the peer holds small products up at 1e-7, we at 1e-10). Then ten trials of `nmfpul` side
by side are set against ten one after the other. Reading the rows is not timed.
"""

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

import race

PEERS = ["numpy==2.3.4", "scipy==1.16.3", "scikit-learn==1.7.2"]
COLLECTIONS = (("fbis", 17), ("wap", 20))


def main() -> None:
    arguments = argparse.ArgumentParser(description="KL-NMF, against scikit-learn.")
    arguments.add_argument("--iterations", type=int, default=300)
    arguments.add_argument("--trials", type=int, default=10, help="trials of nmfpul")
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--prepare", nargs=3, metavar=("NAME", "TOPICS", "FOLDER"))
    arguments.add_argument("--peer", nargs=3, metavar=("TOPICS", "ITERATIONS", "FOLDER"))
    options = arguments.parse_args()
    if options.prepare:
        name, topics, folder = options.prepare
        return prepare(name, int(topics), Path(folder))
    if options.peer:
        topics, iterations, folder = options.peer
        return factorise_with_peer(int(topics), int(iterations), Path(folder))

    for name, _ in COLLECTIONS:
        race.data(f"textcollections/{name}.svm.gz")
    python = race.virtualenv(*PEERS)
    program = race.driver("factorise")
    ratios = []
    for name, topics in COLLECTIONS:
        with race.workplace() as folder:
            race.check([python, __file__, "--prepare", name, topics, folder])
            rows, start = Path(folder) / "rows", Path(folder) / "start"
            theirs = [python, __file__, "--peer", topics, options.iterations, folder]
            ours = [program, "one", topics, options.iterations, rows, start]
            trials = [topics, options.iterations, rows, options.trials]
            one = race.alternate({
                f"{name}, scikit-learn, one thread": theirs,
                f"{name}, likewise, one thread": ours,
            }, options.rounds, threads=1)
            both = race.alternate({
                f"{name}, scikit-learn, both cores": theirs,
                f"{name}, likewise, both cores": ours,
            }, options.rounds, threads=2)
            many = race.alternate({
                f"{name}, {options.trials} trials in turn, one thread": [program, "in-turn", *trials],
                f"{name}, {options.trials} trials side by side, one thread": [program, "side-by-side", *trials],
            }, options.rounds, threads=1)
            no_worse(*one.values())
            no_worse(*both.values())
            race.table(one | both | many)
            ratios += [
                race.Ratio(f"{name}, one thread", *one.values(), wanted=18),
                race.Ratio(f"{name}, both cores", *both.values(), wanted=30),
                race.Ratio(f"{name}, trials side by side against in turn", *many.values(), wanted=1),
            ]
    race.finish(ratios)


def no_worse(theirs: race.Outcome, ours: race.Outcome) -> None:
    """Ends the race when our factors fit worse than the peer's: less work was done."""
    peer, here = theirs.answer["divergence"], ours.answer["divergence"]
    print(f"\ndivergence: {here:.1f}, the peer's {peer:.1f}")
    if here > peer * 1.001:
        sys.exit("our divergence is more than a thousandth above the peer's")


def prepare(name: str, topics: int, folder: Path) -> None:
    """Tf-idf rows of unit length, and a start at the scale of the data."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfTransformer

    ends, indices, counts = [0], [], []
    with gzip.open(race.data(f"textcollections/{name}.svm.gz"), "rt") as lines:
        for line in lines:
            for cell in line.split()[1:]:
                word, count = cell.split(":")
                indices.append(int(word) - 1)
                counts.append(float(count))
            ends.append(len(indices))
    v = TfidfTransformer().fit_transform(csr_matrix((counts, indices, ends))).astype(np.float32)
    v.sort_indices()
    with (folder / "rows").open("w") as out:
        for i in range(v.shape[0]):
            row = v[i]
            out.write(" ".join(f"{j}:{x:.9g}" for j, x in zip(row.indices, row.data)) + "\n")
    rng = np.random.default_rng(0)
    scale = np.sqrt(v.mean() / topics)
    start = [np.abs(rng.standard_normal((size, topics))).ravel() * scale for size in v.shape]
    np.concatenate(start).astype("<f4").tofile(folder / "start")


def factorise_with_peer(topics: int, iterations: int, folder: Path) -> None:
    import warnings

    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import NMF
    from sklearn.exceptions import ConvergenceWarning

    rows = [[cell.split(":") for cell in line.split()] for line in (folder / "rows").read_text().split("\n")[:-1]]
    ends = np.cumsum([0] + [len(row) for row in rows])
    v = csr_matrix((
        [float(x) for row in rows for _, x in row],
        [int(j) for row in rows for j, _ in row],
        ends,
    ))
    start = np.fromfile(folder / "start", "<f4").astype(np.float64)
    w = start[: v.shape[0] * topics].reshape(-1, topics).copy()
    h = start[v.shape[0] * topics :].reshape(-1, topics).T.copy()
    model = NMF(topics, solver="mu", beta_loss="kullback-leibler", init="custom", tol=0, max_iter=iterations)
    warnings.simplefilter("ignore", ConvergenceWarning)
    started = time.perf_counter()
    w = model.fit_transform(v, W=w, H=h)
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "divergence": divergence(v, w, model.components_)}))


def divergence(v, w, h) -> float:
    """The sum of v ln(v / wh) - v + wh."""
    import numpy as np

    v = v.tocoo()
    w, h = w.astype(np.float64), h.astype(np.float64)
    product = np.einsum("ij,ij->i", w[v.row], h.T[v.col])
    return float((v.data * np.log(v.data / (product + 1e-10)) - v.data).sum() + w.sum(0) @ h.sum(1))


if __name__ == "__main__":
    sys.exit(main())
