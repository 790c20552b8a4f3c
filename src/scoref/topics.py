"""The topics of documents, and the values of `--topics`.

A value is the name of a convention, such as ``ecb+``; a file with one line for each
document; a regular expression for their names; or, in Python, a dict. Files that
already contain the topics of their documents need none of these.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field

from scoref.classes import NamedTuple, dataclass
from scoref.errors import FormatError, OptionError, UnreadableFileError, unknown
from scoref.lazy import pattern

NAMED = {"ecb+": r"(?:^|/)(?P<topic>\d+)_\d+(?P<subtopic>ecb(?:plus)?)(?:\.xml)?$"}
"""Corpora whose document names contain their topics, each with a pattern for them.

The name of a subtopic begins with its topic: 36ecb, 36ecbplus."""

FORMS = (
    f"the name of a convention ({', '.join(NAMED)}), a file with lines "
    "'document<TAB>topic<TAB>subtopic', or a regular expression such as "
    r"'(?P<topic>\d+)_\d+(?P<subtopic>ecb(?:plus)?)'"
)
FIELD = "field"
_SIGNS = frozenset("([\\^$*{|?")
_PART = pattern(r"\(?(?P<name>.*?)\)?;?(?:\s*part\s+\d+)?")
_COLUMNS = (2, 3)


class Topic(NamedTuple):
    """The topic of a document, and its subtopic within that topic."""

    topic: str
    subtopic: str | None = None


@dataclass(frozen=True)
class Topics:
    """Where topics come from: a pattern, or a list of documents.

    ``source`` is its value in the signature, ``given`` what the user typed.
    """

    source: str
    given: str
    pattern: str = ""
    listed: tuple[tuple[str, Topic], ...] = ()
    _found: dict[str, Topic] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        self._found.update(self.listed)

    def __str__(self) -> str:
        return self.source

    def of(self, name: str) -> Topic | None:
        """Return the topic of a document by its name, or None if it has none."""
        if not self.pattern:
            return self._found.get(name) or self._found.get(bare(name))
        found = re.search(self.pattern, bare(name))
        topic = None if found is None else _of_groups(found)
        if topic is None or self.source not in NAMED:
            return topic
        return Topic(topic.topic, f"{topic.topic}{topic.subtopic}")


def topics_of(given: str | Mapping[str, object] | Topics) -> Topics:
    """Return the topics that were given; a file is read."""
    if isinstance(given, Topics):
        return given
    if isinstance(given, Mapping):
        listed = tuple(
            (str(name), _of_value(name, each)) for name, each in given.items()
        )
        return Topics("dict", "the dict of topics", listed=listed)
    if given in NAMED:
        return Topics(given, f"'{given}'", NAMED[given])
    if os.path.isfile(given):
        return Topics("file", given, listed=_read(given))
    if _SIGNS.isdisjoint(given):
        found = unknown("topics", given, NAMED)
        raise OptionError(found.problem, hint=f"--topics takes {FORMS}.")
    return Topics("pattern", f"'{given}'", _checked(given))


def bare(name: str) -> str:
    """Return a document's name without the brackets and part of CoNLL-2012.

    >>> bare("(36_1ecb); part 000"), bare("36_1ecb.xml")
    ('36_1ecb', '36_1ecb.xml')
    """
    found = _PART.fullmatch(name)
    return found["name"] if found and name.startswith("(") else name


def _of_groups(found: re.Match[str]) -> Topic | None:
    named = found.groupdict()
    topic = named.get("topic") or (None if named else found[1])
    subtopic = named.get("subtopic")
    if topic is None:
        return None if subtopic is None else Topic(subtopic, subtopic)
    return Topic(topic, subtopic)


def _of_value(name: object, value: object) -> Topic:
    parts = (value,) if isinstance(value, str | int) else value
    if isinstance(parts, tuple | list) and len(parts) in {1, 2}:
        return Topic(*map(str, parts))
    raise OptionError(
        f"the topic of document '{name}' is {value!r}",
        hint="Expected a topic, or a pair of topic and subtopic.",
    )


def _checked(pattern: str) -> str:
    """Refuse a text that is not a pattern, or has no group for the topic."""
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        place = error.pos or 0
        raise OptionError(
            f"topics: this is not a regular expression: {error.msg}",
            text=pattern,
            span=(place, place + 1),
        ) from error
    if not groups:
        raise OptionError(
            "topics: this pattern has no group for the topic",
            text=pattern,
            span=(0, len(pattern)),
            hint="Put the topic in brackets: (…) or (?P<topic>…).",
        )
    return pattern


def _read(path: str) -> tuple[tuple[str, Topic], ...]:
    """Read a file: document, topic and perhaps subtopic, separated by tabs."""
    found: dict[str, tuple[int, Topic]] = {}
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) not in _COLUMNS or not all(cells):
            columns = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
            raise FormatError(
                f"expected document, topic and an optional subtopic, found {columns}"
                + ("" if all(cells) else ", one of them empty"),
                source=path,
                line=number,
                text=line,
                hint="Separate columns by tabs. There is no header.",
            )
        topic = Topic(*cells[1:])
        before, other = found.setdefault(cells[0], (number, topic))
        if other != topic:
            raise FormatError(
                f"document '{cells[0]}' has another topic in line {before}",
                source=path,
                line=number,
                text=line,
                hint="A document must have one topic.",
            )
    return tuple((name, topic) for name, (_, topic) in found.items())


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read().split("\n")
    except OSError as error:
        raise UnreadableFileError.of(error, path) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error
