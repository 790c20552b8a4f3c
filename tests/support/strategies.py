"""What the property tests draw: entities, documents, and lists that repeat."""

from __future__ import annotations

from hypothesis import strategies as st

Entities = list[list[int]]
Documents = dict[str, Entities]

_MENTIONS = st.integers(0, 11)
_LABELS = st.integers(0, 6)
_NAMES = st.sampled_from(["a", "b", "c", "d"])


@st.composite
def entities(draw: st.DrawFn) -> Entities:
    """Draw a partition of some of twelve mentions, in any order.

    Two draws share most mentions, and each lacks some that the other has.
    """
    chosen = draw(
        st.lists(
            st.tuples(_MENTIONS, _LABELS), unique_by=lambda pair: pair[0], max_size=12
        )
    )
    grouped: dict[int, list[int]] = {}
    for mention, label in chosen:
        grouped.setdefault(label, []).append(mention)
    return list(grouped.values())


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Documents, Documents]:
    """Draw key and response of a few documents, by name."""
    names = draw(st.lists(_NAMES, unique=True, min_size=1, max_size=4))
    return (
        {name: draw(entities()) for name in names},
        {name: draw(entities()) for name in names},
    )


def repeating_entities() -> st.SearchStrategy[Entities]:
    """Draw entities in which a mention may stand twice, in one or in several."""
    few_mentions = st.integers(0, 6)
    return st.lists(st.lists(few_mentions, max_size=7), max_size=6)
