"""The signs by which each format is recognised.

Formats that are not JSON are recognised from the first bytes of a file. Formats in JSON
are recognised by the fields of the top level. Each field comes with the bytes of its
value, which may be cut off, so only the beginning of a value is examined.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, memoryview]


_ROOT = 500  # bytes before which it stands

BEGIN = b"begin document"

_CONLLU_TABS = 9

UA_COLUMNS = re.compile(rb"# global\.columns\s*=[^\n]*(?:IDENTITY|DISCOURSE_DEIXIS)")


def is_universal_anaphora(start: bytes) -> bool:
    """Tell whether a file begins like Universal Anaphora."""
    is_marked = b"(EntityID=" in start or b"|EntityID=" in start
    return is_marked or (b"global.columns" in start and bool(UA_COLUMNS.search(start)))


_HAS_ENTITIES = re.compile(rb"# global\.Entity|[\t|]Entity=\(")


def is_corefud(start: bytes) -> bool:
    """See CorefUD's own signs, or that this is CoNLL-U."""
    return _has_entities(start) or _is_conllu(start)


def _has_entities(start: bytes) -> bool:
    return b"Entity" in start and bool(_HAS_ENTITIES.search(start))


def _is_conllu(start: bytes) -> bool:
    first = next((line for line in start.split(b"\n") if line[:1].isdigit()), b"")
    return first.count(b"\t") == _CONLLU_TABS and BEGIN not in start


_STANZA = re.compile(
    rb"^\d+(?:\.\d+)?\t(?:[^\t\n]*\t){8}(?:[^\t\n]*\|)?"
    rb"(?:coref_chains=|ner=(?:unit|start|end|middle)-(?:repr-)?id\d+[,|\r\n])",
    re.MULTILINE,
)


def is_stanza(start: bytes) -> bool:
    """See chains in CoNLL-U that has no entities of CorefUD."""
    return _has_chains(start) and not _has_entities(start)


def _has_chains(start: bytes) -> bool:
    """See a sign of stanza; words that it has are found faster than where they are."""
    may_have = b"coref_chains=" in start or b"ner=" in start
    return may_have and bool(_STANZA.search(start))


def is_bare_conllu(start: bytes) -> bool:
    """See CoNLL-U without a sign of coreference, as yet."""
    has_signs = _has_entities(start) or _has_chains(start)
    return _is_conllu(start) and not has_signs and not is_universal_anaphora(start)


_BRAT = re.compile(rb"(?:[TREAMN]\d+|\*|#\d+)\t")

_TEXT_BOUND = re.compile(rb"^T\d+\t[^\t\n]+ \d+ \d+", re.MULTILINE)

_LITBANK = re.compile(
    rb"^T\d+\t(?:NOM|PROP|PRON)_(?:PER|FAC|LOC|GPE|ORG|VEH) \d", re.MULTILINE
)


def is_brat(start: bytes) -> bool:
    """Tell whether a file begins like brat annotations."""
    return bool(_BRAT.match(start) and _TEXT_BOUND.search(start))


_TABLE_COLUMNS = frozenset((b"document", b"entity", b"start", b"end"))


def is_table(start: bytes) -> bool:
    """See from its first line whether this is a table of mentions."""
    line = start.partition(b"\n")[0].lower().replace(b"\t", b",")
    return {cell.strip(b'" \r') for cell in line.split(b",")} >= _TABLE_COLUMNS


_TAC = re.compile(rb"(?:[^\t\n]*\t){3}[^\t\n]+:\d+-\d+(?:\t[^\t\n]*){4,}")

_NELEVAL = re.compile(rb"[^\t\n]+\t\d+\t\d+(?:\t[^\t\n]*){1,3}")


def _are_all(pattern: re.Pattern[bytes], start: bytes) -> bool:
    """See whether every line is of a kind; the last one may be cut off."""
    first = start.lstrip(b"\r\n").partition(b"\n")[0].rstrip(b"\r")
    if first.strip() and not pattern.fullmatch(first):
        return False  # most files are seen not to be so at once
    lines = [line.rstrip(b"\r") for line in start.split(b"\n")]
    whole = [line for line in (lines[:-1] or lines) if line.strip()]
    return bool(whole) and all(map(pattern.fullmatch, whole))


def is_tac(start: bytes) -> bool:
    """See TAC's fields in every line."""
    return _are_all(_TAC, start)


def is_neleval(start: bytes) -> bool:
    """See neleval's fields in every line."""
    return _are_all(_NELEVAL, start)


def is_litbank_brat(start: bytes) -> bool:
    """See the types that LitBank's mentions have."""
    return is_brat(start) and bool(_LITBANK.search(start))


def is_ecbplus(start: bytes) -> bool:
    """See the root of ECB+'s documents."""
    return start.startswith(b"<") and b"<Document doc_name=" in start[:_ROOT]


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
