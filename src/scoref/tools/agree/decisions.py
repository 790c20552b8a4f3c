"""The file with a curator's decisions: small JSON that the page and `convert` read.

    {"format": "scoref-decisions", "version": 1,
     "annotators": [{"name": "ada", "fingerprint": "…"}, …],
     "majority": "…",
     "decisions": [{"document": "d", "mentions": ["2", "4-5"], "decision": "take",
                    "annotator": "ada"}, …],
     "checksum": "…"}

The fingerprints say which annotations were decided on, whatever their files are called.
``majority`` is a digest of the key that decisions start from. The checksum is CRC-32 of
the decisions as lines, so that a damaged file is noticed.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from scoref.errors import FormatError, quoted
from scoref.figures import UNDEFINED
from scoref.formats.input_files import name_of, read_bytes
from scoref.model import Note
from scoref.printable import counted
from scoref.scoring.annotators import AnnotatorMarks
from scoref.tools.agree.adjudication import (
    DISTANCE,
    LEFT_OUT,
    Adjudication,
    KeyState,
    alpha_of,
    digest_of,
    printable_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats.inputs import Path
    from scoref.model import Corpus
    from scoref.model.arrays import Ints, Mask
    from scoref.scoring.annotators import Annotated

FORMAT, VERSION = "scoref-decisions", 1

Kind = Literal["take", "merge", "split", "drop", "keep", "undecidable"]


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a curator decided about mentions of one dispute."""

    document: str
    mentions: tuple[str, ...]
    decision: Kind
    annotator: str | None = None  # whose reading is taken
    other: str | None = msgspec.field(default=None, name="with")  # to merge with

    def __post_init__(self) -> None:
        """Check that the decision has what it needs, and nothing else."""
        if not self.mentions:
            raise ValueError("a decision needs at least one mention")
        if (self.annotator is not None) != (self.decision == "take"):
            raise ValueError("'take' needs an annotator, other decisions have none")
        if (self.other is not None) != (self.decision == "merge"):
            raise ValueError("'merge' needs a mention to merge with, others have none")

    def line(self) -> str:
        """Write it as a line for the checksum."""
        parts = self.document, " ".join(self.mentions), self.decision
        return "\t".join((*parts, self.annotator or "", self.other or ""))


class DecidedInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An annotator whose annotation was decided on."""

    name: str
    fingerprint: str


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    annotators: tuple[DecidedInput, ...]
    majority: str
    decisions: tuple[Decision, ...]
    checksum: str


class DecisionFile(NamedTuple):
    """The decisions of a file, and what they were made about."""

    source: str
    annotators: tuple[DecidedInput, ...]
    majority: str
    decisions: tuple[Decision, ...]


def checksum(decisions: Sequence[Decision]) -> str:
    """Return the checksum of decisions."""
    lines = "\n".join(decision.line() for decision in decisions)
    return f"{zlib.crc32(lines.encode('utf-8', 'replace')):08x}"


_HINT = "Save the decisions again on the page that scoref agree --adjudicate wrote."


def read_decisions(path: Path) -> DecisionFile:
    """Read a file of decisions, and check that it is whole."""
    source = name_of(path)
    data = read_bytes(path)
    try:
        header = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatError(
            f"this is not JSON, or not all of it ({error})", source=source, hint=_HINT
        ) from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FormatError(
            "this is not a file of decisions",
            source=source,
            hint="The page that scoref agree --adjudicate writes saves such files.",
        )
    if header.get("version") != VERSION:
        raise FormatError(
            f"these decisions have version {header.get('version')!r}, but this scoref "
            f"reads version {VERSION}",
            source=source,
            hint="Use the scoref that wrote the page.",
        )
    try:
        content = msgspec.json.decode(data, type=_Content)
    except msgspec.ValidationError as error:
        raise FormatError(
            f"this file of decisions is damaged ({error})", source=source, hint=_HINT
        ) from error
    if checksum(content.decisions) != content.checksum:
        raise FormatError(
            "this file of decisions is damaged: the checksum does not match",
            source=source,
            hint=_HINT,
        )
    return DecisionFile(source, content.annotators, content.majority, content.decisions)


def match_inputs(file: DecisionFile, corpora: Sequence[Corpus]) -> list[int]:
    """Find the corpus of each annotator, in the order of the decisions.

    Raises:
        FormatError: the decisions were made about other annotations.
    """
    left = [digest_of(corpus) for corpus in corpora]
    order = []
    for annotator in file.annotators:
        if annotator.fingerprint not in left:
            raise FormatError(
                "these decisions were made about other annotations. No input has those "
                f"of '{annotator.name}'",
                source=file.source,
                hint=_INPUTS,
            )
        place = left.index(annotator.fingerprint)
        order.append(place)
        left[place] = ""
    more = [corpora[place].source for place, digest in enumerate(left) if digest]
    if more:
        names = ", ".join(annotator.name for annotator in file.annotators)
        raise FormatError(
            f"these decisions are about {names}, but {more[0]} is also given",
            source=file.source,
            hint=_INPUTS,
        )
    return order


_INPUTS = "Give the files that the page was made from, unchanged."


class Progress(NamedTuple):
    """How many disputes there are, and what became of them."""

    disputes: int
    decided: int
    undecidable: int
    open: int


class Adjudicated(NamedTuple):
    """The key that decisions lead to: entities of units, and what was decided."""

    entity: Ints
    is_decided: Mask
    progress: Progress
    alpha: tuple[float | None, float | None]  # before and after

    def notes(self) -> list[Note]:
        """Report how much was decided, and α before and after."""
        progress = self.progress
        counts = {"open": progress.open, "undecidable": progress.undecidable}
        kept = " and ".join(f"{n:,} {name}" for name, n in counts.items() if n)
        verb = "was" if progress.decided == 1 else "were"
        of = counted(progress.disputes, "dispute")
        message = f"{progress.decided:,} of {of} {verb} decided."
        if kept:
            message += f" The majority's reading is kept for the rest: {kept}."
        before, after = (
            UNDEFINED if alpha is None else f"{alpha:.3f}" for alpha in self.alpha
        )
        return [
            Note("decided", progress.decided, message),
            Note(
                "alpha",
                1,
                f"α ({DISTANCE}) of the annotators is {before}, and {after} if they "
                "adopt the decisions.",
            ),
        ]


def adjudicate(adjudication: Adjudication, file: DecisionFile) -> Adjudicated:
    """Apply decisions in their order.

    Raises:
        FormatError: a decision is about something that is not in dispute, or decisions
            start from another majority.
    """
    if file.majority != adjudication.digest:
        raise FormatError(
            "these decisions start from another majority than that of these files",
            source=file.source,
            hint="Give the files that the page was made from, in the same format, or "
            "write the page again.",
        )
    state, lookup = KeyState(adjudication), _Lookup(adjudication, file.source)
    status: dict[int, str] = {}
    for number, decision in enumerate(file.decisions, start=1):
        units = lookup.units(decision, number)
        state.apply(
            decision.decision,
            units,
            lookup.annotator(decision, units, number),
            lookup.other(decision, units, number),
        )
        status |= dict.fromkeys(units, decision.decision)
    is_decided = np.zeros(len(state.entity), dtype=np.bool_)
    for unit, how in status.items():
        is_decided[unit] = how != "undecidable"
    outcomes = Counter(
        _outcome([status.get(unit) for unit in dispute.units])
        for dispute in adjudication.disputes
    )
    entity = np.array(state.entity, dtype=np.int64)
    after = alpha_of(_adopt(adjudication, state.entity, is_decided))
    return Adjudicated(
        entity,
        is_decided,
        Progress(
            len(adjudication.disputes),
            outcomes["decided"],
            outcomes["undecidable"],
            outcomes["open"],
        ),
        (adjudication.alpha(), after),
    )


def _outcome(statuses: Sequence[str | None]) -> str:
    if None in statuses:
        return "open"
    return "undecidable" if "undecidable" in statuses else "decided"


class _Lookup:
    """Finds the mentions and annotators that decisions name."""

    def __init__(self, adjudication: Adjudication, source: str) -> None:
        self._source = source
        annotated = adjudication.annotated
        self._has = annotated.has
        self._people = {name: row for row, name in enumerate(annotated.names)}
        documents = annotated.unit_document.tolist()
        self._names = [printable_name(name) for name in annotated.documents]
        self._unit = {
            (self._names[document], name): unit
            for unit, (document, name) in enumerate(
                zip(documents, adjudication.ids, strict=True)
            )
        }
        self._dispute = {
            unit: number
            for number, dispute in enumerate(adjudication.disputes)
            for unit in dispute.units
        }
        self._document = documents

    def units(self, decision: Decision, number: int) -> list[int]:
        """Return the mentions of a decision, which are in one dispute."""
        units = [self._find(decision, name, number) for name in decision.mentions]
        disputes = {self._dispute.get(unit) for unit in units}
        if len(disputes) != 1 or None in disputes:
            raise self._error(
                f"decision {number} is about mentions "
                f"{quoted(decision.mentions)} of '{decision.document}', which are not "
                "one dispute"
            )
        return units

    def annotator(
        self, decision: Decision, units: Sequence[int], number: int
    ) -> int | None:
        """Return the annotator whose reading is taken."""
        if decision.annotator is None:
            return None
        row = self._people.get(decision.annotator)
        if row is None or not self._has[self._document[units[0]], row]:
            raise self._error(
                f"decision {number} takes the reading of '{decision.annotator}', who "
                f"did not annotate '{decision.document}'"
            )
        return row

    def other(
        self, decision: Decision, units: Sequence[int], number: int
    ) -> int | None:
        """Return the mention whose entity is merged."""
        if decision.other is None:
            return None
        other = self._find(decision, decision.other, number)
        if other in units:
            raise self._error(f"decision {number} merges a mention with itself")
        return other

    def _error(self, problem: str) -> FormatError:
        return FormatError(problem, source=self._source, hint=_HINT)

    def _find(self, decision: Decision, name: str, number: int) -> int:
        unit = self._unit.get((decision.document, name))
        if unit is None:
            raise self._error(
                f"decision {number} is about mention '{name}' of "
                f"'{decision.document}', which no annotator has"
            )
        return unit


def _adopt(
    adjudication: Adjudication, entity: Sequence[int], is_decided: Mask
) -> Annotated:
    """Return the annotators, each with the decided mentions as the key has them.

    The decided mentions of an entity join the annotator's entity that has most of its
    other mentions.
    """
    annotated = adjudication.annotated
    document, decided = annotated.unit_document.tolist(), is_decided.tolist()
    members: dict[int, list[int]] = defaultdict(list)
    for units in adjudication.units_of:
        for unit in units:
            if entity[unit] != LEFT_OUT:
                members[entity[unit]].append(unit)
    rows: list[tuple[int, int, int]] = []  # annotator, unit, entity
    for who, own in enumerate(adjudication.entities):
        rows += [(who, unit, label) for unit, label in own.items() if not decided[unit]]
        for key_entity, units in members.items():
            if not annotated.has[document[units[0]], who]:
                continue
            counts = Counter(
                own[unit] for unit in units if not decided[unit] and unit in own
            )
            # New numbers are negative, so that no annotator's entity has them.
            label = max(counts, key=counts.__getitem__, default=-1 - key_entity)
            rows += [(who, unit, label) for unit in units if decided[unit]]
    rows.sort()
    who_, unit_, label_ = (
        (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
        if rows
        else (np.zeros(0, dtype=np.int64),) * 3
    )
    _, number = np.unique(np.stack((who_, label_)), axis=1, return_inverse=True)
    kept = np.zeros(len(document), dtype=np.bool_)
    kept[unit_] = True
    nothing = np.zeros(len(rows), dtype=np.int64)
    marks = AnnotatorMarks(
        (np.cumsum(kept) - 1)[unit_], who_, number.reshape(-1), nothing, nothing
    )
    return annotated._replace(unit_document=annotated.unit_document[kept], marks=marks)
