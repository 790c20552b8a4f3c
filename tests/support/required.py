"""Skipped tests: what they need, and which of them count as failures.

SCOREF_REQUIRE=chromium,node turns a test that is skipped because one of these
components is missing into a failure. Continuous integration sets it to what it has
installed, so that a component that disappears is noticed. At the end of a run, a table
lists what was skipped and why.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMPONENTS = {
    "chromium": r"[Cc]hromium|playwright",
    "node": r"Node\.js|npm ci",
    "spark": r"[Ss]park",
    "site": r"zensical|mkdocstrings|griffe|generator",
    "shared": r"next to the clone",
    "bash": r"\bbash\b",
    "fish": r"\bfish\b",
    "zsh": r"\bzsh\b",
    "groff": r"groff",
    "jq": r"\bjq\b",
    "pyright": r"pyright",
    "udtools": r"udtools",
    "udapi": r"udapi",
    "splink": r"[Ss]plink",
    "dedupe": r"dedupe",
    "tables": r"duckdb|pyarrow|polars|pandas",
    "matplotlib": r"matplotlib",
    "sklearn": r"sklearn|scikit-learn",
    "dev": r"yaml|hatchling|cassis|\bpip'",
    "corefeval": r"corefeval|coreference-eval",
    "metric4coref": r"metric4coref",
    "scorch": r"scorch",
    "bcubed": r"bcubed",
    "stanza": r"stanza",
    "allennlp": r"allennlp",
    "nltk": r"nltk",
    "spacy": r"spacy|spaCy",
    "torchmetrics": r"torch",
    "datasets": r"datasets is not there|'datasets'",
    "evaluate": r"\bevaluate\b",
    "inspect": r"[Ii]nspect",
    "lm-eval": r"lm.eval",
}
"""For each component, what the reason of a skipped test says if it is missing."""


class UnknownComponentError(ValueError):
    """A name in SCOREF_REQUIRE that is not a component."""


def required() -> frozenset[str]:
    """Return the components that SCOREF_REQUIRE names.

    >>> os.environ["SCOREF_REQUIRE"] = "chromium,nod"
    >>> required()
    Traceback (most recent call last):
        ...
    support.required.UnknownComponentError: SCOREF_REQUIRE: 'nod' is not a component...
    """
    text = os.environ.get("SCOREF_REQUIRE", "")
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    for name in sorted(names):
        if name not in COMPONENTS:
            raise UnknownComponentError(
                f"SCOREF_REQUIRE: '{name}' is not a component. Components are "
                f"{', '.join(COMPONENTS)}."
            )
    return names


def component_of(reason: str) -> str | None:
    """Return what a skipped test needs; None if no component would help."""
    for name, pattern in COMPONENTS.items():
        if re.search(pattern, reason):
            return name
    return None


def missing(reason: str) -> str | None:
    """Return why a skipped test counts as a failure, if it does."""
    name = component_of(reason)
    if name is None or name not in required():
        return None
    reason = reason.removeprefix("Skipped: ")
    return f"SCOREF_REQUIRE has {name}, but the test was skipped: {reason}"


def table_of(reasons: Iterable[str]) -> Iterator[str]:
    """Write how many tests were skipped for each reason."""
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    yield f"{'tests':>5}  {'component':<12}  reason"
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>5}  {component_of(reason) or '-':<12}  {reason}"
