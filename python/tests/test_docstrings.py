"""Docstrings are what numpydoc understands: sections in order, every parameter described and none invented."""

import inspect
import pydoc
from importlib.util import find_spec

import pytest
from numpydoc.validate import validate

import likewise
from likewise import relational

# Not asked for: a blank line before the first words and after the last (GL01, GL02), a second paragraph (ES01), what to
# see also (SA01), examples in every method (EX01), names for what is returned (RT02 wants none).
LEFT_OUT = {"GL01", "GL02", "ES01", "SA01", "EX01", "RT02"}


def documented():
    """Everything that users call: functions, classes, and their own public methods."""
    for module, prefix in ((likewise, "likewise"), (relational, "likewise.relational")):
        for name in module.__all__:
            told = getattr(module, name)
            if inspect.isfunction(told) or inspect.isclass(told):
                yield f"{prefix}.{name}"
    for one in (likewise.PUClassifier, relational.RelationalClassifier):
        for name, method in inspect.getmembers(one, inspect.isfunction):
            if method.__module__.startswith("likewise") and not name.startswith("_"):
                yield f"{one.__module__}.{one.__name__}.{name}"
    yield from ("likewise.arrow.score_batches", "likewise.arrow.count_batches")
    if find_spec("pyspark"):
        yield from (f"likewise.spark.{name}" for name in ("fit", "score", "find", "count"))
    else:
        print("skipped: the docstrings of likewise.spark (pyspark is not installed)")


@pytest.mark.parametrize("name", sorted(set(documented())))
def test_numpydoc_understands(name):
    told = eval(name, {"likewise": likewise})
    # Answers and errors are made here, not by users.
    answer = inspect.isclass(told) and not issubclass(told, (likewise.PUClassifier, relational.RelationalClassifier))
    left_out = LEFT_OUT | ({"PR01"} if answer else set())
    errors = [(code, text) for code, text in validate(name)["errors"] if code not in left_out]
    assert not errors, name


def test_help_tells_what_an_estimator_is_and_takes():
    shown = pydoc.plain(pydoc.render_doc(likewise.Auto))
    head = shown.split("Method resolution order")[0]
    assert "class Auto(" in head and "effort='normal'" in head
    assert "Chooses method and cut by itself" in head and "effort : {'quick', 'normal', 'thorough'}" in head
    assert ">>> from likewise import Auto" in head
    for method in ("fit(self, X", "predict(self, X", "explain(self, X", "save(self, path"):
        assert method in shown, method
