"""Learning from examples among tables that refer to each other.

One class for each relational method of the command line. They take tables instead of rows, so they are no
scikit-learn classifiers, but they have parameters, ``fit``, ``predict`` and ``save`` like these.

>>> import pandas as pd
>>> from likewise.relational import RelOCC
>>> orders = pd.DataFrame({"id": range(1, 61)})
>>> products = pd.DataFrame({"id": [1, 2, 3, 4], "kind": ["fragile", "solid", "solid", "solid"]})
>>> items = pd.DataFrame({"order": range(1, 61), "product": [1, 2, 3, 4] * 15})
>>> refunds = RelOCC().fit(
...     tables={"orders": orders, "items": items, "products": products},
...     references=["items.order -> orders.id", "items.product -> products.id"],
...     target="refund(order)",
...     positives=range(1, 61, 8),
... )
>>> sorted(refunds.ranking_["id"][:7].tolist())
[5, 13, 21, 29, 37, 45, 53]
>>> refunds.predict([5, 6]).tolist()
[True, False]
"""

from ._generate import RELATIONAL as _RELATIONAL
from ._related import RelationalClassifier, Rule
from ._related_questions import audit, compare, prior
from ._related_tables import Description, describe

globals().update(_RELATIONAL)

__all__ = ["Description", "RelationalClassifier", "Rule", "audit", "compare", "describe", "prior", *_RELATIONAL]
