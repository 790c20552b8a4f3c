"""Every choice that can move a figure, as one value.

Two results are comparable if their schemes are equal. The official set-ups are
schemes with a name; an option given beside a name changes that one choice, and
the signature says so.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

from scoref._version import __version__
from scoref.errors import OptionError, unknown

Reading = Literal["strict", "lenient", "reference"]
Match = Literal["exact", "partial", "head", "craft", "min", "mina"]
Singletons = Literal["keep", "drop"]
Zeros = Literal["dependent", "linear", "drop"]
SplitAntecedents = Literal["keep", "drop"]
Evaluate = Literal["identity", "split-antecedents", "discourse-deixis"]
Layer = Literal["identity", "discourse-deixis", "parses", "types"]
Phrases = Literal["all", "np", "no-vp"]
Nested = Literal["keep", "drop", "outermost"]
Alignment = Literal["official", "one-to-one"]
Duplicates = Literal["reference", "first", "last", "error", "coval", "corefud", "ua"]
Missing = Literal["error", "empty", "key"]
Blanc = Literal["reference", "corefud"]
Lea = Literal["self-links", "no-singletons"]
Average = Literal["micro", "macro"]
Universe = Literal["both", "common", "union", "key", "response"]
Undefined = Literal["zero", "one", "nan"]
RowOrder = Literal["text"]

_ANAPHORS = re.compile(
    r"zeros|pronouns|all|upos:[A-Z,]+|distance:(?P<least>\d+)(?:-(?P<most>\d*))?"
)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The conventions behind a figure.

    >>> Scheme().signature("conll-2012")  # doctest: +ELLIPSIS
    'scoref:...|format:conll-2012|reading:strict|match:exact|singletons:keep|...'
    """

    reading: Reading = "strict"
    match: Match = "exact"
    singletons: Singletons = "keep"
    zeros: Zeros | None = None  # None: the format has no use for it
    split_antecedents: SplitAntecedents | None = None
    evaluate: Evaluate | None = None
    phrases: Phrases | None = None
    nested: Nested | None = None
    alignment: Alignment | None = None
    group: str | None = None  # the column of a table that documents stand for
    universe: Universe | None = None  # which mentions of a table are scored
    duplicates: Duplicates = "reference"
    row_order: RowOrder | None = None  # where an engine knows none: by clusters' text
    missing: Missing | None = "error"
    undefined: Undefined | None = None  # what 0/0 is; None: 0
    blanc: Blanc = "reference"
    lea: Lea = "self-links"
    average: Average = "micro"
    anaphors: str | None = None  # which the anaphor-decomposable score is for

    def __post_init__(self) -> None:
        for name in _NAMES:
            known, found = choices(name), getattr(self, name)
            if known and found is not None and found not in known:
                raise unknown(f"value of '{name}'", found, known)
        if self.anaphors and not _is_class(self.anaphors):
            raise OptionError(
                f"no class of anaphors '{self.anaphors}' (known: zeros, pronouns, all, "
                "upos:NOUN,PROPN and distance:1-3, in sentences)"
            )

    @property
    def layer(self) -> Layer:
        """What must be read of the files beside, or instead of, identity."""
        if self.evaluate == "discourse-deixis":
            return "discourse-deixis"
        needs_parses = self.needs_trees or self.nested == "drop"
        return "parses" if needs_parses else "identity"

    @property
    def needs_trees(self) -> bool:
        """Whether mentions are looked at by way of the key's parses."""
        return self.match in {"min", "mina"} or self.phrases in {"np", "no-vp"}

    def signature(self, format_name: str) -> str:
        """Write the conventions as one line for a paper."""
        fields = [("scoref", __version__), ("format", format_name)]
        unused = _NOT_OF_TABLES if format_name == TABLE else ()
        fields += [
            (name.replace("_", "-"), getattr(self, name))
            for name in _NAMES
            if name not in unused
        ]
        return "|".join(f"{name}:{value}" for name, value in fields if value)


TABLE = "table"
_NOT_OF_TABLES = ("reading", "match", "singletons", "missing", "average")


def _is_class(anaphors: str) -> bool:
    found = _ANAPHORS.fullmatch(anaphors)
    if not found or not found["most"]:
        return bool(found)
    return int(found["least"]) <= int(found["most"])


_NAMES = tuple(field.name for field in dataclasses.fields(Scheme))
_TYPES = get_type_hints(Scheme)


def choices(name: str) -> tuple[str, ...]:
    """List the values that a choice may take; none if they are too many."""
    kind = _TYPES[name]
    if str in (kind, *get_args(kind)):
        return ()
    optional = [get_args(part) for part in get_args(kind) if get_args(part)]
    return optional[0] if optional else get_args(kind)


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
}
"""The set-ups with a name. `conll-2012` is the Perl reference scorer v8.01; `crac-2022`
and later are the CorefUD scorer's, as the shared tasks used it; `codi-crac-…`,
`crac-2018` and `craft-2019` are the Universal Anaphora scorer's; `default` is what
suits the files: `crac-2026` for CorefUD, `codi-crac-2022-ar` for Universal Anaphora."""

_OF_COVAL = frozenset((("match", "min"), ("phrases", "np"), ("nested", "drop")))
_BY_FORMAT = {"corefud": "crac-2026", "universal-anaphora": "codi-crac-2022-ar"}
"""What a format is scored by if nothing is asked for."""


def resolve(
    scheme: str | Scheme | None,
    *,
    format: str | None = None,  # noqa: A002 - the name that users type
    lenient: bool = False,
    **changes: str | None,
) -> Scheme:
    """Find a scheme by name and change what was asked for.

    >>> resolve("conll-2012", singletons="drop").singletons
    'drop'
    """
    if scheme in (None, "default"):
        scheme = _BY_FORMAT.get(format or "", "default")
    base = _named(scheme)
    given = {name: value for name, value in changes.items() if value is not None}
    for name in given:
        if name not in _NAMES:
            raise unknown("option", name, _NAMES)
    if scheme == "default" and not _OF_COVAL.isdisjoint(given.items()):
        # Its figures are those of its own way with duplicates.
        given.setdefault("duplicates", "coval")
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
