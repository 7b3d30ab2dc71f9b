"""The pages of the guide that are made: formulas, places among the results, pictures."""

import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import likewise._registry

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
    assert head
    for block in re.findall(r"^```text\n(.*?)^```$", head, flags=re.MULTILINE | re.DOTALL):
        set_ = xml.fromstring(mathml.block(block))
        # Nothing is lost and nothing changes its place but brackets around quotients, slashes and marks of scripts.
        letters = "".join(set_.itertext()).replace("−", "-")
        wanted = block.translate({ord(low): high for low, high in {**mathml.SUBSCRIPTS, **mathml.SUPERSCRIPTS}.items()})
        wanted = wanted.replace("½", "12").replace("¼", "14")
        bare = lambda text: re.sub(r"[\s/_^{}()]", "", text)  # noqa: E731
        assert bare(letters) == bare(wanted)
    assert name in results.places(), "run `likewise reproduce all --full --methods NAME`, see CONTRIBUTING.md"


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


def test_the_line_of_a_field_lies_where_it_is_one_half():
    # The score rises from left to right and passes 0.5 in the middle.
    scores = [column / (picture.SIDE - 1) for _ in range(picture.SIDE) for column in range(picture.SIDE)]
    across = {float(x) for x in re.findall(r"[ML]([\d.]+) ", picture.cut(scores))}
    assert across == {picture.SIZE / 2}
    assert picture.png(scores).startswith(b"\x89PNG")
