"""The function `scoref.check`: all problems of a file, or of a key and a response.

A file is read in each way in which it can be read (`reading`). Then every rule checks
each reading (`documents`, `mentions`). A key and a response are also
compared with each other (`pairs`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from scoref.errors import OptionError, unknown
from scoref.formats import input_files, reading
from scoref.formats.catalogue import COREFUD, FORMATS
from scoref.formats.inputs import needed_files
from scoref.rules import RULES
from scoref.tools.check import documents, mentions, pairs
from scoref.tools.check.checked_corpus import View
from scoref.tools.check.crac.rules import OFFICIAL_RULES
from scoref.tools.check.crac.validation import more_about_entities, validated
from scoref.tools.check.problems import as_warning
from scoref.tools.check.reading import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.formats.catalogue import Role
    from scoref.formats.inputs import File, Path
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.reading import ReadFile

    Names = str | Iterable[str] | None


_CHECKS = (
    documents.check_marks,
    documents.check_headers,
    documents.check_words,
    documents.check_mentions,
    mentions.check_entity_sizes,
    mentions.check_zeros,
    mentions.check_run_on_mentions,
    mentions.check_missing_heads,
    mentions.check_ignored_heads,
    mentions.check_repetitions,
    mentions.check_crossing,
    mentions.check_sentences,
    mentions.check_ends,
    mentions.check_reading,
)
"""The rules that check each view of a file; a new rule is added here."""


def check(
    path: File,
    other: File | None = None,
    *,
    format: str | None = None,
    select: Names = None,
    ignore: Names = None,
    expect: str | None = None,
    profile: str | None = None,
) -> list[Problem]:
    """Find everything that is wrong with a file, or with a key and a response.

    Args:
        path: the file, or the key if there are two: a path (``-`` is standard input),
            bytes, a file object, or a data frame of mentions.
        other: the response to it.
        format: the files' format; detected if not given.
        select: names of rules; all if not given.
        ignore: names of rules to leave out.
        expect: the name of a known key, or digits of a fingerprint, which the file or
            the key is expected to have.
        profile: ``crac`` applies the rules of CorefUD's official validator. Its errors
            are errors, and everything else is a note.

    >>> [problem.rule for problem in check("examples/key.conll")]
    []
    """
    if expect is not None:
        pairs.refuse_unknown_key(expect)
    rules = choose_rules(select, ignore)
    files = needed_files("check", *_sides(path, other))
    refuse_profile(profile, other, expect)
    examination = examine(*files, format=format, rules=rules, profile=profile)
    if expect is None:
        return examination.problems
    return [*examination.problems, *check_expected([examination], expect)]


PROFILES = ("crac",)
"""What `check` can be told to check a file for."""


def refuse_profile(profile: str | None, *others: object) -> None:
    """Refuse an unknown profile, and one for several files that belong together."""
    if profile is None:
        return
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if any(other is not None for other in others):
        raise OptionError(
            f"the profile '{profile}' checks each file on its own. Leave out the key "
            "and the expected key"
        )


def _sides(path: File, other: File | None) -> list[tuple[str, File]]:
    return [("file", path)] if other is None else [("key", path), ("response", other)]


def choose_rules(select: Names = None, ignore: Names = None) -> frozenset[str]:
    """Choose rules by name: those selected, or all, without those ignored.

    >>> sorted(choose_rules("missing-end,missing-begin", ["missing-begin"]))
    ['missing-end']
    """
    selected, ignored = _split_names(select), _split_names(ignore)
    names = {*RULES, *OFFICIAL_RULES}
    for name in (*selected, *ignored):
        if name not in names:
            raise unknown("rule", name, names)
    return frozenset(selected or names) - frozenset(ignored)


def _split_names(names: Names) -> list[str]:
    pieces = names.split(",") if isinstance(names, str) else names or ()
    return [name.strip() for name in pieces if name.strip()]


@dataclass(frozen=True)
class Examination:
    """The problems of a file or a pair, and the views of the file or the key."""

    source: str
    problems: list[Problem]
    views: list[View]

    @cached_property
    def key(self) -> pairs.IdentifiedFile | None:
        """The fingerprint of the key; None if a part of it cannot be read."""
        return pairs.identify(self.views[:1])


def examine(
    path: Path,
    other: Path | None = None,
    *,
    format: str | None = None,
    rules: frozenset[str] | None = None,
    profile: str | None = None,
) -> Examination:
    """Check a file, or a key and a response."""
    first = input_files.read_bytes(path)
    sources = input_files.name_of(path), input_files.name_of(other or "")
    if other is None:
        return _examine_one(first, sources[0], format, rules, profile)
    both = first, input_files.read_bytes(other)
    return _examine_both(both, sources, format, rules)


def check_expected(examinations: Iterable[Examination], expect: str) -> list[Problem]:
    """Find why files, all taken together, are not an expected key."""
    keys = {file.source: file.key for file in examinations}
    identified_keys = [key for key in keys.values() if key is not None]
    if len(identified_keys) < len(keys):
        return [
            pairs.unread_key_problem(source, expect)
            for source, key in keys.items()
            if key is None
        ]
    return [*pairs.check_key(identified_keys, expect)] if identified_keys else []


def check_data(
    data: bytes,
    *,
    source: str,
    format: str | None = None,
    rules: frozenset[str] | None = None,
    profile: str | None = None,
) -> list[Problem]:
    """Check one file that was read into memory."""
    return _examine_one(data, source, format, rules, profile).problems


def check_both(
    data: tuple[bytes, bytes],
    *,
    sources: tuple[str, str],
    format: str | None = None,
    rules: frozenset[str] | None = None,
) -> list[Problem]:
    """Check a key and a response that were read into memory."""
    return _examine_both(data, sources, format, rules).problems


def _examine_one(
    data: bytes,
    source: str,
    format_name: str | None,
    rules: frozenset[str] | None,
    profile: str | None = None,
) -> Examination:
    if profile is not None:
        views, problems = _check_views(data, source, format_name or COREFUD)
        problems = validated(data, problems, source=source)
        return Examination(source, _sort_problems(problems, (source,), rules), views)
    views, problems = _check_views(data, source, format_name)
    if views and views[0].format == COREFUD:
        problems += more_about_entities(data, problems, source=source)
    if len(views) > 1 and FORMATS[views[0].format].sides:
        problems += pairs.check_pair(views[0], views[1])
    return Examination(source, _sort_problems(problems, (source,), rules), views)


def _examine_both(
    data: tuple[bytes, bytes],
    sources: tuple[str, str],
    format_name: str | None,
    rules: frozenset[str] | None,
) -> Examination:
    keys, problems = _check_views(data[0], sources[0], format_name, "key")
    responses, response_problems = _check_views(
        data[1],
        sources[1],
        format_name,
        "response",
        key_format=reading.detect(data[0]),
        needs_identity=any(view.way.layer == "identity" for view in keys),
    )
    problems += response_problems
    for views, side, source in zip((keys, responses), data, sources, strict=True):
        if views and views[0].format == COREFUD:
            own = [problem for problem in problems if problem.source == source]
            problems += more_about_entities(side, own, source=source)
    for key in keys:
        for response in responses:
            if key.way.layer == response.way.layer:
                _add(problems, pairs.check_pair(key, response), key, keys)
    return Examination(sources[0], _sort_problems(problems, sources, rules), keys)


def _check_views(
    data: bytes,
    source: str,
    format_name: str | None,
    role: Role | None = None,
    *,
    key_format: str | None = None,
    needs_identity: bool = False,
) -> tuple[list[View], list[Problem]]:
    """Read a file and apply all rules for one file."""
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
        problems += documents.check_text(data, read.listing, read.format)
    views = views_of(read)
    for view in views:
        for check_rule in _CHECKS:
            _add(problems, check_rule(view), view, views)
    return views, problems


def views_of(read: ReadFile) -> list[View]:
    """Return what rules check: a view for each way in which the file was read."""
    views = [View(side, read.listing, is_whole=read.is_whole) for side in read.sides]
    sides = FORMATS[read.format].sides
    if len(views) > 1 and sides:
        for view in views:
            view.name = view.what = f"'{sides[view.way.role].field}'"
    return views


def _add(
    problems: list[Problem], more: Iterable[Problem], view: View, views: list[View]
) -> None:
    """Add the problems of a view; those of a layer that few runs read are warnings."""
    if view.way.layer == views[0].way.layer:
        problems += more
        return
    known = set(problems)
    problems += [as_warning(problem) for problem in more if problem not in known]


def _sort_problems(
    problems: list[Problem], sources: tuple[str, ...], rules: frozenset[str] | None
) -> list[Problem]:
    """Sort the problems of some rules by file, line and column, each once."""
    file_order = {source: row for row, source in enumerate(sources)}
    kept = (problem for problem in problems if rules is None or problem.rule in rules)
    return sorted(
        dict.fromkeys(kept),
        key=lambda problem: (
            file_order.get(problem.source, 0),
            problem.line or 0,
            problem.column or 0,
            problem.rule,
        ),
    )
