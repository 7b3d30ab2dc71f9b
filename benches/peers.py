"""Our estimators against pulearn, PyOD and scikit-learn on the same rows; and what calling us from Python costs.

    python3 benches/peers.py [--rounds 2]

Two problems, each a class of which 100 rows are labelled while the rest lies in the pile: one newsgroup among the
20 Newsgroups as tf-idf rows, and one letter among the 26 of Letter recognition as standardised numbers. Every
contestant is a process of its own that loads the rows, learns, and scores the pile; learning and scoring are timed,
peak memory is that of the process, and average precision is that of the pile's ranking beside the truth. PyOD and the
one-class methods of scikit-learn learn from the labelled rows alone, as they are meant to; what takes no sparse rows
(all of pulearn but its bagging, and PyOD) stays out of the first problem.

The last part trains the same method on the same tf-idf rows from Python and from Rust, both from the arrays of the
rows to the scores. The ratio is the time of Rust over that of Python: 0.952 is an overhead of 5 %. What Python adds
does not depend on the method: the estimator is made, labels are looked at, and the pool of threads is woken. The rows
are not copied: the engine reads single-precision arrays where they are.
"""

import argparse
import csv
import gzip
import json
import sys
import time
from pathlib import Path

import race

PEERS = ["scikit-learn==1.7.2", "pulearn==0.2.0", "pyod==3.6.7"]
LABELLED = 100
# How often each side trains in its process at least, and for how many seconds, the best counting: as the Rust example
# does.
FITS, SECONDS = 5, 2.0
# Methods trained from both sides, from one that takes milliseconds to one that takes seconds.
OVERHEAD_METHODS = ["nb", "bagging", "logistic", "spy-em", "auto"]
# The difference is a fraction of a millisecond, so its rounds are more than those of the others.
OVERHEAD_ROUNDS = 6


def main() -> None:
    arguments = argparse.ArgumentParser(description="Our estimators against pulearn, PyOD and scikit-learn.")
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--contestant", nargs=2, metavar=("NAME", "FOLDER"), help="the race does this")
    arguments.add_argument("--prepare", nargs=2, metavar=("PROBLEM", "FOLDER"), help="the race does this")
    arguments.add_argument("--timed-fit", nargs=2, metavar=("METHOD", "FOLDER"), help="the race does this")
    options = arguments.parse_args()
    if options.contestant:
        return contend(*options.contestant)
    if options.prepare:
        return prepare(*options.prepare)
    if options.timed_fit:
        return timed_fit(*options.timed_fit)

    sources = {"newsgroups": race.data("20newsgroups/20news-19997.jsonl.gz"), "letters": race.data("letter/letter.csv.gz")}
    python = race.virtualenv(*PEERS)
    race.say("building our package")
    race.check([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", race.ROOT])
    example = race.driver("fit_rows")
    with race.workplace() as place:
        tables = {}
        for problem in sources:
            folder = Path(place) / problem
            folder.mkdir()
            race.check([python, __file__, "--prepare", problem, folder])
            names = [name for name, (fits, _) in contestants().items() if problem in fits]
            runs = {name: [python, __file__, "--contestant", name, folder] for name in names}
            tables[problem] = race.alternate(runs, options.rounds)
        folder = Path(place) / "newsgroups"
        ratios = []
        overheads = []
        for method in OVERHEAD_METHODS:
            race_of = {
                f"{method} from Python": [python, __file__, "--timed-fit", method, folder],
                f"{method} from Rust": [example, method, folder],
            }
            both = race.alternate(race_of, options.rounds + OVERHEAD_ROUNDS)
            race.agree(both, "sum_of_scores")
            theirs, ours = both[f"{method} from Rust"], both[f"{method} from Python"]
            added = ours.seconds - theirs.seconds
            overheads.append(
                f"{method:<10} {theirs.seconds * 1e3:>9.1f} ms in Rust, {added * 1e3:>+6.1f} ms from Python "
                f"({added / theirs.seconds:+.1%})"
            )
            ratios.append(race.Ratio(f"{method}, Rust over Python", theirs, ours, wanted=1 / 1.05))
    for problem, runs in tables.items():
        print(f"\n{problem}: {next(iter(runs.values())).answer['problem']}")
        print(f"{'':<34} {'seconds':>9} {'average precision':>18} {'peak memory':>12}")
        for name, run in sorted(runs.items(), key=lambda item: -item[1].answer["average_precision"]):
            print(f"{name:<34} {run.seconds:>9.3f} {run.answer['average_precision']:>18.3f} {race.mebibytes(run):>12}")
    print("\nthe same training from both sides, newsgroups", *overheads, sep="\n")
    race.finish(ratios)


def contestants() -> dict:
    """Everybody: on which problems, and a function from rows and labels to the scores of all rows."""
    sparse, dense, both = ["newsgroups"], ["letters"], ["newsgroups", "letters"]

    def ours(name, **given):
        def scores(x, y):
            import likewise

            return getattr(likewise, name)(**given).fit(x, y).scores_

        return scores

    def pulearn(name, base):
        def scores(x, y):
            import pulearn as peer
            from sklearn.ensemble import RandomForestClassifier
            from sklearn.linear_model import LogisticRegression

            bases = {
                "forest": lambda: RandomForestClassifier(n_estimators=100, n_jobs=2, random_state=0),
                "logistic": lambda: LogisticRegression(max_iter=1000),
                "none": None,
            }
            if name == "BaggingPuClassifier":
                model = peer.BaggingPuClassifier(
                    bases[base](), n_estimators=50, max_samples=int(y.sum()), n_jobs=2, random_state=0
                )
            elif name == "ElkanotoPuClassifier":
                model = peer.ElkanotoPuClassifier(bases[base](), hold_out_ratio=0.2, random_state=0)
            elif name == "NNPUClassifier":
                model = peer.NNPUClassifier(prior=float(prior_of(y)), random_state=0)
            else:
                model = getattr(peer, name)()
            return model.fit(x, y).predict_proba(x)[:, 1]

        return scores

    def one_class(module, name, **given):
        def scores(x, y):
            import importlib

            model = getattr(importlib.import_module(module), name)(**given).fit(x[y == 1])
            larger_is_outer = module.startswith("pyod")
            found = model.decision_function(x)
            return -found if larger_is_outer else found

        return scores

    def sklearn_logistic(x, y):
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(class_weight="balanced", max_iter=1000).fit(x, y).decision_function(x)

    return {
        "likewise Auto": (both, ours("Auto")),
        "likewise Logistic": (both, ours("Logistic")),
        "likewise Bagging": (both, ours("Bagging")),
        "likewise ElkanNoto": (both, ours("ElkanNoto")),
        "likewise NNPU": (both, ours("NNPU")),
        "likewise OCSVM": (both, ours("OCSVM")),
        "likewise SpyEM": (sparse, ours("SpyEM")),
        "likewise KNNNovelty": (both, ours("KNNNovelty")),
        "pulearn Elkan-Noto (logistic)": (dense, pulearn("ElkanotoPuClassifier", "logistic")),
        "pulearn Elkan-Noto (forest)": (dense, pulearn("ElkanotoPuClassifier", "forest")),
        "pulearn bagging (logistic)": (both, pulearn("BaggingPuClassifier", "logistic")),
        "pulearn nnPU": (dense, pulearn("NNPUClassifier", "none")),
        "PyOD ECOD": (dense, one_class("pyod.models.ecod", "ECOD")),
        "PyOD KNN": (dense, one_class("pyod.models.knn", "KNN")),
        "PyOD IForest": (dense, one_class("pyod.models.iforest", "IForest", random_state=0)),
        "PyOD OCSVM": (dense, one_class("pyod.models.ocsvm", "OCSVM")),
        "scikit-learn OneClassSVM": (both, one_class("sklearn.svm", "OneClassSVM", gamma="scale")),
        "scikit-learn IsolationForest": (both, one_class("sklearn.ensemble", "IsolationForest", random_state=0)),
        "scikit-learn LogisticRegression": (both, sklearn_logistic),
    }


def prior_of(y) -> float:
    """The share that methods which must be told it are told: the truth, to their advantage."""
    return max(0.01, min(0.99, TRUTH[y == 0].mean()))


def contend(name: str, folder: str) -> None:
    """Loads the rows, learns, scores, and prints what came of it."""
    import warnings

    import numpy as np
    import scipy.sparse
    from sklearn.metrics import average_precision_score

    warnings.simplefilter("ignore")
    loaded = np.load(Path(folder) / "problem.npz", allow_pickle=False)
    sparse = Path(folder, "rows.npz")
    x = scipy.sparse.load_npz(sparse).tocsr() if sparse.exists() else loaded["x"]
    y = loaded["y"]
    global TRUTH
    TRUTH = loaded["truth"]
    scores_of = contestants()[name][1]
    started = time.perf_counter()
    scores = scores_of(x, y)
    seconds = time.perf_counter() - started
    pile = y == 0
    found = average_precision_score(TRUTH[pile], np.asarray(scores)[pile])
    rows = f"{x.shape[0]} rows of {x.shape[1]}, {int(y.sum())} labelled, {int(TRUTH[pile].sum())} of {int(pile.sum())} in the pile positive"
    print(json.dumps({"seconds": seconds, "average_precision": found, "problem": rows}))


def prepare(problem: str, folder: str) -> None:
    """Writes rows, labels and truth for every contestant."""
    import numpy as np
    import scipy.sparse
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import StandardScaler

    place = Path(folder)
    x = None
    if problem == "newsgroups":
        with gzip.open(race.data("20newsgroups/20news-19997.jsonl.gz"), "rt", encoding="utf-8") as lines:
            messages = [json.loads(line) for line in lines]
        rows = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True, dtype=np.float32)
        sparse = rows.fit_transform([message["text"] for message in messages])
        # The vectoriser leaves the words of a row in any order, which neither side's reader is to be timed with.
        sparse.sort_indices()
        truth = np.array([message["label"] == "rec.sport.hockey" for message in messages])
        scipy.sparse.save_npz(place / "rows.npz", sparse, compressed=False)
    else:
        with gzip.open(race.data("letter/letter.csv.gz"), "rt", encoding="utf-8") as lines:
            table = list(csv.reader(lines))[1:]
        x = StandardScaler().fit_transform(np.array([row[1:] for row in table], dtype=np.float64))
        truth = np.array([row[0] == "K" for row in table])
    y = np.zeros(len(truth), dtype=np.int64)
    y[np.random.default_rng(0).choice(np.flatnonzero(truth), LABELLED, replace=False)] = 1
    np.savez(place / "problem.npz", y=y, truth=truth, **({} if x is None else {"x": x}))
    if x is None:
        for name, values, kind in [
            ("indptr", sparse.indptr, "<u4"), ("indices", sparse.indices, "<u4"), ("values", sparse.data, "<f4"),
            ("positive", y, "u1"),
        ]:
            values.astype(kind).tofile(place / name)
        (place / "cols").write_text(str(sparse.shape[1]))


def timed_fit(method: str, folder: str) -> None:
    """The same training as the Rust example, from Python."""
    import warnings

    import likewise
    import numpy as np
    import scipy.sparse
    from likewise._registry import METHODS

    warnings.simplefilter("ignore")
    x = scipy.sparse.load_npz(Path(folder) / "rows.npz").tocsr()
    y = np.load(Path(folder) / "problem.npz")["y"]
    estimator = getattr(likewise, next(m.class_name for m in METHODS if m.name == method))
    seconds, fits, begun = float("inf"), 0, time.perf_counter()
    while fits < FITS or time.perf_counter() - begun < SECONDS:
        model = None  # the last one goes before the clock starts, as in the example
        started = time.perf_counter()
        model = estimator().fit(x, y)
        seconds, fits = min(seconds, time.perf_counter() - started), fits + 1
    print(json.dumps({"seconds": seconds, "sum_of_scores": sum(model.scores_.tolist())}))


if __name__ == "__main__":
    sys.exit(main())
