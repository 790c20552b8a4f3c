"""Comparison of document names, and the values of `--document-names`.

Formats, tools and file systems write the same name in different ways: with a file
ending, inside a folder, or with the number of a part. scoref removes these and pairs
documents by the rest, provided that only one document on each side has that name.
Where this is not enough, a file can list which names belong together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.errors import FormatError, OptionError, UnreadableFileError
from scoref.lazy import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDING = pattern(
    r"\.(?:txt|json|jsonl|jsonlines|xml|xmi|tsv|csv|conll|conllu|conllua|ann|entities|"
    r"tokens|v4_(?:gold|auto)_conll|gold_conll|gz|xz)$",
    re.IGNORECASE,
)
_PART = pattern(r"(?P<name>.+?)(?:-(?P<three>\d{3})|[-_. ]part[-_. ]?(?P<any>\d+))")
_COLUMNS = 2


_SAFE = pattern(r"[\w\-~.]")


def file_name(document: str) -> str:
    """Return a name for a document's files that is valid on every system.

    >>> file_name("bc/cctv_0"), file_name("../a b"), file_name("")
    ('bc/cctv_0', '%2E%2E/a%20b', '%')
    """
    from urllib.parse import quote  # slow to load

    parts = []
    for part in document.split("/"):
        safe = "".join(
            sign if _SAFE.match(sign) else quote(sign, safe="") for sign in part
        )
        parts.append((safe.replace(".", "%2E") if set(safe) <= {"."} else safe) or "%")
    return "/".join(parts)


def name_of_file(file: str) -> str:
    """Return the name of a document from the name of its file without the ending.

    >>> name_of_file("bc/cctv_0"), name_of_file("%2E%2E/a%20b"), name_of_file("%")
    ('bc/cctv_0', '../a b', '')
    """
    from urllib.parse import unquote

    parts = ["" if part == "%" else part for part in file.split("/")]
    return "/".join(map(unquote, parts))


def without_endings(name: str) -> str:
    """Remove the endings of file names.

    >>> without_endings("books/emma.txt.json")
    'books/emma'
    """
    while (shorter := _ENDING.sub("", name)) not in {name, ""}:
        name = shorter
    return name


def with_part(name: str) -> str:
    """Write the number of a part as the neural systems do.

    >>> with_part("emma-000"), with_part("emma_part_12"), with_part("emma")
    ('emma_0', 'emma_12', 'emma')
    """
    found = _PART.fullmatch(without_endings(name))
    if found is None:
        return without_endings(name)
    return f"{found['name']}_{int(found['three'] or found['any'])}"


def without_folders(name: str) -> str:
    """Leave out where a file is.

    >>> without_folders("nw/wsj/00/wsj_0001.txt")
    'wsj_0001'
    """
    parts = re.split(r"[/\\]", with_part(name).rstrip("/\\"))
    return parts[-1] or name


READINGS = (str, without_endings, with_part, without_folders)
"""What is taken of names, one after the other, until documents are paired."""


class Mapped(NamedTuple):
    """Names of the response, each with the key's; what the signature says of them."""

    source: str
    given: str
    listed: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return self.source


def mapped(given: str | Mapping[str, object] | Mapped) -> Mapped:
    """Understand what was given, and read it if it is a file."""
    if isinstance(given, Mapped):
        return given
    if isinstance(given, Mapping):
        listed = tuple((str(name), str(other)) for name, other in given.items())
        return Mapped("dict", "the dict of documents", listed)
    if not os.path.isfile(given):
        raise OptionError(
            f"document_names: '{given}' is not a file",
            hint="--document-names takes a file with lines 'response<TAB>key'.",
        )
    return Mapped("file", given, _read(given))


def _read(path: str) -> tuple[tuple[str, str], ...]:
    """Read a file of two columns: names in the response, and in the key."""
    found: dict[str, str] = {}
    owners: dict[str, str] = {}
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t" if "\t" in line else ",")]
        problem = ""
        if len(cells) != _COLUMNS or not all(cells):
            problem = f"expected two names, found {len(cells)} columns"
        elif cells[0] in found:
            problem = f"document '{cells[0]}' of the response appears twice"
        elif cells[1] in owners:
            problem = f"document '{cells[1]}' of the key appears twice"
        if problem:
            raise FormatError(
                problem,
                source=path,
                line=number,
                text=line,
                hint="Each line is the name in the response, a tab or a comma, and the "
                "name in the key. There is no header.",
            )
        found[cells[0]], owners[cells[1]] = cells[1], cells[0]
    return tuple(found.items())


def _lines(path: str) -> Iterable[str]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read().split("\n")
    except OSError as error:
        raise UnreadableFileError.of(error, path) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error
