"""How `find` grows with the columns of a table: time should grow as they do, not with their square.

    python3 benches/wide_tables.py [--binary PATH]

Eight rows with up to 100,000 columns of which one is asked for, as CSV and JSON lines, and `--features all` with
8,000 and 25,000. The last line is the ratio of the times of the two largest over that of their columns.
"""

import argparse
import json
from pathlib import Path

import race

ROWS = 8


def main() -> None:
    arguments = argparse.ArgumentParser(description="Time of `find` against the number of columns.")
    arguments.add_argument("--binary", type=Path, help="a binary to run instead of building one")
    options = arguments.parse_args()
    binary = options.binary.resolve() if options.binary else race.binary()
    with race.workplace() as folder:
        folder = Path(folder)
        worked = {}
        for columns in [25_000, 100_000]:
            for file in [write_csv(folder, columns), write_jsonl(folder, columns)]:
                worked[columns] = run(binary, folder, file, columns, ["--text", "c0"])
        for columns in [8_000, 25_000]:
            file = write_csv(folder, columns)
            worked[-columns] = run(binary, folder, file, columns, ["--features", "all", "--keep-positives"])
    print(f"--text c0: 4 times the columns took {worked[100_000] / worked[25_000]:.1f} times as long")
    print(f"--features all: 3.1 times the columns took {worked[-25_000] / worked[-8_000]:.1f} times as long")


def run(binary: Path, folder: Path, file: Path, columns: int, what: list[str]) -> float:
    command = [binary, "find", "--in", file, "--label", "y", "--positive", "1", *what, "--method", "nearest-positive",
               "--quiet", "--output", folder / "ranked.jsonl"]
    outcome = race.run(command)
    print(f"{file.name}, {columns:,} columns, {' '.join(what)}: {outcome.processor_seconds:.2f} s of work, "
          f"{race.mebibytes(outcome)}")
    return outcome.processor_seconds


def cells(row: int, columns: int) -> list[str]:
    return [f"word{row} text{row * 7 % 5}"] + [str((row * 31 + column) % 17) for column in range(1, columns)]


def write_csv(folder: Path, columns: int) -> Path:
    path = folder / "wide.csv"
    with path.open("w", encoding="utf-8") as out:
        out.write("y," + ",".join(f"c{i}" for i in range(columns)) + "\n")
        out.writelines(f"{row % 2},{','.join(cells(row, columns))}\n" for row in range(ROWS))
    return path


def write_jsonl(folder: Path, columns: int) -> Path:
    path = folder / "wide.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for row in range(ROWS):
            named = {f"c{i}": cell for i, cell in enumerate(cells(row, columns))}
            out.write(json.dumps({"y": str(row % 2)} | named) + "\n")
    return path


if __name__ == "__main__":
    main()
