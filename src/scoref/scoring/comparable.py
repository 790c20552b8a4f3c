"""Whether two results were scored in the same way, so that they can be compared.

The format does not matter: the same mentions in another format have the same scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.scoring.results import Result


_ONLY_FOR = {"blanc": "blanc", "lea": "lea", "anaphors": "zero"}
"""Conventions that concern one metric."""

_OF_WORDS = frozenset(("words", "borders"))


def comparability_notes(
    results: Mapping[str, Result], *, same_key: bool = True
) -> list[str]:
    """Warn of a result to which the signature, that of the first one, does not apply.

    Args:
        results: the results by name.
        same_key: whether all of them have the same key.
    """
    named = list(results.items())
    for other_name, other in named[1:]:
        name, first = named[0]
        for what, mine, theirs in unlike(other, first, same_key=same_key):
            if what != "metrics":
                message = (
                    f"{WARNING}{other_name} was not scored like {name}: {what} is "
                    f"{mine or 'none'}, not {theirs or 'none'}. Their figures cannot "
                    f"be compared, and the signature is that of {name}."
                )
                return [message]
    return []


def unlike(
    one: Result, other: Result, *, same_key: bool = True
) -> Iterator[tuple[str, object, object]]:
    """Return each difference that changes figures, with both values.

    ``same_key`` says whether both should have the same key.
    """
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
    if not same_key:
        pass
    elif one.fingerprint and other.fingerprint and one.key_name != other.key_name:
        yield "the key", one.key_name, other.key_name
    elif one.key != other.key and _have_other_keys(one, other):
        yield "the key", one.key, other.key
    for what in ("window", "slice"):
        values = getattr(one, what), getattr(other, what)
        if values[0] != values[1]:
            yield what, *values
    # Last, because other differences explain this one.
    if one.metrics != other.metrics:
        yield "metrics", ", ".join(one.metrics), ", ".join(other.metrics)


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
