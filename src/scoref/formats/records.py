"""The formats that can be read, a record each; a reader is loaded when it is wanted.

Records are known without NumPy, so that help, lists and completion answer at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scoref.formats import _json_signs, _text_signs

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.conventions import Kind
    from scoref.formats._json_signs import Fields
    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Reading

Role = Literal["key", "response"]
Splitting = Literal["auto", "blanks", "words"]
CONLL_2012 = "conll-2012"
JSON_LINES = "json-lines"
COREFUD = "corefud"
UNIVERSAL_ANAPHORA = "universal-anaphora"
ALLENNLP = "allennlp"
CORENLP = "corenlp"
FASTCOREF = "fastcoref"
LABEL_STUDIO = "label-studio"
MAVEN_ERE = "maven-ere"
MAVERICK = "maverick"
PRECO = "preco"
RUCOCO = "rucoco"
SCORCH = "scorch"
SPACY = "spacy"
XCORE = "xcore"
BOOKNLP = "booknlp"
BRAT = "brat"
ECBPLUS = "ecbplus"
LITBANK_BRAT = "litbank-brat"
LITBANK_TSV = "litbank-tsv"
MENTION_TABLE = "mention-table"
NELEVAL = "neleval"
STANZA = "stanza"
TAC_EDL = "tac-edl"
WEBANNO = "webanno"


class Asked(NamedTuple):
    """How a file is to be read."""

    source: str
    role: Role
    reading: Reading
    layer: Layer
    document: str = ""  # what to call the one document of a file that does not name it
    is_shared: bool = False  # whether the file holds the other side, too
    annotator: str = ""  # whose annotations to read where there are several
    relations: tuple[str, ...] = ()  # which of them join mentions; none: the usual ones
    splitting: Splitting | None = None  # what tokens are to be where there are none

    @property
    def lenient(self) -> bool:
        """Whether what cannot be read is passed over."""
        return self.reading == "lenient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """All that is known of a format.

    Args:
        name: as it is typed.
        text: what it looks like, in a line.
        page: the page about it, in docs/formats.
        is_it: tells from its beginning whether a file is of this format.
        has_fields: tells it from the fields of an object in JSON.
        read: reads a file.
        read_tokens: gives the text of a file that was read; none: it has no words.
        turn: formats of lower turns are recognised first.
        is_marked: whether its signs count, whatever the key is.
        is_followed: whether a response without a sign is what a key of this format is.
        counts: what its mentions are counted in; characters have no words of their own,
            and neither numbers of characters nor values have a text at all.
        has_singletons: whether systems that write it find entities of one mention.
        annotation: what is in every file with annotations; none: no sign is needed.
        looked_for: the same in words.
        endings: of files that are documents of a folder.
        beside: of files that belong to such a document.
        owns_endings: whether no other file ends so, whatever is in it.
        kind: what its mentions are: spans, or words as in one of two formats.
    """

    name: str
    text: str
    page: str
    read: Callable[[bytes, Asked], Corpus]
    is_it: Callable[[bytes], bool] = lambda _: False
    has_fields: Callable[[Fields], bool] | None = None
    read_tokens: Callable[[Corpus, bytes], Tokens | None] | None = None
    turn: int = 0
    is_marked: bool = True
    is_followed: bool = False
    counts: Literal["words", "characters", "numbers", "values"] = "words"
    has_singletons: bool = True
    annotation: re.Pattern[bytes] | None = None
    looked_for: str = ""
    endings: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    owns_endings: bool = False
    kind: Kind = "spans"


def _module(name: str) -> Any:  # noqa: ANN401 - start-up time counts
    return import_module(f"scoref.formats.{name}")


def _read_conll2012(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus
    if asked.reading == "reference":
        corpus = _module("conll2012_reference").read(data, source=asked.source)
    else:
        corpus = _module("conll2012").read(
            data, source=asked.source, lenient=asked.lenient
        )
    if asked.layer == "parses":
        corpus = _module("parses").with_parses(corpus, data)
    return corpus


def _read_json_lines(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus = _module("json_lines").read(
        data, source=asked.source, role=asked.role, lenient=asked.lenient
    )
    return corpus


def _read_corefud(data: bytes, asked: Asked) -> Corpus:
    with_types = asked.layer == "types"
    corpus: Corpus = _module("corefud").read(
        data, source=asked.source, lenient=asked.lenient, with_types=with_types
    )
    return corpus


def _read_universal_anaphora(data: bytes, asked: Asked) -> Corpus:
    deixis = asked.layer == "discourse-deixis"
    corpus: Corpus = _module("universal_anaphora").read(
        data, source=asked.source, lenient=asked.lenient, deixis=deixis
    )
    return corpus


def _reader(module: str, name: str = "read") -> Callable[[bytes, Asked], Corpus]:
    def read(data: bytes, asked: Asked) -> Corpus:
        corpus: Corpus = getattr(_module(module), name)(data, asked)
        return corpus

    return read


def _of_reader(corpus: Corpus, _: bytes) -> Tokens | None:
    """Give the text that a reader has put into the corpus."""
    return corpus.tokens


def _tokens(name: str) -> Callable[[Corpus, bytes], Tokens | None]:
    def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
        tokens: Tokens | None = getattr(_module("tokens"), name)(corpus, data)
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
        is_marked=False,
        is_followed=True,
        annotation=re.compile(rb"^# global\.Entity|[\t|]Entity=", re.MULTILINE),
        looked_for="'# global.Entity' and 'Entity=' in the last column",
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
        is_followed=True,
        annotation=re.compile(_text_signs.UA_COLUMNS.pattern + rb"|[(|]EntityID="),
        looked_for="'# global.columns' with IDENTITY and 'EntityID='",
    ),
    Format(
        name=FASTCOREF,
        text="text, or words, and clusters: what fastcoref's predict writes",
        page=FASTCOREF,
        read=_reader("fastcoref"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_fastcoref,
        has_singletons=False,
        counts="characters",
        looked_for="'text' and 'clusters'",
        turn=1,
    ),
    Format(
        name=ALLENNLP,
        text="document (words) and clusters: what allennlp predict writes",
        page=ALLENNLP,
        read=_reader("allennlp"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_allennlp,
        has_singletons=False,
        looked_for="'document' and 'clusters'",
        turn=1,
    ),
    Format(
        name=CORENLP,
        text="CoreNLP's JSON: sentences with tokens, and corefs",
        page=CORENLP,
        read=_reader("corenlp"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_corenlp,
        looked_for="'sentences' and 'corefs'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=MAVERICK,
        text="tokens and clusters_token_offsets, as Maverick and xCoRe give them",
        page=MAVERICK,
        read=_reader("maverick"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_maverick,
        has_singletons=False,
        looked_for="'tokens' and 'clusters_token_offsets'",
        turn=-1,
    ),
    Format(
        name=XCORE,
        text="the same across documents, by xCoRe",
        page=MAVERICK,
        read=_reader("maverick", "read_across"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_xcore,
        looked_for="the same with mentions of three numbers",
        turn=-1,
    ),
    Format(
        name=PRECO,
        text="PreCo: sentences and mention_clusters, a document a line",
        page=PRECO,
        read=_reader("preco"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_preco,
        looked_for="'sentences' and 'mention_clusters'",
        turn=-1,
    ),
    Format(
        name=SPACY,
        text="spaCy's Doc.to_json() with groups of spans coref_clusters_1, …",
        page=SPACY,
        read=_reader("spacy"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_spacy,
        counts="characters",
        looked_for="'spans' with 'coref_clusters_1'",
        turn=-1,
    ),
    Format(
        name=SCORCH,
        text="scorch's clusters or graph of values, a document a file",
        page=SCORCH,
        read=_reader("scorch"),
        has_fields=_json_signs.is_scorch,
        counts="values",
        looked_for="'type' and 'clusters' by id",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=MAVEN_ERE,
        text="MAVEN-ERE: tokens and events, a document a line",
        page=MAVEN_ERE,
        read=_reader("maven_ere"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_maven_ere,
        looked_for="'tokens' and 'events'",
        turn=-1,
    ),
    Format(
        name=LABEL_STUDIO,
        text="Label Studio's export JSON: tasks with regions and relations",
        page=LABEL_STUDIO,
        read=_reader("label_studio"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_label_studio,
        counts="characters",
        looked_for="'data' and 'annotations'",
        turn=-1,
    ),
    Format(
        name=RUCOCO,
        text="RuCoCo: text, entities and includes, a document a file",
        page=RUCOCO,
        read=_reader("rucoco"),
        read_tokens=_of_reader,
        has_fields=_json_signs.is_rucoco,
        counts="characters",
        looked_for="'text', 'entities' and 'includes'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=STANZA,
        text="stanza's CoNLL-U, with coref_chains= in its last column",
        page=STANZA,
        is_it=_text_signs.is_stanza,
        read=_reader("stanza"),
        read_tokens=_tokens("of_corefud"),
        turn=1,
        kind="corefud",
    ),
    Format(
        name=WEBANNO,
        text="WebAnno TSV 3, as INCEpTION exports it and GUM is published",
        page=WEBANNO,
        is_it=lambda start: start.startswith(b"#FORMAT=WebAnno TSV 3"),
        read=_reader("webanno"),
        endings=(".tsv",),
    ),
    Format(
        name=BOOKNLP,
        text="BookNLP's .entities, with .tokens beside it",
        page=BOOKNLP,
        is_it=lambda start: start.startswith(b"COREF\tstart_token\tend_token\t"),
        read=_reader("booknlp"),
        endings=(".entities",),
        beside=(".tokens",),
        owns_endings=True,
    ),
    Format(
        name=LITBANK_TSV,
        text="LitBank's lines MENTION and COREF, with .txt beside it",
        page=LITBANK_TSV,
        is_it=lambda start: start.startswith((b"MENTION\tT", b"COREF\tT")),
        read=_reader("litbank_tsv"),
        endings=(".ann",),
        beside=(".txt",),
    ),
    Format(
        name=LITBANK_BRAT,
        text="LitBank's brat, entities as types such as Mia-0, with .txt beside it",
        page=BRAT,
        is_it=_text_signs.is_litbank_brat,
        read=_reader("brat", "read_litbank"),
        counts="characters",
        endings=(".ann",),
        beside=(".txt",),
    ),
    Format(
        name=BRAT,
        text="brat standoff: .ann, with .txt beside it",
        page=BRAT,
        is_it=_text_signs.is_brat,
        read=_reader("brat"),
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
        read=_reader("mention_table"),
    ),
    Format(
        name=ECBPLUS,
        text="ECB+'s XML, a document a file",
        page=ECBPLUS,
        is_it=_text_signs.is_ecbplus,
        read=_reader("ecbplus"),
        endings=(".xml",),
    ),
    Format(
        name=TAC_EDL,
        text="TAC's table of entity mentions: run, id, text, document:start-end, …",
        page=TAC_EDL,
        is_it=_text_signs.is_tac,
        read=_reader("tac_edl", "read_tac"),
        counts="numbers",
    ),
    Format(
        name=NELEVAL,
        text="neleval's table: document, start, end, entity, score, type",
        page=TAC_EDL,
        is_it=_text_signs.is_neleval,
        read=_reader("tac_edl", "read_neleval"),
        counts="numbers",
    ),
)

FORMATS = {each.name: each for each in _RECORDS}
"""Every format by name, in the order in which they are shown."""


def recognised(start: bytes, key_format: str | None = None) -> str:
    """See from its beginning what a file is; without a sign, it is what the key is."""
    if start[:1] in (b"{", b"["):
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
    for fields in _module("_json_values").first_fields(data):
        for each in asked:
            if each.has_fields is not None and each.has_fields(fields):
                return each.name
    return None
