"""Files that are not read here: what each is, and the way round.

Whoever has such a file is told what it is, and not that its first line is no row of
CoNLL-2012.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoref.errors import FormatError
from scoref.formats._text import shown, without_bom
from scoref.formats.format import WEBANNO
from scoref.rules import UNREADABLE_FILE

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
