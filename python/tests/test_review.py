"""`likewise.review`: a page from a frame, and the marks back as a frame."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pandas as pd
import polars as pl
import pytest

import likewise

PILE = ["late parcel", "where is my parcel", "I need a refund", "parcel lost in the post"]


def mark(url: str, row: int, verdict: str) -> int:
    parts = urlsplit(url)
    token = parts.query.removeprefix("token=")
    connection = http.client.HTTPConnection(parts.netloc)
    body = json.dumps({"base": 0, "key": f"k{row}", "marks": [{"row": row, "verdict": verdict}]})
    headers = {"Cookie": f"likewise-{parts.port}={token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/marks", body, headers)
    return connection.getresponse().status


def test_marks_come_back_as_a_frame(tmp_path):
    frame = pd.DataFrame({"number": [7, 8, 9, 10], "text": PILE, "sent": pd.to_datetime(["2026-01-01"] * 4)})
    project = tmp_path / "kept.likewise"
    with likewise.review(frame, id="number", project=project) as page:
        assert mark(page.url, 2, "yes") == 200 and mark(page.url, 0, "no") == 200
        marks = page.marks()
        assert isinstance(marks, pd.DataFrame)
        assert marks["verdict"].tolist() == ["no", "", "yes", ""]
        assert page.marks("yes")["text"].tolist() == ["I need a refund"]
        assert len(page.marks("log")) == 2
        assert "<iframe" in page._repr_html_() and page.url in page._repr_html_()
    with likewise.review(project=project) as again:
        assert again.marks("yes")["number"].tolist() == ["9"]


def test_other_makes_and_examples():
    with likewise.review(pl.DataFrame({"text": PILE}), like=["refund my money"]) as page:
        marks = page.marks()
    assert isinstance(marks, pl.DataFrame) and marks.height == 4


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="rows to read"):
        likewise.review()
    with pytest.raises(ValueError, match="no column `body`"):
        likewise.review(pd.DataFrame({"text": PILE}), text="body")


def test_columns_are_left_out_and_cells_of_lists_are_kept():
    frame = pd.DataFrame({"body": PILE, "v": [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [1.0, 0.2]], "left": ["a", pd.NA, "b", None]})
    with likewise.review(frame, like=frame[2:3], text="body", leave_out="left") as page:
        assert len(page.marks()) == 4
    with pytest.raises(ValueError, match="no column `lft`"):
        likewise.review(frame, text="body", leave_out="lft")


def test_marks_know_where_their_rows_stand():
    frame = pd.DataFrame({"text": PILE, 7: [3, 1, 4, 1]}, index=["a", "b", "c", "d"])
    with likewise.review(frame, features=7, text="text") as page:
        assert mark(page.url, 2, "yes") == 200
        assert page.marks()["row"].tolist() == [0, 1, 2, 3] and page.marks().index.tolist() == ["a", "b", "c", "d"]
        found = page.marks("yes")
        assert found["row"].tolist() == [2] and frame.loc[found.index, "text"].tolist() == ["I need a refund"]
        assert page.marks("log")["row"].tolist() == [2]
    with likewise.review(pl.DataFrame({"text": PILE, "key": ["x", "y", "z", ""]}), id="key") as page:
        assert mark(page.url, 2, "yes") == 200
        assert page.marks("yes")["row"].to_list() == [2]


def test_what_find_is_told_of_words_is_told_here_too():
    frame = pd.DataFrame({"text": PILE})
    words = {"stop_words": {"these": ["the", "is"]}, "ngrams": (1, 2), "fold_accents": True, "tokens": "words", "most_terms": 50}
    with likewise.review(frame, like=frame[2:3], text="text", words=words, target=0.9, sure=0.9) as page:
        assert len(page.marks()) == 4
    with pytest.raises(ValueError, match="--stem"):
        likewise.review(frame, words={"stem": "english"})
    with pytest.raises(ValueError, match="project goes on with its own"):
        likewise.review(project="kept.likewise", words=words)
