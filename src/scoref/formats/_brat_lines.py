"""The lines of a brat file, understood one by one.

T1	Mention 0 3;5 8	Ada her              a mention, in pieces if need be
*	Coreference T1 T2 T3                mentions of one entity
R1	Coreference Arg1:T2 Arg2:T1         two of them
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoref.errors import FormatError

COREFERENCE, MENTION = "Coreference", "Mention"
LITBANK = re.compile(r"(?:NOM|PROP|PRON)_(?:PER|FAC|LOC|GPE|ORG|VEH)")
"""The types of LitBank's mentions."""
LABEL = re.compile(r".+-\d+", re.DOTALL)
"""The types of lines by which LitBank names entities."""
_SPANS = re.compile(r"\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*", re.ASCII)
_IDENTITY = re.compile(r"coref.*|ident(?:ity)?|same[-_]?as", re.IGNORECASE)
_ARGUMENTS = re.compile(r"\w+:(\S+) \w+:(\S+)\s*")
_TEXT_BOUND = "expected a line such as 'T1', a tab, 'Mention 0 3', a tab and the text"


class TextBound(NamedTuple):
    """A mention: its name, its type, and characters from start to end."""

    name: str
    type: str
    spans: tuple[tuple[int, int], ...]
    line: int


class Annotations(NamedTuple):
    """What a file says: mentions, which of them go together, and how much else."""

    mentions: list[TextBound]
    groups: list[tuple[str, ...]]
    others: int


class LineReader:
    """Reads the lines of one document's annotations."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source

    def read(self, annotations: str) -> Annotations:
        """Understand every line, or say which one cannot be."""
        mentions: dict[str, TextBound] = {}
        groups: list[tuple[tuple[str, ...], int, str]] = []
        others = 0
        for number, line in enumerate(annotations.split("\n"), start=1):
            text = line.rstrip("\r")
            if text.startswith("T"):
                found = self._text_bound(text, number)
                if found.name in mentions:
                    raise self._error(f"{found.name} comes a second time", number, text)
                mentions[found.name] = found
            elif members := _group(text):
                groups.append((members, number, text))
            else:
                others += bool(text.strip())
        for members, number, text in groups:
            for name in members:
                if name not in mentions:
                    hint = "groups and relations name lines that start with T"
                    raise self._error(f"there is no mention {name}", number, text, hint)
        return Annotations(
            list(mentions.values()), [group for group, *_ in groups], others
        )

    def _text_bound(self, line: str, number: int) -> TextBound:
        cells = line.split("\t", 2)
        kind, _, places = cells[1].partition(" ") if len(cells) > 1 else ("", "", "")
        if not _SPANS.fullmatch(places):
            problem = "this is no text-bound annotation"
            raise self._error(problem, number, line, _TEXT_BOUND)
        pairs = [tuple(map(int, place.split())) for place in places.split(";")]
        spans = tuple((start, end) for start, end in pairs)
        for start, end in spans:
            if not start < end <= len(self._text):
                raise self._error(
                    f"there are no characters {start} to {end} in a text of "
                    f"{len(self._text)}",
                    number,
                    line,
                    "offsets count characters from 0; the end is not part of it",
                )
        self._check_text(spans, cells[2:], number, line)
        return TextBound(cells[0], kind, spans, number)

    def _check_text(
        self,
        spans: tuple[tuple[int, int], ...],
        said: list[str],
        number: int,
        line: str,
    ) -> None:
        """See that offsets lead to the words that the line says."""
        found = " ".join(self._text[start:end] for start, end in spans)
        if not found.strip():
            raise self._error("there is nothing but blanks here", number, line)
        if said and "".join(said[0].split()) != "".join(found.split()):
            raise self._error(
                f"this is '{' '.join(found.split())}' in the text",
                number,
                line,
                "the text must be the one that was annotated; offsets count "
                "characters, not bytes",
            )

    def _error(
        self, problem: str, number: int, line: str, hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, source=self._source, line=number, text=line, hint=hint
        )


def _group(line: str) -> tuple[str, ...]:
    r"""List what a line puts together; nothing if it is about something else.

    >>> _group("*\tCoreference T1 T2"), _group("R1\tCoref Arg1:T2 Arg2:T1")
    (('T1', 'T2'), ('T2', 'T1'))
    """
    mark, _, rest = line.partition("\t")
    kind, _, members = rest.partition(" ")
    if not _IDENTITY.fullmatch(kind):
        return ()
    if mark == "*":
        return tuple(members.split())
    found = _ARGUMENTS.fullmatch(members) if mark.startswith("R") else None
    return (found[1], found[2]) if found else ()
