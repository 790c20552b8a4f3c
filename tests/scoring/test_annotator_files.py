"""Annotators' work in files, in folders and in Python."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scoref import OptionError, ScorefError
from scoref.scoring.annotator_files import read_annotated, refuse_strangers
from scoref.scoring.request import Request
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = {name: EXAMPLES / f"agree-{name}.conll" for name in ("ada", "ben", "eva")}


def conll(name: str, *cells: str) -> str:
    rows = (
        f"{name}\t0\t{row}\t{name}{row}\t{cell}\n" for row, cell in enumerate(cells)
    )
    return f"#begin document ({name}); part 000\n{''.join(rows)}\n#end document\n"


def test_files_and_a_response_are_scored_in_pairs() -> None:
    ada, ben, eva = PEOPLE.values()
    annotated = read_annotated({"ada": ada, "ben": ben}, eva, Request(), ("muc",))
    assert annotated.names == ("ada", "ben", "response")
    assert {*annotated.results} == {(0, 1), (0, 2), (1, 2)}
    assert annotated.has.shape == (len(annotated.documents), 3)


def test_folders_have_a_file_for_each_dataset(tmp_path: Path) -> None:
    for name in ("ada", "ben"):
        folder = tmp_path / name
        folder.mkdir()
        for dataset in ("x", "y"):
            (folder / f"{dataset}.conll").write_text(conll("d", "(1)", "(1)", "-"))
    people = {name: tmp_path / name for name in ("ada", "ben")}
    request = Request.of(folder="datasets")
    annotated = read_annotated(people, None, request, ("muc",))
    assert annotated.documents == ("x/(d); part 000", "y/(d); part 000")
    assert len(annotated.results[0, 1].documents) == 2
    assert annotated.results[0, 1].scores["muc"].f1 == 1
    # Each of the four files has an entity of its own with two mentions.
    counts = Counter(annotated.marks.entity.tolist())
    assert [*counts.values()] == [2, 2, 2, 2]


def test_annotators_are_all_paths_or_all_entities() -> None:
    with pytest.raises(OptionError, match="'a' is a file, but 'b' is a list"):
        read_annotated({"a": PEOPLE["ada"], "b": [["x"]]}, None, Request(), ("muc",))
    with pytest.raises(ScorefError, match="at least two annotators"):
        read_annotated({"a": PEOPLE["ada"]}, None, Request(), ("muc",))
    with pytest.raises(OptionError, match="scopes and gold mentions"):
        read_annotated(PEOPLE, None, Request.of(scope="corpus"), ("muc",))


def test_annotators_need_a_common_document(tmp_path: Path) -> None:
    people = {}
    for name in ("ada", "ben"):
        people[name] = tmp_path / f"{name}.conll"
        people[name].write_text(conll(name, "(1)", "(1)"))
    annotated = read_annotated(people, None, Request(), ("muc",))
    with pytest.raises(
        ScorefError, match="no two annotators have a document in common"
    ):
        refuse_strangers(annotated, has_response=False)
