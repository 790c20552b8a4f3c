"""Words that readers search for, in addition to those of the pages.

The site's search prefers words of titles, so these words are added to the titles in its
index, where they are shown as well.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {
    "installation": "install, pip, download",
    "metrics/index": "which metric, choose a metric",
    "metrics/mentions": "mention detection, mention score",
    "metrics/b-cubed": "b-cubed, bcubed, b cubed, B3",
    "metrics/ceaf": "CEAFe, CEAFm, CEAF-e, CEAF-m, phi4",
    "metrics/clusterings": "pairwise F1, rand index, ARI, v-measure, NMI",
    "metrics/zeros": "zero anaphora, dropped pronouns",
    "compare": "significance, p-value",
    "confidence": "confidence interval, bootstrap",
    "tables": "entity resolution, record linkage, deduplication",
    "agreement": "kappa, krippendorff, alpha, inter-annotator agreement",
    "explain": "why is my score different, different scores",
    "six-tools": "scorch, stanza, metric4coref, e2e-coref, coval",
    "score-here": "browser, online, upload",
    "trivial": "is my score good, baseline",
    "corefud-scorer": "corefud-scorer.py, CRAC",
    "leaderboard": "codabench, codalab, shared task",
    "integrations": "github action, docker, container, pre-commit",
    "adapters": "huggingface, evaluate, spacy, torchmetrics",
    "llm": "LLM, ChatGPT",
    "output": "json, csv, latex, markdown",
    "formats/annotation-projects": "INCEpTION, WebAnno",
    "formats/python": "python api, pandas",
    "across-documents": "cross-document, ECB+",
    "bias": "GAP, WinoBias, gender bias",
    "windows": "books, long documents",
    "errors": "error analysis",
    "check": "validate, validation, file errors",
    "convert": "conversion, export",
}


TITLES = {
    "metrics/conll.html": "CoNLL score · CoNLL F₁",
    "metrics/lea.html#singletons-two-conventions": "Two conventions of LEA",
    "conventions.html#singletons": "singletons: keep or drop",
    "conventions.html#duplicates": "duplicates: mentions listed twice",
    "tables.html#duplicates": "Tables of records: duplicates",
    "spark.html#duplicates": "Tables on Spark: duplicates",
    "reference-scorer.html": "scorer.pl · For users of the Perl reference scorer",
    "reference-scorer.html#scoref-conll": "The command scoref-conll",
    "corefud-scorer.html#scoref-corefud": "The command scoref-corefud",
}
"""Titles in results, where the ones on the pages rank the wrong page first."""
LISTS = {"changes.html", "conformance-results.html", "output.html"}
"""Pages whose sections would hide those that explain a word."""


def add_words(site: Path) -> None:
    """Add the words to the index of a site, for pages from a server and from disk."""
    index = json.loads((site / "search.json").read_text(encoding="utf-8"))
    index["items"] = [
        item
        for item in index["items"]
        if item["location"].partition("#")[0] not in LISTS or item["level"] == 1
    ]
    titles = {item["location"]: item for item in index["items"]}
    for page, words in WORDS.items():
        item = titles[f"{page}.html"]
        item["title"] = f"{item['title']} · {words}"
    for place, title in TITLES.items():
        titles[place]["title"] = title
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (site / "search.json").write_text(text, encoding="utf-8")
    (site / "search.js").write_text(f"var __index = {text}", encoding="utf-8")
