"""Scoring of answers: they are read, aligned, placed, and scored like any response.

`score_output` scores a file or folder of answers against a key. `score_answer` scores
one answer, for evaluation harnesses. Notes report answers and mentions that could not
be scored as they are.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoref.displayed import Displayed
from scoref.errors import AlignmentError, FormatError, quoted
from scoref.formats import catalogue, input_files, reading
from scoref.formats.catalogue import ReadOptions
from scoref.formats.inputs import needed_files
from scoref.metrics.relations import BRIDGING, NON_REFERRING
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request
from scoref.tools.llm.answers import Answers, answer_of, read_answers
from scoref.tools.llm.key_text import documents_of
from scoref.tools.llm.notations import JSON, NOTATIONS, detect, notation_of
from scoref.tools.llm.placing import (
    Aligned,
    Counts,
    PlacedAnswer,
    place,
    read_answer,
    response_of,
)
from scoref.tools.llm.rendering import Break, breaks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from scoref.formats.inputs import File, Path
    from scoref.formats.trees import DependencyTrees
    from scoref.model import Corpus
    from scoref.scheme import Scheme, Unplaced
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.key_text import KeyDocument
    from scoref.tools.llm.notations import Notation


@dataclass(frozen=True, eq=False, repr=False)
class AnswerResult(Displayed):
    """A result, with the placed mentions and the breaks of each answer.

    ``notation`` is None if no answer is written in one. ``_response`` has the mentions
    that are in the text, and ``_base`` is the key's file.
    """

    result: Result
    notation: str | None
    answers: dict[str, PlacedAnswer]
    breaks: dict[str, list[Break]]
    _response: Corpus
    _base: bytes

    _reported_by = "tools.llm.rendering:scored_report"

    @property
    def _in_short(self) -> str:
        notation = self.notation or "no notation"
        return f"{counted(len(self.answers), 'answer')} in {notation}"

    def _with_name(self, name: str) -> AnswerResult:
        """Give the system a name."""
        return dataclasses.replace(
            self, result=dataclasses.replace(self.result, response=name)
        )

    def _with_note(self, note: Note) -> AnswerResult:
        """Add a note to the result."""
        notes = (*self.result.notes, note)
        return dataclasses.replace(
            self, result=dataclasses.replace(self.result, notes=notes)
        )

    @property
    def counts(self) -> Counts:
        """The words and mentions of all answers, counted by what became of them."""
        answers = self.answers.values()
        columns = zip(*(answer.counts for answer in answers), strict=True)
        return Counts(*map(sum, columns))

    @property
    def guessed(self) -> int:
        """How many mentions have a place that was chosen among several."""
        return sum(answer.guessed for answer in self.answers.values())


class Key(NamedTuple):
    """A key with its text and trees, and how to score answers about it."""

    data: bytes
    corpus: Corpus
    trees: DependencyTrees | None
    documents: list[KeyDocument]
    scheme: Scheme
    metrics: tuple[str, ...]


def score_output(
    key: File,
    output: File,
    *,
    notation: str | None = None,
    unplaced: Unplaced | None = None,
    **options: Unpack[ScoreOptions],
) -> AnswerResult:
    """Score the answers of a language model about the documents of a key.

    Args:
        key: a file of any format that has words: a path, bytes or a file object.
        output: a folder with a file for each document, or a file with JSON lines or
            text: a path, bytes or a file object.
        notation: how mentions are marked; by default the notation that fits best.
        unplaced: ``count`` mentions that are not in the text as wrong mentions, which
            is the default, or ``ignore`` them.
        options: options of `scoref.score`.
    """
    wanted = Request.of(**options, unplaced=unplaced)
    files = needed_files("score_output", ("key", key), ("output", output))
    (scored,) = score_outputs(files[0], files[1:], wanted, notation=notation)
    return scored


def score_answer(
    key: str, answer: str, wanted: Request, *, notation: str | None = None
) -> AnswerResult:
    """Score one answer about one document, whose key is a file's content.

    An answer without any notation is scored as empty: the next one may have one.
    """
    whole_key = key_of(key.encode(), "<key>", wanted)
    corpus = whole_key.corpus
    if len(corpus.documents) != 1:
        raise AlignmentError(
            f"this key has {len(corpus.documents):,} documents",
            source=corpus.source,
            hint="A single answer is about one document. Give each answer its own key.",
        )
    chosen = notation_of(notation) if notation else None
    answers = Answers([answer_of(answer, "<answer>")], [])
    return _score(whole_key, answers, "<answer>", wanted, chosen)


def score_outputs(
    key: Path, outputs: Iterable[Path], wanted: Request, *, notation: str | None = None
) -> Iterator[AnswerResult]:
    """Score several outputs; the key is read once."""
    chosen = notation_of(notation) if notation else None
    whole_key = read_key(key, wanted)
    for output in outputs:
        answers = read_answers(output, whole_key.corpus)
        source = input_files.name_of(output)
        scored = _score(whole_key, answers, source, wanted, chosen)
        _refuse_unreadable(scored, answers.of_document, source, chosen)
        if source == whole_key.corpus.source:
            text = f"{WARNING}{source} was given as both the key and the answers."
            scored = scored._with_note(Note("same-as-key", 1, text))
        yield scored


def read_key(key: Path, wanted: Request) -> Key:
    """Read a key with its text, which is what answers are aligned with."""
    if os.path.isdir(key):
        raise FormatError(
            "this is a folder",
            source=input_files.name_of(key),
            hint="KEY must be one file. OUTPUT may be a folder with one file "
            "for each document.",
        )
    return key_of(input_files.read_bytes(key), input_files.name_of(key), wanted)


def key_of(data: bytes, source: str, wanted: Request) -> Key:
    """Read a key that is in memory."""
    opened = reading.open_data(data, source, wanted.format)
    name = opened.format
    # Answers do not mark plurals, so these are left out unless they are asked for.
    asks_for_plurals = wanted.changes.get("split_antecedents") or wanted.scheme
    changes = {} if asks_for_plurals else {"split_antecedents": "drop"}
    scheme = wanted.scheme_for(name, **changes)
    scheme = dataclasses.replace(scheme, unplaced=scheme.unplaced or "count")
    options = ReadOptions("key", scheme.reading, scheme.layer, with_tokens=True)
    corpus = reading.read_opened(opened, options)
    if corpus.tokens is None:
        raise FormatError(
            "this key has no text to align the answers with",
            source=source,
            hint="JSON lines need 'sentences' or 'tokens' in every document.",
        )
    trees = None
    if catalogue.FORMATS[name].kind == "corefud":
        from scoref.formats.trees import DependencyTrees  # one format has them

        trees = DependencyTrees.of(data, source)
    documents = list(documents_of(corpus, trees))
    metrics = wanted.metrics_for(corpus, scheme)
    if wanted.metrics is None and corpus.anaphora is not None:
        # Answers say nothing about these.
        left_out = {NON_REFERRING.name, *(metric.name for metric in BRIDGING)}
        metrics = tuple(name for name in metrics if name not in left_out)
    return Key(data, corpus, trees, documents, scheme, metrics)


def _score(
    key: Key,
    answers: Answers,
    source: str,
    wanted: Request,
    notation: Notation | None,
) -> AnswerResult:
    """Place the mentions of all answers, and score them."""
    missing = wanted.changes.get("missing") or key.scheme.missing
    if not wanted.lenient and missing not in {"empty", "key"}:
        _refuse_missing(key.corpus, answers, source)
    of_document = [
        None if answer and answer.failure else answer for answer in answers.of_document
    ]
    chosen = notation or _detect_notation(of_document)
    names = [document.name for document in key.corpus.documents]
    placed: list[PlacedAnswer] = []
    breaks: dict[str, list[Break]] = {}
    for name, answer, document in zip(names, of_document, key.documents, strict=True):
        placed_answer, breaks[name] = _place_answer(answer, chosen, document, key)
        placed.append(placed_answer)
    by_name = dict(zip(names, placed, strict=True))
    notes = [
        *_answer_notes(by_name, breaks, chosen.name),
        *_unplaced_notes(by_name, key.scheme),
        *_place_notes(placed),
    ]
    if answers.unknown:
        unknown = quoted(answers.unknown, _MOST_NAMES)
        text = f"{WARNING}Answers for unknown documents were left out: {unknown}."
        notes.append(Note("unknown-answers", len(answers.unknown), text))
    response, scored_response = (
        response_of(
            key.corpus,
            placed,
            source=source,
            trees=key.trees,
            with_unplaced=with_unplaced,
        )
        for with_unplaced in (False, key.scheme.unplaced == "count")
    )
    scored_response = dataclasses.replace(scored_response, notes=tuple(notes))
    result = score_corpora(key.corpus, scored_response, key.scheme, key.metrics)
    used = chosen.name if any(answer.is_understood for answer in placed) else None
    if used:
        result = dataclasses.replace(result, format=f"{result.format}+{used}")
    return AnswerResult(result, used, by_name, breaks, response, key.data)


def _detect_notation(answers: Sequence[Answer | None]) -> Notation:
    """Return the notation of the answers, or the first one if none fits."""
    if any(answer and answer.clusters for answer in answers):
        return NOTATIONS[JSON]
    notation = detect([answer.text for answer in answers if answer])
    return notation or next(iter(NOTATIONS.values()))


def _refuse_unreadable(
    scored: AnswerResult,
    answers: Sequence[Answer | None],
    source: str,
    notation: Notation | None,
) -> None:
    """Refuse answers of which none is written in a notation.

    If the notation is given and it marks mentions in the text, a text without marks
    says that there are no mentions.
    """
    placed = scored.answers.values()
    texts = [answer.text for answer in answers if answer]
    other = detect(texts) if notation else None
    is_marked = notation is not None and notation.read is not None and not other
    if is_marked and any(answer.status == "unmarked" for answer in placed):
        return
    # Any text may have lines that look like a list.
    is_prose = notation is None and scored.notation == "list"
    is_prose &= not any(answer.mentions for answer in placed)
    if scored.notation is not None and not is_prose:
        return
    what = (
        f"no answer uses the notation {notation.name}"
        if notation
        else "no answer uses a notation that scoref knows"
    )
    start = next((text.strip() for text in texts if text.strip()), "")
    raise FormatError(
        what,
        source=source,
        text=start.partition("\n")[0],
        hint=(f"The notation may be {other.name}. Leave out notation (--notation).")
        if other
        else 'Examples of notations are [Ada](#1), <m id="1">Ada</m> and '
        '[["Ada", "she"]]. If the answers mark nothing on purpose, '
        "give the notation (--notation markdown).",
    )


def _place_answer(
    answer: Answer | None, notation: Notation, document: KeyDocument, key: Key
) -> tuple[PlacedAnswer, list[Break]]:
    """Place the mentions of an answer; all words of a missing answer are lost."""
    if answer is None:
        words = len(document.text(zeros_in_place=None).first)
        return PlacedAnswer("missing", Counts(words=words, lost=words)), []
    aligned = Aligned.of(read_answer(answer, notation, document), document)
    placed = place(aligned, document, by_sentence=key.trees is not None)
    return placed, breaks_of(aligned, placed, document)


_MOST_NAMES = 5


def _refuse_missing(key: Corpus, answers: Answers, source: str) -> None:
    """Refuse documents without an answer, and answers without a document."""
    pairs = list(zip(key.documents, answers.of_document, strict=True))
    absent = [document.name for document, answer in pairs if answer is None]
    if absent:
        raise AlignmentError(
            f"there is no answer for {quoted(absent, _MOST_NAMES)}",
            source=source,
            hint="Use missing=empty (--missing empty) to score a missing answer "
            "as empty.",
        )
    for document, answer in pairs:
        if answer and answer.failure:
            raise AlignmentError(
                f"the request for '{document.name}' failed: {answer.failure}",
                source=source,
                line=answer.line,
                hint="Repeat the request, or score it as an empty answer with "
                "missing=empty (--missing empty).",
            )
    if answers.unknown:
        is_one = len(answers.unknown) == 1
        are = "is not a document" if is_one else "are not documents"
        raise AlignmentError(
            f"{quoted(answers.unknown, _MOST_NAMES)} {are} of {key.source}",
            source=source,
            hint="Use missing=key (--missing key) to leave such answers out.",
        )


def _answer_notes(
    answers: dict[str, PlacedAnswer], breaks: dict[str, list[Break]], notation: str
) -> Iterator[Note]:
    """Name the answers that are scored as empty, and those that are cut off."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for name, answer in answers.items():
        kinds.setdefault((answer.status, answer.is_understood), []).append(name)
    messages = {
        ("missing", False): f"{WARNING}{{}} missing and scored as empty: {{}}.",
        ("empty", False): f"{WARNING}{{}} empty and scored as empty: {{}}.",
        **dict.fromkeys(
            (("refused", False), ("refused", True)),
            f"{WARNING}{{}} not about the text of the document (the model may have "
            "refused). Only mentions that are not in the text count, as wrong: {}.",
        ),
        ("unmarked", True): "{} without mentions and scored as empty: {}.",
        ("unmarked", False): f"{WARNING}{{}} without mentions in the notation "
        f"{notation} and scored as empty: {{}}.",
    }
    for (status, is_understood), text in messages.items():
        if names := kinds.get((status, is_understood)):
            are = "answer is" if len(names) == 1 else "answers are"
            message = text.format(f"{len(names)} {are}", quoted(names, _MOST_NAMES))
            yield Note(f"{status}-answers", len(names), message)
    cut = [
        name
        for name, places in breaks.items()
        if any(place.kind == "cut off" for place in places)
    ]
    if cut:
        are = "answer is" if len(cut) == 1 else "answers are"
        names_shown = quoted(cut, _MOST_NAMES)
        text = f"{WARNING}{len(cut):,} {are} cut off and scored up to that point: "
        yield Note("cut-answers", len(cut), f"{text}{names_shown}.")


def _unplaced_notes(answers: dict[str, PlacedAnswer], scheme: Scheme) -> Iterator[Note]:
    """Count mentions that are not in the text, and say how scores are affected."""
    unplaced = [
        mention.words for answer in answers.values() for mention in answer.unplaced
    ]
    if not unplaced:
        return
    are = "mention is" if len(unplaced) == 1 else "mentions are"
    examples = quoted(list(dict.fromkeys(unplaced)), _MOST_NAMES)
    effect = {
        "count": "counted as wrong. Use --unplaced ignore to leave them out.",
        "ignore": "left out. Use --unplaced count to count them as wrong.",
    }[scheme.unplaced or "count"]
    text = f"{WARNING}{len(unplaced):,} {are} not in the text ({examples}) and {effect}"
    placed = sum(len(answer.mentions) for answer in answers.values())
    if len(unplaced) > placed:
        text += " Check that the answers are about the texts of the key."
    yield Note("unplaced-mentions", len(unplaced), text)


def _place_notes(answers: Sequence[PlacedAnswer]) -> Iterator[Note]:
    """Count places that are guesses, and offsets that are not those of the words."""
    other = sum(answer.other_words for answer in answers)
    if other:
        text = (
            f"{WARNING}The offsets of {counted(other, 'mention')} do not fit the words "
            "given with them. scoref uses the words. Offsets count tokens from 0, and "
            "the last token is part of the mention."
        )
        yield Note("other-words", other, text)
    guessed = sum(answer.guessed for answer in answers)
    if guessed:
        count = sum(len(answer.mentions) for answer in answers)
        text = (
            f"{WARNING}The positions of {guessed:,} of {count:,} mentions are guesses, "
            "because their words occur more than once in the text. Ask the model for "
            "offsets, or to mark mentions in the text."
        )
        yield Note("guessed-places", guessed, text)
