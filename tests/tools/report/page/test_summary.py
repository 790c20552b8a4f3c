"""The part of the page that does not need a script."""

from __future__ import annotations

import re

from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import PageChart, PageSection
from support import page_reports
from support.page_outline import Outline, page_of


def test_scores_stand_in_the_page_with_their_intervals() -> None:
    report = page_reports.report_of({})
    text = Outline(render_page(report, [])).text
    for system in report["systems"]:
        for score in system["scores"]:
            assert f"{100 * score['f1']:.2f}" in text
            low, high = score["intervals"]["f1"]
            assert f"{100 * low:.2f}–{100 * high:.2f}" in text


def test_the_better_system_carries_the_letter_of_the_worse() -> None:
    page = render_page(page_reports.report_of({}), [])
    rows = re.findall(r'<tr><th scope="row"[^>]*>(ours|theirs)(.*?)</tr>', page)
    cells = {name: re.findall(r"<td[^>]*>(.*?)</td>", rest) for name, rest in rows[:2]}
    has_letter = [bool(re.search(r"<sup>b</sup>", cell)) for cell in cells["ours"]]
    assert has_letter == [metric != "lea" for metric, _ in page_reports.METRICS]
    assert not any("<sup>" in cell for cell in cells["theirs"])


def test_differences_choices_and_notes_are_spelt_out() -> None:
    page = render_page(page_reports.report_of({}), [])
    text = Outline(re.sub(r'<span class="unseen">[^<]*</span>', "", page)).text
    assert "ours − theirs CoNLL +3.12 +1.10 to +5.20 0.0004 0.0024 significant" in text
    assert "LEA −0.10 −2.00 to +1.80 0.7100 0.7100 not significant" in text
    assert "singletons keep whether entities with one mention are scored" in text
    assert "theirs: 3 duplicate mentions were left to their first entity" in text


def test_what_is_undefined_is_a_dash() -> None:
    report = page_reports.report_of({}, comparison=None)
    score = {
        **report["systems"][0]["scores"][0],
        "is_defined": False,
        "intervals": None,
    }
    alone = {**report["systems"][0], "scores": [score], "level": None}
    text = Outline(render_page({**report, "systems": [alone]}, [])).text
    assert "whatever their entity – – –" in text  # after the explanation
    assert "Mentions: a dash means 0/0. There is nothing to score." in text


def test_what_was_left_out_is_said() -> None:
    message = "texts of 3 documents are left out; choose with --documents"
    assert message in Outline(page_of({}, left_out=message)).text


def test_the_line_of_a_perfect_score_ends_at_100() -> None:
    report = page_reports.report_of({}, comparison=None)
    for system in report["systems"]:
        for score in system["scores"]:
            score |= {"f1": 1.0, "intervals": {"f1": [1.0, 1.0]}}
    text = render_page(report, [])
    assert '<dd class="ends"><span>95</span><span>100</span></dd>' in text


def test_the_line_ends_around_the_lowest_and_the_highest_value() -> None:
    report = page_reports.report_of({}, comparison=None)
    for system, (low, high) in zip(
        report["systems"], ((0.576, 0.64), (0.71, 0.812)), strict=True
    ):
        for score in system["scores"]:
            score |= {"f1": (low + high) / 2, "intervals": {"f1": [low, high]}}
    text = render_page(report, [])
    assert '<dd class="ends"><span>55</span><span>85</span></dd>' in text


def test_a_chart_has_its_lines_between_its_margins() -> None:
    lines = {"ours": [(1.0, 0.0), (2.0, 0.25), (3.0, 1.0)]}
    section = PageSection(title="t", text=[], tables=[], chart=PageChart("x", lines))
    text = render_page(page_reports.report_of({}, sections=[section]), [])
    assert 'points="34.0,206.0 320.0,163.0 606.0,34.0"' in text


def test_dots_are_in_the_middle_of_their_line() -> None:
    page = render_page(page_reports.report_of({}), [])
    lines = re.findall(
        r'<svg class="whisker [^>]* viewBox="0 0 480 20".*?</svg>', page, re.DOTALL
    )
    assert lines
    assert all('cy="10" r="5"' in line for line in lines)
    assert all('y1="10" y2="10"' in line for line in lines)


def test_the_other_score_from_which_gains_start_stands_next_to_the_score() -> None:
    report = page_reports.report_of({}, comparison=None)
    first, second = report["systems"]
    cause = "Gains start from a CoNLL score of 49.18, not from 36.31. k has no heads."
    first |= {"before": 0.4918, "start": cause}
    text = Outline(render_page(report, [])).text
    assert text.index("CoNLL F₁") < text.index(cause) < text.index("recall, ")
    second |= {"before": 0.5, "start": None}  # as without texts
    text = Outline(render_page(report, [])).text
    assert f"ours: {cause}" in text
    assert "theirs: Gains start from 50.00 instead." in text


def test_tables_of_scores_and_differences_explain_each_metric() -> None:
    page = render_page(page_reports.report_of({}), [])
    scores = page[page.index('<section class="scores') :].partition("</section>")[0]
    assert 'data-meaning="CEAFe: pairs entities one to one and averages' in scores
    differences = page.partition("<h2>Differences</h2>")[2].partition("</section>")[0]
    assert differences.count("data-meaning=") == differences.count(
        '<tr><th scope="row"'
    )
    assert "Bold: the best score of each metric." in scores
