"""Rules about a key and a response, and about the key that is expected.

A key and a response must have the same documents and the same words. The first word
that differs is reported for each document. An expected key is recognised by its
fingerprint.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError
from scoref.fingerprint import (
    SHOWN,
    Fingerprint,
    compared,
    is_same,
    known_key,
    label_of,
)
from scoref.formats.catalogue import CONLL_2012, COREFUD
from scoref.formats.fingerprints import fingerprint
from scoref.matching.documents import pair_documents
from scoref.matching.same_text import check_sentences, first_other_word, pair_texts
from scoref.matching.spans import find_shift, match_exact
from scoref.rules import (
    DIFFERENT_FORMATS,
    DIFFERENT_TEXT,
    DIFFERENT_WORDS,
    MISSING_DOCUMENT,
    NAME_BY_ALIAS,
    NO_COMMON_MENTIONS,
    OTHER_WORDS,
    SAME_AS_KEY,
    SINGLETONS_ON_ONE_SIDE,
    SWAPPED_FILES,
    UNEXPECTED_KEY,
)
from scoref.schemes import resolve
from scoref.scoring.format_defaults import are_mixed, fit_scheme, on_one_text
from scoref.scoring.sanity_checks import ENOUGH, look_swapped
from scoref.tools.check.blame import literal
from scoref.tools.check.mentions import sizes
from scoref.tools.check.problems import FileListing, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.fingerprint import KnownKey, Recognised
    from scoref.matching.documents import Documents
    from scoref.matching.same_text import OtherWord
    from scoref.model import Corpus, Tokens
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import Problem


_SAME = "give both files the same documents"

_SAME_OR_EMPTY = f"{_SAME}, or score with --missing empty"


def check_pair(key: View, response: View) -> Iterator[Problem]:
    """Find what keeps a response from being scored against a key."""
    yield from _mistaken(key, response)
    name: str | None = key.format
    if are_mixed(key.corpus, response.corpus):
        key, response, name = key.as_spans(), response.as_spans(), None
    try:
        fit_scheme(resolve(None, format=name), key.corpus, response.corpus)
    except AlignmentError as error:
        yield response.listing.problem(
            DIFFERENT_FORMATS, error.problem, hint=error.hint
        )
        return
    scheme = resolve("default", lenient=True)
    documents = pair_documents(key.corpus, response.corpus, scheme)
    yield from _missing(key, response, documents)
    yield from _renamed(key, response, documents)
    yield from different_texts(key, response, documents)
    yield from _singletons(key, response)
    if key.corpus.words is None:
        yield from _nothing_in_common(key, response, documents)


def _mistaken(key: View, response: View) -> Iterator[Problem]:
    """Find files that are probably not those that were meant."""
    if look_swapped(key.name, response.name):
        yield response.listing.problem(
            SWAPPED_FILES,
            f"this was given as the response, and {key.name} as the key",
            hint="the key comes first",
        )
    is_same = key.name != response.name and key.data == response.data
    if is_same and len(key.corpus.mention_entity) >= ENOUGH:
        yield response.listing.problem(
            SAME_AS_KEY,
            f"this file has the content of {key.name}",
            hint="give what a system said",
        )


def _missing(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    sides = (key, documents.key, response), (response, documents.response, key)
    for view, rows, other in sides:
        paired = (documents.key >= 0) & (documents.response >= 0)
        there = set(rows[paired].tolist())
        for row, document in enumerate(view.corpus.documents):
            if row not in there:
                yield view.about_document(
                    MISSING_DOCUMENT,
                    row,
                    f"document '{document.name}' is not in {other.name}",
                    _SAME if view.format == COREFUD else _SAME_OR_EMPTY,
                )


def _renamed(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    """Find documents that only a lenient look takes for the same."""
    if key.format != CONLL_2012 or response.format != CONLL_2012:
        return
    for ours, theirs in zip(
        documents.key.tolist(), documents.response.tolist(), strict=True
    ):
        names = key.corpus.documents[ours].name, response.corpus.documents[theirs].name
        if ours >= 0 <= theirs and names[0] != names[1]:
            yield response.about_document(
                NAME_BY_ALIAS,
                theirs,
                f"document '{names[1]}' is '{names[0]}' in {key.name}",
                "use one name: to the reference scorer these are two documents",
            )


def _singletons(key: View, response: View) -> Iterator[Problem]:
    if key.way.layer != "identity":
        return
    counts = [sizes(view.corpus) for view in (key, response)]
    alone = [int((count == 1).sum()) for count in counts]
    if not all(count.any() for count in counts) or bool(alone[0]) == bool(alone[1]):
        return
    with_, without = (key, response) if alone[0] else (response, key)
    yield response.listing.problem(
        SINGLETONS_ON_ONE_SIDE,
        f"{with_.name} has {max(alone)} entities of one mention, {without.name} none",
        hint="--singletons drop scores both without them",
    )


def _nothing_in_common(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    """Suspect offsets if no mention is the same."""
    count = len(response.corpus.mention_entity)
    is_paired = bool(((documents.key >= 0) & (documents.response >= 0)).any())
    if not len(key.corpus.mention_entity) or not count or not is_paired:
        return
    if _common(key.corpus, response.corpus, documents):
        return
    shift = find_shift(key.corpus, response.corpus, documents)
    hint = "is it the response to this key?"
    if shift is not None:
        hint = shift.question(here="here", there=f"in {key.name}")
    yield response.listing.problem(
        NO_COMMON_MENTIONS,
        f"none of {count} mentions is one of {key.name}",
        hint=hint,
    )


def _common(key: Corpus, response: Corpus, documents: Documents) -> int:
    matched = match_exact(key, response, documents)
    return int(np.isin(matched.response.mention, matched.key.mention).sum())


_SAME_WORDS = "both files must have the same words, one for one"


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
        hint=_SAME_WORDS,
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


_DIGITS = re.compile(rf"~?[0-9a-f]{{{SHOWN},64}}")

_HINT = "`scoref data FILE` says what a file is, `scoref data` which keys are known"


class Identified(NamedTuple):
    """A file, and its fingerprint."""

    view: View
    fingerprint: Fingerprint


def identified(views: Iterable[View]) -> Identified | None:
    """Take the fingerprint of a file; None where something of it cannot be read."""
    for view in views:
        if view.is_whole:
            corpus = replace(view.corpus, tokens=view.tokens)
            return Identified(view, fingerprint(corpus))
    return None


def see_expected(expected: str) -> None:
    """Refuse a name that no key has, before files are read."""
    if not _DIGITS.fullmatch(_digits(expected)):
        known_key(expected)


def unexpected(files: Sequence[Identified], expected: str) -> Iterator[Problem]:
    """Find what keeps files, all taken for one, from being the key that is expected.

    Args:
        files: of one key.
        expected: a name that is known, or digits of a fingerprint.
    """
    whole = Fingerprint.joined(each.fingerprint for each in files)
    digits = _digits(expected)
    if _DIGITS.fullmatch(digits):
        if not (whole.key or f"~{whole.annotation}").startswith(digits):
            yield _identity_problem(
                files, f"this is key {label_of(whole)}, not {expected}"
            )
        return
    known = known_key(expected)
    if is_same(known, whole):
        return
    found = compared(known, whole)
    if known.parts:
        yield from _differing_documents(files, known, found)
    if not known.parts or not (found.changed or found.others):
        yield _identity_problem(
            files, f"this is not {known.name}: {_difference(known, whole)}"
        )


def unread(source: str, expected: str) -> Problem:
    """Say of a file that cannot be read whole that it is not what was expected."""
    message = f"this is not {expected}: not all of it can be read"
    return FileListing(source, b"").problem(UNEXPECTED_KEY, message, hint=_HINT)


def _digits(expected: str) -> str:
    """Take the digits of what signatures say, such as ``litbank@4e65ab6830``."""
    return expected.rpartition("@")[2]


def _identity_problem(files: Sequence[Identified], message: str) -> Problem:
    return files[0].view.listing.problem(UNEXPECTED_KEY, message, hint=_HINT)


def _differing_documents(
    files: Sequence[Identified], known: KnownKey, found: Recognised
) -> Iterator[Problem]:
    for view, _ in files:
        for row, document in enumerate(view.corpus.documents):
            if document.name in found.changed:
                what = f"has the text of one of {known.name}, but other entities"
            elif document.name in found.others:
                what = f"is none of {known.name}"
            else:
                continue
            message = f"document '{document.name}' {what}"
            yield view.about_document(UNEXPECTED_KEY, row, message, _HINT)
    lacking = known.documents - len(found.shared) - len(found.changed)
    if lacking > 0:
        what = "document is" if lacking == 1 else "documents are"
        count = f"{lacking} of {known.documents}"
        yield _identity_problem(files, f"{count} {what} missing of {known.name}")


def _difference(known: KnownKey, whole: Fingerprint) -> str:
    """Say where it is wrong, as far as is known of a key as a whole."""
    if known.text and known.text == whole.text:
        return "its texts are the same, its entities are others"
    pairs = {
        "documents": (len(whole.documents), known.documents),
        "mentions": (whole.mentions, known.mentions),
        "entities": (whole.entities, known.entities),
    }
    told = [f"{ours:,} {what} for {it:,}" for what, (ours, it) in pairs.items()]
    return "it has " + ", ".join(told)
