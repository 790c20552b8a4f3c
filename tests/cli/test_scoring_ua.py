"""The command `scoref` on Universal Anaphora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.cli import command
from support.json_output import result_of
from support.universal_anaphora import universal

pytestmark = pytest.mark.usefixtures("wide")

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "w w w w w w w *"
ENTITIES = {"e1": "1-2*1 4", "e2": "5 7.1", "p": "6 of e1 e2", "x": "3 pseudo"}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = {
        "key.ua": universal(WORDS, bridges="6>4", **ENTITIES),
        "response.ua": universal(WORDS, bridges="6>1", **(ENTITIES | {"e1": "1 4"})),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in texts]


@pytest.mark.parametrize(
    ("scheme", "signature"),
    [
        (None, "match:exact|singletons:keep|zeros:drop|split-antecedents:keep"),
        ("codi-crac-2022-ar", "split-antecedents:keep|evaluate:identity"),
        ("codi-crac-2022-dd", "split-antecedents:keep|evaluate:discourse-deixis"),
        ("codi-crac-2022-br", "split-antecedents:drop|evaluate:identity"),
        ("crac-2018", "match:exact|singletons:keep|zeros:drop|split-antecedents:drop"),
        ("craft-2019", "match:craft|singletons:keep|zeros:drop|split-antecedents:drop"),
    ],
)
def test_scoref_knows_universal_anaphora_and_its_schemes(
    scheme: str | None, signature: str, files: list[str]
) -> None:
    options = ["--scheme", scheme] if scheme else []
    result = CliRunner().invoke(command, [*files, *options])
    assert result.exit_code == 0, result.output
    (line,) = (
        line for line in result.stdout.splitlines() if line.startswith("scoref:")
    )
    assert "|format:universal-anaphora|" in line
    assert f"|{signature}|" in line


def test_the_scheme_of_bridging_shows_bridging_alone(files: list[str]) -> None:
    options = ["--scheme", "codi-crac-2022-br", "--output", "json"]
    result = CliRunner().invoke(command, [*files, *options])
    names = ["bridging-anaphors", "bridging-markables", "bridging-entities"]
    assert list(result_of(result.stdout)["scores"]) == names


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex"])
@pytest.mark.parametrize(
    "evaluate", ["identity", "split-antecedents", "discourse-deixis"]
)
def test_everything_that_is_evaluated_can_be_written_in_every_way(
    output: str, evaluate: str, files: list[str]
) -> None:
    options = ["--evaluate", evaluate, "--output", output]
    result = CliRunner().invoke(command, [*files, *options])
    assert result.exit_code == 0, result.exception
    label = {"csv": "muc", "json": '"muc"'}.get(output, "MUC")
    assert label in result.stdout
    assert f"evaluate:{evaluate}" in result.stdout.replace("\n", "")
