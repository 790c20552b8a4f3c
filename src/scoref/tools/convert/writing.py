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
    conll2012_writer,
    corefud_writer,
    json_lines,
    mention_tables,
    ua_writer,
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
from scoref.tools.convert.content import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoref.formats.base_text import Base
    from scoref.model import Ints, Sentences, Tokens
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.sources import SourceContent

    Files = dict[str, bytes]


_SEVERAL = 2  # times the labels of a document, if they are not its own

_NUMBER = re.compile(r"[0-9]+")

# SplitAnte= has names with '<', ',' and ':' around them; bare numbers are unusual.
_COREFUD = re.compile(r"(?![0-9]+$)[^-=|()\[\]\s<>,:]+")

_UNIVERSAL_ANAPHORA = re.compile(r"(?!.*-Pseudo$)[^|(),\s]+")

_ANYTHING = re.compile(r".+", re.DOTALL)


def go_on(content: Content) -> bool:
    """Tell whether labels join entities of several documents, as far as one can see.

    Numbers join nothing where each document starts anew, also with the same letters
    before them (e1, e2, …), or with gaps: then there are few for all documents.
    """
    names = content.entity_label
    letters = {name.rstrip(digits) for name in names}
    if len(letters) == 1:
        names = tuple(name.removeprefix(*letters) for name in names)
    labels = Labels("key", content.source, names, content.entity_document)
    are_few = labels.entities <= _SEVERAL * int(labels.size.max())
    are_local = are_few and all(map(_NUMBER.fullmatch, names))
    return not are_local and labels.are_global()


def numeric_labels(content: Content) -> Content:
    """Count the entities of each document from 0, whatever they were called."""
    return _relabelled(content, re.compile(r"(?!)"), str)


def json_labels(content: Content) -> Content:
    """Keep names that join entities of several documents; others are not written."""
    return text_labels(content) if go_on(content) else numeric_labels(content)


def known_numeric_labels(content: Content) -> Content:
    """Keep numbers: the reference scorer of CoNLL-2012 reads nothing else.

    Names that go on in another document get the same number everywhere.
    """
    distinct = dict.fromkeys(content.entity_label)
    is_across = len(distinct) < len(content.entity_label)
    if not is_across or all(map(_NUMBER.fullmatch, distinct)):
        return _relabelled(content, _NUMBER, str)
    numbers = {name: str(place) for place, name in enumerate(distinct)}
    names = tuple(numbers[name] for name in content.entity_label)
    return _relabelled(content._replace(entity_label=names), _NUMBER, str)


def ua_labels(content: Content) -> Content:
    """Keep names without brackets, bars, commas and blanks."""
    return _relabelled(content, _UNIVERSAL_ANAPHORA, lambda row: f"e{row + 1}")


def text_labels(content: Content) -> Content:
    """Keep names that tell the entities of a document apart."""
    return _relabelled(content, _ANYTHING, str)


def corefud_labels(content: Content) -> Content:
    """Keep names that tell the entities of all documents apart.

    New ones have zeros in front, so that their order is that of the entities.
    """
    if _are_fine(content.entity_label, _COREFUD):
        return content
    count = len(content.entity_label)
    width = len(str(count))
    names = tuple(f"e{number:0{width}}" for number in range(1, count + 1))
    return content._replace(entity_label=names)


def changed(before: Content, after: Content) -> int:
    """Count the entities that have another name than before."""
    both = zip(before.entity_label, after.entity_label, strict=True)
    return sum(old != new for old, new in both)


def _relabelled(
    content: Content, kept: re.Pattern[str], name: Callable[[int], str]
) -> Content:
    of_document: dict[int, list[int]] = defaultdict(list)
    for row, document in enumerate(content.entity_document.tolist()):
        of_document[document].append(row)
    labels = list(content.entity_label)
    for rows in of_document.values():
        if not _are_fine([labels[row] for row in rows], kept):
            for number, row in enumerate(rows):
                labels[row] = name(number)
    return content._replace(entity_label=tuple(labels))


def _are_fine(labels: Iterable[str], kept: re.Pattern[str]) -> bool:
    found = list(labels)
    return len(set(found)) == len(found) and all(map(kept.fullmatch, found))


ONE = ""
"""The name of the only file."""


def conll_2012(content: Content, _: SourceContent) -> Files:
    """Write CoNLL-2012."""
    return {ONE: conll2012_writer.write(_by_document(content))}


def json_lines_files(content: Content, _: SourceContent) -> Files:
    """Write JSON lines, with labels if these join entities of several documents."""
    labelled = go_on(content)
    return {ONE: json_lines.write(_by_document(content), labelled=labelled)}


def brat_files(content: Content, _: SourceContent) -> Files:
    """Write two files for each document."""
    return brat.write(_by_document(content))


def _table(delimiter: str) -> Callable[[Content, SourceContent], Files]:
    def written(content: Content, _: SourceContent) -> Files:
        corpus, texts = _by_document(content), content.mention_text
        return {ONE: mention_tables.write(corpus, delimiter=delimiter, texts=texts)}

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
    return {ONE: ua_writer.write(corpus, base.data)}


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


_PLACE = (1 << SENTENCE_BITS) - 1

_SAME = "the base must be the text that the mentions are from"


def based(source: SourceContent, base: SourceContent, *, fills: bool) -> Content:
    """Put a source's mentions upon a base's text.

    Documents are paired by name, or by order if no names agree; words by their number
    in the document. With ``fills``, a mention of a source that knows no empty nodes
    has those that stand between its words.
    """
    content, text = source.content, base.content.text
    if not base.content.has_words:
        raise AlignmentError(
            "there are no words in this base", source=base.content.source, hint=_SAME
        )
    documents = _paired(source, base)
    place = _places(content, base.content, documents)
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
    _check_texts(moved)
    moved = moved._replace(mention_text=())
    if fills and not content.text.is_empty.any() and text.is_empty.any():
        return _filled(moved)
    return moved


def _paired(source: SourceContent, base: SourceContent) -> Ints:
    """Find the base's document for each of the source's."""
    ours, theirs = source.content.documents, base.content.documents
    known = {name: row for row, name in enumerate(theirs)}
    # A part 0 of CoNLL-2012 may go without its number.
    known |= {
        name.removesuffix("_0"): row
        for name, row in known.items()
        if name.removesuffix("_0") not in known
    }
    rows = [known.get(name, known.get(f"{name}_0", -1)) for name in ours]
    if max(rows, default=-1) < 0 and len(ours) == len(theirs):
        return np.arange(len(ours))
    for name, row in zip(ours, rows, strict=True):
        if row < 0:
            raise AlignmentError(
                f"there is no document '{name}', but in {source.content.source}",
                source=base.content.source,
                hint=_SAME,
            )
    found = set(rows)
    missing = [name for row, name in enumerate(theirs) if row not in found]
    # A table of mentions has no documents without any.
    if missing and source.format != MENTION_TABLE:
        raise AlignmentError(
            f"document '{missing[0]}' is not in {source.content.source}",
            source=base.content.source,
            hint=_SAME,
        )
    return np.array(rows, dtype=np.int64)


def _places(content: Content, base: Content, documents: Ints) -> Ints:
    """Find the base's token for each token of the content."""
    text, other = content.text, base.text
    if content.has_words:
        _check_lengths(content, base, documents)
    mine = token_codes(text.first, text.is_empty)
    mine = documents[mine >> SENTENCE_BITS] << np.int64(SENTENCE_BITS) | mine & _PLACE
    theirs = token_codes(other.first, other.is_empty)
    place: Ints = np.searchsorted(theirs, mine)
    missing = np.flatnonzero(np.append(theirs, NOBODY)[place] != mine)
    if len(missing):
        code = int(mine[missing[0]])
        number, empty = (code & _PLACE) >> WORD_BITS, code & EMPTY
        shown = f"empty node {number}.{empty}" if empty else f"word {number}"
        raise AlignmentError(
            f"document '{base.documents[code >> SENTENCE_BITS]}' has no {shown}, but a "
            f"mention of {content.source} has",
            source=base.source,
            hint=_SAME,
        )
    if content.has_words:
        refuse_other_words(
            text.overt,
            other.overt.of_documents(documents),
            sources=(content.source, base.source),
            hint=_SAME,
        )
    return place


def _check_lengths(content: Content, base: Content, documents: Ints) -> None:
    ours, theirs = (np.diff(each.text.overt.first) for each in (content, base))
    for row, document in enumerate(documents.tolist()):
        if ours[row] != theirs[document]:
            raise AlignmentError(
                f"document '{base.documents[document]}' has {theirs[document]} words, "
                f"but {ours[row]} in {content.source}",
                source=base.source,
                hint=_SAME,
            )


def _check_texts(moved: Content) -> None:
    """See that mentions have the texts that the rows of a table say."""
    words = moved.text.word.strings()
    both = zip(moved.lists(), moved.mention_text, strict=False)
    for row, (tokens, said) in enumerate(both):
        found = " ".join(words[token] for token in tokens)
        if said and said != found:
            raise AlignmentError(
                f"this mention is '{found}' in the base, and not '{said}'",
                source=moved.source,
                line=int(moved.mention_line[row]) or None,
                hint=_SAME,
            )


def _filled(content: Content) -> Content:
    """Add the empty nodes between words that follow each other."""
    is_empty = content.text.is_empty
    members = content.lists()
    for tokens in members:
        for before, after in pairwise(list(tokens)):
            between = range(before + 1, after)
            if between and is_empty[before + 1 : after].all():
                tokens.extend(between)
        tokens.sort()
    return content.with_members(members)
