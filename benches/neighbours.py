"""The cosine graph: likewise against scikit-learn's brute force, with the same neighbours.

    python3 benches/neighbours.py [--k 15] [--rounds 2]

The work of every graph method: the 15 nearest of each of the 19,997 messages of 20 Newsgroups by the
cosine of their tf-idf rows, on one thread. The peer is `NearestNeighbors(algorithm="brute",
metric="cosine")`. Both sides must find the same neighbours; where they differ, the cosines must be equal
but for rounding. The cost at 5,000, 10,000 and 20,000 rows is printed as well. Reading is not timed.
"""

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

import race

PEERS = ["numpy==2.3.4", "scipy==1.16.3", "scikit-learn==1.7.2"]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Cosine neighbours, against scikit-learn.")
    arguments.add_argument("--k", type=int, default=15)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--prepare", metavar="FOLDER")
    arguments.add_argument("--peer", nargs=2, metavar=("K", "FOLDER"))
    arguments.add_argument("--compare", metavar="FOLDER")
    options = arguments.parse_args()
    if options.prepare:
        return prepare(Path(options.prepare))
    if options.peer:
        return search_with_peer(int(options.peer[0]), Path(options.peer[1]))
    if options.compare:
        return compare(Path(options.compare))

    race.data("20newsgroups/20news-19997.jsonl.gz")
    python = race.virtualenv(*PEERS)
    program = race.driver("neighbours")
    with race.workplace() as folder:
        rows, found = Path(folder) / "rows", Path(folder) / "ours"
        race.check([python, __file__, "--prepare", folder])
        one = race.alternate({
            "scikit-learn": [python, __file__, "--peer", options.k, folder],
            "likewise, one thread": [program, options.k, rows, found],
        }, options.rounds, threads=1)
        race.check([python, __file__, "--compare", folder])
        both = race.alternate({"likewise, both cores": [program, options.k, rows, found]}, options.rounds, threads=2)
        grown = race.alternate({
            f"likewise, one thread, {n:,} rows": [program, options.k, first(rows, n), found]
            for n in (5_000, 10_000, 20_000)
        }, 1, threads=1)
        race.table(one | both | grown)
    race.finish([race.Ratio("one thread", one["scikit-learn"], one["likewise, one thread"], wanted=3)])


def first(rows: Path, n: int) -> Path:
    """A file with the first n rows."""
    part = rows.with_name(f"rows{n}")
    part.write_text("".join(rows.read_text().splitlines(keepends=True)[:n]))
    return part


def prepare(folder: Path) -> None:
    """Tf-idf rows of the messages, in an order that mixes the groups."""
    import numpy as np
    from scipy.sparse import save_npz
    from sklearn.feature_extraction.text import TfidfVectorizer

    with gzip.open(race.data("20newsgroups/20news-19997.jsonl.gz"), "rt", encoding="utf-8") as lines:
        texts = [f"{row.get('subject', '')} {row['text']}" for row in map(json.loads, lines)]
    x = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2, dtype=np.float32).fit_transform(texts)
    x = x[np.random.default_rng(0).permutation(x.shape[0])]
    x.sort_indices()
    save_npz(folder / "rows.npz", x)
    with (folder / "rows").open("w") as out:
        for start, end in zip(x.indptr, x.indptr[1:]):
            entries = zip(x.indices[start:end], x.data[start:end])
            out.write(" ".join(f"{j}:{v:.9g}" for j, v in entries) + "\n")


def search_with_peer(k: int, folder: Path) -> None:
    import numpy as np
    from scipy.sparse import load_npz
    from sklearn.neighbors import NearestNeighbors

    x = load_npz(folder / "rows.npz")
    started = time.perf_counter()
    found = NearestNeighbors(n_neighbors=k, algorithm="brute", metric="cosine").fit(x).kneighbors()[1]
    seconds = time.perf_counter() - started
    np.save(folder / "theirs.npy", found)
    print(json.dumps({"seconds": seconds}))


def compare(folder: Path) -> None:
    """Where the neighbours differ, the cosines must be the same but for rounding."""
    import numpy as np
    from scipy.sparse import load_npz

    x = load_npz(folder / "rows.npz").astype(np.float64)
    theirs = np.load(folder / "theirs.npy")
    differ = rounding = 0
    for i, line in enumerate((folder / "ours").read_text().splitlines()):
        ours = list(map(int, line.split()))
        if set(ours) == set(theirs[i]):
            continue
        differ += 1
        cosines = [np.sort((x[list(rows)] @ x[i].T).toarray().ravel())[::-1] for rows in (ours, theirs[i])]
        # Rows that are not alike at all are no neighbours of ours.
        padded = np.pad(cosines[0], (0, len(cosines[1]) - len(cosines[0])))
        if np.abs(padded - cosines[1]).max() > 1e-6:
            sys.exit(f"row {i}: cosines {padded} where scikit-learn has {cosines[1]}")
        rounding += 1
    print(f"same neighbours: {theirs.shape[0] - differ} rows, {rounding} more but for equal cosines", flush=True)


if __name__ == "__main__":
    sys.exit(main())
