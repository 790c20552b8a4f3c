"""The examples of docs/adapters.md are run, each section in a process of its own."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "docs" / "adapters.md"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDED = {
    "evaluate": "evaluate",
    "datasets": "datasets",
    "spaCy": "spacy",
    "torchmetrics": "torchmetrics",
    "lm-evaluation-harness": "scoref",  # its functions need no library
    "Inspect": "inspect_ai",
    "In a training loop": "scoref",
}


def sections() -> dict[str, str]:
    """Cut the page at its headings; what comes before the first is called ''."""
    parts = HEADING.split(PAGE.read_text(encoding="utf-8"))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def blocks(section: str, language: str) -> str:
    found = BLOCK.findall(sections()[section])
    return "".join(text for name, text in found if name == language)


@pytest.mark.parametrize("section", NEEDED)
def test_a_section_prints_what_it_says(section: str, tmp_path: Path) -> None:
    if find_spec(NEEDED[section]) is None:
        pytest.skip(f"{section} is not there: no package {NEEDED[section]}")
    offline = {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", blocks("", "python") + blocks(section, "python")],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, **offline, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stdout == blocks(section, "text")


def test_every_section_with_code_is_tested() -> None:
    with_code = [name for name in sections() if name and blocks(name, "python")]
    assert with_code == list(NEEDED)


def test_the_config_of_spacy_names_a_scorer_and_its_options() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not there")
    config = configparser.ConfigParser()
    config.read_string(blocks("spaCy", "ini"))
    options = {
        name: value.strip('"')
        for name, value in config["components.coref.scorer"].items()
    }
    make = spacy.registry.scorers.get(options.pop("@scorers"))
    scores = make(**options)([])
    assert set(config["training.score_weights"]) <= set(scores)
