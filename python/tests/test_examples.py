"""The examples in the documentation run and are right."""

import doctest
import inspect

import pytest

import likewise


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
@pytest.mark.parametrize("name", ["likewise", *likewise.__all__])
def test_examples(name):
    told = likewise if name == "likewise" else getattr(likewise, name)
    if isinstance(told, str) or not inspect.getdoc(told):
        return
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(told), {}, name, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("name", likewise.__all__)
def test_everything_is_documented(name):
    told = getattr(likewise, name)
    assert isinstance(told, str) or inspect.getdoc(told)
    if inspect.isclass(told) and told is not likewise.PUClassifier and issubclass(told, likewise.PUClassifier):
        for section in ("Parameters", "Attributes", "References", "Examples"):
            assert f"\n{section}\n{'-' * len(section)}\n" in inspect.getdoc(told), section
