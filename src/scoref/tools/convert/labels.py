"""What entities are called, in a format that may not take their names.

Names only say which mentions go together. They stay where they can, and where no two
entities would have the same; otherwise all of a document, or of a file, get new ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from string import digits
from typing import TYPE_CHECKING

from scoref.matching.labels import Labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoref.tools.convert.content import Content

_SEVERAL = 2  # times the labels of a document, if they are not its own
_NUMBER = re.compile(r"[0-9]+")
# SplitAnte= has names with '<', ',' and ':' around them; bare numbers are unusual.
_COREFUD = re.compile(r"(?![0-9]+$)[^-=|()\[\]\s<>,:]+")
_UNIVERSAL_ANAPHORA = re.compile(r"(?!.*-Pseudo$)[^|(),\s]+")
_ANYTHING = re.compile(r".+", re.DOTALL)


def go_on(content: Content) -> bool:
    """Tell whether labels join entities of several documents, as far as one can see.

    Numbers join nothing where each document starts anew, also with the same letters
    before them (e1, e2, …), or with gaps: then there are few for all documents.
    """
    names = content.entity_label
    letters = {name.rstrip(digits) for name in names}
    if len(letters) == 1:
        names = tuple(name.removeprefix(*letters) for name in names)
    labels = Labels("key", content.source, names, content.entity_document)
    are_few = labels.entities <= _SEVERAL * int(labels.size.max())
    are_local = are_few and all(map(_NUMBER.fullmatch, names))
    return not are_local and labels.are_global()


def numbers(content: Content) -> Content:
    """Count the entities of each document from 0, whatever they were called."""
    return _relabelled(content, re.compile(r"(?!)"), str)


def json_lines(content: Content) -> Content:
    """Keep names that join entities of several documents; others are not written."""
    return any_text(content) if go_on(content) else numbers(content)


def known_numbers(content: Content) -> Content:
    """Keep numbers: the reference scorer of CoNLL-2012 reads nothing else.

    Names that go on in another document get the same number everywhere.
    """
    distinct = dict.fromkeys(content.entity_label)
    is_across = len(distinct) < len(content.entity_label)
    if not is_across or all(map(_NUMBER.fullmatch, distinct)):
        return _relabelled(content, _NUMBER, str)
    numbers = {name: str(place) for place, name in enumerate(distinct)}
    names = tuple(numbers[name] for name in content.entity_label)
    return _relabelled(content._replace(entity_label=names), _NUMBER, str)


def universal_anaphora(content: Content) -> Content:
    """Keep names without brackets, bars, commas and blanks."""
    return _relabelled(content, _UNIVERSAL_ANAPHORA, lambda row: f"e{row + 1}")


def any_text(content: Content) -> Content:
    """Keep names that tell the entities of a document apart."""
    return _relabelled(content, _ANYTHING, str)


def corefud(content: Content) -> Content:
    """Keep names that tell the entities of all documents apart.

    New ones have zeros in front, so that their order is that of the entities.
    """
    if _are_fine(content.entity_label, _COREFUD):
        return content
    count = len(content.entity_label)
    width = len(str(count))
    names = tuple(f"e{number:0{width}}" for number in range(1, count + 1))
    return content._replace(entity_label=names)


def changed(before: Content, after: Content) -> int:
    """Count the entities that have another name than before."""
    both = zip(before.entity_label, after.entity_label, strict=True)
    return sum(old != new for old, new in both)


def _relabelled(
    content: Content, kept: re.Pattern[str], name: Callable[[int], str]
) -> Content:
    of_document: dict[int, list[int]] = defaultdict(list)
    for row, document in enumerate(content.entity_document.tolist()):
        of_document[document].append(row)
    labels = list(content.entity_label)
    for rows in of_document.values():
        if not _are_fine([labels[row] for row in rows], kept):
            for number, row in enumerate(rows):
                labels[row] = name(number)
    return content._replace(entity_label=tuple(labels))


def _are_fine(labels: Iterable[str], kept: re.Pattern[str]) -> bool:
    found = list(labels)
    return len(set(found)) == len(found) and all(map(kept.fullmatch, found))
