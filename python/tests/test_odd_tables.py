"""Odd tables give scores within 0 and 1 or a clear error; never anything else."""

import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise._generate import RELATIONAL

ODD = settings(
    max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
KEYS = st.one_of(
    st.none(), st.text(max_size=5), st.integers(-(2**62), 2**62), st.booleans(),
    st.sampled_from(["", "?", "NA", "a(b", "a,b", "'", '"', "日本", "🙂", "\x00", "a.b -> c", "SELECT 1"]),
)
VALUES = st.one_of(KEYS, st.floats(), st.sampled_from([1e308, -1e308, 5e-324, float("nan"), float("inf")]))


@st.composite
def odd_tables(draw):
    """People, some of them twice or without a name, who may refer to places that do not exist."""
    rows = draw(st.integers(0, 8))
    column = lambda cells: draw(st.lists(cells, min_size=rows, max_size=rows))
    places = draw(st.lists(KEYS, max_size=4))
    people = {"id": column(KEYS), "place": column(st.one_of(st.sampled_from(places or [None]), KEYS)), "size": column(VALUES)}
    return {"people": people, "places": {"id": places, "kind": [draw(VALUES) for _ in places]}}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", RELATIONAL.values(), ids=list(RELATIONAL))
@ODD
@given(data=st.data())
def test_tables(method, data):
    tables = data.draw(odd_tables())
    positives = data.draw(st.lists(st.one_of(st.sampled_from(tables["people"]["id"] or [None]), KEYS), max_size=4))
    make = data.draw(st.sampled_from([dict, pd.DataFrame, lambda columns: pl.DataFrame(columns, strict=False)]))
    try:
        given = {name: make(columns) for name, columns in tables.items()}
        model = method().fit(given, ["people.place -> places.id"], target="wanted(people)", positives=positives)
    except ValueError as error:
        assert len(str(error)) > 15, error
        return
    scores = model.score_samples()
    assert ((0 <= scores) & (scores <= 1)).all()
    assert len(model.ranking_) <= len(scores)
