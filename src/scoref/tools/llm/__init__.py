"""What large language models write: aligned with the key's words, then scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.llm.scoring import Scored, score_output

__all__ = ["Scored", "score_output"]

__getattr__, __dir__ = names(__name__, {"Scored": "scoring", "score_output": "scoring"})
