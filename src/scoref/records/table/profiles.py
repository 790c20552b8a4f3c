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
from scoref.contingency.histogram import Kinds, histogram, join_histograms
from scoref.contingency.partition import clusterwise, commons
from scoref.errors import FormatError, UnreadableFileError
from scoref.model import Note
from scoref.records.api import is_aligned, score_counts
from scoref.scheme import choices
from scoref.schemes import resolve
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.contingency import Contingency, Floats
    from scoref.model import Ints
    from scoref.scheme import Undefined
    from scoref.scoring.results import Result


NO_ALIGNMENT = "needs the clusters themselves, which a profile does not contain"

_VERSION = 2


class _Profile(NamedTuple):
    """A saved profile, with its group and the choices of its counts."""

    source: str
    group: str | None
    universe: str
    duplicates: str
    table: Contingency

    @property
    def options(self) -> str:
        return f"--universe {self.universe} --duplicates {self.duplicates}"


def score_profiles(
    paths: Sequence[str], undefined: Undefined, metrics: tuple[str, ...]
) -> Result:
    """Score saved profiles as one table."""
    profiles = [profile for path in paths for profile in _read(path)]
    first = profiles[0]
    for profile in profiles:
        if profile.options != first.options:
            raise FormatError(
                f"this profile was counted with {profile.options}, but "
                f"{first.source} with {first.options}",
                source=profile.source,
                hint="Count both with the same options.",
            )
    # Profiles without groups are parts of one table, with BLANC's links between them.
    names = [profile.group or "" for profile in profiles]
    documents = list(dict.fromkeys(names))
    table = join_histograms(
        [profile.table for profile in profiles], [documents.index(n) for n in names]
    )
    scheme = resolve(
        None,
        universe=first.universe,
        duplicates=first.duplicates,
        undefined=undefined,
    )
    kept = tuple(name for name in metrics if not is_aligned(name))
    sources = first.source, first.source
    result = score_counts(table, documents, scheme, kept, sources)
    text = f"CEAF {NO_ALIGNMENT}. The same is true of the CoNLL score"
    note = Note("profile", len(profiles), text)
    return replace(result, notes=(note, *result.notes))


def dump_profile(result: Result) -> str:
    """Write a line for each group, with its counts and the choices of these."""
    scheme, groups = result.scheme, result.groups or {"": result}
    about = {
        "scoref-profile": _VERSION,
        "universe": scheme.universe,
        "duplicates": scheme.duplicates,
    }
    lines = [
        about | {"group": name or None} | counts_object(group.table)
        for name, group in groups.items()
        if group.table is not None
    ]
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)


def _read(path: str) -> list[_Profile]:
    """Read the profiles of a file: a line for each group."""
    try:
        with open(path, encoding="utf-8") as file:
            keep_from_writing(file.fileno(), path)
            lines = list(file)
    except OSError as error:
        raise UnreadableFileError.of(error, path) from error
    except UnicodeDecodeError as error:
        problem = "this is a binary file, not a profile"
        raise FormatError(problem, source=path) from error
    profiles = [
        _parse(line, path, number)
        for number, line in enumerate(lines, start=1)
        if not line.isspace()
    ]
    if not profiles:
        raise FormatError("this file is empty, not a profile", source=path)
    return profiles


def _parse(line: str, path: str, number: int) -> _Profile:
    try:
        saved = json.loads(line)
    except (ValueError, RecursionError):
        saved = None
    if not isinstance(saved, dict) or "scoref-profile" not in saved:
        raise _error("this is not a profile of two clusterings", path, number)
    if saved["scoref-profile"] != _VERSION:
        raise _error(
            "this profile was written by another version of scoref", path, number
        )
    try:
        table = load_counts(saved)
        for name in ("universe", "duplicates"):
            if saved.get(name) not in choices(name):
                raise ValueError(f"the {name} '{saved.get(name)}' is unknown")  # noqa: TRY301
        group = saved.get("group")
        if group is not None and not isinstance(group, str):
            raise ValueError(f"the name of a group is not text: '{group}'")  # noqa: TRY301
    except ValueError as error:
        raise _error(f"this profile is damaged: {error}", path, number) from error
    return _Profile(path, group, saved["universe"], saved["duplicates"], table)


def _error(problem: str, path: str, line: int) -> FormatError:
    return FormatError(
        problem,
        source=path,
        line=line,
        hint="`scoref table … --save-profile FILE` writes a profile.",
    )


def counts_object(table: Contingency) -> dict[str, object]:
    """Return the counts of a histogram of one document as JSON values."""
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
    clusters = clusterwise(table)
    return {
        "cells": np.column_stack(cells).tolist(),
        "key": np.column_stack((table.key_size, key, table.key_times)).tolist(),
        "response": np.column_stack(
            (table.response_size, response, table.response_times)
        ).tolist(),
        "nearest": clusters.nearest[0].tolist(),
        "largest": clusters.largest[0].tolist(),
        "fates": clusters.fates[0].tolist(),
    }


_TOO_MANY = 1 << 62  # so that integers of 64 bits hold every count


def load_counts(saved: Mapping[str, object]) -> Contingency:
    """Make a histogram of saved counts; ValueError if they are impossible.

    A row of cells has the shared mentions, the sizes of both entities, and their common
    mentions. A row of entities has the size and the common mentions. The last column
    says how often a row occurs.
    """
    cells = _rows(saved, "cells", 6)
    key, response = (_rows(saved, side, 3) for side in ("key", "response"))
    _check_common("key", key, cells[:, [1, 3]], cells)
    _check_common("response", response, cells[:, [2, 4]], cells)
    counts = [
        np.column_stack((np.zeros(len(rows), dtype=np.int64), rows))  # document 0
        for rows in (cells, key, response)
    ]
    floats = np.zeros((0, 3))
    integers = floats.astype(np.int64)
    kinds = Kinds(*counts, floats, floats, integers, integers, integers)  # type: ignore[arg-type,call-arg]
    table = histogram(kinds, 1)
    return table._replace(clusterwise=_load_clusterwise(saved, table))


def _rows(saved: Mapping[str, object], name: str, width: int) -> Ints:
    """Read rows of counts."""
    rows = saved.get(name)
    if not isinstance(rows, list) or not all(
        isinstance(row, list)
        and len(row) == width
        and all(type(count) is int and abs(count) < _TOO_MANY for count in row)
        for row in rows
    ):
        raise ValueError(f"'{name}' must be rows of {width} counts")
    counts = np.array(rows, dtype=np.int64).reshape(-1, width)
    if (counts < 0).any() or (counts[:, [0, -1]] < 1).any():
        raise ValueError(f"'{name}' has a count that is too low")
    return counts


def _check_common(name: str, entities: Ints, of_cells: Ints, cells: Ints) -> None:
    """Check that entities have the common mentions that their cells have."""
    if (entities[:, 1] > entities[:, 0]).any():
        raise ValueError(f"'{name}' has more common mentions than mentions")
    if (cells[:, 0] > of_cells[:, 1]).any():
        raise ValueError(f"'cells' have more common mentions than the {name}")
    common: dict[tuple[int, int], int] = {}
    for size, shared, times in entities.tolist():
        common[size, shared] = common.get((size, shared), 0) + shared * times
    for (size, shared), n, times in zip(
        of_cells.tolist(), cells[:, 0].tolist(), cells[:, -1].tolist(), strict=True
    ):
        common[size, shared] = common.get((size, shared), 0) - n * times
    if any(common.values()):
        raise ValueError(f"'cells' and '{name}' do not have the same common mentions")


_ROUNDING = 1e-6


def _load_clusterwise(saved: Mapping[str, object], table: Contingency) -> Clusterwise:
    clusters = Clusterwise(
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
        (clusters.nearest[0] > np.array(entities) + _ROUNDING).any()
        or (clusters.largest[0] > mentions).any()
        or clusters.fates.sum() != entities[0]
    ):
        raise ValueError(
            "'nearest', 'largest' or 'fates' has more clusters than there are"
        )
    return clusters


def _numbers(
    saved: Mapping[str, object], name: str, count: int, kinds: tuple[type, ...]
) -> Floats:
    values = saved.get(name)
    if (
        not isinstance(values, list)
        or len(values) != count
        or not all(type(value) in kinds and 0 <= value < _TOO_MANY for value in values)
    ):
        raise ValueError(f"'{name}' must be {count} numbers")
    return np.array([values], dtype=np.float64)
