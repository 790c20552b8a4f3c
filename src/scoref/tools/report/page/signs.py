"""The signs of errors, so that their colour is never all there is."""

from __future__ import annotations

from scoref.tools.errors.kinds import KINDS

_SIGNS = {kind.name: kind.sign for kind in KINDS}


def sign_of(kind: str) -> str:
    """Give the sign of a kind of error.

    >>> sign_of("span"), sign_of("another")
    ('↔', '!')
    """
    return _SIGNS.get(kind, "!")
