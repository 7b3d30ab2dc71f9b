"""The tour runs from top to bottom, and prints what it shows.

LIKEWISE_UPDATE=1 writes what comes out now into the notebook instead of comparing.
"""

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parents[2] / "docs" / "tour.ipynb"


def words(output):
    """What can be compared of an output: the text; of pictures and tables drawn for the page, that they are there."""
    if output.output_type == "stream":
        return output.name, output.text
    return sorted(output.data), output.data["text/plain"]


def test_the_tour_prints_what_it_shows():
    shown = nbformat.read(TOUR, as_version=4)
    nbformat.validate(shown)
    run = nbformat.read(TOUR, as_version=4)
    place = {"metadata": {"path": TOUR.parent}}
    NotebookClient(run, timeout=300, kernel_name="python3", resources=place, record_timing=False).execute()
    if os.environ.get("LIKEWISE_UPDATE"):
        # Which Python made it is of no matter to a reader, and would change it every time.
        run.metadata.pop("language_info", None)
        nbformat.write(run, TOUR)
        return
    pictures = 0
    for cell, now in zip(shown.cells, run.cells, strict=True):
        if cell.cell_type == "code":
            # What is printed and what is warned of come through two pipes, in either order.
            before, after = (sorted(map(words, one.outputs), key=str) for one in (cell, now))
            assert before == after, cell.source
            pictures += sum("<svg" in str(output.get("data", {}).get("text/html")) for output in cell.outputs)
    assert pictures, "the tour shows no picture"
