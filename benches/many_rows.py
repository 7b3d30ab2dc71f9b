"""Memory on many rows: one-class SVM and SVMC on 200,000 dense rows of 20 columns must stay under 4 GiB.

    python3 benches/many_rows.py [--rows 200000]

Half of the work is to allocate nothing that grows with the square of the rows; the peak is printed.
"""

import argparse
import sys
from pathlib import Path

import race
import rows

LIMIT = 4 << 30


def main() -> None:
    arguments = argparse.ArgumentParser(description="Peak memory of kernel methods on many rows.")
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--write", metavar="FOLDER", help="prepares the rows; the race does this")
    options = arguments.parse_args()
    if options.write:
        return write(Path(options.write), options.rows)

    python = race.virtualenv("numpy", "scipy")
    ours = race.driver("margin_race")
    worst = 0
    with race.workplace() as folder:
        race.check([python, __file__, "--rows", options.rows, "--write", folder])
        for title, method, file in (
            ("ocsvm, half of the rows labelled", "ocsvm", "many"),
            ("svmc, 500 rows labelled", "svmc", "few"),
        ):
            found = race.run([ours, method, Path(folder) / file])
            worst = max(worst, found.peak_bytes)
            print(f"{title}: {found.seconds:.1f} s, peak {race.mebibytes(found)}, F1 {found.answer['f1']:.3f}", flush=True)
    print(f"peak {worst / 2**30:.2f} GiB (allowed: {LIMIT / 2**30:g})")
    sys.exit(worst > LIMIT)


def write(folder: Path, n: int) -> None:
    """A cloud of positives (a fifth of the rows) in a wider cloud of negatives."""
    import numpy as np

    rng = np.random.default_rng(0)
    truth = rng.random(n) < 0.2
    x = rng.normal(size=(n, 20)).astype(np.float32) * np.where(truth, 0.5, 1.5)[:, None].astype(np.float32)
    positives = np.flatnonzero(truth)
    many = np.zeros(n, bool)
    many[rng.permutation(n)[: n // 2]] = True
    few = np.zeros(n, bool)
    few[positives[:500]] = True
    rows.write(folder / "many", x, many, truth | many)
    rows.write(folder / "few", x, few, truth)


if __name__ == "__main__":
    main()
