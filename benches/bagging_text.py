"""Bagging of 15 logistic regressions on text: likewise against pulearn's BaggingPuClassifier.

    python3 benches/bagging_text.py [--draws 3] [--rounds 3]

The work: tf-idf of the 20 Newsgroups (19,997 messages), 50 messages of a group labelled and the rest unlabeled,
for five groups; 15 rounds, each with as many unlabeled messages as positives, scored out of bag. The average
precision over the unlabeled messages must be the same on average within 0.01; time is that of fitting and scoring.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import race
import rows

PEERS = ("pulearn==0.2.0", "scikit-learn==1.9.1")
GROUPS = ("sci.space", "rec.autos", "comp.graphics", "talk.politics.guns", "misc.forsale")


def main() -> None:
    arguments = argparse.ArgumentParser(description="PU bagging on text, against pulearn.")
    arguments.add_argument("--draws", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--peer", nargs=2, metavar=("TASK", "FILE"), help="the peer's side; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return learn_with_peer(*options.peer)

    source = race.data("20newsgroups/20news-19997.jsonl.gz")
    python = race.virtualenv(*PEERS)
    ours = race.driver("margin_race")
    precisions, best = {}, {}
    with race.workplace() as folder:
        race.check([python, __file__, "--peer", "write", f"{source}:{folder}:{options.draws}"])
        files = sorted(Path(folder).iterdir())
        for file in files:
            runs = race.alternate({
                # Its regressions are small: threads of the BLAS library only slow them down.
                "pulearn": ["env", "OPENBLAS_NUM_THREADS=1", python, __file__, "--peer", "fit", file],
                "likewise": [ours, "bagging", file, "--threads", 2],
            }, options.rounds)
            for name, outcome in runs.items():
                precisions.setdefault(name, []).append(outcome.answer["average_precision"])
                if name not in best or outcome.seconds < best[name].seconds:
                    best[name] = outcome
    race.table(best)
    means = {name: sum(found) / len(found) for name, found in precisions.items()}
    print(f"average precision over {len(files)} piles: pulearn {means['pulearn']:.4f}, likewise {means['likewise']:.4f}")
    if means["likewise"] < means["pulearn"] - 0.01:
        sys.exit("our average precision is lower")
    race.finish([race.Ratio("bagging, 2 threads", best["pulearn"], best["likewise"], wanted=50)])


def learn_with_peer(task: str, file: str) -> None:
    import numpy as np

    if task == "write":
        source, folder, draws = file.split(":")
        x, groups = rows.newsgroups(Path(source))
        for group in GROUPS:
            for draw in range(int(draws)):
                labelled = np.zeros(len(groups), bool)
                of_group = np.flatnonzero(groups == group)
                labelled[np.random.default_rng(draw).choice(of_group, 50, replace=False)] = True
                rows.write(Path(folder) / f"{group}-{draw}", x, labelled, groups == group)
        return
    from pulearn import BaggingPuClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import average_precision_score

    x, labelled, truth = rows.read(Path(file))
    model = BaggingPuClassifier(
        estimator=LogisticRegression(class_weight="balanced"),
        n_estimators=15,
        max_samples=int(labelled.sum()),
        n_jobs=1,
        random_state=0,
    )
    started = time.perf_counter()
    model.fit(x, labelled.astype(int))
    scores = model.oob_decision_function_[:, 1]
    seconds = time.perf_counter() - started
    pile = ~labelled
    scores = np.nan_to_num(scores[pile], nan=0.0)
    print(json.dumps({"seconds": seconds, "average_precision": average_precision_score(truth[pile], scores)}))


if __name__ == "__main__":
    main()
