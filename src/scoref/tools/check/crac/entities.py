"""The official rules of level 6: brackets, bridges and split antecedents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.check.crac.comments import NEWDOC
from scoref.tools.check.crac.rules import CRASH
from scoref.tools.check.crac.sentences import ID, MISC

if TYPE_CHECKING:
    from scoref.tools.check.crac.sentences import Findings, Sentence

TYPES = frozenset(
    (
        *("person", "place", "organization", "animal", "plant", "object"),
        *("substance", "time", "number", "abstract", "event", "other"),
    )
)

_HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(.+)")
_FIELDS = re.compile(r"[a-z]+(-[a-z]+)*")
_PLACES = {"eid": 0, "etype": 1, "head": 2, "other": 3}

_STARTS = ("Entity=", "Bridge=", "SplitAnte=")

_STATEMENT = re.compile(r"(?:\([^( )]+\)|\([^( )]+(?=\(|$)|[^( )]+\))+")
_BRACKET = re.compile(r"\(?[^( )]+\)?")
_PART = re.compile(r"(.+)\[([1-9]\d*)/([1-9]\d*)\]")
_NUMBER = re.compile(r"[1-9][0-9]*")

_NAME = r"[^(< :>)]+"
_RELATION = rf"{_NAME}<{_NAME}(?::[a-z]+)?"
_BRIDGES = re.compile(rf"{_RELATION}(?:,{_RELATION})*")
_SPLITS = re.compile(rf"{_NAME}<{_NAME}(?:,{_NAME}<{_NAME})*")
_HAS_TARGET = re.compile("<").search  # a name with a comma is cut into items


class _Bracket(NamedTuple):
    """A bracket: its text, the name in it, and the entity and part that it names."""

    text: str
    fields: list[str]
    name: str
    entity: str
    part: int = 1
    parts: int = 1

    @property
    def whole(self) -> tuple[str, int]:
        """What the parts of a discontinuous mention have in common."""
        return self.entity, self.parts


@dataclass(slots=True)
class _Opened:
    """A mention, or a part of one, that is not closed yet."""

    name: str
    line: int
    node: int
    head: int


@dataclass(slots=True)
class _Pieces:
    """The parts of a discontinuous mention so far."""

    fields: list[str]
    line: int
    last_part: int
    nodes: list[int] = field(default_factory=list)


class _SentenceState:
    """What is open in a sentence, and the mentions that ended in it."""

    def __init__(self) -> None:
        self.opened: list[_Opened] = []
        self.pieces: dict[tuple[str, int], list[_Pieces]] = {}
        self.mentions: dict[str, dict[tuple[int, ...], None]] = {}
        self.node = -1
        self.starting: set[str] = set()
        self.ending: dict[tuple[int, tuple[int, ...]], str] = {}


class EntityRules:
    """Checks the entities of sentences, and compares them across sentences."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._header: tuple[int, str] | None = None
        self._place: dict[str, int] = {}
        self._field_count = 0
        self._checked: list[int] = []
        self._attributes: dict[str, tuple[str, str, int]] = {}
        self._ids: dict[str, int] = {}
        self._earlier_ids: dict[str, int] = {}
        self._bridges: dict[str, tuple[str, int]] = {}
        self._splits: dict[str, int] = {}

    def check(self, sentence: Sentence) -> None:
        """Check the header and the entities of a sentence."""
        self.check_comments(sentence)
        self._check_rows(sentence)

    def check_comments(self, sentence: Sentence) -> None:
        """Check the header, and see where documents start."""
        for line, comment in enumerate(sentence.comments, start=sentence.line):
            if match := _HEADER.fullmatch(comment):
                self._check_header(match[1], line)
            elif NEWDOC.fullmatch(comment):
                self._earlier_ids.update(self._ids)
                self._ids = {}

    def _check_rows(self, sentence: Sentence) -> None:
        state = _SentenceState()
        names, cells = sentence.column(ID), sentence.column(MISC)
        for line, (name, misc) in enumerate(
            zip(names, cells, strict=True), start=sentence.first_row
        ):
            is_range = "-" in name
            state.node += not is_range
            if "Entity=" in misc or "Bridge=" in misc or "SplitAnte=" in misc:
                items = [item for item in misc.split("|") if item.startswith(_STARTS)]
                self._check_row(items, line, state, is_range=is_range)
        self._check_end(state, sentence.first_row + len(sentence.rows) - 1)

    def _check_end(self, state: _SentenceState, line: int) -> None:
        for mention in state.opened:
            message = f"this mention of entity '{mention.name}' is not closed in line "
            message += f"{line} or before, where its sentence ends"
            self._report(
                "cross-sentence-mention", mention.line, message, f"({mention.name}"
            )
        for (entity, count), pieces in state.pieces.items():
            for piece in pieces:
                message = f"this mention of entity '{entity}' has {piece.last_part} of "
                message += f"{count} parts at the end of its sentence"
                self._report(
                    "cross-sentence-mention", piece.line, message, f"({entity}"
                )

    def _report(self, name: str, line: int, message: str, blamed: str = "") -> None:
        self._findings.report(name, line, message, blamed, MISC)

    def _check_header(self, header: str, line: int) -> None:
        report = self._findings.report
        if self._header is not None:
            first_line, first = self._header
            if header != first:
                message = f"the header in line {first_line} is '{first}'"
                report("global-entity-mismatch", line, message, header)
            return
        self._header = line, header
        if not _FIELDS.fullmatch(header):
            message = f"'{header}' is not a list of small words with hyphens"
            report("spurious-global-entity", line, message, header)
            return
        fields = header.split("-")
        for name, place in _PLACES.items():
            if name not in fields:
                message = f"the header has no field '{name}'"
                is_needed = name != "other"
            else:
                message = f"'{name}' is not field {place + 1} of the header"
                is_needed = fields[place : place + 1] != [name]
            if is_needed:
                report("spurious-global-entity", line, message, header)
            if name in fields and place >= len(fields):
                message = f"the validator stops because the header is only '{header}'"
                report(CRASH, line, message, header)
                return
        for place, name in enumerate(fields):
            if name in self._place:
                message = f"the header has '{name}' twice"
                report("spurious-global-entity", line, message, name)
            else:
                self._place[name] = place
        self._field_count = len(fields)
        checked = ("etype", "identity", "head")
        self._checked = [self._place.get(name, len(fields)) for name in checked]

    def _check_row(
        self, items: list[str], line: int, state: _SentenceState, *, is_range: bool
    ) -> None:
        """Check the entities, bridges and split antecedents of a word."""
        if len(items) == 1 and items[0].startswith("Entity=(") and not is_range:
            self._check_statement(items[0], line, state)
            return
        entities, bridges, splits = (
            [item for item in items if item.startswith(start)] for start in _STARTS
        )
        if is_range and (entities or bridges or splits):
            message = "a multiword token has entities"
            self._report("entity-mwt", line, message, (entities + bridges + splits)[0])
            return
        for name, same in (
            ("entity", entities),
            ("bridge", bridges),
            ("splitante", splits),
        ):
            if len(same) > 1:
                message = f"this word has {len(same)} items '{same[0].split('=')[0]}='"
                self._report(f"multiple-{name}-statements", line, message, same[1])
                return
        for name, same in (("bridge", bridges), ("splitante", splits)):
            if same and not entities:
                message = f"'{same[0]}' is on a word without 'Entity='"
                self._report(f"{name}-without-entity", line, message, same[0])
                return
        if entities and self._check_statement(entities[0], line, state):
            if bridges:
                self._check_bridges(bridges[0], line, state)
            if splits:
                self._check_splits(splits[0], line, state)

    def _check_statement(self, item: str, line: int, state: _SentenceState) -> bool:
        """Check the entities of a word; return whether to go on."""
        if self._header is None:
            message = "there is no '# global.Entity' before this line"
            self._report("entity-without-global-entity", line, message, item)
            return False
        statement = item.removeprefix("Entity=")
        if not _STATEMENT.fullmatch(statement):
            message = f"'{item}' does not consist of brackets"
            self._report("spurious-entity-statement", line, message, item)
        elif "eid" not in self._place:
            return False
        else:
            self._check_brackets(_BRACKET.findall(statement), line, state)
        return True

    def _check_brackets(
        self, brackets: list[str], line: int, state: _SentenceState
    ) -> None:
        """Check the brackets of a word in their order."""
        state.starting, state.ending = set(), {}
        has_opening = has_closing = has_single = False
        for text in brackets:
            opens, closes = text[0] == "(", text[-1] == ")"
            bracket = self._read_bracket(text, line, opens=opens)
            wrong = ""
            if opens and closes:
                if has_closing and not has_opening:
                    wrong = "follows a closing bracket"
                has_single = True
            elif opens:
                if has_single and (has_opening or not has_closing):
                    wrong = "follows a mention of this word alone"
                    self._report_order(text, wrong, line)
                    # Both of two rules may apply, and the validator reports each.
                    wrong = wrong if has_opening and not has_closing else ""
                has_opening, has_single = True, False
            else:
                if has_opening:
                    wrong = "closes a mention after another was opened"
                has_closing = True
            if wrong:
                self._report_order(text, wrong, line)
            if opens:
                self._open(bracket, line, state)
            if closes:
                self._close(bracket, line, state)

    def _report_order(self, text: str, wrong: str, line: int) -> None:
        self._report("spurious-entity-statement", line, f"'{text}' {wrong}", text)

    def _read_bracket(self, text: str, line: int, *, opens: bool) -> _Bracket:
        """Split a bracket into its fields, and check its id."""
        fields = text.strip("()").split("-")
        most = self._field_count if opens else 1
        if len(fields) > most:
            what = "the header has only" if opens else "a closing bracket has only"
            message = f"'{text}' has {len(fields)} fields, but {what} {most}"
            self._report("too-many-entity-attributes", line, message, text)
        place = self._place["eid"] if opens else 0
        name = fields[place] if place < len(fields) else ""
        match = _PART.fullmatch(name) if "[" in name or "]" in name else None
        if match is None:
            if name.startswith(("[", "]")):
                message = f"the id '{name}' starts with a square bracket"
                self._report("spurious-entity-id", line, message, text)
            return _Bracket(text, fields, name, name)
        part, parts = int(match[2]), int(match[3])
        if part == parts == 1:
            message = f"'{name}' is a part of a mention that has one part only"
            self._report("spurious-entity-id", line, message, name)
        if part > parts:
            message = f"'{name}' is part {part} of {parts}"
            self._report("spurious-entity-id", line, message, name)
        return _Bracket(text, fields, name, match[1], part, parts)

    def _open(self, bracket: _Bracket, line: int, state: _SentenceState) -> None:
        if bracket.parts > 1:
            self._open_part(bracket, line, state)
        entity = bracket.entity
        if entity in self._earlier_ids:
            message = f"'{entity}' is in an earlier document, in line "
            message += str(self._earlier_ids[entity])
            self._report("entity-across-newdoc", line, message, bracket.text)
        else:
            self._ids.setdefault(entity, line)
        head = self._check_fields(bracket, line)
        state.opened.append(_Opened(bracket.name, line, state.node, head))
        if bracket.part == 1:
            state.starting.add(entity)

    def _open_part(self, bracket: _Bracket, line: int, state: _SentenceState) -> None:
        """Check a part of a discontinuous mention against the parts before it."""
        place = self._place["eid"]
        fields = [value for at, value in enumerate(bracket.fields) if at != place]
        pieces = state.pieces.get(bracket.whole)
        if bracket.part == 1:
            state.pieces.setdefault(bracket.whole, []).append(_Pieces(fields, line, 1))
        elif pieces is None:
            message = f"'{bracket.name}' comes before part 1"
            self._report("misplaced-mention-part", line, message, bracket.text)
            state.pieces[bracket.whole] = [_Pieces(fields, line, bracket.part)]
        elif bracket.part != pieces[-1].last_part + 1:
            message = f"'{bracket.name}' follows part {pieces[-1].last_part}"
            self._report("misplaced-mention-part", line, message, bracket.text)
        elif fields != pieces[-1].fields:
            message = f"this part has '{'-'.join(fields)}', but the part in line "
            message += f"{pieces[-1].line} has '{'-'.join(pieces[-1].fields)}'"
            self._report("mention-attribute-mismatch", line, message, bracket.text)

    def _check_fields(self, bracket: _Bracket, line: int) -> int:
        """Check type, identity and head of a mention; return its head, or 0."""
        values = bracket.fields
        count = min(len(values), self._field_count)
        etype, identity, head = [
            values[place] if place < count else None for place in self._checked
        ]
        if etype and etype not in TYPES:
            message = f"'{etype}' is not a type of CorefUD"
            self._report("spurious-entity-type", line, message, bracket.text)
        number = 0
        if head is not None:
            if _NUMBER.fullmatch(head):
                number = int(head)
            else:
                message = f"the head '{head}' is not a number from 1"
                self._report("spurious-mention-head", line, message, bracket.text)
        mine = etype or "", identity or ""
        *first, first_line = self._attributes.setdefault(bracket.entity, (*mine, line))
        if first == [*mine]:
            return number
        for rule, what, value, first_value in zip(
            ("entity-type-mismatch", "entity-identity-mismatch"),
            ("type", "identity"),
            mine,
            first,
            strict=True,
        ):
            if value != first_value:
                message = f"entity '{bracket.entity}' has the {what} '{value}' here, "
                message += f"but '{first_value}' in line {first_line}"
                self._report(rule, line, message, bracket.text)
        return number

    def _close(self, bracket: _Bracket, line: int, state: _SentenceState) -> None:
        opened = state.opened
        at = len(opened) - 1
        while at >= 0 and opened[at].name != bracket.name:
            at -= 1
        if at < len(opened) - 1:
            message = f"'{bracket.name}' is closed before '{opened[-1].name}', which "
            message += f"was opened inside it in line {opened[-1].line}"
            self._report("ill-nested-entities-warning", line, message, bracket.text)
        if at < 0:
            message = (
                f"'{bracket.name}' is closed but was never opened in this sentence"
            )
            self._report("ill-nested-entities", line, message, bracket.text)
            return
        mention = opened.pop(at)
        nodes = list(range(mention.node, state.node + 1))
        if bracket.parts > 1:
            piece = state.pieces[bracket.whole][-1]
            piece.last_part = bracket.part
            piece.nodes += nodes
            nodes = piece.nodes
            if bracket.part == bracket.parts:
                state.pieces[bracket.whole].pop()
                if not state.pieces[bracket.whole]:
                    del state.pieces[bracket.whole]
        if bracket.part == bracket.parts:
            self._check_mention(bracket, mention, tuple(nodes), line, state)

    def _check_mention(
        self,
        bracket: _Bracket,
        mention: _Opened,
        nodes: tuple[int, ...],
        line: int,
        state: _SentenceState,
    ) -> None:
        """Check a mention that is complete."""
        if len(nodes) < mention.head:
            message = f"this mention has {len(nodes)} words, but the head is "
            message += str(mention.head)
            self._report(
                "mention-head-out-of-range", mention.line, message, mention.name
            )
        place = mention.line, nodes
        if place in state.ending:
            message = f"'{state.ending[place]}' has the same words"
            self._report("same-span-entity-mentions", line, message, bracket.text)
        else:
            state.ending[place] = bracket.name
        others = state.mentions.setdefault(bracket.entity, {})
        span = {*nodes} if others else set()
        for other in map(frozenset, others):
            if not (span.isdisjoint(other) or span <= other or other <= span):
                message = f"this mention of entity '{bracket.entity}' crosses another"
                self._report(
                    "crossing-mentions-same-entity", line, message, bracket.text
                )
        others[nodes] = None

    def _check_bridges(self, statement: str, line: int, state: _SentenceState) -> None:
        """Check bridges; the validator reports only those that are malformed."""
        value = statement.removeprefix("Bridge=")
        if not _BRIDGES.fullmatch(value):
            message = f"'{statement}' is not a list of bridges"
            self._report("spurious-bridge-statement", line, message, statement)
            return
        pairs = set()
        for item in filter(_HAS_TARGET, value.split(",")):
            pair, _, relation = item.partition(":")
            source, _, target = pair.partition("<")
            if source == target:
                message = f"'{item}' bridges entity '{source}' to itself"
                self._report("spurious-bridge-relation", line, message, item)
            if target not in state.starting:
                message = f"no mention of entity '{target}' starts here"
                self._report("misplaced-bridge-statement", line, message, item)
            if pair in pairs:
                message = f"'{pair}' is listed twice"
                self._report("repeated-bridge-relation", line, message, item)
            pairs.add(pair)
            first, first_line = self._bridges.setdefault(pair, (relation, line))
            if relation != first:
                message = f"'{pair}' is '{first}' in line {first_line}, but "
                message += f"'{relation}' here"
                self._report("bridge-relation-mismatch", line, message, item)

    def _check_splits(self, statement: str, line: int, state: _SentenceState) -> None:
        value = statement.removeprefix("SplitAnte=")
        if not _SPLITS.fullmatch(value):
            message = f"'{statement}' is not a list of split antecedents"
            self._report("spurious-splitante-statement", line, message, statement)
            return
        items = [*filter(_HAS_TARGET, value.split(","))]
        targets: dict[str, int] = {}
        for at, item in enumerate(items):
            source, _, target = item.partition("<")
            if source == target:
                message = f"'{item}' makes entity '{source}' a part of itself"
                self._report("spurious-splitante-relation", line, message, item)
            elif target not in state.starting:
                message = f"no mention of entity '{target}' starts here"
                self._report("misplaced-splitante-statement", line, message, item)
            if item in items[:at]:
                message = f"'{item}' is listed twice"
                self._report("repeated-splitante-relation", line, message, item)
            targets[target] = targets.get(target, 0) + 1
        for target, count in targets.items():
            if count == 1:
                message = f"entity '{target}' has a single part in '{statement}'"
                self._report("only-one-split-antecedent", line, message, statement)
            if target in self._splits:
                message = f"line {self._splits[target]} also has split antecedents of "
                message += f"entity '{target}'"
                self._report("split-antecedent-mismatch", line, message, statement)
            else:
                self._splits[target] = line
