"""Which column is the mention, which the cluster: by name, or by place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MENTION = {"mention", "mentions", "id", "ids", "record", "item", "point", "signature"}
_KEY = {"key", "gold", "true", "truth", "reference", "ref", "actual", "annotated"}
_RESPONSE = {"response", "predicted", "prediction", "pred", "system", "sys", "output"}
_OTHER = {"cluster", "clusters", "entity", "label", "group", "block", "document", "doc"}
_NAMES = _MENTION | _KEY | _RESPONSE | _OTHER


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns that the caller named."""

    mention: str | None = None
    key_cluster: str | None = None
    response_cluster: str | None = None
    group: str | None = None

    @property
    def names(self) -> list[str]:
        """List them."""
        every = self.mention, self.key_cluster, self.response_cluster, self.group
        return [name for name in every if name is not None]

    def of_side(self, role: str) -> Wanted:
        """Keep what is about one side."""
        cluster = self.key_cluster if role == "key" else self.response_cluster
        return Wanted(self.mention, cluster, None, self.group)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The columns of one side."""

    mention: str
    cluster: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.cluster, self.group)


@dataclass(frozen=True, slots=True)
class BothColumns:
    """The columns of a table that has both sides; no mention: each row is one."""

    mention: str | None
    key: str
    response: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.key, self.response, self.group)


def _unique(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def words(name: str) -> set[str]:
    """Cut a name into its words.

    >>> sorted(words("predictedCluster_id"))
    ['cluster', 'id', 'predicted']
    """
    pieces = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.split(r"[^a-z0-9]+", pieces.lower())) - {""}


def is_header(row: Sequence[str | None]) -> bool:
    """Tell whether the first row of a file has names in it, not ids.

    >>> is_header(["paper_id", "cluster"]), is_header(["doc_1", "cluster_1"])
    (True, False)
    """
    fields = [field or "" for field in row]
    if not all(re.search(r"[^\W\d_]", field) for field in fields):
        return False
    return any(_is_name(field) for field in fields)


def _is_name(field: str) -> bool:
    """Tell whether a field is a name that is known, and cannot be an id or a text."""
    found = words(field)
    if re.search(r"\d", field):
        return False
    return found <= _NAMES if " " in field else bool(found & _NAMES)


def side_columns(columns: Sequence[str], wanted: Wanted, source: str) -> SideColumns:
    """Choose mention and cluster: what is named, else the first that are left."""
    _check(columns, wanted, source)
    left = iter([name for name in columns if name not in wanted.names])
    mention = wanted.mention or next(left, None)
    cluster = wanted.key_cluster or next(left, None)
    if mention is None or cluster is None:
        raise FormatError(
            "one column is the mention and one its cluster, but there is no second",
            source=source,
            hint=_there(columns),
        )
    return SideColumns(mention, cluster, wanted.group)


def both_columns(columns: Sequence[str], wanted: Wanted, source: str) -> BothColumns:
    """Choose the columns of a table that has both sides, by their names."""
    _check(columns, wanted, source)
    left = [name for name in columns if name not in wanted.names]
    key = wanted.key_cluster or _only(left, _KEY)
    response = wanted.response_cluster or _only(left, _RESPONSE)
    if key is None or response is None:
        missing = "key_cluster" if key is None else "response_cluster"
        raise FormatError(
            f"which column has the {missing.split('_', maxsplit=1)[0]}'s clusters? "
            f"Name it as {missing}",
            source=source,
            hint=_there(columns),
        )
    left = [name for name in left if name not in {key, response}]
    return BothColumns(wanted.mention or _mention(left), key, response, wanted.group)


def _mention(left: Sequence[str]) -> str | None:
    """Choose the mention of a table: by name, or the only column that is left."""
    named = [name for name in left if words(name) & _MENTION]
    if named:
        return named[0]
    return left[0] if len(left) == 1 else None


def _only(columns: Iterable[str], known: set[str]) -> str | None:
    found = [name for name in columns if words(name) & known]
    return found[0] if len(found) == 1 else None


def _check(columns: Sequence[str], wanted: Wanted, source: str) -> None:
    missing = [name for name in wanted.names if name not in columns]
    if missing:
        which = ", ".join(f"'{name}'" for name in missing)
        raise FormatError(
            f"there is no column {which}", source=source, hint=_there(columns)
        )


def _there(columns: Sequence[str]) -> str:
    return f"its columns are {', '.join(columns)}"
