"""The way of an answer: read, aligned, placed, and scored as any response."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoref import formats
from scoref.displayed import Displayed
from scoref.errors import AlignmentError, FormatError, quoted
from scoref.figures import counted
from scoref.metrics.relations import BRIDGING, NON_REFERRING
from scoref.model import Note
from scoref.scoring.evaluate import Wanted
from scoref.scoring.pipeline import score_corpora
from scoref.tools.llm.answers import Answers, answer_of, read_answers
from scoref.tools.llm.breaks import Break, breaks_of
from scoref.tools.llm.key_text import documents_of
from scoref.tools.llm.notations import detect, notation_of
from scoref.tools.llm.placing import Aligned, Counts, PlacedAnswer, place
from scoref.tools.llm.reading import read_answer
from scoref.tools.llm.response import response_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from scoref.formats.conllu_trees import DependencyTrees
    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from scoref.scoring.evaluate import Request
    from scoref.scoring.results import Result
    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.key_text import KeyDocument
    from scoref.tools.llm.notations import Notation

    Path = str | os.PathLike[str]

_NAMED = 5
_BEYOND = {NON_REFERRING.name, *(metric.name for metric in BRIDGING)}
"""What no answer says, so that it is not asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class Scored(Displayed):
    """A result, and what became of each answer on the way to it."""

    result: Result
    notation: str
    answers: dict[str, PlacedAnswer]
    breaks: dict[str, list[Break]]
    response: Corpus
    base: bytes  # the key's file

    _reported_by = "tools.llm.rendering:scored_report"

    @property
    def _in_short(self) -> str:
        return f"{counted(len(self.answers), 'answer')} in {self.notation}"

    def called(self, name: str) -> Scored:
        """Give the system a name."""
        return dataclasses.replace(
            self, result=dataclasses.replace(self.result, response=name)
        )

    @property
    def counts(self) -> Counts:
        """Add up what became of words and mentions."""
        columns = zip(*(each.counts for each in self.answers.values()), strict=True)
        return Counts(*map(sum, columns))


class Key(NamedTuple):
    """A key that was read for answers about it."""

    data: bytes
    corpus: Corpus
    trees: DependencyTrees | None
    documents: list[KeyDocument]
    scheme: Scheme
    metrics: tuple[str, ...]


def score_output(
    key: Path, output: Path, *, notation: str | None = None, **options: Unpack[Request]
) -> Scored:
    """Score what a model wrote about the documents of a key.

    Args:
        key: a file of any format that has words.
        output: a folder with a file for each document, JSON lines, or a text.
        notation: how mentions are marked; what fits best if it is not given.
        options: what `scoref.score` takes.
    """
    (scored,) = score_outputs(key, [output], Wanted.of(**options), notation=notation)
    return scored


def score_answer(
    key: str, answer: str, wanted: Wanted, *, notation: str | None = None
) -> Scored:
    """Score one answer about one document, whose key is a file's content."""
    read = key_of(key.encode(), "<key>", wanted)
    if len(read.corpus.documents) != 1:
        raise AlignmentError(
            f"there are {len(read.corpus.documents)} documents in this key",
            source=read.corpus.source,
            hint="one answer is about one document: give each a key of its own",
        )
    chosen = notation_of(notation) if notation else None
    answers = Answers([answer_of(answer, "<answer>")], [])
    return _scored(read, answers, "<answer>", wanted, chosen)


def score_outputs(
    key: Path, outputs: Iterable[Path], wanted: Wanted, *, notation: str | None = None
) -> Iterator[Scored]:
    """Score several outputs; the key is read once."""
    chosen = notation_of(notation) if notation else None
    read = read_key(key, wanted)
    for output in outputs:
        answers = read_answers(output, read.corpus)
        yield _scored(read, answers, formats.name_of(output), wanted, chosen)


def read_key(key: Path, wanted: Wanted) -> Key:
    """Read a key with its text, which is what answers are aligned with."""
    if os.path.isdir(key):  # noqa: PTH112 - pathlib takes 5 ms to load
        raise FormatError(
            "this is a folder",
            source=formats.name_of(key),
            hint="KEY is one file; OUTPUT may be a folder with a file for each "
            "document",
        )
    return key_of(formats.read_bytes(key), formats.name_of(key), wanted)


def key_of(data: bytes, source: str, wanted: Wanted) -> Key:
    """Take a key that is in memory."""
    name = wanted.format or formats.detect(data)
    scheme = wanted.scheme_for(name, **_without_plurals(wanted))
    corpus = formats.read_data(
        data,
        source=source,
        role="key",
        format=wanted.format,
        reading=scheme.reading,
        layer=scheme.layer,
        with_tokens=True,
    )
    if corpus.tokens is None:
        raise FormatError(
            "this key has no text to align answers with",
            source=source,
            hint="JSON lines need 'sentences' or 'tokens' in every document",
        )
    trees = None
    if formats.FORMATS[name].kind == "corefud":
        from scoref.formats.conllu_trees import DependencyTrees  # noqa: PLC0415 - one format has them

        trees = DependencyTrees.of(data, source)
    documents = list(documents_of(corpus, trees))
    metrics = wanted.metrics_for(corpus, scheme)
    if wanted.metrics is None and corpus.anaphora is not None:
        metrics = tuple(name for name in metrics if name not in _BEYOND)
    return Key(data, corpus, trees, documents, scheme, metrics)


def _without_plurals(wanted: Wanted) -> dict[str, str]:
    """Leave out plurals, which no answer marks, unless somebody wants them."""
    is_asked = wanted.changes.get("split_antecedents") or wanted.scheme
    return {} if is_asked else {"split_antecedents": "drop"}


def _scored(
    key: Key,
    answers: Answers,
    source: str,
    wanted: Wanted,
    notation: Notation | None,
) -> Scored:
    missing = wanted.changes.get("missing") or key.scheme.missing
    if not wanted.lenient and missing not in {"empty", "key"}:
        _refuse_missing(key.corpus, answers, source)
    chosen = notation or _detected(answers.of_document)
    names = [document.name for document in key.corpus.documents]
    placed: list[PlacedAnswer] = []
    breaks: dict[str, list[Break]] = {}
    for name, answer, document in zip(
        names, answers.of_document, key.documents, strict=True
    ):
        found, broken = _placed(answer, chosen, document, key)
        placed.append(found)
        breaks[name] = broken
    of_document = dict(zip(names, placed, strict=True))
    notes = [*_notes(of_document, breaks), *_unknown(answers.unknown)]
    response = response_of(
        key.corpus, placed, source=source, trees=key.trees, notes=notes
    )
    result = score_corpora(key.corpus, response, key.scheme, key.metrics)
    result = dataclasses.replace(result, format=f"{result.format}+{chosen.name}")
    return Scored(result, chosen.name, of_document, breaks, response, key.data)


def _detected(answers: Sequence[Answer | None]) -> Notation:
    if any(answer and answer.clusters for answer in answers):
        return notation_of("json")
    return detect([answer.text for answer in answers if answer])


def _placed(
    answer: Answer | None, notation: Notation, document: KeyDocument, key: Key
) -> tuple[PlacedAnswer, list[Break]]:
    if answer is None:
        words = len(document.text(zeros_in_place=None).first)
        return PlacedAnswer("missing", Counts(words=words, lost=words)), []
    aligned = Aligned.of(read_answer(answer, notation, document), document)
    placed = place(aligned, document, by_sentence=key.trees is not None)
    return placed, breaks_of(aligned, placed, document)


def _refuse_missing(key: Corpus, answers: Answers, source: str) -> None:
    pairs = zip(key.documents, answers.of_document, strict=True)
    absent = [document.name for document, answer in pairs if answer is None]
    if absent:
        raise AlignmentError(
            f"there is no answer about {quoted(absent, _NAMED)}",
            source=source,
            hint="missing=empty (--missing empty) scores a missing answer as one "
            "without entities",
        )
    if answers.unknown:
        raise AlignmentError(
            f"{quoted(answers.unknown, _NAMED)} is no document of {key.source}",
            source=source,
            hint="missing=key (--missing key) leaves such answers out",
        )


_WHAT = {
    "missing": ("{} missing", "scored as empty"),
    "empty": ("{} empty", "scored as empty"),
    "refused": ("{} refused, or about another text", "scored as empty"),
    "unmarked": ("{} without a mention", "scored as empty"),
}


def _notes(
    answers: dict[str, PlacedAnswer], breaks: dict[str, list[Break]]
) -> Iterator[Note]:
    """Name the answers that could not be scored as they are."""
    for status, (what, then) in _WHAT.items():
        names = [name for name, each in answers.items() if each.status == status]
        if names:
            are = "answer is" if len(names) == 1 else "answers are"
            text = f"{len(names)} {what.format(are)}, {then}: {quoted(names, _NAMED)}"
            yield Note(f"{status}-answers", len(names), text)
    cut = [
        name
        for name, found in breaks.items()
        if any(each.kind == "cut off" for each in found)
    ]
    if cut:
        are = "answer is" if len(cut) == 1 else "answers are"
        text = f"{len(cut)} {are} cut off, scored as far as read: {quoted(cut, _NAMED)}"
        yield Note("cut-answers", len(cut), text)


def _unknown(names: list[str]) -> list[Note]:
    if not names:
        return []
    text = (
        f"answers about no document of the key were left out: {quoted(names, _NAMED)}"
    )
    return [Note("unknown-answers", len(names), text)]
