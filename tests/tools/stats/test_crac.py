"""The statistics of CRAC: figures counted by hand, and those of udapi."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import io
import logging
from typing import TYPE_CHECKING

import pytest

from scoref.errors import FormatError
from scoref.tools.stats.crac import crac_figures, shown_figure
from support.commands import run
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

SHARED = ROOT.parent / "shared"

ROWS = (
    "1 NOUN 2 _ Entity=(e1-x-2-",
    "2 NOUN 0 _ Entity=e1)",
    "2.1 _ _ 2:nsubj Entity=(e1-x-1-)",
    "3 NOUN 2 _ Entity=(e2[1/2]-x-1-)",
    "4 _ 2 _ _",
    "5 VERB 2 _ Entity=(e2[2/2]-x-1-)",
    "6 _ 2 _ Entity=(e1-x-1-)",
)


def conllu(*rows: str) -> bytes:
    lines = []
    for row in rows:
        number, upos, head, deps, misc = row.split()
        lines.append(f"{number}\tw\t_\t{upos}\t_\t_\t{head}\t_\t{deps}\t{misc}")
    header = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    return (header + "\n".join(lines) + "\n\n").encode()


def test_figures_counted_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(conllu(*ROWS))
    figures = crac_figures(str(path))
    expected = {
        "docs": 1,
        "sents": 1,
        "words": 6,
        "empty": 1,
        "words_per_doc": 6,
        "entities": 2,
        "entities_per1k": 1000 / 3,
        "longest_entity": 3,
        "avg_entity": 2,
        "c_len_1": 50,
        "c_len_3": 50,
        "entity_range_p95": 4,
        "mentions": 4,
        "longest_mention": 2,
        "avg_mention": 5 / 4,
        "m_len_0": 25,
        "m_len_1": 25,
        "m_len_2": 50,
        "with_empty": 25,
        "with_gaps": 25,
        "nontreelet": 25,
        "head_upos=NOUN": 50,
        "head_upos=_": 25,
        "head_upos=other": 25,
    }
    assert {name: figures[name] for name in expected} == pytest.approx(expected)


def test_other_formats_and_combinations_are_refused() -> None:
    with pytest.raises(FormatError, match="conll-2012"):
        crac_figures(str(EXAMPLES / "key.conll"))
    file = str(EXAMPLES / "corefud-key.conllu")
    assert run("stats", "--profile", "crac", file, "--per-document").exit_code == 2
    assert run("stats", "--profile", "ud", file).exit_code == 2


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="no sentence"):
        crac_figures(str(path))


def test_a_file_without_mentions_has_zeros(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(conllu("1 NOUN 0 _ _"))
    figures = crac_figures(str(path))
    assert {figures[name] for name in ("mentions", "entities", "nontreelet")} == {0}


@pytest.mark.parametrize("output", ["text", "latex", "csv", "json", "markdown"])
def test_every_output_has_every_figure(output: str) -> None:
    file = str(EXAMPLES / "corefud-key.conllu")
    result = run("stats", "--profile", "crac", file, "--output", output)
    assert result.exit_code == 0
    for name in crac_figures(file):
        assert name in result.stdout.replace("\\_", "_")


def _udapi_figures(path: Path) -> dict[str, str]:
    from udapi.block.corefud.stats import Stats
    from udapi.core.document import Document

    printed = io.StringIO()
    logging.disable(logging.CRITICAL)
    gc.disable()  # or udapi has all garbage collected after each file
    try:
        block = Stats(report_basics=True)
        with contextlib.redirect_stdout(printed):
            block.process_document(Document(str(path)))
            block.process_end()
    finally:
        gc.enable()
        logging.disable(logging.NOTSET)
    pairs = (line.rsplit("=", 1) for line in printed.getvalue().splitlines())
    return {name.strip(): value.strip().replace(",", "") for name, value in pairs}


@pytest.mark.skipif(
    importlib.util.find_spec("udapi") is None, reason="udapi is not installed"
)
@pytest.mark.filterwarnings("ignore")  # udapi leaves files open
def test_figures_are_those_of_udapi() -> None:
    paths = sorted(EXAMPLES.glob("corefud-*.conllu"))
    paths += sorted((SHARED / "golden").glob("corefud*/*.conllu"))
    for path in paths:
        figures = crac_figures(str(path))
        official = _udapi_figures(path)
        shown = {name: shown_figure(name, figures[name]) for name in official}
        assert shown == official, path


@pytest.mark.parametrize(("deps", "share"), [("1:nsubj", 0), ("3:nsubj", 100)])
def test_an_empty_node_hangs_from_the_head_in_its_deps(
    tmp_path: Path, deps: str, share: int
) -> None:
    path = tmp_path / "x.conllu"
    rows = (
        "1 NOUN 3 _ Entity=(e1-x-1-",
        f"1.1 _ _ {deps} Entity=e1)",
        "2 NOUN 3 _ _",
        "3 VERB 0 _ _",
    )
    path.write_bytes(conllu(*rows))
    assert crac_figures(str(path))["nontreelet"] == share


def test_a_text_of_one_word_has_a_thousand_mentions_in_a_thousand_words(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(conllu("1 NOUN 0 _ Entity=(e1-x-1-)"))
    figures = crac_figures(str(path))
    assert (figures["mentions_per1k"], figures["entities_per1k"]) == (1000, 1000)


def test_without_entities_of_several_mentions_there_is_no_range(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(conllu("1 NOUN 0 _ Entity=(e1-x-1-)", "2 NOUN 1 _ _"))
    assert crac_figures(str(path))["entity_range_p95"] == 0
