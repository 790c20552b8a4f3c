"""How far annotators agree, and how good a response is where they differ.

import scoref

found = scoref.agree({"ada": "ada.conll", "ben": "ben.conll", "eva": "eva.conll"})
found.alpha["masi"], found.mean["conll"], found.outlier
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.agree.agreement import agree
    from scoref.tools.agree.results import Agreement

__all__ = ["Agreement", "agree"]

__getattr__, __dir__ = names(__name__, {"Agreement": "results", "agree": "agreement"})
