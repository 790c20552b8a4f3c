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
from scoref.formats import detection
from scoref.formats.catalogue import CONLL_2012, FORMATS, WEBANNO
from scoref.formats.input_files import shown, without_bom
from scoref.formats.json_documents import values, whole_fields
from scoref.rules import NOT_ANNOTATED, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoref.formats.detection import Fields


_CONVERTER = (
    "Convert it to CoNLL-2012 or JSON lines with corefconversion (github.com/boberle)."
)

_WEBANNO = "Export it as WebAnno TSV 3."

_WRITE = (
    "Write its mentions as JSON lines (doc_key, sentences, clusters), or as a table "
    "(document, entity, start, end) with token offsets."
)

_RECORDS = (
    "It is about records, not words. Use `scoref table` with a table that has one row "
    "per record, with its id and its cluster."
)


class _OtherFile(NamedTuple):
    """The beginning of a file, what kind of file it is, and what to do about it."""

    pattern: bytes
    what: str
    hint: str


_ARCHIVES = {
    rb"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    rb"Rar!\x1a\x07": "a RAR archive",
    rb"[\s\S]{257}ustar": "a tar archive",
    rb"[\x04\x02][\x22\x21][\x4d\x4c]\x18": "compressed with LZ4",
    rb"\x5d\x00\x00": "compressed with LZMA",
    rb"LZIP\x01": "compressed with lzip",
    rb"\x89LZO\x00": "compressed with lzop",
    rb"\xff\x06\x00\x00sNaPpY": "compressed with Snappy",
    rb"\x1f\x9d": "compressed with compress (.Z)",
}
"""The beginnings of archives and compressed files that scoref does not read."""

_UNPACK = "Unpack it first. scoref reads .gz, .xz, .bz2, .zst and .zip files."

_OTHER_FILES = (
    _OtherFile(rb"\xff\xfe|\xfe\xff", "UTF-16", "Convert it with iconv -t UTF-8."),
    _OtherFile(
        rb"\x80[\x02-\x05]",
        "a pickle, which can run any code when it is read",
        "Write JSON instead: json.dump.",
    ),
    _OtherFile(
        rb"x[\x01\x5e\x9c\xda][\s\S]*\0",
        "packed by zlib, as spaCy's DocBin is",
        "Write JSON instead, one document per line: json.dumps(doc.to_json()).",
    ),
    _OtherFile(
        rb"PAR1|ARROW1|SQLite format 3\0|.{8}DUCK\0?",
        "a table or a database (Parquet, Arrow, SQLite or DuckDB)",
        "Use `scoref table` to score clusterings of records. If it is a dataset of "
        "documents, write it with Dataset.to_json of the library datasets.",
    ),
    _OtherFile(rb"[\s\S]*\0", "a binary file", "Expected a text file."),
    _OtherFile(
        rb"version https://git-lfs\.github\.com/spec/",
        "a Git LFS pointer, not the file itself",
        "Run `git lfs pull` to download the file.",
    ),
    _OtherFile(
        rb"\s*(?:<[?!][^>]*>\s*)*<(?i:html)\b",
        "a web page in HTML",
        "It may be an error page, or a page about the file. Download the raw file.",
    ),
    _OtherFile(
        rb"\s*#FORMAT=WebAnno TSV [12]\b",
        "an old version of WebAnno TSV",
        _WEBANNO,
    ),
    _OtherFile(
        rb"\s*#FORMAT=(?!WebAnno TSV 3)[^\r\n]*",
        "a format that scoref does not read",
        "Expected '#FORMAT=WebAnno TSV 3', found '{line}'.",
    ),
    _OtherFile(
        rb"\s*ID\tText\tPronoun\t",
        "GAP, which has no entities to compare",
        "Use `scoref bias --gap KEY RESPONSE` to score it.",
    ),
    _OtherFile(
        rb"\s*[^\t\n]+\t(?i:true|false)\t(?i:true|false)\r?\n",
        "a response to GAP, which has no entities to compare",
        "Use `scoref bias --gap KEY RESPONSE` to score it.",
    ),
    _OtherFile(
        rb"\s*paragraph_ID\tsentence_ID",
        "BookNLP's tokens, which have no entities",
        "Give the .entities file. The .tokens file next to it is read as well.",
    ),
    _OtherFile(
        rb"\s*#BeginOfDocument",
        "TBF, which scoref does not read",
        "Write its events as JSON lines or as a table of mentions.",
    ),
    _OtherFile(
        rb'\s*\{\s*"_(?:context|views|referenced_fss)"',
        "an old version of UIMA's JSON",
        "Export it as UIMA CAS JSON 0.4.0, UIMA CAS XMI or WebAnno TSV 3.",
    ),
    _OtherFile(
        rb"\s*(?:<\?[^>]*>\s*)*<typeSystemDescription\b",
        "a type system of UIMA, which has no annotations",
        "Give the .xmi file.",
    ),
    _OtherFile(
        rb"\s*(?:<\?xml[^>]*>\s*)?(?:<\?xml-stylesheet[^>]*>\s*)?<root>\s*<document>",
        "CoreNLP's XML",
        "Run CoreNLP with -outputFormat json.",
    ),
    _OtherFile(rb"[\s\S]*?<NEWREFERENCE>", "Cora's references", _RECORDS),
    _OtherFile(rb"\s*(?:<[?!][^>]*>\s*)*<source_file\b", "ACE's APF", _WRITE),
    _OtherFile(rb"\s*(?:<[?!][^>]*>\s*)*<deft_ere\b", "ERE's XML", _WRITE),
    _OtherFile(rb"\s*(?:<[?!][^>]*>\s*)*<[NK]AF\b", "NAF or KAF", _WRITE),
    _OtherFile(rb"\s*(?:<[?!][^>]*>\s*)*<GateDocument\b", "GATE's XML", _WRITE),
    _OtherFile(rb"\s*<[\s\S]*<COREF ID=", "MUC's SGML", _WRITE),
    _OtherFile(
        rb"\s*(?:<[?!][^>]*>\s*)*<(?:markables|annotations|words)\b",
        "XML of Glozz or MMAX",
        _CONVERTER,
    ),
    _OtherFile(
        rb"\s*(?:<[?!][^>]*>\s*)*"
        rb"<(?!Document doc_name=|(?:\w+:)?(?:XMI|TEI|TEI\.2|teiCorpus)\b)"
        rb"[A-Za-z][^>]*>",
        "XML that scoref does not read",
        "ECB+ begins with '<Document doc_name='. This file begins with '{line}'.",
    ),
    _OtherFile(rb"[^{}\n]*\{[A-Za-z]\w*:\w+=\"", "SACR", _CONVERTER),
    _OtherFile(rb'\s*c="[^"\n]*" \d+:\d+ \d+:\d+\|\|', "i2b2's list of chains", _WRITE),
    _OtherFile(
        rb'\s*"?begin"?[,;\t]"?end"?[,;\t][^\n]*entityNum',
        "a table of CorefAnnotator, which has no text",
        "Export CoNLL-2012 from CorefAnnotator.",
    ),
    _OtherFile(
        rb'\s*\[\s*\{\s*"(?:s|e)"\s*:\s*\d',
        "CorefAnnotator's JSON, which cannot separate adjacent mentions",
        "Export CoNLL-2012 from CorefAnnotator.",
    ),
    _OtherFile(
        rb'\s*\[\s*\[\s*\{\s*"id"\s*:',
        "stanza's JSON",
        "Write CoNLL-U instead: CoNLL.write_doc2conll(doc, path).",
    ),
)

_LONGEST = 60


def refuse_other_files(start: bytes, source: str, name: str) -> None:
    """Refuse a file of a known kind that cannot be read as the format ``name``."""
    start = without_bom(start)
    webanno = re.match(rb"\s*#FORMAT=(WebAnno TSV 3\S*)", start)
    if webanno and name != WEBANNO:
        problem = f"this is {shown(webanno[1])}, not {name}"
        raise _error(problem, source, "Leave --format out.")
    refuse_archives(start, source)
    for other in _OTHER_FILES:
        if re.match(other.pattern, start):
            line = shown(start.lstrip().partition(b"\n")[0])[:_LONGEST]
            hint = other.hint.replace("{line}", line)
            raise _error(f"this is {other.what}", source, hint)


def refuse_archives(start: bytes, source: str) -> None:
    """Refuse an archive by its first bytes, and say which kind of archive it is."""
    for pattern, what in _ARCHIVES.items():
        if re.match(pattern, start):
            raise _error(f"this is {what}", source, _UNPACK)


def _error(problem: str, source: str, hint: str) -> FormatError:
    return FormatError(problem, rule=UNREADABLE_FILE, source=source, hint=hint)


_HEADS = re.compile(rb'"coref_head_clusters_\d+"\s*:')


_LABELLED = re.compile(rb'\s*\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*"')


class _OtherJson(NamedTuple):
    """How to recognise an object, what it is, and what to do about it."""

    is_it: Callable[[Fields], bool]
    what: str
    hint: str


_OTHER_JSON = (
    _OtherJson(
        lambda fields: "document" in fields and "clusters" not in fields,
        "this is AllenNLP's input, which has no clusters",
        "Give the output of `allennlp predict --output-file`.",
    ),
    _OtherJson(
        lambda fields: _HEADS.search(fields.get("spans", memoryview(b""))) is not None,
        "this file has only heads of mentions, in groups 'coref_head_clusters_1', …",
        "Write the document after the pipeline has added 'coref_clusters_1', ….",
    ),
    _OtherJson(
        detection.is_from_prodigy,
        "this is Prodigy's JSON without relations",
        "Annotate with coref.manual or rel.manual, whose relations join mentions.",
    ),
    _OtherJson(
        lambda fields: (
            "text" in fields
            and _LABELLED.match(fields.get("label", fields.get("labels", b"")))
            is not None
        ),
        "this is doccano's JSONL without relations",
        "Use relations in the project, and export it as JSONL.",
    ),
    _OtherJson(
        lambda fields: {"text", "tokens", "spans"} <= fields.keys(),
        "this is spaCy's JSON without coreference",
        "Entities must be groups of spans called 'coref_clusters_1', "
        "'coref_clusters_2', ….",
    ),
    _OtherJson(
        lambda fields: {"annotator", "annotation_id"} <= fields.keys(),
        "this is Label Studio's JSON-MIN, which has no relations",
        "Export the project as JSON.",
    ),
    _OtherJson(
        lambda fields: (
            "clusters" in fields and not {"tokens", "sentences"}.isdisjoint(fields)
        ),
        "these documents have no name",
        "Give each document a name in 'doc_key'.",
    ),
)


def refuse_other_json(data: bytes, source: str) -> None:
    """Refuse a file whose first objects have no known format, or are ambiguous.

    Raises:
        FormatError: it names the fields that are there, and those that were expected.
    """
    first = None
    for fields in whole_fields(data):
        first = fields if first is None else first
        if detection.is_ambiguous(fields):
            raise _error(
                "these clusters may count words or characters: there is a 'text', but "
                "no 'tokens', 'sentences' or 'clusters_strings'",
                source,
                "Use --format fastcoref if they count characters, or --format "
                "json-lines if they count words.",
            )
        if detection.is_answer(fields):
            raise _error(
                "these are answers of a language model, not a coreference annotation",
                source,
                "Use `scoref llm KEY ANSWERS` to score them.",
            )
        if detection.is_json_lines(fields) and not detection.is_coref_data(fields):
            return
    if first is not None:
        _refuse_object(first, source)
    elif without_bom(data).lstrip().startswith(b"["):
        next(values(data, source), None)  # raises an error if the array is damaged
        raise _error(
            "this is a JSON array, but not an array of documents",
            source,
            "Expected an array of objects, or one object per line, with "
            f"{_nearest_formats()}",
        )


_QUOTED = re.compile("'([^']+)'")

_NEAREST = 3


def _nearest_formats(fields: Iterable[str] = ()) -> str:
    """List the fields of the JSON formats that have most of these fields."""
    names = {*fields}
    records = [record for record in FORMATS.values() if record.has_fields is not None]
    records.sort(key=lambda record: -len({*_QUOTED.findall(record.looked_for)} & names))
    nearest = (f"{record.looked_for} ({record.name})" for record in records[:_NEAREST])
    return f"{'; '.join(nearest)}. `scoref formats` lists all formats."


def _refuse_object(fields: Fields, source: str) -> None:
    if not fields:
        return
    for other in _OTHER_JSON:
        if other.is_it(fields):
            raise _error(other.what, source, other.hint)
    names = quoted(list(fields), 12)
    problem = f"no known format has the fields {names}"
    raise _error(problem, source, f"Expected {_nearest_formats(fields)}")


_MISC = re.compile(rb"^\d[^\t\n]*(?:\t[^\t\n]*){8}\t([^\t\r\n]*)", re.MULTILINE)

_KEY = re.compile(r"([^=|]+)=")


def missing_annotation(data: bytes, name: str, source: str) -> FormatError | None:
    """Return an error if a file has no sign of annotations, and None if it has one."""
    data = without_bom(data)
    record = FORMATS[name]
    if record.annotation is None or record.annotation.search(data):
        return None
    if name == CONLL_2012:
        line = shown(data.lstrip().partition(b"\n")[0])
        start = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        content = f"no brackets and a first line '{start}'"
    else:
        # The keys in the last column of CoNLL-U, the most frequent ones first.
        cells = (cell[1] for cell in _MISC.finditer(data))
        count = Counter(key for cell in cells for key in _KEY.findall(shown(cell)))
        keys = [f"{key}=" for key, _ in count.most_common()]
        content = f"{quoted(keys, 12) or 'nothing'} there"
    return FormatError(
        "this file has no coreference annotation",
        rule=NOT_ANNOTATED,
        source=source,
        hint=f"Expected {record.looked_for}. Found {content}. If this is {name} "
        f"without any mention, use --format {name}.",
    )
