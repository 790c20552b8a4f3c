"""By what formats that are not JSON are recognised, from the first bytes of a file."""

from __future__ import annotations

import re

_ROOT = 500  # bytes before which it stands
BEGIN = b"begin document"
_CONLLU_TABS = 9
UA_COLUMNS = re.compile(rb"# global\.columns\s*=[^\n]*(?:IDENTITY|DISCOURSE_DEIXIS)")


def is_universal_anaphora(start: bytes) -> bool:
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
