"""Rules about documents: where they start and end, and what is in them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA
from scoref.formats.conll2012 import _sorted_lines
from scoref.rules import (
    DIFFERENT_HEADERS,
    DOCUMENT_WITHOUT_MENTIONS,
    EMPTY_DOCUMENT,
    MISSING_BEGIN,
    MISSING_END,
    MISSING_NEWDOC,
    NO_MENTIONS,
    TOKENS_DISAGREE,
)
from scoref.tools.check.newdocs import starting_so

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats._text import Lines
    from scoref.model import Ints
    from scoref.tools.check.problems import FileListing, Problem
    from scoref.tools.check.views import View

_GLOBAL = b"# global.Entity"
_HEADER = re.compile(rb"# global\.Entity[^\S\n]*=[^\S\n]*(\S+)")


def unended(lines: Lines) -> list[tuple[int, int]]:
    """List documents of CoNLL-2012 without an end: the lines before and behind them.

    Lines are counted from 0.
    """
    _, begins, ends = _sorted_lines(lines)
    bounds = sorted({*begins, *ends, len(lines)})
    following = dict(pairwise(bounds))
    return [(at, following[at]) for at in begins if following[at] not in ends]


def marked(view: View) -> Iterator[Problem]:
    """Find documents that do not start or end as they should."""
    corpus, listing = view.corpus, view.listing
    if view.format == CONLL_2012:
        yield from _unended(listing)
    is_named = any(name.name for name in corpus.documents)
    if view.format == CONLL_2012 and not is_named and not _begins(listing):
        yield listing.problem(
            MISSING_BEGIN,
            "no line '#begin document' says where a document starts",
            int(corpus.document_line[0]),
            hint="start with '#begin document (name); part 000': otherwise the "
            "reference scorer sees nothing",
        )
    if view.format in {COREFUD, UNIVERSAL_ANAPHORA} and not corpus.documents[0].name:
        yield listing.problem(
            MISSING_NEWDOC,
            "these words stand before the first '# newdoc'",
            int(corpus.document_line[0]),
            hint="start with '# newdoc id = ...': otherwise the official scorer stops, "
            "or sees nothing",
        )


def _begins(listing: FileListing) -> bool:
    return bool(_sorted_lines(listing.lines)[1])


def _unended(listing: FileListing) -> Iterator[Problem]:
    for begin, _ in unended(listing.lines):
        yield listing.problem(
            MISSING_END,
            "this document has no line '#end document'",
            begin + 1,
            hint="add one: the reference scorer reads on through the next document",
            can_fix=True,
        )


def headed(view: View) -> Iterator[Problem]:
    """Find headers that contradict each other."""
    places = starting_so(view.data, _GLOBAL) if view.format == COREFUD else ()
    found = filter(None, (_HEADER.match(view.data, at) for at in places))
    first = next(found, None)
    for header in found:
        line = view.line_at(header.start())
        if first and header[1] != first[1] and line <= len(view.listing.lines):
            yield view.listing.problem(
                DIFFERENT_HEADERS,
                "this header is not the first one's",
                line,
                hint="make them equal: the last of a file is taken for all of it",
            )
            return


def filled(view: View) -> Iterator[Problem]:
    """Find documents without words or mentions."""
    corpus, listing = view.corpus, view.listing
    if corpus.document_tokens is not None:
        for row in np.flatnonzero(corpus.document_tokens == 0).tolist():
            yield listing.problem(
                EMPTY_DOCUMENT,
                f"document '{corpus.documents[row].name}' has no words",
                _line(corpus.document_line, row),
                hint="was the file cut off?",
            )
    for row in view.disagreeing.tolist():
        yield listing.problem(
            TOKENS_DISAGREE,
            f"document '{corpus.documents[row].name}' has two texts of different "
            "length: 'tokens' and 'sentences'",
            _line(corpus.document_line, row),
            hint="leave one of them out",
        )


def mentioned(view: View) -> Iterator[Problem]:
    """Find files without any mention, or count the documents without one."""
    corpus, listing = view.corpus, view.listing
    if view.way.layer != "identity" or not view.is_whole:
        return
    if not len(corpus.mention_entity):
        yield listing.problem(
            NO_MENTIONS,
            f"there is no mention in {view.what}, read as {view.format}",
            hint="is it the right file, and the right --format?",
        )
        return
    count = np.bincount(view.document, minlength=len(corpus.documents))
    is_empty = count == 0
    if corpus.document_tokens is not None:
        is_empty &= corpus.document_tokens > 0
    without = np.flatnonzero(is_empty)
    if len(without):
        have = "has" if len(without) == 1 else "have"
        yield listing.problem(
            DOCUMENT_WITHOUT_MENTIONS,
            f"{len(without)} of {len(count)} documents {have} no mention, first here",
            _line(corpus.document_line, int(without[0])),
        )


def _line(lines: Ints, row: int) -> int | None:
    return int(lines[row]) or None
