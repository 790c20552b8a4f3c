"""Conventions that fit the formats, and key and response brought onto the same words.

A scheme is a list of choices, and some do not apply to some files: CoNLL-2012 has no
heads, and CorefUD has no column for discourse deixis. scoref refuses such a choice and
gives the reason, which is in the convention's record. Choices that were left open get
the default of the format, so the signature says what was done.

`on_one_text` makes both sides comparable if their words are cut differently. Words are
read and compared if formats differ, if numbers of words differ, if names of paired
documents differ, or if documents cannot be paired by name. Otherwise mentions are
compared by the numbers of words, and a note reports documents with different words.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import AlignmentError, OptionError, WithoutKey
from scoref.formats.catalogue import (
    CONLL_2012,
    COREFUD,
    FORMATS,
    STANZA,
    UNIVERSAL_ANAPHORA,
)
from scoref.matching.as_spans import without_gaps
from scoref.matching.documents import other_names, partners, rename_documents
from scoref.matching.labels import place_by_ids
from scoref.matching.other_words import note_other_words
from scoref.matching.same_text import check_sentences
from scoref.matching.spans import side_of
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import CONVENTIONS, as_typed
from scoref.schemes import SCHEMES, resolve
from scoref.topics import FIELD, FORMS, Topics

if TYPE_CHECKING:
    from collections.abc import Collection

    from scoref.conventions import Kind
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme, SplitAntecedents
    from scoref.topics import Topic


def fit_scheme(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """Adapt a scheme to the formats of both sides, and refuse what has no meaning.

    Choices that were left open get the default of the format.
    """
    if scheme.words is None:
        scheme = scheme.changed(borders=None)
    kinds = [
        FORMATS[side.format].kind if side.words else "spans" for side in (key, response)
    ]
    if kinds[0] != kinds[1]:
        raise AlignmentError(
            f"this is {response.format}, but {key.source} is {key.format}",
            source=response.source,
            hint="Key and response must both be CorefUD, both Universal Anaphora, or "
            "neither.",
            without_key=WithoutKey(
                f"this is {response.format}, but the key is {key.format}"
            ),
        )
    if kinds[0] == COREFUD:
        return _for_corefud(scheme)
    if kinds[0] == UNIVERSAL_ANAPHORA:
        return _for_universal_anaphora(scheme)
    _refuse_other_offsets(key, response)
    scheme = _fit_identity(_fit_scope(scheme, key, response), key, response)
    return _for_spans(scheme, key.format, response.format)


_BY_FORMAT = ("singletons", "blanc")
"""Conventions whose default depends on the format, and which spans can have."""


def as_usual_for_key(
    scheme: Scheme, key: Corpus, response: Corpus, given: Collection[str]
) -> tuple[Scheme, tuple[Note, ...]]:
    """Use the defaults of the key's format if sets of words are scored as spans.

    So the same response gets the same figure in every format. A warning says that the
    default of the response's format is different. Choices that are ``given`` stay.
    """
    ours, theirs = (resolve(None, format=side.format) for side in (key, response))
    usual = {name: getattr(ours, name) for name in _BY_FORMAT if name not in given}
    scheme = dataclasses.replace(scheme, **usual)
    if "singletons" in given or ours.singletons == theirs.singletons:
        return scheme, ()
    sizes = (np.bincount(side.mention_entity, minlength=1) for side in (key, response))
    count = sum(int((size == 1).sum()) for size in sizes)
    if not count:
        return scheme, ()
    message = (
        f"{WARNING}{_DONE[ours.singletons]} {count:,} singletons, as is the default "
        f"for the key's format, {key.format}. The default for {response.format} is "
        f"--singletons {theirs.singletons}, which changes the figures. Use "
        "--singletons keep or drop to choose."
    )
    return scheme, (Note("singletons-by-key", count, message),)


_DONE = {"drop": "dropped", "keep": "kept"}


_WITHOUT_TEXT = {
    "numbers": "character offsets without a text",
    "values": "values without a text",
}


def _refuse_other_offsets(key: Corpus, response: Corpus) -> None:
    """Refuse to compare words with mentions without a text."""
    for side, other in ((key, response), (response, key)):
        unit = _counted_in(side)
        if unit not in _WITHOUT_TEXT or _counted_in(other) == unit:
            continue
        raise AlignmentError(
            f"mentions of {side.source} are {_WITHOUT_TEXT[unit]}",
            source=other.source,
            hint=f"Files in {side.format} can only be scored against {side.format}.",
            without_key=WithoutKey(
                f"this is {response.format}, which cannot be scored against the key's "
                f"{key.format}"
            ),
        )


def _counted_in(side: Corpus) -> str:
    return FORMATS[side.format].counts if side.format in FORMATS else "words"


def _for_corefud(scheme: Scheme) -> Scheme:
    refuse_unfit(scheme, "corefud", "CorefUD")
    return dataclasses.replace(
        scheme,
        scope=None,
        identity=None,
        zeros=scheme.zeros or "dependent",
        split_antecedents=_plurals(scheme, "drop"),
        evaluate=None if scheme.evaluate == "identity" else scheme.evaluate,
        alignment=scheme.alignment or "official",
        anaphors=scheme.anaphors or "zeros",
        missing=None,
        phrases=None,
        nested=None,
    )


def _for_universal_anaphora(scheme: Scheme) -> Scheme:
    refuse_unfit(scheme, "universal-anaphora", "Universal Anaphora")
    return dataclasses.replace(
        scheme,
        match="partial" if scheme.match == "min" else scheme.match,
        identity=None,
        scope=None,
        zeros=scheme.zeros or "drop",
        split_antecedents=_plurals(scheme, "keep"),
        evaluate=scheme.evaluate or "identity",
        alignment=scheme.alignment or "official",
        phrases=None,
        nested=None,
    )


def _plurals(scheme: Scheme, usual: SplitAntecedents) -> SplitAntecedents:
    """Keep plurals if nothing else is evaluated."""
    if scheme.evaluate == "split-antecedents":
        return "keep"
    return scheme.split_antecedents or usual


def _fit_scope(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """Check that entities have labels, and documents topics, for a wider scope."""
    if scheme.scope in {None, "document"}:
        return scheme.changed(scope=None)
    for side in (key, response):
        if not side.has_labels:
            raise AlignmentError(
                f"{as_typed('scope', scheme.scope)} needs entities with labels that "
                "are the same in all documents, and these have no labels",
                source=side.source,
                hint='Write labels, as in {"clusters": {"E1": [[0, 1]], …}}. '
                "CoNLL-2012 files and dicts of entities in Python have labels.",
                without_key=WithoutKey(
                    f"entities {'here' if side is response else 'of the key'} have no "
                    "labels, but scoring across documents needs them"
                ),
            )
    if scheme.scope == "corpus" or scheme.topics is not None:
        return scheme
    return dataclasses.replace(scheme, topics=_own_topics(scheme, key, response))


def _fit_identity(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """Check that files have the types or ids that identify mentions."""
    if scheme.identity in {None, "span"}:
        return scheme.changed(identity=None)
    for part in str(scheme.identity).split("+")[1:]:
        for side in (key, response):
            if side_of(part, side) is None:
                raise OptionError(
                    f"{as_typed('identity', scheme.identity)} needs '{part}', which "
                    f"{side.source} does not have ({side.format})",
                    hint="Tables of neleval and TAC have types and ids. Tables of "
                    "mentions may have the columns 'type' and 'kbid'.",
                )
    return scheme


def _own_topics(scheme: Scheme, key: Corpus, response: Corpus) -> Topics:
    """Return the topics in the key, with which the response must agree."""
    if key.document_topic is None:
        raise OptionError(
            f"{as_typed('scope', scheme.scope)} needs topics, but {key.source} has "
            "none",
            hint=f"Give topics (--topics): {FORMS}.",
        )
    topics = Topics(FIELD, key.source, listed=_topics_of(key))
    for name, topic in _topics_of(response):
        if (expected := topics.of(name)) not in {None, topic}:
            raise AlignmentError(
                f"document '{name}' has the topic {_text_of(topic)} here, but "
                f"{_text_of(expected)} in {key.source}",
                source=response.source,
                hint="Use the topics of the key, or omit topics from the response.",
                without_key=WithoutKey(
                    f"document '{name}' has the topic {_text_of(topic)} here, but "
                    "another one in the key"
                ),
            )
    return topics


def _topics_of(side: Corpus) -> tuple[tuple[str, Topic], ...]:
    pairs = zip(side.documents, side.document_topic or (), strict=False)
    return tuple((document.name, topic) for document, topic in pairs if topic)


def _text_of(topic: Topic | None) -> str:
    return "/".join(part for part in topic or () if part)


def _refuse_narrowed(scheme: Scheme, formats: tuple[str, ...], named: str) -> None:
    """Refuse to read a part of a file if neither file has such parts."""
    known = [FORMATS[name] for name in formats if name in FORMATS]
    for name in ("annotator", "relations", "markables"):
        choice = getattr(scheme, name)
        if choice is None or any(name in record.narrowed for record in known):
            continue
        users = [record.name for record in FORMATS.values() if name in record.narrowed]
        raise OptionError(
            f"{as_typed(name, choice)} is only for {', '.join(users)}. These files "
            f"are {named}"
        )


@lru_cache(maxsize=64)
def _for_spans(scheme: Scheme, *formats: str) -> Scheme:
    """Fit a scheme to two formats of spans; in a loop, they are always the same."""
    named = " and ".join(dict.fromkeys(formats))
    refuse_unfit(scheme, "spans", named)
    _refuse_narrowed(scheme, formats, named)
    reading = scheme.reading
    if reading == "reference" and CONLL_2012 not in formats:
        reading = "strict"
    return scheme.changed(
        reading=reading,
        split_antecedents=None,
        evaluate=None,
        phrases=None if scheme.phrases == "all" else scheme.phrases,
        nested=None if scheme.nested == "keep" else scheme.nested,
    )


_FIRST: dict[Kind, tuple[str, ...]] = {
    "corefud": ("duplicates",),
    "universal-anaphora": ("duplicates", "match", "zeros", "anaphors"),
    "spans": ("match", "duplicates", "zeros", "alignment"),
}
"""What is refused first if several choices are wrong: the most telling ones."""


def refuse_unfit(scheme: Scheme, kind: Kind, format_name: str) -> None:
    """Refuse choices that have no meaning for files of a kind."""
    of_tables = [each.name for each in CONVENTIONS.values() if each.files == "tables"]
    for name in dict.fromkeys((*of_tables, *_FIRST[kind], *CONVENTIONS)):
        choice = getattr(scheme, name)
        if why := CONVENTIONS[name].why_unfit(choice, kind):
            if scheme.name and getattr(SCHEMES[scheme.name], name) == choice:
                raise OptionError(
                    f"the scheme {scheme.name} does not suit {format_name}. It sets "
                    f"{name}={choice}, which {why}",
                    hint="Choose another scheme; see `scoref schemes`.",
                )
            typed = as_typed(name, choice)
            raise OptionError(f"{typed} {why}. These files are {format_name}")


class ComparableSides(NamedTuple):
    """A key, a response, and the scheme that says how they were made comparable."""

    key: Corpus
    response: Corpus
    scheme: Scheme


def on_one_text(
    key: Corpus, response: Corpus, scheme: Scheme, *, with_tokens: bool = False
) -> ComparableSides:
    """Renumber the mentions of both sides so that they count the same words.

    Raises:
        AlignmentError: they are not the same text.
    """
    own_names = response.documents
    if scheme.document_names is not None:
        response = rename_documents(
            key,
            response,
            scheme.document_names,
            is_one_of_many=scheme.folder == "datasets",
        )
    response = place_by_ids(key, response)
    if key.words is not None or response.words is not None:
        return ComparableSides(key, response, scheme)
    if not hold_gaps(key, response):
        key, response = without_gaps(key), without_gaps(response)
    partner = partners(key, response, scheme, by_place=False)
    key, response = _keep_inside_text(key, response, scheme)
    by_own_names = dataclasses.replace(response, documents=own_names)
    others = other_names(key, by_own_names, partner)
    if not _may_differ(key, response, partner, scheme) and not len(others):
        notes = note_other_words(key, response, partner)
        noted = dataclasses.replace(response, notes=(*response.notes, *notes))
        return ComparableSides(key, noted if notes else response, scheme)
    sides = key.with_tokens(), by_own_names.with_tokens()
    if sides[0].tokens is None or sides[1].tokens is None:
        _refuse_characters(*sides)
        return ComparableSides(key, response, scheme)
    is_same = sides[0].tokens.first_difference(sides[1].tokens) < 0
    if is_same and np.array_equal(partner, np.arange(len(partner))):
        # The words are the same, so these are the key's documents.
        names = list(sides[1].documents)
        for row in others.tolist():
            names[partner[row]] = key.documents[row]
        named = dataclasses.replace(sides[1], documents=tuple(names))
        return ComparableSides(sides[0], named, scheme)
    from scoref.matching.retokenised import number_alike

    counted = _counted_in_characters(key, response)
    alike = number_alike(
        *sides,
        partner,
        others=others.tolist(),
        borders=scheme.borders or "strict",
        lenient=scheme.reading != "strict",
        by_number=not any(counted),
        counted=counted,
        with_tokens=with_tokens,
    )
    if alike.are_same:
        return ComparableSides(alike.key, alike.response, scheme)
    borders = scheme.borders or "strict"
    scheme = dataclasses.replace(scheme, words="characters", borders=borders)
    return ComparableSides(alike.key, alike.response, scheme)


def hold_gaps(*sides: Corpus) -> bool:
    """Tell whether the formats of all sides can hold discontinuous mentions."""
    return all(
        side.pieces is not None
        or (side.format in FORMATS and FORMATS[side.format].has_gaps)
        for side in sides
    )


def are_mixed(key: Corpus, response: Corpus) -> bool:
    """Tell whether mentions are sets of words on one side, and not on the other."""
    kinds = [side.words and FORMATS[side.format].kind for side in (key, response)]
    return kinds[0] != kinds[1]


def have_other_words(key: Corpus, response: Corpus) -> bool:
    """Tell whether Stanza's output has other words than the other side.

    Files of CorefUD with other words are refused, as by the official scorer.
    """
    if STANZA not in {key.format, response.format} or are_mixed(key, response):
        return False
    try:
        check_sentences(key, response)
    except AlignmentError:
        return True
    return False


def _keep_inside_text(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus]:
    """Refuse mentions after the end of a text that only the other side has.

    If the reading is lenient, they are left out, with a note.
    """
    partner = partners(key, response, scheme)
    back = np.full(len(response.documents), -1, dtype=np.int64)
    there = np.flatnonzero(partner >= 0)
    back[partner[there]] = there
    sides = []
    for role, side, other, rows in (
        ("key", key, response, partner),
        ("response", response, key, back),
    ):
        beyond = _mentions_beyond(side, other, rows)
        if len(beyond) and scheme.reading != "lenient":
            raise _error_beyond(side, other, rows, int(beyond[0]))
        if len(beyond):
            kept = np.ones(len(side.mention_entity), dtype=np.bool_)
            kept[beyond] = False
            mentions = counted(len(beyond), "mention")
            were = "was" if len(beyond) == 1 else "were"
            message = (
                f"{WARNING}{side.source}: {mentions} after the end of the text in "
                f"{other.source} {were} left out."
            )
            kind = f"mentions-beyond-the-text-of-{role}"
            note = Note(kind, len(beyond), message)
            inside = side.keep_mentions(kept)
            inside = dataclasses.replace(inside, notes=(*inside.notes, note))
            sides.append(inside)
        else:
            sides.append(side)
    return sides[0], sides[1]


def _mentions_beyond(side: Corpus, other: Corpus, partner: Ints) -> Ints:
    """List mentions of a file without words that end after the other side's text."""
    if side.document_tokens is not None or other.document_tokens is None:
        return np.zeros(0, dtype=np.int64)
    are_words = all(
        corpus.format in FORMATS and FORMATS[corpus.format].counts == "words"
        for corpus in (side, other)
    )
    if not are_words or side.mention_ids is not None:
        return np.zeros(0, dtype=np.int64)
    row = partner[side.mention_document]
    size = np.append(other.document_tokens, 0)[row]
    return np.flatnonzero((row >= 0) & (side.mention_end >= size))


def _error_beyond(
    side: Corpus, other: Corpus, partner: Ints, mention: int
) -> AlignmentError:
    assert other.document_tokens is not None
    document = int(side.mention_document[mention])
    count = int(other.document_tokens[partner[document]])
    words = "word" if count == 1 else "words"
    return AlignmentError(
        f"the mention {side.place(mention)} is after the end of document "
        f"'{side.documents[document].name}', which has {count:,} {words} in "
        f"{other.source}",
        source=side.source,
        line=int(side.mention_line[mention]) or None,
        hint="Check that both files have the same document. Words are counted from 0 "
        "in each document, and the end is the last word of the mention.",
    )


def _may_differ(key: Corpus, response: Corpus, partner: Ints, scheme: Scheme) -> bool:
    """Tell whether the words of both sides may differ, so that they must be read."""
    is_same = key.format == response.format
    if is_same and key.format == CONLL_2012 and scheme.reading == "reference":
        return False  # the reference scorer ignores the words
    if not is_same or any(_counted_in_characters(key, response)):
        return True
    if (partner < 0).any() and len(key.documents) == len(response.documents):
        return True
    counts = key.document_tokens, response.document_tokens
    if counts[0] is None or counts[1] is None:
        return False
    there = np.flatnonzero(partner >= 0)
    return bool((counts[0][there] != counts[1][partner[there]]).any())


def _counted_in_characters(*sides: Corpus) -> tuple[bool, ...]:
    """Tell which sides count mentions in characters, so that words are made up."""
    return tuple(
        side.format in FORMATS and FORMATS[side.format].counts == "characters"
        for side in sides
    )


def _refuse_characters(key: Corpus, response: Corpus) -> None:
    """Refuse to compare characters with words of a file without a text."""
    in_characters = _counted_in_characters(key, response)
    for side, other, is_counted in (
        (key, response, in_characters[0]),
        (response, key, in_characters[1]),
    ):
        if is_counted and other.tokens is None and other.format in FORMATS:
            raise AlignmentError(
                f"this file has no words, but {side.source} counts characters",
                source=other.source,
                hint="Add the words of each document: 'sentences' or 'tokens' in JSON "
                "lines.",
                without_key=WithoutKey(
                    "this file has no words, but the key counts characters"
                    if other is response
                    else "this file counts characters, but the key has no words"
                ),
            )
