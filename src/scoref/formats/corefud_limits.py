"""What CorefUD's brackets can say, and which mentions they can tell apart.

A new piece goes to the first mention of its entity that lacks one. Where that would be
the wrong mention, brackets cannot say which words a mention has; see `corefud_writer`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.formats._corefud_pieces import BracketValues, MentionRuns, MisplacedError
from scoref.formats.token_sets import runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME = re.compile(r"[^-=|()\[\]\s]+")


def can_hold_name(name: str) -> bool:
    """Say whether a bracket can have this as a field that is not empty."""
    return _NAME.fullmatch(name) is not None


def misplaced(mentions: Sequence[Sequence[int]]) -> int | None:
    """Find the token where a piece would go to the wrong mention of an entity.

    >>> misplaced([[1, 2, 5], [2, 3]]), misplaced([[0, 3], [0, 2, 4]])
    (None, 2)
    """
    try:
        BracketValues().add(
            0, b"e", [MentionRuns(runs_of(each), 1) for each in mentions]
        )
    except MisplacedError as error:
        return error.node
    return None
