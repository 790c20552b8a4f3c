"""Conventions that a format has no use for are refused, with a reason.

Words that are cut in two ways: mentions are the same if their characters are.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import AlignmentError, OptionError
from scoref.cli import command
from scoref.formats.reading import read_data
from scoref.metrics import available, choose_metrics
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support import corefud
from support.universal_anaphora import scored, universal

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scoring.results import Result

    Spans = list[list[tuple[int, int]]]


UNIVERSAL = universal("w w w", e1="1 3")

COREFUD = corefud.corefud("w w w", e1="1 3")

CONLL = "#begin document (d);\nw\t(1)\nw\t-\nw\t(1)\n#end document\n"

JSON = '{"doc_key": "d", "clusters": [[[0, 0], [2, 2]]]}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"ua": UNIVERSAL, "conllu": COREFUD, "conll": CONLL, "jsonl": JSON}
    for suffix, text in texts.items():
        (tmp_path / f"key.{suffix}").write_text(text, encoding="utf-8")
    return tmp_path


def score(path: Path, **options: str) -> scoref.Result:
    """Score a file against itself."""
    data = path.read_bytes()
    name = {".ua": "universal-anaphora", ".conllu": "corefud"}.get(path.suffix)
    scheme = resolve(None, format=name, lenient=False, **options)
    side = read_data(data, source=path.name, role="key", layer=scheme.layer)
    return score_corpora(side, side, scheme, available(side, scheme))


def refusal(options: dict[str, str], why: str, format_name: str) -> str:
    """Write what is said: the choice as it is called, and as it is typed."""
    ((name, value),) = options.items()
    typed = f"--{name.replace('_', '-')} {value}"
    return f"{name}={value} ({typed}) {why}. These files are {format_name}"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"match": "head"},
            "needs heads, which only CorefUD has (partial compares Min)",
        ),
        (
            {"zeros": "dependent"},
            "needs dependencies, which only CorefUD has",
        ),
        (
            {"duplicates": "reference"},
            "is only for CoNLL-2012",
        ),
        (
            {"anaphors": "pronouns"},
            "is only for CorefUD",
        ),
        ({"phrases": "np"}, "is only for CoNLL-2012 with parses"),
        ({"nested": "drop"}, "is only for formats whose mentions are spans"),
    ],
)
def test_universal_anaphora_refuses(
    options: dict[str, str], why: str, folder: Path
) -> None:
    with pytest.raises(OptionError) as refused:
        score(folder / "key.ua", **options)
    assert str(refused.value) == refusal(options, why, "Universal Anaphora")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"duplicates": "reference"},
            "is only for CoNLL-2012",
        ),
        (
            {"duplicates": "ua"},
            "is only for Universal Anaphora",
        ),
        ({"match": "craft"}, "is only for Universal Anaphora"),
        (
            {"match": "min"},
            "is only for CoNLL-2012 with parses (partial compares heads)",
        ),
        (
            {"evaluate": "discourse-deixis"},
            "is only for Universal Anaphora",
        ),
        ({"phrases": "np"}, "is only for CoNLL-2012 with parses"),
        ({"nested": "drop"}, "is only for formats whose mentions are spans"),
    ],
)
def test_corefud_refuses(options: dict[str, str], why: str, folder: Path) -> None:
    with pytest.raises(OptionError) as refused:
        score(folder / "key.conllu", **options)
    assert str(refused.value) == refusal(options, why, "CorefUD")


@pytest.mark.parametrize("suffix", ["conll", "jsonl"])
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"match": "partial"},
            "needs heads (CorefUD) or Min (Universal Anaphora)",
        ),
        (
            {"match": "head"},
            "needs heads, which only CorefUD has",
        ),
        ({"match": "craft"}, "is only for Universal Anaphora"),
        (
            {"duplicates": "corefud"},
            "is only for CorefUD",
        ),
        (
            {"duplicates": "ua"},
            "is only for Universal Anaphora",
        ),
        (
            {"zeros": "drop"},
            "is only for CorefUD and Universal Anaphora",
        ),
        (
            {"alignment": "official"},
            "is only for CorefUD and Universal Anaphora",
        ),
        (
            {"split_antecedents": "keep"},
            "is only for CorefUD and Universal Anaphora",
        ),
        (
            {"evaluate": "split-antecedents"},
            "is only for CorefUD and Universal Anaphora",
        ),
        (
            {"evaluate": "discourse-deixis"},
            "is only for Universal Anaphora",
        ),
        ({"anaphors": "zeros"}, "is only for CorefUD"),
    ],
)
def test_formats_of_spans_refuse(
    options: dict[str, str], why: str, suffix: str, folder: Path
) -> None:
    format_name = {"conll": "conll-2012", "jsonl": "json-lines"}[suffix]
    with pytest.raises(OptionError) as refused:
        score(folder / f"key.{suffix}", **options)
    assert str(refused.value) == refusal(options, why, format_name)


@pytest.mark.parametrize(
    ("suffix", "metric", "why"),
    [
        ("ua", "zero", "'zero' is for CorefUD"),
        ("conllu", "bridging", "'bridging-anaphors' is for Universal Anaphora"),
        ("conllu", "non-referring", "'non-referring' is for Universal Anaphora"),
        ("conll", "bridging", "'bridging-anaphors' is for Universal Anaphora"),
        ("conll", "mor", "'mor' is for formats with words"),
        ("jsonl", "zero", "'zero' is for CorefUD"),
    ],
)
def test_metrics_that_a_format_has_no_words_for_are_refused(
    suffix: str, metric: str, why: str, folder: Path
) -> None:
    path = folder / f"key.{suffix}"
    with pytest.raises(OptionError) as refused:
        scoref.score(path, path, metrics=metric)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("evaluate", "metric"),
    [
        ("discourse-deixis", "bridging"),
        ("discourse-deixis", "non-referring"),
        ("split-antecedents", "bridging"),
        ("split-antecedents", "mor"),
        ("split-antecedents", "mentions"),
    ],
)
def test_metrics_that_are_not_for_what_is_evaluated_are_refused(
    evaluate: str, metric: str
) -> None:
    side = read_data(UNIVERSAL.encode(), source="key.ua", role="key")
    scheme = resolve("codi-crac-2022-ar", evaluate=evaluate)
    with pytest.raises(OptionError, match=r"^'[a-z-]+' is for "):
        choose_metrics(metric, available(side, scheme))


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("ua", "conll"),
        ("conll", "ua"),
        ("conllu", "ua"),
        ("ua", "jsonl"),
        ("conllu", "conll"),
    ],
)
def test_key_and_response_of_different_kinds_are_refused(
    key: str, response: str, folder: Path
) -> None:
    names = {
        "ua": "universal-anaphora",
        "conllu": "corefud",
        "conll": "conll-2012",
        "jsonl": "json-lines",
    }
    sides = [
        read_data((folder / f"key.{each}").read_bytes(), source=each, role="key")
        for each in (key, response)
    ]
    with pytest.raises(AlignmentError) as refused:
        score_corpora(sides[0], sides[1], resolve(None), ("muc",))
    assert refused.value.problem == (
        f"this is {names[response]}, but {key} is {names[key]}"
    )
    assert refused.value.source == response


def test_formats_of_spans_go_together(folder: Path) -> None:
    result = scoref.score(folder / "key.conll", folder / "key.jsonl")
    assert result.conll == 1.0


def test_the_signature_says_what_suits_the_format() -> None:
    # Whatever was left open is filled in: the scheme names none of these.
    result = scored(UNIVERSAL, UNIVERSAL, "default", duplicates="first")
    signature = result.signature
    assert "|match:exact|singletons:keep|zeros:drop|split-antecedents:keep" in signature
    assert "|evaluate:identity|alignment:official|duplicates:first|" in signature


def test_plurals_are_kept_where_nothing_else_is_looked_at() -> None:
    sides = UNIVERSAL, UNIVERSAL
    result = scored(*sides, evaluate="split-antecedents", split_antecedents="drop")
    assert result.scheme.split_antecedents == "keep"
    in_corefud = corefud.scored(COREFUD, COREFUD, evaluate="split-antecedents").scheme
    assert in_corefud.split_antecedents == "keep"


def test_minimum_spans_are_what_partial_match_goes_by_in_universal_anaphora() -> None:
    assert scored(UNIVERSAL, UNIVERSAL, match="min").scheme.match == "partial"


TOPICS: list[dict[str, object]] = [
    {"doc_key": "a", "topic": "1", "clusters": {"E": [[0, 0]]}},
    {"doc_key": "b", "topic": "2", "clusters": {"E": [[0, 0]]}},
]


def written(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_topics_of_files_are_the_keys(tmp_path: Path) -> None:
    key = written(tmp_path / "key.jsonl", TOPICS)
    without: dict[str, object] = {"topic": None}
    response = written(tmp_path / "response.jsonl", [each | without for each in TOPICS])
    result = scoref.score(key, response, scope="topic")
    assert result.documents == ("1", "2")
    assert "|scope:topic(field)|" in result.signature
    with pytest.raises(OptionError, match="needs topics"):
        scoref.score(response, key, scope="topic")


def test_topics_of_the_response_must_be_the_keys(tmp_path: Path) -> None:
    key = written(tmp_path / "key.jsonl", TOPICS)
    other: dict[str, object] = {"topic": "1"}
    response = written(tmp_path / "response.jsonl", [each | other for each in TOPICS])
    with pytest.raises(
        AlignmentError, match="document 'b' has the topic 1 here, but 2 in"
    ):
        scoref.score(key, response, scope="topic")
    pattern = {"a": "x", "b": "x"}
    assert scoref.score(key, response, scope="topic", topics=pattern).documents == (
        "x",
    )


@pytest.mark.parametrize("suffix", ["conllu", "ua"])
def test_scopes_are_for_labels_that_hold_across_documents(
    suffix: str, folder: Path
) -> None:
    with pytest.raises(OptionError, match="needs labels that are the same in all"):
        score(folder / f"key.{suffix}", scope="corpus")
    assert score(folder / f"key.{suffix}", scope="document").scheme.scope is None


def lists(*sizes: int) -> tuple[str, str, str]:
    """Write the same entities as CorefUD, as JSON lines and as CoNLL-2012."""
    count, entities, clusters = sum(sizes), {}, []
    words, start = ["w"] * count, 1
    for row, size in enumerate(sizes):
        entities[f"e{row}"] = " ".join(map(str, range(start, start + size)))
        clusters.append([[word - 1, word - 1] for word in range(start, start + size)])
        start += size
    record = {"doc_key": "d", "sentences": [words], "clusters": clusters}
    cells = [f"({row})" for row, size in enumerate(sizes) for _ in range(size)]
    lines = "".join(f"w\t{cell}\n" for cell in cells)
    conll = f"#begin document (d);\n{lines}\n#end document\n"
    return corefud.corefud(" ".join(words), **entities), json.dumps(record), conll


@pytest.mark.parametrize(
    ("of_key", "of_response", "expected"),
    [
        ("conllu", "conllu", "drop"),
        ("conllu", "jsonl", "drop"),
        ("conllu", "conll", "drop"),
        ("jsonl", "conllu", "keep"),
        ("conll", "jsonl", "keep"),
    ],
)
def test_the_key_s_format_decides_on_singletons(
    tmp_path: Path, of_key: str, of_response: str, expected: str
) -> None:
    def write(side: str, suffix: str, *sizes: int) -> Path:
        texts = dict(zip(("conllu", "jsonl", "conll"), lists(*sizes), strict=True))
        path = tmp_path / f"{side}.{suffix}"
        path.write_text(texts[suffix])
        return path

    key = write("key", of_key, 2, 3, 1, 1)
    response = write("response", of_response, 2, 3, 1, 1)
    result = scoref.score(key, response)
    assert result.scheme.singletons == expected
    kinds = {note.kind: note.message for note in result.notes}
    if "conllu" not in {of_key, of_response} or of_key == of_response:
        assert "singletons-by-key" not in kinds
        return
    names = {"conllu": "corefud", "jsonl": "json-lines", "conll": "conll-2012"}
    assert kinds["singletons-by-key"] == (
        f"warning: {expected.replace('drop', 'dropp').replace('keep', 'kept')}"
        f"{'ed' if expected == 'drop' else ''} 4 singletons, as is the default for the "
        f"key's format, {names[of_key]}. The default for {names[of_response]} is "
        f"--singletons {'keep' if expected == 'drop' else 'drop'}, which changes the "
        "figures. Use --singletons keep or drop to choose."
    )
    assert result.scheme.blanc == ("corefud" if of_key == "conllu" else "reference")
    for choice in ("keep", "drop"):
        asked = scoref.score(key, response, singletons=choice)
        assert asked.scheme.singletons == choice
        assert "singletons-by-key" not in {note.kind for note in asked.notes}
    plain = write("plain", of_response, 2, 3, 2)
    same = scoref.score(write("key", of_key, 2, 3, 2), plain)
    assert same.scheme.singletons == expected
    assert "singletons-by-key" not in {note.kind for note in same.notes}


TEXT = "Ada's house was old. She left the house, and it fell down (twice)."

KEY = "Ada 's house was old . She left the house , and it fell down -LRB- twice -RRB- ."

ENTITIES = [[(0, 0), (6, 6)], [(0, 2), (8, 9), (12, 12)]]


class Given(NamedTuple):
    """Where documents are written."""

    folder: Path

    def lines(self, name: str, *documents: tuple[str, list[str], Spans]) -> Path:
        """Write JSON lines."""
        path = self.folder / name
        path.write_text(
            "".join(
                json.dumps({"doc_key": key, "sentences": [words], "clusters": clusters})
                + "\n"
                for key, words, clusters in documents
            )
        )
        return path

    def conll(self, name: str, words: list[str], clusters: Spans) -> Path:
        """Write CoNLL-2012."""
        path = self.folder / name
        rows = [["d", "0", str(row), word] for row, word in enumerate(words)]
        cells: list[list[str]] = [[] for _ in words]
        for label, mentions in enumerate(clusters):
            for first, last in mentions:
                if first == last:
                    cells[first].append(f"({label})")
                else:
                    cells[first].append(f"({label}")
                    cells[last].append(f"{label})")
        text = "\n".join(
            "\t".join([*row, "|".join(cell) or "-"])
            for row, cell in zip(rows, cells, strict=True)
        )
        path.write_text(f"#begin document (d); part 000\n{text}\n\n#end document\n")
        return path


@pytest.fixture
def given_files(tmp_path: Path) -> Given:
    return Given(tmp_path)


def noted(result: Result) -> str:
    return "\n".join(note.message for note in result.notes)


def key_of(given_files: Given) -> Path:
    return given_files.lines("key.jsonl", ("d", KEY.split(), ENTITIES))


def test_other_words_of_the_same_text_give_the_same_figures(given_files: Given) -> None:
    words = "Ada's house was old. She left the house , and it fell down ( twice ) ."
    clusters: Spans = [[(4, 4)], [(0, 1), (6, 7), (10, 10)]]
    response = given_files.lines("response.jsonl", ("d", words.split(), clusters))
    result = scoref.score(key_of(given_files), response)
    assert result.scores["muc"].recall == pytest.approx(2 / 3)
    assert result.scores["mentions"].recall == 4 / 5
    assert result.scores["mentions"].precision == 1
    assert "|words:characters|borders:strict|" in result.signature
    # `Ada` is inside of `Ada's`.
    assert "1 of 5 key mentions start or end inside a word" in noted(result)


def test_equal_words_are_not_mentioned(given_files: Given) -> None:
    key = key_of(given_files)
    same = given_files.conll("same.conll", KEY.split(), ENTITIES)
    for response in (key, same):
        result = scoref.score(key, response)
        assert result.conll == 1
        assert "words:" not in result.signature
        assert "borders:" not in result.signature


def test_formats_may_differ_and_either_may_be_the_key(given_files: Given) -> None:
    words = f"Ada 's {TEXT[6:]}".split()
    other = given_files.conll("r.conll", words, [[(0, 0), (5, 5)], [(0, 2), (10, 10)]])
    key = key_of(given_files)
    assert scoref.score(key, other).scores["mentions"].recall == 4 / 5
    assert scoref.score(other, key).scores["mentions"].precision == 4 / 5
    assert scoref.score(other, key).format == "conll-2012+json-lines"


def blanks(given_files: Given) -> Path:
    clusters: Spans = [[(0, 0), (4, 4)], [(0, 1), (6, 7), (9, 9)]]
    return given_files.lines("blanks.jsonl", ("d", TEXT.split(), clusters))


def test_a_sign_more_is_another_mention(given_files: Given) -> None:
    result = scoref.score(key_of(given_files), blanks(given_files))
    assert result.scores["mentions"].recall == 3 / 5
    message = "2 of 5 key mentions start or end inside a word of the response"
    assert f"warning: {message}" in noted(result)
    assert "Use --borders punctuation" in noted(result)


@pytest.mark.parametrize(
    ("borders", "common"),
    [("strict", 3), ("expand", 3), ("contract", 3), ("punctuation", 4)],
)
def test_borders_of_a_response_that_is_cut_at_blanks(
    given_files: Given, borders: str, common: int
) -> None:
    files = key_of(given_files), blanks(given_files)
    result = scoref.score(*files, borders=borders)  # type: ignore[arg-type] # all of them
    assert result.scores["mentions"].recall == common / 5
    assert f"|borders:{borders}|" in result.signature
    is_noted = "start or end inside a word of the response" in noted(result)
    assert is_noted == (borders != "punctuation")


@pytest.mark.parametrize(
    ("borders", "common"),
    [("strict", 3), ("expand", 5), ("contract", 3), ("punctuation", 4)],
)
def test_borders_of_a_key_that_is_cut_at_blanks(
    given_files: Given, borders: str, common: int
) -> None:
    files = blanks(given_files), key_of(given_files)
    result = scoref.score(*files, borders=borders)  # type: ignore[arg-type] # all of them
    assert result.scores["mentions"].recall == common / 5


def test_contracted_borders_leave_a_word(given_files: Given) -> None:
    key = given_files.lines("k.jsonl", ("d", ["New", "York-based", "firm"], [[(0, 0)]]))
    words = ["New", "York", "-", "based", "firm"]
    other = given_files.lines("r.jsonl", ("d", words, [[(0, 1)], [(3, 3)]]))
    found = {
        borders: scoref.score(key, other, borders=borders).scores["mentions"]
        for borders in ("strict", "contract", "expand", "punctuation")
    }
    assert found["contract"].recall == 1
    # What is inside of one word has nothing to contract to, and stays.
    assert found["contract"].precision == 1 / 2
    assert {name for name, score in found.items() if score.recall} == {"contract"}


def test_duplicates_are_settled_as_ever(given_files: Given) -> None:
    words = ["Ada", "'s", "house"]
    key = given_files.lines("k.jsonl", ("d", words, [[(0, 2)], [(0, 0)]]))
    response = given_files.lines(
        "r.jsonl", ("d", ["Ada's", "house"], [[(0, 1)], [(0, 0)]])
    )
    result = scoref.score(key, response, borders="contract")
    assert result.scores["mentions"].f1 == 1 / 2
    again = given_files.lines(
        "a.jsonl", ("d", ["A", "da", "'s", "house"], [[(0, 3)], [(0, 3)]])
    )
    with pytest.raises(scoref.ScorefError, match=r"twice|second time|also"):
        scoref.score(key, again, duplicates="error")


def test_blank_words_count_for_nothing(given_files: Given) -> None:
    key = given_files.lines("k.jsonl", ("d", ["Mia", "slept"], [[(0, 0)]]))
    words = ["\n", "Mia", "\n\n", "slept"]
    response = given_files.lines("r.jsonl", ("d", words, [[(0, 2)]]))
    assert scoref.score(key, response).scores["mentions"].f1 == 1
    nothing = given_files.lines("n.jsonl", ("d", words, [[(1, 1)], [(2, 2)]]))
    result = scoref.score(key, nothing)
    assert "response mention was left out" in noted(result)


def test_only_case_differs(given_files: Given) -> None:
    key = given_files.lines("k.jsonl", ("d", ["Mia's", "cat"], [[(0, 1)]]))
    words = ["MIA", "'S", "CAT"]
    response = given_files.lines("r.jsonl", ("d", words, [[(0, 2)]]))
    result = scoref.score(key, response)
    assert result.scores["mentions"].f1 == 1
    assert "Upper and lower case differ" in noted(result)


STORY = [f"word{number}," for number in range(60)]


def test_a_few_characters_may_differ(given_files: Given) -> None:
    key = given_files.lines("k.jsonl", ("d", STORY, [[(1, 2)], [(30, 30)]]))
    other = [*STORY[:30], "werd30", ",", *STORY[31:]]
    response = given_files.lines("r.jsonl", ("d", other, [[(1, 2)], [(30, 31)]]))
    result = scoref.score(key, response)
    assert result.scores["mentions"].f1 == 1
    assert "1 of 410 characters differ from the key (first: 'werd30' " in noted(result)


def test_another_text_is_refused_with_both_places(given_files: Given) -> None:
    key = key_of(given_files)
    words = ["Ada", "'s", "house", "was", "new", ".", "She", "bought", "the", "ship"]
    response = given_files.conll("r.conll", words, [[(0, 0)]])
    with pytest.raises(AlignmentError) as caught:
        scoref.score(key, response)
    message = str(caught.value)
    assert "r.conll:6: the text of document '(d); part 000' differs from" in message
    assert "key.jsonl:1: … Ada 's house was [old] . She left" in message
    assert "r.conll:6: … Ada 's house was [new] . She bought the ship …" in message


@pytest.mark.parametrize("is_key_longer", [True, False])
def test_one_side_is_longer(given_files: Given, is_key_longer: bool) -> None:
    short = given_files.lines("s.jsonl", ("d", STORY[10:], [[(0, 0), (3, 4)]]))
    words = ["A", "title", *STORY[10:]]
    long = given_files.lines("l.jsonl", ("d", words, [[(0, 1), (2, 2), (5, 6)]]))
    files = (long, short) if is_key_longer else (short, long)
    with pytest.raises(AlignmentError, match="Use --lenient to score the common part"):
        scoref.score(*files)
    result = scoref.score(*files, lenient=True)
    assert result.conll == 1
    role = "key" if is_key_longer else "response"
    assert f"1 {role} mention was left out" in noted(result)


def test_as_many_words_of_another_text_are_compared_by_number_with_a_note(
    given_files: Given,
) -> None:
    hidden = given_files.conll("r.conll", ["x"] * len(KEY.split()), ENTITIES)
    result = scoref.score(key_of(given_files), hidden)
    assert result.conll == 1
    assert "warning: The words differ from the key in 1 document" in noted(result)


def test_the_reference_scorer_looks_at_no_words(given_files: Given) -> None:
    key = given_files.conll("k.conll", ["Mia's", "cat"], [[(0, 0)]])
    response = given_files.conll("r.conll", ["Mia", "'s", "cat"], [[(0, 0)]])
    result = scoref.score(key, response, scheme="conll-2012")
    assert result.scores["mentions"].f1 == 1
    assert "words:" not in result.signature
    assert scoref.score(key, response).scores["mentions"].f1 == 0


def test_errors_and_windows_see_ordinary_tokens(given_files: Given) -> None:
    files = blanks(given_files), key_of(given_files)
    run = CliRunner().invoke(command, ["errors", *map(str, files), "--list"])
    assert run.exit_code == 0, run.output
    # The key has the word `Ada's`, and the response a mention of its beginning.
    assert '"Ada"' in run.output
    assert '"the house"' in run.output
    assert '"the house ,"' in run.output
    windows = scoref.score(*files, window=3)
    assert windows.counts["mentions"].sum() > 0


class Drawn(NamedTuple):
    """A text and two ways to cut it, with mentions as ranges of its characters."""

    text: str
    key: list[int]
    response: list[int]
    entities: tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]

    def words(self, borders: list[int]) -> list[str]:
        """Cut the text."""
        return [self.text[a:b] for a, b in pairwise(borders)]

    def spans(self, side: int) -> Spans:
        """Count mentions in words."""
        borders = (self.key, self.response)[side]
        return [
            [(borders.index(a), borders.index(b) - 1) for a, b in entity]
            for entity in self.entities[side]
        ]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    """Draw a text of signs in any spelling, and mentions between borders of words."""
    text = draw(st.text(alphabet="ab.,'x-é", min_size=1, max_size=30))
    inner = st.sets(st.integers(0, len(text)), max_size=8)
    sides = [sorted({0, len(text), *draw(inner)}) for _ in range(2)]
    entities = []
    for borders in sides:
        place = st.sampled_from(borders)
        mention = st.tuples(place, place).filter(lambda pair: pair[0] < pair[1])
        mentions = draw(st.lists(mention, unique=True, min_size=1, max_size=8))
        found: dict[int, list[tuple[int, int]]] = {}
        for each in mentions:
            found.setdefault(draw(st.integers(0, 3)), []).append(each)
        entities.append([found[label] for label in sorted(found)])
    return Drawn(text, sides[0], sides[1], (entities[0], entities[1]))


@given(drawn())
def test_figures_are_those_of_characters(
    tmp_path_factory: pytest.TempPathFactory, case: Drawn
) -> None:
    given_files = Given(tmp_path_factory.mktemp("drawn"))
    key = given_files.lines("k", ("d", case.words(case.key), case.spans(0)))
    response = given_files.conll("r", case.words(case.response), case.spans(1))
    found = scoref.score(key, response)
    expected = scoref.score(*case.entities)
    assert found.scores == expected.scores


@given(drawn(), st.data())
def test_the_key_in_other_words_is_perfect(
    tmp_path_factory: pytest.TempPathFactory, case: Drawn, data: st.DataObject
) -> None:
    needed = {place for entity in case.entities[0] for each in entity for place in each}
    more = data.draw(st.sets(st.integers(0, len(case.text)), max_size=10))
    borders = sorted({0, len(case.text), *needed, *more})
    other = Drawn(case.text, case.key, borders, (case.entities[0], case.entities[0]))
    given_files = Given(tmp_path_factory.mktemp("drawn"))
    key = given_files.lines("k", ("d", case.words(case.key), case.spans(0)))
    response = given_files.lines("r", ("d", other.words(borders), other.spans(1)))
    assert scoref.score(key, response).scores["bcub"].f1 == 1


# Documents that are paired although their names differ
def _conll(path: Path, name: str, words: str) -> Path:
    rows = [
        f"{name}\t0\t{number}\t{word}\t(0)\n"
        for number, word in enumerate(words.split())
    ]
    head = f"#begin document ({name}); part 000\n"
    path.write_text(f"{head}{''.join(rows)}\n#end document\n")
    return path


def _lines(path: Path, name: str, words: str, *mentions: int) -> Path:
    record: dict[str, object] = {"doc_key": name}
    if words:
        record["sentences"] = [words.split()]
    record["clusters"] = [[[place, place] for place in mentions]]
    path.write_text(json.dumps(record))
    return path


def test_documents_of_other_names_must_have_the_same_words(tmp_path: Path) -> None:
    key = _conll(tmp_path / "k.conll", "nw/a", "Ada she")
    same = _conll(tmp_path / "s.conll", "bc/a", "Ada she")
    result = scoref.score(key, same)
    assert result.conll == 1
    assert not result.notes
    other = _conll(tmp_path / "r.conll", "bc/a", "Bob he")
    wanted = r"'\(bc/a\); part 000' differs from document '\(nw/a\); part 000'"
    for lenient in (False, True):
        with pytest.raises(AlignmentError, match=wanted):
            scoref.score(key, other, lenient=lenient)
    mapping = {"(bc/a); part 000": "(nw/a); part 000"}
    with pytest.raises(AlignmentError, match=wanted):
        scoref.score(key, other, document_names=mapping)
    assert scoref.score(key, same, document_names=mapping).conll == 1


@pytest.mark.parametrize("key_format", ["conll", "jsonl"])
def test_other_names_and_words_in_any_format(tmp_path: Path, key_format: str) -> None:
    key = _conll(tmp_path / "k.conll", "test/0001", "Ada she")
    if key_format == "jsonl":
        key = _lines(tmp_path / "k.jsonl", "test/0001", "Ada she", 0, 1)
    other = _lines(tmp_path / "r.jsonl", "dev/0001", "Bob he", 0, 1)
    with pytest.raises(AlignmentError, match="'dev/0001' differs from document"):
        scoref.score(key, other)
    # Words may be cut in another way, and quotes written in another way.
    cut = _lines(tmp_path / "c.jsonl", "dev/0001", "A da she", 2)
    assert scoref.score(key, cut).scores["mentions"].precision == 1


def test_other_names_without_words_are_a_warning(tmp_path: Path) -> None:
    key = _conll(tmp_path / "k.conll", "test/0001", "Ada she")
    blank = _lines(tmp_path / "r.jsonl", "dev/0001", "", 0, 1)
    (note,) = (
        note for note in scoref.score(key, blank).notes if note.kind == "other-names"
    )
    assert note.message.startswith("warning: 1 document was paired")
    spelt = _lines(tmp_path / "s.jsonl", "test/0001_0", "", 0, 1)
    assert "other-names" not in {note.kind for note in scoref.score(key, spelt).notes}
    pair = {"test/a": [["x", "y"]]}, {"dev/a": [["x", "y"]]}
    assert "other-names" in {note.kind for note in scoref.score(*pair).notes}


def test_a_mention_beyond_the_text_of_the_other_side_is_refused(tmp_path: Path) -> None:
    key = _lines(tmp_path / "k.jsonl", "d", "Ada met Bob she ran", 0, 3)
    beyond = _lines(tmp_path / "r.jsonl", "d", "", 0, 44)
    table = tmp_path / "r.tsv"
    table.write_text("document\tentity\tstart\tend\nd\t0\t0\t0\nd\t0\t44\t44\n")
    for file, line in ((beyond, 1), (table, 3)):
        for sides in ((key, file), (file, key)):
            with pytest.raises(
                AlignmentError,
                match=rf":{line}: the mention \[44, 44\] is after the end of document "
                "'d', which has 5 words in",
            ):
                scoref.score(*sides)
    result = scoref.score(key, beyond, lenient=True)
    assert result.scores["mentions"].precision == 1
    assert "mentions-beyond-the-text-of-response" in {n.kind for n in result.notes}


def test_a_document_of_the_key_alone_is_not_beyond_the_text(
    given_files: Given,
) -> None:
    key = given_files.lines(
        "k.jsonl",
        ("d", ["do", "n't", "go"], [[(2, 2)]]),
        ("e", ["a", "b"], [[(0, 0), (1, 1)]]),
    )
    response = given_files.lines("r.jsonl", ("d", ["don't", "go"], [[(1, 1)]]))
    result = scoref.score(key, response, missing="empty")
    assert [note.kind for note in result.notes] == ["empty-documents"]


@pytest.mark.parametrize(("place", "is_beyond"), [(4, False), (5, True)])
def test_the_last_word_is_not_beyond_the_text(
    tmp_path: Path, place: int, *, is_beyond: bool
) -> None:
    key = _lines(tmp_path / "k.jsonl", "d", "Ada met Bob she ran", 0, 3)
    response = _lines(tmp_path / "r.jsonl", "d", "", 0, place)
    kinds = {note.kind for note in scoref.score(key, response, lenient=True).notes}
    assert ("mentions-beyond-the-text-of-response" in kinds) == is_beyond
