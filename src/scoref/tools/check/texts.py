"""Do two files have the same words? The first that differs, in each document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError
from scoref.matching.documents import pair_documents
from scoref.matching.sentences import check_sentences
from scoref.matching.texts import pair_texts
from scoref.rules import DIFFERENT_TEXT, DIFFERENT_WORDS, OTHER_WORDS
from scoref.schemes import resolve
from scoref.scoring.one_text import on_one_text
from scoref.tools.check.places import literal
from scoref.tools.check.problems import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.matching.documents import Documents
    from scoref.model import Texts, Tokens
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

_SAME = "both files must have the same words, one for one"


class _Words(NamedTuple):
    """The words of one side by document, without zeros."""

    view: View
    text: Texts
    first: list[int]
    line: list[int]

    @classmethod
    def of(cls, view: View, tokens: Tokens) -> _Words:
        kept = tokens.keep(~tokens.is_empty)
        return cls(view, kept.word, kept.first.tolist(), kept.line.tolist())


def different_texts(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    """Find the first word that differs in each document that both files have."""
    if _are_cut_otherwise(key, response):
        message = f"its words are others than those of {key.name}, of the same text"
        hint = "mentions are compared by their characters (words:characters)"
        yield response.listing.problem(OTHER_WORDS, message, hint=hint)
        return
    is_told = False
    for problem in _different_words(key, response, documents):
        is_told |= problem.severity == "error"
        yield problem
    paired = (documents.key >= 0) & (documents.response >= 0)
    is_told |= not bool(paired.all())
    error = _refusal(key, response)
    if error is not None and not is_told:
        yield response.listing.problem(
            DIFFERENT_TEXT,
            error.problem,
            error.line,
            hint=error.hint,
            beside="".join(error.beside[:1]),
        )


def _are_cut_otherwise(key: View, response: View) -> bool:
    """See whether scoring would go by characters."""
    if key.tokens is None or response.tokens is None or key.corpus.words is not None:
        return False
    ours = replace(key.corpus, tokens=key.tokens)
    theirs = replace(response.corpus, tokens=response.tokens)
    try:
        found = on_one_text(ours, theirs, resolve(None))
    except AlignmentError:
        return False
    return found.scheme.words is not None


def _refusal(key: View, response: View) -> AlignmentError | None:
    """See whether scoring would refuse the two."""
    sides = key.corpus, response.corpus
    scheme = resolve(None, format=key.format)
    try:
        if key.corpus.words is None:
            pair_documents(*sides, scheme)
        elif key.corpus.words.by_document:
            pair_texts(*sides, scheme)
        else:
            check_sentences(*sides)
    except AlignmentError as error:
        return error
    return None


def _different_words(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    if key.tokens is None or response.tokens is None:
        return
    ours, theirs = _Words.of(key, key.tokens), _Words.of(response, response.tokens)
    if ours.text.equals(theirs.text) and ours.first == theirs.first:
        in_order = np.array_equal(documents.key, documents.response)
        if in_order:
            return
    words = ours.text.strings(), theirs.text.strings()
    for one, other in zip(
        documents.key.tolist(), documents.response.tolist(), strict=True
    ):
        if one < 0 or other < 0:
            continue
        a, b = ours.first[one], theirs.first[other]
        texts = (
            words[0][a : ours.first[one + 1]],
            words[1][b : theirs.first[other + 1]],
        )
        if texts[0] != texts[1]:
            yield _first_difference(ours, theirs, (a, b), texts)


def _first_difference(
    ours: _Words,
    theirs: _Words,
    first: tuple[int, int],
    texts: tuple[list[str], list[str]],
) -> Problem:
    """Show the first word that differs in a document, on both sides."""
    pairs = zip(*texts, strict=False)
    different = [place for place, (a, b) in enumerate(pairs) if a != b]
    lengths = len(texts[0]), len(texts[1])
    at = different[0] if different else min(lengths)
    source = ours.view.listing.source
    # Where one text ends, the last line of its document is shown.
    lines = [
        side.line[start + min(at, length - 1)] if length else None
        for side, start, length in zip((ours, theirs), first, lengths, strict=True)
    ]
    message = _message(texts, at, f"{source}:{lines[0]}")
    if len(different) > 1 and lengths[0] == lengths[1]:
        message += f", the first of {len(different)} that differ"
    if lengths[0] != lengths[1]:
        message += f"; {lengths[1]} words here, {lengths[0]} there"
    line = lines[1]
    shown = theirs.view.listing.text(line) if line else ""
    word = texts[1][at] if at < lengths[1] else ""
    is_refused = lengths[0] != lengths[1] or ours.view.corpus.words is not None
    beside = excerpt(ours.view.listing.text(lines[0]))[0] if lines[0] else ""
    return theirs.view.listing.problem(
        DIFFERENT_TEXT if is_refused else DIFFERENT_WORDS,
        message,
        line,
        _place(shown, word),
        hint=_SAME,
        beside=f"{source}:{lines[0]}: {beside}" if beside else "",
    )


def _message(texts: tuple[list[str], list[str]], at: int, place: str) -> str:
    if at >= len(texts[1]):
        return f"the text ends here, but goes on with '{texts[0][at]}' in {place}"
    if at >= len(texts[0]):
        return f"the text goes on with '{texts[1][at]}', but ends in {place}"
    return f"this word is '{texts[1][at]}', but '{texts[0][at]}' in {place}"


def _place(line: str, word: str) -> tuple[int, int] | None:
    """Find a word in its line, between tabs or blanks if possible."""
    if not word:
        return None
    for before, behind in (("\t", "\t"), (" ", " "), ('"', '"')):
        at = line.find(f"{before}{word}{behind}")
        if at >= 0:
            return at + 1, at + 1 + len(word)
    return literal(line, word)
