"""Reader and writer of brat standoff: a text, and annotations that refer to characters.

    one.txt    Ada said she would come .
    one.ann    T1       Mention 0 3     Ada
               T2       Mention 9 12    she
               T3       Mention 0 3;9 12        Ada she
               *        Coreference T1 T2
               R1       Coreference Arg1:T2 Arg2:T1

A mention (``T``) may have several pieces. Entities are read from lines of equivalence
(``*``), from relations between two mentions (``R``), or from both; a mention in neither
is an entity of its own. The writer writes lines of equivalence. LitBank instead has a
second line for the same characters, whose type is the entity:

    T1  PROP_PER 0 3    Ada
    T2  Ada-0 0 3       Ada

The text is cut at blanks and where mentions start or end, and each line is a sentence.
A converter can ask for runs of letters and digits instead where mentions do not agree
with blanks, as in *Ada's* or *(she)*.

A document is two files with its name and the endings ``.txt`` and ``.ann``. Characters
that are not allowed in file names are written as in URLs (``%20``). The slash is kept,
because folders are part of the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import BRAT, LITBANK_BRAT
from scoref.formats.folders import read_companion_text
from scoref.formats.input_files import decoded
from scoref.formats.json_spans import BLANKS, cut_text
from scoref.formats.tokens import Groups, runs_of, spelt
from scoref.lazy import np
from scoref.model import DocumentName, Note, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.formats.catalogue import ReadOptions, Splitting
    from scoref.formats.json_spans import CutText
    from scoref.model import Corpus

    Entities = dict[str, list["TextBound"]]
    Place = tuple[int, int]


COREFERENCE, MENTION = "Coreference", "Mention"

LITBANK = re.compile(r"(?:NOM|PROP|PRON)_(?:PER|FAC|LOC|GPE|ORG|VEH)")
"""The types of LitBank's mentions."""

LABEL = re.compile(r".+-\d+", re.DOTALL)
"""The types of lines by which LitBank names entities."""

_SPANS = re.compile(r"\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*", re.ASCII)

_IDENTITY = re.compile(r"coref.*|ident(?:ity)?|same[-_]?as", re.IGNORECASE)

_ARGUMENTS = re.compile(r"\w+:(\S+) \w+:(\S+)\s*")

_TEXT_BOUND = "expected a line such as 'T1', a tab, 'Mention 0 3', a tab and the text"


class TextBound(NamedTuple):
    """A mention: its name, its type, and characters from start to end."""

    name: str
    type: str
    spans: tuple[tuple[int, int], ...]
    line: int


class Annotations(NamedTuple):
    """What a file says: mentions, which of them go together, and how much else."""

    mentions: list[TextBound]
    groups: list[tuple[str, ...]]
    others: int


class LineReader:
    """Reads the lines of one document's annotations."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source

    def read(self, annotations: str) -> Annotations:
        """Understand every line, or say which one cannot be."""
        mentions: dict[str, TextBound] = {}
        groups: list[tuple[tuple[str, ...], int, str]] = []
        others = 0
        for number, line in enumerate(annotations.split("\n"), start=1):
            text = line.rstrip("\r")
            if text.startswith("T"):
                found = self._text_bound(text, number)
                if found.name in mentions:
                    raise self._error(f"{found.name} comes a second time", number, text)
                mentions[found.name] = found
            elif members := _group(text):
                groups.append((members, number, text))
            else:
                others += bool(text.strip())
        for members, number, text in groups:
            for name in members:
                if name not in mentions:
                    hint = "groups and relations name lines that start with T"
                    raise self._error(f"there is no mention {name}", number, text, hint)
        return Annotations(
            list(mentions.values()), [group for group, *_ in groups], others
        )

    def _text_bound(self, line: str, number: int) -> TextBound:
        cells = line.split("\t", 2)
        kind, _, places = cells[1].partition(" ") if len(cells) > 1 else ("", "", "")
        if not _SPANS.fullmatch(places):
            problem = "this is no text-bound annotation"
            raise self._error(problem, number, line, _TEXT_BOUND)
        pairs = [tuple(map(int, place.split())) for place in places.split(";")]
        spans = tuple((start, end) for start, end in pairs)
        for start, end in spans:
            if not start < end <= len(self._text):
                raise self._error(
                    f"there are no characters {start} to {end} in a text of "
                    f"{len(self._text)}",
                    number,
                    line,
                    "offsets count characters from 0; the end is not part of it",
                )
        self._check_text(spans, cells[2:], number, line)
        return TextBound(cells[0], kind, spans, number)

    def _check_text(
        self,
        spans: tuple[tuple[int, int], ...],
        said: list[str],
        number: int,
        line: str,
    ) -> None:
        """See that offsets lead to the words that the line says."""
        found = " ".join(self._text[start:end] for start, end in spans)
        if not found.strip():
            raise self._error("there is nothing but blanks here", number, line)
        if said and "".join(said[0].split()) != "".join(found.split()):
            raise self._error(
                f"this is '{' '.join(found.split())}' in the text",
                number,
                line,
                "the text must be the one that was annotated; offsets count "
                "characters, not bytes",
            )

    def _error(
        self, problem: str, number: int, line: str, hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, source=self._source, line=number, text=line, hint=hint
        )


def _group(line: str) -> tuple[str, ...]:
    r"""List what a line puts together; nothing if it is about something else.

    >>> _group("*\tCoreference T1 T2"), _group("R1\tCoref Arg1:T2 Arg2:T1")
    (('T1', 'T2'), ('T2', 'T1'))
    """
    mark, _, rest = line.partition("\t")
    kind, _, members = rest.partition(" ")
    if not _IDENTITY.fullmatch(kind):
        return ()
    if mark == "*":
        return tuple(members.split())
    found = _ARGUMENTS.fullmatch(members) if mark.startswith("R") else None
    return (found[1], found[2]) if found else ()


_WORDS = re.compile(r"\w+|[^\w\s]")

_LAST_BLANK = 0x3000  # of Unicode


class BratDocument(NamedTuple):
    """A document: its name, its text, its annotations, and what to call these."""

    name: str
    text: str
    annotations: bytes
    source: str


def read(data: bytes, asked: ReadOptions) -> Corpus:
    """Read one document, whose text lies beside its annotations."""
    return read_pair(_pair(data, asked), asked.splitting)


def read_litbank(data: bytes, asked: ReadOptions) -> Corpus:
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


def _pair(data: bytes, asked: ReadOptions) -> BratDocument:
    text = read_companion_text(asked.source, ".txt")
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

    tokens: CutText
    splitting: Splitting | None
    cuts: int

    @classmethod
    def of(cls, text: str, borders: list[int], splitting: Splitting | None) -> _Text:
        """Cut a text; ``auto`` takes blanks if mentions agree with them."""
        if splitting in {None, "blanks", "auto"}:
            found = cut_text(text, borders)
            cuts = len(found.start) - len(cut_text(text).start) if splitting else 0
            if splitting != "auto" or not cuts:
                return cls(found, splitting, cuts)
        words = list(chain(*(each.span() for each in _WORDS.finditer(text))))
        blanks = "".join(filter(str.isspace, map(chr, range(_LAST_BLANK + 1))))
        whole = cut_text(text, words, blanks=blanks)
        found = cut_text(text, chain(words, borders), blanks=blanks or BLANKS)
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
    pair: BratDocument,
    name: str,
    entities: Entities,
    tokens: CutText,
    notes: list[Note],
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


def _members(mention: TextBound, tokens: CutText) -> list[int]:
    """List the tokens of a mention."""
    start, end = np.array(mention.spans, dtype=np.int64).T
    found: set[int] = set()
    for a, b in zip(*(run.tolist() for run in tokens.runs(start, end)), strict=True):
        found.update(range(a, b + 1))
    return sorted(found)


_TYPE = re.compile(r"(?!Mention$)[A-Za-z0-9_-]+")

_WORD = re.compile(r"[^ \t\n\r\v\f\0]+")

_SAFE = re.compile(r"[\w\-~.]")


def write(corpus: Corpus) -> dict[str, bytes]:
    """Write files by their names: a text and its annotations for each document.

    Raises:
        FormatError: there is no text, or there are empty nodes, or words with blanks.
    """
    tokens, words, (start, row) = spelt(corpus)
    for word, line in zip(words, tokens.line.tolist(), strict=True):
        if not can_hold_word(word):
            raise FormatError(
                f"the word {word!r} cannot be written",
                source=corpus.source,
                line=line or None,
                hint="blanks separate the words of a text",
            )
    is_start = tokens.is_start.tolist()
    rows = row.tolist()
    members = [rows[a:b] for a, b in pairwise(start.tolist())]
    of_document: dict[int, list[int]] = defaultdict(list)
    document = corpus.mention_document.tolist()
    for mention, place in enumerate(document):
        of_document[place].append(mention)
    files = {}
    for number, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        name = file_name(corpus.documents[number].short)
        text = _WrittenText.of(words[first:last], is_start[first:last], first)
        lines = _annotations(corpus, of_document[number], members, text)
        files[f"{name}.txt"] = text.text.encode()
        files[f"{name}.ann"] = "".join(f"{line}\n" for line in lines).encode()
    return files


def can_hold_word(word: str) -> bool:
    """Say whether a word comes back as it is: blanks would cut it."""
    return _WORD.fullmatch(word) is not None


def can_hold_type(name: str) -> bool:
    """Say whether a mention can be of this type."""
    return _TYPE.fullmatch(name) is not None


def file_name(document: str) -> str:
    """Call a document's files something that every system takes.

    >>> file_name("bc/cctv_0"), file_name("../a b"), file_name("")
    ('bc/cctv_0', '%2E%2E/a%20b', '%')
    """
    parts = [
        "".join(each if _SAFE.match(each) else quote(each, safe="") for each in part)
        for part in document.split("/")
    ]
    return "/".join(
        (part.replace(".", "%2E") if set(part) <= {"."} else part) or "%"
        for part in parts
    )


class _WrittenText(NamedTuple):
    """A document as it is written, and the places of its tokens."""

    text: str
    first: int
    start: list[int]
    end: list[int]
    sentence: list[int]

    @classmethod
    def of(
        cls, words: Sequence[str], starts: Sequence[bool], first: int
    ) -> _WrittenText:
        text: list[str] = []
        start, end, sentence = list[int](), list[int](), list[int]()
        at = 0
        for word, is_start in zip(words, starts, strict=True):
            if text:
                text.append("\n" if is_start else " ")
                at += 1
            text.append(word)
            start.append(at)
            at += len(word)
            end.append(at)
            sentence.append(is_start + (sentence[-1] if sentence else 0))
        return cls("".join(text) + "\n" * bool(text), first, start, end, sentence)

    def spans(self, tokens: Sequence[int]) -> list[Place]:
        """Find the characters of tokens; no span goes beyond a line."""
        places = [token - self.first for token in tokens]
        # Two tokens of different sentences are no neighbours if numbers have a gap.
        apart = {place: place + self.sentence[place] for place in places}
        back = {value: place for place, value in apart.items()}
        runs = runs_of([apart[place] for place in places])
        return [(self.start[back[a]], self.end[back[b]]) for a, b in runs]


def _annotations(
    corpus: Corpus, mentions: list[int], members: list[list[int]], text: _WrittenText
) -> list[str]:
    lines, groups = [], defaultdict[int, list[str]](list)
    types = corpus.entity_type or ("",) * len(corpus.entity_label)
    for number, row in enumerate(mentions, start=1):
        entity = int(corpus.mention_entity[row])
        kind = types[entity] if can_hold_type(types[entity]) else MENTION
        spans = text.spans(members[row])
        places = ";".join(f"{start} {end}" for start, end in spans)
        said = " ".join(text.text[start:end] for start, end in spans)
        lines.append(f"T{number}\t{kind} {places}\t{said}")
        groups[entity].append(f"T{number}")
    lines += [
        f"*\t{COREFERENCE} {' '.join(names)}"
        for names in groups.values()
        if len(names) > 1
    ]
    return lines
