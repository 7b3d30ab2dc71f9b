"""Arrays that lie in memory as the engine needs them are read where they are, and no model depends on them later."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse

import likewise
from likewise._columns import read
from support import ESTIMATORS, NAMES, bits, quick, sparse_rows, word_counts


def lent_rows(density: str):
    """Rows as the engine takes them without a copy, their arrays, and labels."""
    x, labels = sparse_rows() if density == "sparse" else word_counts()[:2]
    x = x.astype(np.float32)
    return x, [x] if density == "dense" else [x.indptr, x.indices, x.data], labels


def of_every_kind(test):
    test = pytest.mark.parametrize("density", ["dense", "sparse"])(test)
    test = pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)(test)
    return pytest.mark.filterwarnings("ignore")(test)


@of_every_kind
def test_a_model_does_not_change_with_the_array_it_learned_from(estimator, density):
    x, arrays, labels = lent_rows(density)
    later = x.copy()
    model = quick(estimator).fit(x, labels)
    expected, scores = bits(model.decision_function(later)), bits(model.scores_)
    for array in arrays:
        array[:] = 0
    assert bits(model.decision_function(later)) == expected
    assert bits(model.scores_) == scores


@of_every_kind
def test_the_caller_keeps_what_he_gave(estimator, density):
    x, arrays, labels = lent_rows(density)
    before = [array.copy() for array in arrays]
    held = [sys.getrefcount(array) for array in arrays]
    quick(estimator).fit(x, labels).predict(x)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before))
    assert [sys.getrefcount(array) for array in arrays] == held


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the kernel tells no peak of memory")
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_memory_does_not_grow_by_the_rows(form):
    """128 MiB of rows, and less than a quarter of that on top of them."""
    program = textwrap.dedent("""
        import sys
        import numpy as np, scipy.sparse, likewise

        def mebibytes(what):
            with open("/proc/self/status") as lines:
                return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024

        rows, cols = 1 << 15, 1 << 10
        y = np.arange(rows) % 8 == 0
        small = np.arange(2000) % 8 == 0
        if sys.argv[1] == "dense":
            x = np.ones((rows, cols), dtype=np.float32)
            x[y, :8] = 3
        else:
            stored = cols // 2
            indices = np.tile(np.arange(stored, dtype=np.int32) * 8, rows)
            indptr = np.arange(rows + 1, dtype=np.int32) * stored
            x = scipy.sparse.csr_array((np.ones(rows * stored, dtype=np.float32), indices, indptr), shape=(rows, cols * 4))
            x.data[: stored * 8] = 3
            del indices
        # Whoever places a cut by hidden positives learns several times, and needs room for it.
        likewise.Prototype(n_jobs=1, cut="natural").fit(x[:2000], small)
        before = mebibytes("VmRSS:")
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")
        likewise.Prototype(n_jobs=1, cut="natural").fit(x, y).predict(x)
        print(mebibytes("VmHWM:") - before)
    """)
    done = subprocess.run([sys.executable, "-c", program, form], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 32


def test_indices_that_are_no_columns_are_refused():
    x, labels = sparse_rows()
    x = x.astype(np.float32)
    for column in (-1, 30, np.iinfo(np.int32).min):
        wrong = x.copy()
        wrong.indices[5] = column
        with pytest.raises(ValueError):
            likewise._native.fit(
                "nb", "{}", (30, wrong.indptr, wrong.indices, wrong.data), [], labels == 1, None, read(), None, None,
                False, likewise._native.Settings(0),
            )


def test_columns_in_any_order_are_sorted_in_a_copy():
    x, labels = sparse_rows()
    x = x.astype(np.float32)
    order = np.concatenate([np.arange(start, end)[::-1] for start, end in zip(x.indptr, x.indptr[1:])])
    turned = scipy.sparse.csr_array((x.data[order], x.indices[order], x.indptr), shape=x.shape)
    given = turned.indices.copy()
    assert bits(likewise.NB().fit(turned, labels).scores_) == bits(likewise.NB().fit(x, labels).scores_)
    assert np.array_equal(turned.indices, given)
