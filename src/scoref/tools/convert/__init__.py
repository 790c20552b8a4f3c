"""A file in another format: what the target cannot hold is named and counted.

import scoref

scoref.convert("key.conllu", "json-lines").data
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.convert.conversion import Converted, convert
    from scoref.tools.convert.losses import Loss, LossError
    from scoref.tools.convert.targets import TARGETS

__all__ = ["TARGETS", "Converted", "Loss", "LossError", "convert"]

__getattr__, __dir__ = names(
    __name__,
    {
        "TARGETS": "targets",
        "Converted": "conversion",
        "Loss": "losses",
        "LossError": "losses",
        "convert": "conversion",
    },
)
