"""What large language models write: aligned with the key's words, then scored."""

from scoref.llm.scoring import Scored, score_output

__all__ = ["Scored", "score_output"]
