"""Reports on hidden test sets: scores, counts and kinds of errors, and no words.

What may be seen is named here, one field after the other, so that nothing new is told
by accident. Notes stay with the organisers, since they may quote the key, as on boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Object = dict[str, object]

_REPORT = (
    *("version", "title", "scoref", "key", "metric", "choices", "kinds"),
    *("comparison", "sizes"),
)
_SYSTEM = ("name", "signature", "scores", "level", "errors", "documents")
_DOCUMENT = ("name", "tokens", "mentions", "entities", "has_text")
_SCORE = ("f1", "recall", "precision", "errors")
_LEFT_OUT = "texts are left out, and with them all that quotes or locates them"


def discreet(report: Mapping[str, Any], *, with_names: bool) -> Object:
    """Keep of a report what tells no word of a text.

    Args:
        report: what the page would show.
        with_names: whether documents keep their names; otherwise they have numbers.
    """
    documents = [_kept(each, _DOCUMENT) for each in report["documents"]]
    for number, document in enumerate(documents, start=1):
        if not with_names:
            document["name"] = f"document {number}"
    return {
        **_kept(report, _REPORT),
        "systems": [_system(each) for each in report["systems"]],
        "documents": documents,
        "left_out": _LEFT_OUT,
        "clusters": None,
        "errors": None,
    }


def _system(system: Mapping[str, Any]) -> Object:
    scores = [_kept(each, _SCORE) for each in system["documents"]]
    return {**_kept(system, _SYSTEM), "documents": scores, "notes": []}


def _kept(whole: Mapping[str, Any], names: tuple[str, ...]) -> Object:
    return {name: whole[name] for name in names}
