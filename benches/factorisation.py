"""KL-NMF: likewise against scikit-learn's multiplicative updates, to the same divergence.

    python3 benches/factorisation.py [--iterations 300] [--trials 10] [--rounds 2]

The work of `nmfpul`: the tf-idf rows of fbis (17 topics) and wap (20 topics), 300 updates from a given
start. The peer is `NMF(solver="mu", beta_loss="kullback-leibler")` on a sparse matrix, its stopping rule
off. Both sides must end at the same divergence to a thousandth. Then ten trials of `nmfpul` side by side
are set against ten one after the other. Reading the rows is not timed.
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
    program = race.example("factorise")
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
            same_divergence(one | both)
            race.table(one | both | many)
            ratios += [
                race.Ratio(f"{name}, one thread", *one.values(), wanted=18),
                race.Ratio(f"{name}, both cores", *both.values(), wanted=30),
                race.Ratio(f"{name}, trials side by side against in turn", *many.values(), wanted=1),
            ]
    race.finish(ratios)


def same_divergence(runs: dict[str, race.Outcome]) -> None:
    """All start at the same numbers, so all must end at the same divergence."""
    ends = {name: outcome.answer["divergence"] for name, outcome in runs.items()}
    least, most = min(ends.values()), max(ends.values())
    if most > least * 1.001:
        sys.exit(f"the contestants end at different divergences: {ends}")
    print(f"\nall end at a divergence of {least:.2f} to {most:.2f}")


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
        np.array([float(x) for row in rows for _, x in row], np.float32),
        [int(j) for row in rows for j, _ in row],
        ends,
    ))
    start = np.fromfile(folder / "start", "<f4")
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
