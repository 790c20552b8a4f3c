"""Messages for files that scoref does not read: what each file is, and what to do.

The messages cover other kinds of files, JSON of no known format or of two, and text
without any sign of annotation. scoref does score a response without mentions, because
a system may find none, but something in the file must show its format, such as a header
or a line ``#begin document``. Without such a sign, the file is the wrong one or in
another format, and a score of 0.00 would be misleading.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, quoted
from scoref.formats import detection as signs
from scoref.formats.catalogue import CONLL_2012, FORMATS, WEBANNO
from scoref.formats.input_files import shown, without_bom
from scoref.formats.json_documents import values, whole_fields
from scoref.rules import NOT_ANNOTATED, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.detection import Fields


_CONVERTER = "corefconversion (github.com/boberle) makes CoNLL-2012 or JSON lines of it"

_WEBANNO = "export it as WebAnno TSV 3"

_RECORDS = (
    "it is about records, not about words: `scoref table` scores a table with a row "
    "for each record, with its id and its cluster"
)


class _Refused(NamedTuple):
    """What a file looks like at its beginning, what it is, and what to do."""

    pattern: bytes
    what: str
    hint: str


_SHOWING = (
    _Refused(rb"\xff\xfe|\xfe\xff", "UTF-16", "iconv -t UTF-8 makes UTF-8 of it"),
    _Refused(
        rb"\x80[\x02-\x05]",
        "a pickle, which can run any code when it is read",
        "write JSON instead: json.dump",
    ),
    _Refused(
        rb"x[\x01\x5e\x9c\xda][\s\S]*\0",
        "packed by zlib, as spaCy's DocBin is",
        "write JSON instead, a document a line: json.dumps(doc.to_json())",
    ),
    _Refused(rb"[\s\S]*\0", "a binary file", "expected a file of text"),
    _Refused(
        rb"version https://git-lfs\.github\.com/spec/",
        "a pointer of Git LFS, not the file itself",
        "`git lfs pull` downloads the file",
    ),
    _Refused(
        rb"\s*(?:<[?!][^>]*>\s*)*<(?i:html)\b",
        "a web page in HTML",
        "it may be an error page, or a page about the file: download the raw file",
    ),
    _Refused(
        rb"\s*#FORMAT=WebAnno TSV [12]\b",
        "an old version of WebAnno TSV",
        _WEBANNO,
    ),
    _Refused(
        rb"\s*#FORMAT=(?!WebAnno TSV 3)[^\r\n]*",
        "a format that is not read here",
        "looked for '#FORMAT=WebAnno TSV 3', found '{line}'",
    ),
    _Refused(
        rb"\s*ID\tText\tPronoun\tPronoun-offset",
        "GAP, which has no entities to compare",
        "`scoref gap KEY RESPONSE` scores it, as its official scorer does",
    ),
    _Refused(
        rb"\s*[^\t\n]+\t(?i:true|false)\t(?i:true|false)\r?\n",
        "a response to GAP, which has no entities to compare",
        "`scoref gap KEY RESPONSE` scores it, as its official scorer does",
    ),
    _Refused(
        rb"\s*paragraph_ID\tsentence_ID",
        "BookNLP's tokens, which have no entities",
        "give the .entities file; the .tokens beside it are read, too",
    ),
    _Refused(
        rb"\s*#BeginOfDocument",
        "TBF, which is not read here",
        "write its events as JSON lines, or as a table of mentions",
    ),
    _Refused(
        rb"\s*<(?:[^>]*>\s*<)*?xmi:XMI",
        "UIMA's XMI",
        _WEBANNO,
    ),
    _Refused(rb'\s*\{\s*"%(?:TYPES|FEATURE_STRUCTURES|VIEWS)"', "UIMA's CAS", _WEBANNO),
    _Refused(
        rb"\s*(?:<\?xml[^>]*>\s*)?(?:<\?xml-stylesheet[^>]*>\s*)?<root>\s*<document>",
        "CoreNLP's XML",
        "run CoreNLP with -outputFormat json",
    ),
    _Refused(rb"[\s\S]*?<NEWREFERENCE>", "Cora's references", _RECORDS),
    _Refused(
        rb"\s*(?:<[?!][^>]*>\s*)*<(?:markables|annotations|words)\b",
        "XML of Glozz or MMAX",
        _CONVERTER,
    ),
    _Refused(
        rb"\s*(?:<[?!][^>]*>\s*)*<(?!Document doc_name=)[A-Za-z][^>]*>",
        "XML that is not read here",
        "ECB+ begins with '<Document doc_name=', this with '{line}'",
    ),
    _Refused(rb"[^{}\n]*\{[A-Za-z]\w*:\w+=\"", "SACR", _CONVERTER),
    _Refused(
        rb'\s*"?begin"?[,;\t]"?end"?[,;\t][^\n]*entityNum',
        "a table of CorefAnnotator, which has no text",
        "export CoNLL-2012 from CorefAnnotator",
    ),
    _Refused(
        rb'\s*\[\s*\{\s*"(?:s|e)"\s*:\s*\d',
        "CorefAnnotator's JSON, which cannot tell neighbouring mentions apart",
        "export CoNLL-2012 from CorefAnnotator",
    ),
    _Refused(
        rb'\s*\[\s*\[\s*\{\s*"id"\s*:',
        "stanza's JSON",
        "write CoNLL-U instead: CoNLL.write_doc2conll(doc, path)",
    ),
    _Refused(
        rb'\s*\[\s*\{[^{}]*"(?:coref_chain|tokens_number)"',
        "a list of mentions for coreference across documents",
        "write a table of mentions, with document, entity, start and end: first and "
        "last of tokens_number",
    ),
)

_LONGEST = 60


def refuse_other_files(start: bytes, source: str, name: str) -> None:
    """Say what a file is that no reader can read, and what to do about it."""
    start = without_bom(start)
    if name != WEBANNO and (
        found := re.match(rb"\s*#FORMAT=(WebAnno TSV 3\S*)", start)
    ):
        raise FormatError(
            f"this is {shown(found[1])}, not {name}",
            rule=UNREADABLE_FILE,
            source=source,
            hint="leave --format out",
        )
    for each in _SHOWING:
        if re.match(each.pattern, start):
            line = shown(start.lstrip().partition(b"\n")[0])[:_LONGEST]
            raise FormatError(
                f"this is {each.what}",
                rule=UNREADABLE_FILE,
                source=source,
                hint=each.hint.replace("{line}", line),
            )


_SHOWN_FIELDS = 12

_HEADS = re.compile(rb'"coref_head_clusters_\d+"\s*:')


class _RefusedJson(NamedTuple):
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
    _RefusedJson(
        signs.is_coref_data,
        "this is coref-data JSON, from the Hugging Face Hub, which is not supported "
        "yet",
        "write JSON lines: the words of each sentence as 'sentences', and "
        "'coref_chains' as 'clusters', counted in words of the document",
    ),
    _RefusedJson(
        lambda fields: "document" in fields and "clusters" not in fields,
        "this is AllenNLP's input, which has no clusters",
        "give what `allennlp predict --output-file` wrote",
    ),
    _RefusedJson(
        lambda fields: _HEADS.search(fields.get("spans", memoryview(b""))) is not None,
        "there are only heads of mentions here, in groups 'coref_head_clusters_1', …",
        "write the document when the pipeline has made 'coref_clusters_1', … of them",
    ),
    _RefusedJson(
        lambda fields: {"text", "tokens", "spans"} <= fields.keys(),
        "this is spaCy's JSON without coreference",
        "entities are groups of spans called 'coref_clusters_1', 'coref_clusters_2', …",
    ),
    _RefusedJson(
        lambda fields: {"annotator", "annotation_id"} <= fields.keys(),
        "this is Label Studio's JSON-MIN, which has no relations",
        "export the project as JSON",
    ),
    _RefusedJson(
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


_WORDS = re.compile(rb"^\d[^\t\n]*(?:\t[^\t\n]*){8}\t([^\t\r\n]*)", re.MULTILINE)

_KEY = re.compile(r"([^=|]+)=")

_MOST_KEYS = 12


def missing_annotation(data: bytes, name: str, source: str) -> FormatError | None:
    """Say what was looked for and what is there, unless there is a sign."""
    data = without_bom(data)
    known = FORMATS[name]
    if known.annotation is None or known.annotation.search(data):
        return None
    seen = _first_line(data) if name == CONLL_2012 else _keys(data)
    return FormatError(
        "there is no coreference annotation in this file",
        rule=NOT_ANNOTATED,
        source=source,
        hint=f"looked for {known.looked_for}, found {seen}; if it is {name} without "
        f"any mention, say so: --format {name}",
    )


def _first_line(data: bytes) -> str:
    line = shown(data.lstrip().partition(b"\n")[0])
    brief = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    return f"no bracket, and a first line '{brief}'"


def _keys(data: bytes) -> str:
    """List what the last column of CoNLL-U holds, the most frequent first."""
    count = Counter(
        key for found in _WORDS.finditer(data) for key in _KEY.findall(shown(found[1]))
    )
    keys = [f"{key}=" for key, _ in count.most_common()]
    return f"{quoted(keys, _MOST_KEYS) or 'nothing'} there"
