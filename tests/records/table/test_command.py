from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import scoref
from scoref.metrics import choose_metrics, usual
from scoref.records.api import is_aligned, score_table
from scoref.scheme import choices
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES

pytest.importorskip("duckdb")

pytestmark = pytest.mark.usefixtures("wide")

KEY, RESPONSE = str(EXAMPLES / "table-key.tsv"), str(EXAMPLES / "table-response.tsv")

BOTH = str(EXAMPLES / "table-both.csv")

COLUMNS = ["--mention", "record", "--key-cluster", "person"]

COLUMNS += ["--response-cluster", "predicted"]

GROUPS = [*COLUMNS, "--group", "source"]

RUNNING = (
    "from scoref.records.table.command import command\n"
    "from scoref.terminal.running import running\n"
    "with running(): command.main(prog_name='scoref table', standalone_mode=False)"
)

TABLE = [sys.executable, "-c", RUNNING]


def scores(*arguments: str) -> dict[str, dict[str, float]]:
    result = run("table", *arguments, "--output", "json")
    assert result.exit_code == 0, result.output
    actual: dict[str, dict[str, float]] = result_of(result.stdout)["scores"]
    return actual


def write(path: Path, *rows: str) -> str:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex"])
def test_indices_of_a_part_of_the_records_are_warned_about(
    tmp_path: Path, output: str
) -> None:
    for name, count in (("key", 100), ("ours", 10), ("theirs", 20)):
        rows = "".join(f"r{record},c{record // 2}\n" for record in range(count))
        (tmp_path / f"{name}.csv").write_text(f"record,cluster\n{rows}")
    key, ours, theirs = (str(tmp_path / f"{n}.csv") for n in ("key", "ours", "theirs"))
    one = run("table", key, ours, "--output", output)
    told = " ".join(one.output.split())
    assert "warning: " in told
    assert "cover only 10 of 100 records" in told
    if output == "json":  # has the notes of each response
        return
    several = run("table", key, f"ours={ours}", f"theirs={theirs}", "--output", output)
    assert "warning: ours: " in several.stderr
    assert "The same applies to theirs (80)" in " ".join(several.stderr.split())


@pytest.mark.parametrize(
    ("undefined", "shown", "value"),
    [("zero", "–", 0.0), ("one", "1.0000", 1.0), ("nan", "–", None)],
)
def test_indices_without_a_common_record_are_undefined(
    tmp_path: Path, undefined: str, shown: str, value: float | None
) -> None:
    (key := tmp_path / "key.csv").write_text("record,cluster\nr1,a\nr2,a\n")
    (empty := tmp_path / "empty.csv").write_text("record,cluster\n")
    options = [str(key), str(empty), "--metrics", "ari,vi", "--undefined", undefined]
    lines = run("table", *options).stdout.splitlines()
    assert [line.split()[-1] for line in lines[1:3]] == [shown, shown]
    actual = json.loads(run("table", *options, "--output", "json").stdout)["results"][0]
    assert actual["scores"]["ari"] == {"value": value, "records": 0, "defined": False}
    assert any("undefined" in note["message"] for note in actual["notes"])
    rows = run("table", *options, "--output", "csv").stdout.splitlines()
    assert rows[1].split(",")[4:6] == ["" if value is None else str(value), "False"]


def test_two_files_without_a_header_give_both_tables_and_the_signature() -> None:
    result = run("table", KEY, RESPONSE)
    assert result.exit_code == 0
    assert (
        result.stdout
        == f"""\
                       Recall  Precision     F₁
Pairwise, links         50.00      66.67  57.14
Pairwise, with itself   66.67      80.00  72.73
MUC                     70.00      77.78  73.68
B³                      70.83      83.33  76.58
CEAFm                   68.75      68.75  68.75
CEAFe                   65.56      56.19  60.51
BLANC                   73.08      79.63  75.74
LEA                     52.08      68.75  59.27
Exact cluster           16.67      14.29  15.38
Closest cluster         61.11      59.52  60.31
CoNLL                                     70.26

                                Value
Adjusted Rand index            0.5161
Adjusted mutual information    0.6071
V-measure                      0.8201
Normalised mutual information  0.8201
Variation of information       0.6507
Talburt–Wang                   0.7201
Generalised merge distance          5
Purity                         0.8750

Clusters: 6 gold, 7 predicted; 1 unchanged, 2 merged, 1 partitioned, 2 overlapping
Records: 16 gold, 16 predicted, 16 in both
Columns: gold record '1', gold cluster '2', predicted record '1', predicted \
cluster '2'

scoref:{scoref.__version__}|format:table|universe:both|duplicates:error\
|undefined:zero|blanc:reference|lea:self-links
"""
    )


def test_one_file_with_both_columns_gives_the_same() -> None:
    assert scores(BOTH, *COLUMNS) == scores(KEY, RESPONSE)


def test_the_command_gives_what_the_function_gives() -> None:
    expected = score_table(KEY, RESPONSE)
    actual = scores(KEY, RESPONSE)
    assert list(actual) == list(choose_metrics("all", usual("tables")))
    assert actual["bcub-sys"]["recall"] == expected.scores["bcub-sys"].recall
    assert actual["vi"]["value"] == expected.values["vi"]


@pytest.mark.parametrize("universe", choices("universe"))
def test_the_universe_stands_in_the_signature(universe: str) -> None:
    assert (
        f"|universe:{universe}|"
        in run("table", KEY, RESPONSE, "--universe", universe).stdout
    )


def test_groups_have_a_row_each() -> None:
    rows = run("table", BOTH, *GROUPS, "--per-group").stdout.splitlines()
    assert [row.split()[:3] for row in rows[1:4]] == [
        ["census", "10", "10"],
        ["parish", "6", "6"],
        ["all", "16", "16"],
    ]
    actual = result_of(
        run("table", BOTH, *GROUPS, "--per-group", "--output", "json").stdout
    )
    assert actual["groups"]["census"]["clusters"]["partitioned"] == 1
    assert "groups" not in result_of(
        run("table", BOTH, *GROUPS, "--output", "json").stdout
    )


def test_documents_are_groups() -> None:
    options = [*COLUMNS, "--document", "source"]
    assert scores(BOTH, *options) == scores(BOTH, *GROUPS)


def test_metrics_can_be_chosen() -> None:
    assert list(scores(KEY, RESPONSE, "--metrics", "ari,B3")) == ["bcub", "ari"]


def test_ceaf_can_be_left_out() -> None:
    assert not any(map(is_aligned, scores(KEY, RESPONSE, "--no-ceaf")))
    assert run("table", KEY, RESPONSE, "--no-ceaf", "--metrics", "all").exit_code == 0


@pytest.mark.parametrize("suffix", [".json", ""])
def test_a_saved_profile_is_scored_without_the_data(
    tmp_path: Path, suffix: str
) -> None:
    saved = str(tmp_path / f"profile{suffix}")
    assert run("table", KEY, RESPONSE, "--save-profile", saved).exit_code == 0
    assert os.listdir(tmp_path) == [f"profile{suffix}"]
    result = run("table", "--profile", saved, "--output", "json")
    whole = scores(KEY, RESPONSE)
    without = {name: each for name, each in whole.items() if not is_aligned(name)}
    assert result_of(result.stdout)["scores"] == without
    assert "CEAF needs the clusters themselves" in result.stdout


def test_profiles_of_parts_are_those_of_the_whole(tmp_path: Path) -> None:
    rows = Path(BOTH).read_text(encoding="utf-8").splitlines()
    parts = [rows[:11], [rows[0], *rows[11:]]]
    saved = []
    for number, part in enumerate(parts):
        data = write(tmp_path / f"{number}.csv", *part)
        saved.append(str(tmp_path / f"{number}.profile"))
        done = run("table", data, *COLUMNS, "--save-profile", saved[-1])
        assert done.exit_code == 0, done.output
    actual, whole = scores("--profile", *saved), scores(BOTH, *COLUMNS, "--no-ceaf")
    assert actual.keys() == whole.keys()
    for name, score in whole.items():
        assert actual[name] == pytest.approx(score, rel=1e-12), name


def test_groups_are_saved_with_a_profile(tmp_path: Path) -> None:
    saved = str(tmp_path / "profile")
    run("table", BOTH, *GROUPS, "--save-profile", saved)
    assert scores("--profile", saved) == scores(BOTH, *GROUPS, "--no-ceaf")
    text = run("table", "--profile", saved, "--per-group").stdout.splitlines()
    assert [line.split()[0] for line in text[1:4]] == ["census", "parish", "all"]


def test_profiles_can_be_merged_into_one(tmp_path: Path) -> None:
    saved = [str(tmp_path / name) for name in ("one", "two", "both")]
    for each in saved[:2]:
        run("table", KEY, RESPONSE, "--save-profile", each)
    run("table", "--profile", *saved[:2], "--save-profile", saved[2])
    assert scores("--profile", saved[2])["muc"] == scores(KEY, RESPONSE)["muc"]


def test_profiles_must_be_counted_the_same_way(tmp_path: Path) -> None:
    saved = [str(tmp_path / universe) for universe in ("both", "common")]
    for each in saved:
        universe = Path(each).name
        run("table", KEY, RESPONSE, "--universe", universe, "--save-profile", each)
    assert "|universe:common|" in run("table", "--profile", saved[1]).stdout
    result = run("table", "--profile", *saved)
    assert result.exit_code == 1
    assert "--universe common" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "missing argument"),
        ([KEY, RESPONSE, "--compare"], "--group"),
        ([KEY, "-"], "standard input"),
        ([KEY, RESPONSE, "--per-group"], "--per-group needs --group"),
        (
            [BOTH, *GROUPS, "--per-group", "--confidence"],
            "--confidence cannot be combined with --per-group",
        ),
        ([KEY, RESPONSE, "--metrics", "pairwize"], "Did you mean pairwise"),
        (
            [KEY, RESPONSE, "--no-ceaf", "--metrics", "conll"],
            "which --no-ceaf turns off",
        ),
        (["--profile", KEY, "--mention", "x"], "Leave out --record"),
        (["--profile", KEY, KEY], "given twice"),
        (["--profile", KEY, "--metrics", "ceafe"], "does not contain"),
        (
            [KEY, RESPONSE, "--save-profile", "no/such/file"],
            "folder 'no/such' does not exist",
        ),
        ([KEY, RESPONSE, "--universe", "all"], "'all' is not one of"),
        ([KEY, RESPONSE, "--memory", "much"], "much"),
    ],
)
def test_bad_usage_is_explained(arguments: list[str], part: str) -> None:
    result = run("table", *arguments)
    assert result.exit_code == 2
    assert part in result.stderr


def test_what_is_no_profile_is_called_so(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (KEY, empty, str(binary), str(tmp_path / "missing"), str(tmp_path)):
        result = run("table", "--profile", path)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"error: {path}:")


def test_bad_files_are_explained(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.tsv")
    empty = write(tmp_path / "empty.tsv")
    one_column = write(tmp_path / "one.tsv", "001", "002")
    twice = write(tmp_path / "twice.tsv", "001\tada", "001\tbea")
    others = write(tmp_path / "others.tsv", "901\tada", "902\tbea")
    for bad in (missing, empty, one_column, twice, others):
        result = run("table", KEY, bad)
        assert result.exit_code == 1, (bad, result.output)
        assert result.stderr.startswith("error: "), (bad, result.stderr)


def test_a_missing_column_is_named_with_those_that_there_are() -> None:
    result = run(
        "table", BOTH, "--key-cluster", "gold", "--response-cluster", "predicted"
    )
    assert result.exit_code in {1, 2}
    assert "gold" in result.stderr
    assert "person" in result.stderr


def test_a_mention_that_is_listed_twice_can_be_kept_once(tmp_path: Path) -> None:
    rows = Path(RESPONSE).read_text(encoding="utf-8").splitlines()
    twice = write(tmp_path / "twice.tsv", *rows, "001\t7")
    assert run("table", KEY, twice).exit_code == 1
    first = scores(KEY, twice, "--duplicates", "first")
    assert first["muc"] == scores(KEY, RESPONSE)["muc"]
    assert scores(KEY, twice, "--duplicates", "last")["muc"] != first["muc"]


def test_a_database_can_hold_both_tables(tmp_path: Path) -> None:
    path = str(tmp_path / "people.sqlite")
    with closing(sqlite3.connect(path)) as database:
        for name, source in (("gold", KEY), ("found", RESPONSE)):
            rows = Path(source).read_text(encoding="utf-8").splitlines()
            database.execute(f"CREATE TABLE {name} (record TEXT, cluster TEXT)")
            pairs = [row.split("\t") for row in rows]
            database.executemany(f"INSERT INTO {name} VALUES (?, ?)", pairs)  # noqa: S608
        database.commit()
    tables = ["--table", "gold", "--table", "found"]
    assert scores(path, path, *tables) == scores(KEY, RESPONSE)
    result = run("table", path, path)
    assert result.exit_code == 1
    assert "found, gold" in result.stderr


def test_notes_of_csv_go_to_standard_error(tmp_path: Path) -> None:
    saved = str(tmp_path / "profile")
    run("table", KEY, RESPONSE, "--save-profile", saved)
    result = run("table", "--profile", saved, "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["metric"] for row in rows[:2]] == ["mentions", "pairwise"]
    assert result.stderr.startswith("note: CEAF")


def test_help_loads_no_numerical_library() -> None:
    program = (
        "import sys\nfrom scoref.records.table.command import command\n"
        "command(['--help'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert not set(done.stderr.split()) & {"numpy", "duckdb", "pyarrow", "pyspark"}


def test_a_closed_pipe_ends_it_quietly() -> None:
    command_line = [*TABLE, KEY, RESPONSE, "--output", "json"]
    with subprocess.Popen(
        command_line, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert b"Traceback" not in errors


def test_nothing_of_progress_stays_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*TABLE, KEY, RESPONSE], stdout=subprocess.PIPE, stderr=theirs, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert shown.endswith(b"\r\x1b[K")
    assert done.stdout.decode().splitlines()[0].split() == ["Recall", "Precision", "F₁"]


SLOW = """
import os, signal, threading
from scoref.records import counting

# Where the tests run in the background, interrupts may be ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def slow(session, *_):
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    query = "SELECT sum(a.range * b.range) FROM range(9999999) a, range(9999999) b"
    session.connection.execute("SET threads = 1")
    return session.connection.execute(query).fetchall()

counting.count = slow
"""


def test_an_interrupt_leaves_without_a_traceback() -> None:
    by_duckdb = ("--engine", "duckdb")
    program = [sys.executable, "-c", f"{SLOW}\n{RUNNING}", KEY, RESPONSE, *by_duckdb]
    done = subprocess.run(program, capture_output=True, check=False, timeout=60)
    assert done.returncode == 130
    assert done.stderr.split() == [b"interrupted"]


@pytest.fixture
def years(tmp_path: Path) -> list[str]:
    """Thirty groups, a key and two responses, whose columns have other names."""
    key, ours, theirs = ["record,person,year"], ["id,found,year"], ["id,found,year"]
    for year in range(30):
        for n in range(12):
            key.append(f"{year}-{n},{n // 3},{year}")
            ours.append(f"{year}-{n},{99 if n == year % 12 else n // 3},{year}")
            theirs.append(f"{year}-{n},{99 if n % 2 else n // 3},{year}")
    return [
        write(tmp_path / "key.csv", *key),
        f"ours={write(tmp_path / 'ours.csv', *ours)}",
        f"theirs={write(tmp_path / 'theirs.csv', *theirs)}",
    ]


NAMES = ["--key-mention", "record", "--key-cluster", "person", "--response-mention"]

NAMES += ["id", "--response-cluster", "found", "--group", "year"]


def test_several_responses_have_a_row_each(years: list[str]) -> None:
    result = run("table", *years, *NAMES, "--metrics", "bcub,ari")
    assert result.exit_code == 0, result.output
    table = result.stdout.partition("\n\n")[0]
    head, *rows = [line.split() for line in table.splitlines()]
    assert head == ["F₁", "B³", "Adjusted", "Rand", "index"]
    assert [row[0] for row in rows] == ["ours", "theirs"]
    assert "predicted record 'id'" in result.stdout
    written = run(
        "table", *years, *NAMES, "--metrics", "bcub", "--output", "json"
    ).stdout
    actual = json.loads(written)["results"]
    assert [each["response"] for each in actual] == ["ours", "theirs"]


def test_intervals_are_over_groups(years: list[str]) -> None:
    result = run("table", *years[:2], *NAMES, "--confidence", "--metrics", "bcub")
    assert result.exit_code == 0, result.output
    assert "|unit:documents" in result.stdout
    written = run(
        "table",
        *years[:2],
        *NAMES,
        "--confidence",
        "90",
        "--metrics",
        "bcub",
        "--output",
        "json",
    )
    actual = result_of(written.stdout)
    low, high = actual["confidence"]["intervals"]["bcub"]["f1"]
    assert low < actual["scores"]["bcub"]["f1"] < high
    alone = run("table", KEY, RESPONSE, "--confidence")
    assert alone.exit_code == 2
    assert "--group" in alone.output


def test_responses_are_compared_by_groups(years: list[str]) -> None:
    result = run("table", *years, *NAMES, "--compare", "--metrics", "bcub")
    assert result.exit_code == 0, result.output
    assert "ours - theirs" in result.stdout
    assert "***" in result.stdout
    one = run("table", *years[:2], *NAMES, "--compare")
    assert one.exit_code == 2
    assert "--compare needs two responses" in one.output


def test_one_number_and_a_threshold(years: list[str]) -> None:
    result = run("table", *years, *NAMES, "--metrics", "bcub", "--score-only")
    assert [line.replace(".", "").isdigit() for line in result.stdout.split()] == [
        True
    ] * 2
    assert "Columns: gold record 'record'" in result.stderr
    assert run("table", KEY, RESPONSE, "--score-only").stdout == "70.26\n"
    index = run("table", KEY, RESPONSE, "--metrics", "ari", "--score-only")
    assert index.stdout == "0.5161\n"  # as in the table: it is not a percentage
    options = "--score-only", "--precision", "4"
    assert run("table", KEY, RESPONSE, *options).stdout == "70.2579\n"
    index = run("table", KEY, RESPONSE, "--metrics", "ari", *options)
    assert index.stdout == "0.516129\n"
    low = run("table", KEY, RESPONSE, "--fail-under", "71")
    assert low.exit_code == 3
    assert "conll is 70.26, below 71.00" in low.stderr
    assert run("table", KEY, RESPONSE, "--fail-under", "0.7").exit_code == 0
    several = run("table", KEY, RESPONSE, "--metrics", "muc,bcub", "--score-only")
    assert several.exit_code == 2


def test_several_gates_are_named_if_they_fail() -> None:
    gates = "bcub=99,muc=10,lea.precision=99"
    failed = run("table", KEY, RESPONSE, "--fail-under", gates, "--max-cluster", "2")
    assert failed.exit_code == 3
    assert "bcub is 76.58, below 99.00" in failed.stderr.replace("\n  ", " ")
    assert "lea.precision is 68.75" in failed.stderr.replace("\n  ", " ")
    assert "largest cluster has 3 records, above 2" in failed.stderr
    assert "muc" not in failed.stderr
    fine = run("table", KEY, RESPONSE, "--fail-under", "bcub=7", "--max-cluster", "3")
    assert fine.exit_code == 0
    links = run("table", KEY, RESPONSE, "--fail-under", "links=99")
    assert "links is 57.14" in links.stderr
    for gates, problem in {
        "vi=3": "is a distance",
        "bcub": "'bcub' is not a number",
        "bcub=101": "range",
        "bcub.f2=3": "not METRIC=SCORE",
        "bcub=1,3": "METRIC=SCORE",
        "unknown=3": "unknown metric 'unknown'",
        "ari.recall=3": "no recall",
    }.items():
        refused = run("table", KEY, RESPONSE, "--fail-under", gates)
        assert refused.exit_code == 2, gates
        assert problem in refused.stderr.replace("\n  ", " ")
    not_counted = run("table", KEY, RESPONSE, "-m", "muc", "--fail-under", "bcub=3")
    assert "Add it to --metrics" in not_counted.stderr


def test_f_beta_weights_recall() -> None:
    text = run("table", KEY, RESPONSE, "--beta", "2", "--metrics", "bcub,blanc")
    assert "F₂" in text.stdout
    assert "73.02" in text.stdout  # 5 · 17/24 · 5/6 / (4 · 5/6 + 17/24)
    written = json.loads(
        run("table", KEY, RESPONSE, "--beta", "2", "--output", "json").stdout
    )
    (result,) = written["results"]
    assert result["beta"] == 2
    expected = 5 * (17 / 24) * (5 / 6) / (4 * (5 / 6) + 17 / 24)
    assert result["scores"]["bcub"]["f_beta"] == pytest.approx(expected)
    assert "f_beta" not in result["scores"]["blanc"]  # not a harmonic mean
    assert result["scores"]["ari"]["records"] == 16
    several = run("table", KEY, RESPONSE, f"b={KEY}", "--beta", "0.5")
    assert "F0.5" in several.stdout


def test_several_responses_are_one_page_and_one_plot(
    years: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    page, plot = tmp_path / "page.html", tmp_path / "plot.svg"
    options = ["--confidence", "--metrics", "bcub", "--plot", str(plot)]
    result = run("table", *years, *NAMES, *options, "--report", str(page))
    assert result.exit_code == 0, result.output
    assert "ours" in plot.read_text()
    assert "theirs" in page.read_text()
    refused = run("table", *years, *NAMES, "--plot", str(plot))
    assert refused.exit_code == 2
    assert "Add --confidence" in refused.output


def shown_on(page: Path, *options: str) -> str:
    """Return what a page says about scores, without markup and hidden explanations."""
    result = run("table", KEY, RESPONSE, *options, "--report", str(page))
    assert result.exit_code == 0, result.output
    html = page.read_text(encoding="utf-8")
    body = html[html.index("<main") : html.index("<noscript")]
    body = re.sub(r'<span class="unseen">[^<]*</span>', "", body)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_a_page_shows_the_metrics_that_were_asked_for(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = shown_on(page, "--metrics", "ari,vi,gmd")
    assert "Adjusted Rand index table-response.tsv 0.5161" in asked
    assert "Value Adjusted Rand index 0.5161 Variation of information 0.6507" in asked
    assert "Generalised merge distance 5" in asked
    assert "CoNLL" not in asked
    assert "F₁" not in asked
    assert "LEA F₁ table-response.tsv 59.27" in shown_on(page, "--metrics", "lea,ari")


def test_conll_is_no_headline_unless_somebody_asked_for_it(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert "Pairwise, links F₁ table-response.tsv 57.14" in shown_on(page)
    asked = shown_on(page, "--metrics", "bcub,conll")
    assert "CoNLL F₁ table-response.tsv 70.26" in asked
    assert scoref.score_table(KEY, RESPONSE).headline == "pairwise"


def test_a_column_that_one_side_calls_otherwise_is_asked_for(years: list[str]) -> None:
    result = run("table", *years[:2], "--mention", "record", "--key-cluster", "person")
    assert result.exit_code == 1
    assert "--response-record COLUMN" in result.output


def test_two_responses_have_different_names() -> None:
    result = run("table", KEY, f"a={RESPONSE}", f"a={RESPONSE}")
    assert result.exit_code == 2
    assert "two systems have the same name, 'a'" in result.output


def test_few_groups_are_called_groups() -> None:
    result = run("table", BOTH, *GROUPS, "--confidence")
    assert "groups are too few for reliable intervals" in result.stderr
    assert "--group with more groups" in result.stderr
    assert "--unit" not in result.stderr
