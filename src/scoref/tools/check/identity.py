"""Which key a file is, and whether it is the one that is expected."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.fingerprint import SHOWN, Fingerprint
from scoref.formats.fingerprints import fingerprint
from scoref.rules import UNEXPECTED_KEY
from scoref.scoring.registry import compared, is_same, known_key, label_of
from scoref.tools.check.problems import FileListing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.scoring.registry import KnownKey, Recognised
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

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
            yield _problem(files, f"this is key {label_of(whole)}, not {expected}")
        return
    known = known_key(expected)
    if is_same(known, whole):
        return
    found = compared(known, whole)
    if known.parts:
        yield from _differing_documents(files, known, found)
    if not known.parts or not (found.changed or found.others):
        yield _problem(files, f"this is not {known.name}: {_difference(known, whole)}")


def unread(source: str, expected: str) -> Problem:
    """Say of a file that cannot be read whole that it is not what was expected."""
    message = f"this is not {expected}: not all of it can be read"
    return FileListing(source, b"").problem(UNEXPECTED_KEY, message, hint=_HINT)


def _digits(expected: str) -> str:
    """Take the digits of what signatures say, such as ``litbank@4e65ab6830``."""
    return expected.rpartition("@")[2]


def _problem(files: Sequence[Identified], message: str) -> Problem:
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
        yield _problem(files, f"{count} {what} missing of {known.name}")


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
