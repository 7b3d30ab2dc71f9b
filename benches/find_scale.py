"""How `find` grows: time and memory from 100,000 to 1,000,000 short documents.

    python3 benches/find_scale.py [--method lgn] [--rows 100000 1000000] [--binary PATH]

The documents are made of the words of real tweets (disaster-dfe and crisislex-t6), twelve words each, drawn
with a fixed seed; one in a hundred is about one topic, and a thousand of those are marked. The last line is
the ratio of the times: ten times the rows should take about ten times as long.
"""

import argparse
import gzip
import json
import random
from pathlib import Path

import race

SETS = ["disaster-dfe/disaster-dfe.jsonl.gz", "crisislex-t6/crisislex-t6.jsonl.gz"]
WORDS_A_ROW = 12
MARKED = 1000
MEMORY = 3 * 2**30


def main() -> None:
    arguments = argparse.ArgumentParser(description="Time and memory of `find` against the number of rows.")
    arguments.add_argument("--method", default="lgn")
    arguments.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    arguments.add_argument("--binary", type=Path, help="a binary to run instead of building one")
    arguments.add_argument("--gibibytes", type=float, default=MEMORY / 2**30, help="the most memory allowed")
    options = arguments.parse_args()
    words = tweet_words()
    binary = options.binary.resolve() if options.binary else race.binary()
    outcomes = []
    with race.workplace() as folder:
        for rows in options.rows:
            pile = Path(folder) / f"{rows}.jsonl"
            write_rows(pile, rows, words)
            command = [binary, "find", "--in", pile, "--label", "marked", "--positive", "yes",
                       "--method", options.method, "--quiet", "--output", Path(folder) / "ranked.jsonl"]
            outcome = race.run(command)
            print(f"{options.method}, {rows:,} rows: {outcome.seconds:.1f} s, {race.mebibytes(outcome)}")
            outcomes.append(outcome)
    if outcomes[-1].peak_bytes > options.gibibytes * 2**30:
        raise SystemExit(f"more than {options.gibibytes:g} GiB")
    growth = options.rows[-1] / options.rows[0]
    print(f"{growth:g} times the rows took {outcomes[-1].seconds / outcomes[0].seconds:.1f} times as long")


def tweet_words() -> list[str]:
    words = []
    for name in SETS:
        with gzip.open(race.data(name), "rt", encoding="utf-8") as lines:
            for line in lines:
                words.extend(json.loads(line)["text"].split())
    return words


def write_rows(path: Path, rows: int, words: list[str]) -> None:
    draw = random.Random(rows)
    topic = ["refund", "money", "back", "order", "return", "receipt"]
    with path.open("w", encoding="utf-8") as out:
        for row in range(rows):
            start = draw.randrange(len(words) - WORDS_A_ROW)
            text = words[start:start + WORDS_A_ROW]
            about = row % 100 == 0
            if about:
                text[:4] = draw.sample(topic, 4)
            marked = "yes" if about and row < 100 * MARKED else ""
            out.write(json.dumps({"id": str(row), "text": " ".join(text), "marked": marked}) + "\n")


if __name__ == "__main__":
    main()
