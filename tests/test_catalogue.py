"""What there is to ask for grows through the catalogue alone: no other file is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

import scoref
from scoref.conventions import Convention
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import FORMATS, Format
from scoref.lazy import np
from scoref.metrics import METRICS
from scoref.metrics.base import Metric
from scoref.model import DocumentName
from scoref.render import render
from scoref.render.signature import fields
from scoref.scheme import CONVENTIONS, Scheme
from scoref.terminal.options import scoring
from scoref.tools.docs import list_report

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.contingency import Contingency
    from scoref.formats.catalogue import ReadOptions
    from scoref.metrics.base import Floats
    from scoref.model import Corpus

KEY = [["a", "b", "c"], ["d", "e"]]
RESPONSE = [["a", "b"], ["c", "d", "e"]]


def count_large(table: Contingency, least: int) -> Floats:
    """Count mentions in cells of so many, of those in entities of so many."""
    found = table.sum_cells(np.where(table.overlap >= least, table.overlap, 0))
    key = table.sum_key(np.where(table.key_size >= least, table.key_size, 0))
    sizes = table.response_size
    response = table.sum_response(np.where(sizes >= least, sizes, 0))
    return np.column_stack((found, key, found, response)).astype(np.float64)


def large(least: int) -> Metric:
    return Metric(
        name="large",
        label="Large",
        asks="how many mentions are in large pieces?",
        reference="nobody",
        page="muc",
        place=999,
        usual="never",
        count=lambda table: count_large(table, least),
        under=lambda scheme: large(3 if scheme.chosen().get("least") == "three" else 2),
    )


LEAST = Convention(
    name="least",
    meaning="how large a piece must be",
    values=("two", "three"),
    default="two",
    option="How large a piece must be.",
    files="both",
    unfit={"corefud": {None: "is for toys"}},
)


def read_lists(data: bytes, options: ReadOptions) -> Corpus:
    """Read an entity a line, its mentions as numbers."""
    builder = CorpusBuilder(options.source, "toy")
    document = builder.add_document(DocumentName.plain("toy"), line=1, tokens=99)
    for number, line in enumerate(data.decode().splitlines()[1:], start=2):
        entity = builder.add_entity(str(number), document)
        for word in map(int, line.split()):
            builder.mentions += [entity, word, word, number]
    return builder.build()


TOY = Format(
    name="toy",
    text="an entity a line",
    page="toy",
    is_it=lambda start: start.startswith(b"toy"),
    read=read_lists,
)


@pytest.fixture
def metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS, "large", large(2))


@pytest.fixture
def convention(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONVENTIONS, "least", LEAST)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    monkeypatch.setitem(FORMATS, "toy", TOY)
    texts = {"key": "toy\n1 2 3\n4 5\n", "response": "toy\n1 2\n3 4 5\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


@pytest.mark.usefixtures("metric")
def test_a_metric_scores_texts_and_tables_and_is_listed() -> None:
    score = scoref.score(KEY, RESPONSE, metrics="large").scores["large"]
    assert isinstance(score, scoref.Score)
    assert score.recall == score.precision == pytest.approx(4 / 5)
    assert scoref.score_table(KEY, RESPONSE, metrics="large").scores["large"] == score
    assert "Large: how many mentions" in render(list_report("metrics"))
    with pytest.raises(scoref.OptionError, match=r"Did you mean large\?"):
        scoref.score(KEY, RESPONSE, metrics="larg")


def test_a_format_is_recognised_and_scored_and_listed(files: list[Path]) -> None:
    found, same = scoref.score(*files), scoref.score(KEY, RESPONSE)
    assert found.scores == same.scores
    assert found.signature.split("|")[1] == "format:toy"
    assert scoref.score(*files, format="toy").scores == same.scores
    assert "toy                    an entity a line" in render(list_report("formats"))


@pytest.mark.usefixtures("metric", "convention")
def test_a_convention_moves_a_figure_and_is_told_everywhere() -> None:
    options = {"metrics": "large", "least": "three"}
    usual = scoref.score(KEY, RESPONSE, metrics="large")
    result = scoref.score(KEY, RESPONSE, **options)  # type: ignore[arg-type]
    assert usual.scores["large"].f1 == pytest.approx(4 / 5)
    assert result.scores["large"].f1 == 0
    assert usual.signature.endswith("|least:two")
    assert result.signature.endswith("|least:three")
    assert usual.scheme != result.scheme
    evaluator = scoref.Evaluator(**options)  # type: ignore[arg-type]
    evaluator.update(key=KEY, response=RESPONSE)
    assert evaluator.compute().scores == result.scores
    assert "how large a piece must be (two, three)" in fields()["least"]
    with pytest.raises(scoref.OptionError, match="least is three for b, two for a"):
        scoref.compare({"a": usual, "b": result})


@pytest.mark.usefixtures("convention", "files")
def test_a_convention_and_a_format_are_on_the_command_line() -> None:
    @click.command()
    @scoring
    def command(**options: str) -> None:
        click.echo(f"{options['least']} {options['format']}")

    done = CliRunner().invoke(command, ["--least", "three", "--format", "toy"])
    assert done.stdout == "three toy\n"
    assert CliRunner().invoke(command, ["--least", "four"]).exit_code == 2
    text = CliRunner().invoke(command, ["--help-conventions"]).stdout
    assert "How large a piece must be." in text


@pytest.mark.usefixtures("convention")
def test_a_convention_is_refused_by_its_own_record() -> None:
    with pytest.raises(scoref.OptionError, match="unknown value of 'least' 'four'"):
        scoref.score(KEY, RESPONSE, least="four")  # type: ignore[call-arg]
    assert LEAST.why_unfit("three", "corefud") == "is for toys"


def test_without_its_record_there_is_no_such_convention() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'least'"):
        scoref.score(KEY, RESPONSE, least="two")  # type: ignore[call-arg]
    assert not hasattr(Scheme(), "least")
