"""Content as bytes: made into a corpus, for the writer of each format."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import (
    COREFUD,
    UNIVERSAL_ANAPHORA,
    brat_writer,
    conll2012_writer,
    corefud_writer,
    json_lines_writer,
    mention_table,
    universal_anaphora_writer,
)
from scoref.formats.base_text import (
    base_of_file,
    plain_base,
    with_relations,
    with_trees,
)
from scoref.formats.format import STANZA
from scoref.formats.token_sets import codes, sentences_of
from scoref.model import Anaphora, Corpus, DocumentName, Words, WordSets
from scoref.tools.convert.content import NOBODY
from scoref.tools.convert.labels import go_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.base_text import Base
    from scoref.model import Ints, Sentences, Tokens
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.sources import SourceContent

    Files = dict[str, bytes]

ONE = ""
"""The name of the only file."""


def conll_2012(content: Content, _: SourceContent) -> Files:
    """Write CoNLL-2012."""
    return {ONE: conll2012_writer.write(_by_document(content))}


def json_lines(content: Content, _: SourceContent) -> Files:
    """Write JSON lines, with labels if these join entities of several documents."""
    labelled = go_on(content)
    return {ONE: json_lines_writer.write(_by_document(content), labelled=labelled)}


def brat_files(content: Content, _: SourceContent) -> Files:
    """Write two files for each document."""
    return brat_writer.write(_by_document(content))


def _table(delimiter: str) -> Callable[[Content, SourceContent], Files]:
    def written(content: Content, _: SourceContent) -> Files:
        corpus, texts = _by_document(content), content.mention_text
        return {ONE: mention_table.write(corpus, delimiter=delimiter, texts=texts)}

    return written


TABLES = {"tsv": _table("\t"), "csv": _table(",")}


def corefud(content: Content, source: SourceContent) -> Files:
    """Write CorefUD, into the text that the source has, if it has one."""
    base = with_trees(_base(content, source))
    base = with_relations(base, _split_antecedents(content))
    corpus = _by_sentence(content, base)
    return {ONE: corefud_writer.write(corpus, base.data)}


def universal_anaphora(content: Content, source: SourceContent) -> Files:
    """Write Universal Anaphora, into the text that the source has, if it has one."""
    base = _base(content, source)
    corpus = _by_sentence(content, base)
    return {ONE: universal_anaphora_writer.write(corpus, base.data)}


def _by_document(content: Content) -> Corpus:
    """Make a corpus whose words are counted by document."""
    text, (start, row) = content.text, content.members
    code = codes(text.first, text.is_empty)
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
    """Make a corpus whose words are called as in a base."""
    start, row = content.members
    head = np.where(content.head == NOBODY, content.mention_first, content.head)
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
            # Without names of their own all markables get new ones.
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


def _base(content: Content, source: SourceContent) -> Base:
    """Take the text of a file that is CoNLL-U, or make one of bare words."""
    if source.format in {COREFUD, STANZA, UNIVERSAL_ANAPHORA}:
        # A document that goes on later in the file is put together.
        in_order = bool((np.diff(content.text.line) > 0).all())
        base = base_of_file(source.data, source.format, content.text.line)
        if in_order and base is not None:
            return base
    return plain_base(content.documents, content.text)


def _split_antecedents(content: Content) -> dict[int, bytes]:
    """Write what plurals stand for, at the first word of their first mentions."""
    values: dict[int, list[str]] = defaultdict(list)
    pairs = zip(content.plural.tolist(), content.element.tolist(), strict=True)
    for plural, element in pairs:
        mention = int(np.searchsorted(content.mention_entity, plural))
        names = content.entity_label[element], content.entity_label[plural]
        values[int(content.mention_first[mention])].append("<".join(names))
    return {
        row: b"SplitAnte=" + ",".join(pairs).encode() for row, pairs in values.items()
    }
