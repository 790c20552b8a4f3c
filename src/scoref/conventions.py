"""The class `Convention`, which describes a choice that can change a figure.

Each convention is a field of `scoref.scheme.Scheme`, and its record is kept there.
The options, their help, completion, `--signature-help` and error messages are all
made from these records.
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from scoref.classes import NamedTuple
from scoref.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Value = TypeVar("Value")
    Unfit = Mapping[str | None, str]
    """Why files have no use for a value, or for any of them (None)."""

Kind = Literal["corefud", "universal-anaphora", "spans"]
"""What files are to conventions: formats of words by name, and all others."""


class Convention(NamedTuple):
    """A choice that can change a figure.

    Args:
        name: as it is typed in Python.
        meaning: its line of `--signature-help`.
        values: what it may be; none: too many to list, see ``check``.
        default: what it is if nothing else is asked for; None: what suits the format.
        option: the help of its option on the command line; empty: it has none.
        files: whether it is for texts, for tables, or for both.
        unfit: values that have no meaning for a kind of files, and why.
        check: refuses a value if there are too many to list.
        within: the convention after whose value the signature puts it, in brackets.
        parameters: values that may have a parameter, as in ``overlap:0.5``, and the
            function that refuses a wrong parameter.
    """

    name: str
    meaning: str
    values: tuple[str, ...] = ()
    default: str | None = None
    option: str = ""
    files: Literal["texts", "tables", "both"] = "texts"
    unfit: Mapping[Kind, Unfit] = {}
    check: Callable[[str], None] | None = None
    within: str = ""
    parameters: Mapping[str, Callable[[str], None]] = {}

    @property
    def label(self) -> str:
        """Its name in signatures and on the command line."""
        return self.name.replace("_", "-")

    def refuse_unknown(self, value: str | None) -> None:
        """Refuse a value that the convention does not have."""
        if value is None:
            return
        name, colon, parameter = str(value).partition(":")
        if colon and name in self.parameters:
            self.parameters[name](parameter)
            return
        if self.values and value not in self.values:
            raise unknown(f"value of '{self.name}'", value, self.values)
        if self.check and value:
            self.check(value)

    def why_unfit(self, value: str | None, kind: Kind) -> str | None:
        """Say why files of a kind have no use for a value, if they have none."""
        if value is None:
            return None
        if self.files == "tables":
            return "is for tables"
        reasons = self.unfit.get(kind, {})
        return reasons.get(value) or reasons.get(None)


def convention(
    default: Value,
    meaning: str,
    *,
    option: str = "",
    files: Literal["texts", "tables", "both"] = "texts",
    unfit: Mapping[Kind, Unfit] | None = None,
    check: Callable[[str], None] | None = None,
    within: str = "",
    parameters: Mapping[str, Callable[[str], None]] | None = None,
) -> Value:
    """Make a field of a dataclass that is a convention; see `Convention`."""
    about = {
        "default": default,
        "meaning": meaning,
        "option": option,
        "files": files,
        "unfit": unfit or {},
        "check": check,
        "within": within,
        "parameters": parameters or {},
    }
    found: Value = field(default=default, metadata={"convention": about})
    return found


def conventions_of(scheme: type, kinds: Mapping[str, object]) -> dict[str, Convention]:
    """Gather the records of a dataclass, given the ``kinds`` of values by name."""
    return {
        each.name: Convention(
            name=each.name,
            values=_values(str(each.type), kinds),
            **each.metadata["convention"],
        )
        for each in fields(scheme)
        if "convention" in each.metadata
    }


def _values(annotation: str, kinds: Mapping[str, object]) -> tuple[str, ...]:
    """List what a type allows; none if it is any text, or more than a text.

    It is taken as it is written: what it is called is all that help has to load.

    >>> _values("Singletons | None", {"Singletons": Literal["keep", "drop"]})
    ('keep', 'drop')
    """
    written = (kinds.get(name) for name in annotation.split(" | "))
    return tuple(value for kind in written for value in get_args(kind))
