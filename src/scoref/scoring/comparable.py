"""Whether two results were scored in the same way, so that they can be compared.

The format does not matter: the same mentions in another format have the same scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.scoring.results import Result


_ONLY_FOR = {"blanc": "blanc", "lea": "lea", "anaphors": "zero"}
"""Conventions that concern one metric."""

_OF_WORDS = frozenset(("words", "borders"))


def unlike(one: Result, other: Result) -> Iterator[tuple[str, object, object]]:
    """Return each difference that changes figures, with both values."""
    if one.metrics != other.metrics:
        yield "metrics", ", ".join(one.metrics), ", ".join(other.metrics)
    chosen = one.scheme.chosen(), other.scheme.chosen()
    for name in chosen[0]:
        values = chosen[0][name], chosen[1][name]
        is_seen = _ONLY_FOR.get(name, name) in one.metrics or name not in _ONLY_FOR
        if values[0] != values[1] and is_seen and not _is_unread(name, one, other):
            yield name.replace("_", "-"), *values
    versions = [dict(map(_name_and_version, each.plugins)) for each in (one, other)]
    for name in versions[0].keys() & versions[1].keys():
        if versions[0][name] != versions[1][name]:
            yield f"the version of {name}", versions[0][name], versions[1][name]
    if one.fingerprint and other.fingerprint and one.key_name != other.key_name:
        yield "the key", one.key_name, other.key_name
    elif one.key != other.key and _have_other_keys(one, other):
        yield "the key", one.key, other.key
    for what in ("window", "slice"):
        values = getattr(one, what), getattr(other, what)
        if values[0] != values[1]:
            yield what, *values


def _name_and_version(package: str) -> tuple[str, str]:
    name, _, version = package.rpartition("-")
    return name, version


def _is_unread(name: str, one: Result, other: Result) -> bool:
    """Return whether a convention differs in name only.

    ``reference`` is for CoNLL-2012, and is ``strict`` for other formats.
    """
    if name == "folder":  # the same documents in files of their own
        return "datasets" not in {one.scheme.folder, other.scheme.folder}
    if name in _OF_WORDS:
        return None in {getattr(result.scheme, name) for result in (one, other)}
    readings = {one.scheme.reading, other.scheme.reading}
    both = all("conll-2012" in result.format for result in (one, other))
    return name == "reading" and readings == {"strict", "reference"} and not both


def _have_other_keys(one: Result, other: Result) -> bool:
    """Return whether keys without fingerprints differ, by their numbers of mentions.

    The same key may have two paths, so different paths alone do not count.
    """
    sizes = [
        dict(
            zip(result.documents, result.counts["mentions"][:, 1].tolist(), strict=True)
        )
        for result in (one, other)
        if "mentions" in result.counts
    ]
    return len(sizes) == 2 and sizes[0] != sizes[1]
