"""SVMC against SMC, both ours, on letter A-E and on WebKB: F1 and time.

    python3 benches/svmc_smc.py [--seeds 3] [--rounds 2]

SMC is the paper's: no guard, every SVM learned anew from all negatives found (`reading=printed`). SMC as it is by
default, warm-started, stands beside it and is not in the ratio. SVMC is as it is by default.

Letter: raw columns, gamma 1/16, nu 0.01, one-class mapping. `nested`: the positives in the pile are copies of
labelled ones and the test rows are in neither; `disjoint`: labelled and pile are halves of the letter, the pile is
the test. Time is compared where letters are disjoint: nested, the mapping finds nearly all negatives at once, and
where a single SVM is learned there is nothing to save. WebKB (course, faculty, student): binary words of unit length, linear kernel, nu 0.01, mapping 1-dnf,
disjoint. Known F1 of an independent run (mean of 3 seeds for letter, one seed for WebKB) stands beside ours.
"""

import argparse
import gzip
import json
import sys
from pathlib import Path

import race
import rows

PEER = "scikit-learn==1.9.1"  # only to prepare words
LETTER = {  # |P|, |U|, positives in U (nested), and the known F1 of SMC and SVMC
    "A": (521, 10007, 384, 0.9806, 0.9806),
    "B": (517, 10004, 377, 0.9237, 0.9243),
    "C": (485, 9996, 371, 0.9565, 0.9573),
    "D": (525, 10050, 402, 0.9337, 0.9311),
    "E": (518, 10026, 392, 0.9354, 0.9366),
}
WEBKB = {"course": (0.8237, 0.8254), "faculty": (0.8165, 0.8004), "student": (0.7955, 0.7948)}


def main() -> None:
    arguments = argparse.ArgumentParser(description="SVMC against SMC.")
    arguments.add_argument("--seeds", type=int, default=3)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--write", nargs=2, metavar=("FOLDER", "SEEDS"), help="prepares the rows; the race does this")
    options = arguments.parse_args()
    letter, webkb = race.data("letter/letter.csv.gz"), race.data("webkb/webkb.jsonl.gz")
    if options.write:
        return write(letter, webkb, Path(options.write[0]), int(options.write[1]))

    python = race.virtualenv(PEER)
    ours = race.driver("margin_race")
    totals, failures = dict.fromkeys(SYSTEMS, 0.0), []
    with race.workplace() as folder:
        race.check([python, __file__, "--write", folder, options.seeds])
        cases = [(f"letter {l} nested", [f"letter-{l}-{s}" for s in range(options.seeds)], known[3:], LETTER_SETTINGS) for l, known in LETTER.items()]
        cases += [(f"letter {l} disjoint, gamma .01", [f"disjoint-{l}-{s}" for s in range(options.seeds)], None, DISJOINT_SETTINGS) for l in LETTER]
        cases += [(f"webkb {c}", [f"webkb-{c}-{s}" for s in range(options.seeds)], known, WEBKB_SETTINGS) for c, known in WEBKB.items()]
        for title, files, known, settings in cases:
            f1, seconds = {}, {}
            for method, reading in SYSTEMS.items():
                found = []
                for file in files:
                    command = [ours, method.split()[0], Path(folder) / file, "--threads", 2, *settings, *reading]
                    best = min((race.run(command) for _ in range(options.rounds)), key=lambda run: run.seconds)
                    found.append(best)
                f1[method] = sum(run.answer["f1"] for run in found) / len(found)
                seconds[method] = sum(run.seconds for run in found)
                totals[method] += seconds[method] * ("nested" not in title)
            line = f"{title:<32}" + "  ".join(f"{method} {f1[method]:.4f} {seconds[method]:.2f} s" for method in SYSTEMS)
            if known:
                line += f"   known {known[0]:.4f} {known[1]:.4f}"
                if max(known[0] - f1["smc"], known[1] - f1["svmc"]) > 0.02:
                    failures.append(f"{title}: more than .02 below the known F1")
            if abs(f1["smc"] - f1["svmc"]) > 0.04:
                failures.append(f"{title}: SVMC and SMC differ by more than .04")
            print(line, flush=True)
    for failure in failures:
        print(failure)
    ratio = totals["smc"] / totals["svmc"]
    print(f"ratio, SMC / SVMC without the nested cases: {ratio:.2f} (wanted: 3); warm SMC / SVMC: {totals['smc warm'] / totals['svmc']:.2f}")
    sys.exit(bool(failures) or ratio < 3)


SYSTEMS = {"smc": ["--set", "reading=printed"], "smc warm": [], "svmc": []}
LETTER_SETTINGS = ["--set", "gamma=0.0625", "--set", "mapping=ocsvm"]
DISJOINT_SETTINGS = ["--set", "gamma=0.01", "--set", "mapping=ocsvm"]
WEBKB_SETTINGS = ["--set", "mapping=1-dnf"]


def write(letter: Path, webkb: Path, folder: Path, seeds: int) -> None:
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    with gzip.open(letter, "rt") as lines:
        table = [line.strip().split(",") for line in lines][1:]
    x, letters = np.array([row[1:] for row in table], np.float32), np.array([row[0] for row in table])
    for name, (labelled, pile, hidden, _, _) in LETTER.items():
        positives, others = np.flatnonzero(letters == name), np.flatnonzero(letters != name)
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            p, n = rng.permutation(positives), rng.permutation(others)
            chosen = p[:labelled]
            negatives, unseen = n[: pile - hidden], n[pile - hidden :]
            tested = np.concatenate([p[labelled:], unseen])
            learn = np.concatenate([chosen, chosen[:hidden], negatives, tested])
            at = np.arange(len(learn))
            only_tested = at >= len(learn) - len(tested)
            rows.write(folder / f"letter-{name}-{seed}", x[learn], at < labelled, letters[learn] == name, only_tested)
            half = len(p) // 2
            pile_rows = np.concatenate([p[half:], n[: len(n) // 2]])
            learn = np.concatenate([p[:half], pile_rows])
            truth = letters[learn] == name
            rows.write(folder / f"disjoint-{name}-{seed}", x[learn], np.arange(len(learn)) < half, truth)
    with gzip.open(webkb, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    words = CountVectorizer(min_df=3, stop_words="english", binary=True, dtype=np.float32)
    x = normalize(words.fit_transform([page["text"] for page in pages]))
    classes = np.array([page["label"] for page in pages])
    for name in WEBKB:
        for seed in range(seeds):
            order = np.random.default_rng(seed).permutation(len(pages))
            first, second = order[: len(order) // 2], order[len(order) // 2 :]
            labelled = first[classes[first] == name]
            learn = np.concatenate([labelled, second])
            marked = np.arange(len(learn)) < len(labelled)
            rows.write(folder / f"webkb-{name}-{seed}", x[learn], marked, classes[learn] == name)


if __name__ == "__main__":
    main()
