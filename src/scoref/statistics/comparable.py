"""May systems be compared? On the same documents, and by what moves figures alike.

A format moves none: the same mentions in another one have the same scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import OptionError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.scoring.results import Result

_ONLY_FOR = {"blanc": "blanc", "lea": "lea", "anaphors": "zero"}
"""Choices that concern one metric."""
_OF_WORDS = frozenset(("words", "borders"))


def check_comparable(systems: Mapping[str, Mapping[str, Result]]) -> None:
    """Refuse systems that were not scored alike, and say what is not alike."""
    (first, expected), *others = systems.items()
    for name, found in others:
        _check_names(name, first, "datasets", [*found], [*expected])
        for dataset, result in found.items():
            other = expected[dataset]
            _check_names(name, first, "documents", result.documents, other.documents)
            for what, mine, theirs in unlike(result, other):
                raise OptionError(
                    f"{name} and {first} were not scored in the same way: {what} is "
                    f"{mine or 'none'} for {name}, {theirs or 'none'} for {first}"
                )


def _check_names(
    name: str,
    first: str,
    what: str,
    mine: list[str] | tuple[str, ...],
    theirs: list[str] | tuple[str, ...],
) -> None:
    sides = (name, sorted({*mine} - {*theirs})), (first, sorted({*theirs} - {*mine}))
    only = [f"only {who} has {quoted(names)}" for who, names in sides if names]
    if only or len(mine) != len(theirs):
        listed = f": {', '.join(only)}" if only else ""
        raise OptionError(f"{name} and {first} do not have the same {what}{listed}")


def unlike(one: Result, other: Result) -> Iterator[tuple[str, object, object]]:
    """Name what differs and moves figures, with both values."""
    if one.metrics != other.metrics:
        yield "metrics", ", ".join(one.metrics), ", ".join(other.metrics)
    chosen = one.scheme.chosen(), other.scheme.chosen()
    for name in chosen[0]:
        values = chosen[0][name], chosen[1][name]
        is_seen = _ONLY_FOR.get(name, name) in one.metrics or name not in _ONLY_FOR
        if values[0] != values[1] and is_seen and not _is_unread(name, one, other):
            yield name.replace("_", "-"), *values
    if one.fingerprint and other.fingerprint and one.key_name != other.key_name:
        yield "the key", one.key_name, other.key_name
    elif one.key != other.key and _have_other_keys(one, other):
        yield "the key", one.key, other.key
    for what in ("window", "slice"):
        values = getattr(one, what), getattr(other, what)
        if values[0] != values[1]:
            yield what, *values


def _is_unread(name: str, one: Result, other: Result) -> bool:
    """Tell that readings differ in name only, or that one response has other words.

    ``reference`` is for CoNLL-2012, and has become ``strict`` where there is no such
    file.
    """
    if name == "folder":  # the same documents in files of their own
        return "datasets" not in {one.scheme.folder, other.scheme.folder}
    if name in _OF_WORDS:
        return None in {getattr(each.scheme, name) for each in (one, other)}
    readings = {one.scheme.reading, other.scheme.reading}
    both = all("conll-2012" in result.format for result in (one, other))
    return name == "reading" and readings == {"strict", "reference"} and not both


def _have_other_keys(one: Result, other: Result) -> bool:
    """Tell by mentions that keys differ, where there are no fingerprints.

    The same key may have two paths, so another path alone does not count.
    """
    sizes = [
        dict(zip(each.documents, each.counts["mentions"][:, 1].tolist(), strict=True))
        for each in (one, other)
        if "mentions" in each.counts
    ]
    return len(sizes) == 2 and sizes[0] != sizes[1]  # noqa: PLR2004 - both
