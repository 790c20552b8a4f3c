"""The official rules of level 2 about comments: sent_id, parallel_id and the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.tools.check.crac.sentences import FORM, ID, MISC, RANGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.tools.check.crac.sentences import Findings, Sentence


_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(\S+)")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
NEWDOC = re.compile(r"#\s*newdoc(?:\s+(\S+))?")
"""A document as the validator sees it: it ignores ``# newdoc id = name``."""

_NEWPAR = re.compile(r"#\s*newpar(?:\s+(\S+))?")
_PARALLEL_ID = re.compile(
    r"#\s*parallel_id\s*=\s*(?P<name>(?P<sentence>[a-z]+/[-0-9a-z]+)"
    r"(?:/(?=[ap])(?:alt(?P<alt>[1-9][0-9]*))?(?:part(?P<part>[1-9][0-9]*))?)?)"
)


class CommentRules:
    """Checks the comments of sentences, and compares them across sentences."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._sent_ids: set[str] = set()
        self._parallel_ids: set[str] = set()
        self._last_numbers: dict[tuple[str, str], int | None] = {}
        self._ends_without_space = False

    def check(self, sentence: Sentence) -> None:
        """Check the comments of a sentence, and its text."""
        self._check_sent_id(sentence)
        self._check_parallel_id(sentence)
        self._check_breaks(sentence)
        self._check_text(sentence)

    def _matches(
        self, sentence: Sentence, pattern: re.Pattern[str], name: str, *starts: str
    ) -> Iterator[tuple[int, re.Match[str] | None]]:
        """Return comments that match, and those that only start like it."""
        for line, comment in enumerate(sentence.comments, start=sentence.line):
            if name not in comment:
                continue
            match = pattern.fullmatch(comment)
            if match or comment.startswith(starts or "\n"):
                yield line, match

    def _only(
        self, sentence: Sentence, pattern: re.Pattern[str], name: str
    ) -> tuple[int, re.Match[str] | None]:
        """Return the one comment that matches; report malformed and further ones."""
        matches: list[tuple[int, re.Match[str]]] = []
        rule = name.replace("_", "-")
        starts = (f"# {name}", f"#{name}") if name != "text" else ()
        for line, match in self._matches(sentence, pattern, name, *starts):
            if match is None:
                message = f"this {name} is not well-formed"
                self._findings.report(f"invalid-{rule}", line, message)
            else:
                matches.append((line, match))
        if len(matches) > 1:
            line = matches[1][0]
            message = f"this sentence has {len(matches)} comments '{name}'"
            self._findings.report(f"multiple-{rule}", line, message)
        if not matches and name != "parallel_id":
            message = f"this sentence has no comment '# {name} = …'"
            self._findings.report(f"missing-{rule}", sentence.first_row, message)
        return matches[0] if len(matches) == 1 else (0, None)

    def _check_sent_id(self, sentence: Sentence) -> None:
        line, match = self._only(sentence, _SENT_ID, "sent_id")
        if match is None:
            return
        name = match[1]
        if name in self._sent_ids:
            message = f"an earlier sentence has the sent_id '{name}'"
            self._findings.report("non-unique-sent-id", line, message, name)
        if name.count("/") > 1:
            message = f"the sent_id '{name}' has several slashes"
            self._findings.report("slash-in-sent-id", line, message, name)
        self._sent_ids.add(name)

    def _check_parallel_id(self, sentence: Sentence) -> None:
        line, match = self._only(sentence, _PARALLEL_ID, "parallel_id")
        if match is None:
            return
        name = match["name"]
        if name in self._parallel_ids:
            message = f"an earlier sentence has the parallel_id '{name}'"
            self._findings.report("non-unique-parallel-id", line, message, name)
        else:
            for kind in ("alt", "part"):
                self._check_number(match, kind, line)
        self._parallel_ids.add(name)

    def _check_number(self, match: re.Match[str], kind: str, line: int) -> None:
        """Check that alternatives or parts are numbered 1, 2 and so on, or not."""
        number = int(match[kind]) if match[kind] else None
        place = kind, match["sentence"]
        last = self._last_numbers.get(place, 0 if number is not None else None)
        if number is None and last is not None:
            message = f"earlier sentences with this parallel_id have '{kind}'"
            self._findings.report(f"parallel-id-{kind}", line, message)
        elif number is not None and last is None:
            message = f"earlier sentences with this parallel_id have no '{kind}'"
            self._findings.report(f"parallel-id-{kind}", line, message)
        elif number is not None and last is not None and number != last + 1:
            message = f"expected {kind}{last + 1}"
            self._findings.report(f"parallel-id-{kind}", line, message)
        self._last_numbers[place] = number

    def _check_breaks(self, sentence: Sentence) -> None:
        breaks = []
        for pattern, name in ((NEWDOC, "newdoc"), (_NEWPAR, "newpar")):
            lines = [line for line, _ in self._matches(sentence, pattern, name)]
            breaks += lines
            if len(lines) > 1:
                message = f"this sentence has {len(lines)} comments '{name}'"
                self._findings.report(f"multiple-{name}", lines[1], message)
        if breaks and self._ends_without_space:
            message = "the last word before this line has SpaceAfter=No"
            self._findings.report("spaceafter-newdocpar", breaks[0], message)

    def _check_text(self, sentence: Sentence) -> None:
        line, match = self._only(sentence, _TEXT, "text")
        if match is None:
            return
        text = match[1]
        if not text:
            self._findings.report("empty-text", line, "this text is empty")
        elif text[-1].isspace():
            message = "this text ends in a space"
            self._findings.report("text-trailing-whitespace", line, message)
        rest = self._match_words(sentence, text)
        if rest:
            message = f"no word corresponds to the end of the text: '{_short(rest)}'"
            self._findings.report("text-extra-chars", line, message, rest)

    def _has_usual_text(self, sentence: Sentence, text: str) -> bool:
        """Return whether the text consists of the words and single spaces."""
        if not sentence.columns:
            return False
        rows = [*zip(*(sentence.columns[at] for at in (ID, FORM, MISC)), strict=True)]
        if sentence.words is not sentence.columns:
            rows = [*_surface(rows)]
        spaces = [
            " "
            if "SpaceAfter" not in misc
            else ""
            if "SpaceAfter=No" in misc.split("|")
            else "?"
            for _, _, misc in rows
        ]
        marks = "|".join(sentence.columns[MISC]).count("SpaceAfter")
        if not rows or spaces.count("") != marks:
            return False
        ends_without_space, spaces[-1] = not spaces[-1], ""
        words = [form + space for (_, form, _), space in zip(rows, spaces, strict=True)]
        if "".join(words) != text:
            return False
        self._ends_without_space = ends_without_space
        return True

    def _match_words(self, sentence: Sentence, text: str) -> str:
        """Compare the words with the text, and return what is left of the text."""
        if self._has_usual_text(sentence, text):
            return ""
        at, last_of_range, has_mismatch = 0, 0, False
        for line, row in sentence.numbered():
            misc, form = row[MISC], row[FORM]
            has_no_space = "SpaceAfter" in misc and self._check_space_after(misc, line)
            if not row[ID].isdigit():
                match = RANGE_ID.fullmatch(row[ID])
                if match is None:
                    self._refuse_space_after("empty-node", misc, line)
                    continue
                last_of_range = int(match[2])
            elif int(row[ID]) <= last_of_range:
                self._refuse_space_after("mwt-node", misc, line)
                continue
            if text.startswith(form, at):
                self._ends_without_space = has_no_space
                at += len(form)
                at = at if has_no_space else self._skip_spaces(text, at, line, form)
            elif not has_mismatch:
                message = f"the text has '{_short(text[at:])}' here, not '{form}'"
                self._findings.report("text-form-mismatch", line, message, form, FORM)
                has_mismatch = True
        return text[at:]

    def _skip_spaces(self, text: str, start: int, line: int, form: str) -> int:
        """Return where the next word starts, and report a word that is joined to it."""
        at, end = start, len(text)
        while at < end and text[at].isspace():
            at += 1
        if start == at < end:
            message = f"the text joins '{form}' to '{_short(text[at:])}'"
            self._findings.report("missing-spaceafter", line, message, form, FORM)
        return at

    def _refuse_space_after(self, kind: str, misc: str, line: int) -> None:
        if "SpaceAfter=No" in misc:
            message = "this line cannot have SpaceAfter=No"
            self._findings.report(f"spaceafter-{kind}", line, message, misc, MISC)

    def _check_space_after(self, misc: str, line: int) -> bool:
        """Check the spelling of SpaceAfter; return whether there is no space."""
        report = self._findings.report
        if "NoSpaceAfter=Yes" in misc:
            message = "NoSpaceAfter=Yes is not an attribute of UD"
            report("nospaceafter-yes", line, message, "NoSpaceAfter=Yes", MISC)
        items = misc.split("|")
        for item in items:
            if item.startswith("SpaceAfter=") and item != "SpaceAfter=No":
                message = f"'{item}' has another value than No"
                report("spaceafter-value", line, message, item, MISC)
                break
        return "SpaceAfter=No" in items


def _surface(rows: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Leave out empty nodes, and the words of multiword tokens."""
    last_of_range = 0
    for row in rows:
        name = row[0]
        if "-" in name:
            last_of_range = int(name.partition("-")[2])
            yield row
        elif "." not in name and int(name) > last_of_range:
            yield row


_SHORT = 20


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
