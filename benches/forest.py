"""A forest on a large table: likewise against scikit-learn's extra trees and LightGBM's.

    python3 benches/forest.py [--rows 100000] [--columns 50] [--trees 100] [--rounds 3]

The work: normal numbers, ten columns of which are half a deviation higher in the class; three in ten rows are of the
class, and a third of these are labelled. All learn the labelled rows against the others, the square root of the columns
tried in each node. scikit-learn draws its rows with repetition and scores those left out, as we do; LightGBM grows
random forests (`boosting=rf`) in its extra-trees mode with the 31 leaves of its defaults, and scores nothing. Reading
and making arrays is not counted. Average precision over the unlabeled rows is printed for each.
"""

import argparse
import json
import time
from pathlib import Path

import race
import rows

PEERS = ("scikit-learn==1.9.1", "lightgbm==4.7.0")
CLASS, LABELLED, INFORMATIVE, SHIFT = 0.3, 1 / 3, 10, 0.5


def main() -> None:
    arguments = argparse.ArgumentParser(description="A forest, against scikit-learn and LightGBM.")
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--columns", type=int, default=50)
    arguments.add_argument("--trees", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--peer", nargs=3, metavar=("WHO", "FILE", "TREES"), help="a peer; the race does this")
    arguments.add_argument("--write", help="writes the rows; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return learn_with_peer(*options.peer)
    if options.write:
        return write(Path(options.write), options.rows, options.columns)

    python = race.virtualenv(*PEERS)
    ours = race.driver("grow_forest")
    with race.workplace() as folder:
        file = Path(folder) / "rows"
        size = ["--rows", options.rows, "--columns", options.columns]
        race.check([python, __file__, "--write", file, *size])
        prior = CLASS * (1 - LABELLED) / (1 - CLASS * LABELLED)
        runs = race.alternate({
            "scikit-learn": [python, __file__, "--peer", "scikit-learn", file, options.trees],
            "LightGBM": [python, __file__, "--peer", "lightgbm", file, options.trees],
            "likewise": [ours, file, options.trees, 0.5, prior],
        }, options.rounds)
    race.table(runs)
    for name, run in runs.items():
        print(f"{name}: average precision {run.answer['average_precision']:.4f}")
    race.finish([
        race.Ratio("scikit-learn", runs["scikit-learn"], runs["likewise"], 3),
        race.Ratio("LightGBM", runs["LightGBM"], runs["likewise"], 1),
    ])


def write(file: Path, count: int, columns: int) -> None:
    import numpy as np

    random = np.random.default_rng(0)
    truth = random.random(count) < CLASS
    x = random.normal(size=(count, columns)).astype(np.float32)
    x[:, :INFORMATIVE] += SHIFT * truth[:, None]
    rows.write(file, x, truth & (random.random(count) < LABELLED), truth)


def learn_with_peer(who: str, file: str, trees: str) -> None:
    import numpy as np
    from sklearn.metrics import average_precision_score

    x, labelled, truth = rows.read(Path(file))
    x = np.ascontiguousarray(x, np.float32)
    if who == "scikit-learn":
        from sklearn.ensemble import ExtraTreesClassifier

        model = ExtraTreesClassifier(int(trees), bootstrap=True, oob_score=True, n_jobs=-1, random_state=0)
        started = time.perf_counter()
        model.fit(x, labelled)
        seconds = time.perf_counter() - started
        scores = model.oob_decision_function_[:, 1]
    else:
        import lightgbm

        given = {
            "objective": "binary", "boosting": "rf", "extra_trees": True, "bagging_fraction": 0.5, "bagging_freq": 1,
            "feature_fraction_bynode": x.shape[1] ** -0.5, "verbose": -1, "seed": 0,
        }
        started = time.perf_counter()
        model = lightgbm.train(given, lightgbm.Dataset(x, label=labelled * 1), int(trees))
        seconds = time.perf_counter() - started
        scores = model.predict(x)
    found = average_precision_score(truth[~labelled], scores[~labelled])
    print(json.dumps({"seconds": seconds, "average_precision": found}))


if __name__ == "__main__":
    main()
