"""The kernel of the site's interactive pages has the figures of scoref."""

from __future__ import annotations

import json
import math
import random
import re
import shlex
import shutil
import subprocess
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.errors import ScorefError
from support.commands import run
from support.golden import GOLDEN
from support.nightly import IS_NIGHTLY
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Files = tuple[Path, Path]
    Result = dict[str, Any]
    Kernel = Callable[[str, Sequence[Any]], list[Any]]

WEB = ROOT / "web"
SUFFIX = ".key.conll"
METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,pairwise,conll"
DUPLICATES = "conll2012-duplicates"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    """Build the command that scores files with the kernel."""
    if shutil.which("node") is None or not (WEB / "node_modules").is_dir():
        pytest.skip("the kernel is built with Node.js and esbuild: npm ci in web/")
    command = tmp_path_factory.mktemp("kernel") / "command.mjs"
    build = ["node", "kernel/build.mjs", "--command", str(command)]
    subprocess.run(build, cwd=WEB, check=True)

    def call(task: str, values: Sequence[Any]) -> list[Any]:
        done = subprocess.run(
            ["node", str(command), task],  # noqa: S607 - whichever is installed
            input=json.dumps(values),
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return [json.loads(line) for line in done.stdout.strip("\n").split("\n")]

    return call


def score_files(kernel: Kernel, files: Sequence[Files]) -> list[Result]:
    return kernel("files", [[str(key), str(response)] for key, response in files])


def golden(*folders: str) -> list[Files]:
    """Return the pairs of files in some folders."""
    keys = [
        key
        for folder in folders
        for key in sorted((GOLDEN / folder).glob(f"*{SUFFIX}"))
    ]
    return [
        (key, key.with_name(key.name.replace(".key.", ".response."))) for key in keys
    ]


def assert_equal(result: Result, files: Files) -> None:
    """Compare every count and every figure with those of scoref."""
    assert "refusal" not in result, (result, files)
    expected = scoref.score(*files, metrics=METRICS)
    for name, counts in result["counts"].items():
        sums = expected.counts[name].sum(axis=0).tolist()
        assert counts == pytest.approx(sums, rel=1e-12, abs=1e-12), (name, files)
    for name, figures in result["scores"].items():
        score = expected.scores[name]
        assert figures["f1"] == pytest.approx(score.f1, rel=1e-12), (name, files)
        assert figures["isDefined"] == score.is_defined, (name, files)
        if name != "conll":
            both = [figures["recall"], figures["precision"]]
            assert both == pytest.approx(score[:2], rel=1e-12), (name, files)


def test_the_kernel_has_all_figures_of_the_golden_files(kernel: Kernel) -> None:
    files = golden("conll2012", "minimum-spans")
    files += [(EXAMPLES / "key.conll", EXAMPLES / "response.conll")]
    files += [(EXAMPLES / "explain-key.conll", EXAMPLES / "explain-response.conll")]
    results = score_files(kernel, files)
    assert len(results) == len(files)
    for result, pair in zip(results, files, strict=True):
        if has_duplicates(pair):
            assert "twice" in result["refusal"]
        else:
            assert_equal(result, pair)


def has_duplicates(files: Files) -> bool:
    """Tell whether scoref refuses the files if no mention may be listed twice."""
    try:
        scoref.score(*files, duplicates="error")
    except ScorefError:
        return True
    return False


def test_the_kernel_refuses_mentions_that_are_listed_twice(kernel: Kernel) -> None:
    for result in score_files(kernel, golden(DUPLICATES)):
        assert "twice" in result["refusal"]


def test_the_kernel_has_all_figures_of_random_json_lines(
    kernel: Kernel, tmp_path: Path
) -> None:
    drawn = random.Random(7)  # noqa: S311 - made-up entities
    files = []
    for case in range(60):
        names = [f"d{number}" for number in range(drawn.choice([1, 1, 2, 3]))]
        size = drawn.choice([3, 8, 20, 60])
        pair = tmp_path / f"{case}.key.jsonl", tmp_path / f"{case}.response.jsonl"
        for path in pair:
            lines = [
                json.dumps({"doc_key": name, "clusters": random_clusters(drawn, size)})
                for name in names
            ]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        files.append(pair)
    for result, pair in zip(score_files(kernel, files), files, strict=True):
        assert_equal(result, pair)


def random_clusters(drawn: random.Random, size: int) -> list[list[list[int]]]:
    """Distribute most of the first tokens over a random number of entities."""
    clusters: list[list[list[int]]] = [[] for _ in range(drawn.randint(1, size))]
    for token in range(size):
        if drawn.random() < 0.8:
            drawn.choice(clusters).append([token, token])
    return [cluster for cluster in clusters if cluster]


def test_the_kernel_has_all_figures_of_variants(kernel: Kernel) -> None:
    drawn = random.Random(3)  # noqa: S311 - made-up entities
    variants = ["bcub-0", "bcub-all", "bcub-rn", "bcub-sys"]
    sides = [
        {side: random_clusters(drawn, size) for side in ("key", "response")}
        for size in [1, 2, 3, 5, 8, 13, 21] * 20
    ]
    named = [
        {
            side: [[str(start) for start, _ in entity] for entity in entities]
            for side, entities in pair.items()
        }
        for pair in sides
    ]
    for pair, rows in zip(named, kernel("variants", named), strict=True):
        scores = scoref.score(pair["key"], pair["response"], metrics=variants).scores
        for name, row in zip(variants, rows, strict=True):
            figures = [row["recall"], row["precision"], row["f1"]]
            expected = [*scores[name][:3]]
            assert figures == pytest.approx(expected, abs=1e-12), (name, pair)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("a b c\n", "neither CoNLL-2012 nor JSON lines"),
        ("#begin document (d); part 0\na (0\n", "has no '#end document'"),
        ("#begin document (d); part 0\na (0\n#end document\n", ":3: entity 0 of this"),
        (
            "#begin document (d); part 0\na 0)\n#end document\n",
            ":2: entity 0 is closed",
        ),
        ("#begin document (d); part 0\na x\n#end document\n", ":2: 'x' is not a list"),
        ("#begin document (d); part 0\n# x\n#end document\n", ":2: comments are not"),
        ("#begin document (e); part 0\na -\n#end document\n", "lacks the document"),
        ("#begin document (d); part 0\na -\na -\n#end document\n", "tokens in the key"),
        ('{"doc_key": "d"}\n', "'clusters' is not a list"),
        ('{"doc_key": "d", "clusters": [[[2, 1]]]}\n', "no such tokens"),
        ('{"doc_key": "d", "clusters": [[[1, 1]], [[1, 1]]]}\n', "listed twice"),
        ('{"doc_key": "d", "clusters": \n', ":1: this line is not a JSON object"),
        ('{"doc_key": "d", "clusters": [[[1, "1"]]]}\n', "is not a mention"),
    ],
)
def test_the_kernel_refuses_what_it_cannot_score(
    kernel: Kernel, tmp_path: Path, text: str, problem: str
) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text("#begin document (d); part 000\na -\n#end document\n")
    response.write_text(text, encoding="utf-8")
    (result,) = score_files(kernel, [(key, response)])
    assert problem in result.get("refusal", ""), result


def suite() -> list[Result]:
    """Return the cases of the conformance suite whose mentions are spans."""
    folder = ROOT / "conformance" / "cases"
    cases = [json.loads(path.read_text("utf-8")) for path in folder.rglob("*.json")]
    return [case for case in cases if case["key"] is not None]


def is_partition(entities: list[list[Any]]) -> bool:
    mentions = [tuple(mention) for entity in entities for mention in entity]
    return len(mentions) == len(set(mentions))


def test_the_kernel_passes_the_conformance_suite(kernel: Kernel) -> None:
    cases = [
        case
        for case in suite()
        if is_partition(case["key"]) and is_partition(case["response"])
    ]
    named = [
        {
            side: [[f"{a}-{b}" for a, b in entity] for entity in case[side]]
            for side in ("key", "response")
        }
        for case in cases
    ]
    compared = 0
    for case, result in zip(cases, kernel("entities", named), strict=True):
        for convention in {"common", "reference", "coval"} & {*case["expected"]}:
            for metric, figures in case["expected"][convention]["scores"].items():
                for name, figure in figures.items():
                    score = result["scores"].get(metric, {}).get(name)
                    if score is not None:
                        wanted = 0 if figure == "0/0" else float(Fraction(figure))
                        assert score == pytest.approx(wanted, abs=1e-12), (case, metric)
                        compared += 1
    assert compared > 500


DAMAGE = '()|-_*0123 \t\n#abc\r."{}[]:,\ufeff\u00a0\x0b\u2028é\x85\0'


def damage(text: str, drawn: random.Random) -> str:
    """Insert, delete or replace a character, or repeat, delete or move a line."""
    place = drawn.randrange(len(text))
    lines = text.split("\n")
    line = drawn.randrange(len(lines))
    match drawn.randrange(5):
        case 0:
            return text[:place] + drawn.choice(DAMAGE) + text[place:]
        case 1:
            return text[:place] + text[place + 1 :]
        case 2:
            return text[:place] + drawn.choice(DAMAGE) + text[place + 1 :]
        case 3:
            return "\n".join([*lines[:line], *lines[line + 1 :]])
        case _:
            return "\n".join([*lines[: line + 1], *lines[line:]])


@pytest.mark.parametrize("convert", [False, True], ids=["conll", "jsonl"])
def test_the_kernel_has_no_figure_that_scoref_does_not_have(
    kernel: Kernel, tmp_path: Path, *, convert: bool
) -> None:
    drawn = random.Random(5)  # noqa: S311 - damaged files
    sources = [EXAMPLES / "key.conll", EXAMPLES / "response.conll"]
    if convert:
        for number, source in enumerate(sources):
            sources[number] = tmp_path / source.with_suffix(".jsonl").name
            run("convert", source, sources[number], "--lossy", code=0)
    texts = [source.read_text("utf-8") for source in sources]
    files = []
    for case in range(4000 if IS_NIGHTLY else 300):
        pair = tmp_path / f"{case}.key", tmp_path / f"{case}.response"
        damaged = drawn.randrange(2)
        for side, (path, text) in enumerate(zip(pair, texts, strict=True)):
            changed = damage(text, drawn) if side == damaged else text
            path.write_text(changed, encoding="utf-8", newline="")
        files.append(pair)
    scored = 0
    for result, pair in zip(score_files(kernel, files), files, strict=True):
        if "refusal" not in result:
            assert_equal(result, pair)
            scored += 1
    assert scored > 10


SIX_TOOLS = ROOT / "docs" / "six-tools.md"


def assert_same_tools(rows: list[Result], expected: scoref.Explanation) -> None:
    """Compare the figures and the causes of tools with those of `scoref explain`."""
    parts = ("muc", "bcub", "ceafe")
    for row in rows:
        other = expected.row(row["name"])
        for part in parts:
            for name, figure in row["figures"][part].items():
                wanted = getattr(other.scores[part], name.replace("isD", "is_d"))
                if isinstance(wanted, float) and math.isnan(wanted):
                    assert figure is None
                elif name != "isDefined":
                    assert figure == pytest.approx(wanted, abs=1e-12), (row, part)
        if not math.isnan(other.scores["conll"].f1):
            assert row["conll"] == pytest.approx(other.scores["conll"].f1, abs=1e-12)
        assert row["cause"] == (other.cause_of(*parts) or "")


def test_the_page_about_six_tools_agrees_with_explain(kernel: Kernel) -> None:
    drawn = random.Random(11)  # noqa: S311 - made-up entities
    examples = []
    for _ in range(60):
        size = drawn.choice([2, 5, 12])
        example = []
        for _ in range(drawn.choice([1, 2, 3])):
            sides = [random_clusters(drawn, size) for _ in range(2)]
            named = [[[f"m{a}" for a, _ in e] for e in side] for side in sides]
            example.append({"key": named[0], "response": named[1]})
        examples.append(example)
    for example, rows in zip(examples, kernel("examples", examples), strict=True):
        key, response = (
            {f"d{number}": document[side] for number, document in enumerate(example)}
            for side in ("key", "response")
        )
        assert_same_tools(rows, scoref.explain(key, response))


def test_the_default_example_of_six_tools_is_that_of_explain(kernel: Kernel) -> None:
    (rows,) = kernel("six-tools", [])
    files = EXAMPLES / "explain-key.conll", EXAMPLES / "explain-response.conll"
    assert_same_tools(rows, scoref.explain(*files))
    shown = re.findall(
        r"^\| (.+?) \|((?: [\d.]+ \|){4})", SIX_TOOLS.read_text(), re.MULTILINE
    )
    assert [(label, re.findall(r"[\d.]+", cells)) for label, cells in shown] == [
        (
            row["label"],
            [
                f"{100 * figure:.2f}"
                for figure in [
                    *(row["figures"][part]["f1"] for part in ("muc", "bcub", "ceafe")),
                    row["conll"],
                ]
            ],
        )
        for row in rows
    ]


def test_the_readme_shows_the_scores_of_six_tools() -> None:
    files = EXAMPLES / "explain-key.conll", EXAMPLES / "explain-response.conll"
    found = scoref.explain(*files)
    names = ["reference", "scorch", "stanza", "metric4coref", "hf-coval", "e2e-coref"]
    section = (ROOT / "README.md").read_text().partition("## Why six tools")[2]
    shown = re.findall(r"^\| [^|]+ \| ([\d.]+) \|", section, re.MULTILINE)
    expected = [f"{100 * found.row(name).scores['conll'].f1:.2f}" for name in names]
    assert shown[: len(names)] == expected


def test_every_recommended_command_runs(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in {
        "key.conll": "many-key.conll",
        "response.conll": "many-a.conll",
        "a.conll": "many-a.conll",
        "b.conll": "many-b.conll",
        "key.conllu": "corefud-key.conllu",
        "response.conllu": "corefud-response.conllu",
        "a.conllu": "corefud-response.conllu",
        "b.conllu": "corefud-key.conllu",
        "key.ua": "ua-key.ua",
        "response.ua": "ua-response.ua",
        "a.ua": "ua-response.ua",
        "b.ua": "ua-key.ua",
        "gold.csv": "curve-key.csv",
        "predicted.csv": "curve-key.csv",
        "pairs.csv": "curve-pairs.csv",
        "labelled.csv": "estimate-sample.csv",
        "all.csv": "estimate-predicted.csv",
        "ada.conll": "agree-ada.conll",
        "ben.conll": "agree-ben.conll",
        "eva.conll": "agree-eva.conll",
    }.items():
        shutil.copy(EXAMPLES / source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    recommendations = kernel("recommendations", [])
    assert len(recommendations) > 60
    for recommendation in recommendations:
        assert recommendation["sentence"].endswith(".")
        for _, page in recommendation["pages"]:
            assert (ROOT / "docs" / "metrics" / f"{page}.md").exists()
    commands = {line for each in recommendations for line in each["commands"]}
    for command in sorted(commands):
        if "agree" in command and "--response" in command:
            shutil.copy(tmp_path / "ada.conll", tmp_path / "response.conll")
        else:
            shutil.copy(EXAMPLES / "many-a.conll", tmp_path / "response.conll")
        name, *arguments = shlex.split(command)
        assert name == "scoref"
        done = run(*arguments)
        assert done.exit_code == 0, f"{command}\n{done.output}"
