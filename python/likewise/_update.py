"""Update: a kept model and new marks."""

from __future__ import annotations

import os
from typing import Any

from . import _frames, _handed, _native
from ._asking import alike
from ._estimator import PUClassifier, settings
from ._loading import estimator_of
from ._notes import tell
from ._related import RelationalClassifier
from ._score import _fitted


def update(
    model: Any,
    like: Any = None,
    unlike: Any = None,
    pile: Any = None,
    *,
    id: str | None = None,
    embed: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> PUClassifier:
    """Teach a model by new marks.

    Without a pile the model is corrected: what it has learned stays, and the new marks move it, as far as they hold words
    or columns that it knows. With a pile it learns
    again from the marks and that pile, with the settings it was learned with; a model does not keep its examples, so
    give the old ones beside the new.

    Parameters
    ----------
    model : estimator, str, path or bytes
        A fitted estimator that was made by ``find``, or a model file; it stays as it is.
    like : list or column of str, or data frame, default=None
        More examples of what you want.
    unlike : list or column of str, or data frame, default=None
        Rows that are not wanted, such as those that the model has marked wrongly.
    pile : list or column of str, or data frame, default=None
        A pile to learn from again.
    id : str, default=None
        The column that is an id and says nothing; None is the column ``id``.
    embed : str or path, default=None
        The embedding that the model was learned with, as in ``score``.
    n_jobs : int, default=None
        Number of threads; None and -1 mean one for each core.
    verbose : bool, default=False
        Show progress with tqdm, where that is installed.

    Returns
    -------
    updated : PUClassifier
        Of the class of the model's method.

    Examples
    --------
    >>> import likewise
    >>> found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
    >>> better = likewise.update(found.model, like=["parcel"])
    >>> found.model.predict(["parcel"]).tolist(), better.predict(["parcel"]).tolist()
    ([0], [1])
    """
    model = _fitted(model, embed)
    if isinstance(model, RelationalClassifier):
        raise TypeError("a model of related tables is learned again with fit")
    if like is None and unlike is None:
        raise TypeError("which marks are new? Give like, unlike, or both")
    named = {"rows of like": like, "rows of unlike": unlike, "pile": pile}
    there = alike({name: _frames.given(rows, name) for name, rows in named.items() if rows is not None})
    if model._model.reads != "rows":
        there = {name: _handed.dense(rows) for name, rows in there.items()}
    wanted, unwanted, new_pile = (_handed.rows(there[name]) if name in there else None for name in named)
    run = settings(model._model.seed, n_jobs, verbose)
    new, _, notes = _native.update(model._model, wanted, unwanted, new_pile, id, run)
    tell(notes)
    updated: PUClassifier = estimator_of(new)
    return updated
