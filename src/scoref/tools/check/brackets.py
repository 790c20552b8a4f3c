"""Rules about brackets of CorefUD that are read, but not as they look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.formats import COREFUD
from scoref.rules import IGNORED_HEAD, MISSING_HEADS, RUN_ON_MENTION
from scoref.tools.check.newdocs import starting_so

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

# (e1-x, brackets of others, then e1): opened and closed at the same word.
_RUN_ON = re.compile(
    rb"(?<=[\t|])Entity=[^|\t\n]*?\(([^-()\[|\t\n]+)(?=[-(])[^()|\t\n]*"
    rb"(?:\([^()|\t\n]+\))+(?:[^()|\t\n]+\))*?\1\)"
)
_VALUE = re.compile(rb"(?<=[\t|])Entity=([^|\t\n]+)")
_WHOLE = re.compile(rb"\(([^()|]+)\)")
_FIRST = frozenset((b"", b"0", b"1"))


def run_on(view: View) -> Iterator[Problem]:
    """Find words that one bracket opens and another closes."""
    if view.format != COREFUD or view.entity_field:
        return
    for found in _RUN_ON.finditer(view.data):
        line = view.line_at(found.start())
        text = view.listing.text(line)
        label = found[1].decode("utf-8", "replace")
        at = text.find(f"({label}")
        yield view.listing.problem(
            RUN_ON_MENTION,
            f"entity {label} is opened and closed at one word by two brackets, and "
            "runs on to the end of the sentence",
            line,
            (at, at + len(label) + 1),
            hint=f"write a mention of one word in one bracket, '({label}-...)'",
        )


def without_heads(view: View) -> Iterator[Problem]:
    """Find a file whose mentions name no heads, though heads decide matches."""
    words = view.corpus.words
    if view.format != COREFUD or words is None or words.names_heads:
        return
    longer = int((words.length > 1).sum())
    if longer:
        header = next(iter(starting_so(view.data, b"# global.Entity")), 0)
        line = view.line_at(header)
        yield view.listing.problem(
            MISSING_HEADS,
            f"no mention names its head: the first words of {longer} are heads",
            # A header that was put in to read on stands behind the last line.
            line if line <= len(view.listing.lines) else None,
            hint="name 'head' in the header and a number in each mention, or score "
            "with --match exact",
        )


def ignored_heads(view: View) -> Iterator[Problem]:
    """Find mentions of one word whose head would be another one."""
    field = view.head_field
    if view.format != COREFUD or field is None:
        return
    for value in _VALUE.finditer(view.data):
        for bracket in _WHOLE.finditer(value[1]):
            fields = bracket[1].split(b"-")
            is_piece = b"[" in bracket[1]
            if is_piece or field >= len(fields) or fields[field] in _FIRST:
                continue
            line = view.line_at(value.start())
            text = view.listing.text(line)
            at = text.find(bracket[0].decode("utf-8", "replace"))
            yield view.listing.problem(
                IGNORED_HEAD,
                f"the head is word {fields[field].decode('utf-8', 'replace')} of a "
                "mention of one word",
                line,
                (at, at + len(bracket[0].decode("utf-8", "replace"))),
                hint="the head is counted among the words of the mention: write 1",
            )
