"""Classes of mentions: by size, length, range, part of speech, type, or a user's table.

Slices, errors, agreement and the report use these classes. `classes_of` returns a class
for each mention of one side.

The type of a mention (pronoun, name, noun) is the type of its head. It comes from the
first of these that is known:

1. the head's part of speech in CorefUD. An empty node is a zero in any case;
2. the parts of speech of a CoNLL-2012 key. The head is that of the key's parse. Without
   a parse, it is the last noun, name or pronoun before the first word that usually
   starts a modifier, such as a preposition or a comma;
3. a list of pronouns of the key's language (`scoring/pronouns.py`), if a file has words
   only. Then any other mention is ``other``.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import FormatError, OptionError, UnreadableFileError
from scoref.formats.catalogue import COREFUD
from scoref.matching.documents import pair_names
from scoref.model import SENTENCE_BITS, WORD_BITS, Note
from scoref.model.arrays import starts
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scoring.pronouns import (
    ENGLISH,
    LANGUAGES,
    is_pronoun,
    language_of,
    longest_pronoun,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scoref.contingency.memberships import Listings
    from scoref.matching.parse_trees import Trees
    from scoref.model import Corpus, DocumentName, Ints, Parses

UNKNOWN = "_"
"""The class of mentions of which nothing is known."""


def classes_of(
    kind: str, side: Listings, size: Ints, key: Corpus | None = None
) -> list[str]:
    """Return the class of each mention of one side; entities have these sizes.

    The text of the ``key`` holds for both sides. If it is not given, it is the side's.
    """
    corpus, needed = side.corpus, ""
    if kind == "upos" and not has_heads(corpus):
        needed = "heads of mentions"
    elif kind == "entity-type" and corpus.entity_type is None:
        needed = "types of entities"
    if needed:
        raise OptionError(
            f"--by {kind} needs CorefUD files, because only they have "
            f"{needed}. {corpus.source} is {corpus.format}"
        )
    if kind == "mention-type":
        return mention_types(corpus, side.row, key)
    return _CLASSES[kind](side, size)


def in_order(names: set[str], kind: str) -> Sequence[str]:
    """Sort the names of classes in the order in which they are shown."""
    usual = _ORDER.get(kind)
    if usual:
        return [name for name in usual if name in names]
    return sorted(names, key=lambda name: (kind == "class" and name == UNKNOWN, name))


_SIZES = ("1", "2-10", "11-")

_LENGTHS = ("1", "2", "3-5", "6-10", "11-")

RANGES = ("0", "1-10", "11-100", "101-1000", "1001-")
"""Classes of entities by the words between their first head and their last."""


def _by_entity_size(side: Listings, size: Ints) -> list[str]:
    return _in_bins(size[side.entity], _SIZES)


def _by_mention_length(side: Listings, _: Ints) -> list[str]:
    corpus = side.corpus
    sets = corpus.words or corpus.pieces
    if sets is not None:
        length = np.diff(sets.start)[side.row]
    else:
        length = (corpus.mention_end - corpus.mention_start + 1)[side.row]
    return _in_bins(length, _LENGTHS)


def _by_entity_range(side: Listings, size: Ints) -> list[str]:
    return _in_bins(entity_ranges(side, len(size))[side.entity], RANGES)


def _in_bins(values: Ints, bins: Sequence[str]) -> list[str]:
    """Return the bin of each number; ``2-10`` has the numbers from 2 to 10."""
    firsts = [int(name.partition("-")[0]) for name in bins[1:]]
    return list(np.array(bins)[np.searchsorted(firsts, values, side="right")])


def entity_ranges(side: Listings, count: int) -> Ints:
    """Count the words from the first head of each entity to the last.

    Heads are those of CorefUD. In other formats, the first word of a mention counts.
    """
    place = _head_places(side.corpus)[side.row]
    first = np.full(count, np.iinfo(np.int64).max)
    last = np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(first, side.entity, place)
    np.maximum.at(last, side.entity, place)
    return np.where(last >= first, last - np.minimum(first, last), 0)


def _head_places(corpus: Corpus) -> Ints:
    """Return the place of each mention's head; the words of a document are counted."""
    words = corpus.words
    if words is None:
        return corpus.mention_start
    head = words.head if words.tree_head is None else words.tree_head
    number = (head & ((1 << SENTENCE_BITS) - 1)) >> WORD_BITS
    if words.by_document:
        first = words.member[words.start[:-1]]
        place: Ints = (first & ((1 << SENTENCE_BITS) - 1)) >> WORD_BITS
        return place
    before: Ints = starts(words.sentences.word_count)[head >> SENTENCE_BITS]
    return before + number


def _by_upos(side: Listings, _: Ints) -> list[str]:
    return _head_upos(side.corpus, side.row)


def _head_upos(corpus: Corpus, rows: Ints) -> list[str]:
    words = corpus.words
    assert words is not None
    # Without named heads, first words say little of a mention; trees say more.
    upos = words.head_upos
    if words.tree_upos is not None:
        upos = np.where(words.is_zero, upos, words.tree_upos)
    codes = upos[rows].tolist()
    texts = [code.to_bytes(8, "little").rstrip(b"\0").decode() for code in codes]
    return [text or UNKNOWN for text in texts]


def _by_entity_type(side: Listings, _: Ints) -> list[str]:
    corpus, types = side.corpus, side.corpus.entity_type
    assert types is not None
    rows = corpus.mention_entity[side.row].tolist()
    return [types[row] or UNKNOWN for row in rows]


_CLASSES: dict[str, Callable[[Listings, Ints], list[str]]] = {
    "entity-size": _by_entity_size,
    "mention-length": _by_mention_length,
    "entity-range": _by_entity_range,
    "upos": _by_upos,
    "entity-type": _by_entity_type,
}

MENTION_CLASSES = (*_CLASSES, "mention-type")
"""What mentions are grouped by, rather than documents or links."""

MENTION_TYPES = ("pronoun", "proper", "common", "zero", "other")
"""The types of mentions, in the order in which they are shown."""

_ORDER = {
    "entity-size": _SIZES,
    "mention-length": _LENGTHS,
    "entity-range": RANGES,
    "mention-type": MENTION_TYPES,
}


def has_heads(corpus: Corpus) -> bool:
    """Return whether mentions have heads with a part of speech, as in CorefUD."""
    return corpus.words is not None and not corpus.words.by_document


def has_mention_types(corpus: Corpus, key: Corpus | None = None) -> bool:
    """Return whether `mention_types` can tell the types of mentions."""
    texts = (corpus, key or corpus)
    return has_heads(corpus) or any(
        one.parses is not None or one.tokens is not None or one.later is not None
        for one in texts
    )


def mention_types(corpus: Corpus, rows: Ints, key: Corpus | None = None) -> list[str]:
    """Return ``pronoun``, ``proper``, ``common``, ``zero`` or ``other`` by mention.

    Args:
        corpus: the side that the mentions are of.
        rows: the mentions, as rows of the corpus.
        key: the side whose parts of speech and words hold for both; the corpus itself
            if not given.

    Raises:
        OptionError: the files have neither parts of speech nor words.
    """
    key = key or corpus
    if _has_upos(corpus) and _has_upos(key):
        types = [_type_of_tag(tag) for tag in _head_upos(corpus, rows)]
    else:
        key = key.with_tokens()
        language = text_language(key) or ENGLISH
        texts = _short_texts(corpus, rows, key, longest_pronoun(language))
        is_known = {text: is_pronoun(text, language) for text in {*texts}}
        types = ["pronoun" if is_known[text] else "other" for text in texts]
    if has_heads(corpus):
        assert corpus.words is not None
        for at in np.flatnonzero(corpus.words.is_zero[rows]).tolist():
            types[at] = "zero"
    if corpus.words is None and has_tags(key):
        assert key.parses is not None
        heads = _TaggedHeads(key)
        places = _places_in_key(corpus, rows, key)
        for at, place in enumerate(places):
            tag = heads.tag(*place)
            known = _type_of_tag(tag)
            # Demonstratives are pronouns that have the tag of a determiner.
            if known != "other" or (tag and types[at] != "pronoun"):
                types[at] = known
    return types


def type_notes(
    key: Corpus, response: Corpus, *, is_english_usual: bool = False
) -> list[Note]:
    """Say that types come from a list of pronouns, if they do.

    Args:
        key: the side whose text holds for both.
        response: the other side.
        is_english_usual: say nothing if the text is clearly English, or so short that
            its language cannot be known.
    """
    is_listed = not _has_upos(key) and not has_tags(key)
    if not is_listed and (not has_heads(response) or _has_upos(response)):
        return []
    language = text_language(key.with_tokens())
    name = LANGUAGES[language or ENGLISH].name
    if not is_listed:
        message = (
            f"{WARNING}{response.source} has no parts of speech, but {key.source} has. "
            f"Pronouns of the response were recognised by a list of {name} pronouns; "
            "its other mentions are in the class 'other'. `scoref convert --base` "
            "copies parts of speech."
        )
        return [Note("pronoun-list", 1, message)]
    is_expected = language == ENGLISH or (language is None and _is_short(key))
    if is_english_usual and is_expected:
        return []
    are_spans = key.format == COREFUD and key.words is None
    why = "was compared as spans, without" if are_spans else "has no"
    message = (
        f"{key.source} {why} parts of speech. Pronouns were recognised by a list "
        f"of {name} pronouns; all other mentions are in the class 'other'."
    )
    if language is None:
        known = ", ".join(each.name for each in LANGUAGES.values())
        # A short text is seldom recognised, whatever its language.
        sign = "" if _is_short(key) else WARNING
        message = (
            f"{sign}{message} The language of the text was not recognised. If it is "
            "not English, use --by class with a table of classes (--classes FILE). "
            f"Languages with a list: {known}."
        )
    return [Note("pronoun-list", 1, message)]


def text_language(key: Corpus) -> str | None:
    """Find the language of a text by frequent words; None if it is not clear."""
    if key.tokens is None:
        return None
    size = len(key.tokens.line)
    is_sampled = np.zeros(size, dtype=np.bool_)
    is_sampled[:: size // _SAMPLE + 1] = True
    return language_of(key.tokens.keep(is_sampled).forms(""))


_SAMPLE = 5000
"""Words that are enough to find a language; a thousand always were in tests."""


def _is_short(key: Corpus) -> bool:
    tokens = key.with_tokens().tokens
    return tokens is None or len(tokens.line) < _SAMPLE // 5


def _has_upos(corpus: Corpus) -> bool:
    """Return whether a CorefUD file has parts of speech; one without mentions has."""
    if not has_heads(corpus):
        return False
    rows = np.arange(len(corpus.mention_entity))
    return not rows.size or {*_head_upos(corpus, rows)} != {UNKNOWN}


def has_tags(key: Corpus) -> bool:
    """Return whether a CoNLL-2012 file has parts of speech."""
    if key.parses is None or key.words is not None:
        return False
    tags = key.parses.tag
    length = tags.end - tags.start
    if (length > 1).any():
        return True
    some = tags.take(np.flatnonzero(length == 1)[:1000])
    return any(tag not in _NO_TAGS for tag in some.texts())


_NO_TAGS = frozenset((b"", b"-", b"_", b"*"))

_TYPES = {
    "pronoun": ("PRON", "PRP", "PRP$", "WP", "WP$", "PN"),
    "proper": ("PROPN", "NNP", "NNPS", "NR", "NOUN_PROP"),
    "common": ("NOUN", "NN", "NNS", "NT"),
}
"""Universal parts of speech, and the tags of OntoNotes in English, Chinese, Arabic."""

_TYPE_OF_TAG = {tag: name for name, tags in _TYPES.items() for tag in tags}


def _type_of_tag(tag: str) -> str:
    """Return the type of a mention whose head has this part of speech.

    >>> [_type_of_tag(tag) for tag in ("PRP$", "NOUN_PROP+CASE", "PRON_3MS", "VBD")]
    ['pronoun', 'proper', 'pronoun', 'other']
    """
    stem = tag.partition("+")[0]
    if stem not in _TYPE_OF_TAG and stem != "NOUN_PROP":
        stem = stem.partition("_")[0]
    return _TYPE_OF_TAG.get(stem, "other")


_PLACE = tuple[int, int, int]


class _TaggedHeads:
    """Parts of speech of the heads of mentions, from the columns of a key."""

    def __init__(self, key: Corpus) -> None:
        from scoref.matching.parse_trees import Trees  # few keys have parses

        assert key.parses is not None
        self._parses: Parses = key.parses
        self._trees: Trees = Trees(key, wanted_for="--by mention-type")
        self._end = np.append(key.parses.first[1:], len(key.parses.line))

    def tag(self, document: int, start: int, end: int) -> str:
        """Return the part of speech of a mention's head; "" if it is not known."""
        if document < 0 or self._parses.first[document] + end >= self._end[document]:
            return ""
        first = int(self._parses.first[document]) + start
        tags = self._parses.tag.texts(slice(first, first + end - start + 1))
        from scoref.matching.parse_trees import head_word

        try:
            head = head_word(self._trees, document, start, end)
        except FormatError:  # the parse is damaged or missing
            head = None
        tag = _head_tag(tags) if head is None else tags[head - start]
        return "" if tag in _NO_TAGS else tag.decode("utf-8", "replace")


_NOUNS = (b"N", b"PR", b"PN", b"WP")

_MODIFIERS = (b"IN", b"TO", b"WDT", b"WRB", b"VB", b"ADP", b"SCONJ", b"VERB", b",")


def _head_tag(tags: Sequence[bytes]) -> bytes:
    """Return the part of speech of the head if there is no parse.

    >>> _head_tag([b"DT", b"NN", b"NN", b"IN", b"NNP"])
    b'NN'
    """
    noun = b""
    for tag in tags:
        if noun and tag.startswith(_MODIFIERS):
            break
        if tag.startswith(_NOUNS):
            noun = tag
    return noun or tags[-1]


def _places_in_key(corpus: Corpus, rows: Ints, key: Corpus) -> list[_PLACE]:
    """Return the key's document, and the first and last token, of each mention."""
    document = _key_documents(corpus, key)[corpus.mention_document[rows]]
    start, end = corpus.mention_start[rows], corpus.mention_end[rows]
    return list(zip(document.tolist(), start.tolist(), end.tolist(), strict=True))


def _key_documents(corpus: Corpus, key: Corpus) -> Ints:
    """Return the key's row of each document of a corpus; -1: the key lacks it."""
    if corpus is key:
        return np.arange(len(key.documents))
    names = pair_names(key.documents, corpus.documents, by_alias=True)
    is_named = any(document.aliases for document in (*key.documents, *corpus.documents))
    if not is_named and len(key.documents) == len(corpus.documents):
        return np.arange(len(key.documents))
    rows = np.full(len(corpus.documents), -1, dtype=np.int64)
    there = np.flatnonzero(names >= 0)
    rows[names[there]] = there
    return rows


def _short_texts(corpus: Corpus, rows: Ints, key: Corpus, longest: int) -> list[str]:
    """Return the words of mentions, from the corpus itself or from the key.

    Mentions with more words than the ``longest`` pronoun may have empty texts.
    """
    own = corpus.with_tokens()
    if own.tokens is not None:
        sets = own.tokens.of_mentions(own).take(rows)
        short = np.flatnonzero(np.diff(sets.start) <= longest)
        sets = sets.take(short)
        is_used = np.zeros(len(own.tokens.line), dtype=np.bool_)
        is_used[sets.member] = True
        forms = own.tokens.keep(is_used).forms("")
        member = (np.cumsum(is_used) - 1)[sets.member].tolist()
        texts = [""] * len(rows)
        ends = pairwise(sets.start.tolist())
        for row, (a, b) in zip(short.tolist(), ends, strict=True):
            texts[row] = " ".join([forms[token] for token in member[a:b]])
        return texts
    tokens = key.with_tokens().tokens
    if tokens is None or corpus.words is not None or key.words is not None:
        raise OptionError(
            "--by mention-type needs parts of speech or words, and "
            f"{corpus.source} ({corpus.format}) has neither",
            hint="Use --by class with a table of classes (--classes FILE).",
        )
    forms, texts = tokens.forms(""), []
    for document, start, end in _places_in_key(corpus, rows, key):
        if document < 0:
            texts.append("")
            continue
        first, last = tokens.first[document : document + 2].tolist()
        texts.append(" ".join(forms[first + start : min(first + end + 1, last)]))
    return texts


class ClassTable(NamedTuple):
    """Classes of mentions that a user wrote: by document, first and last token."""

    source: str
    rows: dict[tuple[str, int, int], tuple[str, int]]  # the class and its line

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ClassTable:
        """Read a table with the columns document, start, end and class."""
        from scoref.formats.mention_tables import named_rows, tokens_of

        source, columns = os.fspath(path), ("document", "start", "end", "class")
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise UnreadableFileError.of(error, source) from error
        rows: dict[tuple[str, int, int], tuple[str, int]] = {}
        for line, values in named_rows(data, source, columns, columns):
            tokens = tokens_of(values, line, source)
            place = values["document"], tokens[0], tokens[-1]
            name = values["class"].strip() or UNKNOWN
            if rows.setdefault(place, (name, line))[0] != name:
                raise FormatError(
                    f"tokens {place[1]} to {place[2]} of '{place[0]}' have another "
                    f"class in line {rows[place][1]}",
                    source=source,
                    line=line,
                    hint="A mention must have one class.",
                )
        if not rows:
            raise FormatError(
                "this table of classes has no rows",
                source=source,
                hint="Give a row for each mention: document, start, end and class.",
            )
        return cls(source, rows)

    def classes(self, corpus: Corpus, rows: Ints) -> tuple[list[str], set[int]]:
        """Return the class of some mentions, and the lines of the table that fit any.

        Lines also fit mentions that are not scored, such as singletons.
        """
        start, end = (place.tolist() for place in _token_places(corpus))
        documents = [_names_of(document) for document in corpus.documents]
        classes: list[str] = []
        lines: set[int] = set()
        for row, document in enumerate(corpus.mention_document.tolist()):
            places = [(name, start[row], end[row]) for name in documents[document]]
            entries = [self.rows[place] for place in places if place in self.rows]
            classes.append(entries[0][0] if entries else UNKNOWN)
            lines.update(line for _, line in entries)
        return [classes[row] for row in rows.tolist()], lines

    def notes(self, fitting: set[int], corpora: Iterable[Corpus]) -> list[Note]:
        """Warn of rows that fit no mention, and note those of other documents.

        One table may be for all datasets of a folder. So rows of other documents are
        a mistake only if no row is of a document of these files.
        """
        known = {
            name
            for corpus in corpora
            for document in corpus.documents
            for name in _names_of(document)
        }
        elsewhere = sorted(
            line for place, (_, line) in self.rows.items() if place[0] not in known
        )
        lost = {line for _, line in self.rows.values()} - fitting - {*elsewhere}
        notes = []
        if lost:
            message = (
                f"{WARNING}{counted(len(lost), 'row fits', 'rows fit')} no mention of "
                f"either side (first: {self.source}:{min(lost)})."
            )
            notes.append(Note("classes-without-mention", len(lost), message))
        if elsewhere:
            are = counted(len(elsewhere), "row is", "rows are")
            message = (
                f"{WARNING if len(elsewhere) == len(self.rows) else ''}{are} about "
                "documents that neither side has "
                f"(first: {self.source}:{elsewhere[0]})."
            )
            notes.append(Note("classes-of-other-documents", len(elsewhere), message))
        return notes


def _names_of(document: DocumentName) -> list[str]:
    return [document.name, *document.aliases]


def _token_places(corpus: Corpus) -> tuple[Ints, Ints]:
    """Return the first and the last token of each mention, counted from 0 by document.

    Empty nodes are not counted. A mention that has no other words is at -1.
    """
    if corpus.words is None:
        return corpus.mention_start, corpus.mention_end
    corpus = corpus.with_tokens()
    tokens = corpus.tokens
    assert tokens is not None
    is_overt = ~tokens.is_empty
    before = np.concatenate(([0], np.cumsum(is_overt)))
    sets = tokens.of_mentions(corpus)
    mention = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
    origin = before[tokens.first[corpus.mention_document]]
    place = before[sets.member] - origin[mention]
    kept = is_overt[sets.member]
    first = np.full(len(sets.start) - 1, np.iinfo(np.int64).max)
    last = np.full(len(sets.start) - 1, -1, dtype=np.int64)
    np.minimum.at(first, mention[kept], place[kept])
    np.maximum.at(last, mention[kept], place[kept])
    return np.where(last < 0, -1, first), last
