"""Errors in which another annotator of the document agrees with the response.

An annotator who has the document agrees with the response

- in a span error, or on an extra mention or entity, if they also have such a mention;
- on a missing mention or entity, if they also lack such a mention;
- on conflated entities and a wrong link, if they also put one of the mentions together
  with another mention of the response's entity;
- on a divided entity, if they also keep the part separate from the rest of the entity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import catalogue, reading
from scoref.formats.catalogue import ReadOptions
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scoring.annotators import unite
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    SPAN,
    WRONG_LINK,
)
from scoref.tools.errors.mentions import names_heads, with_tree_heads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.formats.inputs import Path
    from scoref.model import Corpus, Ints, WordSets
    from scoref.scheme import Layer
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.request import Request
    from scoref.tools.errors.findings import AnalysedSide, Analysis


_PARTIES = ("key", "response")


def read_annotators(
    annotators: Mapping[str, Path], wanted: Request, key: Corpus
) -> dict[str, Corpus]:
    """Read the keys of other annotators, by their names."""
    scheme = wanted.scheme_for(key.format)
    # The heads of the key may come from its trees.
    has_trees = key.format == catalogue.COREFUD and scheme.layer == "identity"
    layer: Layer = "parses" if has_trees else scheme.layer
    options = ReadOptions.of(scheme, "key", layer)._replace(with_tokens=True)
    others = {}
    for name, path in annotators.items():
        opened = reading.open_file(
            path, wanted.format, key_format=key.format, folder="documents"
        )
        source = str(path) if name == str(path) else f"{name}={path}"
        others[name] = reading.read_opened(opened._replace(source=source), options)
    return others


def add_support(analysis: Analysis, others: Mapping[str, Corpus]) -> Analysis:
    """Add to each error the other annotators who agree with the response."""
    headed = {name: with_tree_heads(other) for name, other in others.items()}
    people = [*zip(_PARTIES, analysis._corpora, strict=True), *headed.items()]
    scheme = analysis.result.scheme
    if scheme.match == "head" and len({names_heads(side) for _, side in people}) > 1:
        scheme = replace(scheme, match="exact")
    annotated = unite(people, scheme, ("mentions",), first=len(_PARTIES))
    annotations = _Annotations(analysis, annotated)
    supporters = tuple(
        tuple(
            name
            for number, name in enumerate(others, start=len(_PARTIES))
            if annotations.agree_with_response(number, error)
        )
        for error in range(len(analysis.errors.kind))
    )
    supported = replace(analysis, _supporters=supporters)
    notes = [*analysis.notes, *_warn_about(analysis, others, annotated)]
    if errors := len(supporters):
        count = int(supported.supported.sum())
        message = (
            f"In {count:,} of {counted(errors, 'error')} "
            f"({100 * count / errors:.1f} %), at least one other annotator "
            f"({', '.join(others)}) agrees with the response."
        )
        notes.append(Note("supported-errors", count, message))
    return replace(supported, notes=tuple(notes))


def _warn_about(
    analysis: Analysis, others: Mapping[str, Corpus], annotated: Annotated
) -> list[Note]:
    """Warn about annotators who cannot say much about the errors."""
    has_key, notes = annotated.has[:, 0], []
    for number, (name, other) in enumerate(others.items(), start=len(_PARTIES)):
        common = int((has_key & annotated.has[:, number]).sum())
        if common < has_key.sum():
            message = (
                f"{WARNING}{name} has {common} of the key's {has_key.sum()} documents. "
                "This annotator never agrees with errors in the others, so fewer "
                "errors are agreed."
            )
            notes.append(Note("missing-annotations", common, message))
        for party, corpus in zip(_PARTIES, analysis._corpora, strict=True):
            if other.source.removeprefix(f"{name}=") == corpus.source:
                message = (
                    f"{WARNING}{corpus.source} was given both as the {party} and as "
                    "another key. Expected the file of another annotator."
                )
                notes.append(Note("same-annotator", 1, message))
    return notes


class _Annotations:
    """The mentions of the key, the response and other annotators.

    The three number the mentions of the texts alike: such a number is a unit. An
    annotator's number is their place in `Annotated`: 0 is the key, 1 the response.
    """

    def __init__(self, analysis: Analysis, annotated: Annotated) -> None:
        self._analysis, self._annotated = analysis, annotated
        self._units: list[Ints] = []  # of the mentions of key and response, by row
        self._entities: list[Ints] = []  # of each annotator, by unit; -1: no mention
        for number in range(len(annotated.names)):
            marks = annotated.marks.of(number)
            if number < len(_PARTIES):
                rows = len(analysis._corpora[number].mention_entity)
                unit = np.full(rows, -1, dtype=np.int64)
                unit[marks.row] = marks.unit
                self._units.append(unit)
            entity = np.full(len(annotated.unit_document) + 1, -1, dtype=np.int64)
            entity[marks.unit] = marks.entity
            self._entities.append(entity)

    def agree_with_response(self, number: int, error: int) -> bool:
        """Return whether an annotator agrees with the response in an error."""
        errors, kind = self._analysis.errors, int(self._analysis.errors.kind[error])
        ours = self._mentions(0, self._analysis.key, errors.key_mentions, error)
        theirs = self._mentions(
            1, self._analysis.response, errors.response_mentions, error
        )
        if not self._has_document(number, theirs if len(theirs) else ours):
            return False
        entity = self._entities[number]
        if kind in {SPAN, EXTRA_MENTION, EXTRA_ENTITY}:
            return bool((entity[theirs] >= 0).any())
        if kind in {CONFLATED, WRONG_LINK}:
            whole = self._members(1, int(errors.response_entity[error]))
            return self._are_linked(entity, theirs, whole)
        if kind == DIVIDED:
            whole = self._members(0, int(errors.key_entity[error]))
            return not self._are_linked(entity, ours, whole)
        return bool((entity[ours] < 0).any())

    def _mentions(
        self, party: int, side: AnalysedSide, sets: WordSets, error: int
    ) -> Ints:
        """Return the mentions of an error on the side of the key or the response."""
        places = sets.member[sets.start[error] : sets.start[error + 1]]
        return self._units[party][side.row[places]]

    def _has_document(self, number: int, units: Ints) -> bool:
        """Return whether an annotator has the document of these mentions."""
        known = units[units >= 0]
        if not len(known):
            return False
        document = self._annotated.unit_document[known[0]]
        return bool(self._annotated.has[document, number])

    def _members(self, party: int, entity: int) -> Ints:
        """Return the mentions of an entity of the key or of the response."""
        corpus = self._analysis._corpora[party]
        units: Ints = self._units[party][corpus.mention_entity == entity]
        return units

    @staticmethod
    def _are_linked(entity: Ints, part: Ints, whole: Ints) -> bool:
        """Return whether an annotator links a part of an entity with the rest."""
        rest = np.setdiff1d(whole, part)
        mine, others = entity[part], entity[rest]
        return bool(np.isin(mine[mine >= 0], others).any())
