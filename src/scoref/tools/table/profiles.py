"""Profiles of tables that were saved: what was counted, without the data."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.contingency import Contingency
    from scoref.scheme import Undefined
    from scoref.scoring.results import Result

NO_ALIGNMENT = "needs the clusters themselves, which a profile does not have"
_VERSION = 2


def score_profiles(
    paths: Sequence[str], undefined: Undefined, metrics: tuple[str, ...]
) -> Result:
    """Score saved profiles as one table."""
    from scoref.contingency.histogram import joined  # noqa: PLC0415 - NumPy
    from scoref.model import Note  # noqa: PLC0415
    from scoref.schemes import resolve  # noqa: PLC0415
    from scoref.tables.results import is_aligned, score_counted  # noqa: PLC0415

    saved = [each for path in paths for each in _read(path)]
    first = saved[0]
    for each in saved:
        if each.choices != first.choices:
            raise FormatError(
                f"this was counted with {_listed(each)}, and {first.source} with "
                f"{_listed(first)}",
                source=each.source,
                hint="count both the same way",
            )
    # Without groups they are parts of one table, and BLANC's links go everywhere.
    names = [each.group or "" for each in saved]
    documents = list(dict.fromkeys(names))
    table = joined([each.table for each in saved], [documents.index(n) for n in names])
    universe, duplicates = first.choices
    scheme = resolve(
        None, universe=universe, duplicates=duplicates, undefined=undefined
    )
    kept = tuple(name for name in metrics if not is_aligned(name))
    sources = first.source, first.source
    result = score_counted(table, documents, scheme, kept, sources)
    note = Note("profile", len(saved), f"CEAF {NO_ALIGNMENT}; so does the CoNLL score")
    return replace(result, notes=(note, *result.notes))


class _Saved(NamedTuple):
    """A profile, and what has to be known about it."""

    source: str
    group: str | None
    choices: tuple[str, str]
    table: Contingency


def _listed(saved: _Saved) -> str:
    return "--universe {} --duplicates {}".format(*saved.choices)


def dumped(result: Result) -> str:
    """Write a line for each group, with the choices that went into its counts."""
    from scoref.contingency import storage  # noqa: PLC0415 - NumPy

    scheme, groups = result.scheme, result.groups or {"": result}
    about = {
        "scoref-profile": _VERSION,
        "universe": scheme.universe,
        "duplicates": scheme.duplicates,
    }
    lines = [
        about | {"group": name or None} | storage.dumped(each.table)
        for name, each in groups.items()
        if each.table is not None
    ]
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)


def _read(path: str) -> list[_Saved]:
    """Read what was saved: a line for each group."""
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            keep_from_writing(file.fileno(), path)
            lines = list(file)
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "this is no profile, but binary"
        raise FormatError(problem.lower(), source=path) from error
    found = [
        _parsed(line, path, number)
        for number, line in enumerate(lines, start=1)
        if not line.isspace()
    ]
    if not found:
        raise FormatError("there is no profile in this file", source=path)
    return found


def _parsed(line: str, path: str, number: int) -> _Saved:
    from scoref.contingency import storage  # noqa: PLC0415 - NumPy

    try:
        about = json.loads(line)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or "scoref-profile" not in about:
        raise _refused("this is no profile of two clusterings", path, number)
    if about["scoref-profile"] != _VERSION:
        raise _refused("this profile is of another version of scoref", path, number)
    try:
        table = storage.loaded(about)
        choices = _choice(about, "universe"), _choice(about, "duplicates")
        group = about.get("group")
        if group is not None and not isinstance(group, str):
            raise ValueError(f"a group has a name, and not '{group}'")  # noqa: TRY301
    except ValueError as error:
        raise _refused(f"this profile is damaged: {error}", path, number) from error
    return _Saved(path, group, choices, table)


def _choice(about: dict[str, object], name: str) -> str:
    from scoref.scheme import choices  # noqa: PLC0415 - NumPy

    found = about.get(name)
    if found not in choices(name):
        raise ValueError(f"nobody counts with {name} '{found}'")
    return str(found)


def _refused(problem: str, path: str, line: int) -> FormatError:
    return FormatError(
        problem,
        source=path,
        line=line,
        hint="`scoref table … --save-profile FILE` writes one",
    )
