"""The formats of plugins: which records are accepted, and how they are called.

The corpus that a plugin's reader returns is checked. What the reader raises becomes a
`PluginError` that names the package, except for errors of scoref such as `FormatError`.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from scoref.catalogues import (
    PluginError,
    PluginWarning,
    check_fields,
    check_name,
    describe,
)
from scoref.errors import FormatError, ScorefError, place_of
from scoref.formats.catalogue import FORMATS, Format, tokens_of_corpus
from scoref.formats.folders import has_data_ending
from scoref.formats.input_files import without_bom
from scoref.model import Corpus
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.catalogue import ReadOptions

PUBLIC = frozenset(
    (
        *("name", "text", "read", "page", "detect", "counts", "has_singletons"),
        *("endings", "takes_cr", "has_gaps"),
    )
)
"""The fields of a record that a plugin may set."""

_COUNTS = ("words", "numbers", "values")


def adopt(record: object, package: str) -> Format:
    """Check a plugin's record, and return it with its package."""
    if not isinstance(record, Format):
        raise ScorefError(
            f"expected a Format of scoref.plugins, not {type(record).__name__}"
        )
    check_name(record.name)
    check_fields(record, Format._field_defaults, PUBLIC)
    if not all(map(callable, (record.read, record.detect or record.read))):
        raise ScorefError("'read' and 'detect' must be functions")
    if record.counts not in _COUNTS:
        raise ScorefError(f"'counts' must be one of {', '.join(_COUNTS)}")
    for ending in record.endings:
        if not _is_free_ending(ending):
            raise ScorefError(
                f"{ending!r} cannot be one of the 'endings': they are like '.abc', and "
                "no other format of scoref may use them"
            )
    return record._replace(
        package=package,
        read=_checked_read(record, package),
        detect=record.detect and _checked_detect(record, record.detect, package),
        read_tokens=tokens_of_corpus,
        owns_endings=bool(record.endings),
    )


def _is_free_ending(ending: object) -> bool:
    """Check whether an ending can be a plugin's: no file of scoref has it."""
    own = [record for record in FORMATS.values() if not record.package]
    taken = {ending for record in own for ending in record.endings + record.companions}
    return (
        isinstance(ending, str)
        and re.fullmatch(r"\.[a-z0-9]+", ending) is not None
        and ending not in taken | {".gz", ".xz"}
        and not has_data_ending(f"file{ending}")
    )


def _checked_detect(
    record: Format, detect: Callable[[bytes], bool], package: str
) -> Callable[[bytes], bool]:
    def checked(start: bytes) -> bool:
        try:
            return bool(detect(start))
        except Exception as error:  # noqa: BLE001 - another format may fit
            message = (
                f"Plugin {package} cannot tell whether a file is {record.name}. "
                f"{describe(error)}"
            )
            warnings.warn(message, PluginWarning, stacklevel=2)
            return False

    return checked


def _checked_read(
    record: Format, package: str
) -> Callable[[bytes, ReadOptions], Corpus]:
    def checked(data: bytes, options: ReadOptions) -> Corpus:
        if b"\0" in data:
            raise FormatError(
                "this is a binary file",
                source=options.source,
                hint="Plugins can read text files only.",
            )
        try:
            corpus = record.read(without_bom(data), options)
        except (ScorefError, MemoryError):
            raise
        except Exception as error:
            raise _failure(record, package, options, describe(error)) from error
        problem = _problem_of(corpus, record.name)
        if problem:
            raise _failure(record, package, options, problem)
        return corpus

    return checked


def _failure(
    record: Format, package: str, options: ReadOptions, problem: str
) -> PluginError:
    return PluginError(
        f"{options.source}: format '{record.name}' of plugin {package} failed: "
        f"{problem}",
        hint="If the file is correct, this is a fault of the plugin. Report it to the "
        "plugin's authors.",
    )


def _problem_of(corpus: object, name: str) -> str:
    """Describe what is wrong with a corpus that a plugin returns, if anything is."""
    if not isinstance(corpus, Corpus):
        return f"it returned {type(corpus).__name__}, not a corpus"
    if corpus.format != name:
        return f"it returned a corpus whose format is '{corpus.format}'"
    names = [document.name for document in corpus.documents]
    if len({*names}) < len(names):
        twice = next(each for each in names if names.count(each) > 1)
        return f"it returned two documents called '{twice}'"
    start, end = corpus.mention_start, corpus.mention_end
    wrong = (start < 0) | (end < start)
    if corpus.document_tokens is not None:
        wrong |= end >= corpus.document_tokens[corpus.mention_document]
    if not wrong.any():
        return ""
    row = int(np.argmax(wrong))
    document = int(corpus.mention_document[row])
    place = place_of(corpus.source, int(corpus.mention_line[row]))
    size = ""
    if corpus.document_tokens is not None:
        size = f", which has {counted(int(corpus.document_tokens[document]), 'word')}"
    return (
        f"the mention {corpus.place(row)} ({place}) is not in document "
        f"'{corpus.documents[document].name}'{size}"
    )
