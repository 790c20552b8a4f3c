"""The signs of errors, so that their colour is never all there is."""

from __future__ import annotations

from scoref.tools.errors.kinds import KINDS

_SIGNS = {kind.name: kind.sign for kind in KINDS}
_LABELS = {kind.sign: kind.label for kind in KINDS}


def sign_of(kind: str) -> str:
    """Give the sign of a kind of error.

    >>> sign_of("span"), sign_of("another")
    ('↔', '!')
    """
    return _SIGNS.get(kind, "!")


def label_of(sign: str) -> str:
    """Say what a sign means; what is none is its own name.

    >>> label_of("−−"), label_of("!")
    ('missing entity', '!')
    """
    return _LABELS.get(sign, sign)
