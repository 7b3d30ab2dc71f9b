"""Audit, prior and compare among related tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _frames, _native
from ._estimator import settings
from ._found import Rows
from ._judge import Audit, audit_of, table_of_methods
from ._measure import Prior, prior_of
from ._related_tables import MOST_DRAWN, asked, related_tables


def audit(
    tables: Mapping[str, Any] | None = None,
    references: Iterable[str | tuple[str, str]] = (),
    *,
    target: str,
    positives: Any = None,
    negatives: Any = None,
    pile: Any = None,
    schema: Mapping[str, Any] | None = None,
    database: str | os.PathLike[str] | list[str] | None = None,
    modes: str | os.PathLike[str] | None = None,
    draw: int = MOST_DRAWN,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Audit:
    """Say whether examples among related tables can carry an answer.

    Parameters
    ----------
    tables, references, target, positives, negatives, pile, schema, database, modes, draw : as in ``RelOCC.fit``
        The same as there.
    random_state, n_jobs, verbose : as in ``likewise.find``
        The same as there.

    Returns
    -------
    audit : Audit
        As that of ``likewise.audit``.
    """
    related = related_tables(tables, references, schema, database, modes)
    examples = asked(related, target, positives, negatives, pile, draw)
    return audit_of(*_native.audit_related(examples, settings(random_state, n_jobs, verbose)))


def prior(
    tables: Mapping[str, Any] | None = None,
    references: Iterable[str | tuple[str, str]] = (),
    *,
    target: str,
    positives: Any = None,
    negatives: Any = None,
    pile: Any = None,
    folds: int = 5,
    resamples: int = 100,
    schema: Mapping[str, Any] | None = None,
    database: str | os.PathLike[str] | list[str] | None = None,
    modes: str | os.PathLike[str] | None = None,
    draw: int = MOST_DRAWN,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Prior:
    """Estimate how many of the other examples among related tables are positive.

    Parameters
    ----------
    tables, references, target, positives, negatives, pile : as in ``RelOCC.fit``
        The same as there.
    folds, resamples : as in ``likewise.prior``
        The same as there.
    schema, database, modes, draw : as in ``RelOCC.fit``
        The same as there.
    random_state, n_jobs, verbose : as in ``likewise.find``
        The same as there.

    Returns
    -------
    prior : Prior
        As that of ``likewise.prior``.
    """
    related = related_tables(tables, references, schema, database, modes)
    examples = asked(related, target, positives, negatives, pile, draw)
    run = settings(random_state, n_jobs, verbose)
    return prior_of(*_native.prior_related(examples, folds, resamples, run))


def compare(
    tables: Mapping[str, Any] | None = None,
    references: Iterable[str | tuple[str, str]] = (),
    *,
    target: str,
    positives: Any = None,
    negatives: Any = None,
    pile: Any = None,
    methods: Sequence[str] | str | None = None,
    folds: int = 5,
    schema: Mapping[str, Any] | None = None,
    database: str | os.PathLike[str] | list[str] | None = None,
    modes: str | os.PathLike[str] | None = None,
    draw: int = MOST_DRAWN,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Rows:
    """Run several methods on the same examples among related tables.

    Parameters
    ----------
    tables, references, target, positives, negatives, pile : as in ``RelOCC.fit``
        The same as there.
    methods, folds : as in ``likewise.compare``
        The same as there.
    schema, database, modes, draw : as in ``RelOCC.fit``
        The same as there.
    random_state, n_jobs, verbose : as in ``likewise.find``
        The same as there.

    Returns
    -------
    comparison : DataFrame
        As that of ``likewise.compare``; of the make of the tables, else of pandas.
    """
    related = related_tables(tables, references, schema, database, modes)
    examples = asked(related, target, positives, negatives, pile, draw)
    named = [methods] if isinstance(methods, str) else None if methods is None else list(methods)
    found = _native.compare_related(examples, named, folds, settings(random_state, n_jobs, verbose))
    makes = (_frames.make(table) for table in (tables or {}).values())
    return table_of_methods(next((make for make in makes if make is not None), None), found, False)
