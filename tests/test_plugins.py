"""Metrics and formats of other packages: the template, the API and the page."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scoref import plugins
from support.pages import commands, is_shown
from support.paths import EXAMPLES, ROOT
from support.plugins import COUNT, python_with, run_with, write_plugin

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = EXAMPLES / "plugin"
PAGE = ROOT / "docs/plugins.md"
PAIR = ("examples/key.conll", "examples/response.conll")
BRACKETED = [TEMPLATE / "tests" / f"{side}.bracketed" for side in ("key", "response")]
NAME = "scoref-example-1.2"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the template into a folder, without a network."""
    pytest.importorskip("hatchling")
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("template")
    options = ["--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--target"]
    install = [sys.executable, "-m", "pip", "install", *options]
    install += [str(folder), str(TEMPLATE)]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    return folder


def test_the_tests_of_the_template_pass(template: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir"]
    paths = [str(TEMPLATE), str(TEMPLATE / "tests")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *paths],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(template)},
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_a_plugin_is_in_lists_help_and_the_signature(template: Path) -> None:
    done = run_with(template, *BRACKETED, "-m", "muc,half")
    assert f"|format:bracketed|plugins:{NAME}|" in done.stdout.replace("\n", "")
    assert re.search(r"^Half +100\.00", done.stdout, re.MULTILINE)
    assert not done.stderr
    assert f"one piece ({NAME})" in run_with(template, "metrics").stdout
    assert "\nbracketed  text with" in run_with(template, "formats").stdout
    assert f"package    {NAME}" in run_with(template, "metrics", "half").stdout
    assert (
        f'"package": "{NAME}"'
        in run_with(template, "formats", "bracketed", "--output", "json").stdout
    )
    done = run_with(template, *PAIR, "--metrics", "hlf", code=2)
    assert "Did you mean half?" in done.stderr


COMMANDS: list[list[str | Path]] = [
    [*PAIR, "-m", "half", "--confidence", "--unit", "entities", "--resamples", "50"],
    [*PAIR, "-m", "half", "--by", "document", "--output", "csv"],
    [*PAIR, "-m", "half", "--window", "10", "--output", "json"],
    ["compare", *PAIR, "other=examples/key.conll", "-m", "half", "--resamples", "50"],
    ["agree", *PAIR, "-m", "half"],
    ["table", "examples/table-key.tsv", "examples/table-response.tsv", "-m", "half"],
    ["errors", *BRACKETED],
    ["report", *BRACKETED, "-o", "-", "-m", "half"],
]


def test_other_commands_take_plugins_and_show_them_in_the_signature(
    template: Path,
) -> None:
    lines = [list(map(str, command)) for command in COMMANDS]
    done = python_with(
        template,
        f"""
        from click.testing import CliRunner
        from scoref.cli import command
        for line in {lines}:
            result = CliRunner().invoke(command, line, prog_name="scoref")
            text = result.stdout.replace("\\n", "")
            print(line, result.exit_code, "plugins:{NAME}" in text, result.stderr)
        """,
    )
    for line in lines:
        assert f"{line} 0 True" in done.stdout, done.stdout


def test_what_a_plugin_metric_cannot_do_is_refused(template: Path) -> None:
    done = run_with(template, "explain", *PAIR, "--got", "half=50", code=2)
    assert f"'half' is a metric of plugin {NAME}" in done.stderr
    done = run_with(template, *PAIR, "-m", "half", "--by", "entity-size", code=2)
    assert "has only these metrics" in done.stderr
    done = run_with(template, *PAIR, "-m", "muc,half", "--by", "entity-size")
    assert "Half cannot be split by mentions and was left out." in done.stderr


def test_a_format_of_a_plugin_is_read_like_any_other(template: Path) -> None:
    done = run_with(template, "stats", BRACKETED[0], "--output", "json")
    assert re.search(r'"words": 25\b', done.stdout)
    assert "no problems" in run_with(template, "check", *BRACKETED).stdout
    arguments = ("convert", "--from", "bracketed", BRACKETED[0], "-", "--to", "corefud")
    assert "Entity=" in run_with(template, *arguments).stdout


def test_a_plugin_works_from_python(template: Path, tmp_path: Path) -> None:
    python_with(
        template,
        f"""
        import pickle, subprocess, sys
        import scoref
        key = [["a", "b", "c", "d"], ["e", "f"], ["g"]]
        response = [["a", "b"], ["c", "e", "x"], ["f"], ["g"]]
        result = scoref.score(key, response, metrics="half")
        assert result.scores["half"].precision == 3 / 4
        assert "|plugins:{NAME}|" in result.signature
        table = scoref.score_table(key, response, metrics="half")
        assert table.scores == result.scores
        evaluator = scoref.Evaluator(metrics="half")
        evaluator.update(key=key, response=response)
        assert evaluator.compute().scores == result.scores
        scoref.save_result(result, {str(tmp_path / "saved.json")!r})
        assert scoref.load_result({str(tmp_path / "saved.json")!r}) == result
        # A new process knows the metric when it meets the result.
        program = "import pickle, sys; result = pickle.load(sys.stdin.buffer); "
        program += "assert result.scores['half'].precision == 3 / 4"
        data = pickle.dumps(result)
        subprocess.run([sys.executable, "-c", program], input=data, check=True)
        """,
    )
    program = f"import scoref; scoref.load_result({str(tmp_path / 'saved.json')!r})"
    failed = python_with(tmp_path, program, code=1).stderr
    assert "unknown metric 'half'" in failed
    assert f"It was scored with {NAME}" in failed


def test_results_of_two_versions_are_not_compared(tmp_path: Path) -> None:
    for version in ("1.0", "1.1"):
        folder = tmp_path / version
        folder.mkdir()
        code = f"{COUNT}\nMINE = metric('mine')"
        metrics = {"mine": "MINE"}
        write_plugin(folder, "my-metrics", code, metrics=metrics, version=version)
    saved = tmp_path / "saved.json"
    run_with(tmp_path / "1.0", *PAIR, "-m", "mine", "--save", saved)
    arguments = ["compare", "--baseline", saved, *PAIR, "-m", "mine"]
    failed = run_with(tmp_path / "1.1", *arguments, code=2).stderr
    assert "the version of my-metrics is 1.0 for baseline, 1.1 for" in failed
    run_with(tmp_path / "1.0", *arguments)


def test_a_plugin_that_fails_gives_one_warning_and_does_not_stop_scoref(
    tmp_path: Path,
) -> None:
    write_plugin(tmp_path, "broken", "import nothing", metrics={"a": "A", "b": "B"})
    write_plugin(
        tmp_path,
        "good",
        f"{COUNT}\nMINE = metric('mine')",
        metrics={"mine": "MINE"},
        version="2.1",
    )
    write_plugin(
        tmp_path,
        "greedy",
        f"{COUNT}\nTAKEN, AGAIN = metric('muc'), metric('mine')",
        metrics={"muc": "TAKEN", "mine": "AGAIN"},
    )
    done = run_with(tmp_path, *PAIR, "-m", "mine", "-q")
    assert "plugins:good-2.1" in done.stdout
    problem = "ModuleNotFoundError: No module named 'nothing'"
    assert re.sub(r"\s+", " ", done.stderr) == (
        f"warning: Plugin broken-1.0 is ignored. metric 'a': {problem}; metric 'b': "
        f"{problem} warning: Plugin greedy-1.0 is ignored. metric 'muc': the metric "
        "name 'muc' is already taken by scoref; metric 'mine': the metric name 'mine' "
        "is already taken by good-2.1 "
    )
    assert run_with(tmp_path, "metrics").stderr.count("warning:") == 2
    assert not run_with(tmp_path, *PAIR, "-m", "muc").stderr
    program = "import scoref; scoref.score([['a', 'b']], [['a', 'b']], metrics='mine')"
    assert python_with(tmp_path, program).stderr.count("PluginWarning: Plugin") == 2


LOADED = """
import sys
sys.argv = ["scoref", *{arguments}]
from scoref.cli import main
try:
    main()
finally:
    print("importlib.metadata" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        [*PAIR],
        [*PAIR, "--metrics", "all"],
        [*PAIR, "--metrics", "b3", "--format", "conll-2012"],
        ["examples/corefud-key.conllu", "examples/corefud-response.conllu"],
        ["examples/ua-key.ua", "examples/ua-response.ua"],
        ["table", "examples/table-key.tsv", "examples/table-response.tsv"],
        ["--help"],
        ["score", "--help"],
    ],
    ids=" ".join,
)
def test_an_ordinary_run_does_not_look_for_plugins(
    arguments: list[str], tmp_path: Path
) -> None:
    done = python_with(tmp_path, LOADED.format(arguments=arguments))
    assert done.stderr.splitlines()[-1] == "False"


def test_python_values_do_not_look_for_plugins(tmp_path: Path) -> None:
    python_with(
        tmp_path,
        """
        import sys
        import scoref
        scoref.find_errors([["a", "b"]], [["a"], ["b"]])
        assert "importlib.metadata" not in sys.modules
        """,
    )


def test_all_metrics_are_those_of_scoref(template: Path) -> None:
    done = run_with(template, *BRACKETED, "--metrics", "all")
    assert "Half" not in done.stdout
    done = run_with(template, *BRACKETED, "--metrics", "all,half")
    assert "Half" in done.stdout
    assert "LEA" in done.stdout


def test_files_in_a_folder_are_documents(template: Path, tmp_path: Path) -> None:
    code = """
        import scoref_example.bracketed
        FILES = scoref_example.bracketed.BRACKETED._replace(
            name="brk", text="as bracketed", detect=None, endings=(".brk",),
            read=lambda data, options: read(data, options),
        )
        def read(data, options):
            import dataclasses
            corpus = scoref_example.bracketed.read(data, options)
            return dataclasses.replace(corpus, format="brk")
        """
    plugins_folder = tmp_path / "plugins"
    plugins_folder.mkdir()
    write_plugin(plugins_folder, "files", code, formats={"brk": "FILES"})
    for side, source in zip(("key", "response"), BRACKETED, strict=True):
        (tmp_path / side).mkdir()
        _, first, second = source.read_text().split("=")
        for name, text in (("one", first), ("two", second)):
            (tmp_path / side / f"{name}.brk").write_text(f"={text}")
    path = os.pathsep.join([str(plugins_folder), str(template)])
    folders = tmp_path / "key", tmp_path / "response"
    done = run_with(path, *folders, "-m", "muc")
    assert "66.67" in done.stdout
    assert "plugins:files-1.0" in done.stdout


def test_the_page_shows_the_template() -> None:
    text = PAGE.read_text(encoding="utf-8")
    sources = [
        path.read_text(encoding="utf-8")
        for pattern in ("*.toml", "src/**/*.py", "tests/*.py", "tests/*.bracketed")
        for path in TEMPLATE.glob(pattern)
    ]
    blocks = re.findall(r"(?ms)^```(?:python|toml)\n(.*?)^```", text)
    assert len(blocks) > 2
    for block in blocks:
        code = "".join(block.split())  # lines may be folded elsewhere
        assert any(code in "".join(source.split()) for source in sources), block


def test_commands_on_the_page_work(template: Path) -> None:
    listed = [
        command
        for command in commands(PAGE.read_text(encoding="utf-8"))
        if command.not_run == "needs the example plugin"
    ]
    assert len(listed) > 1
    for command in listed:
        done = run_with(template, *shlex.split(command.line)[1:])
        assert is_shown(command.shown, done.stdout), done.stdout


def test_what_plugins_need_is_public() -> None:
    assert all(hasattr(plugins, name) for name in plugins.__all__)
    text = PAGE.read_text(encoding="utf-8")
    missing = [name for name in plugins.__all__ if not re.search(rf"\b{name}\b", text)]
    assert missing == []
