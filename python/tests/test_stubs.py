"""Type checkers know what the package has."""

import os
import subprocess
import sys
from pathlib import Path

import likewise
from likewise._stubs import stubs

PACKAGE = Path(likewise.__file__).parent
SOURCES = Path(__file__).parents[1] / "likewise"

USE = '''
import numpy as np
import likewise

model: likewise.LGN = likewise.LGN(reading="printed").fit(["a", "b"], [1, 0])
share: float = likewise.prior(["a"], ["b"]).value
recall: float = likewise.evaluate([1, 0], [0.5, 0.1], prior=0.5)["recall"].low
refunds: likewise.relational.RelOCC = likewise.relational.RelOCC(n_jobs=2).fit(
    tables={"orders": {"id": [1, 2]}}, references=[("items.order", "orders.id")], target="refund(order)", positives=[1]
)
called: np.ndarray = refunds.predict([2])
query: str = refunds.explain(2)[0].sql
found: likewise.Found = likewise.find(["a"], ["b"])
code: str = found.notes[0].code
first = found["row"][0]
better: likewise.PUClassifier = likewise.update(found.model, like=["c"])
scores: np.ndarray = likewise.OneClassNB(n_jobs=2).fit_predict(["a", "b"], [1, 0])
'''
MISUSE = '''
import likewise

likewise.LGN(reading="handwritten")
likewise.NB(smoothin=1.0)
likewise.relational.RelOCC(treess=3)
likewise.relational.RelOCC().fit(tables={}, positives=[1])
likewise.find(["a"], ["b"]).left_out[0].cause
'''


def mypy(*arguments: str) -> subprocess.CompletedProcess:
    # Without a cache: tests run side by side, and mypy fails where two of them write to the same one.
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_stubs_are_those_of_the_registry():
    for name, text in stubs().items():
        assert (SOURCES / name).read_text(encoding="utf-8") == text, "run `python -m likewise._stubs`"
    assert (PACKAGE / "py.typed").exists()


def test_the_package_is_typed():
    done = mypy("--strict", "--config-file", str(Path(__file__).parents[2] / "pyproject.toml"), str(SOURCES))
    assert done.returncode == 0, done.stdout + done.stderr


def test_use_is_checked(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text(MISUSE)
    good = mypy("--strict", str(tmp_path / "use.py"))
    assert good.returncode == 0, good.stdout + good.stderr
    bad = mypy(str(tmp_path / "misuse.py"))
    assert bad.stdout.count("error:") == 5, bad.stdout
