"""The formats that can be read, a record each; a reader is loaded when it is wanted.

Records are known without NumPy, so that help, lists and completion answer at once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.formats import _json_signs, _text_signs
from scoref.formats._text import with_line_feeds, without_bom
from scoref.formats.format import (
    BOOKNLP,
    BRAT,
    CONLL_2012,
    COREFUD,
    ECBPLUS,
    JSON_LINES,
    LITBANK_BRAT,
    LITBANK_TSV,
    MENTION_TABLE,
    NELEVAL,
    STANZA,
    TAC_EDL,
    UNIVERSAL_ANAPHORA,
    WEBANNO,
    Asked,
    Format,
    SideField,
    module,
    reader,
)
from scoref.formats.json_records import JSON_RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.model import Corpus, Tokens


JSON = (b"{", b"[")
_BEGINNING = 1 << 16


def _read_conll2012(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus
    if asked.reading == "reference":
        corpus = module("conll2012_reference").read(data, source=asked.source)
    else:
        corpus = module("conll2012").read(
            data, source=asked.source, lenient=asked.lenient
        )
    if asked.layer == "parses":
        corpus = module("parses").with_parses(corpus, data)
    return corpus


def _read_json_lines(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus = module("json_lines").read(
        data,
        source=asked.source,
        role=asked.role,
        lenient=asked.lenient,
        is_shared=asked.is_shared,
    )
    return corpus


def _read_corefud(data: bytes, asked: Asked) -> Corpus:
    with_types = asked.layer == "types"
    corpus: Corpus = module("corefud").read(
        data, source=asked.source, lenient=asked.lenient, with_types=with_types
    )
    if asked.layer == "parses":
        corpus = module("conllu_trees").with_tree_heads(corpus, data)
    return corpus


def _read_universal_anaphora(data: bytes, asked: Asked) -> Corpus:
    deixis = asked.layer == "discourse-deixis"
    corpus: Corpus = module("universal_anaphora").read(
        data, source=asked.source, lenient=asked.lenient, deixis=deixis
    )
    return corpus


def _tokens(name: str) -> Callable[[Corpus, bytes], Tokens | None]:
    def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
        tokens: Tokens | None = getattr(module("tokens"), name)(corpus, data)
        return tokens

    return read_tokens


_RECORDS = (
    Format(
        name=CONLL_2012,
        text="brackets in the last column, a token a line",
        page=CONLL_2012,
        is_it=lambda _: True,
        read=_read_conll2012,
        read_tokens=_tokens("of_conll2012"),
        turn=3,
        is_marked=False,
        annotation=re.compile(rb"^#\s*begin document\b", re.MULTILINE),
        looked_for="'#begin document' and brackets such as '(3' in the last column",
    ),
    Format(
        name=JSON_LINES,
        text="doc_key, clusters and predicted_clusters, a document a line",
        page=JSON_LINES,
        is_it=lambda start: start.startswith((b"{", b"[")),
        has_fields=_json_signs.is_json_lines,
        takes_cr=True,
        sides={
            "key": SideField("clusters", re.compile(rb'"clusters"')),
            "response": SideField(
                "predicted_clusters", re.compile(rb'"predicted_clusters"')
            ),
        },
        looked_for="'doc_key' and 'clusters'",
        read=_read_json_lines,
        read_tokens=_tokens("of_json_lines"),
    ),
    Format(
        name=COREFUD,
        text="CoNLL-U with Entity= in its last column",
        page=COREFUD,
        is_it=_text_signs.is_corefud,
        read=_read_corefud,
        read_tokens=_tokens("of_corefud"),
        turn=2,
        kind="corefud",
        has_gaps=True,
        is_marked=False,
        is_followed=True,
        annotation=re.compile(rb"^# global\.Entity|[\t|]Entity=", re.MULTILINE),
        looked_for="'# global.Entity' and 'Entity=' in the last column, as in CorefUD, "
        "or 'coref_chains=', as stanza writes it",
    ),
    Format(
        name=UNIVERSAL_ANAPHORA,
        text="CONLL-UA, with columns IDENTITY, BRIDGING, DISCOURSE_DEIXIS",
        page=UNIVERSAL_ANAPHORA,
        is_it=_text_signs.is_universal_anaphora,
        read=_read_universal_anaphora,
        read_tokens=_tokens("of_universal_anaphora"),
        turn=1,
        kind="universal-anaphora",
        has_gaps=True,
        is_followed=True,
        annotation=re.compile(_text_signs.UA_COLUMNS.pattern + rb"|[(|]EntityID="),
        looked_for="'# global.columns' with IDENTITY and 'EntityID='",
    ),
    *JSON_RECORDS,
    Format(
        name=STANZA,
        text="stanza's CoNLL-U, with coref_chains= in its last column",
        page=STANZA,
        is_it=_text_signs.is_stanza,
        read=reader("stanza"),
        read_tokens=_tokens("of_corefud"),
        turn=1,
        kind="corefud",
    ),
    Format(
        name=WEBANNO,
        text="WebAnno TSV 3, as INCEpTION exports it and GUM is published",
        page=WEBANNO,
        is_it=lambda start: start.startswith(b"#FORMAT=WebAnno TSV 3"),
        narrowed=("relations",),
        read=reader("webanno"),
        endings=(".tsv",),
    ),
    Format(
        name=BOOKNLP,
        text="BookNLP's .entities, with .tokens beside it",
        page=BOOKNLP,
        is_it=lambda start: start.startswith(b"COREF\tstart_token\tend_token\t"),
        read=reader("booknlp"),
        endings=(".entities",),
        beside=(".tokens",),
        owns_endings=True,
    ),
    Format(
        name=LITBANK_TSV,
        text="LitBank's lines MENTION and COREF, with .txt beside it",
        page=LITBANK_TSV,
        is_it=lambda start: start.startswith((b"MENTION\tT", b"COREF\tT")),
        read=reader("litbank_tsv"),
        endings=(".ann",),
        beside=(".txt",),
    ),
    Format(
        name=LITBANK_BRAT,
        text="LitBank's brat, entities as types such as Mia-0, with .txt beside it",
        page=BRAT,
        is_it=_text_signs.is_litbank_brat,
        read=reader("brat", "read_litbank"),
        has_gaps=True,
        counts="characters",
        endings=(".ann",),
        beside=(".txt",),
    ),
    Format(
        name=BRAT,
        text="brat standoff: .ann, with .txt beside it",
        page=BRAT,
        is_it=_text_signs.is_brat,
        read=reader("brat"),
        has_gaps=True,
        counts="characters",
        turn=1,
        endings=(".ann",),
        beside=(".txt",),
        owns_endings=True,
    ),
    Format(
        name=MENTION_TABLE,
        text="a table of mentions: document, entity, start, end",
        page=MENTION_TABLE,
        is_it=_text_signs.is_table,
        takes_cr=True,
        read=reader("mention_table"),
        has_gaps=True,
    ),
    Format(
        name=ECBPLUS,
        text="ECB+'s XML, a document a file",
        page=ECBPLUS,
        is_it=_text_signs.is_ecbplus,
        takes_cr=True,
        narrowed=("markables",),
        read=reader("ecbplus"),
        has_gaps=True,
        endings=(".xml",),
    ),
    Format(
        name=TAC_EDL,
        text="TAC's table of entity mentions: run, id, text, document:start-end, …",
        page=TAC_EDL,
        is_it=_text_signs.is_tac,
        read=reader("tac_edl", "read_tac"),
        counts="numbers",
    ),
    Format(
        name=NELEVAL,
        text="neleval's table: document, start, end, entity, score, type",
        page=TAC_EDL,
        is_it=_text_signs.is_neleval,
        read=reader("tac_edl", "read_neleval"),
        counts="numbers",
    ),
)

FORMATS = {each.name: each for each in _RECORDS}
"""Every format by name, in the order in which they are shown."""


def telling(data: bytes) -> bytes:
    """Give what tells of a file what it is: its beginning, or all of it.

    In JSON any field may be the one that tells, and the last one, too; in CoNLL-U, the
    first mention may come late.
    """
    start = without_bom(with_line_feeds(data[:_BEGINNING])).lstrip()
    is_late = len(data) > _BEGINNING and _text_signs.is_bare_conllu(start)
    if start[:1] in JSON or is_late:
        return without_bom(with_line_feeds(data)).lstrip()
    return start


def recognised(start: bytes, key_format: str | None = None) -> str:
    """See from its beginning what a file is; without a sign, it is what the key is."""
    if start[:1] in JSON:
        return recognised_json(start) or JSON_LINES
    asked = sorted(FORMATS.values(), key=lambda each: each.turn)
    found = next(each for each in asked if each.is_it(start))
    key = FORMATS.get(key_format or "")
    if (
        key
        and key.is_followed
        and not found.is_marked
        and _text_signs.BEGIN not in start
    ):
        return key.name
    return found.name


def recognised_json(data: bytes) -> str | None:
    """See from the fields of its first objects what a file of JSON is."""
    asked = sorted(FORMATS.values(), key=lambda each: each.turn)
    for fields in module("_json_values").first_fields(data):
        for each in asked:
            if each.has_fields is not None and each.has_fields(fields):
                return each.name
    return None
