"""Peak memory of `find` on a million short documents, and of tables with many columns.

    python3 benches/memory_find.py [--rows 1000000] [--binary PATH …] [--method lgn]

Messages of twelve words are drawn with a fixed seed from a made-up vocabulary whose words are as unequal as those
of a language; one in a hundred is about one topic, and a thousand of those are marked. Give several binaries to
compare them on the same files; the last line is the ratio of the last to the first.
"""

import argparse
import json
import random
from pathlib import Path

import race

WORDS = 50_000
WORDS_A_ROW = 12
MARKED = 1000
TOPIC = ["refund", "money", "back", "order", "return", "receipt"]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Peak memory of `find` on many short documents.")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--method", default="lgn")
    arguments.add_argument("--unused", type=int, default=0, help="columns beside the text that nobody asks for")
    arguments.add_argument("--binary", type=Path, nargs="+", help="binaries to run instead of building one")
    options = arguments.parse_args()
    binaries = [binary.resolve() for binary in options.binary or []] or [race.binary()]
    with race.workplace() as folder:
        peaks = {}
        for name, write in [("csv", write_csv), ("jsonl", write_jsonl)]:
            pile = Path(folder) / f"pile.{name}"
            write(pile, options.rows, options.unused)
            for binary in binaries:
                command = [binary, "find", "--in", pile, "--label", "marked", "--positive", "yes",
                           "--method", options.method, "--quiet", "--output", Path(folder) / "ranked.jsonl"]
                outcome = race.run(command)
                peaks.setdefault(name, []).append(outcome.peak_bytes)
                print(f"{binary.name}, {name}, {options.rows:,} rows: {outcome.seconds:.1f} s "
                      f"({outcome.processor_seconds:.1f} s of work), {race.mebibytes(outcome)}")
            pile.unlink()
    for name, found in peaks.items():
        print(f"{name}: {found[-1] / found[0]:.2f} of the first binary's memory")


def rows(count: int):
    draw = random.Random(count)
    for row in range(count):
        # Word k is drawn with a chance of about 1/k.
        text = [f"w{int(WORDS ** draw.random())}" for _ in range(WORDS_A_ROW)]
        about = row % 100 == 0
        if about:
            text[:4] = draw.sample(TOPIC, 4)
        marked = "yes" if about and row < 100 * MARKED else ""
        yield {"id": str(row), "text": " ".join(text), "marked": marked}


def write_csv(path: Path, count: int, unused: int) -> None:
    extra = "".join(f",c{i}" for i in range(unused))
    cells = "".join(f",{i}.5" for i in range(unused))
    with path.open("w", encoding="utf-8") as out:
        out.write(f"id,text,marked{extra}\n")
        out.writelines(f"{row['id']},{row['text']},{row['marked']}{cells}\n" for row in rows(count))


def write_jsonl(path: Path, count: int, unused: int) -> None:
    extra = {f"c{i}": i + 0.5 for i in range(unused)}
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row | extra) + "\n" for row in rows(count))


if __name__ == "__main__":
    main()
