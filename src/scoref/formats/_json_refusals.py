"""JSON that is of no format, or of two: what it seems to be, and the way round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, quoted
from scoref.formats import _json_signs as signs
from scoref.formats._json_values import values, whole_fields
from scoref.formats._text import without_bom
from scoref.formats.records import FORMATS
from scoref.rules import UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats._json_signs import Fields

_SHOWN_FIELDS = 12
_HEADS = re.compile(rb'"coref_head_clusters_\d+"\s*:')


class _Refused(NamedTuple):
    """How an object is known, what it is, and what to do about it."""

    is_it: Callable[[Fields], bool]
    what: str
    hint: str


_AMBIGUOUS = (
    "these clusters may count words or characters: there is a 'text', but neither "
    "'tokens', 'sentences' nor 'clusters_strings'"
)
_SAY_IT = (
    "say it: --format fastcoref if they count characters, --format json-lines if they "
    "count words"
)
_REFUSED = (
    _Refused(
        signs.is_coref_data,
        "this is coref-data JSON, from the Hugging Face Hub, which is not supported "
        "yet",
        "write JSON lines: the words of each sentence as 'sentences', and "
        "'coref_chains' as 'clusters', counted in words of the document",
    ),
    _Refused(
        lambda fields: "document" in fields and "clusters" not in fields,
        "this is AllenNLP's input, which has no clusters",
        "give what `allennlp predict --output-file` wrote",
    ),
    _Refused(
        lambda fields: _HEADS.search(fields.get("spans", memoryview(b""))) is not None,
        "there are only heads of mentions here, in groups 'coref_head_clusters_1', …",
        "write the document when the pipeline has made 'coref_clusters_1', … of them",
    ),
    _Refused(
        lambda fields: {"text", "tokens", "spans"} <= fields.keys(),
        "this is spaCy's JSON without coreference",
        "entities are groups of spans called 'coref_clusters_1', 'coref_clusters_2', …",
    ),
    _Refused(
        lambda fields: {"annotator", "annotation_id"} <= fields.keys(),
        "this is Label Studio's JSON-MIN, which has no relations",
        "export the project as JSON",
    ),
    _Refused(
        lambda fields: (
            "clusters" in fields and not {"tokens", "sentences"}.isdisjoint(fields)
        ),
        "these documents have no name",
        "JSON lines have a name in 'doc_key': give each document one",
    ),
)


def refuse_other_json(data: bytes, source: str) -> None:
    """Refuse a file whose first objects no format has, or whose offsets are unclear.

    Raises:
        FormatError: it says what the fields are, and what they were to be.
    """
    first = None
    for fields in whole_fields(data):
        first = fields if first is None else first
        if signs.is_ambiguous(fields):
            raise _error(_AMBIGUOUS, source, _SAY_IT)
        if signs.is_json_lines(fields) and not signs.is_coref_data(fields):
            return
    if first is None:
        _refuse_array(data, source)
    elif first:
        _refuse_object(first, source)


def _refuse_object(fields: Fields, source: str) -> None:
    for each in _REFUSED:
        if each.is_it(fields):
            raise _error(each.what, source, each.hint)
    problem = f"the fields are {quoted(list(fields), _SHOWN_FIELDS)}; none of the known"
    hint = f"looked for {_looked_for()}"
    raise _error(f"{problem} formats has these", source, hint)


def _looked_for() -> str:
    known = [each for each in FORMATS.values() if each.has_fields is not None]
    return "; ".join(f"{each.looked_for} ({each.name})" for each in known)


def _refuse_array(data: bytes, source: str) -> None:
    if without_bom(data).lstrip().startswith(b"["):
        next(values(data, source), None)  # says where it is damaged, if it is
        raise _error(
            "this is a JSON array, but not one of documents",
            source,
            f"expected an array of objects, or one a line, with {_looked_for()}",
        )


def _error(problem: str, source: str, hint: str) -> FormatError:
    return FormatError(problem, rule=UNREADABLE_FILE, source=source, hint=hint)
