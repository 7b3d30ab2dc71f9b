"""The tour runs from top to bottom."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parents[2] / "docs" / "tour.ipynb"


def test_the_tour_runs():
    notebook = nbformat.read(TOUR, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": TOUR.parent}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" for output in outputs)
