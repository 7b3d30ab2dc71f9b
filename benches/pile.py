"""`find --sample` on piles that need not fit into memory: rows, seconds, peak memory.

    python3 benches/pile.py [--rows 100000 1000000 3000000] [--sample 30000] [--method auto] [--binary PATH]

Messages of twelve words are made with a fixed seed from a vocabulary whose words are as unequal as those of a language;
one in a hundred is about one topic, and 200 of another draw are the examples. Each size is run once, from CSV, or from
Parquet with `--parquet` (the program itself writes the Parquet file). The share of the best hundredth that is about the
topic is printed too, since a fast answer that is wrong would be worth nothing. The last line says how time grew with the
rows of the largest two sizes: 1 is linear.
"""

import argparse
import itertools
import random
from pathlib import Path

import race

WORDS = 50_000
HALVES = 60_000
WORDS_A_HALF = 6
EXAMPLES = 200
EVERY = 100
TOPIC = ["refund", "money", "back", "order", "return", "receipt"]
MEMORY = 2 * 2**30


def main() -> None:
    arguments = argparse.ArgumentParser(description="Time and memory of `find --sample` against the number of rows.")
    arguments.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 3_000_000])
    arguments.add_argument("--sample", type=int, default=30_000)
    arguments.add_argument("--method", default="auto")
    arguments.add_argument("--parquet", action="store_true", help="read Parquet instead of CSV")
    arguments.add_argument("--binary", type=Path, help="a binary to run instead of building one")
    options = arguments.parse_args()
    binary = options.binary.resolve() if options.binary else race.binary()
    outcomes = []
    with race.workplace() as folder:
        like, out = Path(folder) / "like.csv", Path(folder) / "ranked.csv"
        write_rows(like, EXAMPLES, seed=1, every=1)
        for rows in options.rows:
            pile = Path(folder) / "pile.csv"
            write_rows(pile, rows, seed=2, every=EVERY)
            if options.parquet:
                pile = as_parquet(binary, pile, like)
            outcome = race.run([binary, "find", "--like", like, "--in", pile, "--sample", str(options.sample),
                                "--method", options.method, "--quiet", "--output", out])
            found = right_at_the_top(out, rows // EVERY)
            print(f"{options.method}, {rows:,} rows, {options.sample:,} learned from: {outcome.seconds:.1f} s "
                  f"({outcome.processor_seconds:.1f} s of work), {race.mebibytes(outcome)}, "
                  f"{found:.3f} of the best hundredth are right", flush=True)
            outcomes.append((rows, outcome))
            pile.unlink()
    if max(outcome.peak_bytes for _, outcome in outcomes) > MEMORY:
        raise SystemExit("more than 2 GiB")
    if len(outcomes) > 1:
        (few, first), (many, last) = outcomes[-2:]
        growth = last.processor_seconds / first.processor_seconds / (many / few)
        print(f"{many / few:g} times the rows took {growth:.2f} times as much work a row")


def write_rows(path: Path, rows: int, seed: int, every: int) -> None:
    """Rows whose number says what they are about: each `every`th is about the topic."""
    draw = random.Random(seed)
    # Word k is drawn with a chance of about 1/k. Rows are two of many halves, which is much faster than single words.
    halves = [" ".join(f"w{int(WORDS ** draw.random())}" for _ in range(WORDS_A_HALF)) for _ in range(HALVES)]
    with path.open("w", encoding="utf-8") as out:
        out.write("id,text\n")
        for start in range(0, rows, 100_000):
            count = min(100_000, rows - start)
            pairs = zip(draw.choices(halves, k=count), draw.choices(halves, k=count))
            for row, (one, other) in zip(itertools.count(start), pairs):
                if row % every == 0:
                    other = " ".join(draw.sample(TOPIC, 3))
                out.write(f"r{row},{one} {other}\n")


def as_parquet(binary: Path, pile: Path, like: Path) -> Path:
    model, parquet = pile.with_suffix(".model"), pile.with_suffix(".parquet")
    race.run([binary, "find", "--like", like, "--in", like, "--keep-positives", "--method", "nb", "--quiet",
              "--model", model, "--output", pile.with_suffix(".jsonl")])
    race.run([binary, "score", model, "--in", pile, "--keep-columns=text", "--quiet", "--output", parquet])
    pile.unlink()
    return parquet


def right_at_the_top(ranked: Path, most: int) -> float:
    with ranked.open(encoding="utf-8") as lines:
        ids = [line.split(",")[1] for line in itertools.islice(lines, 1, most + 1)]
    return sum(int(name[1:]) % EVERY == 0 for name in ids) / len(ids)


if __name__ == "__main__":
    main()
