"""The signs of errors, so that their colour is never all there is."""

from __future__ import annotations

_SIGNS = {
    "span": "↔",
    "conflated-entity": "∪",
    "wrong-link": "≠",
    "extra-mention": "+",
    "extra-entity": "++",
    "missing-mention": "−",
    "missing-entity": "−−",
    "divided-entity": "÷",
}


def sign_of(kind: str) -> str:
    """Give the sign of a kind of error.

    >>> sign_of("span"), sign_of("another")
    ('↔', '!')
    """
    return _SIGNS.get(kind, "!")
