"""The Python reference, one page for each module, from the docstrings alone.

    python docs/reference.py FOLDER

The estimators exist only once somebody asks for them, so they are asked for here.
"""

import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import pdoc
import pdoc.render

import likewise
import likewise.relational


# Classes say that they live where users find them, and pdoc looks there for the names in their annotations.
warnings.filterwarnings("ignore", message="Error parsing type annotation")


def main() -> None:
    for module in (likewise, likewise.relational):
        for name in module.__all__:
            setattr(module, name, getattr(module, name))
    pdoc.render.configure(docformat="numpy", show_source=False, footer_text=f"likewise {likewise.__version__}")
    # The package brings what `__all__` names, its relational part among it.
    modules = ["likewise", "likewise.arrow"]
    if find_spec("pyspark"):
        modules.append("likewise.spark")
    else:
        print("skipped: likewise.spark (pyspark is not installed)")
    pdoc.pdoc(*modules, output_directory=Path(sys.argv[1]))


main()
