"""Fields that appear twice in one JSON object, of which a decoder keeps the last.

JSON allows it, and decoders do not report it. To list the fields of an object costs as
much as reading it again, so this is done only if the name of a field occurs twice.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from scoref.errors import Blamed, FormatError
from scoref.rules import REPEATED_FIELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoref.formats._json_values import Value

    Pairs = list[tuple[str, object]]

_HINT = "keep one of them; JSON readers ignore all but the last one"


class _RepeatedError(Exception):
    pass


class Repeated(NamedTuple):
    """A field that appears twice, and the field that holds its object, if any."""

    field: str
    within: str = ""

    def error(self, value: Value, source: str) -> FormatError:
        """Name the field and its place in the file."""
        where = f" in '{self.within}'" if self.within else ""
        before = f"{value.path}: " if value.path else ""
        return FormatError(
            f"{before}the field '{self.field}' appears twice{where}",
            rule=REPEATED_FIELD,
            source=source,
            line=value.line,
            blamed=Blamed("text", json.dumps(self.field, ensure_ascii=False)),
            hint=_HINT,
        )


def fields_of(record: msgspec.Struct) -> list[str]:
    """List the fields that a decoded record has."""
    nothing = (None, msgspec.UNSET)
    fields = record.__struct_fields__
    return [name for name in fields if getattr(record, name) not in nothing]


def repeated(
    data: bytes | memoryview, fields: Iterable[str], within: Iterable[str] = ()
) -> Repeated | None:
    """Find the first of these fields that an object has twice, or None.

    The fields named by ``within`` are searched for objects that repeat any field.

    >>> repeated(b'{"clusters": [], "clusters": []}', ["clusters"])
    Repeated(field='clusters', within='')
    >>> repeated(b'{"corefs": {"1": [], "1": []}}', ["corefs"], ["corefs"])
    Repeated(field='1', within='corefs')
    """
    data = bytes(data)
    if any(data.count(f'"{name}"'.encode()) > 1 for name in fields):
        names: list[str] = _loaded(data, lambda pairs: [name for name, _ in pairs])
        for name in fields:
            if names.count(name) > 1:
                return Repeated(name)
    if not within:
        return None
    values = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    for name in within:
        try:
            _loaded(bytes(values.get(name, b"null")), _refuse)
        except _RepeatedError as error:
            return Repeated(str(error), name)
    return None


def _refuse(pairs: Pairs) -> None:
    known = set[str]()
    for name, _ in pairs:
        if name in known:
            raise _RepeatedError(name)
        known.add(name)


def _loaded(data: bytes, hook: Callable[[Pairs], object]) -> Any:  # noqa: ANN401
    try:
        return json.loads(data, object_pairs_hook=hook)
    except (ValueError, RecursionError):
        return []  # deeper, or with longer numbers, than this decoder reads
