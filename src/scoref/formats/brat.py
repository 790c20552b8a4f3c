r"""brat standoff: a text, and beside it what is annotated in it, by characters.

    one.txt    Ada said she would come .
    one.ann    T1	Mention 0 3	Ada
               T2	Mention 9 12	she
               *	Coreference T1 T2

Entities are read from lines of equivalence (``*``), from relations between two mentions
(``R1	Coreference Arg1:T2 Arg2:T1``), or from both; a mention that is in none is an
entity of its own. LitBank says it in another way: a second line for the same
characters, whose type is the entity.

    T1	PROP_PER 0 3	Ada
    T2	Ada-0 0 3	Ada

A text is cut at blanks, and where mentions start or end. Whoever converts it may want
runs of letters and digits instead, and gets them where mentions do not agree with
blanks, as in *Ada's* or *(she)*. A line is a sentence.

A document is two files, called by its name with ``.txt`` and ``.ann``. What the name of
a file may not hold is written ``%20``, as in addresses, but for the slash: folders are
parts of names.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from scoref.formats._brat_lines import LABEL, LITBANK, MENTION, LineReader
from scoref.formats._builder import CorpusBuilder
from scoref.formats._characters import BLANKS, cut
from scoref.formats._folders import text_beside
from scoref.formats._groups import Groups
from scoref.formats._text import decoded
from scoref.formats.format import BRAT, LITBANK_BRAT
from scoref.formats.token_sets import runs_of
from scoref.model import DocumentName, Note, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats._brat_lines import Annotations, TextBound
    from scoref.formats._characters import Cut
    from scoref.formats.format import Asked, Splitting
    from scoref.model import Corpus

    Entities = dict[str, list[TextBound]]

_WORDS = re.compile(r"\w+|[^\w\s]")
_LAST_BLANK = 0x3000  # of Unicode


class BratDocument(NamedTuple):
    """A document: its name, its text, its annotations, and what to call these."""

    name: str
    text: str
    annotations: bytes
    source: str


def read(data: bytes, asked: Asked) -> Corpus:
    """Read one document, whose text lies beside its annotations."""
    return read_pair(_pair(data, asked), asked.splitting)


def read_litbank(data: bytes, asked: Asked) -> Corpus:
    """Read one document that says entities as LitBank does."""
    said, corpus_of = _said(_pair(data, asked), LITBANK_BRAT)
    return corpus_of(_labelled(said), asked.splitting)


def read_pair(pair: BratDocument, splitting: Splitting | None = None) -> Corpus:
    """Read one document that is in memory."""
    said, corpus_of = _said(pair, BRAT)
    return corpus_of(_joined(said), splitting)


def document_name(file: str) -> str:
    """Say which document a file is of, by its name without the suffix.

    >>> document_name("bc/cctv_0"), document_name("%2E%2E/a%20b"), document_name("%")
    ('bc/cctv_0', '../a b', '')
    """
    parts = ["" if part == "%" else part for part in file.split("/")]
    return "/".join(map(unquote, parts))


def _pair(data: bytes, asked: Asked) -> BratDocument:
    text = text_beside(asked.source, ".txt")
    return BratDocument(document_name(asked.document), text, data, asked.source)


def _said(
    pair: BratDocument, name: str
) -> tuple[Annotations, Callable[[Entities, Splitting | None], Corpus]]:
    """Understand the lines of a document, and say how entities make a corpus of it."""
    said = LineReader(pair.text, pair.source).read(
        decoded(pair.annotations, pair.source)
    )

    def corpus_of(entities: Entities, splitting: Splitting | None) -> Corpus:
        spans = [each.spans for each in chain(*entities.values())]
        borders = list(chain(*chain(*spans)))
        text = _Text.of(pair.text, borders, splitting)
        # LitBank has lines of appositions and copulas, which it does not join.
        others = _others(said, pair.source) if name == BRAT else []
        notes = [*text.notes(pair.source), *others]
        return _corpus(pair, name, entities, text.tokens, notes)

    return said, corpus_of


def _joined(said: Annotations) -> Entities:
    """Put together what lines put together, in the order of first mentions."""
    mentions = {mention.name: mention for mention in said.mentions}
    groups = Groups(mentions)
    for group in said.groups:
        for name in group[1:]:
            groups.join(group[0], name)
    lists = enumerate(groups.lists())
    return {str(number): [mentions[name] for name in names] for number, names in lists}


def _labelled(said: Annotations) -> Entities:
    """Put together what has the same label, which is a line for the same characters.

    A mention without one is an entity of its own.
    """
    labels = {
        each.spans: each.type
        for each in said.mentions
        if LABEL.fullmatch(each.type) and not LITBANK.fullmatch(each.type)
    }
    entities: Entities = {}
    for each in said.mentions:
        if LITBANK.fullmatch(each.type):
            label = labels.get(each.spans, each.name)
            entities.setdefault(label, []).append(each)
    return entities


class _Text(NamedTuple):
    """A text that was cut, and what there is to tell of that."""

    tokens: Cut
    splitting: Splitting | None
    cuts: int

    @classmethod
    def of(cls, text: str, borders: list[int], splitting: Splitting | None) -> _Text:
        """Cut a text; ``auto`` takes blanks if mentions agree with them."""
        if splitting in {None, "blanks", "auto"}:
            found = cut(text, borders)
            cuts = len(found.start) - len(cut(text).start) if splitting else 0
            if splitting != "auto" or not cuts:
                return cls(found, splitting, cuts)
        words = list(chain(*(each.span() for each in _WORDS.finditer(text))))
        blanks = "".join(filter(str.isspace, map(chr, range(_LAST_BLANK + 1))))
        whole = cut(text, words, blanks=blanks)
        found = cut(text, chain(words, borders), blanks=blanks or BLANKS)
        return cls(found, "words", len(found.start) - len(whole.start))

    def notes(self, source: str) -> list[Note]:
        """Tell whoever asked what tokens are, and where they had to be cut."""
        notes = []
        if self.splitting == "words":
            message = f"{source}: tokens are runs of letters, not what blanks separate"
            notes.append(Note("split-words", len(self.tokens.start), message))
        if self.cuts:
            message = f"{source}: {self.cuts} tokens cut where a mention starts or ends"
            notes.append(Note("cut-tokens", self.cuts, message))
        return notes


def _others(said: Annotations, source: str) -> list[Note]:
    if not said.others:
        return []
    message = f"{source}: {said.others} lines of other annotations not read"
    return [Note("other-annotations", said.others, message)]


def _corpus(
    pair: BratDocument, name: str, entities: Entities, tokens: Cut, notes: list[Note]
) -> Corpus:
    builder = CorpusBuilder(pair.source, name, has_labels=False)
    count = len(tokens.start)
    document = builder.add_document(DocumentName.plain(pair.name), line=1, tokens=count)
    for label, mentions in entities.items():
        entity = builder.add_entity(label, document)
        kind = mentions[0].type if name == BRAT else MENTION
        builder.entity_type.append("" if kind == MENTION else kind)
        for mention in mentions:
            runs = runs_of(_members(mention, tokens))
            builder.add_mention(entity, runs, mention.line)
    text = Tokens(
        first=np.array([0, count]),
        sentence=tokens.sentence,
        line=np.zeros(count, dtype=np.int64),
        word=tokens.word,
    )
    return builder.build(notes, tokens=text)


def _members(mention: TextBound, tokens: Cut) -> list[int]:
    """List the tokens of a mention."""
    start, end = np.array(mention.spans, dtype=np.int64).T
    found: set[int] = set()
    for a, b in zip(*(run.tolist() for run in tokens.runs(start, end)), strict=True):
        found.update(range(a, b + 1))
    return sorted(found)
