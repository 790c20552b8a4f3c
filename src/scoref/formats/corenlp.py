"""CoreNLP's JSON: sentences of tokens, and chains of mentions.

    {"docId": "d.txt",
     "sentences": [{"tokens": [{"word": "Mia", "originalText": "Mia"}]}],
     "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2, "text": "Mia"}]}}

Sentences and tokens are counted from 1, and the end lies behind the last token. Words
are what the text has: ``word`` may be ``-LRB-``. A document a file, which names it if
``docId`` does not; a server's answers may be lines or an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scoref.formats._json_documents import Form, file_document, read_documents
from scoref.formats._json_spans import JsonDocument, JsonEntity, Misplaced
from scoref.formats.format import CORENLP
from scoref.model import DocumentName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus


class _Token(msgspec.Struct):
    word: str = ""
    originalText: str = ""  # noqa: N815 - the name of the field


class _Sentence(msgspec.Struct):
    tokens: list[_Token]


class _Mention(msgspec.Struct):
    sentNum: int  # noqa: N815
    startIndex: int  # noqa: N815
    endIndex: int  # noqa: N815
    text: str | None = None


class _Record(msgspec.Struct):
    sentences: list[_Sentence]
    corefs: dict[str, list[_Mention]] | None = None
    docId: str | None = None  # noqa: N815


_FORM = Form(
    CORENLP,
    _Record,
    '{"sentences": [{"tokens": [...]}, ...], "corefs": {"1": [...], ...}}',
    is_named_by_file=True,
    has_labels=True,
    objects=("corefs",),
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read CoreNLP's output."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    if record.corefs is None:
        raise Misplaced("", "there is no coreference in this file", _ANNOTATE)
    entities = [
        JsonEntity(
            label,
            [
                (each.sentNum - 1, each.startIndex - 1, each.endIndex - 1)
                for each in chain
            ],
            f"corefs.{label}",
            [each.text for each in chain],
        )
        for label, chain in record.corefs.items()
    ]
    tokens = [sentence.tokens for sentence in record.sentences]
    yield JsonDocument(
        _named(record.docId),
        entities,
        [[each.originalText or each.word for each in sentence] for sentence in tokens],
        is_end_included=False,
        spelt=[[each.word for each in sentence] for sentence in tokens],
    )


_ANNOTATE = "CoreNLP finds chains with the annotator coref: -annotators ...,coref"


def _named(name: str | None) -> DocumentName | None:
    if not name:
        return None
    return DocumentName(name, (file_document(name), name))
