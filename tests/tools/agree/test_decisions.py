"""Files of decisions: what they make of a majority, and which of them are refused."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.agree.adjudication import Adjudication
from scoref.tools.agree.decisions import Decision, checksum
from scoref.tools.convert.sources import read_corpus
from support.annotators import write_annotators
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILES = {name: EXAMPLES / f"agree-{name}.conll" for name in ("ada", "ben", "eva")}
STORY = "(story/1); part 000"
KEPT = "The majority's reading is kept for the rest"


def content_of(files: dict[str, Path], *decisions: dict[str, object]) -> dict[str, Any]:
    """Write decisions as the page does."""
    people = [(name, read_corpus(path).corpus) for name, path in files.items()]
    adjudication = Adjudication(people)
    checked = [
        Decision(
            str(each["document"]),
            tuple(each["mentions"]),  # type: ignore[arg-type]
            each["decision"],  # type: ignore[arg-type]
            each.get("annotator"),  # type: ignore[arg-type]
            each.get("with"),  # type: ignore[arg-type]
        )
        for each in decisions
    ]
    return {
        "format": "scoref-decisions",
        "version": 1,
        "annotators": [one._asdict() for one in adjudication.inputs],
        "majority": adjudication.digest,
        "decisions": [*decisions],
        "checksum": checksum(checked),
    }


def decision(mention: str, kind: str, **more: str) -> dict[str, object]:
    return {"document": STORY, "mentions": [mention], "decision": kind, **more}


def taken(mention: str, annotator: str) -> dict[str, object]:
    return decision(mention, "take", annotator=annotator)


ALL_OF_BEN = [taken(mention, "ben") for mention in ("2", "6", "10", "4", "7-8")]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content_of(FILES, *ALL_OF_BEN)))
    return path


def convert(files: Sequence[Path], decisions: Path) -> scoref.Conversion:
    return scoref.convert([*files], "json-lines", decisions=decisions)


def sorted_entities(made: scoref.Conversion) -> list[object]:
    return [sorted(json.loads(line)["clusters"]) for line in made.data.splitlines()]


def messages(made: scoref.Conversion) -> list[str]:
    return [note.message for note in made.notes]


def test_decisions_make_a_key(saved: Path) -> None:
    made = convert([*FILES.values()], saved)
    ben = scoref.convert(FILES["ben"], "json-lines")
    assert sorted_entities(made)[0] == sorted_entities(ben)[0]
    assert messages(made)[:2] == [
        f"5 of 8 disputes were decided. {KEPT}: 3 open.",
        "α (masi) of the annotators is 0.216, and 0.669 if they adopt the decisions.",
    ]


def test_disputes_without_a_decision_are_those_of_the_majority(tmp_path: Path) -> None:
    nothing = tmp_path / "decisions.json"
    two = {name: FILES[name] for name in ("ada", "ben")}
    nothing.write_text(json.dumps(content_of(two)))
    files = [*two.values()]
    majority = scoref.convert(files, "json-lines", merge="majority").disputes
    texts = [str(dispute) for dispute in majority]
    assert [str(dispute) for dispute in convert(files, nothing).disputes] == texts
    assert len(texts) > 1


def test_the_order_of_files_and_their_names_do_not_matter(
    saved: Path, tmp_path: Path
) -> None:
    made = convert([*FILES.values()], saved)
    other = tmp_path / "other.conll.gz"
    other.write_bytes(gzip.compress(FILES["ada"].read_bytes()))
    again = convert([FILES["eva"], other, FILES["ben"]], saved)
    assert again.data == made.data


def test_alpha_afterwards_is_that_of_annotators_who_adopt_decisions(
    saved: Path,
) -> None:
    # All of the first story is decided as ben has it.
    def adopted(name: str) -> dict[str, list[list[tuple[int, int]]]]:
        lines = {
            who: scoref.convert(FILES[who], "json-lines").data.splitlines()
            for who in ("ben", name)
        }
        return {
            story: [[*map(tuple, entity)] for entity in json.loads(line)["clusters"]]
            for story, line in (("1", lines["ben"][0]), ("2", lines[name][1]))
        }

    people = {name: adopted(name) for name in FILES}
    alpha = scoref.agree(people).alpha["masi"]
    said = messages(convert([*FILES.values()], saved))[1]
    assert f"and {alpha:.3f} if they adopt the decisions." in said


def test_open_and_undecidable_disputes_keep_the_majority(tmp_path: Path) -> None:
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content_of(FILES, decision("2", "undecidable"))))
    made = convert([*FILES.values()], path)
    majority = scoref.convert([*FILES.values()], "json-lines", merge="majority")
    assert made.data == majority.data
    assert messages(made)[:2] == [
        f"0 of 8 disputes were decided. {KEPT}: 7 open and 1 undecidable.",
        "α (masi) of the annotators is 0.216, and 0.216 if they adopt the decisions.",
    ]


def test_disputes_that_were_decided_are_not_listed(tmp_path: Path) -> None:
    files = {name: FILES[name] for name in ("ada", "ben")}
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content_of(files, taken("4", "ben"))))
    made = convert([*files.values()], path)
    before = scoref.convert([*files.values()], "json-lines", merge="majority")
    left = {str(dispute) for dispute in made.disputes}
    assert left < {str(dispute) for dispute in before.disputes}
    assert not any('"She"' in dispute for dispute in left)


def damaged(content: dict[str, Any], **changes: object) -> str:
    return json.dumps({**content, **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON, or not all of it"),
        ('{"format": "scoref-deci', "not JSON, or not all of it"),
        ("\udcff", "not JSON, or not all of it"),
        ("[]", "not a file of decisions"),
        ('{"clusters": []}', "not a file of decisions"),
    ],
)
def test_a_file_that_is_something_else_is_refused(
    saved: Path, text: str, message: str
) -> None:
    saved.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(scoref.FormatError, match=message) as error:
        convert([*FILES.values()], saved)
    assert error.value.source == str(saved)


FIRST = ALL_OF_BEN[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "have version 2"),
        ({"checksum": "00000000"}, "checksum does not match"),
        ({"decisions": []}, "checksum does not match"),
        ({"majority": 7}, "damaged .*majority"),
        ({"majority": "7"}, "another majority"),
        ({"more": 7}, "damaged .*more"),
        ({"decisions": [{**FIRST, "annotator": None}]}, "'take' needs an annotator"),
        ({"decisions": [{**FIRST, "mentions": []}]}, "at least one mention"),
    ],
)
def test_a_damaged_file_is_refused(
    saved: Path, changes: dict[str, object], message: str
) -> None:
    content = json.loads(saved.read_text())
    saved.write_text(json.dumps({**content, **changes}))
    with pytest.raises(scoref.FormatError, match=message) as error:
        convert([*FILES.values()], saved)
    assert error.value.source == str(saved)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (taken("99", "ada"), "decision 1 is about mention '99' of .* no annotator has"),
        (taken("2", "tom"), "decision 1 takes the reading of 'tom', who did not"),
        (decision("0", "drop"), "not one dispute"),
        ({**taken("2", "ada"), "mentions": ["2", "4"]}, "not one dispute"),
        ({**taken("2", "ada"), "document": "x"}, "mention '2' of 'x'"),
        (decision("2", "merge", **{"with": "2"}), "with itself"),
        (decision("2", "merge", **{"with": "77"}), "mention '77'"),
    ],
)
def test_a_decision_about_something_else_is_refused(
    tmp_path: Path, wrong: dict[str, object], message: str
) -> None:
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content_of(FILES, wrong)))
    with pytest.raises(scoref.FormatError, match=message):
        convert([*FILES.values()], path)


def test_decisions_about_other_files_are_refused(saved: Path, tmp_path: Path) -> None:
    changed = tmp_path / "ben.conll"
    changed.write_bytes(FILES["ben"].read_bytes().replace(b"book", b"bock"))
    other = "made about other annotations. No input has those of"
    for files in (
        [FILES["ada"], FILES["ben"]],
        [FILES["ada"], changed, FILES["eva"]],
        [FILES["ada"]],
    ):
        with pytest.raises(scoref.FormatError, match=other):
            convert(files, saved)
    with pytest.raises(scoref.FormatError, match=r"but .*ben.conll is also given"):
        convert([*FILES.values(), changed], saved)


def test_the_command_reports_what_was_decided(saved: Path, tmp_path: Path) -> None:
    target = tmp_path / "key.conll"
    words = ["convert", *map(str, FILES.values()), str(target)]
    done = run(*words, "--decisions", saved, code=0)
    assert "5 of 8 disputes were decided." in done.stderr
    assert "α (masi) of the annotators is 0.216, and 0.669" in done.stderr
    assert target.read_bytes().startswith(b"#begin document (story/1); part 000")
    saved.write_text(saved.read_text()[:-5])
    done = run(*words, "--decisions", saved, "--force", code=1)
    assert "not JSON, or not all of it" in done.stderr


def test_alpha_is_1_if_all_is_decided(tmp_path: Path) -> None:
    files = write_annotators(tmp_path, 5, 3)
    people = [(name, read_corpus(path).corpus) for name, path in files.items()]
    adjudication = Adjudication(people)
    kinds = ["keep", "split", "drop"]
    decisions: list[dict[str, object]] = [
        {
            "document": adjudication.annotated.documents[dispute.document],
            "mentions": [adjudication.ids[unit] for unit in dispute.units],
            "decision": kinds[number % 3],
        }
        for number, dispute in enumerate(adjudication.disputes)
    ]
    path = tmp_path / "decisions.json"
    for many, after in ((0, None), (len(decisions), "1.000")):
        path.write_text(json.dumps(content_of(files, *decisions[:many])))
        said = messages(convert([*files.values()], path))[1]
        assert after is None or f"and {after} if" in said


def test_all_mentions_may_be_dropped(tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.conll" for name in ("ada", "ben")}
    for name, cells in (("ada", ("(0)", "(0)")), ("ben", ("-", "-"))):
        rows = [f"d 0 {row} w {cell}" for row, cell in enumerate(cells)]
        text = "\n".join(
            ["#begin document (d); part 000", *rows, "", "#end document", ""]
        )
        files[name].write_text(text)
    people = [(name, read_corpus(path).corpus) for name, path in files.items()]
    adjudication = Adjudication(people)
    decisions: list[dict[str, object]] = [
        {
            "document": "(d); part 000",
            "mentions": [adjudication.ids[unit] for unit in dispute.units],
            "decision": "drop",
        }
        for dispute in adjudication.disputes
    ]
    assert decisions
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content_of(files, *decisions)))
    made = convert([*files.values()], path)
    assert sorted_entities(made) == [[]]
