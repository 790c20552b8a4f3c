"""The column BRIDGING: which markable is understood by way of which other one.

    (MarkableID=m7|Rel=part|MentionAnchor=m2|EntityAnchor=e1)

Closing brackets may lack, or stand alone in the cell of the markable's last word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._ua_brackets import fields_of
from scoref.rules import UNREADABLE_CELL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.formats._faults import Faults
    from scoref.formats._ua_brackets import Place

_CELL = re.compile(r"\)*(?:\([^()\s]*\)*)*")
_GROUP = re.compile(r"\(([^()]*)")


class Bridge(NamedTuple):
    """An anaphor, what it is understood by, and how; by rows of mentions."""

    anaphor: int
    antecedent: int
    relation: str


class Bridging:
    """The bridges of one file."""

    def __init__(self, source: str, faults: Faults) -> None:
        self._source = source
        self._faults = faults
        self.bridges: list[Bridge] = []
        self.lost: list[int] = []  # lines of bridges to or from no markable

    def add(self, cells: Iterable[Place], row: Mapping[str, int]) -> None:
        """Read the cells of a document, given the rows of its markables."""
        found: dict[int, Bridge] = {}
        for text, line, *_ in cells:
            for fields in self._groups(text.strip(), line):
                anaphor = row.get(fields.get("MarkableID", ""))
                antecedent = row.get(fields.get("MentionAnchor", ""))
                if anaphor is None or antecedent is None:
                    self.lost.append(line)
                else:
                    # The last anchor of an anaphor counts, as in the official scorer.
                    relation = fields.get("Rel", "")
                    found[anaphor] = Bridge(anaphor, antecedent, relation)
        self.bridges += found.values()

    def _groups(self, text: str, line: int) -> list[dict[str, str]]:
        if text in {"", "_"}:
            return []
        if not _CELL.fullmatch(text):
            error = FormatError(
                f"'{text}' in the column BRIDGING is not made of brackets",
                rule=UNREADABLE_CELL,
                source=self._source,
                line=line,
                text=text,
                hint="expected '(MarkableID=m7|Rel=part|MentionAnchor=m2)'",
            )
            self._faults.found("unreadable-bridges", error)
            return []
        return list(map(fields_of, _GROUP.findall(text)))
