"""By which fields a format in JSON is known.

Fields are those of the top level, each with the bytes of its value. A value may be cut
off, so that only its beginning is looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, memoryview]

_NOTHING = memoryview(b"")
_BLANKS = 64
_BEGINNING = 1 << 16
OFFSETS = "clusters_token_offsets"
_ACROSS = re.compile(rb"\[\s*-?\d+\s*,\s*-?\d+\s*,")
_WITHIN = re.compile(rb"\[\s*-?\d+\s*,\s*-?\d+\s*\]")
_TOKENS = re.compile(rb'\s*\[\s*\{.{0,65000}?"tokens"\s*:', re.DOTALL)
_EVENTS = re.compile(rb'\s*\[\s*\{.{0,65000}?"mention"\s*:', re.DOTALL)
_CHAINS = re.compile(rb'"coref_chains"\s*:')
_SCORCH = re.compile(rb'\s*"(?:clusters|graph)"')
_COREF_GROUP = re.compile(rb'"coref_clusters_\d+"\s*:')


def is_maverick(fields: Fields) -> bool:
    """See mentions of two numbers, or none at all."""
    return OFFSETS in fields and not is_xcore(fields)


def is_xcore(fields: Fields) -> bool:
    """See mentions of three numbers."""
    found = fields.get(OFFSETS)
    if found is None or _WITHIN.search(found[:_BEGINNING]):
        return False
    return _ACROSS.search(found) is not None


def is_preco(fields: Fields) -> bool:
    """See PreCo's name for clusters."""
    return "mention_clusters" in fields


def is_corenlp(fields: Fields) -> bool:
    """See chains, or sentences that are objects with tokens."""
    sentences = fields.get("sentences", _NOTHING)
    if is_coref_data(fields):
        return False
    return _is(fields, "corefs", "{") or _TOKENS.match(sentences) is not None


def is_coref_data(fields: Fields) -> bool:
    """See coref-data's chains, in a document or in rows of the Hub's viewer."""
    if "coref_chains" in fields:
        return "doc_key" not in fields or "clusters" not in fields
    return _CHAINS.search(fields.get("rows", _NOTHING)) is not None


def is_maven_ere(fields: Fields) -> bool:
    """See events with mentions, or a response's ids of them."""
    events = fields.get("events", _NOTHING)
    return _EVENTS.match(events) is not None or {"coreference", "id"} <= fields.keys()


def is_scorch(fields: Fields) -> bool:
    """See scorch's types, or clusters by their ids; JSON lines may have these, too."""
    if "doc_key" in fields:
        return False
    kind = fields.get("type", _NOTHING)
    return _SCORCH.match(kind) is not None or _is(fields, "clusters", "{")


def is_spacy(fields: Fields) -> bool:
    """See a group of spans that is an entity."""
    return _is(fields, "spans", "{") and bool(_COREF_GROUP.search(fields["spans"]))


def is_label_studio(fields: Fields) -> bool:
    """See a task with its annotations or predictions."""
    answers = {"annotations", "completions", "predictions"}
    return "data" in fields and not answers.isdisjoint(fields)


def is_rucoco(fields: Fields) -> bool:
    """See entities, those that they include, and the text."""
    return {"entities", "includes", "text"} <= fields.keys()


def is_json_lines(fields: Fields) -> bool:
    """See a document's key, unless other fields say that characters are counted."""
    return "doc_key" in fields and not _has_strings(fields)


def is_allennlp(fields: Fields) -> bool:
    """See words that are called a document."""
    return "clusters" in fields and _is(fields, "document", "[")


def is_fastcoref(fields: Fields) -> bool:
    """See a text with clusters, and no words."""
    words = {"tokens", "sentences"}
    if "doc_key" in fields:
        return _has_strings(fields)
    return {"text", "clusters"} <= fields.keys() and words.isdisjoint(fields)


def is_ambiguous(fields: Fields) -> bool:
    """Tell a document that may count its words or its characters."""
    saying = {"tokens", "sentences", "document", "clusters_strings"}
    return {"doc_key", "text", "clusters"} <= fields.keys() and saying.isdisjoint(
        fields
    )


def _has_strings(fields: Fields) -> bool:
    needed = {"text", "clusters", "clusters_strings"}
    return needed <= fields.keys() and {"tokens", "sentences"}.isdisjoint(fields)


def _is(fields: Fields, name: str, bracket: str) -> bool:
    value = fields.get(name, _NOTHING)
    return bytes(value[:_BLANKS]).lstrip().startswith(bracket.encode())
