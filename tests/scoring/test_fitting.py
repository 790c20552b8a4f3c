"""Conventions that a format has no use for are refused, with a reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefud
import scoref
from scoref import AlignmentError, OptionError
from scoref.formats import read_data
from scoref.metrics import available, chosen
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from universal import scored, universal

if TYPE_CHECKING:
    from pathlib import Path

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
    return f"{name}={value} ({typed}) {why}; these files are {format_name}"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"match": "head"},
            "needs heads, which only CorefUD has; partial goes by Min",
        ),
        (
            {"zeros": "dependent"},
            "needs dependencies, which only CorefUD has",
        ),
        (
            {"duplicates": "reference"},
            "is for CoNLL-2012",
        ),
        (
            {"anaphors": "pronouns"},
            "is for CorefUD",
        ),
        ({"phrases": "np"}, "is for CoNLL-2012 with parses"),
        ({"nested": "drop"}, "is for formats of spans"),
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
            "is for CoNLL-2012",
        ),
        (
            {"duplicates": "ua"},
            "is for Universal Anaphora",
        ),
        ({"match": "craft"}, "is for Universal Anaphora"),
        (
            {"match": "min"},
            "is for CoNLL-2012 with parses; partial goes by heads",
        ),
        (
            {"evaluate": "discourse-deixis"},
            "is for Universal Anaphora",
        ),
        ({"phrases": "np"}, "is for CoNLL-2012 with parses"),
        ({"nested": "drop"}, "is for formats of spans"),
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
        ({"match": "craft"}, "is for Universal Anaphora"),
        (
            {"duplicates": "corefud"},
            "is for CorefUD",
        ),
        (
            {"duplicates": "ua"},
            "is for Universal Anaphora",
        ),
        (
            {"zeros": "drop"},
            "is for CorefUD and Universal Anaphora",
        ),
        (
            {"alignment": "official"},
            "is for CorefUD and Universal Anaphora",
        ),
        (
            {"split_antecedents": "keep"},
            "is for CorefUD and Universal Anaphora",
        ),
        (
            {"evaluate": "split-antecedents"},
            "is for CorefUD and Universal Anaphora",
        ),
        (
            {"evaluate": "discourse-deixis"},
            "is for Universal Anaphora",
        ),
        ({"anaphors": "zeros"}, "is for CorefUD"),
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
        chosen(metric, available(side, scheme))


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
    with pytest.raises(AlignmentError, match="document 'b' is of 1 here, but of 2 in"):
        scoref.score(key, response, scope="topic")
    pattern = {"a": "x", "b": "x"}
    assert scoref.score(key, response, scope="topic", topics=pattern).documents == (
        "x",
    )


@pytest.mark.parametrize("suffix", ["conllu", "ua"])
def test_scopes_are_for_labels_that_hold_across_documents(
    suffix: str, folder: Path
) -> None:
    with pytest.raises(OptionError, match="needs labels that hold across documents"):
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
