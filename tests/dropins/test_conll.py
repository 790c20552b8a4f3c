"""The drop-in against what the Perl script prints, from its second line on."""

import sys
from pathlib import Path

import pytest

from scoref.dropins.conll import main, run

KEY = """\
#begin document (a); part 000
a\t0\t(0
a\t1\t0)
a\t2\t(1)|(0)
a\t3\t(1)
#end document
#begin document (b); part 000
b\t0\t(0)
b\t1\t(0)|(1+2)
#end document
"""
RESPONSE = """\
#begin document (a); part 000
a\t0\t(5
a\t1\t5)
a\t2\t(7)
a\t3\t(7)|(5)
#end document
#begin document (c); part 000
c\t0\t1)
#end document
"""
RULE = "-" * 74


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text(KEY)
    response.write_text(RESPONSE)
    return str(key), str(response)


Capture = pytest.CaptureFixture[str]


def lines(capsys: Capture) -> list[str]:
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("version: 8.01 scoref ")
    return rest


A_LISTED = """\
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1) (2,2)
Entity 1: (2,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1) (3,3)
Entity 1: (2,2) (3,3)
""".splitlines()
A_REPEATED = """\
Repeated mention in the key: 2, 2 12
Repeated mention in the response: 3, 3 33
""".splitlines()
A_FOUND = """\
Total key mentions: 3
Total response mentions: 3
Strictly correct identified mentions: 3
Partially correct identified mentions: 0
No identified: 0
Invented: 1
""".splitlines()
B_LISTED = """\
====> (b); part 000:
Discarded (1+2)
File (b); part 000:
Entity 0: (0,0) (1,1)
====> :
File :
""".splitlines()
B_FOUND = """\
Total key mentions: 2
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 2
Invented: 0
""".splitlines()
MENTIONS = (
    "Identification of Mentions: Recall: (3 / 5) 60%"
    "\tPrecision: (3 / 3) 100%\tF1: 74.99%"
)


def test_without_a_name_every_document_is_shown(
    files: tuple[str, str], capsys: Capture
) -> None:
    assert run(["muc", *files]) == 0
    assert lines(capsys) == [
        *A_LISTED,
        "(a); part 000:",
        *A_REPEATED,
        *A_FOUND,
        "Recall: (0 / 2) 0%\tPrecision: (0 / 1) 0%\tF1: 0%",
        RULE,
        *B_LISTED,
        "(b); part 000:",
        *B_FOUND,
        "Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
        "",
        "====== TOTALS =======",
        MENTIONS,
        RULE,
        "Coreference: Recall: (0 / 3) 0%\tPrecision: (0 / 1) 0%\tF1: 0%",
        RULE,
    ]


def test_none_shows_the_totals_and_what_is_repeated(
    files: tuple[str, str], capsys: Capture
) -> None:
    assert run(["BCUB", *files, "none"]) == 0
    assert lines(capsys)[:4] == [*A_REPEATED, "", "====== TOTALS ======="]


def test_a_name_shows_that_document_and_comes_first(
    files: tuple[str, str], capsys: Capture
) -> None:
    assert run(["ceafe", *files, "(b); part 000"]) == 0
    assert lines(capsys) == [
        "(b); part 000:",
        *B_LISTED,
        *B_FOUND,
        "Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
        "",
        "====== TOTALS =======",
        "Identification of Mentions: Recall: (0 / 2) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
        "Coreference: Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
    ]


def test_a_name_that_nobody_has_scores_nothing(
    files: tuple[str, str], capsys: Capture
) -> None:
    assert run(["muc", *files, "(z); part 000"]) == 0
    assert lines(capsys) == [
        "(z); part 000:",
        *2 * ["====> :", "File :"],
        "Total key mentions: 0",
        "Total response mentions: 0",
        "Strictly correct identified mentions: 0",
        "Partially correct identified mentions: 0",
        "No identified: 0",
        "Invented: 0",
        "Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
        "",
        "====== TOTALS =======",
        "Identification of Mentions: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
        "Coreference: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
        RULE,
    ]


def test_blanc_has_no_score_for_single_documents_and_forgets_their_names(
    files: tuple[str, str], capsys: Capture
) -> None:
    assert run(["blanc", *files]) == 0
    assert lines(capsys) == [
        *A_LISTED,
        ":",
        *A_REPEATED,
        *A_FOUND,
        *B_LISTED,
        ":",
        *B_FOUND,
        "",
        "====== TOTALS =======",
        MENTIONS,
        RULE,
        "",
        "Coreference:",
        "Coreference links: Recall: (0 / 3) 0%\tPrecision: (0 / 1) 0%\tF1: 0%",
        RULE,
        (
            "Non-coreference links: "
            "Recall: (2 / 4) 50%\tPrecision: (2 / 2) 100%\tF1: 66.66%"
        ),
        RULE,
        "BLANC: Recall: (0.25 / 1) 25%\tPrecision: (0.5 / 1) 50%\tF1: 33.33%",
        RULE,
    ]


def test_all_is_every_metric_in_turn(files: tuple[str, str], capsys: Capture) -> None:
    assert run(["all", *files, "none"]) == 0
    printed = lines(capsys)
    headings = [line for line in printed if line.startswith("METRIC")]
    assert headings == [
        f"METRIC {m}:" for m in ["muc", "bcub", "ceafm", "ceafe", "blanc"]
    ]
    assert printed[0] == ""


@pytest.mark.parametrize(
    ("figures", "printed"),
    [
        # Percentages are cut, and doubles fall short: 57 of 100, F1 of 1/1 and 1/9.
        ("muc 57 100", "56.99%"),
        ("muc 69 100", "68.99%"),
    ],
)
def test_percentages_are_cut_not_rounded(
    figures: str, printed: str, tmp_path: Path, capsys: Capture
) -> None:
    metric, found, links = figures.split()
    key, response = tmp_path / "key", tmp_path / "response"
    rows = ["\t(0)"] * (int(links) + 1)
    key.write_text("\n".join(["#begin document d", *(f"w{row}" for row in rows)]))
    rows[int(found) + 1 :] = ["\t-"] * (int(links) - int(found))
    response.write_text("\n".join(["#begin document d", *(f"w{row}" for row in rows)]))
    assert run([metric, str(key), str(response), "none"]) == 0
    assert f"Coreference: Recall: ({found} / {links}) {printed}" in lines(capsys)[-2]


def test_the_script_adds_costs_and_the_last_digit_shows_it(
    tmp_path: Path, capsys: Capture
) -> None:
    # Section by section: {a}{bcd} against {ax}{byz} is exactly 1/2.
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text("#begin document d\n\t(0)\n\t(1)\n\t(1)\n\t(1)\n")
    response.write_text(
        "#begin document d\n\t(0)\n\t(1)\n\t-\n\t-\n\t(0)\n\t(1)\n\t(1)\n"
    )
    assert run(["ceafe", str(key), str(response), "none"]) == 0
    assert lines(capsys)[-2] == (
        "Coreference: Recall: (1 / 2) 49.99%\tPrecision: (1 / 2) 49.99%\tF1: 49.99%"
    )


def _with_repeats(tmp_path: Path, repeats: int) -> list[str]:
    rows = [f"w\t({row // 2})" for row in range(40)]
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text("\n".join(["#begin document d", *rows, "#end document"]))
    rows[:repeats] = [f"{row}|(90)" for row in rows[:repeats]]
    response.write_text("\n".join(["#begin document d", *rows, "#end document"]))
    return [str(key), str(response), "none"]


@pytest.mark.parametrize(
    ("metric", "repeats", "option", "code"),
    [
        ("muc", 10, [], 0),
        ("muc", 11, [], 1),
        ("all", 10, [], 0),
        ("all", 11, [], 1),
        ("all", 2, ["--strict"], 0),
        ("all", 3, ["--strict"], 1),
        ("muc", 10, ["--strict"], 0),
    ],
)
def test_more_than_ten_repeats_are_refused(
    metric: str,
    repeats: int,
    option: list[str],
    code: int,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    assert run([metric, *_with_repeats(tmp_path, repeats), *option]) == code
    refused = "Found too many repeated mentions (> 10) in the response"
    assert (refused in capsys.readouterr().err) == bool(code)


def test_a_strict_all_gets_as_far_as_the_perl_script(
    tmp_path: Path, capsys: Capture
) -> None:
    run(["all", *_with_repeats(tmp_path, 3), "--strict"])
    printed = lines(capsys)
    headings = [line for line in printed if line.startswith("METRIC")]
    assert headings == [
        f"METRIC {metric}:" for metric in ["muc", "bcub", "ceafm", "ceafe"]
    ]
    assert printed.count("====== TOTALS =======") == 3


@pytest.mark.parametrize(
    ("metric", "repeats", "option", "shown"),
    [("muc", 10, [], 10), ("muc", 14, [], 11), ("all", 4, ["--strict"], 11)],
)
def test_nothing_is_printed_after_the_eleventh_repeat(
    metric: str,
    repeats: int,
    option: list[str],
    shown: int,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    run([metric, *_with_repeats(tmp_path, repeats), *option])
    printed = lines(capsys)
    repeated = [line for line in printed if line.startswith("Repeated mention")]
    assert len(repeated) == shown
    assert (printed[-1] == repeated[-1]) == (shown > 10)


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        ("(0) (1", ["Entity 0: (0,0)"]),
        ("(0) (1 (2)", ["Entity 0: (0,0)", "Entity 1:", "Entity 2: (2,2)"]),
        ("(0", []),
    ],
)
def test_the_list_of_entities_ends_with_the_last_that_has_a_mention(
    cells: str, listed: list[str], tmp_path: Path, capsys: Capture
) -> None:
    key = tmp_path / "key"  # without an end, an open bracket is no fault
    key.write_text(
        "\n".join(["#begin document d", *(f"w\t{c}" for c in cells.split())])
    )
    assert run(["bcub", str(key), str(key), "d"]) == 0
    printed = [line for line in lines(capsys) if line.startswith("Entity")]
    assert printed == 2 * listed


@pytest.mark.parametrize("arguments", [[], ["muc"], ["muc", "key"]])
def test_too_few_arguments_show_the_usage(
    arguments: list[str], capsys: Capture
) -> None:
    assert run(arguments) == 0
    assert lines(capsys)[0].startswith(
        "Usage: scoref-conll [--strict] METRIC KEY RESPONSE [NAME]"
    )


def test_an_unknown_metric_is_invalid(files: tuple[str, str], capsys: Capture) -> None:
    assert run(["lea", *files]) == 0
    assert lines(capsys) == ["Invalid metric"]


@pytest.mark.parametrize("metric", ["ALL", "mucx"])
def test_a_metric_that_only_starts_well_dies_in_the_first_document(
    metric: str, files: tuple[str, str], capsys: Capture
) -> None:
    assert run([metric, *files]) == 25
    captured = capsys.readouterr()
    assert captured.out.endswith("Invented: 1\n")
    assert captured.err == f"Metric {metric.lower()} not implemented yet\n"


def test_a_missing_file_leaves_with_2(files: tuple[str, str], capsys: Capture) -> None:
    assert run(["muc", files[0], "nowhere"]) == 2
    assert (
        capsys.readouterr().err == "Can not open nowhere: No such file or directory\n"
    )


def test_a_broken_document_of_the_key_leaves_with_25(
    files: tuple[str, str], capsys: Capture
) -> None:
    # The response's document (c) is broken: nobody looks at it unless it is the key.
    assert run(["muc", files[1], files[0]]) == 25
    assert "entity 1 is closed here but was never opened" in capsys.readouterr().err


def test_names_that_are_not_utf_8_leave_as_they_came(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"#begin document \xff\nw\t(0)\n#end document\n")
    assert run(["muc", str(key), str(key)]) == 0
    assert b"====> \xff:\n" in capfdbinary.readouterr().out


def test_the_name_of_the_command_is_not_an_argument(
    files: tuple[str, str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["scoref-conll", "muc", files[0], files[0]])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert "Recall: (1 / 1) 100%" in capsys.readouterr().out
