"""Every method, on words, on numbers and on both together: one answer, to the last bit, from Python and from the command
line, on one, two and eight threads."""

import json

import numpy as np
import pytest

import doors
import likewise
from doors import framed, ranked, ranked_by, written

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")

COLUMNS = {"text": {"text": "text"}, "numbers": {"features": "all"}, "both": {"text": "text", "features": "all"}}
# Related tables are no frame, and `supervised` wants the truth.
METHODS = [
    method["name"]
    for method in json.loads(doors.likewise("methods", "--json").stdout)
    if "relational" not in method["inputs"] and method["name"] != "supervised"
]
# Effort is the price of the automatic choice, and not what is asked here.
SETTINGS = {"auto": {"effort": "quick"}}


def sides(form: str):
    """Twenty examples and a pile in which every third row is like them, with ids."""
    random = np.random.default_rng(5)
    truth = np.array([True] * 20 + [row % 3 == 0 for row in range(60)])
    texts = np.where(truth, doors.documents(80, 1.0, 7), doors.documents(80, 0.0, 8)).tolist()
    numbers = np.round(random.normal(np.where(truth, 1.5, 0.0)[:, None], 1.0, size=(80, 3)), 3)
    columns = {"id": list(range(1, 81))}
    if form != "numbers":
        columns["text"] = texts
    if form != "text":
        columns |= {f"n{j}": numbers[:, j].tolist() for j in range(3)}
    part = lambda rows: {name: cells[rows] for name, cells in columns.items()}
    return part(slice(0, 20)), part(slice(20, 80))


# Trees split columns, and words are none.
CASES = [(method, form) for method in METHODS for form in COLUMNS if (method, form) != ("forest", "text")]


@pytest.mark.parametrize(("method", "form"), CASES)
def test_one_answer(method, form, tmp_path):
    like, pile = sides(form)
    files = [written(tmp_path / f"{name}.csv", side) for name, side in (("like", like), ("pile", pile))]
    options = [part for name, value in COLUMNS[form].items() for part in (f"--{name}", value)]
    options += [part for name, value in SETTINGS.get(method, {}).items() for part in ("--set", f"{name}={value}")]
    out = tmp_path / "out.jsonl"
    doors.likewise("find", "--like", files[0], "--in", files[1], "-o", out, "--method", method, "--cut", "natural",
                   "--threads", 1, *options)
    expected = ranked_by(out, pile["id"])
    assert len(expected) == 60 and all(0 <= float.fromhex(score) <= 1 for _, score, _ in expected)
    for threads in (2, 8):
        found = likewise.find(framed("pandas", like), framed("pandas", pile), method=method, cut="natural",
                              n_jobs=threads, **COLUMNS[form], **SETTINGS.get(method, {}))
        assert ranked(found) == expected
