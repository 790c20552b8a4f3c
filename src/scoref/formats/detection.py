"""The signs by which each format is recognised.

Formats that are not JSON are recognised from the first bytes of a file. Formats in JSON
are recognised by the fields of the top level. Each field comes with the bytes of its
value, which may be cut off, so only the beginning of a value is examined.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.lazy import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, memoryview]


BEGIN = b"begin document"


_ENTITIES = pattern(rb"# global\.Entity|[\t|]Entity=\(")

_CONLLU_TABS = 9


def is_corefud(start: bytes) -> bool:
    """Recognise the signs of CorefUD, or any CoNLL-U."""
    return _has_entities(start) or _is_conllu(start)


def is_bare_conllu(start: bytes) -> bool:
    """Recognise CoNLL-U that has no sign of coreference so far."""
    has_signs = _has_entities(start) or _has_chains(start)
    return _is_conllu(start) and not has_signs and not is_universal_anaphora(start)


def _has_entities(start: bytes) -> bool:
    return b"Entity" in start and bool(_ENTITIES.search(start))


def _is_conllu(start: bytes) -> bool:
    first = next((line for line in start.split(b"\n") if line[:1].isdigit()), b"")
    return first.count(b"\t") == _CONLLU_TABS and BEGIN not in start


_CHAINS = pattern(
    rb"^\d+(?:\.\d+)?\t(?:[^\t\n]*\t){8}(?:[^\t\n]*\|)?"
    rb"(?:coref_chains=|ner=(?:unit|start|end|middle)-(?:repr-)?id\d+[,|\r\n])",
    re.MULTILINE,
)


def is_stanza(start: bytes) -> bool:
    """Recognise stanza's chains in CoNLL-U without entities of CorefUD."""
    return _has_chains(start) and not _has_entities(start)


def _has_chains(start: bytes) -> bool:
    # Searching for the words first is faster than the pattern.
    may_have = b"coref_chains=" in start or b"ner=" in start
    return may_have and bool(_CHAINS.search(start))


UA_COLUMNS = pattern(rb"# global\.columns\s*=[^\n]*(?:IDENTITY|DISCOURSE_DEIXIS)")


def is_universal_anaphora(start: bytes) -> bool:
    """Recognise the columns or the brackets of Universal Anaphora."""
    has_brackets = b"(EntityID=" in start or b"|EntityID=" in start
    return has_brackets or (
        b"global.columns" in start and bool(UA_COLUMNS.search(start))
    )


_BRAT = pattern(rb"(?:[TREAMN]\d+|\*|#\d+)\t")

_TEXT_BOUND = pattern(rb"^T\d+\t[^\t\n]+ \d+ \d+", re.MULTILINE)

_LITBANK = pattern(
    rb"^T\d+\t(?:NOM|PROP|PRON)_(?:PER|FAC|LOC|GPE|ORG|VEH) \d", re.MULTILINE
)


def is_brat(start: bytes) -> bool:
    """Recognise annotations of brat."""
    return bool(_BRAT.match(start) and _TEXT_BOUND.search(start))


def is_litbank_brat(start: bytes) -> bool:
    """Recognise brat with the types of LitBank's mentions."""
    return is_brat(start) and bool(_LITBANK.search(start))


def is_ecbplus(start: bytes) -> bool:
    """Recognise the root element of ECB+."""
    return start.startswith(b"<") and b"<Document doc_name=" in start[:500]


_XMI = pattern(rb"<(?:\w+:)?XMI\b")


def is_xmi(start: bytes) -> bool:
    """Recognise the root element of XMI."""
    return start.startswith(b"<") and _XMI.search(start[:4096]) is not None


_TEI = re.compile(rb"<(?:\w+:)?(?:TEI|TEI\.2|teiCorpus)[\s>]")


def is_tei(start: bytes) -> bool:
    """Recognise the root element of TEI."""
    return start.startswith(b"<") and _TEI.search(start[:4096]) is not None


_TABLE_COLUMNS = frozenset((b"document", b"entity", b"start", b"end"))


def is_table(start: bytes) -> bool:
    """Recognise a table of mentions by its first line."""
    line = start.partition(b"\n")[0].lower().replace(b"\t", b",")
    return {cell.strip(b'" \r') for cell in line.split(b",")} >= _TABLE_COLUMNS


_TAC = pattern(rb"(?:[^\t\n]*\t){3}[^\t\n]+:\d+-\d+(?:\t[^\t\n]*){4,}")

_NELEVAL = pattern(rb"[^\t\n]+\t\d+\t\d+(?:\t[^\t\n]*){1,3}")


def is_tac(start: bytes) -> bool:
    """Recognise the fields of TAC in every line."""
    return _are_all_lines(_TAC, start)


def is_neleval(start: bytes) -> bool:
    """Recognise the fields of neleval in every line."""
    return _are_all_lines(_NELEVAL, start)


def _are_all_lines(pattern: re.Pattern[bytes], start: bytes) -> bool:
    """Check whether every line has a pattern; the last line may be cut off."""
    first = start.lstrip(b"\r\n").partition(b"\n")[0].rstrip(b"\r")
    if first.strip() and not pattern.fullmatch(first):
        return False  # for most files, the first line decides
    lines = [line.rstrip(b"\r") for line in start.split(b"\n")]
    whole = [line for line in (lines[:-1] or lines) if line.strip()]
    return bool(whole) and all(map(pattern.fullmatch, whole))


_FEW_LINES = 20


def is_records(start: bytes) -> bool:
    """Recognise a table: lines with the same number of commas, semicolons or tabs."""
    lines = start.strip().split(b"\n")[:_FEW_LINES]
    return len(lines) > 1 and any(
        len(counts := {line.count(mark) for line in lines}) == 1 and counts != {0}
        for mark in (b",", b";", b"\t")
    )


_LANGUAGE_MODEL = frozenset(
    ("output", "answer", "prediction", "response", "completion", "content", "choices")
)

_ANNOTATION = frozenset(
    (
        *("clusters", "predicted_clusters", "mention_clusters", "tokens", "sentences"),
        "schema",  # of a result that scoref saved
    )
)


def is_answer(fields: Fields) -> bool:
    """Recognise the answer of a language model, which has a text and no clusters."""
    has_answer = not _LANGUAGE_MODEL.isdisjoint(fields)
    return has_answer and _ANNOTATION.isdisjoint(fields)


_NOTHING = memoryview(b"")


def _starts_with(bracket: bytes, value: memoryview) -> bool:
    return bytes(value[:64]).lstrip().startswith(bracket)


def is_json_lines(fields: Fields) -> bool:
    """Recognise ``doc_key``, unless other fields show that characters are counted."""
    return "doc_key" in fields and not _has_strings(fields)


def is_fastcoref(fields: Fields) -> bool:
    """Recognise a text with clusters, but without words."""
    if "doc_key" in fields:
        return _has_strings(fields)
    return {"text", "clusters"} <= fields.keys() and _has_no_words(fields)


def _has_strings(fields: Fields) -> bool:
    needed = {"text", "clusters", "clusters_strings"}
    return needed <= fields.keys() and _has_no_words(fields)


def _has_no_words(fields: Fields) -> bool:
    return {"tokens", "sentences"}.isdisjoint(fields)


def is_ambiguous(fields: Fields) -> bool:
    """Recognise a document that may count words or characters."""
    decisive = {"tokens", "sentences", "document", "clusters_strings"}
    needed = {"doc_key", "text", "clusters"}
    return needed <= fields.keys() and decisive.isdisjoint(fields)


def is_allennlp(fields: Fields) -> bool:
    """Recognise a list of words in the field ``document``."""
    document = fields.get("document", _NOTHING)
    return "clusters" in fields and _starts_with(b"[", document)


_OFFSETS = "clusters_token_offsets"

_TRIPLE = pattern(rb"\[\s*-?\d+\s*,\s*-?\d+\s*,")

_PAIR = pattern(rb"\[\s*-?\d+\s*,\s*-?\d+\s*\]")


def is_maverick(fields: Fields) -> bool:
    """Recognise mentions of two numbers, or no mentions."""
    return _OFFSETS in fields and not is_xcore(fields)


def is_xcore(fields: Fields) -> bool:
    """Recognise mentions of three numbers."""
    offsets = fields.get(_OFFSETS)
    if offsets is None or _PAIR.search(offsets[: 1 << 16]):
        return False
    return _TRIPLE.search(offsets) is not None


def is_preco(fields: Fields) -> bool:
    """Recognise PreCo's field of clusters."""
    return "mention_clusters" in fields


_TOKENS = pattern(rb'\s*\[\s*\{.{0,65000}?"tokens"\s*:', re.DOTALL)


def is_corenlp(fields: Fields) -> bool:
    """Recognise chains, or sentences that are objects with tokens."""
    if is_coref_data(fields):
        return False
    has_chains = _starts_with(b"{", fields.get("corefs", _NOTHING))
    sentences = fields.get("sentences", _NOTHING)
    return has_chains or _TOKENS.match(sentences) is not None


_COREF_CHAINS = pattern(rb'"coref_chains"\s*:')


def is_coref_data(fields: Fields) -> bool:
    """Recognise coref-data's chains, in a document or in rows of the Hub's viewer."""
    if "coref_chains" in fields:
        return "doc_key" not in fields or "clusters" not in fields
    return _COREF_CHAINS.search(fields.get("rows", _NOTHING)) is not None


_EVENTS = pattern(rb'\s*\[\s*\{.{0,65000}?"mention"\s*:', re.DOTALL)


def is_maven_ere(fields: Fields) -> bool:
    """Recognise events with mentions, or the ids of mentions in a response."""
    events = fields.get("events", _NOTHING)
    return _EVENTS.match(events) is not None or {"coreference", "id"} <= fields.keys()


_SCORCH = pattern(rb'\s*"(?:clusters|graph)"')


def is_scorch(fields: Fields) -> bool:
    """Recognise scorch's types, or clusters by id, which JSON lines may have, too."""
    if "doc_key" in fields:
        return False
    has_type = _SCORCH.match(fields.get("type", _NOTHING)) is not None
    return has_type or _starts_with(b"{", fields.get("clusters", _NOTHING))


_COREF_GROUP = pattern(rb'"coref_clusters_\d+"\s*:')


def is_spacy(fields: Fields) -> bool:
    """Recognise a group of spans that is an entity."""
    spans = fields.get("spans", _NOTHING)
    return _starts_with(b"{", spans) and _COREF_GROUP.search(spans) is not None


def is_label_studio(fields: Fields) -> bool:
    """Recognise a task with its annotations or predictions."""
    answers = {"annotations", "completions", "predictions"}
    return "data" in fields and not answers.isdisjoint(fields)


def is_rucoco(fields: Fields) -> bool:
    """Recognise entities, the entities that they include, and the text."""
    return {"entities", "includes", "text"} <= fields.keys()


_COREF_SPANS = re.compile(rb'"coref_spans"\s*:')


def is_conll2012_ontonotesv5(fields: Fields) -> bool:
    """Recognise sentences with the mentions in them."""
    sentences = fields.get("sentences", _NOTHING)
    return "document_id" in fields and _COREF_SPANS.search(sentences) is not None


def is_ucdcr(fields: Fields) -> bool:
    """Recognise a mention with its place in a document."""
    return "context_start_end_global_id" in fields and _is_listed_mention(fields)


def is_mention_list(fields: Fields) -> bool:
    """Recognise a mention with its place in a sentence."""
    return _is_listed_mention(fields) and not is_ucdcr(fields)


def _is_listed_mention(fields: Fields) -> bool:
    has_chain = not {"coref_chain", "predicted_coref_chain"}.isdisjoint(fields)
    return has_chain and {"doc_id", "tokens_number"} <= fields.keys()


def is_doccano(fields: Fields) -> bool:
    """Recognise a text with spans and relations."""
    needed = {"text", "entities", "relations"}
    return needed <= fields.keys() and not is_rucoco(fields)


_HEAD_SPAN = re.compile(rb'"head_span"\s*:')


def is_prodigy(fields: Fields) -> bool:
    """Recognise tokens with relations, and a sign of Prodigy."""
    if not {"tokens", "relations"} <= fields.keys():
        return False
    return is_from_prodigy(fields) or _HEAD_SPAN.search(fields["relations"]) is not None


def is_from_prodigy(fields: Fields) -> bool:
    """Recognise what Prodigy adds to any task."""
    return not {"_input_hash", "_task_hash", "_view_id"}.isdisjoint(fields)
