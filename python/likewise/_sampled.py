"""What is learned from a sample of a pile that lies elsewhere, and what is known of the pile after its second pass."""

from __future__ import annotations

from typing import Any

from . import _native
from ._errors import Note
from ._notes import notes


class PileAnswer:
    """What is known of a pile that was ranked after learning from a sample of it.

    Attributes
    ----------
    model : bytes
        The model, as its file holds it: ``likewise.load`` makes an estimator of it.
    summary : Summary or None
        How many there are and how sure that is, with what the sample adds to the doubt; where the method can say.
    lines : list of str
        What was done, in a few plain lines.
    notes : list of Note
        What there is to say of it; each is a text with a ``code``.
    ranked, positive, copies : int
        Rows that took part, rows that are marked, and rows that say what an example says.
    """

    def __init__(self, learned: _native.Learned, ranked: int, positive: int, copies: int) -> None:
        summary, self.lines, told = learned.answer(ranked, positive, copies)
        self._summary = summary
        self.model: bytes = learned.model()
        self.notes: list[Note] = notes(told)
        self.ranked, self.positive, self.copies = ranked, positive, copies

    @property
    def summary(self) -> Any:
        if self._summary is None:
            return None
        from ._summary import Summary

        return Summary(self._summary)

    def __repr__(self) -> str:
        return "\n".join(self.lines)
