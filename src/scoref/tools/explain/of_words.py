"""Conventions of those who score sets of words: CorefUD and Universal Anaphora."""

from __future__ import annotations

from scoref.tools.explain.convention import ANY, Practice, by, usual
from scoref.tools.explain.everywhere import (
    BLANC_OF_KEY,
    LEA,
    MACRO,
    MEANS,
    ROUNDED,
    SWAPPED,
)


def _column(
    name: str,
    label: str,
    cause: str,
    users: str,
    *,
    base: str | None = None,
    **changes: str,
) -> Practice:
    return Practice(name, label, users, {ANY: cause}, by(**changes), base)


_SINGLETONS = "singletons count"
_PLACE = "zeros match by their place"
_TABLES = "CRAC's tables"
_OPTIONS = "the CorefUD scorer with options"
COREFUD = (
    Practice(
        "head",
        "head match, no singletons",
        "the CorefUD scorer 1.2; primary score of CRAC 2024, 2025 and 2026",
        {},
        usual,
    ),
    _column(
        "partial",
        "partial match",
        "mentions match if they have the head and no word too many",
        _TABLES,
        match="partial",
    ),
    _column(
        "exact",
        "exact match",
        "mentions match by all their words",
        _TABLES,
        match="exact",
    ),
    _column(
        "head-singletons",
        "head match, singletons",
        _SINGLETONS,
        _TABLES,
        singletons="keep",
    ),
    _column(
        "partial-singletons",
        "partial match, singletons",
        _SINGLETONS,
        _OPTIONS,
        base="partial",
        match="partial",
        singletons="keep",
    ),
    _column(
        "exact-singletons",
        "exact match, singletons",
        _SINGLETONS,
        f"{_OPTIONS}; tools that only know spans",
        base="exact",
        match="exact",
        singletons="keep",
    ),
    _column("crac-2023", "CRAC 2023", _PLACE, "CRAC 2023", zeros="linear"),
    _column(
        "crac-2022",
        "CRAC 2022",
        _PLACE,
        "CRAC 2022",
        base="partial",
        match="partial",
        zeros="linear",
    ),
    _column("no-zeros", "no zeros", "zeros are left out", "some papers", zeros="drop"),
    _column(
        "one-to-one",
        "true one-to-one alignment",
        "no match of two mentions is overwritten by another one",
        "scoref's crac-corrected",
        alignment="one-to-one",
    ),
    _column(
        "split-antecedents",
        "split antecedents",
        "entities that stand for several others count as such",
        _OPTIONS,
        split_antecedents="keep",
    ),
    ROUNDED,
    MACRO,
    MEANS,
    BLANC_OF_KEY,
    SWAPPED,
)

_UA_OPTIONS = "the Universal Anaphora scorer with options"
UNIVERSAL_ANAPHORA = (
    Practice(
        "exact",
        "exact match",
        "the Universal Anaphora scorer 2.0 as in CODI-CRAC 2022",
        {},
        usual,
    ),
    _column(
        "partial",
        "partial match",
        "mentions match by their Min, not by all their words",
        _UA_OPTIONS,
        match="partial",
    ),
    _column(
        "craft",
        "CRAFT's match",
        "mentions match by a run of words inside the key's first run",
        "CRAFT 2019",
        match="craft",
    ),
    _column(
        "no-singletons",
        "no singletons",
        "singletons are left out of both sides",
        _UA_OPTIONS,
        singletons="drop",
    ),
    _column(
        "crac-2018",
        "no split antecedents",
        "entities that stand for several others count as all do",
        "CRAC 2018",
        split_antecedents="drop",
    ),
    _column(
        "zeros",
        "zeros match by place",
        "zeros count",
        _UA_OPTIONS,
        zeros="linear",
    ),
    _column(
        "one-to-one",
        "true one-to-one alignment",
        "no match of two mentions is overwritten by another one",
        "scoref's alignment:one-to-one",
        alignment="one-to-one",
    ),
    ROUNDED,
    MACRO,
    MEANS,
    LEA,
    BLANC_OF_KEY,
    SWAPPED,
)
