"""The table of what was matched, whatever mentions are and whoever owns them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.scheme import Scheme


def tabulate(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what the entities of the two sides share, under a scheme."""
    table = _tabulated(matched, scheme)
    if matched.listed is None and matched.words is None:
        return table
    from scoref.contingency.memberships import memberships_of  # noqa: PLC0415

    return table._replace(memberships=memberships_of(matched))


def _tabulated(matched: Matched, scheme: Scheme) -> Contingency:
    # Each way has its own modules, and start-up time counts: one is loaded.
    if matched.words is not None:
        from scoref.contingency.words import tabulate_words  # noqa: PLC0415

        return tabulate_words(matched, scheme)
    if scheme.duplicates == "coval":
        from scoref.contingency.ownership import tabulate_owned  # noqa: PLC0415

        return tabulate_owned(matched)
    from scoref.contingency.spans import tabulate_spans  # noqa: PLC0415

    return tabulate_spans(matched)
