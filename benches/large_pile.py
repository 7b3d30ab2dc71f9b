"""Memory and time of the graph and factor methods on a large pile of short documents.

    python3 benches/large_pile.py [--rows 100000] [--methods lp-pul,nmfpul] [--gibibytes 6]

The work: stretches of twenty-five words from the messages of 20 Newsgroups, 100,000 of them as the pile and
200 more of one group as examples, through `likewise find` from file to answer. No peer takes part; the script
fails when a method needs more memory than allowed.
"""

import argparse
import gzip
import json
import random
import sys
from pathlib import Path

import race

WORDS = 25
EXAMPLES = 200
GROUP = "rec.autos"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Memory of graph and factor methods on a large pile.")
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--methods", default="lp-pul,nmfpul")
    arguments.add_argument("--gibibytes", type=float, default=6.0)
    options = arguments.parse_args()

    source = race.data("20newsgroups/20news-19997.jsonl.gz")
    program = race.binary()
    with race.workplace() as folder:
        like, pile, found = (Path(folder) / name for name in ("like.jsonl", "pile.jsonl", "found.jsonl"))
        rows = write(source, like, pile, options.rows)
        print(f"{rows:,} rows in the pile, {EXAMPLES} examples")
        runs = {}
        for method in options.methods.split(","):
            command = [program, "find", "--like", like, "--in", pile, "--method", method, "--output", found]
            runs[method] = race.run([*command, "--quiet"])
            race.say(f"{method}: {runs[method].seconds:.1f} s")
        race.table(runs)
    for method, outcome in runs.items():
        print(f"{method}: {outcome.peak_bytes / 2**30:.2f} GiB at most (allowed: {options.gibibytes:g})")
    sys.exit(any(outcome.peak_bytes > options.gibibytes * 2**30 for outcome in runs.values()))


def write(source: Path, like: Path, pile: Path, most: int) -> int:
    """Cuts the messages into short documents and deals them out in an order that mixes the groups."""
    documents = []
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        for message in map(json.loads, lines):
            words = message["text"].split()
            documents += [
                (message["label"], " ".join(words[start : start + WORDS]))
                for start in range(0, len(words) - WORDS + 1, WORDS)
            ]
    random.Random(0).shuffle(documents)
    examples = [i for i, (label, _) in enumerate(documents) if label == GROUP][:EXAMPLES]
    shown = set(examples)
    others = [text for i, (_, text) in enumerate(documents) if i not in shown][:most]
    for path, texts in ((like, [documents[i][1] for i in examples]), (pile, others)):
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    return len(others)


if __name__ == "__main__":
    main()
