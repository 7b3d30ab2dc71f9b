"""Text to word counts: likewise against scikit-learn's CountVectorizer.

    python3 benches/text_counts.py [--megabytes 300] [--rounds 3]

The work: the bodies of the 20 Newsgroups messages, repeated to about 300 MB, already in memory as
strings; lower case, words of two characters or more, no stop words; a sparse matrix with sorted
columns comes out. Reading the file is not timed. Both sides must find the same number of documents,
terms, nonzero counts and words.
"""

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

import race

PEER = "scikit-learn==1.7.2"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Text to word counts, against CountVectorizer.")
    arguments.add_argument("--megabytes", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--peer", metavar="FILE", help="run the peer's side only; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return count_with_peer(Path(options.peer))

    source = race.data("20newsgroups/20news-19997.jsonl.gz")
    python = race.virtualenv(PEER)
    ours = race.driver("count_words")
    with race.workplace() as folder:
        corpus = Path(folder) / "corpus"
        write_corpus(source, corpus, options.megabytes * 1_000_000)
        peer, one, two = f"CountVectorizer ({PEER})", "likewise, 1 thread", "likewise, 2 threads"
        runs = race.alternate({
            peer: [python, __file__, "--peer", corpus],
            one: [ours, corpus, "--threads", 1],
            two: [ours, corpus, "--threads", 2],
        }, options.rounds)
        race.agree(runs, "documents", "vocabulary", "nonzeros", "occurrences")
        race.table(runs)
        megabytes = corpus.stat().st_size / 1e6
        for name, outcome in runs.items():
            print(f"{name}: {megabytes / outcome.seconds:.0f} MB/s")
    race.finish([
        race.Ratio("1 thread", runs[peer], runs[one], wanted=10),
        race.Ratio("2 threads", runs[peer], runs[two], wanted=20),
    ])


def write_corpus(source: Path, corpus: Path, size: int) -> None:
    """Message bodies, parted by zero bytes, again and again until there are `size` bytes."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        bodies = [json.loads(line)["text"].replace("\0", " ").encode() for line in lines]
    written = 0
    with corpus.open("wb") as out:
        while written < size:
            for body in bodies:
                if written:
                    out.write(b"\0")
                out.write(body)
                written += len(body) + 1
                if written >= size:
                    break
    race.say(f"corpus of {written / 1e6:.0f} MB written")


def count_with_peer(corpus: Path) -> None:
    from sklearn.feature_extraction.text import CountVectorizer

    texts = corpus.read_bytes().decode().split("\0")
    vectorizer = CountVectorizer()
    started = time.perf_counter()
    counts = vectorizer.fit_transform(texts)
    seconds = time.perf_counter() - started
    json.dump({
        "seconds": seconds,
        "documents": len(texts),
        "vocabulary": len(vectorizer.vocabulary_),
        "nonzeros": int(counts.nnz),
        "occurrences": int(counts.sum()),
    }, sys.stdout)


if __name__ == "__main__":
    main()
