"""The page with links to the pages of several datasets."""

from __future__ import annotations

import re

from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse_files
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.page.index import Index
from support.page_outline import Outline
from support.paths import EXAMPLES

KEY = str(EXAMPLES / "many-key.conll")
NAMES = {name: str(EXAMPLES / f"many-{name}.conll") for name in ("a", "b")}


def index() -> Index:
    pages = Index("keys", list(NAMES))
    pages.add("one", analyse_files(KEY, NAMES, Request()))
    pages.add("two", {})
    pages.links["one"] = "pages/one.html"
    return pages


def test_each_dataset_has_scores_and_differences_and_a_file_not_read_counts_as_0() -> (
    None
):
    systems = analyse_files(KEY, NAMES, Request())
    a, b = (100 * systems[name].result.conll for name in NAMES)
    text = Outline(index().render()).text
    assert "dataset a b b − a" in text
    difference = f"{b - a:+.2f}".replace("-", "−")
    assert f"one {a:.2f} {b:.2f} {difference}" in text
    assert "two 0.00 missing 0.00 missing" in text
    assert "1 of 2 files of b could not be scored and counts as 0." in text
    assert f"macro average {a / 2:.2f} {b / 2:.2f}" in text


def test_datasets_under_different_conventions_are_a_warning() -> None:
    pages = Index("keys", ["a"])
    pages.add("one", analyse_files(KEY, {"a": NAMES["a"]}, Request()))
    assert pages.notes() == []
    corefud = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
    pages.add("two", analyse_files(corefud[0], {"a": corefud[1]}, Request()))
    (note,) = pages.notes()
    assert note.startswith("warning: two (a) was not scored like one (a): match is")
    assert note.removeprefix("warning: ") in Outline(pages.render()).text


def test_counts_of_errors_link_to_the_errors() -> None:
    systems = analyse_files(KEY, NAMES, Request())
    page = index().render()
    total = int(systems["b"].gains.count.sum())
    assert re.search(rf'href="pages/one.html#system=2"[^>]*>{total}<', page)
    assert 'href="pages/one.html#system=1&amp;kind=1"' in page


def test_kinds_are_ordered_by_what_fixing_them_gains() -> None:
    systems = analyse_files(KEY, NAMES, Request())
    gains = {name: systems[name].gains.gain for name in NAMES}
    order = sorted(
        range(len(KINDS)), key=lambda kind: -gains["a"][kind] - gains["b"][kind]
    )
    labels = " ".join(KINDS[kind].label for kind in order)
    text = Outline(index().render()).text
    for name in NAMES:
        # The second dataset could not be read, so it has no errors and no gains.
        row = " ".join(f"{100 * gains[name][kind]:+.2f}" for kind in order)
        assert f"{name} {row}".replace("+0.00", "0.00") in text.replace("−", "-")
    assert f"{labels} all" in text
    assert labels.startswith("wrong link missing mention missing entity")
    counts = [systems["a"].gains.count[kind] for kind in order]
    assert f"one, a {' '.join(map(str, counts))} {sum(counts)}" in text
