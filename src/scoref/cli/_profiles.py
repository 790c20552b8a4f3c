"""Profiles of tables that were saved: what was counted, without the data."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.contingency.profile import Profile
    from scoref.tables.results import TableResult

UNIVERSES = ("both", "common", "union", "key", "response")
_DUPLICATES = ("error", "first", "last", "first-by-text", "last-by-text")
NO_ALIGNMENT = "needs the clusters themselves, which a profile does not have"


def score_profiles(paths: Sequence[str], undefined: str) -> TableResult:
    """Score saved profiles as one table."""
    from scoref.model import Note  # noqa: PLC0415 - NumPy
    from scoref.tables.api import merged  # noqa: PLC0415
    from scoref.tables.results import Choices, scored  # noqa: PLC0415

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
    universe, duplicates = first.choices
    choices = Choices(universe, duplicates, undefined)
    groups: dict[str, Profile] = {}
    for each in saved:
        name = each.source if each.group is None else each.group
        known = groups.get(name)
        groups[name] = each.profile if known is None else known + each.profile
    # Without groups they are parts of one table, and BLANC's links go everywhere.
    is_grouped = any(each.group is not None for each in saved)
    blocks = tuple(groups.values()) if is_grouped else ()
    result = scored(merged(groups.values()), {}, choices, blocks)
    note = Note("profile", len(saved), f"CEAF {NO_ALIGNMENT}; so does the CoNLL score")
    return replace(
        result,
        groups={name: scored(each, {}, choices) for name, each in groups.items()},
        notes=(*result.notes, note),
    )


class _Saved(NamedTuple):
    """A profile, and what has to be known about it."""

    source: str
    group: str | None
    choices: tuple[str, str]
    profile: Profile


def _listed(saved: _Saved) -> str:
    return "--universe {} --duplicates {}".format(*saved.choices)


def dumped(result: TableResult) -> str:
    """Write a line for each group, with the choices that went into its counts."""
    whole: list[tuple[str | None, TableResult]] = [(None, result)]
    choices = result.choices
    about = {"universe": choices.universe, "duplicates": choices.duplicates}
    lines = [
        json.loads(each.profile.dump()) | about | {"group": name}
        for name, each in [*result.groups.items()] or whole
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _read(path: str) -> list[_Saved]:
    """Read what was saved: a line for each group."""
    from scoref.contingency.profile import Profile  # noqa: PLC0415 - NumPy

    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            keep_from_writing(file.fileno(), path)
            lines = [line for line in file if not line.isspace()]
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "this is no profile, but binary"
        raise FormatError(problem.lower(), source=path) from error
    if not lines:
        raise FormatError("there is no profile in this file", source=path)
    found = []
    for line in lines:
        profile = Profile.load(line, path)
        found.append(_saved(path, json.loads(line), profile))
    return found


def _saved(path: str, about: dict[str, object], profile: Profile) -> _Saved:
    """Check what is told about a profile."""
    universe = about.get("universe", "both")
    duplicates = about.get("duplicates", "error")
    group = about.get("group")
    if universe not in UNIVERSES or duplicates not in _DUPLICATES:
        raise FormatError(
            f"nobody counts with universe '{universe}' and duplicates '{duplicates}'",
            source=path,
        )
    if group is not None and not isinstance(group, str):
        raise FormatError(f"a group has a name, and not '{group}'", source=path)
    return _Saved(path, group, (str(universe), str(duplicates)), profile)
