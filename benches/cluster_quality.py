"""Cluster quality of 19 splits: likewise against bit-packed numpy (LSN) and scikit-learn (ASW).

    python3 benches/cluster_quality.py [--rows 20000] [--words 2194] [--rounds 3]

The work of `onb-lsn` and `onb-asw`: positive naive Bayes splits the messages of disaster-dfe and
crisislex-t6 at 19 values of the prior, and every split is to be measured. LSN is the smallest
distance across the split; the peer compares all pairs of distinct rows across it, 64 words at a
time. ASW is the mean silhouette of the positive side; the peer is `silhouette_samples`. Reading the
rows is not timed. Both sides must give the same 19 qualities.
"""

import argparse
import gzip
import json
import re
import sys
import time
from pathlib import Path

import race

PEERS = ["numpy==2.3.4", "scipy==1.16.3", "scikit-learn==1.7.2"]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Cluster quality, against numpy and scikit-learn.")
    arguments.add_argument("--rows", type=int, default=20_000)
    arguments.add_argument("--words", type=int, default=2194)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--prepare", metavar="FOLDER", help="write the work only; the race does this")
    arguments.add_argument("--peer", nargs=2, metavar=("QUALITY", "FOLDER"), help="run a peer's side only")
    options = arguments.parse_args()
    if options.prepare:
        return prepare(Path(options.prepare), options.rows, options.words)
    if options.peer:
        return {"lsn": lsn_with_numpy, "asw": asw_with_scikit_learn}[options.peer[0]](Path(options.peer[1]))

    for name in ("disaster-dfe/disaster-dfe.jsonl.gz", "crisislex-t6/crisislex-t6.jsonl.gz"):
        race.data(name)
    python = race.virtualenv(*PEERS)
    program = race.driver("cluster_quality")
    ratios = []
    with race.workplace() as folder:
        race.check([python, __file__, "--prepare", folder, "--rows", options.rows, "--words", options.words])
        files = [Path(folder) / "rows", Path(folder) / "splits"]
        for quality, distance, peer in (
            ("lsn", "hamming", "numpy, all pairs at every prior"),
            ("asw", "cosine", "scikit-learn silhouette_samples"),
        ):
            runs = race.alternate({
                peer: [python, __file__, "--peer", quality, folder],
                "likewise": [program, quality, distance, options.words, *files],
            }, options.rounds)
            race.agree(runs, "qualities")
            race.table(runs)
            ratios.append(race.Ratio(f"{quality} by {distance}", runs[peer], runs["likewise"], wanted=30))
    race.finish(ratios)


def prepare(folder: Path, rows: int, words: int) -> None:
    """The rows over the most frequent words, and their split at every prior."""
    import numpy as np
    from collections import Counter

    messages = list(load("disaster-dfe", "relevant")) + list(load("crisislex-t6", "on-topic"))
    counts = Counter(word for tokens, _ in messages[:rows] for word in tokens)
    vocabulary = {word: k for k, (word, _) in enumerate(counts.most_common(words))}
    # Messages without any of the words are left out: two empty rows are the same to us, strangers to the peer.
    messages = [m for m in messages if not vocabulary.keys().isdisjoint(m[0])][:rows]
    documents = [sorted({vocabulary[w] for w in tokens if w in vocabulary}) for tokens, _ in messages]
    (folder / "rows").write_text("\n".join(" ".join(map(str, row)) for row in documents) + "\n")

    positive = np.array([label for _, label in messages])
    shown = np.random.default_rng(0).permutation(np.flatnonzero(positive))[:500]
    x = matrix(documents, words)
    in_positives, in_pile, total = x[shown].sum(0).A1, x.sum(0).A1, len(documents)
    chance = (in_positives + 1) / (len(shown) + 2)
    with (folder / "splits").open("w") as out:
        for p in np.arange(1, 20) / 20:
            present = (1 + np.maximum(0, in_pile - p * total * chance)) / (2 + (1 - p) * total)
            absent = (1 + np.maximum(0, total - in_pile - p * total * (1 - chance))) / (2 + (1 - p) * total)
            absences = np.log((1 - chance) / absent)
            margins = x @ (np.log(chance / present) - absences) + absences.sum() + np.log(p / (1 - p))
            out.write("".join("1" if m > 0 else "0" for m in margins) + "\n")


def load(name: str, positive: str):
    """The words and the label of each message."""
    with gzip.open(race.data(f"{name}/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            text = row["text"].lower().replace("\u2019", "'").replace("&amp;", " ")
            text = re.sub(r"@\w+", " ", re.sub(r"https?://\S+|www\.\S+", " ", text))
            words = [word.strip("'") for word in re.findall(r"[a-z][a-z']+", text)]
            yield [word for word in words if len(word) > 1], row["label"] == positive


def matrix(documents, words):
    import numpy as np
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0] + [len(row) for row in documents])
    indices = [word for row in documents for word in row]
    return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(documents), words))


def read_work(folder: Path):
    import numpy as np

    documents = [list(map(int, line.split())) for line in (folder / "rows").read_text().split("\n")[:-1]]
    splits = [np.frombuffer(line.encode(), np.uint8) == ord("1") for line in (folder / "splits").read_text().split()]
    words = 1 + max(max(row, default=0) for row in documents)
    return matrix(documents, words), splits


def lsn_with_numpy(folder: Path) -> None:
    """The smallest Hamming distance across each split, by all pairs of distinct rows."""
    import numpy as np

    x, splits = read_work(folder)
    started = time.perf_counter()
    packed = np.packbits(x.toarray().astype(bool), axis=1)
    packed = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)
    packed, distinct = np.unique(packed, axis=0, return_inverse=True)
    qualities = []
    for split in splits:
        side = np.zeros(len(packed), bool)
        side[distinct.ravel()] = split
        inside, outside = packed[side], packed[~side]
        if len(inside) == 0 or len(outside) == 0:
            qualities.append("none")
            continue
        if len(inside) > len(outside):
            inside, outside = outside, inside
        smallest = min(int(np.bitwise_count(outside ^ row).sum(1, dtype=np.uint16).min()) for row in inside)
        qualities.append(f"{smallest:.6f}")
    finish(started, qualities)


def asw_with_scikit_learn(folder: Path) -> None:
    """The mean silhouette of the positive side of each split, by cosine."""
    from sklearn.metrics import silhouette_samples

    x, splits = read_work(folder)
    started = time.perf_counter()
    qualities = []
    for split in splits:
        if split.all() or not split.any():
            qualities.append("none")
            continue
        qualities.append(f"{silhouette_samples(x, split, metric='cosine')[split].mean():.6f}")
    finish(started, qualities)


def finish(started: float, qualities: list[str]) -> None:
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "qualities": " ".join(qualities)}))


if __name__ == "__main__":
    sys.exit(main())
