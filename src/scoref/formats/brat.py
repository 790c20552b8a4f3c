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

from scoref.document_names import file_name, name_of_file
from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Groups
from scoref.formats.catalogue import BRAT, LITBANK_BRAT
from scoref.formats.folders import read_companion_text
from scoref.formats.input_files import decode_text
from scoref.formats.json_spans import cut_text
from scoref.formats.tokens import WrittenText, runs_of, text_to_write
from scoref.lazy import np
from scoref.model import DocumentName, Note, Tokens
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats.catalogue import ReadOptions, Splitting
    from scoref.formats.json_spans import TextTokens
    from scoref.model import Corpus

    Span = tuple[int, int]
    Entities = dict[str, list["TextBound"]]


COREFERENCE, MENTION = "Coreference", "Mention"


class BratDocument(NamedTuple):
    """The name of a document, its text, its annotations, and the file of these."""

    name: str
    text: str
    annotations: bytes
    source: str


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document, with the text that belongs to its annotations."""
    return read_pair(_pair(data, options), options.splitting)


def read_pair(pair: BratDocument, splitting: Splitting | None = None) -> Corpus:
    """Read one document that is in memory."""
    annotations = _AnnotationReader(pair).read()
    mentions = {mention.name: mention for mention in annotations.mentions}
    groups = Groups(mentions)
    for group in annotations.groups:
        for name in group[1:]:
            groups.join(group[0], name)
    entities = {
        str(number): [mentions[name] for name in names]
        for number, names in enumerate(groups.lists())
    }
    notes = []
    if count := annotations.others:
        relations = counted(count, "relation was", "relations were")
        message = f"{WARNING}{pair.source}: {relations} skipped. Mentions are "
        message += "joined by coref*, identity and same-as only."
        notes.append(Note("other-annotations", count, message))
    return _corpus(pair, BRAT, entities, splitting, notes)


LITBANK = re.compile(r"(?:NOM|PROP|PRON)_(?:PER|FAC|LOC|GPE|ORG|VEH)")
"""The types of LitBank's mentions."""

LABEL = re.compile(r".+-\d+", re.DOTALL)
"""The types of lines by which LitBank names entities."""


def read_litbank(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document whose entities are labels, as in LitBank.

    Mentions of one label are an entity. The label of a mention is a second line for the
    same characters. A mention without a label is an entity of its own. Other lines,
    such as appositions and copulas, do not join mentions.
    """
    pair = _pair(data, options)
    annotations = _AnnotationReader(pair).read()
    labels = {
        line.spans: line.type
        for line in annotations.mentions
        if LABEL.fullmatch(line.type) and not LITBANK.fullmatch(line.type)
    }
    entities: Entities = {}
    for mention in annotations.mentions:
        if LITBANK.fullmatch(mention.type):
            label = labels.get(mention.spans, mention.name)
            entities.setdefault(label, []).append(mention)
    return _corpus(pair, LITBANK_BRAT, entities, options.splitting)


def _pair(data: bytes, options: ReadOptions) -> BratDocument:
    text = read_companion_text(options.source, ".txt")
    return BratDocument(name_of_file(options.document), text, data, options.source)


class TextBound(NamedTuple):
    """A line that starts with T: its name, its type, and characters of the text."""

    name: str
    type: str
    spans: tuple[Span, ...]
    line: int


class Annotations(NamedTuple):
    """The mentions of a file, their groups, and the number of other relations."""

    mentions: list[TextBound]
    groups: list[tuple[str, ...]]
    others: int


_SPANS = re.compile(r"\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*", re.ASCII)


class _AnnotationReader:
    """Reads the lines of one document's annotations."""

    def __init__(self, pair: BratDocument) -> None:
        self._text = pair.text
        self._source = pair.source
        self._annotations = decode_text(pair.annotations, pair.source)

    def read(self) -> Annotations:
        mentions: dict[str, TextBound] = {}
        groups: list[tuple[tuple[str, ...], int, str]] = []
        others = 0
        for number, line in enumerate(self._annotations.split("\n"), start=1):
            text = line.rstrip("\r")
            if text.startswith("T"):
                mention = self._text_bound(text, number)
                if mention.name in mentions:
                    problem = f"{mention.name} appears twice"
                    raise self._error(problem, number, text)
                mentions[mention.name] = mention
            elif members := _group(text):
                groups.append((members, number, text))
            else:
                others += text.startswith(("R", "*"))
        for members, number, text in groups:
            for name in members:
                if name not in mentions:
                    hint = "Groups and relations refer to lines that start with T."
                    raise self._error(
                        f"there is no mention '{name}'", number, text, hint
                    )
        return Annotations(
            list(mentions.values()), [group for group, *_ in groups], others
        )

    def _text_bound(self, line: str, number: int) -> TextBound:
        cells = line.split("\t", 2)
        kind, _, places = cells[1].partition(" ") if len(cells) > 1 else ("", "", "")
        if not _SPANS.fullmatch(places):
            raise self._error(
                "this is not a text-bound annotation",
                number,
                line,
                "Expected a line such as 'T1', a tab, 'Mention 0 3', a tab and the "
                "text.",
            )
        pairs = [tuple(map(int, place.split())) for place in places.split(";")]
        spans = tuple((start, end) for start, end in pairs)
        for start, end in spans:
            if not start < end <= len(self._text):
                raise self._error(
                    f"characters {start} to {end} are outside the text, which has "
                    f"{len(self._text)} characters",
                    number,
                    line,
                    "Offsets count characters from 0. The character at the end offset "
                    "is not included.",
                )
        words = " ".join(self._text[start:end] for start, end in spans).split()
        if not words:
            raise self._error("this mention contains only spaces", number, line)
        if cells[2:] and "".join(cells[2].split()) != "".join(words):
            raise self._error(
                f"the text has '{' '.join(words)}' here",
                number,
                line,
                "Give the text that was annotated. Offsets count characters, not "
                "bytes.",
            )
        return TextBound(cells[0], kind, spans, number)

    def _error(
        self, problem: str, number: int, line: str, hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, source=self._source, line=number, text=line, hint=hint
        )


_IDENTITY = re.compile(r"coref.*|ident(?:ity)?|same[-_]?as", re.IGNORECASE)

_ARGUMENTS = re.compile(r"\w+:(\S+) \w+:(\S+)\s*")


def _group(line: str) -> tuple[str, ...]:
    r"""Return the mentions that a line joins; none if it is another annotation.

    >>> _group("*\tCoreference T1 T2"), _group("R1\tCoref Arg1:T2 Arg2:T1")
    (('T1', 'T2'), ('T2', 'T1'))
    """
    mark, _, rest = line.partition("\t")
    kind, _, members = rest.partition(" ")
    if not _IDENTITY.fullmatch(kind):
        return ()
    if mark == "*":
        return tuple(members.split())
    arguments = _ARGUMENTS.fullmatch(members) if mark.startswith("R") else None
    return (arguments[1], arguments[2]) if arguments else ()


def _corpus(
    pair: BratDocument,
    name: str,
    entities: Entities,
    splitting: Splitting | None,
    notes: Sequence[Note] = (),
) -> Corpus:
    spans = [mention.spans for mention in chain(*entities.values())]
    tokens, text_notes = _tokenise(pair, list(chain(*chain(*spans))), splitting)
    builder = CorpusBuilder(pair.source, name, has_labels=False)
    count = len(tokens.start)
    document = builder.add_document(DocumentName.plain(pair.name), line=1, tokens=count)
    for label, mentions in entities.items():
        entity = builder.add_entity(label, document)
        kind = mentions[0].type if name == BRAT else MENTION
        builder.entity_type.append("" if kind == MENTION else kind)
        for mention in mentions:
            start, end = np.array(mention.spans, dtype=np.int64).T
            members: set[int] = set()
            for a, b in np.column_stack(tokens.runs(start, end)).tolist():
                members.update(range(a, b + 1))
            builder.add_mention(entity, runs_of(sorted(members)), mention.line)
    text = Tokens(
        first=np.array([0, count]),
        sentence=tokens.sentence,
        line=np.zeros(count, dtype=np.int64),
        word=tokens.word,
    )
    return builder.build([*text_notes, *notes], tokens=text)


_WORDS = re.compile(r"\w+|[^\w\s]")

_LAST_BLANK = 0x3000  # of Unicode


def _tokenise(
    pair: BratDocument, borders: list[int], splitting: Splitting | None
) -> tuple[TextTokens, list[Note]]:
    """Cut a text into tokens, and note what was decided if a splitting was asked for.

    ``auto`` cuts at blanks if all mentions begin and end there, and otherwise into runs
    of letters and digits.
    """
    text, notes = pair.text, []
    tokens, is_by_words = cut_text(text, borders), splitting == "words"
    if splitting == "auto":
        is_by_words = len(tokens.start) > len(cut_text(text).start)
    if is_by_words:
        words = list(chain(*(word.span() for word in _WORDS.finditer(text))))
        blanks = "".join(filter(str.isspace, map(chr, range(_LAST_BLANK + 1))))
        tokens = cut_text(text, chain(words, borders), blanks=blanks)
        message = f"Words in {pair.source} were also split at punctuation."
        notes.append(Note("split-words", len(tokens.start), message))
    return tokens, notes


_TYPE = re.compile(r"(?!Mention$)[A-Za-z0-9_-]+")

_WORD = re.compile(r"[^ \t\n\r\v\f\0]+")


def write(corpus: Corpus) -> dict[str, bytes]:
    """Return files by name: a text and its annotations for each document.

    Raises:
        FormatError: there is no text, or there are empty nodes, or words with blanks.
    """
    tokens, words, (start, row) = text_to_write(corpus)
    for word, line in zip(words, tokens.line.tolist(), strict=True):
        if not can_hold_word(word):
            raise FormatError(
                f"cannot write the word {word!r}",
                source=corpus.source,
                line=line or None,
                hint="The words of a text are separated by spaces.",
            )
    is_start = tokens.is_start.tolist()
    rows = row.tolist()
    members = [rows[a:b] for a, b in pairwise(start.tolist())]
    mentions: dict[int, list[int]] = defaultdict(list)
    for mention, document in enumerate(corpus.mention_document.tolist()):
        mentions[document].append(mention)
    files = {}
    for document, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        name = file_name(corpus.documents[document].short)
        text = WrittenText.of(words[first:last], is_start[first:last], first)
        lines = _annotations(corpus, mentions[document], members, text)
        files[f"{name}.txt"] = text.text.encode()
        files[f"{name}.ann"] = "".join(f"{line}\n" for line in lines).encode()
    return files


def can_hold_word(word: str) -> bool:
    """Check whether a word can be read back; blanks would cut it."""
    return _WORD.fullmatch(word) is not None


def can_hold_type(name: str) -> bool:
    """Check whether a mention can have this type."""
    return _TYPE.fullmatch(name) is not None


def _annotations(
    corpus: Corpus, mentions: list[int], members: list[list[int]], text: WrittenText
) -> list[str]:
    lines, groups = [], defaultdict[int, list[str]](list)
    types = corpus.entity_type or ("",) * len(corpus.entity_label)
    for number, row in enumerate(mentions, start=1):
        entity = int(corpus.mention_entity[row])
        kind = types[entity] if can_hold_type(types[entity]) else MENTION
        spans = text.spans(members[row])
        places = ";".join(f"{start} {end}" for start, end in spans)
        words = " ".join(text.text[start:end] for start, end in spans)
        lines.append(f"T{number}\t{kind} {places}\t{words}")
        groups[entity].append(f"T{number}")
    lines += [
        f"*\t{COREFERENCE} {' '.join(names)}"
        for names in groups.values()
        if len(names) > 1
    ]
    return lines
