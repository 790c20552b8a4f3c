"""The named schemes, and how options change them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from scoref.document_names import Mapped, mapped
from scoref.errors import unknown
from scoref.scheme import (
    CONVENTIONS,
    FIELDS,
    Scheme,
    as_match,
    overlap_threshold,
)
from scoref.topics import Topics, topics_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.scheme import Choice

_CRAC = Scheme(
    match="head",
    singletons="drop",
    zeros="dependent",
    split_antecedents="drop",
    alignment="official",
    duplicates="corefud",
    missing=None,
    blanc="corefud",
    anaphors="zeros",
)

_UNIVERSAL = Scheme(
    zeros="drop",
    split_antecedents="keep",
    evaluate="identity",
    alignment="official",
    duplicates="ua",
    blanc="corefud",
)
_WITHOUT_PLURALS = dataclasses.replace(_UNIVERSAL, split_antecedents="drop")

_MAVEN_ERE = Scheme(
    mentions="gold", duplicates="error", missing="key", blanc="both-kinds"
)

SCHEMES = {
    "default": Scheme(),
    "conll-2012": Scheme(reading="reference", missing="key"),
    "crac-2022": dataclasses.replace(_CRAC, match="partial", zeros="linear"),
    "crac-2023": dataclasses.replace(_CRAC, zeros="linear"),
    "crac-2024": _CRAC,
    "crac-2025": _CRAC,
    "crac-2026": _CRAC,
    "crac-corrected": dataclasses.replace(_CRAC, alignment="one-to-one"),
    "codi-crac-2022-ar": _UNIVERSAL,
    "codi-crac-2022-dd": dataclasses.replace(_UNIVERSAL, evaluate="discourse-deixis"),
    "codi-crac-2022-br": _WITHOUT_PLURALS,
    "crac-2018": _WITHOUT_PLURALS,
    "craft-2019": dataclasses.replace(_WITHOUT_PLURALS, match="craft"),
    "maven-ere": _MAVEN_ERE,
}
"""Schemes by name. `conll-2012` is the Perl reference scorer v8.01; `crac-2022`
and later are the CorefUD scorer's, as the shared tasks used it; `codi-crac-…`,
`crac-2018` and `craft-2019` are the Universal Anaphora scorer's; `default` is what
suits the files: `crac-2026` for CorefUD, `codi-crac-2022-ar` for Universal Anaphora,
and `maven-ere`, as its authors score events, for MAVEN-ERE's files."""

_OF_COVAL = frozenset((("match", "min"), ("phrases", "np"), ("nested", "drop")))
_BY_FORMAT = {
    "corefud": "crac-2026",
    "maven-ere": "maven-ere",
    "stanza": "crac-2026",
    "universal-anaphora": "codi-crac-2022-ar",
}
"""What a format is scored by if nothing is asked for."""


_READERS: dict[str, Callable[[Any], str | Topics | Mapped]] = {
    "match": as_match,
    "topics": topics_of,
    "document_names": mapped,
}
"""Conventions that can be written in several ways, and how to read them."""


def named_for(scheme: str | Scheme | None, format_name: str | None) -> str | Scheme:
    """Return the scheme for files of a format; the default one by its name."""
    if scheme is None or scheme == "default":
        return _BY_FORMAT.get(format_name or "", "default")
    return scheme


def resolve(
    scheme: str | Scheme | None,
    *,
    format: str | None = None,
    lenient: bool = False,
    **changes: Choice,
) -> Scheme:
    """Find a scheme by name and change single conventions.

    >>> resolve("conll-2012", singletons="drop").singletons
    'drop'
    """
    chosen = scheme if isinstance(scheme, str) and scheme != "default" else ""
    scheme = named_for(scheme, format)
    try:
        base = scheme if isinstance(scheme, Scheme) else SCHEMES[scheme or "default"]
    except KeyError:
        raise unknown("scheme", scheme, SCHEMES) from None
    given = {name: value for name, value in changes.items() if value is not None}
    for name, value in given.items():
        if name not in CONVENTIONS:
            raise unknown("option", name, CONVENTIONS)
        if name in _READERS:
            given[name] = _READERS[name](value)
    if scheme == "default" and not _OF_COVAL.isdisjoint(given.items()):
        # Its figures are those of its own way with duplicates.
        given.setdefault("duplicates", "coval")
    if overlap_threshold(str(given.get("match"))) and base.alignment is not None:
        # No official scorer has this rule, so there are no errors of one to repeat.
        given.setdefault("alignment", "one-to-one")
    if lenient:
        given["reading"] = "lenient"
        if given.get("missing", base.missing) == "error":
            given["missing"] = "empty"
    fields = {name: value for name, value in given.items() if name in FIELDS}
    others = {name: value for name, value in given.items() if name not in FIELDS}
    added = tuple(sorted({**dict(base.added), **others}.items()))
    return base.changed(**fields, added=added, name=chosen)
