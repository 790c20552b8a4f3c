"""The formats that can be read, a record each; a reader is loaded when it is wanted.

Records are known without NumPy, so that help, lists and completion answer at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Reading

Role = Literal["key", "response"]
CONLL_2012 = "conll-2012"
JSON_LINES = "json-lines"
COREFUD = "corefud"
UNIVERSAL_ANAPHORA = "universal-anaphora"
BEGIN = b"begin document"
_CONLLU_TABS = 9
_UA_COLUMNS = re.compile(rb"# global\.columns\s*=[^\n]*(?:IDENTITY|DISCOURSE_DEIXIS)")


class Asked(NamedTuple):
    """How a file is to be read."""

    source: str
    role: Role
    reading: Reading
    layer: Layer

    @property
    def lenient(self) -> bool:
        """Whether what cannot be read is passed over."""
        return self.reading == "lenient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """All that is known of a format.

    Args:
        name: as it is typed.
        text: what it looks like, in a line.
        page: the page about it, in docs/formats.
        is_it: tells from its beginning whether a file is of this format.
        read: reads a file.
        read_tokens: gives the text of a file that was read; none: it has no words.
        turn: formats of lower turns are recognised first.
        is_marked: whether its signs count, whatever the key is.
        is_followed: whether a response without a sign is what a key of this format is.
        counts: what its mentions are counted in; characters have no words of their own.
        annotation: what is in every file with annotations; none: no sign is needed.
        looked_for: the same in words.
    """

    name: str
    text: str
    page: str
    is_it: Callable[[bytes], bool]
    read: Callable[[bytes, Asked], Corpus]
    read_tokens: Callable[[Corpus, bytes], Tokens | None] | None = None
    turn: int = 0
    is_marked: bool = True
    is_followed: bool = False
    counts: Literal["words", "characters"] = "words"
    annotation: re.Pattern[bytes] | None = None
    looked_for: str = ""


def _module(name: str) -> Any:  # noqa: ANN401 - start-up time counts
    return import_module(f"scoref.formats.{name}")


def _read_conll2012(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus
    if asked.reading == "reference":
        corpus = _module("conll2012_reference").read(data, source=asked.source)
    else:
        corpus = _module("conll2012").read(
            data, source=asked.source, lenient=asked.lenient
        )
    if asked.layer == "parses":
        corpus = _module("parses").with_parses(corpus, data)
    return corpus


def _read_json_lines(data: bytes, asked: Asked) -> Corpus:
    corpus: Corpus = _module("json_lines").read(
        data, source=asked.source, role=asked.role, lenient=asked.lenient
    )
    return corpus


def _read_corefud(data: bytes, asked: Asked) -> Corpus:
    with_types = asked.layer == "types"
    corpus: Corpus = _module("corefud").read(
        data, source=asked.source, lenient=asked.lenient, with_types=with_types
    )
    return corpus


def _read_universal_anaphora(data: bytes, asked: Asked) -> Corpus:
    deixis = asked.layer == "discourse-deixis"
    corpus: Corpus = _module("universal_anaphora").read(
        data, source=asked.source, lenient=asked.lenient, deixis=deixis
    )
    return corpus


def _tokens(name: str) -> Callable[[Corpus, bytes], Tokens | None]:
    def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
        tokens: Tokens | None = getattr(_module("tokens"), name)(corpus, data)
        return tokens

    return read_tokens


def _is_universal_anaphora(start: bytes) -> bool:
    is_marked = b"(EntityID=" in start or b"|EntityID=" in start
    return is_marked or bool(_UA_COLUMNS.search(start))


def _is_corefud(start: bytes) -> bool:
    """See CorefUD's own signs, or that this is CoNLL-U."""
    if b"# global.Entity" in start or b"\tEntity=(" in start or b"|Entity=(" in start:
        return True
    first = next((line for line in start.split(b"\n") if line[:1].isdigit()), b"")
    return first.count(b"\t") == _CONLLU_TABS and BEGIN not in start


_RECORDS = (
    Format(
        name=CONLL_2012,
        text="brackets in the last column, a token a line",
        page=CONLL_2012,
        is_it=lambda _: True,
        read=_read_conll2012,
        read_tokens=_tokens("of_conll2012"),
        turn=3,
        is_marked=False,
        annotation=re.compile(rb"^#\s*begin document\b", re.MULTILINE),
        looked_for="'#begin document' and brackets such as '(3' in the last column",
    ),
    Format(
        name=JSON_LINES,
        text="doc_key, clusters and predicted_clusters, a document a line",
        page=JSON_LINES,
        is_it=lambda start: start.startswith(b"{"),
        read=_read_json_lines,
        read_tokens=_tokens("of_json_lines"),
    ),
    Format(
        name=COREFUD,
        text="CoNLL-U with Entity= in its last column",
        page=COREFUD,
        is_it=_is_corefud,
        read=_read_corefud,
        read_tokens=_tokens("of_corefud"),
        turn=2,
        is_marked=False,
        is_followed=True,
        annotation=re.compile(rb"^# global\.Entity|[\t|]Entity=", re.MULTILINE),
        looked_for="'# global.Entity' and 'Entity=' in the last column",
    ),
    Format(
        name=UNIVERSAL_ANAPHORA,
        text="CONLL-UA, with columns IDENTITY, BRIDGING, DISCOURSE_DEIXIS",
        page=UNIVERSAL_ANAPHORA,
        is_it=_is_universal_anaphora,
        read=_read_universal_anaphora,
        read_tokens=_tokens("of_universal_anaphora"),
        turn=1,
        is_followed=True,
        annotation=re.compile(_UA_COLUMNS.pattern + rb"|[(|]EntityID="),
        looked_for="'# global.columns' with IDENTITY and 'EntityID='",
    ),
)

FORMATS = {each.name: each for each in _RECORDS}
"""Every format by name, in the order in which they are shown."""


def recognised(start: bytes, key_format: str | None = None) -> str:
    """See from its beginning what a file is; without a sign, it is what the key is."""
    asked = sorted(FORMATS.values(), key=lambda each: each.turn)
    found = next(each for each in asked if each.is_it(start))
    key = FORMATS.get(key_format or "")
    if key and key.is_followed and not found.is_marked and BEGIN not in start:
        return key.name
    return found.name
