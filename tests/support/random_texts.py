"""Small annotated texts, drawn at random, and the same found again in files.

They know nothing of brackets, offsets and columns: a mention is a set of tokens of its
document, and two texts are the same if their documents, words, sentences and entities
are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import strategies as st

from scoref.formats.tokens import token_codes
from scoref.matching.ragged import Ragged
from scoref.model import Texts, Tokens
from scoref.tools.convert.content import Content

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Corpus

ODD_WORDS = (
    *("(", ")", "|", "#", "-", "_", "*", '"', "'", "\\", "%", "=", "(0)", "a|b", "&"),
    *("#begin", "Ünïcödé", "東京", "😀", "a\u00a0b", "0", "3.1", "1-2", "T1", "e1)"),
)
BLANK_WORDS = ("New York", "10 000", " x", "y ", "a\tb", "c\nd", "", "\u3000")
_NAMES = ("a", "b_0", "b_1", "news/0001", "x y", "%", "(c)", "..", "d_12", "ü/東", "#1")


class Token(NamedTuple):
    """A word, or an empty node."""

    word: str
    is_empty: bool = False


class Mention(NamedTuple):
    """Tokens of a document in order, and the head, -1 for none."""

    tokens: tuple[int, ...]
    head: int = -1


@dataclass
class Document:
    """A text by sentence, and entities, each a list of mentions."""

    name: str
    sentences: list[list[Token]]
    entities: list[list[Mention]] = field(default_factory=list)

    @property
    def tokens(self) -> list[Token]:
        return [token for sentence in self.sentences for token in sentence]


class Kind(NamedTuple):
    """What drawn texts may have."""

    words: tuple[str, ...] = ("Ada", "she", "the", "house", *ODD_WORDS)
    gaps: bool = True
    zeros: bool = True
    across: bool = True
    heads: bool = True


SPANS = Kind(gaps=False, zeros=False, heads=False)


@st.composite
def texts(draw: st.DrawFn, kind: Kind = Kind()) -> list[Document]:  # noqa: B008
    """Draw some documents; mentions nest, cross, repeat and have gaps."""
    names = draw(st.lists(st.sampled_from(_NAMES), unique=True, min_size=1, max_size=3))
    return [draw(_documents(name, kind)) for name in names]


@st.composite
def _documents(draw: st.DrawFn, name: str, kind: Kind) -> Document:
    words = st.sampled_from(kind.words).map(Token)
    token = st.one_of(words, words, st.just(Token("", True))) if kind.zeros else words  # noqa: FBT003
    sentences = draw(st.lists(st.lists(token, min_size=1, max_size=6), max_size=3))
    document = Document(name, sentences)
    if sentences:
        mention = _mentions(document, kind)
        entity = st.lists(mention, min_size=1, max_size=4)
        document.entities = draw(st.lists(entity, max_size=4))
    return document


@st.composite
def _mentions(draw: st.DrawFn, document: Document, kind: Kind) -> Mention:
    bounds = np.cumsum([0, *map(len, document.sentences)]).tolist()
    sentence = draw(st.integers(0, len(document.sentences) - 1))
    low, high = bounds[sentence], bounds[sentence + 1]
    if kind.across and draw(st.integers(1, 6)) == 1:
        low, high = 0, bounds[-1]
    first, last = sorted(draw(st.tuples(*[st.integers(low, high - 1)] * 2)))
    tokens = list(range(first, last + 1))
    if kind.gaps and len(tokens) > 2 and draw(st.booleans()):
        inner = draw(st.sets(st.sampled_from(tokens[1:-1])))
        tokens = sorted({first, last, *inner})
    head = draw(st.sampled_from(tokens)) if kind.heads else -1
    return Mention(tuple(tokens), head)


def content_of(documents: list[Document]) -> Content:
    """Write texts down as what is converted."""
    tokens = [token for document in documents for token in document.tokens]
    first = np.cumsum([0, *(len(document.tokens) for document in documents)])
    lengths = [len(each) for document in documents for each in document.sentences]
    is_empty = np.array([token.is_empty for token in tokens], dtype=np.bool_)
    entities = [
        (row, entity)
        for row, document in enumerate(documents)
        for entity in document.entities
    ]
    mentions = [
        (number, int(first[row]), mention)
        for number, (row, entity) in enumerate(entities)
        for mention in entity
    ]
    members = [[at + each for each in mention.tokens] for _, at, mention in mentions]
    heads = [at + each.head if each.head >= 0 else -1 for _, at, each in mentions]
    nothing = np.zeros(0, dtype=np.int64)
    return Content(
        source="drawn",
        documents=tuple(document.name for document in documents),
        text=Tokens(
            first=first,
            sentence=np.repeat(np.arange(len(lengths)), lengths),
            line=np.zeros(len(tokens), dtype=np.int64),
            word=Texts.of(token.word for token in tokens),
            code=token_codes(first, is_empty),
        ),
        has_words=True,
        entity_document=_column(row for row, _ in entities),
        entity_label=tuple(f"label {number}" for number in range(len(entities))),
        entity_type=("",) * len(entities),
        is_referring=np.ones(len(entities), dtype=np.bool_),
        mention_entity=_column(number for number, *_ in mentions),
        mention_line=np.zeros(len(mentions), dtype=np.int64),
        mention_text=(),
        members=Ragged(
            np.cumsum([0, *map(len, members)]),
            _column(token for each in members for token in each),
        ),
        head=np.array(heads, dtype=np.int64),
        minimum=Ragged(np.zeros(len(mentions) + 1, dtype=np.int64), nothing),
        plural=nothing,
        element=nothing,
        anaphor=nothing,
        antecedent=nothing,
        relation=(),
    )


def documents_of(content: Content) -> list[Document]:
    """Write what is converted down as texts."""
    text = content.text
    assert content.has_words
    words = text.word.strings()
    documents = []
    for name, (first, last) in zip(
        content.documents, pairwise(text.first.tolist()), strict=True
    ):
        document = Document(name, [])
        for place in range(first, last):
            if text.is_start[place]:
                document.sentences.append([])
            is_empty = bool(text.is_empty[place])
            word = "" if is_empty else words[place]
            document.sentences[-1].append(Token(word, is_empty))
        documents.append(document)
    entities: list[list[Mention]] = [[] for _ in content.entity_label]
    for row, entity in enumerate(content.mention_entity.tolist()):
        offset = int(text.first[content.entity_document[entity]])
        tokens = (content.members.take(np.array([row])).value - offset).tolist()
        head = int(content.head[row])
        mention = Mention(tuple(tokens), head - offset if head >= 0 else -1)
        entities[entity].append(mention)
    for of, each in zip(content.entity_document.tolist(), entities, strict=True):
        documents[of].entities.append(each)
    return documents


def texts_in(corpus: Corpus) -> list[Document]:
    """Find the texts of a corpus that was read with its tokens."""
    tokens = corpus.tokens
    assert tokens is not None
    words = tokens.word.strings()
    is_empty = [False] * len(words)
    if tokens.code is not None:
        is_empty = [code & 0xFFF > 0 for code in tokens.code.tolist()]
    members, sentence = tokens.of_mentions(corpus), tokens.sentence.tolist()
    documents = []
    for row, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        document = Document(corpus.documents[row].aliases[0], [])
        for place in range(first, last):
            if place == first or sentence[place] != sentence[place - 1]:
                document.sentences.append([])
            token = Token("" if is_empty[place] else words[place], is_empty[place])
            document.sentences[-1].append(token)
        documents.append(document)
    entities: list[list[Mention]] = [[] for _ in corpus.entity_label]
    heads = _heads(corpus)
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        offset = int(tokens.first[corpus.entity_document[entity]])
        found = members.member[members.start[row] : members.start[row + 1]] - offset
        head = heads[row] - offset if heads[row] >= 0 else -1
        entities[entity].append(Mention(tuple(np.unique(found).tolist()), head))
    for of, each in zip(corpus.entity_document.tolist(), entities, strict=True):
        documents[of].entities.append(each)
    return documents


def same(documents: Iterable[Document]) -> list[Document]:
    """Put entities and mentions in an order of their own, so that texts compare."""
    return [
        Document(
            document.name,
            [sentence for sentence in document.sentences if sentence],
            sorted(sorted(entity) for entity in document.entities if entity),
        )
        for document in documents
    ]


def headless(documents: Iterable[Document]) -> list[Document]:
    """Forget heads, as most formats do."""
    return [
        Document(
            document.name,
            document.sentences,
            [
                [Mention(mention.tokens) for mention in entity]
                for entity in document.entities
            ],
        )
        for document in documents
    ]


def _heads(corpus: Corpus) -> list[int]:
    if corpus.format != "corefud" or corpus.words is None or corpus.tokens is None:
        return [-1] * len(corpus.mention_entity)
    assert corpus.tokens.code is not None
    place = {code: row for row, code in enumerate(corpus.tokens.code.tolist())}
    return [place[code] for code in corpus.words.head.tolist()]


def _column(values: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.fromiter(values, dtype=np.int64)
