"""Requests: the options of `score`, and what follows from them."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest

import scoref
import scoref.formats
from scoref import OptionError
from scoref.scheme import Options
from scoref.scoring.request import Request, ScoreOptions

if TYPE_CHECKING:
    from pathlib import Path


def test_options_are_fields_or_conventions() -> None:
    request = Request.of(format="corefud", lenient=True, match="exact", zeros=None)
    assert (request.format, request.lenient) == ("corefud", True)
    assert request.changes == {"match": "exact", "zeros": None}
    assert request == Request("corefud", lenient=True, changes=request.changes)


def test_score_takes_the_options_of_a_request_with_the_same_defaults() -> None:
    own = {*ScoreOptions.__annotations__} - {*Options.__annotations__}
    defaults = {each.name: each.default for each in fields(Request) if each.name in own}
    parameters = inspect.signature(scoref.score).parameters
    assert own == {*defaults}
    assert {name: parameters[name].default for name in own} == defaults


@pytest.mark.parametrize("lenient", ["yes", 1, None])
def test_lenient_is_true_or_false(lenient: object) -> None:
    with pytest.raises(OptionError, match="lenient must be True or False, not"):
        Request.of(lenient=lenient)


def test_the_scheme_depends_on_the_format() -> None:
    request = Request.of(singletons="keep")
    assert request.scheme_for("corefud").match == "head"
    assert request.scheme_for("conll-2012").match == "exact"
    assert request.scheme_for("corefud", match="partial").match == "partial"
    assert request.scheme_for("corefud").match == "head"
    assert request.changed(match="exact").scheme_for("corefud").match == "exact"
    assert replace(request, scheme="crac-2022").scheme_for(None).match == "partial"


def test_a_list_of_topics_is_read_once(tmp_path: Path) -> None:
    topics = tmp_path / "topics.tsv"
    topics.write_text("d\tx\n")
    request = Request.of(scope="topic", topics=str(topics))
    scheme = request.scheme_for(None)
    topics.unlink()
    assert request.scheme_for("conll-2012") is scheme


def test_metrics_depend_on_the_key() -> None:
    corpus = scoref.formats.read_data(
        b'{"doc_key": "d", "clusters": [[[0, 1]]]}', source="x", role="key"
    )
    request = Request.of(metrics="muc,lea")
    assert request.metrics_for(corpus, request.scheme_for(None)) == ("muc", "lea")
    with pytest.raises(OptionError, match="zero"):
        replace(request, metrics="zero").metrics_for(corpus, request.scheme_for(None))
