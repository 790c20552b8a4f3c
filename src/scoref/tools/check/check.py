"""The function `scoref.check`: all problems of a file, or of a key and a response."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from scoref.errors import unknown
from scoref.formats import input_files, reading
from scoref.formats.catalogue import FORMATS
from scoref.rules import RULES
from scoref.tools.check import documents, mentions, reference
from scoref.tools.check import mentions as check_mentions
from scoref.tools.check.checked_corpus import View
from scoref.tools.check.documents import check_text
from scoref.tools.check.pairs import (
    Identified,
    check_pair,
    identified,
    see_expected,
    unexpected,
    unread,
)
from scoref.tools.check.problems import beside
from scoref.tools.check.reading import read_file
from scoref.tools.check.reference import read_otherwise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from scoref.formats.catalogue import Role
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.reading import ReadFile

    Path = str | PathLike[str]
    Names = str | Iterable[str] | None


_CHECKS = (
    documents.marked,
    documents.headed,
    documents.filled,
    documents.mentioned,
    check_mentions.sized,
    check_mentions.zeros,
    reference.run_on,
    reference.without_heads,
    reference.ignored_heads,
    mentions.listed_again,
    mentions.crossing,
    mentions.over_sentences,
    mentions.exclusive_ends,
    read_otherwise,
)
"""What is looked at in each corpus of a file."""


def check(
    path: Path,
    other: Path | None = None,
    *,
    format: str | None = None,
    select: Names = None,
    ignore: Names = None,
    expect: str | None = None,
) -> list[Problem]:
    """Find everything that is wrong with a file, or with a key and a response.

    Args:
        path: the file, or the key if there are two; ``-`` is standard input.
        other: the response to it.
        format: the files' format; detected if not given.
        select: names of rules; all if not given.
        ignore: names of rules to leave out.
        expect: the name of a known key, or digits of a fingerprint, which the file or
            the key is expected to have.

    >>> [problem.rule for problem in check("examples/key.conll")]
    []
    """
    if expect is not None:
        see_expected(expect)
    found = examine(path, other, format=format, rules=chosen(select, ignore))
    if expect is None:
        return found.problems
    return [*found.problems, *check_expected([found], expect)]


@dataclass(frozen=True)
class Examined:
    """What is wrong with a file, or a pair; and the file, or the key, as read."""

    source: str
    problems: list[Problem]
    views: list[View]

    @cached_property
    def key(self) -> Identified | None:
        """Its fingerprint; none where something cannot be read."""
        return identified(self.views[:1])


def examine(
    path: Path,
    other: Path | None = None,
    *,
    format: str | None = None,
    rules: frozenset[str] | None = None,
) -> Examined:
    """Check a file, or a key and a response."""
    first = input_files.read_bytes(path)
    sources = input_files.name_of(path), input_files.name_of(other or "")
    if other is None:
        return _examine_one(first, sources[0], format, rules)
    both = first, input_files.read_bytes(other)
    return _examine_both(both, sources, format, rules)


def check_expected(files: Iterable[Examined], expect: str) -> list[Problem]:
    """Find what keeps files, all taken for one, from being an expected key."""
    keys = {each.source: each.key for each in files}
    known = [key for key in keys.values() if key is not None]
    if len(known) < len(keys):
        return [unread(name, expect) for name, key in keys.items() if key is None]
    return list(unexpected(known, expect)) if known else []


def check_data(
    data: bytes,
    *,
    source: str,
    format: str | None = None,
    rules: frozenset[str] | None = None,
) -> list[Problem]:
    """Check one file that was read into memory."""
    return _examine_one(data, source, format, rules).problems


def _examine_one(
    data: bytes, source: str, format_name: str | None, rules: frozenset[str] | None
) -> Examined:
    views, problems = _checked(data, source, format_name)
    if len(views) > 1 and FORMATS[views[0].format].sides:
        problems += check_pair(views[0], views[1])
    return Examined(source, _in_order(problems, (source,), rules), views)


def check_both(
    data: tuple[bytes, bytes],
    *,
    sources: tuple[str, str],
    format: str | None = None,
    rules: frozenset[str] | None = None,
) -> list[Problem]:
    """Check a key and a response that were read into memory."""
    return _examine_both(data, sources, format, rules).problems


def _examine_both(
    data: tuple[bytes, bytes],
    sources: tuple[str, str],
    format_name: str | None,
    rules: frozenset[str] | None,
) -> Examined:
    keys, problems = _checked(data[0], sources[0], format_name, "key")
    key_format = reading.detect(data[0])
    needs_identity = any(view.way.layer == "identity" for view in keys)
    responses, more = _checked(
        data[1],
        sources[1],
        format_name,
        "response",
        key_format=key_format,
        needs_identity=needs_identity,
    )
    problems += more
    for key in keys:
        for response in responses:
            if key.way.layer == response.way.layer:
                _add(problems, check_pair(key, response), key, keys)
    return Examined(sources[0], _in_order(problems, sources, rules), keys)


def _checked(
    data: bytes,
    source: str,
    format_name: str | None,
    role: Role | None = None,
    *,
    key_format: str | None = None,
    needs_identity: bool = False,
) -> tuple[list[View], list[Problem]]:
    """Read a file and go through all rules for one file."""
    read = read_file(
        data,
        source=source,
        format_name=format_name,
        key_format=key_format,
        role=role,
        needs_identity=needs_identity,
    )
    problems = [*read.problems]
    if read.sides:
        problems += check_text(data, read.listing, read.format)
    views = views_of(read)
    for view in views:
        for found in _CHECKS:
            _add(problems, found(view), view, views)
    return views, problems


def _add(
    problems: list[Problem], found: Iterable[Problem], view: View, views: list[View]
) -> None:
    """Add what was found in a view; less of it in a layer that few runs read."""
    if view.way.layer == views[0].way.layer:
        problems += found
        return
    known = set(problems)
    problems += [beside(each) for each in found if each not in known]


def views_of(read: ReadFile) -> list[View]:
    """Give what rules look at, one for each way to read a file."""
    views = [View(side, read.listing, is_whole=read.is_whole) for side in read.sides]
    sides = FORMATS[read.format].sides
    if len(views) > 1 and sides:
        for view in views:
            view.name = view.what = f"'{sides[view.way.role].field}'"
    return views


def _in_order(
    problems: list[Problem], sources: tuple[str, ...], rules: frozenset[str] | None
) -> list[Problem]:
    """Sort by file, line and column, and tell nothing twice."""
    place = {source: row for row, source in enumerate(sources)}
    kept = (each for each in problems if rules is None or each.rule in rules)
    return sorted(
        dict.fromkeys(kept),
        key=lambda each: (
            place.get(each.source, 0),
            each.line or 0,
            each.column or 0,
            each.rule,
        ),
    )


def chosen(select: Names = None, ignore: Names = None) -> frozenset[str]:
    """Choose rules by name: those selected, or all, without those ignored.

    >>> sorted(chosen("missing-end,missing-begin", ["missing-begin"]))
    ['missing-end']
    """
    selected, ignored = _names(select), _names(ignore)
    for name in (*selected, *ignored):
        if name not in RULES:
            raise unknown("rule", name, RULES)
    return frozenset(selected or RULES) - frozenset(ignored)


def _names(names: Names) -> list[str]:
    listed = names.split(",") if isinstance(names, str) else names or ()
    return [name.strip() for name in listed if name.strip()]
