"""Find and unexpected: rows of a pile that belong to a class, or to none that is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from . import _answer_tables, _frames, _handed, _native
from ._asking import AUTOMATIC, given, method_named, problem, sides
from ._columns import probable
from ._errors import flag
from ._estimator import ending, settings
from ._found import Answer, Found, OfClasses, replaced, with_answer
from ._hidden_classes import UnexpectedSummary, Verdicts, as_given
from ._notes import tell
from ._read_sample import texts
from ._reading import reading


def find(
    positives: Any,
    pile: Any,
    *,
    unlike: Any = None,
    method: str = AUTOMATIC,
    cut: str | dict[str, float] | None = None,
    probabilities: bool = False,
    certainty: bool = False,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    keep_positives: bool = False,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
    **parameters: Any,
) -> Found:
    """Rank a pile by likeness to a few examples.

    Parameters
    ----------
    positives, pile : list or column of str, data frame, dict of blocks, array or sparse matrix
        Examples of what you want, and the rows to search; both of one kind. A dict of both names blocks: documents,
        columns of numbers or categories, and two-dimensional arrays, which are vectors. A dict of positives alone, such
        as ``{"refunds": ..., "fraud": ...}``, holds the examples of several classes.
    unlike : list or column of str, data frame, dict of blocks, array or sparse matrix, default=None
        Rows known not to be wanted, of the same kind. They teach and are never part of the pile.
    method : str, default='auto'
        How to learn: the name of a method of the command line, such as ``'lgn'``.
    cut : str or dict, default=None
        Where the class ends: ``'hidden'`` (where positives hidden in the pile say), ``'natural'`` (at the method's own
        threshold), or one of ``{'recall': 0.95}``, ``{'precision': 0.9}``, ``{'share': 0.05}``, ``{'top': 100}`` and
        ``{'threshold': 0.7}``. None is what suits the method.
    probabilities : bool, default=False
        Say how probable each row is, with the range that the share of positives leaves open. Methods other than
        ``'auto'`` learn several times for it.
    certainty : bool, default=False
        Say how many there are and how sure that is, in ``summary`` and ``report``, also for a method that does not by
        itself, which then learns several times.
    text : str or list of str, default=None
        Text columns of data frames; None is the column ``text``, or the only one.
    features : str or list of str, default=None
        Columns of data frames with numbers, categories and dates, beside text and vectors; ``'all'`` is every
        column but the id and those named as text or vectors.
    vectors : str or list of str, default=None
        Columns of data frames with embeddings: lists or arrays of equally many numbers. Where neither text nor
        features nor vectors are named and there is no column ``text``, the columns are looked at, and all that
        carry something are learned from.
    embed : str or path, default=None
        Makes vectors of the text, beside its words: word vectors in a ``.vec`` or ``.txt`` file, or a folder of
        model2vec. A model file keeps its name and hash; give it again to ``load``, ``score`` or ``explain``.
    leave_out : str or list of str, default=None
        Columns not to learn from.
    id : str, default=None
        The column that is an id and says nothing; None is the column ``id``.
    keep_positives : bool, default=False
        Rank rows even if their content is that of a positive, and learn from positives that repeat another.
    words : dict, default=None
        How documents become words, as in the estimators.
    random_state : int, RandomState instance or None, default=0
        Seed of every random choice.
    n_jobs : int, default=None
        Number of threads; None and -1 mean one for each core.
    verbose : bool, default=False
        Show progress with tqdm, where that is installed.
    **parameters
        Parameters of the method.

    Returns
    -------
    ranking : DataFrame
        Best first: ``rank``, ``row`` (the position in the pile, counted from 0 as ``iloc`` does), ``score``,
        ``positive``, where asked for ``probability``, ``probability_low`` and ``probability_high``, then the columns of
        the pile, of which those that are called as one of these give way, with a warning. A polars or Arrow table where the
        pile was one, else a pandas table, which keeps the index of the pile. It knows more than its rows: ``summary`` (how many
        there are and how sure that is), ``model`` (which scores, explains and can be saved), ``left_out``,
        ``notes``, and ``report(path)`` writes a page that shows all of it. For several classes there are ``class``
        (that with the best score) and a column ``score_NAME`` for each instead of ``score``, and ``model`` and
        ``summary`` are dictionaries by class.

    Examples
    --------
    >>> import likewise
    >>> refunds = ["refund my money", "money back please", "please refund me", "want my money back"]
    >>> pile = ["late parcel", "where is my parcel", "please give my money back", "parcel lost in the post"]
    >>> found = likewise.find(refunds, pile, method="nb")
    >>> found["row"].tolist()[0]
    2
    >>> found.model.predict(["my money back"]).tolist()
    [1]
    """
    run, as_given = settings(random_state, n_jobs, verbose), pile
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
    if _frames.is_named(positives) and not _frames.is_named(pile):
        if unlike is not None:
            raise TypeError("unlike is for one class; find each class by itself, or leave it out")
        if probabilities or certainty:
            raise TypeError("probabilities and certainty are for one class; find each class by itself, or leave them out")
        pile = _frames.given(pile, "pile")
        return _classes(
            {str(name): _frames.given(like, f"positives[{name!r}]") for name, like in positives.items()},
            pile,
            method,
            given(method_named(method), parameters),
            ending(cut),
            reading(pile, **columns, keep_positives=keep_positives),
            run,
        )
    pile, (likes, pile_rows, unlikes, read) = problem("find", positives, pile, unlike, **columns, keep_positives=keep_positives)
    order, scores, told = _native.find(
        method,
        given(method_named(method), parameters),
        likes,
        pile_rows,
        unlikes,
        ending(cut),
        (flag("probabilities", probabilities), flag("certainty", certainty)),
        read,
        run,
    )
    tell(told.notes())
    ranking = {"rank": np.arange(1, len(order) + 1), "row": order, "score": scores, "positive": scores >= 0.5}
    ranking.update(probable(told.probabilities()))
    answer = Answer(told, run)
    answer.notes += replaced(ranking, pile, as_given)
    return with_answer(_answer_tables.beside(ranking, pile, order), answer)


def _classes(
    positives: dict[str, Any],
    pile: Any,
    method: str,
    parameters: str,
    cut: tuple[str, float | None] | None,
    read: dict[str, Any],
    run: _native.Settings,
) -> Found:
    """Several classes in one run."""
    names = list(positives)
    text = read["text"]
    likes = [sides(like, pile, called=f"examples of {name}", text=text)[0] for name, like in positives.items()]
    order, best, positive, scores, found, lines, left_out, told = _native.find_classes(
        method, parameters, names, likes, _handed.rows(pile, text), cut, read, run
    )
    tell(told)
    for _, _, notes in found:
        tell(notes)
    ranking = {
        "rank": np.arange(1, len(order) + 1),
        "row": order,
        "class": np.array(names, dtype=object)[best],
        "positive": positive,
        **{f"score_{name}": column for name, column in zip(names, scores)},
    }
    answer = OfClasses(names, found, lines, left_out, told)
    answer.notes += replaced(ranking, pile, pile)
    return with_answer(_answer_tables.beside(ranking, pile, order), answer)


def unexpected(
    known: Any,
    label: Any,
    new: Any,
    *,
    method: str = AUTOMATIC,
    text: str | Sequence[str] | None = None,
    features: str | Sequence[str] | None = None,
    vectors: str | Sequence[str] | None = None,
    embed: str | os.PathLike[str] | None = None,
    leave_out: str | Sequence[str] | None = None,
    id: str | None = None,
    words: dict[str, Any] | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
    **parameters: Any,
) -> Found:
    """Tell new rows of unknown classes from those of known ones.

    Parameters
    ----------
    known : list or column of str, data frame or dict of blocks
        Rows of the known classes.
    label : str or array of shape (n_known,)
        The class of each known row, or the column of ``known`` that names it. A row whose class is missing
        or blank takes no part.
    new : list or column of str, data frame or dict of blocks
        The new rows.
    method : str, default='auto'
        How to learn: the name of a method of the command line, such as ``'lgn'``. By itself it takes what best
        finds known classes that are hidden in turn.
    text, features, vectors, embed, leave_out, id, words, random_state, n_jobs, verbose : as in ``find``
        The same as there.
    **parameters : as in ``find``
        The same as there, for a method that is named.

    Returns
    -------
    verdicts : DataFrame
        In the order of ``new``: ``unexpected``, ``score`` (larger is more likely unexpected), ``class``
        (None where a row is unexpected), then the columns of ``new``. Its ``summary`` says what was tried and how
        well known classes that were hidden were found; ``notes`` and ``lines`` are as of ``find``.

    Examples
    --------
    >>> import likewise
    >>> known = ["engine wheel motor car", "car wheel brake motor", "goal team match ball", "team ball goal win"]
    >>> new = ["motor car engine brake", "ball team goal", "protein enzyme cell gene protein enzyme gene"]
    >>> told = likewise.unexpected(known, ["cars", "cars", "sport", "sport"], new, method="lgn")
    >>> told["unexpected"].tolist(), told["class"].tolist()[:2]
    ([False, False, True], ['cars', 'sport'])
    """
    columns: dict[str, Any] = dict(text=text, features=features, vectors=vectors, embed=embed, leave_out=leave_out, id=id, words=words)
    every = _frames.is_named(new)
    asked, known, new = new, _frames.given(known, "known"), _frames.given(new, "new")
    named = isinstance(label, str) and _frames.is_table(known)
    if not named:
        check_consistent_length(label, known)
    classes = _frames.documents(_frames.column_or_none(known, label) if named else label)
    scores, marks, found, notes, line, figures = _native.unexpected(
        method,
        given(method_named(method), parameters),
        _handed.rows(known, text),
        label if named else None,
        None if named else texts(classes),
        _handed.rows(new, text),
        reading(new, **columns, keep_positives=True, every=every),
        settings(random_state, n_jobs, verbose),
    )
    tell(notes)
    told = {"unexpected": np.array(marks), "score": scores, "class": as_given(found, classes)}
    table = _answer_tables.beside(told, new, np.arange(len(scores)))
    verdicts = Verdicts(UnexpectedSummary(figures, line), notes)
    verdicts.notes += replaced(told, new, asked)
    return with_answer(table, verdicts)
