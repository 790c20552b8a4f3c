"""The official verdict on a file: all rules, in the order of the validator.

The validator skips the rest of a sentence after a fault that would make further
messages misleading. `validate` does the same, so that both find the same rules broken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats.input_files import with_line_feeds
from scoref.tools.check.crac.comments import CommentRules
from scoref.tools.check.crac.entities import EntityRules
from scoref.tools.check.crac.rules import CRASH, OWN_NAMES
from scoref.tools.check.crac.sentences import (
    Findings,
    check_characters,
    check_columns,
    check_ids,
    check_lines,
    sentences,
)
from scoref.tools.check.crac.words import WordRules, check_heads, check_tree
from scoref.tools.check.problems import FileListing

if TYPE_CHECKING:
    from scoref.tools.check.problems import Problem


def validate(data: bytes, *, source: str) -> list[Problem]:
    r"""Apply all official rules to a file.

    >>> [problem.rule for problem in validate(b"# text = A\n1\tA\n\n", source="a")]
    ['number-of-columns']
    """
    findings = Findings(FileListing(source, with_line_feeds(data)))
    text = _decode(data, findings)
    check_characters(text, findings)
    words, comments = WordRules(findings), CommentRules(findings)
    entities = EntityRules(findings)
    for sentence in sentences(text):
        if not (
            check_lines(sentence, findings)
            and check_columns(sentence, findings)
            and check_ids(sentence, findings)
            and check_heads(sentence, findings)
            and check_tree(sentence, findings)
            and words.check(sentence)
        ):
            continue
        words.check_graph(sentence)
        comments.check(sentence)
        if not any(row[0].isdigit() for row in sentence.rows):
            message = "this sentence has empty nodes but no words"
            findings.report(CRASH, sentence.first_row, message)
            break
        words.check_connection(sentence)
        entities.check(sentence)
    if b"\r" in data:
        line = data.replace(b"\r\n", b"\r").split(b"\r", 1)[0].count(b"\n") + 1
        message = "this line ends in CR LF or CR"
        findings.report("non-unix-newline", line, message)
    return findings.problems


def check_entities(data: bytes, *, source: str) -> list[Problem]:
    """Apply the rules about entities to a file whose other content may be faulty.

    Problems are warnings, because scoring does not reject the file. `_USUAL` faults,
    which many corpora have on purpose, are left out.
    """
    findings = Findings(FileListing(source, with_line_feeds(data)))
    entities = EntityRules(findings)
    ignored = Findings(findings.listing)
    for sentence in sentences(_decode(data, ignored).lstrip("\ufeff")):
        if (
            check_lines(sentence, ignored)
            and check_columns(sentence, ignored)
            and check_ids(sentence, ignored)
        ):
            entities.check(sentence)
        else:
            entities.check_comments(sentence)
    return [
        problem._replace(severity="warning", can_fix=False)
        for problem in findings.problems
        if problem.rule not in _USUAL
    ]


_USUAL = frozenset(
    (
        *("spurious-entity-type", "spurious-entity-statement"),
        *("ill-nested-entities-warning", CRASH),
    )
)


def _decode(data: bytes, findings: Findings) -> str:
    """Read bytes as the validator does: it keeps a byte order mark."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = with_line_feeds(data[: error.start]).count(b"\n") + 1
        message = f"byte {data[error.start]:#04x} is not valid UTF-8"
        findings.report(CRASH, line, message)
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def validated(data: bytes, problems: list[Problem], *, source: str) -> list[Problem]:
    """Return the official findings, and what else scoref found as notes."""
    official = validate(data, source=source)
    known = {
        own
        for name in {problem.official for problem in official}
        for own in OWN_NAMES.get(name, ())
    }
    return official + [
        problem._replace(severity="note")
        for problem in problems
        if problem.rule not in known
    ]


def more_about_entities(
    data: bytes, problems: list[Problem], *, source: str
) -> list[Problem]:
    """Return official findings about entities that no rule of scoref has reported."""
    known = {problem.rule for problem in problems}
    return [
        problem
        for problem in check_entities(data, source=source)
        if known.isdisjoint(OWN_NAMES.get(problem.official, ()))
    ]
