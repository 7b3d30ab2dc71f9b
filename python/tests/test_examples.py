"""The examples in the documentation run and are right."""

import doctest
import inspect

import pytest

import likewise
from likewise import relational

TOLD = {"likewise": likewise}
try:
    TOLD["arrow"] = likewise.arrow
except ImportError as absent:
    print(f"skipped: the examples of likewise.arrow ({absent})")
TOLD |= {name: getattr(likewise, name) for name in likewise.__all__ if name != "__version__"}
TOLD |= {f"relational.{name}": getattr(relational, name) for name in relational.__all__}
CLASSES = [likewise.PUClassifier, relational.RelationalClassifier]


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
@pytest.mark.parametrize("name", TOLD)
def test_examples(name):
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(TOLD[name]), {}, name, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("name", TOLD)
def test_everything_is_documented(name):
    told = TOLD[name]
    assert inspect.getdoc(told)
    if inspect.isclass(told) and told not in CLASSES and issubclass(told, tuple(CLASSES)):
        for section in ("Parameters", "Attributes", "References", "Examples"):
            assert f"\n{section}\n{'-' * len(section)}\n" in inspect.getdoc(told), section
        for name, method in inspect.getmembers(told, inspect.isfunction):
            own = method.__module__.startswith("likewise") and not name.startswith("_")
            assert not own or "Returns\n-------" in inspect.getdoc(method) or name in ("report", "save"), name
