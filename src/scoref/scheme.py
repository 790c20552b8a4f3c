"""Every choice that can move a figure, as one value.

Two results are comparable if their schemes are equal. The official set-ups are
schemes with a name; an option given beside a name changes that one choice, and
the signature says so.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

from scoref._version import __version__
from scoref.errors import unknown

Reading = Literal["strict", "lenient", "reference"]
Match = Literal["exact"]
Singletons = Literal["keep", "drop"]
Duplicates = Literal["reference", "first", "last", "error"]
Missing = Literal["error", "empty", "key"]
Lea = Literal["self-links", "no-singletons"]
Average = Literal["micro", "macro"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """The conventions behind a figure.

    >>> Scheme().signature("conll-2012")  # doctest: +ELLIPSIS
    'scoref:...|format:conll-2012|reading:strict|match:exact|singletons:keep|...'
    """

    reading: Reading = "strict"
    match: Match = "exact"
    singletons: Singletons = "keep"
    duplicates: Duplicates = "reference"
    missing: Missing = "error"
    lea: Lea = "self-links"
    average: Average = "micro"

    def __post_init__(self) -> None:
        for name in _NAMES:
            known, found = choices(name), getattr(self, name)
            if found not in known:
                raise unknown(f"value of '{name}'", found, known)

    def signature(self, format_name: str) -> str:
        """Write the conventions as one line for a paper."""
        fields = {"scoref": __version__, "format": format_name}
        fields |= dataclasses.asdict(self)
        return "|".join(f"{name}:{value}" for name, value in fields.items())


_NAMES = tuple(field.name for field in dataclasses.fields(Scheme))
_TYPES = get_type_hints(Scheme)


def choices(name: str) -> tuple[str, ...]:
    """List the values that a choice may take."""
    return get_args(_TYPES[name])


SCHEMES = {
    "default": Scheme(),
    "conll-2012": Scheme(reading="reference", missing="key"),
}
"""The set-ups with a name. `conll-2012` is the Perl reference scorer, v8.01."""


def resolve(
    scheme: str | Scheme | None, *, lenient: bool = False, **changes: str | None
) -> Scheme:
    """Find a scheme by name and change what was asked for.

    >>> resolve("conll-2012", singletons="drop").singletons
    'drop'
    """
    base = _named(scheme)
    given = {name: value for name, value in changes.items() if value is not None}
    for name in given:
        if name not in _NAMES:
            raise unknown("option", name, _NAMES)
    if lenient:
        given["reading"] = "lenient"
        if given.get("missing", base.missing) == "error":
            given["missing"] = "empty"
    return dataclasses.replace(base, **given)  # type: ignore[arg-type] # checked there


def _named(scheme: str | Scheme | None) -> Scheme:
    if isinstance(scheme, Scheme):
        return scheme
    try:
        return SCHEMES[scheme or "default"]
    except KeyError:
        raise unknown("scheme", scheme, SCHEMES) from None
