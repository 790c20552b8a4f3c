"""The kernel of the site's interactive pages has the figures of scoref."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.errors import ScorefError
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Files = tuple[Path, Path]
    Result = dict[str, Any]
    Kernel = Callable[[Sequence[Files]], list[Result]]

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

    def score(files: Sequence[Files]) -> list[Result]:
        names = json.dumps([[str(key), str(response)] for key, response in files])
        done = subprocess.run(
            ["node", str(command)],  # noqa: S607 - whichever is installed
            input=names,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return score


def golden(*folders: str) -> list[Files]:
    """Return the pairs of files in the repository and in the shared folder."""
    homes = ROOT / "tests" / "golden", ROOT.parent / "shared" / "golden"
    keys = [
        key
        for home in homes
        for folder in folders
        for key in sorted((home / folder).glob(f"*{SUFFIX}"))
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
    results = kernel(files)
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
    for result in kernel(golden(DUPLICATES)):
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
    for result, pair in zip(kernel(files), files, strict=True):
        assert_equal(result, pair)


def random_clusters(drawn: random.Random, size: int) -> list[list[list[int]]]:
    """Distribute most of the first tokens over a random number of entities."""
    clusters: list[list[list[int]]] = [[] for _ in range(drawn.randint(1, size))]
    for token in range(size):
        if drawn.random() < 0.8:
            drawn.choice(clusters).append([token, token])
    return [cluster for cluster in clusters if cluster]


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
    (result,) = kernel([(key, response)])
    assert problem in result.get("refusal", ""), result
