"""Readers of lists of mentions for coreference across documents: uCDCR, WEC and ECB+.

    [{"coref_chain": "HUM1", "doc_id": "10", "sent_id": 0, "tokens_number": [7, 8],
      "tokens_str": "the pirates", "topic_id": "12", "subtopic_id": "12ecb"}]

Such a list is an array of mentions of many documents, without their full texts.
``coref_chain`` is the entity. The response is ``predicted_coref_chain`` if any mention
of the file has one that is not ``UNK``, and ``coref_chain`` otherwise.

``tokens_number`` counts the words of a sentence. In uCDCR, a mention also has a
context: ``context_start_end_global_id`` is its first and last word in the document, and
``tokens_number_context`` are the words of the mention in it. Mentions of uCDCR are
therefore words of their document, as in tables of mentions. Those of other lists are
numbers of sentences and words, which only such lists have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scoref.errors import FormatError
from scoref.formats.catalogue import MENTION_LIST, UCDCR
from scoref.formats.input_files import shown
from scoref.formats.json_documents import Form, JsonCollector
from scoref.formats.tokens import runs_of
from scoref.model import DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, MISSING_CLUSTERS
from scoref.topics import Topic

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.formats.json_documents import JsonValue
    from scoref.model import Corpus


class _Mention(msgspec.Struct):
    doc_id: str | int
    tokens_number: list[int]
    coref_chain: str | int | None = None
    predicted_coref_chain: str | int | None = None
    sent_id: int | None = None
    topic_id: str | int | None = None
    subtopic_id: str | int | None = None
    mention_type: str | int | None = None
    context_start_end_global_id: tuple[int, int] | None = None
    tokens_number_context: list[int] | None = None

    def document(self) -> str:
        """Return the name of the document, which is unique only within its subtopic."""
        if self.subtopic_id is None:
            return str(self.doc_id).removesuffix(".xml")
        return f"{self.topic_id}/{self.subtopic_id}/{self.doc_id}"

    def topic(self) -> Topic | None:
        """Return the topic of the document; -1 is none."""
        if self.topic_id in {None, "", -1, "-1"}:
            return None
        subtopic = None if self.subtopic_id is None else str(self.subtopic_id)
        return Topic(str(self.topic_id), subtopic)


_NONE = frozenset((None, "", "UNK", "NA"))
"""Chains of mentions that have none."""

_EXAMPLE = '[{"doc_id": "...", "coref_chain": "...", "tokens_number": [7, 8]'

_FORMS = {
    UCDCR: Form(
        UCDCR,
        _Mention,
        _EXAMPLE + ', "context_start_end_global_id": [0, 82], '
        '"tokens_number_context": [7, 8]}, ...]',
        has_labels=True,
    ),
    MENTION_LIST: Form(
        MENTION_LIST, _Mention, _EXAMPLE + ', "sent_id": 0}, ...]', has_labels=True
    ),
}

_SENTENCE = 1 << 24


def read_ucdcr(data: bytes, options: ReadOptions) -> Corpus:
    """Read a list of mentions that are words of documents."""
    return _read(data, options, UCDCR)


def read_mention_list(data: bytes, options: ReadOptions) -> Corpus:
    """Read a list of mentions that are words of sentences."""
    return _read(data, options, MENTION_LIST)


def _read(data: bytes, options: ReadOptions, name: str) -> Corpus:
    collector = JsonCollector(options.source, _FORMS[name], lenient=options.lenient)
    mentions = list(collector.records(data))
    is_predicted = options.role == "response" and (
        options.is_shared
        or any(mention.predicted_coref_chain not in _NONE for mention, _ in mentions)
    )
    field = "predicted_coref_chain" if is_predicted else "coref_chain"
    builder = collector.builder
    documents: dict[str, int] = {}
    entities: dict[tuple[int, str], int] = {}
    types: list[str] = []
    for mention, value in mentions:
        chain = mention.predicted_coref_chain if is_predicted else mention.coref_chain
        runs = _runs(mention, name)
        if chain in _NONE or not runs:
            kind = "unreadable-mentions" if chain not in _NONE else "without-a-chain"
            lacks = field if chain in _NONE else ""
            error = _error(mention, value, name, lacks, options.source)
            collector.faults.report(kind, error)
            continue
        label, document = str(chain), mention.document()
        if document not in documents:
            row = builder.add_document(DocumentName.plain(document), line=value.line)
            documents[document] = row
            if topic := mention.topic():
                builder.topics[row] = topic
        row = documents[document]
        if (row, label) not in entities:
            entities[row, label] = builder.add_entity(label, row)
        builder.add_mention(entities[row, label], runs, value.line)
        types.append("" if mention.mention_type is None else str(mention.mention_type))
    collector.refuse_no_document()
    if any(types):
        builder.mention_type = types
    return builder.build(collector.faults.notes(), has_tokens=False)


def _runs(mention: _Mention, name: str) -> list[tuple[int, int]]:
    """Return the words of a mention in the document; nothing if it cannot be one."""
    words, first, most = mention.tokens_number, (mention.sent_id or 0) * _SENTENCE, 0
    if name == UCDCR:
        context = mention.context_start_end_global_id
        if context is None or mention.tokens_number_context is None:
            return []
        words, first = mention.tokens_number_context, context[0]
        most = context[1] - first + 1
    if not words or first < 0 or min(words) < 0 or max(words) >= (most or _SENTENCE):
        return []
    return runs_of([first + word for word in sorted(set(words))])


def _error(
    mention: _Mention, value: JsonValue, name: str, field: str, source: str
) -> FormatError:
    """Say what a mention lacks: a chain in a field, or words."""
    problem = f"{value.path}: this mention has no '{field}'"
    hint = "Each mention needs the chain that it is in."
    if not field:
        words = mention.tokens_number
        problem = f"{value.path}: {words} are not words of a sentence"
        hint = "'tokens_number' counts the words of the sentence 'sent_id' from 0."
        if name == UCDCR:
            words = mention.tokens_number_context or []
            context = mention.context_start_end_global_id
            problem = f"{value.path}: {words} are not words of the context {context}"
            hint = (
                "'context_start_end_global_id' is the first and the last word of the "
                "context in the document, and 'tokens_number_context' counts in it."
            )
    return FormatError(
        problem.removeprefix(": "),
        rule=MISSING_CLUSTERS if field else IMPOSSIBLE_SPAN,
        source=source,
        line=value.line,
        text=shown(bytes(value.data[:1000]).partition(b"\n")[0]),
        hint=hint,
    )
