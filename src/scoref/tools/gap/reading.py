"""GAP's two tables: examples with their truth, and the answers of a system."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import AlignmentError, FormatError
from scoref.formats import name_of, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    Path = str | PathLike[str]

Gender = Literal["masculine", "feminine"]
GENDERS: dict[str, Gender] = {
    "he": "masculine",
    "his": "masculine",
    "him": "masculine",
    "she": "feminine",
    "her": "feminine",
    "hers": "feminine",
}
_LABELS = {"true": True, "false": False}
_COLUMNS = ("ID", "Pronoun", "A-coref", "B-coref")
_ANSWER = 3
_HINT = (
    "answers are lines of ID, A-coref and B-coref, between tabs and without a header; "
    "--scheme gap-2018 counts as the official scorer does, whatever is in them"
)


class Example(NamedTuple):
    """A pronoun: its gender, and whether it means each of two names."""

    gender: Gender
    truth: tuple[bool, bool]


class GapAnswers(NamedTuple):
    """What a system said of examples, None where that is no answer.

    The other fields count what the official scorer passes over.
    """

    of: dict[str, tuple[bool | None, bool | None]]
    repeated: int = 0
    unknown: int = 0
    odd: int = 0


def read_examples(path: Path) -> dict[str, Example]:
    """Read the gold file, which has a header."""
    source, rows = name_of(path), _rows(path)
    _, header = next(rows, (1, []))
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        raise FormatError(
            f"there is no column '{missing[0]}'",
            source=source,
            line=1,
            text="\t".join(header),
            hint="expected GAP's own file, with a header that starts with ID and Text",
        )
    places = [header.index(name) for name in _COLUMNS]
    found: dict[str, Example] = {}
    for line, row in rows:
        cells = [row[place] if place < len(row) else "" for place in places]
        example = _example(cells, source, line)
        if cells[0] in found:
            problem = f"example '{cells[0]}' comes a second time"
            raise FormatError(problem, source=source, line=line)
        found[cells[0]] = example
    if not found:
        raise FormatError("there is no example in this file", source=source)
    return found


def read_answers(
    path: Path, examples: dict[str, Example], *, is_official: bool
) -> GapAnswers:
    """Read a system's file; what is strange is refused, or counted as officially."""
    source = name_of(path)
    found: dict[str, tuple[bool | None, bool | None]] = {}
    repeated = unknown = odd = 0
    for line, row in _rows(path):
        if len(row) < _ANSWER:
            problem = f"expected 3 columns, found {len(row)}"
            raise _refusal(problem, source, line, row)
        name, *labels = row[:_ANSWER]
        if name in found:
            repeated += 1
            problem = f"example '{name}' has a second answer"
        elif name not in examples:
            unknown += 1
            problem = f"there is no example '{name}' in the key"
            found[name] = None, None
        else:
            a, b = (_LABELS.get(label.lower()) for label in labels)
            found[name] = a, b
            if a is not None and b is not None:
                continue
            odd += 1
            strange = labels[0] if a is None else labels[1]
            problem = f"'{strange}' is neither TRUE nor FALSE"
        if not is_official:
            raise _refusal(problem, source, line, row)
    return GapAnswers(found, repeated, unknown, odd)


def refuse_missing(
    examples: dict[str, Example], answers: GapAnswers, path: Path
) -> None:
    """Refuse a system that leaves examples out."""
    missing = [name for name in examples if name not in answers.of]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise AlignmentError(
            f"example '{missing[0]}'{more} has no answer here",
            source=name_of(path),
            hint="every example needs one; --scheme gap-2018 takes two false negatives "
            "for a missing one, whatever is true, as the official scorer does",
        )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Read a table as the official scorer does, quotes included."""
    source = name_of(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
        for row in reader:
            if row:
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        problem = f"this is no table in UTF-8: {error}"
        raise FormatError(problem, source=source) from error


def _example(cells: list[str], source: str, line: int) -> Example:
    _, pronoun, *labels = cells
    gender = GENDERS.get(pronoun.lower())
    if gender is None:
        raise FormatError(
            f"'{pronoun}' is no pronoun of GAP (known: {', '.join(GENDERS)})",
            source=source,
            line=line,
        )
    a, b = (_LABELS.get(label.lower()) for label in labels)
    if a is None or b is None:
        strange = labels[0] if a is None else labels[1]
        problem = f"'{strange}' is neither TRUE nor FALSE"
        raise FormatError(problem, source=source, line=line)
    return Example(gender, (a, b))


def _refusal(problem: str, source: str, line: int, row: list[str]) -> FormatError:
    return FormatError(
        problem, source=source, line=line, text="\t".join(row), hint=_HINT
    )
