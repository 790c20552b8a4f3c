"""A figure from elsewhere, and which convention gives it."""

from __future__ import annotations

import pytest

import scoref
from scoref.tools.explain.explanation import Explanation, explain
from scoref.tools.explain.figures import Figure
from support.paths import EXAMPLES


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return explain(EXAMPLES / "explain-key.conll", EXAMPLES / "explain-response.conll")


@pytest.mark.parametrize(
    ("text", "value", "step", "is_percent"),
    [
        ("59.62", 59.62, 0.01, True),
        (" 59.6 ", 59.6, 0.1, True),
        ("60", 60, 1, True),
        ("59.6246", 59.6246, 0.0001, True),
        ("0.5962", 0.5962, 0.0001, False),
        ("0.60", 0.60, 0.01, False),
        ("1.00", 1.0, 0.01, False),
        ("0.5%", 0.5, 0.1, True),
        ("120.00", 120, 0.01, True),
    ],
)
def test_a_figure_is_a_percentage_or_a_fraction(
    text: str, value: float, step: float, is_percent: bool
) -> None:
    figure = Figure.parse(text)
    assert (figure.value, figure.is_percent) == (value, is_percent)
    assert figure.step == pytest.approx(step)
    assert (figure.metric, figure.kind) == (None, None)


def test_a_figure_may_say_what_it_is_of() -> None:
    figure = Figure.parse("B3/precision=70.6%")
    assert (figure.metric, figure.kind) == ("bcub", "precision")
    assert figure.text == "70.6%"
    assert Figure.parse("conll=59.62").kind is None


@pytest.mark.parametrize(
    "text",
    ["", "abc", "nan", "-5", "1e1", "5.9.6", ".", "muc=", "=5.0", "muc/f2=5.0", "5,3"],
)
def test_other_things_are_no_figure(text: str) -> None:
    with pytest.raises(scoref.OptionError, match="is not a figure"):
        Figure.parse(text)


@pytest.mark.parametrize("text", ["0", "1", "0.6", "1.0"])
def test_a_fraction_of_too_few_digits_is_refused(text: str) -> None:
    with pytest.raises(scoref.OptionError, match="too few digits"):
        Figure.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcu=5.0", "Did you mean muc"),
        ("pairwise=5.0", "unknown metric 'pairwise'"),
        ("bridging=5.0", "means several metrics"),
    ],
)
def test_a_metric_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(scoref.OptionError, match=message):
        Figure.parse(text)


def test_a_metric_that_the_files_do_not_have_is_refused(
    explanation: Explanation,
) -> None:
    with pytest.raises(scoref.OptionError, match="is for formats with words"):
        explanation.find("mor=50.0")


@pytest.mark.parametrize(
    ("text", "value", "how"),
    [
        ("66.67", 2 / 3, "rounded"),
        ("66.66", 2 / 3, "cut"),
        ("66.68", 2 / 3, None),
        ("66.65", 2 / 3, None),
        ("66.7", 2 / 3, "rounded"),
        ("66.6", 2 / 3, "cut"),
        ("0.6667", 2 / 3, "rounded"),
        ("0.666", 2 / 3, "cut"),
        ("66.67%", 2 / 3, "rounded"),
        ("50.0", 0.5, "rounded"),
        ("50.00", 0.50005, "rounded"),
        ("50.01", 0.50005, "rounded"),
        ("100.0", 1.0, "rounded"),
        ("0.29", 0.29, "rounded"),
    ],
)
def test_some_round_and_some_cut(text: str, value: float, how: str | None) -> None:
    assert Figure.parse(text).how_written(value) == how


@pytest.mark.parametrize("text", ["59.62", "59.6246", "0.5962", "conll=59.6", "59.62%"])
def test_a_figure_of_one_convention_is_its_own(
    explanation: Explanation, text: str
) -> None:
    matches = explanation.find(text).matches
    assert [match[:3] for match in matches] == [("e2e-coref", "conll", "f1")]
    assert matches[0].how == "rounded"
    assert matches[0].value == explanation.row("e2e-coref").scores["conll"].f1


def test_a_number_is_as_good_as_a_text(explanation: Explanation) -> None:
    assert explanation.find(59.62) == explanation.find("59.62")


def test_what_the_reference_gives_needs_no_explanation(
    explanation: Explanation,
) -> None:
    assert [match[:3] for match in explanation.find("74.41").matches] == [
        ("reference", "conll", "f1")
    ]


def test_several_conventions_may_give_a_figure(explanation: Explanation) -> None:
    assert [match.convention for match in explanation.find("b3=64.33").matches] == [
        "coval-no-singletons",
        "e2e-coref",
    ]


def test_a_cut_figure_is_the_perl_scripts(explanation: Explanation) -> None:
    assert [match[:3] for match in explanation.find("66.66").matches] == [
        ("printed", "muc", "f1")
    ]


def test_recall_for_precision_means_that_files_were_swapped(
    explanation: Explanation,
) -> None:
    assert [match[:3] for match in explanation.find("muc/precision=71.43").matches] == [
        ("swapped", "muc", "precision")
    ]


def test_conll_comes_first_and_then_f1(explanation: Explanation) -> None:
    kinds = [
        (match.metric == "conll", match.kind == "f1")
        for match in explanation.find("65").matches
    ]
    assert len(set(kinds)) > 2
    assert kinds == sorted(kinds, reverse=True)


def test_every_figure_of_every_convention_is_found(explanation: Explanation) -> None:
    for row in explanation.rows:
        for metric, score in row.scores.items():
            for kind in ("recall", "precision", "f1"):
                value = getattr(score, kind, None)
                if value is not None:
                    finding = explanation.find(f"{metric}/{kind}={100 * value:.2f}%")
                    assert finding.matches, (row.name, metric, kind)
                    assert row.name in explanation.giving([finding])


def test_a_figure_of_nobody_has_neighbours(explanation: Explanation) -> None:
    finding = explanation.find("61.99")
    assert finding.matches == ()
    scores = [match for match in finding.nearest if match[1:3] == ("conll", "f1")]
    assert [match[:3] for match in scores] == [
        ("e2e-coref", "conll", "f1"),
        ("coval-no-singletons", "conll", "f1"),
        ("hf-coval", "conll", "f1"),
    ]
    assert len({match[1:4] for match in finding.nearest}) == 6
    distances = [abs(100 * match.value - 61.99) for match in finding.nearest]
    assert distances == sorted(distances)


def test_several_figures_tell_conventions_apart(explanation: Explanation) -> None:
    muc, b_cubed, ceafe = map(explanation.find, ("66.67", "64.33", "ceafe=64.97"))
    assert explanation.giving([muc, b_cubed]) == ("coval-no-singletons", "e2e-coref")
    assert explanation.giving([muc, b_cubed, ceafe]) == ("coval-no-singletons",)
    assert explanation.giving([b_cubed, explanation.find("69.37")]) == ()


def test_the_nearest_conll_scores_are_not_listed_twice(
    explanation: Explanation,
) -> None:
    nearest = explanation.find("72.21").nearest
    assert len({(match.metric, match.kind, match.value) for match in nearest}) == 6
    scores = [match for match in nearest if match[1:3] == ("conll", "f1")]
    assert [round(100 * match.value, 2) for match in scores] == [72.11, 73.04, 71.36]


@pytest.mark.parametrize("text", ["62.5", "62.5%", "0.625"])
def test_a_figure_has_its_percentage(text: str) -> None:
    assert Figure.parse(text).percent == 62.5


def test_no_figure_has_a_neighbour_twice(explanation: Explanation) -> None:
    for number in range(50, 90):
        nearest = explanation.find(f"{number}.01").nearest
        distinct = {(match.metric, match.kind, match.value) for match in nearest}
        assert len(distinct) == len(nearest), number
