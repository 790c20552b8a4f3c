"""Links between mentions, and how many annotators made each.

A link is an unordered pair of mentions of one entity, in one document. Mentions that
all annotators treat alike make an *atom*, so that large entities on which people agree
are one thing, and links are counted between atoms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated, AnnotatorMarks

    Mask = NDArray[np.bool_]

_MOST = 1 << 26
_AT_ONCE = 1 << 22


class Atoms(NamedTuple):
    """Which atom each unit is in, and how many units each has, in which document."""

    of_unit: Ints
    size: Ints
    document: Ints


class Links(NamedTuple):
    """Kinds of links: between which atoms, how many of them, and who made them.

    ``first`` is ``second`` where a link is inside an atom. ``votes`` counts people,
    ``is_made`` is about the response.
    """

    first: Ints
    second: Ints
    document: Ints
    times: Ints
    votes: Ints
    is_made: Mask


def atoms_of(annotated: Annotated) -> Atoms:
    """Put mentions together that each annotator has in one entity, or nobody links."""
    count = len(annotated.unit_document)
    atom = annotated.unit_document.copy()
    next_atom = len(annotated.documents)
    for number in range(len(annotated.names)):
        marks = annotated.marks.of(number)
        # Who does not mark a mention tells it from those that he marks.
        code = atom[marks.unit] * (int(marks.entity.max(initial=0)) + 1) + marks.entity
        distinct, new = np.unique(code, return_inverse=True)
        atom[marks.unit] = next_atom + new
        next_atom += len(distinct)
    _, first, of_unit = np.unique(atom, return_index=True, return_inverse=True)
    size = np.bincount(of_unit, minlength=len(first)) if count else first
    return Atoms(of_unit, size, annotated.unit_document[first])


def links_of(annotated: Annotated, atoms: Atoms, response: int | None) -> Links:
    """Count the links of every two atoms that anybody puts into one entity."""
    parts = list(_parts(annotated.marks, atoms, response))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return Links(*(nothing,) * 5, nothing.astype(np.bool_))
    return Links(*map(np.concatenate, zip(*parts, strict=True)))


def _parts(
    marks: AnnotatorMarks, atoms: Atoms, response: int | None
) -> Iterator[Links]:
    """Do so for as many documents at once as memory allows."""
    owner, atom = _members(marks, atoms)
    by_document = np.argsort(atoms.document[atom], kind="stable")
    # Entities stay whole: a document holds all of them.
    owner, atom = owner[by_document], atom[by_document]
    order = np.lexsort((owner, atoms.document[atom]))
    owner, atom = owner[order], atom[order]
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    length = np.diff(np.append(starts, len(owner)))
    pairs = length * (length + 1) // 2
    if int(pairs.sum()) > _MOST:
        raise TooLargeError(
            f"annotators differ about {int(pairs.sum()):,} pairs of mentions, which is "
            "too much to count"
        )
    who = marks.annotator[np.unique(marks.entity, return_index=True)[1]]
    entities = np.unique(marks.entity)
    document = atoms.document[atom[starts]] if len(starts) else starts
    portion = np.cumsum(pairs) // _AT_ONCE
    # A document is counted at once, lest a link be two.
    portion = _first_of(document, portion)
    for each in np.unique(portion).tolist():
        rows = np.flatnonzero(portion == each)
        one, other, source = _combined(starts[rows], length[rows], atom)
        maker = who[np.searchsorted(entities, owner[starts[rows]])][source]
        yield _voted(one, other, maker, atoms, response)


def _first_of(document: Ints, portion: Ints) -> Ints:
    """Give all entities of a document the portion of its first one."""
    is_new = np.diff(document, prepend=-1) != 0
    return (
        portion[np.flatnonzero(is_new)][np.cumsum(is_new) - 1]
        if len(portion)
        else portion
    )


def _members(marks: AnnotatorMarks, atoms: Atoms) -> tuple[Ints, Ints]:
    """List the atoms of each entity."""
    width = np.int64(len(atoms.size))
    code = np.unique(marks.entity * width + atoms.of_unit[marks.unit])
    return code // width, code % width


def _combined(starts: Ints, length: Ints, atom: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair the atoms of each entity, each with itself as well."""
    # The k-th atom of an entity is paired with itself and those behind it.
    rank = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    behind = np.repeat(length, length) - rank
    first = np.repeat(starts, length) + rank
    one = np.repeat(first, behind)
    offset = np.arange(behind.sum()) - np.repeat(np.cumsum(behind) - behind, behind)
    source = np.repeat(np.repeat(np.arange(len(length)), length), behind)
    return atom[one], atom[one + offset], source


def _voted(
    one: Ints, other: Ints, maker: Ints, atoms: Atoms, response: int | None
) -> Links:
    width = np.int64(len(atoms.size))
    low, high = np.minimum(one, other), np.maximum(one, other)
    code, number = np.unique(low * width + high, return_inverse=True)
    is_response = maker == (-1 if response is None else response)
    votes = np.bincount(number, ~is_response, len(code)).astype(np.int64)
    made = np.bincount(number, is_response, len(code)) > 0
    first, second = code // width, code % width
    size = atoms.size
    times = np.where(
        first == second,
        size[first] * (size[first] - np.int64(1)) // 2,
        np.multiply(size[first], size[second], dtype=np.int64),
    )
    kept = times > 0
    return Links(
        first[kept],
        second[kept],
        atoms.document[first[kept]],
        times[kept],
        votes[kept],
        made[kept],
    )
