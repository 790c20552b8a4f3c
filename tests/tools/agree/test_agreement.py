"""`scoref.agree`: F₁ between people, who has which document, and what is refused."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

import scoref
from support import oracle_agreement as oracle
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

ADA = {"d": [[1, 2, 3], [4, 5]], "e": [[1, 2]]}
BEN = {"d": [[1, 2], [3, 4, 5]], "e": [[1, 2]]}
EVA = {"d": [[1, 2, 3], [4, 5]]}
PEOPLE = {"ada": ADA, "ben": BEN, "eva": EVA}
FILES = {who: EXAMPLES / f"agree-{who}.conll" for who in ("ada", "ben", "eva")}


def lines(documents: dict[str, list[list[list[int]]]], words: int = 12) -> str:
    """Write entities of spans as JSON lines with words."""
    tokens = [f"w{number}" for number in range(words)]
    return "".join(
        json.dumps({"doc_key": name, "tokens": tokens, "clusters": entities}) + "\n"
        for name, entities in documents.items()
    )


def write_people(folder: Path, **people: str) -> dict[str, Path]:
    agreement = {}
    for who, text in people.items():
        agreement[who] = folder / f"{who}.jsonl"
        agreement[who].write_text(text)
    return agreement


def test_two_are_scored_on_the_documents_that_both_have() -> None:
    agreement = scoref.agree(PEOPLE)
    assert list(agreement.pairs) == [("ada", "ben"), ("ada", "eva"), ("ben", "eva")]
    assert [pair.documents for pair in agreement.pairs.values()] == [2, 1, 1]
    for (first, second), pair in agreement.pairs.items():
        common = PEOPLE[first].keys() & PEOPLE[second].keys()
        sides = [
            {name: PEOPLE[who][name] for name in common} for who in (first, second)
        ]
        expected = scoref.score(*sides, metrics=agreement.metrics, duplicates="error")
        assert pair.scores == expected.scores


def test_the_outlier_is_who_the_others_agree_best_without() -> None:
    agreement = scoref.agree(PEOPLE)
    assert agreement.outlier == "ben"
    assert agreement.annotators["ben"].alpha_without["nominal"] == 1.0
    two = scoref.agree({"ada": ADA, "ben": BEN})
    assert two.outlier is None
    assert two.annotators["ada"].alpha_without == dict.fromkeys(two.distances)


def test_agreement_on_mentions_is_told_apart_from_that_on_entities() -> None:
    less = {"d": [[1, 2], [4, 5]]}
    agreement = scoref.agree({"ada": {"d": ADA["d"]}, "eva": less})
    omitted = scoref.agree({"ada": {"d": ADA["d"]}, "eva": less}, missing="omit")
    assert agreement.mentions.f1 == pytest.approx(8 / 9)
    assert agreement.mentions[1:4] == (1, 0, 4)
    assert agreement.mentions.alpha == omitted.alpha
    assert "Of 5 mentions, one annotator marked 1" in agreement.notes[-1].message


def test_signature_has_every_choice() -> None:
    agreement = scoref.agree(PEOPLE, missing="omit", average="corpus", distances="dice")
    own = "agreement:alpha|distance:dice|missing:omit|average:corpus|annotators:3|"
    assert agreement.signature.startswith(f"{own}scoref:")
    assert agreement.signature.endswith("|average:micro")


@pytest.mark.parametrize("formats", [("conll", "jsonl"), ("conllu", "conllu")])
def test_files_of_any_format_give_the_same(
    formats: tuple[str, str], tmp_path: Path
) -> None:
    people: dict[str, Path] = {}
    for number, (who, path) in enumerate(FILES.items()):
        people[who] = tmp_path / f"{who}.{formats[number % 2]}"
        name = {"conll": "conll-2012", "jsonl": "json-lines", "conllu": "corefud"}
        made = scoref.convert(path, name[formats[number % 2]], lossy=True)
        people[who].write_bytes(made.data)
    agreement = scoref.agree(people, match="exact", singletons="keep")
    expected = scoref.agree(FILES)
    assert agreement.alpha == pytest.approx(expected.alpha)
    assert agreement.mean == pytest.approx(expected.mean)
    first = agreement.disputed[0]
    assert (first.mention, first.readings) == (
        expected.disputed[0].mention,
        expected.disputed[0].readings,
    )


def test_corefud_of_who_lacks_a_document_or_has_another_order(tmp_path: Path) -> None:
    parts = [
        f"# newdoc id = {name}\n# sent_id = {name}-1\n"
        for name in ("one", "two", "three")
    ]
    sentence = (
        "1\tAda\tAda\tPROPN\t_\t_\t0\troot\t_\tEntity={0}\n"
        "2\tsees\tsee\tVERB\t_\t_\t1\tdep\t_\t_\n"
        "3\ther\ther\tPRON\t_\t_\t2\tobj\t_\tEntity={1}\n\n"
    )
    header = "# global.Entity = eid-etype-head-other\n"

    def corefud(order: list[int], last: str) -> str:
        text = ""
        for place, part in enumerate(order):
            name = f"e{part}"
            first = header if not place else ""
            text += (
                first
                + parts[part]
                + sentence.format(f"({name}--1-)", f"({name if part else last}--1-)")
            )
        return text

    files = {"ada": corefud([0, 1, 2], "e0"), "ben": corefud([2, 0], "e9")}
    for who, text in files.items():
        (tmp_path / f"{who}.conllu").write_text(text)
    agreement = scoref.agree(
        {who: tmp_path / f"{who}.conllu" for who in files}, singletons="keep"
    )
    assert agreement.pairs["ada", "ben"].documents == 2
    assert {
        name: document.annotators for name, document in agreement.per_document.items()
    } == {
        "one": 2,
        "two": 1,
        "three": 2,
    }
    assert agreement.per_document["three"].mean["bcub"] == 1.0
    assert agreement.per_document["one"].mean["bcub"] == pytest.approx(2 / 3)


def test_folders_have_a_file_for_each_text(tmp_path: Path) -> None:
    for who in ("ada", "ben"):
        (tmp_path / who).mkdir()
    one = [[[0, 0], [2, 2]], [[4, 5]]]
    other = [[[0, 0]], [[2, 2], [4, 5]]]
    for who, entities in (("ada", one), ("ben", other)):
        (tmp_path / who / "x.jsonl").write_text(lines({"d": entities}))
        (tmp_path / who / "y.jsonl").write_text(lines({"d": one}))
    (tmp_path / "ada" / "z.jsonl").write_text(lines({"d": one}))
    agreement = scoref.agree({who: tmp_path / who for who in ("ada", "ben")})
    assert list(agreement.per_document) == ["x/d", "y/d", "z/d"]
    assert agreement.pairs["ada", "ben"].documents == 2
    spans = {
        "ada": {"x": [["a", "b"], ["c"]], "y": [["a", "b"], ["c"]]},
        "ben": {"x": [["a"], ["b", "c"]], "y": [["a", "b"], ["c"]]},
    }
    whole = scoref.agree(spans)
    assert agreement.alpha == pytest.approx(whole.alpha)


def test_twelve_annotators_are_no_other_matter_than_two() -> None:
    people = {f"p{number:02}": (ADA if number % 2 else BEN) for number in range(12)}
    agreement = scoref.agree(people)
    assert len(agreement.pairs) == 66
    assert agreement.alpha["masi"] == pytest.approx(
        float(oracle.alpha(people, "masi", "singleton", "within"))
    )


@pytest.mark.parametrize("by", ["entity-size", "mention-length", "genre"])
def test_classes_add_up_to_the_whole(by: str) -> None:
    agreement = scoref.agree(FILES, by=by)
    assert sum(each.mentions for each in agreement.classes.values()) == 10
    assert all(each.mean["bcub"] > 0 for each in agreement.classes.values())
    if by == "genre":
        assert list(agreement.classes) == ["story"]
        assert agreement.classes["story"].alpha == pytest.approx(agreement.alpha)


def test_alpha_of_classes_of_one_document_is_a_mean_by_mentions() -> None:
    one = {who: {"d": own["d"]} for who, own in PEOPLE.items()}
    agreement = scoref.agree(one, by="entity-size")
    whole = sum(
        each.mentions * (each.alpha["masi"] or 0) for each in agreement.classes.values()
    )
    assert whole / 5 == pytest.approx(agreement.alpha["masi"])


def test_people_are_two_at_least() -> None:
    with pytest.raises(scoref.ScorefError, match="at least two annotators"):
        scoref.agree({"ada": ADA})


def test_people_without_a_common_document_are_refused() -> None:
    with pytest.raises(scoref.ScorefError, match="have a document in common"):
        scoref.agree({"ada": {"x": [[1, 2]]}, "ben": {"y": [[1, 2]]}})


def test_a_response_without_a_common_document_is_refused() -> None:
    with pytest.raises(scoref.ScorefError, match="the response has no document"):
        scoref.agree(PEOPLE, response={"z": [[1, 2]]})


def test_a_mention_in_two_entities_is_refused_by_its_annotator() -> None:
    twice = {"d": [[1, 2], [2, 3]]}
    with pytest.raises(
        scoref.DuplicateError, match=r"^ben: this mention is listed twice"
    ):
        scoref.agree({"ada": {"d": ADA["d"]}, "ben": twice})
    agreement = scoref.agree({"ada": {"d": ADA["d"]}, "ben": twice}, duplicates="first")
    expected = scoref.agree({"ada": {"d": ADA["d"]}, "ben": {"d": [[1, 2], [3]]}})
    assert agreement.alpha == expected.alpha


def test_other_words_are_named_by_annotator_file_and_line(tmp_path: Path) -> None:
    ada = (EXAMPLES / "agree-ada.conll").read_text()
    for who, text in (("ada", ada), ("ben", ada.replace("book", "bock"))):
        (tmp_path / f"{who}.conll").write_text(text)
    people = {who: tmp_path / f"{who}.conll" for who in ("ada", "ben")}
    with pytest.raises(scoref.AlignmentError) as error:
        scoref.agree(people)
    message = str(error.value)
    assert message.startswith(f"ben={tmp_path}/ben.conll:11: this word is '")
    assert f"is 'bock', but 'book' in ada={tmp_path}/ada.conll:11" in message


def test_a_damaged_file_is_named_by_annotator_file_and_line(tmp_path: Path) -> None:
    people = write_people(tmp_path, ada=lines({"d": [[[0, 1]]]}), ben="{\n")
    with pytest.raises(scoref.FormatError, match=r"^ben=.*ben\.jsonl:1: "):
        scoref.agree(people)


def test_scopes_have_no_meaning_between_people() -> None:
    with pytest.raises(scoref.OptionError, match="within documents"):
        scoref.agree(
            PEOPLE, scheme=dataclasses.replace(scoref.Scheme(), scope="corpus")
        )


def test_paths_and_entities_do_not_go_together() -> None:
    with pytest.raises(scoref.OptionError, match="'ben' is a file, but 'ada' is a"):
        scoref.agree({"ada": ADA, "ben": FILES["ben"]})


def test_a_document_without_mentions_has_no_alpha() -> None:
    people = {
        "ada": {"one": [["a", "b"], ["c"]], "two": []},
        "ben": {"one": [["a"], ["b", "c"]], "two": []},
    }
    agreement = scoref.agree(people)
    assert agreement.per_document["two"].alpha == dict.fromkeys(
        ("masi", "jaccard", "nominal")
    )
    assert None not in agreement.per_document["one"].alpha.values()
