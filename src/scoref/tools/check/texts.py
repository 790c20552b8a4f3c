"""Do two files have the same words? The first that differs, in each document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.errors import AlignmentError
from scoref.matching.documents import pair_documents
from scoref.matching.same_words import first_other_word
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
    from scoref.matching.same_words import OtherWord
    from scoref.model import Tokens
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

_SAME = "both files must have the same words, one for one"


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
    both = (documents.key >= 0) & (documents.response >= 0)
    ours = key.tokens.overt.of_documents(documents.key[both])
    theirs = response.tokens.overt.of_documents(documents.response[both])
    if ours.first_difference(theirs) < 0:
        return
    for texts in zip(ours.by_document(), theirs.by_document(), strict=True):
        if (found := first_other_word(*texts)) is not None:
            yield _problem(key, response, texts, found)


def _problem(
    key: View, response: View, texts: tuple[Tokens, Tokens], found: OtherWord
) -> Problem:
    """Show the first word that differs in a document, on both sides."""
    source, line = key.listing.source, found.their_line
    message = found.problem(source)
    lengths = len(texts[0].line), len(texts[1].line)
    if lengths[0] != lengths[1]:
        message += f"; {lengths[1]} words here, {lengths[0]} there"
    elif (count := _differing(*texts)) > 1:
        message += f", the first of {count} that differ"
    shown = response.listing.text(line) if line else ""
    is_refused = lengths[0] != lengths[1] or key.corpus.words is not None
    beside = excerpt(key.listing.text(found.our_line))[0] if found.our_line else ""
    return response.listing.problem(
        DIFFERENT_TEXT if is_refused else DIFFERENT_WORDS,
        message,
        line,
        _place(shown, found.theirs or ""),
        hint=_SAME,
        beside=f"{source}:{found.our_line}: {beside}" if beside else "",
    )


def _differing(one: Tokens, other: Tokens) -> int:
    """Count the words that differ."""
    words = zip(one.word.strings(), other.word.strings(), strict=True)
    return sum(ours != theirs for ours, theirs in words)


def _place(line: str, word: str) -> tuple[int, int] | None:
    """Find a word in its line, between tabs or blanks if possible."""
    if not word:
        return None
    for before, behind in (("\t", "\t"), (" ", " "), ('"', '"')):
        at = line.find(f"{before}{word}{behind}")
        if at >= 0:
            return at + 1, at + 1 + len(word)
    return literal(line, word)
