"""Plots: the figures of results, in files that can be trusted."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

import scoref
from scoref.errors import FormatError, OptionError
from scoref.render import plots
from scoref.render.plots import check_plot, plot_differences, plot_intervals
from scoref.statistics.bootstrap import Interval
from scoref.statistics.compare import compare
from scoref.statistics.confidence import Confidence, confidence
from scoref.tools.report.page import asset
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from scoref.scoring.results import Result

    Entities = list[list[str]]
    Systems = dict[str, tuple[Result, Confidence]]

matplotlib = pytest.importorskip("matplotlib")
figure = pytest.importorskip("matplotlib.figure")

KEY = [["a", "b", "c"], ["d", "e"]]
GOOD, FAIR, POOR = KEY, [["a", "b"], ["d", "e"]], [["a", "d"], ["b", "e"]]
HOSTILE = "<script>alert('&\"')</script> $x^2$ \x00\ud800\n"
every_suffix = pytest.mark.parametrize("suffix", [".svg", ".png", ".html"])


def scored(responses: Iterable[Entities], prefix: str = "document ") -> Result:
    response = {f"{prefix}{row}": each for row, each in enumerate(responses)}
    return scoref.score(dict.fromkeys(response, KEY), response)


def with_interval(result: Result) -> tuple[Result, Confidence]:
    return result, confidence(result, resamples=100)


@pytest.fixture
def systems() -> Systems:
    return {
        "poor & cheap": with_interval(scored([POOR, FAIR, POOR] * 8)),
        "fine": with_interval(scored([GOOD, FAIR, POOR] * 8)),
    }


@pytest.fixture
def pair() -> tuple[tuple[str, Result], tuple[str, Result]]:
    return (
        ("ours", scored([GOOD, FAIR, POOR, GOOD])),
        ("theirs", scored([POOR, FAIR, GOOD, FAIR])),
    )


def texts(path: Path) -> list[str]:
    tree = ET.parse(path)  # noqa: S314 - our own
    return [each.text or "" for each in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_systems_stand_in_order_with_their_figures(
    tmp_path: Path, systems: Systems
) -> None:
    path = tmp_path / "intervals.svg"
    plot_intervals(path, systems)
    shown = texts(path)
    assert [text for text in shown if text in systems] == ["fine", "poor & cheap"]
    for result, actual in systems.values():
        low, high = actual.intervals["conll"]["f1"]
        figures = f"{100 * result.conll:.2f}  {100 * low:.2f}–{100 * high:.2f}"
        assert figures in shown


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_files_are_named_without_their_folders(tmp_path: Path, suffix: str) -> None:
    names = [str(EXAMPLES / f"many-{name}.conll") for name in "ab"]
    one, other = scored([GOOD, FAIR, POOR]), scored([GOOD, GOOD, POOR])
    files = {names[0]: one, names[1]: other}
    path = tmp_path / f"plot.{suffix}"
    plot_intervals(path, {name: with_interval(each) for name, each in files.items()})
    plotted = [path.read_text(encoding="utf-8")]
    plot_differences(path, (names[0], one), (names[1], other))
    plotted.append(path.read_text(encoding="utf-8"))
    for plot in plotted:
        assert "many-a.conll" in plot
        assert str(EXAMPLES) not in plot


def test_the_title_names_metric_level_and_unit(
    tmp_path: Path, systems: Systems
) -> None:
    path = tmp_path / "intervals.svg"
    plot_intervals(path, systems, "bcub")
    shown = texts(path)
    assert "B³ F₁" in shown
    assert "95 % confidence intervals over 24 documents" in shown


def test_the_signature_stands_below_once(tmp_path: Path, systems: Systems) -> None:
    path = tmp_path / "intervals.svg"
    plot_intervals(path, systems)
    result, found = systems["fine"]
    assert f"{result.signature}|{found.signature}" in "".join(texts(path))
    assert "".join(texts(path)).count("scoref:") == 1


def test_systems_that_were_scored_differently_have_a_signature_each(
    tmp_path: Path,
) -> None:
    path = tmp_path / "differences.svg"
    documents = {"a": KEY, "b": KEY}
    first = scoref.score(documents, documents)
    second = scoref.score(documents, documents, singletons="drop")
    plot_differences(path, ("ours", first), ("theirs", second))
    shown = "".join(texts(path))
    assert f"ours: {first.signature}" in shown
    assert f"theirs: {second.signature}" in shown


def test_too_few_documents_are_noted_in_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    plot_intervals(path, {"one": with_interval(scored([FAIR, GOOD]))})
    assert any(text.startswith("note: 2 documents are too few") for text in texts(path))


def test_the_notes_of_every_system_are_in_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    many, few = scored([FAIR, GOOD] * 12), scored([FAIR, GOOD])
    plot_intervals(path, {"many": with_interval(many), "few": with_interval(few)})
    notes = [text for text in texts(path) if "too few" in text]
    assert len(notes) == 1
    assert notes[0].startswith("note: 2 documents are too few")


def test_an_interval_need_not_hold_the_score(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    result, found = with_interval(scored([GOOD] * 3))
    strange = dataclasses.replace(
        found, intervals={"conll": {"f1": Interval(0.25, 0.5)}}
    )
    plot_intervals(path, {"strange": (result, strange)})
    assert "100.00  25.00–50.00" in texts(path)


def test_a_score_of_nothing_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    nothing = {name: [["a"]] for name in "ab"}
    plot_intervals(path, {"one": with_interval(scoref.score(nothing, nothing))}, "muc")
    assert "–" in texts(path)


def test_an_average_with_an_undefined_part_is_a_number(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    nothing = {name: [["a"]] for name in "ab"}  # MUC has no links to count
    system = {"one": with_interval(scoref.score(nothing, nothing))}
    plot_intervals(path, system, "conll")
    assert any(text.startswith("66.67") for text in texts(path))


def test_documents_are_sorted_by_difference_and_counted(
    tmp_path: Path, pair: tuple[tuple[str, Result], tuple[str, Result]]
) -> None:
    path = tmp_path / "differences.svg"
    plot_differences(path, *pair)
    shown = texts(path)
    names = [text for text in shown if text.startswith("document ")]
    assert names == ["document 0", "document 3", "document 1", "document 2"]
    assert "CoNLL F₁ by document: ours − theirs" in shown
    assert "percentage points of F₁" in shown
    assert any("2 wins, 1 tie, 1 loss in 4 documents" in text for text in shown)


def test_the_ends_of_the_axis_say_who_is_better_there(
    tmp_path: Path, pair: tuple[tuple[str, Result], tuple[str, Result]]
) -> None:
    path = tmp_path / "differences.svg"
    plot_differences(path, *pair)
    svg = path.read_text(encoding="utf-8")
    axes = re.search(r'id="patch_2">\s*<path d="M ([\d.]+) \S+ \s*L ([\d.]+) ', svg)
    assert axes is not None
    labels = [
        (text, anchor, x, y, size)
        for size, anchor, x, y, text in re.findall(
            r'size: (\d+)px;[^"]*anchor: (\w+);[^"]*" x="(\S+)" y="(\S+)"[^>]*>([^<]*)',
            svg,
        )
        if "is better" in text
    ]
    height, size = labels[0][3:]
    assert labels == [
        ("← theirs is better", "start", axes[1], height, size),
        ("ours is better →", "end", axes[2], height, size),
    ]


def test_the_axis_has_the_differences_in_points(
    tmp_path: Path, pair: tuple[tuple[str, Result], tuple[str, Result]]
) -> None:
    path = tmp_path / "differences.svg"
    plot_differences(path, *pair)
    (_, ours), (_, theirs) = pair
    widest = max(
        abs(scores["conll"].f1 - theirs.per_document[name]["conll"].f1)
        for name, scores in ours.per_document.items()
    )
    ticks = [
        float(text.replace("−", "-"))
        for text in texts(path)
        if re.fullmatch(r"[+−][\d.]+", text)
    ]
    assert 50 * widest < max(ticks) <= 106 * widest
    assert min(ticks) == -max(ticks)


@pytest.mark.parametrize("times", [1, 40], ids=["bars", "areas"])
def test_differences_are_drawn_in_points(times: int) -> None:
    axes = figure.Figure().subplots()
    rows = [plots._Document("d", 0.75, 0.5), plots._Document("e", 0.5, 0.625)]  # noqa: SLF001
    plots._draw_differences(axes, rows * times)  # noqa: SLF001
    lengths = [25.0, -12.5]
    if times == 1:
        assert [bar.get_width() for bar in axes.patches] == lengths
    else:
        better, worse = (area.get_data().values for area in axes.patches)
        assert (better + worse).tolist() == lengths * times
    assert axes.get_xlim() == pytest.approx((-26.5, 26.5))


def test_wins_are_those_of_the_comparison(tmp_path: Path) -> None:
    first = scored([GOOD, FAIR, POOR, GOOD] * 9)
    second = scored([FAIR, FAIR, GOOD] * 12)
    actual = compare({"a": first, "b": second}, resamples=10)
    difference = actual.between("a", "b", "lea")
    path = tmp_path / "differences.svg"
    plot_differences(path, ("a", first), ("b", second), "lea")
    record = f"{difference.wins} wins, {difference.ties} ties, "
    assert any(f"{record}{difference.losses} losses" in text for text in texts(path))


def test_many_documents_are_counted_and_not_named(tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    plot_differences(path, ("a", scored([GOOD] * 61)), ("b", scored([POOR] * 61)))
    shown = texts(path)
    assert not any(text.startswith("document ") for text in shown)
    assert "61 documents" in shown


def test_plots_of_many_documents_are_higher_within_limits(tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    heights = []
    for count in (100, 200, 250, 300, 400, 500):
        both = [scored([each] * count) for each in (GOOD, POOR)]
        plot_differences(path, ("a", both[0]), ("b", both[1]))
        svg = path.read_text(encoding="utf-8")
        match = re.search(r'<svg [^>]*height="([\d.]+)pt"', svg)
        assert match
        heights.append(float(match[1]) / 72)
    grown = [height - heights[0] for height in heights]
    assert grown == pytest.approx([0, 0, 1, 2, 4, 4], abs=0.01)


def test_a_page_shows_the_names_of_many_documents_on_hovering(tmp_path: Path) -> None:
    path = tmp_path / "differences.html"
    plot_differences(path, ("a", scored([GOOD] * 61)), ("b", scored([POOR] * 61)))
    titles = re.findall("<title>document (.*?): ", path.read_text(encoding="utf-8"))
    assert sorted(titles, key=int) == [str(number) for number in range(61)]


def test_systems_that_never_differ_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    result = scored([FAIR])
    plot_differences(path, ("same", result), ("same", result))
    assert any("0 wins, 1 tie, 0 losses in 1 document;" in text for text in texts(path))


def test_documents_are_paired_by_name_and_not_by_order(tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    documents = {"a": GOOD, "b": POOR}
    key = {"a": KEY, "b": KEY}
    turned = scoref.score({"b": KEY, "a": KEY}, {"b": POOR, "a": GOOD})
    plot_differences(path, ("x", scoref.score(key, documents)), ("y", turned))
    assert any("0 wins, 2 ties, 0 losses" in text for text in texts(path))


@every_suffix
def test_the_same_figures_give_the_same_bytes(
    tmp_path: Path,
    suffix: str,
    systems: Systems,
    pair: tuple[tuple[str, Result], tuple[str, Result]],
) -> None:
    paths = [tmp_path / f"{number}{suffix}" for number in range(4)]
    for path in paths[:2]:
        plot_intervals(path, systems)
    with matplotlib.rc_context({"font.size": 40}):
        plot_differences(paths[2], *pair)
    plot_differences(paths[3], *pair)
    data = [path.read_bytes() for path in paths]
    assert data[0] == data[1]
    assert data[2] == data[3]


def test_the_settings_of_others_are_left_alone(
    tmp_path: Path, systems: Systems
) -> None:
    before = dict(matplotlib.rcParams)
    plot_intervals(tmp_path / "intervals.png", systems)
    assert dict(matplotlib.rcParams) == before


def test_a_picture_is_a_png(tmp_path: Path, systems: Systems) -> None:
    path = tmp_path / "INTERVALS.PNG"
    plot_intervals(path, systems)
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_a_page_runs_no_script_and_asks_no_network(
    tmp_path: Path, systems: Systems
) -> None:
    path = tmp_path / "intervals.html"
    plot_intervals(path, systems)
    page = path.read_text(encoding="utf-8")
    without_names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert "://" not in without_names
    assert "<script" not in page.lower()
    assert "<title>poor &amp; cheap: " in page


@every_suffix
def test_hostile_names_are_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plot{suffix}"
    result = scored([FAIR, GOOD], HOSTILE)
    plot_intervals(path, {HOSTILE: with_interval(result)})
    plot_differences(path, (HOSTILE, result), (HOSTILE, result))
    data = path.read_bytes()
    assert b"<script" not in data
    if suffix == ".svg":
        assert any(text.startswith("<script>alert('&\"')") for text in texts(path))
        assert any("$x^2$ ���1" in text for text in texts(path))
    if suffix == ".html":
        assert "<title>&lt;script&gt;alert(&#x27;&amp;&quot;" in data.decode()


@every_suffix
def test_names_may_be_in_any_script(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plot{suffix}"
    result = scored([FAIR, GOOD], "文書 وثيقة מסמך दस्तावेज़ ")
    plot_differences(path, ("系统", result), ("نظام", result))
    assert path.stat().st_size


@pytest.mark.parametrize("name", ["plot.pdf", "plot", "svg", ""])
def test_another_suffix_is_refused(name: str, systems: Systems) -> None:
    with pytest.raises(OptionError, match=r"cannot plot to"):
        plot_intervals(name, systems)


def test_the_suffix_says_what_a_file_will_be() -> None:
    assert [check_plot(name) for name in ("a.b.svg", "B.PNG")] == [".svg", ".png"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.parent / "missing" / path.name,
        lambda path: path.mkdir() or path,
        lambda path: path.parent / "nul\0.svg",
    ],
    ids=["missing folder", "a folder itself", "impossible name"],
)
def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, systems: Systems, spoil: Callable[[Path], Path]
) -> None:
    path = spoil(tmp_path / "plot.svg")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FormatError, match="cannot be written") as caught:
        plot_intervals(path, systems)
    assert caught.value.source == str(path)
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_may_not_be_written_is_named(
    tmp_path: Path, systems: Systems
) -> None:
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(FormatError, match="cannot be written: permission denied"):
        plot_intervals(tmp_path / "plot.svg", systems)


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, systems: Systems, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: str) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "plot.svg"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", fill_the_disk)
    with pytest.raises(FormatError, match="no space left on device"):
        plot_intervals(path, systems)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_without_matplotlib_one_is_told_what_to_install(
    tmp_path: Path, systems: Systems, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    with pytest.raises(OptionError, match=r"pip install '\.\[plot\]'"):
        plot_intervals(tmp_path / "plot.svg", systems)
    assert list(tmp_path.iterdir()) == []


def test_nothing_cannot_be_plotted(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    nothing = scoref.score({}, {})
    with pytest.raises(OptionError, match="no system"):
        plot_intervals(path, {})
    with pytest.raises(OptionError, match="no document"):
        plot_differences(path, ("a", nothing), ("b", nothing))


def test_a_metric_that_was_not_scored_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    result = scoref.score(KEY, FAIR, metrics="muc,lea")
    two = {"x": KEY, "y": KEY}
    other = confidence(scoref.score(two, two, metrics="lea"), resamples=10)
    alone = confidence(result, resamples=10)
    with pytest.raises(
        OptionError, match="a has no interval, because that needs at least two"
    ):
        plot_intervals(path, {"a": (result, alone)}, "muc")
    with pytest.raises(OptionError, match=r"by 'conll'. It has muc, lea"):
        plot_differences(path, ("a", result), ("b", result))
    with pytest.raises(OptionError, match="a has no interval of 'muc'"):
        plot_intervals(path, {"a": (result, other)}, "muc")


def test_intervals_of_different_levels_are_not_shown_together(tmp_path: Path) -> None:
    result = scored([FAIR, GOOD])
    systems = {
        str(level): (result, confidence(result, level=level, resamples=10))
        for level in (90, 95)
    }
    with pytest.raises(OptionError, match="different levels"):
        plot_intervals(tmp_path / "plot.svg", systems)


def test_other_documents_cannot_be_compared(tmp_path: Path) -> None:
    first, second = scored([FAIR]), scored([FAIR], "another ")
    with pytest.raises(OptionError, match="b and a were not scored on the same"):
        plot_differences(tmp_path / "plot.svg", ("a", first), ("b", second))


def test_importing_the_module_does_not_load_matplotlib() -> None:
    code = "import sys, scoref.render.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_long_names_are_cut_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "intervals.svg"
    name = "start" + "x" * 100 + "end"
    plot_intervals(path, {name: with_interval(scored([FAIR] * 2))})
    assert "start" + "x" * 17 + "…" + "x" * 18 + "end" in texts(path)


def test_names_that_begin_differently_keep_their_first_letter() -> None:
    alike = ["a" + "x" * 60 + number + "y" * 60 for number in "12"]
    assert plots.short_names([*alike, "b"])[2] == "…b"


def test_names_that_differ_inside_stay_different(tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    names = [f"{'x' * 40}/model-{row}/{'y' * 40}" for row in (1, 2)]
    result = scored([FAIR])
    plot_differences(path, (names[0], result), (names[1], result))
    shown = texts(path)
    assert "← …del-2/yy…yyyyyyyy is better" in shown
    assert "…del-1/yy…yyyyyyyy is better →" in shown


def test_leads_are_blue_and_losses_red_however_small(tmp_path: Path) -> None:
    key = [[f"a{row}", f"b{row}"] for row in range(300)]
    lacking = key[1:]
    documents = dict.fromkeys("def", key)
    ours = scoref.score(documents, {"d": key, "e": key, "f": lacking})
    theirs = scoref.score(documents, {"d": lacking, "e": key, "f": key})
    path = tmp_path / "differences.svg"
    plot_differences(path, ("ours", ours), ("theirs", theirs))
    shown = path.read_text(encoding="utf-8")
    bars = re.findall(r"fill: #(\w+); stroke: #\1", shown)
    assert bars[0] == "0072b2"  # 0.2 points better
    assert set(bars[1:]) == {"d55e00"}  # no bar is seen for a tie
    assert "1 win, 1 tie, 1 loss in 3 documents" in shown


def test_pages_have_the_colours_of_reports() -> None:
    styles = asset("mentions.css")
    page = plots.PAGE
    for variable in {*plots.VARIABLES.values()}:
        values = re.findall(rf"{variable}: *(#[0-9a-f]{{6}})", page)
        assert len(values) == 2  # light and dark
        for value in values:
            assert f"{variable}: {value};" in styles


def test_ticks_are_written_smaller_than_the_rest(
    tmp_path: Path, systems: Systems
) -> None:
    path = tmp_path / "intervals.svg"
    plot_intervals(path, systems)
    sizes = re.findall(r"font-size: (\d+)px[^>]*>([^<]+)", path.read_text("utf-8"))
    by_text = {text: int(size) for size, text in sizes}
    assert {by_text[text] for text in by_text if text.isdigit()} == {8}
    assert by_text["95 % confidence intervals over 24 documents"] == 9


@pytest.mark.parametrize(("count", "has_names"), [(60, True), (61, False)])
def test_up_to_sixty_documents_have_their_names_on_the_axis(
    tmp_path: Path, count: int, *, has_names: bool
) -> None:
    path = tmp_path / "x.svg"
    systems = ("a", scored([GOOD] * count)), ("b", scored([POOR] * count))
    plot_differences(path, *systems)
    ticks = path.read_text(encoding="utf-8").count('id="ytick_')
    assert (ticks == count) == has_names
