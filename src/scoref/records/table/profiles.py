"""Saved profiles: the counts of a table, which can be scored again without the data.

A damaged or invented profile is refused: its scores would be meaningless if no two
clusterings can have its counts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import FATES, Clusterwise
from scoref.contingency.histogram import Kinds, histogram
from scoref.contingency.partition import clusterwise, commons
from scoref.errors import FormatError
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.contingency import Contingency, Floats
    from scoref.model import Ints
    from scoref.scheme import Undefined
    from scoref.scoring.results import Result


NO_ALIGNMENT = "needs the clusters themselves, which a profile does not have"

_VERSION = 2


def score_profiles(
    paths: Sequence[str], undefined: Undefined, metrics: tuple[str, ...]
) -> Result:
    """Score saved profiles as one table."""
    from scoref.contingency.histogram import join_histograms
    from scoref.model import Note
    from scoref.records.api import is_aligned, score_counted
    from scoref.schemes import resolve

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
    table = join_histograms(
        [each.table for each in saved], [documents.index(n) for n in names]
    )
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
    scheme, groups = result.scheme, result.groups or {"": result}
    about = {
        "scoref-profile": _VERSION,
        "universe": scheme.universe,
        "duplicates": scheme.duplicates,
    }
    lines = [
        about | {"group": name or None} | counts_as_bytes(each.table)
        for name, each in groups.items()
        if each.table is not None
    ]
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)


def _read(path: str) -> list[_Saved]:
    """Read what was saved: a line for each group."""
    try:
        with open(path, encoding="utf-8") as file:
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
    try:
        about = json.loads(line)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or "scoref-profile" not in about:
        raise _refused("this is no profile of two clusterings", path, number)
    if about["scoref-profile"] != _VERSION:
        raise _refused("this profile is of another version of scoref", path, number)
    try:
        table = loaded(about)
        choices = _choice(about, "universe"), _choice(about, "duplicates")
        group = about.get("group")
        if group is not None and not isinstance(group, str):
            raise ValueError(f"a group has a name, and not '{group}'")  # noqa: TRY301
    except ValueError as error:
        raise _refused(f"this profile is damaged: {error}", path, number) from error
    return _Saved(path, group, choices, table)


def _choice(about: dict[str, object], name: str) -> str:
    from scoref.scheme import choices

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


_CELL = ("shared", "key size", "response size", "common of key", "common of response")

_ENTITY = ("size", "common")

_TOO_MANY = 1 << 62  # so that integers of 64 bits hold every count


def counts_as_bytes(table: Contingency) -> dict[str, object]:
    """Give a histogram of one document as JSON knows it."""
    key, response = commons(table)
    cell_key, cell_response = table.cell_key, table.cell_response
    cells = (
        table.overlap,
        table.key_size[cell_key],
        table.response_size[cell_response],
        key[cell_key],
        response[cell_response],
        table.cell_times,
    )
    found = clusterwise(table)
    return {
        "cells": np.column_stack(cells).tolist(),
        "key": np.column_stack((table.key_size, key, table.key_times)).tolist(),
        "response": np.column_stack(
            (table.response_size, response, table.response_times)
        ).tolist(),
        "nearest": found.nearest[0].tolist(),
        "largest": found.largest[0].tolist(),
        "fates": found.fates[0].tolist(),
    }


def loaded(saved: Mapping[str, object]) -> Contingency:
    """Make a histogram of what was saved; ValueError says what cannot be true of it."""
    cells = _rows(saved, "cells", len(_CELL))
    key, response = (_rows(saved, side, len(_ENTITY)) for side in ("key", "response"))
    for name, rows, of_cells in (
        ("key", key, cells[:, [1, 3]]),
        ("response", response, cells[:, [2, 4]]),
    ):
        _check(name, rows, of_cells, cells)
    nothing = np.zeros((0, 3))
    nobody = nothing.astype(np.int64)
    counted = [_of_first_document(rows) for rows in (cells, key, response)]
    kinds = Kinds(*counted, nothing, nothing, nobody, nobody, nobody)  # type: ignore[arg-type,call-arg]
    table = histogram(kinds, 1)
    return table._replace(clusterwise=_clusterwise(saved, table))


def _rows(saved: Mapping[str, object], name: str, width: int) -> Ints:
    """Read rows of counts; the last column says how often."""
    rows = saved.get(name)
    if not isinstance(rows, list) or not all(_is_row(row, width) for row in rows):
        raise ValueError(f"'{name}' must be rows of {width + 1} counts")
    found = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    if (found < 0).any() or (found[:, [0, -1]] < 1).any():
        raise ValueError(f"'{name}' has a count that is too low")
    return found


def _is_row(row: object, width: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == width + 1
        and all(type(each) is int and abs(each) < _TOO_MANY for each in row)
    )


def _check(name: str, entities: Ints, of_cells: Ints, cells: Ints) -> None:
    """See that entities have the mentions that their cells say they have."""
    if (entities[:, 1] > entities[:, 0]).any():
        raise ValueError(f"'{name}' has more common mentions than mentions")
    if (cells[:, 0] > of_cells[:, 1]).any():
        raise ValueError(f"'cells' share more than is common in the {name}")
    common: dict[tuple[int, int], int] = {}
    for size, shared, times in entities.tolist():
        common[size, shared] = common.get((size, shared), 0) + shared * times
    for kind, n, times in zip(
        of_cells.tolist(), cells[:, 0].tolist(), cells[:, -1].tolist(), strict=True
    ):
        place = (kind[0], kind[1])
        common[place] = common.get(place, 0) - n * times
    if any(common.values()):
        raise ValueError(f"'cells' and '{name}' do not have the same common mentions")


def _of_first_document(rows: Ints) -> Ints:
    return np.column_stack((np.zeros(len(rows), dtype=np.int64), rows))


def _clusterwise(saved: Mapping[str, object], table: Contingency) -> Clusterwise:
    found = Clusterwise(
        nearest=_numbers(saved, "nearest", 2, (int, float)),
        largest=_numbers(saved, "largest", 2, (int,)).astype(np.int64),
        fates=_numbers(saved, "fates", len(FATES), (int,)).astype(np.int64),
    )
    key, response = commons(table)
    entities = (
        table.sum_key((key > 0).astype(np.int64))[0],
        table.sum_response((response > 0).astype(np.int64))[0],
    )
    mentions = table.common_mentions[0]
    if (
        (found.nearest[0] > np.array(entities) + _ROUNDING).any()
        or (found.largest[0] > mentions).any()
        or found.fates.sum() != entities[0]
    ):
        raise ValueError("'nearest', 'largest' or 'fates' is more than there are")
    return found


_ROUNDING = 1e-6


def _numbers(
    saved: Mapping[str, object], name: str, count: int, kinds: tuple[type, ...]
) -> Floats:
    values = saved.get(name)
    if (
        not isinstance(values, list)
        or len(values) != count
        or not all(type(each) in kinds and 0 <= each < _TOO_MANY for each in values)
    ):
        raise ValueError(f"'{name}' must be {count} numbers")
    return np.array([values], dtype=np.float64)
