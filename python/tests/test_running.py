"""The interpreter stays free, can be interrupted, hears warnings and progress, and may fork."""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse

import likewise
from likewise import _native
from likewise._columns import read
from likewise._progress import progress_bar
from support import DOCUMENTS, LABELS, word_counts


def slow_problem() -> tuple[likewise.PUClassifier, scipy.sparse.csr_array, np.ndarray]:
    """Work of many seconds in many steps."""
    x = scipy.sparse.random_array((20_000, 5_000), density=0.01, rng=np.random.default_rng(0), format="csr")
    return likewise.Bagging(rounds=10_000), x, np.arange(20_000) % 10 == 0


@pytest.fixture
def interruptible():
    """A background job of a shell starts with SIGINT ignored, and Python then leaves it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_the_work():
    model, x, labels = slow_problem()
    threading.Timer(1.0, os.kill, [os.getpid(), signal.SIGINT]).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.fit(x, labels)
    assert time.monotonic() - started < 60
    assert not hasattr(model, "scores_")
    likewise.NB().fit(*word_counts()[:2])


@pytest.mark.skipif(os.name != "posix", reason="no signals to ignore here")
def test_ctrl_c_stops_the_work_of_a_background_job_too():
    test = f"{__file__}::test_ctrl_c_stops_the_work"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test], capture_output=True, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_other_threads_run_meanwhile_and_an_error_in_progress_stops_the_work():
    model, x, labels = slow_problem()
    ticks = []

    class Enough(Exception):
        pass

    def progress(stage: str, done: float) -> None:
        ticks.append((stage, done))
        if len(ticks) == 3:
            raise Enough

    counted, stop = [], threading.Event()

    def count() -> None:
        while not stop.wait(0.01):
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    rows = (x.shape[1], x.indptr, x.indices, x.data)
    with pytest.raises(Enough):
        _native.fit("bagging", '{"rounds": 10000}', rows, [], labels, None, read(), None, None, False, _native.Settings(0, None, progress))
    stop.set()
    thread.join()
    assert len(ticks) == 3 and all(0 <= done <= 1 for _, done in ticks)
    assert [done for _, done in ticks] == sorted(done for _, done in ticks)
    assert counted


def test_progress_is_drawn_by_tqdm(capsys, monkeypatch):
    bar = progress_bar(True)
    bar("learning", 0.25)
    bar("scoring", 0.5)
    bar.close()
    shown = capsys.readouterr().err
    assert "learning" in shown and "scoring:  50%" in shown
    # One bar, not one for each stage: each of the two would have begun at nothing.
    assert "scoring:   0%" not in shown
    assert progress_bar(False) is None
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "tqdm.auto", None)
        with pytest.warns(likewise.LikewiseWarning, match="pip install tqdm") as told:
            assert progress_bar(True) is None
        assert told[0].message.code == "no-progress" and told[0].filename == __file__
    likewise.NB(verbose=True).fit(*word_counts()[:2])


def test_warnings_are_warnings_and_notes_are_logged(caplog):
    with pytest.warns(likewise.LikewiseWarning, match="only 2 positive examples") as told:
        model = likewise.NB().fit(DOCUMENTS, [1, 1] + [0] * 10)
    assert told[0].filename == __file__
    assert any("only 2 positive" in note for note in model.notes_)
    with caplog.at_level(logging.INFO, "likewise"):
        likewise.NB().fit([*DOCUMENTS, ""], [*LABELS, 0])
    assert "without a usable word" in caplog.text


def scores_in_child(queue) -> None:
    queue.put(likewise.NB().fit(*word_counts()[:2]).scores_.sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_can_learn():
    expected = likewise.NB().fit(*word_counts()[:2]).scores_.sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=scores_in_child, args=[queue])
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()
