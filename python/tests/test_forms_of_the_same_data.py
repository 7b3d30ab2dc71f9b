"""The same data gives the same scores, to the last bit, in whatever container it comes: matrices, and frames of columns."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from support import DOCUMENTS, ESTIMATORS, LABELS, NAMES, bits, quick, sparse_rows, word_counts

NAMED = [f"w{j}" for j in range(30)]


def with_explicit_zeros(x: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    rows = x.tocoo()
    zeros = np.argwhere(x.toarray() == 0)[:50].T
    values = np.concatenate([rows.data, np.zeros(50)])
    where = np.concatenate([rows.coords[0], zeros[0]]), np.concatenate([rows.coords[1], zeros[1]])
    return scipy.sparse.csr_array((values, where), shape=x.shape)


def with_repeated_entries(x: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Every value in two halves, columns descending."""
    order = np.concatenate([np.repeat(np.arange(start, end)[::-1], 2) for start, end in zip(x.indptr, x.indptr[1:])])
    return scipy.sparse.csr_array((x.data[order] / 2, x.indices[order], x.indptr * 2), shape=x.shape)


def forms(x: scipy.sparse.csr_array) -> dict:
    dense = x.toarray()
    read_only = dense.copy()
    read_only.flags.writeable = False
    return {
        "double": dense,
        "single": dense.astype(np.float32),
        "integers": dense.astype(np.int64),
        "columns first": np.asfortranarray(dense),
        "every second row": np.repeat(dense, 2, axis=0)[::2],
        "read only": read_only,
        "lists": dense.tolist(),
        "csr": x,
        "csr, single": x.astype(np.float32),
        "csr, 64-bit": scipy.sparse.csr_array((x.data, x.indices.astype(np.int64), x.indptr.astype(np.int64)), shape=x.shape),
        "csr matrix": scipy.sparse.csr_matrix(x),
        "csc": x.tocsc(),
        "coo": x.tocoo(),
        "explicit zeros": with_explicit_zeros(x),
        "repeated entries": with_repeated_entries(x),
        "pandas, sparse": pd.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(x), columns=NAMED),
    }


def frames(x: scipy.sparse.csr_array) -> dict:
    dense = x.toarray()
    return {
        "pandas": pd.DataFrame(dense, columns=NAMED),
        "pandas, nullable": pd.DataFrame(dense, columns=NAMED).convert_dtypes(),
        "polars": pl.from_numpy(dense, schema=NAMED),
        "polars, lazy": pl.from_numpy(dense, schema=NAMED).lazy(),
        "arrow": pa.table({name: dense[:, j] for j, name in enumerate(NAMED)}),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
@pytest.mark.parametrize("density", ["dense", "sparse"])
def test_numbers(estimator, density):
    x, labels = sparse_rows() if density == "sparse" else (scipy.sparse.csr_array(word_counts()[0]), word_counts()[1])
    for alike in (forms(x), frames(x)):
        expected = None
        for name, form in alike.items():
            model = quick(estimator).fit(form, labels)
            found = bits(model.scores_), bits(model.decision_function(form))
            expected = expected or found
            assert found == expected, name


def test_names_of_columns_are_remembered():
    from likewise import Logistic

    x, labels = sparse_rows()
    named = {"pandas, sparse", *frames(x)}
    for name, form in {**forms(x), **frames(x)}.items():
        model = Logistic().fit(form, labels)
        assert model.n_features_in_ == 30
        assert list(getattr(model, "feature_names_in_", [])) == (NAMED if name in named else []), name
    with pytest.raises(ValueError, match="feature names should match"):
        Logistic().fit(pd.DataFrame(x.toarray(), columns=NAMED), labels).predict(pd.DataFrame(x.toarray(), columns=NAMED[::-1]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if "sparse" in e._method.inputs], ids=lambda e: e.__name__)
def test_documents(estimator):
    forms = {
        "list": DOCUMENTS,
        "tuple": tuple(DOCUMENTS),
        "array": np.array(DOCUMENTS),
        "array of objects": np.array(DOCUMENTS, dtype=object),
        "pandas column": pd.Series(DOCUMENTS),
        "pandas column of objects": pd.Series(DOCUMENTS, dtype=object),
        "pandas table": pd.DataFrame({"message": DOCUMENTS}),
        "polars column": pl.Series(DOCUMENTS),
        "polars table": pl.DataFrame({"message": DOCUMENTS}),
        "arrow column": pa.chunked_array([DOCUMENTS[:5], DOCUMENTS[5:]]),
        "arrow table": pa.table({"message": DOCUMENTS}),
    }
    expected = None
    for name, form in forms.items():
        model = quick(estimator).fit(form, LABELS)
        found = bits(model.scores_), bits(model.decision_function(form))
        expected = expected or found
        assert found == expected, name
        assert not hasattr(model, "n_features_in_")


def test_missing_documents_are_empty():
    from likewise import NB

    told = []
    for missing in (None, "", float("nan")):
        model = NB().fit(pd.Series([*DOCUMENTS, missing], dtype=object), [*LABELS, 0])
        told.append(bits(model.scores_))
        assert model.scores_[-1] == 0
        assert any("without a usable word" in note for note in model.notes_)
    assert len(set(told)) == 1


MANY_LABELS = [np.int64, np.int8, np.uint64, bool, float, object, str]


@pytest.mark.parametrize("kind", MANY_LABELS, ids=lambda kind: kind.__name__)
def test_labels_of_any_type(kind):
    from likewise import NB

    counts, labels, _ = word_counts()
    texts = kind in (str, object)
    two = np.array(["a", "b"] if texts else [0, 1] if kind is bool else [3, 7], dtype=kind)
    given = two[labels]
    model = NB().fit(counts, given)
    assert bits(model.scores_) == bits(NB().fit(counts, labels).scores_)
    assert model.classes_.dtype == np.unique(given).dtype and model.classes_.tolist() == two.tolist()
    with pytest.raises(ValueError, match="class"):
        NB().fit(counts, np.repeat(two[:1], len(counts)))
    if kind is not bool:
        three = np.array(["a", "b", "c"] if texts else [3, 5, 7], dtype=kind)
        with pytest.raises(ValueError, match="Only binary"):
            NB().fit(counts, np.resize(three, len(counts)))


def test_a_text_model_refuses_numbers_and_the_other_way_round():
    from likewise import NB

    text = NB().fit(DOCUMENTS, LABELS)
    with pytest.raises(TypeError, match="was trained on documents"):
        text.predict(np.ones((2, 3)))
    counts, labels, _ = word_counts()
    with pytest.raises(ValueError):
        NB().fit(counts, labels).predict(DOCUMENTS)
    with pytest.raises(TypeError, match="row 1 is not a text but of type int"):
        NB().fit(["a", 1, "b"], [1, 0, 0])
