"""The catalogue: a record for each format, and the detection of a file's format.

The reader of a format is loaded when it is first needed, and no record needs NumPy, so
help, lists and completion are fast. `detection` has the signs by which formats are
recognised: the first bytes of a file or, in JSON, the fields of its objects. Formats of
plugins are added when they are needed; see `scoref.catalogues`.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from scoref.catalogues import Catalogue
from scoref.classes import NamedTuple
from scoref.formats import detection
from scoref.formats.input_files import with_line_feeds, without_bom
from scoref.lazy import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.conventions import Kind
    from scoref.formats.detection import Fields
    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Markables, Reading, Scheme


Role = Literal["key", "response"]
Splitting = Literal["auto", "blanks", "words"]

ALLENNLP = "allennlp"
BOOKNLP = "booknlp"
BRAT = "brat"
CAS_JSON = "cas-json"
CAS_XMI = "cas-xmi"
CONLL2012_ONTONOTESV5 = "conll2012-ontonotesv5"
CONLL_2012 = "conll-2012"
COREF_DATA = "coref-data"
COREFUD = "corefud"
CORENLP = "corenlp"
DOCCANO = "doccano"
DOCRED = "docred"
DWIE = "dwie"
ECBPLUS = "ecbplus"
FASTCOREF = "fastcoref"
JSON_LINES = "json-lines"
LABEL_STUDIO = "label-studio"
LITBANK_BRAT = "litbank-brat"
LITBANK_TSV = "litbank-tsv"
MAVEN_ERE = "maven-ere"
MAVERICK = "maverick"
MENTION_LIST = "mention-list"
MENTION_TABLE = "mention-table"
NELEVAL = "neleval"
PRECO = "preco"
PRODIGY = "prodigy"
RUCOCO = "rucoco"
SCORCH = "scorch"
SPACY = "spacy"
STANZA = "stanza"
TAC_EDL = "tac-edl"
TEI = "tei"
UCDCR = "ucdcr"
UNIVERSAL_ANAPHORA = "universal-anaphora"
WEBANNO = "webanno"
XCORE = "xcore"


class ReadOptions(NamedTuple):
    """How a file is to be read."""

    role: Role
    reading: Reading = "strict"
    layer: Layer = "identity"  # which of several kinds of coreference; or parses, types
    source: str = ""
    document: str = ""  # the name of the document of a file that does not name it
    is_shared: bool = False  # whether the file also holds the other side
    annotator: str = ""  # whose annotations to read if there are several
    relations: tuple[str, ...] = ()  # which of them join mentions; none: the usual ones
    markables: Markables | None = None  # which mentions; None: all
    splitting: Splitting | None = None  # how to make tokens where there are none
    with_tokens: bool = False  # whether to read the text as well
    with_genres: bool = False  # whether to read the genres that the file names

    @classmethod
    def of(cls, scheme: Scheme, role: Role, layer: Layer | None = None) -> ReadOptions:
        """Read a file as a scheme says."""
        relations = (scheme.relations or "").split(",")
        return cls(
            role,
            scheme.reading,
            layer or scheme.layer,
            annotator=scheme.annotator or "",
            relations=tuple(name.strip() for name in relations if name.strip()),
            markables=scheme.markables,
        )

    @property
    def lenient(self) -> bool:
        """Whether parts that cannot be read are skipped."""
        return self.reading == "lenient"


class SideField(NamedTuple):
    """The field of one side in a file with both, and a pattern that finds it."""

    field: str
    sign: re.Pattern[bytes]


class Format(NamedTuple):
    """Everything that is known about a format.

    Args:
        name: the name, as users type it.
        text: a description in one line.
        read: the reader.
        page: its page in docs/formats, or PAGE#SECTION; of a plugin, the address of a
            web page.
        detect: checks whether the first bytes of a file are this format; it is for
            plugins, and asked if scoref does not recognise the file.
        is_it: checks whether the first bytes of a file are this format.
        has_fields: checks whether an object in JSON has the fields of this format.
        read_tokens: returns the text of a file that was read; None: it has no words.
        turn: formats with lower turns are asked first.
        is_marked: whether its signs count even if the key has another format.
        is_followed: whether a response without signs has this format if the key has.
        counts: the unit of offsets. A text of characters is cut into words. Numbers of
            characters and values have no text.
        has_singletons: whether systems that write it find entities of one mention.
        sides: the fields of key and response, if a file can hold both.
        annotation: a sign that every file with annotations has; None: not needed.
        looked_for: this sign, or the fields in JSON, for messages.
        endings: the endings of files that are documents of a folder.
        companions: the endings of files that belong to such a document.
        owns_endings: whether no other format uses these endings.
        narrowed: the conventions that select a part of its annotations.
        kind: what its mentions are: spans, or words as in one of two formats.
        takes_cr: whether its reader accepts CR, LF and CR LF.
        has_gaps: whether a mention may be discontinuous.
        package: the package and version of the plugin that it is from; scoref sets it.
    """

    name: str
    text: str
    read: Callable[[bytes, ReadOptions], Corpus]
    page: str = ""
    detect: Callable[[bytes], bool] | None = None
    is_it: Callable[[bytes], bool] = lambda _: False
    has_fields: Callable[[Fields], bool] | None = None
    read_tokens: Callable[[Corpus, bytes], Tokens | None] | None = None
    turn: int = 0
    is_marked: bool = True
    is_followed: bool = False
    counts: Literal["words", "characters", "numbers", "values"] = "words"
    has_singletons: bool = True
    sides: Mapping[Role, SideField] = {}
    annotation: re.Pattern[bytes] | None = None
    looked_for: str = ""
    endings: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    owns_endings: bool = False
    narrowed: tuple[str, ...] = ()
    kind: Kind = "spans"
    takes_cr: bool = False
    has_gaps: bool = False
    package: str = ""

    def sides_in(self, data: bytes) -> list[Role]:
        """Return the sides that a file holds, judging by their fields."""
        return [role for role, side in self.sides.items() if side.sign.search(data)]


def module(name: str) -> Any:
    """Load a module of this package."""
    return import_module(f"scoref.formats.{name}")


def reader(file: str, name: str = "read") -> Callable[[bytes, ReadOptions], Corpus]:
    """Return a function that loads a module and calls its reader."""

    def read(data: bytes, options: ReadOptions) -> Corpus:
        corpus: Corpus = getattr(module(file), name)(data, options)
        return corpus

    return read


def tokens_of_corpus(corpus: Corpus, _: bytes) -> Tokens | None:
    """Return the text that a reader put into the corpus."""
    return corpus.tokens


_CHAINS: Mapping[Role, SideField] = {
    "key": SideField("coref_chain", re.compile(rb'"coref_chain"')),
    "response": SideField(
        "predicted_coref_chain",
        re.compile(rb'"predicted_coref_chain"\s*:\s*(?!null|""|"UNK")'),
    ),
}

JSON_RECORDS = (
    Format(
        name=FASTCOREF,
        text="text and clusters, as written by fastcoref",
        page="systems#fastcoref",
        read=reader("systems", "read_fastcoref"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_fastcoref,
        takes_cr=True,
        has_singletons=False,
        counts="characters",
        looked_for="'text' and 'clusters'",
        turn=1,
    ),
    Format(
        name=ALLENNLP,
        text="document (words) and clusters, as written by allennlp predict",
        page="systems#allennlp",
        read=reader("systems", "read_allennlp"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_allennlp,
        takes_cr=True,
        has_singletons=False,
        looked_for="'document' and 'clusters'",
        turn=1,
    ),
    Format(
        name=CORENLP,
        text="CoreNLP's JSON: sentences with tokens, and corefs",
        page="systems#corenlp",
        read=reader("systems", "read_corenlp"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_corenlp,
        takes_cr=True,
        looked_for="'sentences' and 'corefs'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=MAVERICK,
        text="tokens and clusters_token_offsets (Maverick, xCoRe)",
        page="systems#maverick-and-xcore",
        read=reader("systems", "read_maverick"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_maverick,
        takes_cr=True,
        has_singletons=False,
        looked_for="'tokens' and 'clusters_token_offsets'",
        turn=-1,
    ),
    Format(
        name=XCORE,
        text="tokens and clusters_token_offsets across documents (xCoRe)",
        page="systems#maverick-and-xcore",
        read=reader("systems", "read_xcore"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_xcore,
        takes_cr=True,
        looked_for="'clusters_token_offsets' with mentions of three numbers",
        turn=-1,
    ),
    Format(
        name=PRECO,
        text="PreCo: sentences and mention_clusters, one document per line",
        page="corpora#preco",
        read=reader("systems", "read_preco"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_preco,
        takes_cr=True,
        looked_for="'sentences' and 'mention_clusters'",
        turn=-1,
    ),
    Format(
        name=SPACY,
        text="spaCy's Doc.to_json() with spans coref_clusters_1, …",
        page="systems#spacy",
        read=reader("systems", "read_spacy"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_spacy,
        takes_cr=True,
        counts="characters",
        looked_for="'spans' with 'coref_clusters_1'",
        turn=-1,
    ),
    Format(
        name=SCORCH,
        text="scorch's clusters or graph of values, one document per file",
        page="systems#scorch",
        read=reader("systems", "read_scorch"),
        has_fields=detection.is_scorch,
        takes_cr=True,
        counts="values",
        looked_for="'type' and 'clusters' by id",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=MAVEN_ERE,
        text="MAVEN-ERE: tokens and events, one document per line",
        page="corpora#maven-ere",
        read=reader("event_corpora", "read_maven_ere"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_maven_ere,
        takes_cr=True,
        looked_for="'tokens' and 'events'",
        turn=-1,
    ),
    Format(
        name=LABEL_STUDIO,
        text="Label Studio's export JSON: tasks with regions and relations",
        page=LABEL_STUDIO,
        read=reader("label_studio"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_label_studio,
        takes_cr=True,
        narrowed=("annotator", "relations"),
        sides={
            "key": SideField(
                "annotations",
                pattern(rb'"(?:annotations|completions)"\s*:\s*\[\s*\{'),
            ),
            "response": SideField(
                "predictions", pattern(rb'"predictions"\s*:\s*\[\s*\{')
            ),
        },
        counts="characters",
        looked_for="'data' and 'annotations'",
        turn=-1,
    ),
    Format(
        name=RUCOCO,
        text="RuCoCo: text, entities and includes, one document per file",
        page="corpora#rucoco",
        read=reader("systems", "read_rucoco"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_rucoco,
        takes_cr=True,
        counts="characters",
        looked_for="'text', 'entities' and 'includes'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=CAS_JSON,
        text="UIMA CAS in JSON, as exported by INCEpTION, one document per file",
        page="annotation-projects#uima-cas",
        read=reader("cas", "read_json"),
        read_tokens=tokens_of_corpus,
        has_fields=lambda fields: "%FEATURE_STRUCTURES" in fields,
        takes_cr=True,
        narrowed=("relations",),
        counts="characters",
        looked_for="'%FEATURE_STRUCTURES'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=COREF_DATA,
        text="coref-data of the Hugging Face Hub: sentences and coref_chains",
        page="corpora#coref-data",
        read=reader("json_corpora", "read_coref_data"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_coref_data,
        takes_cr=True,
        looked_for="'sentences' and 'coref_chains'",
        turn=-1,
    ),
    Format(
        name=CONLL2012_ONTONOTESV5,
        text="the dataset conll2012_ontonotesv5: document_id and sentences",
        page="corpora#conll2012_ontonotesv5",
        read=reader("json_corpora", "read_conll2012_ontonotesv5"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_conll2012_ontonotesv5,
        takes_cr=True,
        looked_for="'document_id' and 'sentences' with 'coref_spans'",
        turn=-1,
    ),
    Format(
        name=DOCRED,
        text="DocRED: sents and vertexSet",
        page="corpora#docred",
        read=reader("json_corpora", "read_docred"),
        read_tokens=tokens_of_corpus,
        has_fields=lambda fields: {"sents", "vertexSet"} <= fields.keys(),
        takes_cr=True,
        looked_for="'sents' and 'vertexSet'",
        turn=-1,
    ),
    Format(
        name=DWIE,
        text="DWIE: content and mentions with their concepts, one document per file",
        page="corpora#dwie",
        read=reader("json_corpora", "read_dwie"),
        read_tokens=tokens_of_corpus,
        has_fields=lambda fields: {"mentions", "concepts"} <= fields.keys(),
        takes_cr=True,
        counts="characters",
        looked_for="'content', 'mentions' and 'concepts'",
        turn=-1,
        endings=(".json",),
    ),
    Format(
        name=UCDCR,
        text="uCDCR's lists of mentions, with their contexts in documents",
        page="corpora#lists-of-mentions",
        read=reader("mention_lists", "read_ucdcr"),
        has_fields=detection.is_ucdcr,
        takes_cr=True,
        sides=_CHAINS,
        has_gaps=True,
        looked_for="'tokens_number_context' and 'context_start_end_global_id'",
        turn=-1,
    ),
    Format(
        name=MENTION_LIST,
        text="lists of mentions by sentence, as of WEC and ECB+ in JSON",
        page="corpora#lists-of-mentions",
        read=reader("mention_lists", "read_mention_list"),
        has_fields=detection.is_mention_list,
        takes_cr=True,
        sides=_CHAINS,
        has_gaps=True,
        counts="values",
        looked_for="'doc_id', 'coref_chain' and 'tokens_number'",
        turn=-1,
    ),
    Format(
        name=DOCCANO,
        text="doccano's JSONL of a project with relations",
        page="annotation-tools#doccano",
        read=reader("annotation_tools", "read_doccano"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_doccano,
        takes_cr=True,
        narrowed=("relations",),
        counts="characters",
        looked_for="'text', 'entities' and 'relations'",
        turn=-1,
    ),
    Format(
        name=PRODIGY,
        text="Prodigy's JSONL of coref.manual or rel.manual",
        page="annotation-tools#prodigy",
        read=reader("annotation_tools", "read_prodigy"),
        read_tokens=tokens_of_corpus,
        has_fields=detection.is_prodigy,
        takes_cr=True,
        narrowed=("annotator", "relations"),
        has_singletons=False,
        looked_for="'tokens' and 'relations'",
        turn=-1,
    ),
)
"""Formats in JSON. Those of turn -1 are asked before JSON lines, because any of
their files may have a ``doc_key``."""


def _read_conll2012(data: bytes, options: ReadOptions) -> Corpus:
    corpus: Corpus
    if options.reading == "reference":
        corpus = module("conll2012_reference").read(data, source=options.source)
    else:
        corpus = module("conll2012").read(
            data, source=options.source, lenient=options.lenient
        )
    if options.layer == "parses":
        corpus = module("trees").with_parses(corpus, data)
    return corpus


def _read_json_lines(data: bytes, options: ReadOptions) -> Corpus:
    corpus: Corpus = module("json_lines").read(
        data,
        source=options.source,
        role=options.role,
        lenient=options.lenient,
        is_shared=options.is_shared,
    )
    return corpus


def _read_corefud(data: bytes, options: ReadOptions) -> Corpus:
    corpus: Corpus = module("corefud").read(
        data,
        source=options.source,
        lenient=options.lenient,
        with_types=options.layer == "types",
    )
    if options.layer == "parses":
        corpus = module("trees").with_tree_heads(corpus, data)
    return corpus


def _read_universal_anaphora(data: bytes, options: ReadOptions) -> Corpus:
    corpus: Corpus = module("universal_anaphora").read(
        data,
        source=options.source,
        lenient=options.lenient,
        deixis=options.layer == "discourse-deixis",
    )
    return corpus


def _tokens(name: str) -> Callable[[Corpus, bytes], Tokens | None]:
    """Return a function that reads the text of a file in a second pass."""

    def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
        tokens: Tokens | None = getattr(module("tokens"), name)(corpus, data)
        return tokens

    return read_tokens


_RECORDS = (
    Format(
        name=CONLL_2012,
        text="brackets in the last column, one token per line",
        page=CONLL_2012,
        is_it=lambda _: True,
        read=_read_conll2012,
        read_tokens=_tokens("of_conll2012"),
        turn=3,
        is_marked=False,
        annotation=pattern(rb"^#\s*begin document\b", re.MULTILINE),
        looked_for="'#begin document' and brackets such as '(3' in the last column",
    ),
    Format(
        name=JSON_LINES,
        text="doc_key, clusters and predicted_clusters, one document per line",
        page=JSON_LINES,
        is_it=lambda start: start.startswith((b"{", b"[")),
        has_fields=detection.is_json_lines,
        takes_cr=True,
        sides={
            "key": SideField("clusters", pattern(rb'"clusters"')),
            "response": SideField(
                "predicted_clusters", pattern(rb'"predicted_clusters"')
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
        is_it=detection.is_corefud,
        read=_read_corefud,
        read_tokens=_tokens("of_corefud"),
        turn=2,
        kind="corefud",
        has_gaps=True,
        is_marked=False,
        is_followed=True,
        annotation=pattern(rb"^# global\.Entity|[\t|]Entity=", re.MULTILINE),
        looked_for="'# global.Entity' and 'Entity=' in the last column, as in CorefUD, "
        "or 'coref_chains=', as stanza writes it",
    ),
    Format(
        name=UNIVERSAL_ANAPHORA,
        text="CONLL-UA with columns IDENTITY, BRIDGING, DISCOURSE_DEIXIS",
        page=UNIVERSAL_ANAPHORA,
        is_it=detection.is_universal_anaphora,
        read=_read_universal_anaphora,
        read_tokens=_tokens("of_universal_anaphora"),
        turn=1,
        kind="universal-anaphora",
        has_gaps=True,
        is_followed=True,
        annotation=pattern(detection.UA_COLUMNS.pattern + rb"|[(|]EntityID="),
        looked_for="'# global.columns' with IDENTITY and 'EntityID='",
    ),
    *JSON_RECORDS,
    Format(
        name=STANZA,
        text="stanza's CoNLL-U with coref_chains= in its last column",
        page="systems#stanza",
        is_it=detection.is_stanza,
        read=reader("stanza"),
        read_tokens=_tokens("of_corefud"),
        turn=1,
        kind="corefud",
    ),
    Format(
        name=WEBANNO,
        text="WebAnno TSV 3, as exported by INCEpTION and used by GUM",
        page=WEBANNO,
        is_it=lambda start: start.startswith(b"#FORMAT=WebAnno TSV 3"),
        narrowed=("relations",),
        read=reader("webanno"),
        endings=(".tsv",),
    ),
    Format(
        name=CAS_XMI,
        text="UIMA CAS in XMI, as exported by INCEpTION, one document per file",
        page="annotation-projects#uima-cas",
        is_it=detection.is_xmi,
        takes_cr=True,
        narrowed=("relations",),
        read=reader("cas", "read_xmi"),
        counts="characters",
        endings=(".xmi",),
    ),
    Format(
        name=BOOKNLP,
        text="BookNLP's .entities, with a .tokens file",
        page="systems#booknlp",
        is_it=lambda start: start.startswith(b"COREF\tstart_token\tend_token\t"),
        read=reader("books", "read_booknlp"),
        endings=(".entities",),
        companions=(".tokens",),
        owns_endings=True,
    ),
    Format(
        name=LITBANK_TSV,
        text="LitBank's MENTION and COREF lines, with a .txt file",
        page="corpora#litbanks-table",
        is_it=lambda start: start.startswith((b"MENTION\tT", b"COREF\tT")),
        read=reader("books", "read_litbank_tsv"),
        endings=(".ann",),
        companions=(".txt",),
    ),
    Format(
        name=LITBANK_BRAT,
        text="LitBank's brat with types such as Mia-0, with a .txt file",
        page=BRAT,
        is_it=detection.is_litbank_brat,
        read=reader("brat", "read_litbank"),
        has_gaps=True,
        counts="characters",
        endings=(".ann",),
        companions=(".txt",),
    ),
    Format(
        name=BRAT,
        text="brat standoff: .ann, with a .txt file",
        page=BRAT,
        is_it=detection.is_brat,
        read=reader("brat"),
        has_gaps=True,
        counts="characters",
        turn=1,
        endings=(".ann",),
        companions=(".txt",),
        owns_endings=True,
    ),
    Format(
        name=MENTION_TABLE,
        text="a table of mentions: document, entity, start, end",
        page=MENTION_TABLE,
        is_it=detection.is_table,
        takes_cr=True,
        read=reader("mention_tables"),
        has_gaps=True,
    ),
    Format(
        name=ECBPLUS,
        text="ECB+'s XML, one document per file",
        page="corpora#ecb",
        is_it=detection.is_ecbplus,
        takes_cr=True,
        narrowed=("markables",),
        read=reader("event_corpora", "read_ecbplus"),
        has_gaps=True,
        endings=(".xml",),
    ),
    Format(
        name=TEI,
        text="TEI with <rs ref> and names that refer to entities",
        page="corpora#tei",
        is_it=detection.is_tei,
        takes_cr=True,
        read=reader("tei"),
        has_gaps=True,
        counts="characters",
        annotation=re.compile(
            rb"<(?:\w+:)?(?:rs|\w*[nN]ame)\b[^<>]*\b(?:ref|key|xml:id)\s*="
        ),
        looked_for="elements <rs ref> or names with 'ref'",
        endings=(".xml",),
    ),
    Format(
        name=TAC_EDL,
        text="TAC's table of entity mentions: run, id, text, document:start-end, …",
        page="mention-table#tac-edl-and-neleval",
        is_it=detection.is_tac,
        read=reader("mention_tables", "read_tac"),
        counts="numbers",
    ),
    Format(
        name=NELEVAL,
        text="neleval's table: document, start, end, entity, score, type",
        page="mention-table#tac-edl-and-neleval",
        is_it=detection.is_neleval,
        read=reader("mention_tables", "read_neleval"),
        counts="numbers",
    ),
)


def _adopt(record: object, package: str) -> Format:
    adopted: Format = module("plugins").adopt(record, package)
    return adopted


FORMATS: Catalogue[Format] = Catalogue(
    _RECORDS, "format", _adopt, taken=("csv", "entities", "gap", "table", "tsv")
)
"""Every format by name, in the order in which they are shown.

Those of plugins come last, and only if they were needed; see `all_formats`.
"""


def all_formats() -> Mapping[str, Format]:
    """Return every format by name, with those of plugins."""
    return FORMATS.with_plugins()


JSON = (b"{", b"[")

_BEGINNING = 1 << 16


def detection_sample(data: bytes) -> bytes:
    """Return the part of a file that shows its format: the beginning, or all of it.

    In JSON any field may be the sign, even the last one. In CoNLL-U the first mention
    may come late.
    """
    start = without_bom(with_line_feeds(data[:_BEGINNING])).lstrip()
    is_late = len(data) > _BEGINNING and detection.is_bare_conllu(start)
    if start[:1] in JSON or is_late:
        return without_bom(with_line_feeds(data)).lstrip()
    return start


def detect_format(start: bytes, key_format: str | None = None) -> str:
    """Detect the format of a file; without a sign, it may be that of the key."""
    if recognised := recognise_format(start):
        return recognised
    is_json = start[:1] in JSON
    if is_json or (start and _first_format(start).name == CONLL_2012):
        plugin = _detect_plugin(start)
        if plugin is not None:
            return plugin
    if is_json:
        return JSON_LINES
    key = FORMATS.get(key_format or "")
    return key.name if key and key.is_followed else _first_format(start).name


def recognise_format(start: bytes) -> str | None:
    """Return the format that a file has signs of; None if there are no signs."""
    if start[:1] in JSON:
        return detect_json_format(start)
    record = _first_format(start)
    has_sign = record.is_marked or detection.BEGIN in start
    return record.name if has_sign else None


def _first_format(start: bytes) -> Format:
    return next(record for record in _by_turn() if record.is_it(start))


def detect_json_format(data: bytes) -> str | None:
    """Detect the format of a JSON file from the fields of its first objects."""
    records = _by_turn()
    for fields in module("json_documents").first_fields(data):
        for record in records:
            if record.has_fields is not None and record.has_fields(fields):
                return record.name
    return None


def _detect_plugin(start: bytes) -> str | None:
    """Ask plugins about a file that has no sign of scoref's own formats."""
    for record in FORMATS.with_plugins().values():
        if record.detect is not None and record.detect(start):
            return record.name
    return None


def _by_turn() -> list[Format]:
    return sorted(FORMATS.values(), key=lambda record: record.turn)
