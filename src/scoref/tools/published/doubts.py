"""What keeps a result from being compared with a table: conventions, or another key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Note
    from scoref.scheme import Scheme
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.registry import Recognised
    from scoref.scoring.results import Result
    from scoref.tools.published.tables import Published

_UNSHOWN = ("lea", "anaphors")
"""Choices that move no figure of these tables."""

_HARMLESS = {
    ("duplicates", "error"),  # or there would be no result
    ("missing", "error"),
    ("missing", None),
    ("phrases", "all"),
    ("nested", "keep"),
    ("evaluate", "identity"),
    ("split_antecedents", "drop"),
}
"""Choices that are called otherwise, but come to the same as those of the tables."""

_ONTONOTES = re.compile(r"\(?(?P<genre>[a-z]{2})/[^/\s()]+/\d\d/[^/\s()]+(?:\).*)?")
_SHOWN = 3


def doubts(result: Result, published: Published) -> Iterator[Note]:
    """Say what keeps a result from being compared with a table."""
    yield from _about_conventions(result, published)
    yield from _about_key(result, published)
    absent = [each for each in published.columns if each not in result.metrics]
    if absent:
        text = f"the table has {', '.join(absent)}, which was not asked for here"
        yield _note("absent-metrics", len(absent), text)


def doubts_about_datasets(
    results: DatasetResults, published: Published
) -> Iterator[Note]:
    """Say what keeps scores on folders from being compared with a table."""
    for result in list(results.results.values())[:1]:
        yield from _about_conventions(result, published)
    for (_, dataset, _), result in results.results.items():
        known = published.dataset_in(dataset)
        if known:
            yield from _about_key(result, published.of_dataset(known))
    ours, theirs = len(results.datasets), len(published.datasets)
    strange = [
        each for each in results.datasets if not each.startswith(published.datasets)
    ]
    if ours != theirs or strange:
        also = (
            f", of which {', '.join(strange[:_SHOWN])} is not there" if strange else ""
        )
        text = f"the table averages over {theirs} datasets, and this over {ours}{also}"
        yield _note("other-size", abs(ours - theirs) or len(strange), text)
    if "conll" not in results.metrics:
        text = "the table has conll, which was not asked for here"
        yield _note("absent-metrics", 1, text)


def _note(kind: str, count: int, text: str) -> Note:
    from scoref.model import Note  # noqa: PLC0415 - NumPy, which tables do without

    return Note(kind, count, text)


def _about_conventions(result: Result, published: Published) -> Iterator[Note]:
    differing = _differing(result, SCHEMES[published.scheme], published.format)
    if differing:
        text = f"not scored like the table ({published.scheme}): {', '.join(differing)}"
        yield _note("other-scheme", len(differing), text)
    if published.format is not None and result.format != published.format:
        text = (
            f"the table is for {published.format} files, and these are {result.format}"
        )
        yield _note("other-format", 1, text)


def _differing(result: Result, scheme: Scheme, format_name: str | None) -> list[str]:
    """List the choices by which figures could differ."""
    # Other formats have no such reading, and there is a note on the format.
    is_same = result.format == format_name
    passed = _UNSHOWN if is_same else (*_UNSHOWN, "reading")
    wanted = scheme.chosen()
    return [
        f"{name.replace('_', '-')}:{value or 'unset'} instead of "
        f"{wanted[name] or 'unset'}"
        for name, value in result.scheme.chosen().items()
        if name not in passed
        and value != wanted[name]
        and (name, value) not in _HARMLESS
    ]


def _about_key(result: Result, published: Published) -> Iterator[Note]:
    """Say that it is another key, by its fingerprint, or else by numbers and names."""
    if result.fingerprint is not None:
        from scoref.scoring.registry import recognise  # noqa: PLC0415 - data

        found = recognise(result.fingerprint)
        if any(each.is_exact and each.known.name in published.keys for each in found):
            return
        if found or published.keys:
            yield _other_key(result, found, published)
            return
    yield from _guesses(result, published)


def _other_key(result: Result, found: list[Recognised], published: Published) -> Note:
    meant = " or ".join(published.keys[:_SHOWN]) or published.title
    more = " …" if len(published.keys) > _SHOWN else ""
    text = f"the key is {result.key_name}, and the table is for {meant}{more}"
    for near in found[:1]:
        if not near.is_exact:
            text += (
                f"; it comes nearest to {near.known.name}, of which it has "
                f"{len(near.shared)} of {near.known.documents} documents"
            )
    return _note("other-key", 1, text)


def _guesses(result: Result, published: Published) -> Iterator[Note]:
    size, expected = len(result.documents), published.documents
    if expected is not None and size != expected:
        text = f"the table is for a test set of {expected} documents, not of {size}"
        yield _note("other-size", abs(size - expected), text)
    strange = [each for each in result.documents if not _fits(each, published)]
    if strange:
        text = (
            f"{len(strange)} of {size} documents are not named like those of the "
            f"test set (a genre of {', '.join(published.genres)}; "
            f"genre/source/00/source_0000): '{strange[0]}'"
        )
        yield _note("other-documents", len(strange), text)


def _fits(document: str, published: Published) -> bool:
    if not published.genres:
        return True
    found = _ONTONOTES.fullmatch(document)
    return found is not None and found["genre"] in published.genres
