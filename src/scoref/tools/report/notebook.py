"""Documents in a notebook: the text with its mentions, without a script.

scoref.show("key.conll", "response.conll")                     # the first document
scoref.show("key.conll", "response.conll", document="news/2")  # another one
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.markup import escaped
from scoref.scoring.evaluate import Wanted, read_pairs
from scoref.tools.errors import KINDS, analyse
from scoref.tools.report.page import asset
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.sentences import Painter
from scoref.tools.report.page.signs import sign_of
from scoref.tools.report.texts import texts_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    Path = str | os.PathLike[str]

WORDS = 2000
"""What a notebook shows of a text unless it is told which sentences to show."""

_STYLE = """\
.scoref.shown { font: 1rem/1.5 Charter, "Noto Serif", Georgia, serif; }
.scoref.shown { max-width: 46rem; }
.scoref.shown .caption { font: 0.85em system-ui, sans-serif; opacity: 0.8; }
.scoref.shown .cell { margin: 0 0 0.4em; }
.scoref.shown .m { cursor: inherit; }"""


class Names(NamedTuple):
    """Who is shown."""

    document: str
    key: str
    response: str


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """A document that shows itself in a notebook, and what others there are.

    ``sentences`` are the first one that is shown and the one behind the last.
    """

    names: Names
    text: Mapping[str, Any]
    sentences: tuple[int, int]
    documents: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{self.names.document}: {len(self.text['words'])} words>"

    def _repr_html_(self) -> str:
        return drawn(self.text, self.sentences, self._caption())

    def _caption(self) -> str:
        document, key, response = self.names
        first, last = self.sentences
        count = len(self.text["sentences"])
        part = (
            f", sentences {first + 1} to {last} of {count}"
            if last - first < count
            else ""
        )
        return f"{document}{part}: {key} above the words, {response} below"


def show(  # noqa: PLR0913 - what to show, and how it is scored
    key: Path,
    response: Path | None = None,
    *,
    document: str | int = 0,
    sentences: tuple[int, int] | None = None,
    format: str | None = None,  # noqa: A002 - the name that users type
    scheme: str | None = None,
    lenient: bool = False,
    **choices: str,
) -> Shown:
    """Show a document of two files, with the mentions of both marked.

    Args:
        key: what the annotators said.
        response: what the system said; a file of JSON lines may hold both.
        document: its name, a part of it that no other has, or its number from 0 on.
        sentences: the first one to show, from 0 on, and the one behind the last; if not
            given, as many as have `WORDS` words.
        format: the files' format; detected if not given.
        scheme: a set-up by name.
        lenient: pass over what cannot be read.
        choices: single choices of the scheme, such as ``match="head"``.
    """
    wanted = Wanted(
        format=format,
        scheme=scheme,
        lenient=lenient,
        with_tokens=True,
        changes=choices,
    )
    files = [] if response is None else [response]
    analysis = analyse(*next(read_pairs(key, files, wanted)))
    names = analysis.documents
    name = _chosen(document, names)
    text = texts_of({"": analysis}, names, [each == name for each in names])[
        names.index(name)
    ]
    if text is None:
        raise OptionError(f"'{name}' has no words to show")
    result = analysis.result
    shown = sentences or (0, _enough(text))
    return Shown(Names(name, result.key, result.response), text, shown, names)


def drawn(
    text: Mapping[str, object], sentences: tuple[int, int], caption: str = ""
) -> str:
    """Draw sentences of a text of a report as a piece of HTML, for its first system."""
    signs, kinds = _signs(text)
    painter = Painter(read_text(text), 0, signs)
    legend = "  ".join(
        f'<b class="sign">{escaped(sign_of(KINDS[kind].name))}</b> {KINDS[kind].label}'
        for kind in kinds
    )
    parts = [
        f"<style>{asset('mentions.css')}\n{_STYLE}</style>",
        f'<p class="caption">{escaped(caption)}</p>' if caption else "",
        painter.sentences(*sentences),
        f'<p class="caption">{legend}</p>' if legend else "",
    ]
    return f'<div class="scoref shown">{"".join(parts)}</div>'


def _chosen(document: str | int, names: Sequence[str]) -> str:
    if isinstance(document, str):
        near = [name for name in names if document in name]
        if document not in names and len(near) != 1:
            raise unknown("document", document, near or names)
        return document if document in names else near[0]
    if not 0 <= document < len(names):
        raise OptionError(f"there are {len(names)} documents, from 0 on; no {document}")
    return names[document]


def _enough(text: Mapping[str, Any]) -> int:
    """Count the sentences that have not too many words."""
    starts: list[int] = text["sentences"]
    return max(1, sum(start < WORDS for start in starts))


def _signs(text: Mapping[str, Any]) -> tuple[dict[tuple[int, int], str], list[int]]:
    """Put the sign of each error at its first mention on each side."""
    found: dict[tuple[int, int], dict[str, None]] = {}
    kinds = set()
    for error in text["systems"][0]["errors"]:
        kinds.add(error["kind"])
        sign = sign_of(KINDS[error["kind"]].name)
        for side, field in enumerate(("key_mentions", "response_mentions")):
            data = text["systems"][0] if side else text["key"]
            places = {mention: data["mentions"][mention][1] for mention in error[field]}
            if places:
                first = min(places, key=lambda mention: (places[mention], mention))
                found.setdefault((side, first), {})[sign] = None
    signs = {place: " ".join(each) for place, each in found.items()}
    return signs, sorted(kinds)
