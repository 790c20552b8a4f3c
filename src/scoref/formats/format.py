"""What is known of a format: a record, which its reader is loaded by when it is wanted.

Nothing here needs NumPy, so that help, lists and completion answer at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from scoref.conventions import Kind
    from scoref.formats._json_signs import Fields
    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Markables, Reading, Scheme

Role = Literal["key", "response"]
Splitting = Literal["auto", "blanks", "words"]
CONLL_2012 = "conll-2012"
JSON_LINES = "json-lines"
COREFUD = "corefud"
UNIVERSAL_ANAPHORA = "universal-anaphora"
ALLENNLP = "allennlp"
CORENLP = "corenlp"
FASTCOREF = "fastcoref"
LABEL_STUDIO = "label-studio"
MAVEN_ERE = "maven-ere"
MAVERICK = "maverick"
PRECO = "preco"
RUCOCO = "rucoco"
SCORCH = "scorch"
SPACY = "spacy"
XCORE = "xcore"
BOOKNLP = "booknlp"
BRAT = "brat"
ECBPLUS = "ecbplus"
LITBANK_BRAT = "litbank-brat"
LITBANK_TSV = "litbank-tsv"
MENTION_TABLE = "mention-table"
NELEVAL = "neleval"
STANZA = "stanza"
TAC_EDL = "tac-edl"
WEBANNO = "webanno"


class Narrowed(NamedTuple):
    """What of a file is to be read, where it holds more than one would score."""

    annotator: str = ""
    relations: tuple[str, ...] = ()
    markables: Markables | None = None

    @classmethod
    def by(cls, scheme: Scheme) -> Narrowed:
        """Take what a scheme says of it."""
        relations = (scheme.relations or "").split(",")
        named = tuple(each.strip() for each in relations if each.strip())
        return cls(scheme.annotator or "", named, scheme.markables)


class Asked(NamedTuple):
    """How a file is to be read."""

    source: str
    role: Role
    reading: Reading
    layer: Layer
    document: str = ""  # what to call the one document of a file that does not name it
    is_shared: bool = False  # whether the file holds the other side, too
    annotator: str = ""  # whose annotations to read where there are several
    relations: tuple[str, ...] = ()  # which of them join mentions; none: the usual ones
    markables: Markables | None = None  # which mentions; None: all
    splitting: Splitting | None = None  # what tokens are to be where there are none

    @property
    def lenient(self) -> bool:
        """Whether what cannot be read is passed over."""
        return self.reading == "lenient"


class SideField(NamedTuple):
    """The field that holds one side in a file with both, and how to see it."""

    field: str
    sign: re.Pattern[bytes]


class Format(NamedTuple):
    """All that is known of a format.

    Args:
        name: as it is typed.
        text: what it looks like, in a line.
        page: the page about it, in docs/formats.
        is_it: tells from its beginning whether a file is of this format.
        has_fields: tells it from the fields of an object in JSON.
        read: reads a file.
        read_tokens: gives the text of a file that was read; none: it has no words.
        turn: formats of lower turns are recognised first.
        is_marked: whether its signs count, whatever the key is.
        is_followed: whether a response without a sign is what a key of this format is.
        counts: what its mentions are counted in; characters have no words of their own,
            and neither numbers of characters nor values have a text at all.
        has_singletons: whether systems that write it find entities of one mention.
        sides: the fields of key and response, if a file can hold both.
        annotation: what is in every file with annotations; none: no sign is needed.
        looked_for: the same in words.
        endings: of files that are documents of a folder.
        beside: of files that belong to such a document.
        owns_endings: whether no other file ends so, whatever is in it.
        narrowed: by which conventions less of it can be read.
        kind: what its mentions are: spans, or words as in one of two formats.
        takes_cr: whether its reader takes CR, LF and CR LF alike.
        has_gaps: whether a mention may be discontinuous.
    """

    name: str
    text: str
    page: str
    read: Callable[[bytes, Asked], Corpus]
    is_it: Callable[[bytes], bool] = lambda _: False
    has_fields: Callable[[Fields], bool] | None = None
    read_tokens: Callable[[Corpus, bytes], Tokens | None] | None = None
    turn: int = 0
    is_marked: bool = True
    is_followed: bool = False
    counts: Literal["words", "characters", "numbers", "values"] = "words"
    has_singletons: bool = True
    sides: Mapping[Role, SideField] = {}
    annotation: re.Pattern[bytes] | None = None
    looked_for: str = ""
    endings: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    owns_endings: bool = False
    narrowed: tuple[str, ...] = ()
    kind: Kind = "spans"
    takes_cr: bool = False
    has_gaps: bool = False

    def sides_in(self, data: bytes) -> list[Role]:
        """List the sides that a file holds, judging by their fields."""
        return [role for role, side in self.sides.items() if side.sign.search(data)]


def module(name: str) -> Any:  # noqa: ANN401 - start-up time counts
    """Load a module of this folder."""
    return import_module(f"scoref.formats.{name}")


def reader(file: str, name: str = "read") -> Callable[[bytes, Asked], Corpus]:
    """Make a reader of a function of a module that is loaded when it is called."""

    def read(data: bytes, asked: Asked) -> Corpus:
        corpus: Corpus = getattr(module(file), name)(data, asked)
        return corpus

    return read


def of_reader(corpus: Corpus, _: bytes) -> Tokens | None:
    """Give the text that a reader has put into the corpus."""
    return corpus.tokens
