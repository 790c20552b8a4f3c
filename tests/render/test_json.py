"""JSON: the same fields for every report, and null for NaN."""

from __future__ import annotations

import json
import math

from scoref.printable import printable_json
from scoref.render.json import json_text, render_json
from scoref.render.report import Unscored
from support.reports import of_objects


def test_json_has_the_same_four_fields_whatever_there_is() -> None:
    assert json.loads(render_json(of_objects())) == {
        "schema": "scoref/x/1",
        "results": [],
        "failures": [],
        "notes": [],
    }


def test_json_has_what_was_lost_and_noted_and_more() -> None:
    lost = Unscored("en", "ours", "en.conll:1: no")
    report = of_objects(
        {"f1": 1 / 3}, failures=[lost], notes=["a"], more={"macro": []}, version=2
    )
    assert json.loads(render_json(report)) == {
        "schema": "scoref/x/2",
        "macro": [],
        "results": [{"f1": 1 / 3}],
        "failures": [
            {"dataset": "en", "response": "ours", "message": "en.conll:1: no"}
        ],
        "notes": ["a"],
    }


def test_json_has_no_word_for_what_is_not_a_number() -> None:
    text = render_json(of_objects({"a": [math.nan, {"b": math.inf}], "c": (1.5,)}))
    assert json.loads(text)["results"] == [{"a": [None, {"b": None}], "c": [1.5]}]


def test_json_keeps_what_it_escapes() -> None:
    name = "a\x9b\u202e\U000e0001\ud800é"
    assert json_text(name) == r'"a\u009b\u202e\udb40\udc01\ud800é"'
    assert printable_json('{\n  "é": 1\n}') == '{\n  "é": 1\n}'
