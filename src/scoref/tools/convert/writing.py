"""Content written as bytes, the labels of entities, and mentions put on another text.

Labels only say which mentions belong together. They are kept if the format allows them
and no two entities would share one. Otherwise all entities of a document, or of the
file, get new labels. Mentions can also be written into a base, which is a file with the
same words and further annotation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from string import digits
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError
from scoref.formats import (
    brat,
    cas,
    conll2012_writer,
    corefud_writer,
    json_lines,
    mention_tables,
    ua_writer,
    webanno,
)
from scoref.formats.base_text import (
    base_of_file,
    plain_base,
    with_relations,
    with_trees,
)
from scoref.formats.catalogue import COREFUD, MENTION_TABLE, STANZA, UNIVERSAL_ANAPHORA
from scoref.formats.tokens import sentences_of, token_codes
from scoref.matching.labels import Labels
from scoref.matching.ragged import Ragged
from scoref.matching.same_text import refuse_other_words
from scoref.model import (
    EMPTY,
    SENTENCE_BITS,
    WORD_BITS,
    Anaphora,
    Corpus,
    DocumentName,
    Words,
    WordSets,
)
from scoref.tools.convert.content import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.formats.base_text import Base
    from scoref.model import Ints, Sentences, Tokens
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.sources import SourceContent

    Files = dict[str, bytes]


_NUMBER = re.compile(r"[0-9]+")

_FEW = 2
"""Local numbers: the labels of all documents are at most so many times those of one."""


def labels_join_documents(content: Content) -> bool:
    """Guess whether labels join entities of several documents.

    Numbers do not if each document starts again, also with the same letters before
    them (e1, e2, …) or with gaps. Then all documents together have few labels.
    """
    names = content.entity_label
    letters = {name.rstrip(digits) for name in names}
    if len(letters) == 1:
        names = tuple(name.removeprefix(*letters) for name in names)
    labels = Labels("key", content.source, names, content.entity_document)
    are_few = labels.entities <= _FEW * int(labels.size.max())
    are_local = are_few and all(map(_NUMBER.fullmatch, names))
    return not are_local and labels.are_global()


def numeric_labels(content: Content) -> Content:
    """Number the entities of each document from 0, whatever their labels were."""
    return _relabel(content, re.compile(r"(?!)"), str)


def json_labels(content: Content) -> Content:
    """Keep labels that join entities of several documents; others are not written."""
    joins = labels_join_documents(content)
    return text_labels(content) if joins else numeric_labels(content)


def conll2012_labels(content: Content) -> Content:
    """Keep numbers, because the reference scorer reads nothing else.

    A label that is used in several documents gets the same number everywhere.
    """
    distinct = dict.fromkeys(content.entity_label)
    is_across = len(distinct) < len(content.entity_label)
    if not is_across or all(map(_NUMBER.fullmatch, distinct)):
        return _relabel(content, _NUMBER, str)
    numbers = {label: str(row) for row, label in enumerate(distinct)}
    labels = tuple(numbers[label] for label in content.entity_label)
    return _relabel(content._replace(entity_label=labels), _NUMBER, str)


_UA_LABEL = re.compile(r"(?!.*-Pseudo$)[^|(),\s]+")


def ua_labels(content: Content) -> Content:
    """Keep labels without brackets, bars, commas and blanks."""
    return _relabel(content, _UA_LABEL, lambda row: f"e{row + 1}")


_ANY_LABEL = re.compile(r".+", re.DOTALL)


def text_labels(content: Content) -> Content:
    """Keep labels that distinguish the entities of a document."""
    return _relabel(content, _ANY_LABEL, str)


# SplitAnte= has '<', ',' and ':' around labels; bare numbers are unusual.
_COREFUD_LABEL = re.compile(r"(?![0-9]+$)[^-=|()\[\]\s<>,:]+")


def corefud_labels(content: Content) -> Content:
    """Keep labels that distinguish the entities of all documents.

    New ones start with zeros, so that their order is that of the entities.
    """
    if _can_keep(content.entity_label, _COREFUD_LABEL):
        return content
    count = len(content.entity_label)
    width = len(str(count))
    labels = tuple(f"e{number:0{width}}" for number in range(1, count + 1))
    return content._replace(entity_label=labels)


def _relabel(
    content: Content, pattern: re.Pattern[str], new_label: Callable[[int], str]
) -> Content:
    """Give the entities of a document new labels if some of them cannot be kept."""
    rows_of_document: dict[int, list[int]] = defaultdict(list)
    for row, document in enumerate(content.entity_document.tolist()):
        rows_of_document[document].append(row)
    labels = list(content.entity_label)
    for rows in rows_of_document.values():
        if not _can_keep([labels[row] for row in rows], pattern):
            for number, row in enumerate(rows):
                labels[row] = new_label(number)
    return content._replace(entity_label=tuple(labels))


def _can_keep(labels: Sequence[str], pattern: re.Pattern[str]) -> bool:
    is_distinct = len(set(labels)) == len(labels)
    return is_distinct and all(map(pattern.fullmatch, labels))


ONLY_FILE = ""
"""The name of the only file, in formats that hold all documents in one file."""


def write_conll2012(content: Content, _: SourceContent) -> Files:
    """Write CoNLL-2012."""
    return {ONLY_FILE: conll2012_writer.write(_by_document(content))}


def write_json_lines(content: Content, _: SourceContent) -> Files:
    """Write JSON lines, with labels if these join entities of several documents."""
    labelled = labels_join_documents(content)
    return {ONLY_FILE: json_lines.write(_by_document(content), labelled=labelled)}


def write_brat(content: Content, _: SourceContent) -> Files:
    """Write two files for each document."""
    return brat.write(_by_document(content))


def write_webanno(content: Content, _: SourceContent) -> Files:
    """Write WebAnno TSV, a file for each document."""
    return webanno.write(_by_document(content))


def write_cas_json(content: Content, _: SourceContent) -> Files:
    """Write UIMA CAS in JSON, a file for each document."""
    return cas.write(_by_document(content))


def write_tsv(content: Content, _: SourceContent) -> Files:
    """Write a table of mentions with tabs."""
    corpus, texts = _by_document(content), content.mention_text
    return {ONLY_FILE: mention_tables.write(corpus, delimiter="\t", texts=texts)}


def write_csv(content: Content, _: SourceContent) -> Files:
    """Write a table of mentions with commas."""
    corpus, texts = _by_document(content), content.mention_text
    return {ONLY_FILE: mention_tables.write(corpus, delimiter=",", texts=texts)}


def write_corefud(content: Content, source: SourceContent) -> Files:
    """Write CorefUD, into the text of the source if it has one."""
    base = with_trees(_base(content, source))
    base = with_relations(base, _split_antecedents(content))
    corpus = _by_sentence(content, base)
    return {ONLY_FILE: corefud_writer.write(corpus, base.data)}


def write_universal_anaphora(content: Content, source: SourceContent) -> Files:
    """Write Universal Anaphora, into the text of the source if it has one."""
    base = _base(content, source)
    corpus = _by_sentence(content, base)
    return {ONLY_FILE: ua_writer.write(corpus, base.data)}


def _base(content: Content, source: SourceContent) -> Base:
    """Use the text of a CoNLL-U file, or make one of the words alone."""
    if source.data and source.format in {COREFUD, STANZA, UNIVERSAL_ANAPHORA}:
        # Documents in several parts of a file are joined, so lines change their order.
        is_in_order = bool((np.diff(content.text.line) > 0).all())
        base = base_of_file(source.data, source.format, content.text.line)
        if is_in_order and base is not None:
            return base
    return plain_base(content.documents, content.text)


def _split_antecedents(content: Content) -> dict[int, bytes]:
    """Write the elements of plurals, at the first word of their first mentions."""
    values: dict[int, list[str]] = defaultdict(list)
    pairs = zip(content.plural.tolist(), content.element.tolist(), strict=True)
    for plural, element in pairs:
        mention = int(np.searchsorted(content.mention_entity, plural))
        labels = content.entity_label[element], content.entity_label[plural]
        values[int(content.mention_first[mention])].append("<".join(labels))
    return {
        row: b"SplitAnte=" + ",".join(pairs).encode() for row, pairs in values.items()
    }


def _by_document(content: Content) -> Corpus:
    """Make a corpus whose words are counted by document."""
    text, (start, row) = content.text, content.members
    code = token_codes(text.first, text.is_empty)
    tokens = text._replace(code=code) if content.has_words else None
    first, last = content.mention_first, content.mention_last
    offset = text.first[content.mention_document]
    is_span = bool((last - first + 1 == np.diff(start)).all())
    return _corpus(
        content,
        words=None
        if is_span and tokens is None
        else _words(WordSets(start, code[row]), code[first], sentences_of(tokens)),
        start=first - offset,
        end=last - offset,
        tokens=tokens,
    )


def _by_sentence(content: Content, base: Base) -> Corpus:
    """Make a corpus whose words have the codes of a base."""
    start, row = content.members
    head = np.where(content.head == NONE, content.mention_first, content.head)
    words = _words(WordSets(start, base.code[row]), base.code[head], base.sentences)
    start, row = content.minimum
    words = words._replace(minimum=WordSets(start, base.code[row]))
    first, last = base.code[content.mention_first], base.code[content.mention_last]
    return _corpus(content, words=words, start=first, end=last, tokens=None)


def _corpus(
    content: Content,
    *,
    words: Words | None,
    start: Ints,
    end: Ints,
    tokens: Tokens | None,
) -> Corpus:
    count = len(content.documents)
    return Corpus(
        source=content.source,
        format=COREFUD,
        documents=tuple(map(DocumentName.plain, content.documents)),
        document_tokens=None,
        document_line=np.zeros(count, dtype=np.int64),
        entity_document=content.entity_document,
        entity_label=content.entity_label,
        entity_type=content.entity_type,
        mention_entity=content.mention_entity,
        mention_start=start,
        mention_end=end,
        mention_line=content.mention_line,
        words=words,
        tokens=tokens,
        anaphora=Anaphora(
            # Markables without names get new ones.
            markable=("",) * len(content.mention_entity),
            is_referring=content.is_referring,
            plural=content.plural,
            element=content.element,
            anaphor=content.anaphor,
            antecedent=content.antecedent,
            relation=content.relation,
        ),
    )


def _words(sets: WordSets, head: Ints, sentences: Sentences) -> Words:
    count = len(head)
    return Words(
        sentences=sentences,
        start=sets.start,
        member=sets.member,
        head=head,
        is_zero=np.zeros(count, dtype=np.bool_),
        head_upos=np.zeros(count, dtype=np.uint64),
        dependencies={},
    )


_BASE_HINT = "The base must have the text that the mentions are from."


def put_onto_base(
    source: SourceContent, base: SourceContent, *, fills: bool
) -> Content:
    """Put the mentions of a source onto the text of a base.

    Documents are paired by name, or by order if no names agree. Words are paired by
    their number in the document. With ``fills``, mentions of a source without empty
    nodes get the empty nodes of the base between their words.
    """
    content, text = source.content, base.content.text
    if not base.content.has_words:
        raise AlignmentError(
            "this base has no words",
            source=base.content.source,
            hint=_BASE_HINT,
        )
    documents = _pair_documents(source, base)
    place = _pair_tokens(content, base.content, documents)
    moved = content._replace(
        documents=base.content.documents,
        text=text,
        has_words=True,
        entity_document=documents[content.entity_document],
        members=Ragged(content.members.start, place[content.members.value]),
        minimum=Ragged(content.minimum.start, place[content.minimum.value]),
        head=np.where(content.head < 0, content.head, place[content.head]),
    )
    moved = moved.by_document()
    _refuse_other_texts(moved)
    moved = moved._replace(mention_text=())
    if fills and not content.text.is_empty.any() and text.is_empty.any():
        return _add_empty_nodes(moved)
    return moved


def _pair_documents(source: SourceContent, base: SourceContent) -> Ints:
    """Find the document of the base for each document of the source."""
    ours, theirs = source.content.documents, base.content.documents
    row_of = {name: row for row, name in enumerate(theirs)}
    # CoNLL-2012 may omit the number of part 0.
    row_of |= {
        name.removesuffix("_0"): row
        for name, row in row_of.items()
        if name.removesuffix("_0") not in row_of
    }
    rows = [row_of.get(name, row_of.get(f"{name}_0", -1)) for name in ours]
    if max(rows, default=-1) < 0 and len(ours) == len(theirs):
        return np.arange(len(ours))
    for name, row in zip(ours, rows, strict=True):
        if row < 0:
            raise AlignmentError(
                f"document '{name}' of {source.content.source} is missing here",
                source=base.content.source,
                hint=_BASE_HINT,
            )
    missing = sorted({*range(len(theirs))}.difference(rows))
    # A table of mentions does not list documents without mentions.
    if missing and source.format != MENTION_TABLE:
        raise AlignmentError(
            f"document '{theirs[missing[0]]}' is not in {source.content.source}",
            source=base.content.source,
            hint=_BASE_HINT,
        )
    return np.array(rows, dtype=np.int64)


_PLACE = (1 << SENTENCE_BITS) - 1


def _pair_tokens(content: Content, base: Content, documents: Ints) -> Ints:
    """Find the token of the base for each token of the content."""
    text, other = content.text, base.text
    if content.has_words:
        _refuse_other_lengths(content, base, documents)
    ours = token_codes(text.first, text.is_empty)
    ours = documents[ours >> SENTENCE_BITS] << np.int64(SENTENCE_BITS) | ours & _PLACE
    theirs = token_codes(other.first, other.is_empty)
    place: Ints = np.searchsorted(theirs, ours)
    missing = np.flatnonzero(np.append(theirs, NONE)[place] != ours)
    if len(missing):
        code = int(ours[missing[0]])
        number, empty = (code & _PLACE) >> WORD_BITS, code & EMPTY
        shown = f"empty node {number}.{empty}" if empty else f"word {number}"
        raise AlignmentError(
            f"document '{base.documents[code >> SENTENCE_BITS]}' has no "
            f"{shown}, but a mention in {content.source} has it",
            source=base.source,
            hint=_BASE_HINT,
        )
    if content.has_words:
        refuse_other_words(
            text.overt,
            other.overt.of_documents(documents),
            sources=(content.source, base.source),
            hint=_BASE_HINT,
        )
    return place


def _refuse_other_lengths(content: Content, base: Content, documents: Ints) -> None:
    """Refuse a base whose documents have more or fewer words."""
    ours, theirs = (np.diff(side.text.overt.first) for side in (content, base))
    for row, document in enumerate(documents.tolist()):
        if ours[row] != theirs[document]:
            raise AlignmentError(
                f"document '{base.documents[document]}' has "
                f"{theirs[document]:,} words here but {ours[row]:,} in "
                f"{content.source}",
                source=base.source,
                hint=_BASE_HINT,
            )


def _refuse_other_texts(content: Content) -> None:
    """Refuse a base in which mentions do not have the texts that a table gives."""
    words = content.text.word.strings()
    both = zip(content.lists(), content.mention_text, strict=False)
    for row, (tokens, table_text) in enumerate(both):
        base_text = " ".join(words[token] for token in tokens)
        if table_text and table_text != base_text:
            raise AlignmentError(
                f"this mention is '{base_text}' in the base, but '{table_text}' here",
                source=content.source,
                line=int(content.mention_line[row]) or None,
                hint=_BASE_HINT,
            )


def _add_empty_nodes(content: Content) -> Content:
    """Add the empty nodes between consecutive words of a mention."""
    is_empty = content.text.is_empty
    members = content.lists()
    for tokens in members:
        for before, after in pairwise(list(tokens)):
            between = range(before + 1, after)
            if between and is_empty[before + 1 : after].all():
                tokens.extend(between)
        tokens.sort()
    return content.with_members(members)
