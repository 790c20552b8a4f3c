"""Which conventions have a meaning for two files; the first one is the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref import formats
from scoref.tools.explain import of_words
from scoref.tools.explain.everywhere import DUPLICATES
from scoref.tools.explain.of_spans import REFERENCE, SPANS, STRICT

if TYPE_CHECKING:
    from scoref.tools.explain.convention import Practice
    from scoref.tools.explain.sides import Sides


def conventions_for(sides: Sides) -> tuple[Practice, ...]:
    """List them in the order in which they build on each other."""
    twice = DUPLICATES if sides.has_duplicates else ()
    by_kind = {
        formats.COREFUD: of_words.COREFUD,
        formats.UNIVERSAL_ANAPHORA: of_words.UNIVERSAL_ANAPHORA,
    }
    if not sides.has_spans:
        kind = formats.FORMATS[sides.key.format].kind
        return (*by_kind[kind], *twice)
    is_conll = formats.CONLL_2012 in {sides.key.format, sides.response.format}
    of_tools = tuple(each for each in SPANS if each.takes_duplicates or not twice)
    return (REFERENCE, *((STRICT,) if is_conll else ()), *twice, *of_tools)
