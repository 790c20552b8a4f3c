"""Whatever happens to a file: errors are what scoring refuses, and nothing crashes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoref import FormatError, ScorefError
from scoref.formats import reading
from scoref.formats.ua_text import IDENTITY, headers
from scoref.render import OUTPUTS, render
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from scoref.tools.check.check import check, check_both, check_data
from scoref.tools.check.command import CheckedFiles, problems_report, workflow_commands
from scoref.tools.check.repairs import repair
from support import json_documents
from support.golden import GOLDEN
from support.json_documents import EVERY
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from scoref.formats.catalogue import Role
    from scoref.scheme import Layer
    from scoref.tools.check.problems import Problem


JSON = "".join(
    json.dumps(record) + "\n"
    for record in (
        {
            "doc_key": "d_0",
            "clusters": [[[0, 1], [2, 2]], [[0, 0]]],
            "predicted_clusters": [[[0, 0], [2, 2]]],
            "sentences": [["Ada", "Lovelace"], ["she"]],
        },
        {"doc_key": "e", "clusters": [], "predicted_clusters": []},
    )
).encode()

GOOD = {
    "conll": (EXAMPLES / "key.conll").read_bytes()[:700],
    "corefud": (EXAMPLES / "corefud-key.conllu").read_bytes(),
    "ua": (EXAMPLES / "ua-key.ua").read_bytes(),
    "json": JSON,
}

_NEWLINE = ord("\n")

every_format = pytest.mark.parametrize("name", GOOD)

PIECES = [
    *(b"#begin document ", b"#end document\n", b"(d); part 000", b"#", b"# sent_id\n"),
    *(b"\n", b"\n\n", b"\r\n", b"\r", b"\t", b" ", b"\xef\xbb\xbf", b"\xff", b"\x0b"),
    *(b"(", b")", b"|", b"(1", b"1)", b"(1)", b"-", b"_", b"*", b"\xc3\xa9", b"\0"),
    *(b"(e1-x-1-", b"e1)", b"(e1[1/2]-x-1-)", b"(e1[2/2]-x-1-)", b"Entity=", b"1.1\t"),
    *(b"(EntityID=e1|MarkableID=m1", b"(EntityID=e1|MarkableID=m1|Min=99)", b"m1)"),
    *(b"# global.Entity = eid\n", b"# global.columns = ID FORM IDENTITY\n", b"99"),
    *(
        b"# newdoc\n",
        b"# newdoc id = d\n",
        b"9" * 20,
        b"1048576\t",
        b"#\tEntity=(e1)\n",
    ),
    *(b"{", b"}", b"[", b"]", b",", b'"', b"null", b"1.0", b"-1", b"[[0, 1]]", b"[]"),
]


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Cut pieces out of a good file and put others in."""
    for _ in range(draw(st.integers(1, 4))):
        starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == _NEWLINE)]
        start = draw(st.integers(0, len(data)) | st.sampled_from(starts))
        end = draw(st.integers(start, min(len(data), start + 12)))
        data = data[:start] + draw(st.sampled_from([b"", *PIECES])) + data[end:]
    return data


def is_refused(data: bytes, role: Role) -> bool:
    """See whether a strict reader refuses a file, whichever layer is read."""
    layers: tuple[Layer, ...] = ("identity", "discourse-deixis")
    return all(_is_refused(data, role, layer) for layer in layers)


def _is_refused(data: bytes, role: Role, layer: Layer) -> bool:
    try:
        reading.read_data(data, source="x", role=role, layer=layer)
    except ScorefError:
        return True
    return False


def refusal(data: bytes) -> FormatError | None:
    """See what a strict reader says of a file."""
    try:
        reading.read_data(data, source="x", role="key")
    except FormatError as error:
        return error
    return None


def has_errors(problems: list[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)


@every_format
@given(data=st.data())
def test_errors_are_what_a_reader_refuses(name: str, data: st.DataObject) -> None:
    text = data.draw(damaged(GOOD[name]))
    problems = check_both((text, text), sources=("x", "x"))
    assert has_errors(problems) or not is_refused(text, "key")
    if reading.detect(text) != "universal-anaphora":
        both = is_refused(text, "key") or is_refused(text, "response")
        assert has_errors(problems) == both
    elif any(IDENTITY in header.names for header in headers(text)):
        assert has_errors(problems) == _is_refused(text, "key", "identity")


_ONE_DOCUMENT = b"#begin document d\nw\t(1)\n#end document\n"

_UA = "# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS\n# newdoc id = d\n"


@pytest.mark.parametrize(
    ("data", "rules"),
    [
        (b"\xef\xbb\xbf" * 2 + GOOD["conll"], ["row-outside-document"]),
        (b"\xef\xbb\xbf" * 2 + _ONE_DOCUMENT, ["byte-order-mark"]),
        (JSON.replace(b"\n{", b"\n\xef\xbb\xbf{"), ["not-json"]),
        (f"{_UA}1\tw\t_\t(EntityID=e1\n".encode(), []),
        (f"{_UA}1\tw\t(EntityID=e1\t_\n".encode(), ["nameless-bracket"]),
    ],
    ids=[
        "two marks before two documents",
        "two marks before one document",
        "a later mark",
        "a column that is not read",
        "a column that is read",
    ],
)
def test_check_agrees_with_scoring(data: bytes, rules: list[str]) -> None:
    problems = check_data(data, source="x")
    errors = [problem.rule for problem in problems if problem.severity == "error"]
    assert errors[: len(rules)] == rules
    assert bool(errors) == bool(rules) == _is_refused(data, "key", "identity")


@every_format
@given(data=st.data())
def test_readers_name_the_rule_that_a_file_breaks(
    name: str, data: st.DataObject
) -> None:
    error = refusal(data.draw(damaged(GOOD[name])))
    assert error is None or (error.rule and error.rule.severity == "error")


@every_format
@given(data=st.data())
def test_errors_of_two_files_are_what_scoring_refuses(
    name: str, data: st.DataObject
) -> None:
    texts = data.draw(damaged(GOOD[name])), data.draw(damaged(GOOD[name]))
    problems = check_both(texts, sources=("key", "response"))
    if has_errors(problems) or _is_refused(texts[0], "key", "identity"):
        return  # without the column IDENTITY there may be another layer
    name = reading.detect(texts[0])
    key = reading.read_data(texts[0], source="x", role="key", format=name)
    response = reading.read_data(texts[1], source="x", role="response", format=name)
    scheme = resolve(None, format=name)
    assert score_corpora(key, response, scheme, ("mentions",)).scores


@every_format
@given(data=st.data())
def test_problems_can_be_shown_whatever_they_are(
    name: str, data: st.DataObject
) -> None:
    text = data.draw(damaged(GOOD[name]))
    problems = check_data(text, source="x")
    for output in OUTPUTS:
        render(problems_report(CheckedFiles(problems), output), output)
    workflow_commands(problems)
    lines = text.count(b"\n") + 1
    assert all(problem.line in {None, *range(1, lines + 1)} for problem in problems)
    order = [problem.line or 0 for problem in problems]
    assert order == sorted(order)


@given(data=st.binary(max_size=80))
@example(data=b"")
@example(data=b"\n")
@example(data=b"{")
@example(data=b"\xff\xfe1\x00")
def test_any_bytes_are_checked(data: bytes) -> None:
    assert has_errors(check_data(data, source="x")) or not is_refused(data, "key")


@every_format
@given(data=st.data())
def test_a_repair_leaves_nothing_that_it_could_have_repaired(
    name: str, data: st.DataObject
) -> None:
    text = data.draw(damaged(GOOD[name]))
    kind = reading.detect(text)
    before = check_data(text, source="x", format=kind)
    repaired = repair(text, source="x")
    after = check_data(repaired.data, source="x", format=kind)
    assert [problem.rule for problem in after if problem.can_fix] == []
    assert len(after) <= len(before)
    again = repair(repaired.data, source="x", format=kind)
    assert again == (repaired.data, {})


@pytest.mark.parametrize("name", EVERY)
def test_errors_of_damaged_json_are_what_a_reader_refuses(name: str) -> None:
    whole = json.dumps(EVERY[name]).encode()
    assert not has_errors(check_data(whole, source="x"))
    damaged_files = [
        *(
            json.dumps(record).encode()
            for record in json_documents.damaged(EVERY[name])
        ),
        whole[: len(whole) // 2],
    ]
    refused = [file for file in damaged_files if _is_refused(file, "key", "identity")]
    assert refused
    assert refused == [
        file for file in damaged_files if has_errors(check_data(file, source="x"))
    ]


KEYS = sorted(
    [
        *GOLDEN.glob("*/*.key.*"),
        *(ROOT.parent / "shared").glob("real/*.key.*"),
    ]
)


def test_keys_that_official_scorers_read_have_no_errors() -> None:
    problems = [problem for path in KEYS for problem in check(path)]
    assert not has_errors(problems)


def test_keys_and_responses_of_official_scorers_belong_together() -> None:
    problems = [
        problem
        for path in KEYS
        for problem in check(path, str(path).replace(".key.", ".response."))
    ]
    assert not has_errors(problems)
