"""Signatures, defaults, help and ranges come from the registry."""

import inspect
import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import MaxAbsScaler

import likewise
from likewise._registry import METHODS, READING
from support import DOCUMENTS, ESTIMATORS, LABELS, NAMES, bits, sparse_rows, word_counts

pytestmark = pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")


def test_every_method_of_the_command_line_has_a_class():
    told = subprocess.run([sys.executable, "-m", "likewise", "methods", "--json"], capture_output=True, check=True)
    names = {method["name"] for method in json.loads(told.stdout)}
    assert names == {method.name for method in METHODS}
    made = {m.name for m in METHODS if hasattr(likewise, m.class_name) or hasattr(likewise.relational, m.class_name)}
    assert names - made == {"supervised"}
    classes = [method.class_name for method in METHODS]
    assert len(set(classes)) == len(classes)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_the_class_says_what_the_registry_says(estimator):
    method = estimator._method
    parameters = inspect.signature(estimator).parameters
    assert list(estimator().get_params()) == sorted(parameters)
    for parameter in method.parameters:
        default = parameters[parameter.attribute].default
        if method.readings and parameter.name != READING:
            assert default == READING
        else:
            assert default == parameter.default
        assert parameter.help.split()[0] in estimator.__doc__
    assert method.paper.split()[0] in estimator.__doc__
    assert estimator.__module__ == "likewise" and getattr(likewise, estimator.__name__) is estimator


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_given_defaults_change_nothing(estimator):
    x, labels = sparse_rows()
    method = estimator._method
    expected = bits(estimator().fit(x, labels).scores_)
    defaults = method.readings[0] if method.readings else {p.name: p.default for p in method.parameters}
    given = {p.attribute: defaults[p.name] for p in method.parameters}
    assert bits(estimator(**given).fit(x, labels).scores_) == expected
    numpys = {name: np.float64(v) if type(v) is float else np.int64(v) if type(v) is int else v for name, v in given.items()}
    assert bits(estimator(**numpys).fit(x, labels).scores_) == expected


def test_a_reading_sets_the_other_parameters():
    counts, labels, _ = word_counts()
    printed = likewise.LGN(reading="printed").fit(counts, labels)
    by_hand = likewise.LGN(**likewise.LGN._method.readings[1]).fit(counts, labels)
    best = likewise.LGN().fit(counts, labels)
    assert bits(printed.scores_) == bits(by_hand.scores_) != bits(best.scores_)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strength": -1.0}, "`strength`: -1.0 is out of range"),
        ({"strength": "much"}, "`strength`: \"much\" is not a number"),
        ({"strength": float("nan")}, "`strength`: nan is not a finite number"),
        ({"strength": [1]}, "`strength`: .1. is not a number"),
        ({"random_state": -1}, "`random_state`"),
        ({"n_jobs": 0}, "`n_jobs`"),
        ({"words": {"stemming": 3}}, "`stemming`"),
        ({"words": {"no_such": 3}}, "`no_such`: there is no such word option"),
    ],
)
def test_bad_parameters_are_both_kinds_of_error(given, message):
    for kind in (ValueError, TypeError, likewise.ParameterError):
        with pytest.raises(kind, match=message):
            likewise.NB(**given).fit(DOCUMENTS, LABELS)


def test_unknown_parameters_are_refused_at_once():
    with pytest.raises(TypeError, match="smoothin"):
        likewise.NB(smoothin=1)
    with pytest.raises(ValueError, match="smoothin"):
        likewise.NB().set_params(smoothin=1)


def test_words_can_be_chosen():
    model = likewise.NB(words={"stop_words": "none", "ngrams": [1, 2]}).fit(DOCUMENTS, LABELS)
    assert "the parcel" in model.terms_ and "the" in model.terms_
    assert "the" not in likewise.NB(words={"stop_words": "english"}).fit(DOCUMENTS, LABELS).terms_
    assert "the" in likewise.NB().fit(DOCUMENTS, LABELS).terms_, "short texts need every word"
    loud = ["Refund me!", "Refund now!", "a parcel", "late parcel"]
    terms = likewise.NB(words={"tokens": "all", "times": [2], "fold_accents": True}).fit(loud, [1, 1, 0, 0]).terms_
    assert "!" in terms and "a" in terms
    assert "!" not in likewise.NB(words={"tokens": "words"}).fit(loud, [1, 1, 0, 0]).terms_
    with pytest.raises(ValueError, match="times"):
        likewise.NB(words={"times": [2, 1]}).fit(loud, [1, 1, 0, 0])
    with pytest.raises(ValueError, match="did you mean `german`"):
        likewise.NB(words={"stop_words": "germann"}).fit(DOCUMENTS, LABELS)
    with pytest.raises(AttributeError, match="documents"):
        likewise.NB().fit(*word_counts()[:2]).terms_


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_threads_and_seeds(estimator):
    x, labels = sparse_rows()
    one, two = (estimator(n_jobs=jobs, random_state=3).fit(x, labels) for jobs in (1, 2))
    assert bits(one.scores_) == bits(two.scores_)
    state = estimator(random_state=np.random.RandomState(0)).fit(x, labels)
    assert len(state.scores_) == len(labels)


def test_inside_scikit_learns_tools():
    pipeline = make_pipeline(CountVectorizer(), MaxAbsScaler(), likewise.Logistic())
    found = cross_val_predict(pipeline, DOCUMENTS, LABELS, cv=3, method="predict_proba")
    assert found.shape == (len(DOCUMENTS), 2)
    search = GridSearchCV(likewise.NB(), {"strength": np.logspace(-1, 1, 3)}, cv=2, n_jobs=2, scoring="roc_auc")
    search.fit(*word_counts()[:2])
    assert search.best_score_ > 0.6
    assert clone(search.best_estimator_).strength == search.best_params_["strength"]


def test_reasons_have_the_names_of_words():
    model = likewise.NB().fit(DOCUMENTS, LABELS)
    reasons = dict(model.explain(["refund the parcel"], top=2))
    assert reasons["refund"] > 0 > reasons["parcel"]
    with pytest.raises(IndexError, match="no row 1"):
        model.explain(["refund"], row=1)


def test_every_way_to_make_words_is_documented():
    with pytest.raises(likewise.ParameterError, match="there is no such word option") as refused:
        likewise.NB(words={"no": 1}).fit(["a b", "b c"], [1, 0])
    known = str(refused.value).partition("there are ")[2].split(", ")
    assert len(known) > 8 and all(f"``{name}``" in likewise.NB.__doc__ for name in known)
