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
from scoref.tools.check.mentions import entity_sizes
from scoref.tools.check.problems import FileListing, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.fingerprint import KnownKey, Recognised
    from scoref.matching.documents import Documents
    from scoref.matching.same_text import OtherWord
    from scoref.model import Tokens
    from scoref.model.arrays import Mask
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import Problem


def check_pair(key: View, response: View) -> Iterator[Problem]:
    """Find why a response cannot be scored against a key, or should not be."""
    yield from _check_wrong_files(key, response)
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
    yield from _check_documents(key, response, documents)
    yield from _check_texts(key, response, documents)
    yield from _check_singletons(key, response)
    if key.corpus.words is None:
        yield from _check_offsets(key, response, documents)


def _check_wrong_files(key: View, response: View) -> Iterator[Problem]:
    """Find files that are probably not the intended ones."""
    if look_swapped(key.name, response.name):
        yield response.listing.problem(
            SWAPPED_FILES,
            f"this file was given as the response and {key.name} as the "
            "key, but their names suggest the opposite",
            hint="Give the key first.",
        )
    is_same = key.name != response.name and key.data == response.data
    if is_same and len(key.corpus.mention_entity) >= ENOUGH:
        yield response.listing.problem(
            SAME_AS_KEY,
            f"this file has the same content as {key.name}",
            hint="Give the output of a system.",
        )


def _check_documents(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    """Find documents of one side only, and pairs whose names differ."""
    hint = "Both files must have the same documents."
    is_paired = _is_paired(documents)
    sides = (key, documents.key, response), (response, documents.response, key)
    for view, rows, other in sides:
        paired_rows = set(rows[is_paired].tolist())
        for row, document in enumerate(view.corpus.documents):
            if row not in paired_rows:
                is_corefud = view.format == COREFUD
                yield view.about_document(
                    MISSING_DOCUMENT,
                    row,
                    f"document '{document.name}' is not in {other.name}",
                    hint
                    if is_corefud
                    else f"{hint} Otherwise score with --missing empty.",
                )
    if key.format != CONLL_2012 or response.format != CONLL_2012:
        return
    # Pairing was lenient: names may differ in a way that the reference scorer sees.
    for ours, theirs in zip(
        documents.key[is_paired].tolist(),
        documents.response[is_paired].tolist(),
        strict=True,
    ):
        names = key.corpus.documents[ours].name, response.corpus.documents[theirs].name
        if names[0] != names[1]:
            yield response.about_document(
                NAME_BY_ALIAS,
                theirs,
                f"document '{names[1]}' is '{names[0]}' in {key.name}",
                "Use one name. For the reference scorer these are two documents.",
            )


def _is_paired(documents: Documents) -> Mask:
    """Mark the documents that both sides have."""
    return (documents.key >= 0) & (documents.response >= 0)


def _check_singletons(key: View, response: View) -> Iterator[Problem]:
    """Find a pair of which only one side has entities of one mention."""
    if key.way.layer != "identity":
        return
    sizes = [entity_sizes(view.corpus) for view in (key, response)]
    singletons = [int((size == 1).sum()) for size in sizes]
    has_singletons = [count > 0 for count in singletons]
    is_different = has_singletons[0] != has_singletons[1]
    if not is_different or not all(size.any() for size in sizes):
        return
    with_, without = (key, response) if has_singletons[0] else (response, key)
    yield response.listing.problem(
        SINGLETONS_ON_ONE_SIDE,
        f"{with_.name} has {max(singletons):,} entities with one "
        f"mention, and {without.name} has none",
        hint="Use --singletons drop to score both without them.",
    )


def _check_offsets(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    """Suspect that offsets are counted differently if no mention is the same."""
    count = len(response.corpus.mention_entity)
    has_pairs = bool(_is_paired(documents).any())
    if not len(key.corpus.mention_entity) or not count or not has_pairs:
        return
    matches = match_exact(key.corpus, response.corpus, documents)
    if np.isin(matches.response.mention, matches.key.mention).any():
        return
    shift = find_shift(key.corpus, response.corpus, documents)
    hint = "Check that this is the response to this key."
    if shift is not None:
        hint = shift.question(here="here", there=f"in {key.name}")
    yield response.listing.problem(
        NO_COMMON_MENTIONS,
        f"none of {count:,} mentions is in {key.name}",
        hint=hint,
    )


def _check_texts(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    """Find the first word that differs in each document that both files have."""
    if _are_tokenised_differently(key, response):
        message = (
            f"the text is the same as in {key.name}, but it is tokenised differently"
        )
        hint = "scoref compares mentions by character (words:characters)."
        yield response.listing.problem(OTHER_WORDS, message, hint=hint)
        return
    has_error = not bool(_is_paired(documents).all())
    for problem in _check_words(key, response, documents):
        has_error |= problem.severity == "error"
        yield problem
    refusal = _refusal(key, response)
    if refusal is not None and not has_error:
        yield response.listing.problem(
            DIFFERENT_TEXT,
            refusal.problem,
            refusal.line,
            hint=refusal.hint,
            beside="".join(refusal.beside[:1]),
        )


def _are_tokenised_differently(key: View, response: View) -> bool:
    """Say whether scoring would compare mentions by their characters."""
    if key.tokens is None or response.tokens is None or key.corpus.words is not None:
        return False
    ours = replace(key.corpus, tokens=key.tokens)
    theirs = replace(response.corpus, tokens=response.tokens)
    try:
        sides = on_one_text(ours, theirs, resolve(None))
    except AlignmentError:
        return False
    return sides.scheme.words is not None


def _refusal(key: View, response: View) -> AlignmentError | None:
    """Return the error with which scoring would refuse the two files."""
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


def _check_words(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    """Compare the documents of both sides word by word."""
    if key.tokens is None or response.tokens is None:
        return
    is_paired = _is_paired(documents)
    ours = key.tokens.overt.of_documents(documents.key[is_paired])
    theirs = response.tokens.overt.of_documents(documents.response[is_paired])
    if ours.first_difference(theirs) < 0:
        return
    for texts in zip(ours.by_document(), theirs.by_document(), strict=True):
        difference = first_other_word(*texts)
        if difference is not None:
            yield _word_problem(key, response, texts, difference)


def _word_problem(
    key: View, response: View, texts: tuple[Tokens, Tokens], difference: OtherWord
) -> Problem:
    """Show the first word that differs in a document, on both sides."""
    source, line = key.listing.source, difference.their_line
    message = difference.problem(source)
    our_words, their_words = (text.word.strings() for text in texts)
    if len(our_words) != len(their_words):
        message += (
            f". The document has {len(their_words):,} words here and "
            f"{len(our_words):,} in the key"
        )
        is_refused = True
    else:
        pairs = zip(our_words, their_words, strict=True)
        count = sum(ours != theirs for ours, theirs in pairs)
        message += (
            f". This is the first of {count:,} words that differ" if count > 1 else ""
        )
        is_refused = key.corpus.words is not None
    our_line = difference.our_line
    beside = excerpt(key.listing.text(our_line))[0] if our_line else ""
    return response.listing.problem(
        DIFFERENT_TEXT if is_refused else DIFFERENT_WORDS,
        message,
        line,
        _word_span(response.listing.text(line) if line else "", difference.theirs),
        hint="Both files must have the same words, one for one.",
        beside=f"{source}:{our_line}: {beside}" if beside else "",
    )


def _word_span(line: str, word: str | None) -> tuple[int, int] | None:
    """Find a word in its line, between tabs, blanks or quotes if possible."""
    if not word:
        return None
    for mark in ("\t", " ", '"'):
        at = line.find(f"{mark}{word}{mark}")
        if at >= 0:
            return at + 1, at + 1 + len(word)
    return literal(line, word)


_DIGITS = re.compile(rf"~?[0-9a-f]{{{SHOWN},64}}")

_KEY_HINT = "`scoref data FILE` identifies a file, and `scoref data` lists known keys."


class IdentifiedFile(NamedTuple):
    """A file and its fingerprint."""

    view: View
    fingerprint: Fingerprint


def identify(views: Iterable[View]) -> IdentifiedFile | None:
    """Take the fingerprint of a file; None if a part of it cannot be read."""
    for view in views:
        if view.is_whole:
            corpus = replace(view.corpus, tokens=view.tokens)
            return IdentifiedFile(view, fingerprint(corpus))
    return None


def refuse_unknown_key(expected: str) -> None:
    """Refuse a name that no key has, before files are read."""
    if not _DIGITS.fullmatch(_digits(expected)):
        known_key(expected)


def _digits(expected: str) -> str:
    """Return the digits of a label in a signature, such as ``litbank@4e65ab6830``."""
    return expected.rpartition("@")[2]


def check_key(files: Sequence[IdentifiedFile], expected: str) -> Iterator[Problem]:
    """Find why the files of a key, taken together, are not the expected key.

    Args:
        files: all files of the key.
        expected: the name of a known key, or digits of a fingerprint.
    """
    whole = Fingerprint.joined(file.fingerprint for file in files)
    digits = _digits(expected)
    if _DIGITS.fullmatch(digits):
        if not (whole.key or f"~{whole.annotation}").startswith(digits):
            yield _key_problem(files, f"this is key {label_of(whole)}, not {expected}")
        return
    known = known_key(expected)
    if is_same(known, whole):
        return
    comparison = compared(known, whole)
    if known.parts:
        yield from _check_known_documents(files, known, comparison)
    if not known.parts or not (comparison.changed or comparison.others):
        yield _key_problem(
            files, f"this is not {known.name}: {_difference(known, whole)}"
        )


def unread_key_problem(source: str, expected: str) -> Problem:
    """Report that a file is not the expected key, because parts cannot be read."""
    message = f"this is not {expected}: parts of it cannot be read"
    return FileListing(source, b"").problem(UNEXPECTED_KEY, message, hint=_KEY_HINT)


def _key_problem(files: Sequence[IdentifiedFile], message: str) -> Problem:
    return files[0].view.listing.problem(UNEXPECTED_KEY, message, hint=_KEY_HINT)


def _check_known_documents(
    files: Sequence[IdentifiedFile], known: KnownKey, comparison: Recognised
) -> Iterator[Problem]:
    """Find documents that differ from those of a known key, and count missing ones."""
    for view, _ in files:
        for row, document in enumerate(view.corpus.documents):
            if document.name in comparison.changed:
                what = f"has the text of a document of {known.name}, but other entities"
            elif document.name in comparison.others:
                what = f"is not a document of {known.name}"
            else:
                continue
            message = f"document '{document.name}' {what}"
            yield view.about_document(UNEXPECTED_KEY, row, message, _KEY_HINT)
    missing = known.documents - len(comparison.shared) - len(comparison.changed)
    if missing > 0:
        are = "is" if missing == 1 else "are"
        count = f"{missing:,} of {known.documents:,} documents of {known.name}"
        yield _key_problem(files, f"{count} {are} missing")


def _difference(known: KnownKey, whole: Fingerprint) -> str:
    """Say how a file differs from a key of which only totals are known."""
    if known.text and known.text == whole.text:
        return "it has the same texts but other entities"
    pairs = {
        "documents": (len(whole.documents), known.documents),
        "mentions": (whole.mentions, known.mentions),
        "entities": (whole.entities, known.entities),
    }
    counts = [
        f"{ours:,} {what} instead of {theirs:,}"
        for what, (ours, theirs) in pairs.items()
    ]
    return "it has " + ", ".join(counts)
