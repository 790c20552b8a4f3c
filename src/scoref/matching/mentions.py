"""Who is the same mention as whom: the one way from two corpora to what is counted.

Each kind of mentions has modules of its own, and start-up time counts: one is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.model import Corpus, Note
    from scoref.scheme import Scheme


def match_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
    """Pair texts, match mentions and leave out what the scheme leaves out."""
    if key.words is None:
        from scoref.matching.spans import match_spans  # noqa: PLC0415

        return match_spans(key, response, scheme)
    from scoref.matching.words import match_words  # noqa: PLC0415

    key, response, notes = same_text(key, response, scheme)
    matched = match_words(key, response, scheme)
    return matched._replace(notes=(*notes, *matched.notes))


def same_text(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """See that two corpora are the same text, and number their words alike."""
    if key.words is None or not key.words.by_document:
        from scoref.matching.sentences import check_sentences  # noqa: PLC0415

        check_sentences(key, response)
        return key, response, ()
    from scoref.matching.texts import pair_texts  # noqa: PLC0415

    return pair_texts(key, response, scheme)
