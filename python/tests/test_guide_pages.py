"""The pages of the guide that are made: formulas, places among the results, pictures."""

import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import likewise._registry
import likewise.relational

GUIDE = Path(__file__).parents[2] / "docs/guide"
sys.path.insert(0, str(GUIDE))

import mathml  # noqa: E402
import methods  # noqa: E402
import picture  # noqa: E402
import results  # noqa: E402

TOLD = methods.documentation()
NAMES = [method.name for method in likewise._registry.METHODS]


@pytest.mark.parametrize("name", NAMES)
def test_every_method_has_words_formulas_that_are_set_and_a_place(name):
    head, _ = TOLD[name]
    blocks = mathml.BLOCK.findall(head)
    assert blocks
    for block in blocks:
        set_ = xml.fromstring(mathml.block(block))
        # Nothing is lost and nothing changes its place but brackets around quotients, slashes and marks of scripts.
        letters = "".join(set_.itertext()).replace("−", "-")
        wanted = block.translate({ord(low): high for low, high in {**mathml.SUBSCRIPTS, **mathml.SUPERSCRIPTS}.items()})
        wanted = wanted.replace("½", "12").replace("¼", "14")
        bare = lambda text: re.sub(r"[\s/_^{}()]", "", text)  # noqa: E731
        assert bare(letters) == bare(wanted)
    assert name in results.places(), "run `likewise reproduce all --full --methods NAME`, see CONTRIBUTING.md"


def test_every_method_says_what_it_assumes_where_people_look():
    for method in likewise._registry.METHODS:
        assert method.assumes.endswith("."), method.name
        home = likewise.relational if method.inputs == ["relational"] else likewise
        # The ideal that learns from the truth is no estimator.
        if method.class_name in home.__all__:
            told = " ".join(getattr(home, method.class_name).__doc__.split())
            assert f"Assumes: {method.assumes}" in told
    one = {"name": "m", "family": "f", "assumes": "Rows are round.", "inputs": ["sparse"], "weights": "count", "paper": "p",
           "keeps": None, "negatives_in_words": "left out", "cut": "by itself", "counted": {"given": None}, "parameters": []}
    page = methods.page(one, "Words.", "m.rs", [], None)
    assert all(words in page for words in ("Rows are round.", "left out", "by itself", "yes, exactly"))


def test_quotients_take_products_or_what_they_touch():
    below = lambda text: ["".join(f[1].itertext()) for f in xml.fromstring(mathml.block(text)).iter("mfrac")]  # noqa: E731
    assert below("20 n u / (n + u)") == ["n+u"]
    assert below("π p/P") == ["P"]
    assert below("(1 - c)/c · g(x)/(1 - g(x))") == ["c", "1−g(x)"]
    above = xml.fromstring(mathml.block("a + 20 n u / (n + u)")).find(".//mfrac")[0]
    assert "".join(above.itertext()) == "20nu"


def test_places_are_counted_from_the_best():
    for comparison, _, *where in results.COMPARISONS:
        of_all = results.means(*where)
        best = max(of_all, key=lambda method: of_all[method][0])
        assert any(p.comparison == comparison and p.place == 1 for p in results.places()[best])


def test_one_column_makes_no_method_first_and_only_peers_are_broken_lines():
    assert results.order(results.places())[0] == "auto"
    assert results.beside_peers().count("stroke-dasharray") == 3
    drawn = results.on_tables()
    assert all(f">{name}<" in drawn for name in ("PyOD", "forest", "penguins", "mean"))


def test_the_line_of_a_field_lies_where_it_is_one_half():
    # The score rises from left to right and passes 0.5 in the middle.
    scores = [column / (picture.SIDE - 1) for _ in range(picture.SIDE) for column in range(picture.SIDE)]
    across = {float(x) for x in re.findall(r"[ML]([\d.]+) ", picture.cut(scores))}
    assert across == {picture.SIZE / 2}
    assert picture.png(scores).startswith(b"\x89PNG")
