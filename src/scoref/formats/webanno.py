r"""WebAnno TSV 3, as INCEpTION and WebAnno export it and GUM is published.

Coreference is in a layer of chains, or in a layer of spans and one of relations:

    #T_CH=…CoreferenceLink|referenceType|referenceRelation
    1-1⇥0-3⇥Mia⇥CM[1]⇥coref->1-1⇥                        link 1 of chain 1

    #T_SP=webanno.custom.Referent|entity
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent
    1-1⇥0-3⇥Mia⇥person[1]⇥coref⇥2-1[4_1]⇥              from span 4, at 2-1, to span 1

Mentions are all links of chains, or all spans; entities are chains, or what relations
join. Relations whose type begins with ``bridge`` join nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._groups import Groups
from scoref.formats._webanno_rows import bad_header, plain, read_rows
from scoref.formats.format import WEBANNO
from scoref.formats.token_sets import tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import UNKNOWN_ENTITY, UNREADABLE_CELL

if TYPE_CHECKING:
    from scoref.formats._webanno_rows import Layer, WebAnnoFile, WebAnnoRow
    from scoref.formats.format import Asked
    from scoref.model import Corpus

_CHAINS = "CoreferenceLink"
_RELATION = "referenceRelation"
_SYNTAX = "Dependency"
_BRIDGE = "bridge"
_KNOWN = frozenset(("coref", "ana", "cata", "appos", "pred", "disc"))
_LINK = re.compile(r"(.*)->(\d{1,15})-(\d{1,15})", re.ASCII | re.DOTALL)
_SOURCE = re.compile(r"(\d+-\d+(?:\.\d+)*)(?:\[(\d+)_(\d+)\])?", re.ASCII)
_FIRST = 3  # column of a feature


class _Mention(NamedTuple):
    start: int
    end: int
    line: int


class _Found(NamedTuple):
    """Mentions by entity, and what was noted."""

    entities: dict[str, list[_Mention]]
    notes: list[Note]


def read(data: bytes, asked: Asked) -> Corpus:
    """Read one document."""
    rows = read_rows(data, asked.source)
    layer = _layer(rows.layers, asked.source)
    found = (_chains if layer.kind == "CH" else _relations)(rows, layer, asked)
    builder = CorpusBuilder(asked.source, WEBANNO, has_labels=False)
    name = DocumentName.plain(asked.document)
    document = builder.add_document(name, line=1, tokens=len(rows.words))
    for label, mentions in found.entities.items():
        entity = builder.add_entity(label, document)
        for mention in mentions:
            builder.mentions += [entity, *mention]
    return builder.build(found.notes, tokens=tokens_of(rows.words, rows.sentence))


def _layer(layers: list[Layer], source: str) -> Layer:
    """Choose the layer that coreference is in."""
    chains = [each for each in layers if each.kind == "CH"]
    usual = [each for each in chains if each.type.endswith(_CHAINS)]
    relations = [
        each for each in layers if each.kind == "RL" and not each.type.endswith(_SYNTAX)
    ]
    for candidates in (usual, [*chains, *relations]):
        if len(candidates) == 1:
            return candidates[0]
    names = ", ".join(f"{each.type} ({each.kind})" for each in layers) or "none"
    raise bad_header(
        "this file does not say in which layer coreference is",
        source,
        f"looked for a layer of chains (CH) such as {_CHAINS}, or for one of "
        f"relations (RL); its layers are: {names}; export no other one",
    )


def _chains(rows: WebAnnoFile, layer: Layer, asked: Asked) -> _Found:
    source = asked.source
    if _RELATION not in layer.features:
        raise bad_header(
            f"the layer {layer.type} has no feature {_RELATION}",
            source,
            f"its features are {', '.join(layer.features) or 'none'}",
        )
    column = _FIRST + layer.column + layer.features.index(_RELATION)
    chains: dict[str, dict[str, _Mention]] = {}
    for row in rows.rows:
        for value in row.values(column):
            link = _LINK.fullmatch(value.text)
            if link is None:
                raise _unreadable(row, column, source, "a link such as 'coref->1-2'")
            mentions = chains.setdefault(link[2], {})
            first = mentions.get(link[3], _Mention(row.first, row.last, row.line))
            mentions[link[3]] = first._replace(end=max(first.end, row.last))
    entities = {label: [*mentions.values()] for label, mentions in chains.items()}
    return _Found(entities, [])


def _relations(rows: WebAnnoFile, layer: Layer, asked: Asked) -> _Found:
    source = asked.source
    bases = [each for each in rows.layers if each.type == layer.base]
    if not bases or bases[0].kind != "SP":
        raise bad_header(
            f"relations of {layer.type} are between '{layer.base}', which is no layer",
            source,
            "expected #T_SP with the same name before it",
        )
    spans = _spans(rows, _FIRST + bases[0].column)
    groups = Groups(spans)
    types: Counter[str] = Counter()
    for row in rows.rows:
        for kind, one, other in _pairs(row, layer, source):
            types[kind] += 1
            if not _joins(kind, asked.relations):
                continue
            for span in (one, other):
                if span not in spans:
                    raise _spanless(row, span, source)
            groups.join(one, other)
    entities = {
        str(number): [spans[name] for name in names]
        for number, names in enumerate(groups.lists())
    }
    return _Found(entities, _told(types, asked))


def _spans(rows: WebAnnoFile, column: int) -> dict[str, _Mention]:
    """Find spans by their numbers; without one, a span is one word."""
    found: dict[str, _Mention] = {}
    for row in rows.rows:
        for value in row.values(column):
            if value.text == "_":
                continue
            name = value.number or row.id
            first = found.get(name, _Mention(row.first, row.last, row.line))
            found[name] = first._replace(end=max(first.end, row.last))
    return found


def _pairs(row: WebAnnoRow, layer: Layer, source: str) -> list[tuple[str, str, str]]:
    """List the relations at a row: their types, and the spans that they join."""
    column = _FIRST + layer.column
    last = column + max(1, len(layer.features)) - 1
    sources = row.values(last)
    kinds = [value.text for value in row.values(column)] if column < last else []
    found = []
    for number, value in enumerate(sources):
        whole = f"{value.text}[{value.number}]" if value.number else value.text
        place = _SOURCE.fullmatch(whole)
        if place is None:
            raise _unreadable(row, last, source, "the place of a span: '2-1[4_1]'")
        kind = plain(kinds[number]) if number < len(kinds) else ""
        theirs, mine = (each or "0" for each in place.groups()[1:])
        one = place[1] if theirs == "0" else theirs
        found.append((kind, one, row.id if mine == "0" else mine))
    return found


def _joins(kind: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether a relation joins mentions: those asked for, or all but bridges."""
    return kind in wanted if wanted else not kind.startswith(_BRIDGE)


def _told(types: Counter[str], asked: Asked) -> list[Note]:
    """Tell which relations joined mentions, unless these are usual, and which not."""
    notes = []
    joining = {kind: n for kind, n in types.items() if _joins(kind, asked.relations)}
    others = sum(types.values()) - sum(joining.values())
    if others:
        what = "other relations" if asked.relations else "relations of bridging"
        message = f"{asked.source}: {others} {what} join nothing"
        notes.append(Note("bridging-relations", others, message))
    if not _KNOWN.issuperset(joining):
        counted = [f"{kind or 'without a type'} {n}" for kind, n in joining.items()]
        message = f"{asked.source}: relations that join mentions: {', '.join(counted)}"
        message += "; --relations chooses"
        notes.append(Note("relation-types", sum(joining.values()), message))
    return notes


def _unreadable(
    row: WebAnnoRow, column: int, source: str, expected: str
) -> FormatError:
    cell = row.cells[column]
    return FormatError(
        f"'{cell}' cannot be read",
        rule=UNREADABLE_CELL,
        source=source,
        line=row.line,
        text="\t".join(row.cells),
        hint=f"expected {expected}, in column {column + 1}",
    )


def _spanless(row: WebAnnoRow, span: str, source: str) -> FormatError:
    return FormatError(
        f"there is no span {span}",
        rule=UNKNOWN_ENTITY,
        source=source,
        line=row.line,
        text="\t".join(row.cells),
        hint="relations name the numbers of spans, or their words",
    )
