"""The documentation's site has every page, and opens from disk with its search."""

from __future__ import annotations

import gzip
import importlib.util
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

import building
import cards
import scoref
from heads import complete, explain_missing
from llms import llms
from scoref.metrics import METRICS
from search_words import WORDS
from support.browsing import soon
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from scoref.scheme import Evaluate
    from support.browsing import PagePool

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
MADE = {"changes.md", "contents.md", "python-reference.md"}
needs_generator = pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None,
    reason="the site's generator is an extra: pip install '.[docs]'",
)


def test_every_page_is_in_the_navigation_once() -> None:
    settings = (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- (?:[^:\n]+: )?([\w/-]+\.md)$", settings, re.MULTILINE)
    assert sorted(listed) == sorted([*PAGES, *MADE])


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w/-]+\.md)\)", index)
    assert sorted({*linked, "index.md"}) == PAGES


def test_the_list_for_language_models_is_the_index_of_today() -> None:
    listed = (ROOT / "llms.txt").read_text(encoding="utf-8")
    assert listed == llms(), "`make tables` writes it anew"


def test_the_list_for_language_models_names_every_page_once() -> None:
    linked = re.findall(r"\]\(docs/([^)]+)\)", llms())
    assert sorted([*linked, "index.md"]) == PAGES


def test_all_that_is_exported_is_in_the_reference_once() -> None:
    asked = re.findall(r"^::: scoref\.(\w+)$", building.reference(), re.MULTILINE)
    assert sorted(asked) == sorted({*scoref.__all__} - {"__version__"})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "built"
    assert building.build(DOCS, folder)
    return folder / "site"


def open_search(page: Page) -> None:
    """Press / until the field of the search has the focus, and select what is in it."""

    def has_focus() -> bool:
        page.keyboard.press("/")
        return bool(page.evaluate("document.activeElement !== document.body"))

    assert soon(page, has_focus, expected=True)
    page.keyboard.press("Control+a")


def go_to_the_first_hit(page: Page) -> None:
    """Press return until there is a hit; they cannot be seen from outside."""
    before = page.url
    for _ in range(300):
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        if page.url != before:
            return


@needs_generator
def test_search_finds_a_page_when_the_site_is_opened_from_disk(
    site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    open_search(page)
    page.keyboard.type("twinless")
    go_to_the_first_hit(page)
    found = page.url.partition("?")[0]
    page.close()
    assert found == (site / "metrics" / "variants.html").as_uri()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


FIRST_HITS = {
    "b-cubed": "metrics/b-cubed",
    "bcubed": "metrics/b-cubed",
    "b cubed": "metrics/b-cubed",
    "B3": "metrics/b-cubed",
    "B³": "metrics/b-cubed",
    "CEAFe": "metrics/ceaf",
    "CEAF": "metrics/ceaf",
    "MUC": "metrics/muc",
    "BLANC": "metrics/blanc",
    "LEA": "metrics/lea",
    "conll f1": "metrics/conll",
    "conll score": "metrics/conll",
    "singletons": "conventions",
    "duplicates": "conventions",
    "scorer.pl": "reference-scorer",
    "rand index": "metrics/clusterings",
    "v-measure": "metrics/clusterings",
    "zeros": "metrics/zeros",
    "pronouns": "metrics/zeros",
    "twinless": "metrics/variants",
    "which metric": "metrics/index",
    "significance": "compare",
    "confidence interval": "confidence",
    "install": "installation",
    "entity resolution": "tables",
    "record linkage": "tables",
    "deduplication": "tables",
    "kappa": "agreement",
    "krippendorff": "agreement",
    "inter-annotator agreement": "agreement",
    "annotators": "agreement",
    "why is my score different": "explain",
    "chatgpt": "llm",
    "LLM": "llm",
    "OntoNotes": "formats/conll-2012",
    "CorefUD": "formats/corefud",
    "brat": "formats/brat",
    "INCEpTION": "formats/annotation-projects",
    "huggingface": "adapters",
    "pandas": "formats/python",
    "python api": "formats/python",
    "gap": "bias",
    "codabench": "leaderboard",
    "github action": "integrations",
    "docker": "integrations",
    "latex": "output",
    "browser": "score-here",
}
OPEN_SHADOWS = """{
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
        return attach.call(this, { ...options, mode: "open" });
    };
}"""
FIRST_HIT = """() => {
    for (const host of document.querySelectorAll("*")) {
        const hit = host.shadowRoot?.querySelector("a[href*='.html']");
        if (hit) return hit.href;
    }
    return "";
}"""


@needs_generator
def test_the_first_hit_of_a_query_is_the_page_about_it(
    site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    page.add_init_script(OPEN_SHADOWS)
    page.goto((site / "stability.html").as_uri())
    open_search(page)
    wrong = {}

    def first_hit() -> str:
        return str(page.evaluate(FIRST_HIT)).partition("?")[0]

    for query, expected in FIRST_HITS.items():
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        assert soon(page, first_hit, "") == ""
        page.keyboard.insert_text(query)  # each key would search again
        wanted = (site / f"{expected}.html").as_uri()
        hit = soon(page, first_hit, wanted)
        if hit != wanted:
            wrong[query] = hit
    page.close()
    assert wrong == {}


def test_words_that_readers_search_for_belong_to_pages() -> None:
    assert {f"{page}.md" for page in WORDS} <= {*PAGES, *MADE}


@needs_generator
def test_the_first_page_has_the_readme_and_entry_points(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    for part in [
        "Every coreference score",
        "Installation",
        "81.71",
        "images/metrics/b-cubed.svg",
        "images/report.png",
        "59.62",
    ]:
        assert part in page
    entries = page.partition('<div class="entries"')[2].partition("</div>")[0]
    assert entries.count("<li>") == 5


def test_the_navigation_has_what_people_want() -> None:
    settings = (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")
    tabs = re.findall(r"^  - ([\w ]+):$", settings.partition("\nnav:")[2], re.MULTILINE)
    wanted = [
        "Score",
        "Compare",
        "Inspect errors",
        "Metrics",
        "Formats",
        "Records",
        "Python",
    ]
    assert [tab for tab in tabs if tab in wanted] == wanted


@needs_generator
def test_a_missing_page_leads_to_others(
    opened: Callable[..., Page],
) -> None:
    page = opened("404.html")
    assert "does not exist" in page.locator("h1").inner_text()
    for link in page.locator("article li a").all():
        target = urlsplit(str(link.evaluate("link => link.href")))
        assert Path(unquote(target.path)).exists()
    open_search(page)
    page.keyboard.type("twinless")
    go_to_the_first_hit(page)
    assert "variants.html" in page.url
    text = explain_missing(
        '<a href="/x.html"><script src="/y.js">', "https://a.example/scoref/"
    )
    assert 'href="/scoref/x.html"' in text
    assert 'src="/scoref/y.js"' in text


def test_share_cards_show_the_drawings_of_today() -> None:
    pages = cards.pages()
    assert {path.stem for path in cards.CARDS.glob("*.png")} == {*pages}
    for name, page in pages.items():
        picture = (cards.CARDS / f"{name}.png").read_bytes()
        assert cards.digest_in(picture) == cards.digest(page), (
            "`python website/cards.py` draws them anew"
        )
        size = [int.from_bytes(picture[place : place + 4]) for place in (16, 20)]
        assert size == [cards.WIDTH, cards.HEIGHT]


DRAWN = [
    "mentions",
    "muc",
    "b-cubed",
    "ceaf",
    "blanc",
    "lea",
    "conll",
    "clusterings",
    "zeros",
    "mor",
    "variants",
    "split-antecedents",
    "discourse-deixis",
    "bridging",
    "non-referring",
]


@pytest.fixture
def opened(site: Path, page_pool: PagePool) -> Iterator[Callable[..., Page]]:
    """Open pages from disk; a fault in a script fails the test."""
    pages: list[Page] = []
    faults: list[str] = []

    def note(fault: Exception) -> None:
        faults.append(str(fault))

    def go(name: str, **options: Any) -> Page:
        page = page_pool.take(**{"viewport": {"width": 1280, "height": 720}, **options})
        pages.append(page)
        page.on("pageerror", note)
        name, _, address = name.partition("#")
        page.goto((site / name).as_uri() + (f"#{address}" if address else ""))
        return page

    yield go
    for page in pages:
        page.remove_listener("pageerror", note)
        page_pool.give_back(page)
    assert faults == []


def figures_on(page: Page) -> dict[str, list[str]]:
    rows = page.locator(".explainer-figures tbody tr").all_inner_texts()
    return {name: cells for name, *cells in (row.split("\t") for row in rows)}


def example_on(page: Page) -> str:
    """Return the example in the address; `page.url` lags behind the page."""
    return str(page.evaluate("location.hash.slice(1)"))


def edit(page: Page, key: str, response: str) -> None:
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_label("Response", exact=True).fill(response)


@needs_generator
@pytest.mark.parametrize("name", DRAWN)
def test_every_metric_has_a_drawing_with_its_sums(
    opened: Callable[..., Page], name: str
) -> None:
    page = opened(f"metrics/{name}.html")
    assert page.locator(".explainer svg").count() == 1
    assert "%" in page.locator(".explainer-sums").inner_text()


@needs_generator
@pytest.mark.parametrize(
    ("name", "evaluate", "rows"),
    [
        ("split-antecedents", "split-antecedents", ["B³", "CEAFm", "CEAFe", "LEA"]),
        ("discourse-deixis", "discourse-deixis", ["Mentions", "MUC", "B³", "BLANC"]),
        ("discourse-deixis", "discourse-deixis", ["CEAFm", "CEAFe", "LEA", "CoNLL"]),
        ("bridging", "identity", ["Bridging anaphors", "Bridging markables"]),
        ("non-referring", "identity", ["Non-referring"]),
    ],
)
def test_the_example_files_have_the_figures_of_their_drawings(
    opened: Callable[..., Page], name: str, evaluate: Evaluate, rows: list[str]
) -> None:
    files = ROOT / "examples" / "ua-key.ua", ROOT / "examples" / "ua-response.ua"
    result = scoref.score(*files, evaluate=evaluate)
    by_label = {METRICS[metric].label: score for metric, score in result.scores.items()}
    figures = figures_on(opened(f"metrics/{name}.html"))
    for row in rows:
        score = by_label[row]
        expected = [f"{100 * figure:.2f}" for figure in (score.f1, *score[:2])]
        assert figures[row][2] == expected[0]
        assert figures[row][:2] == (["", ""] if row == "CoNLL" else expected[1:])


@needs_generator
def test_variants_change_the_entities(opened: Callable[..., Page]) -> None:
    page = opened("metrics/variants.html")
    edit(page, "a b", "x | a b d | i")
    added = page.locator('.mention[data-side="response"]')
    assert added.count() == 3  # B³_sys removes x and i
    page.get_by_role("button", name="B³_all").click()
    assert added.count() == 5
    page.locator('.mention[data-side="response"][data-mention="d"]').focus()
    page.keyboard.press("ArrowLeft")
    assert page.get_by_label("Response", exact=True).input_value() == "x d | a b | i"


@needs_generator
def test_a_score_without_a_hit_is_not_divided(opened: Callable[..., Page]) -> None:
    page = opened("metrics/muc.html")
    edit(page, "a b", "a | b c")
    assert page.locator(".explainer-sums p").last.inner_text() == (
        "F₁ = 0.00\u00a0%, because recall and precision are 0"
    )


@needs_generator
def test_figures_follow_the_lines_that_readers_edit(
    opened: Callable[..., Page],
) -> None:
    page = opened("metrics/b-cubed.html")
    edit(page, "a b c | d e", "a b | c d e")
    result = scoref.score([list("abc"), list("de")], [list("ab"), list("cde")])
    expected = [f"{100 * figure:.2f}" for figure in result.scores["bcub"][:3]]
    assert figures_on(page)["B³"] == expected
    copy = opened("metrics/b-cubed.html#" + example_on(page))
    assert figures_on(copy) == figures_on(page)


@needs_generator
@pytest.mark.parametrize(
    "address", ["key=a", "key=a+a&response=b", "key=%EF%BF%BD&response=a"]
)
def test_a_damaged_address_shows_the_default_example_and_a_message(
    opened: Callable[..., Page], address: str
) -> None:
    page = opened(f"metrics/muc.html#{address}")
    assert "damaged" in page.locator(".explainer-message").inner_text()
    assert figures_on(page)["MUC"] == ["40.00", "40.00", "40.00"]


@needs_generator
def test_a_mention_listed_twice_is_reported(opened: Callable[..., Page]) -> None:
    page = opened("metrics/muc.html")
    edit(page, "a b | a", "a b")
    assert "lists a twice" in page.locator(".explainer-message").inner_text()


@needs_generator
def test_mentions_move_by_keyboard_and_by_pointer(opened: Callable[..., Page]) -> None:
    page = opened("metrics/muc.html")
    response = page.get_by_label("Response", exact=True)
    mention = page.locator('.mention[data-side="response"][data-mention="c"]')
    mention.focus()
    page.keyboard.press("ArrowLeft")
    assert response.input_value() == "a b c | d | f g h i"
    page.keyboard.press("Delete")
    assert response.input_value() == "a b | d | f g h i"
    dragged = page.locator('.mention[data-side="response"][data-mention="d"]')
    dragged.drag_to(page.locator('.mention[data-side="response"][data-mention="f"]'))
    assert response.input_value() == "a b | f g h i d"


ONE_FIGURE = (
    "subject=texts&format=spans&singletons=no&mentions=gold&extent=document"
    "&systems=one&table=one"
)


@needs_generator
def test_questions_are_answered_with_a_command(opened: Callable[..., Page]) -> None:
    page = opened("metrics/index.html")
    answer = page.locator(".explainer-answer")
    for label in [
        "Coreference in texts",
        "Spans: CoNLL-2012",
        "No, as in OntoNotes",
        "They are given",
        "In one document",
        "One",
    ]:
        assert page.locator(".explainer-answer pre").count() == 0
        page.locator("label", has_text=re.compile(f"^{label}")).first.click()
    page.get_by_label("One figure for each system").focus()
    page.keyboard.press("Space")
    command = "scoref key.conll response.conll --singletons drop --metrics conll"
    assert answer.locator("pre").inner_text().strip() == command
    assert "Singletons were removed" in answer.locator("blockquote").inner_text()
    assert example_on(page) == ONE_FIGURE
    copy = opened(f"metrics/index.html#{ONE_FIGURE}")
    copied = copy.locator(".explainer-answer").inner_text()
    assert copied == answer.inner_text()
    for link in copy.locator(".explainer-answer a").all():
        target = urlsplit(str(link.evaluate("link => link.href")))
        assert Path(unquote(target.path)).exists()


@needs_generator
def test_the_first_question_is_not_called_the_last(opened: Callable[..., Page]) -> None:
    answer = opened("metrics/index.html").locator(".explainer-answer")
    assert answer.inner_text().startswith("Answer the questions")
    last = ONE_FIGURE.removesuffix("&table=one")
    answer = opened(f"metrics/index.html#{last}").locator(".explainer-answer")
    assert answer.inner_text().startswith("Answer the last question")


@needs_generator
def test_damaged_answers_are_reported(opened: Callable[..., Page]) -> None:
    page = opened("metrics/index.html#subject=everything")
    assert "damaged" in page.locator(".explainer-message").inner_text()
    assert page.locator("fieldset").count() == 1


@needs_generator
def test_six_tools_follow_the_example(opened: Callable[..., Page]) -> None:
    page = opened("six-tools.html")
    assert page.locator("caption").inner_text().startswith("6 different CoNLL scores")
    assert "treats the whole corpus" not in page.content()
    page.get_by_role("button", name="perfect, with a singleton").click()
    edit(page, "a b | c", "a b")
    found = scoref.explain([["a", "b"], ["c"]], [["a", "b"]])
    rows = page.locator(".explainer-figures tbody tr").all_inner_texts()
    names = ["reference", "scorch", "stanza", "metric4coref", "hf-coval", "e2e-coref"]
    for name, row in zip(names, rows, strict=True):
        scores = found.row(name).scores
        figures = [scores[part].f1 for part in ("muc", "bcub", "ceafe", "conll")]
        cells = row.split("\t")[1:5]
        assert cells == [f"{100 * figure:.2f}" for figure in figures]
        assert (found.row(name).cause_of("muc", "bcub", "ceafe") or "") in row
    page.get_by_role("button", name="Add a document").click()
    page.get_by_label("Key 2").fill("x y")
    copy = opened("six-tools.html#" + example_on(page))
    assert copy.get_by_label("Key 2").input_value() == "x y"
    damaged = opened("six-tools.html#key=a+a&response=a")
    assert "damaged" in damaged.locator(".explainer-message").inner_text()


def give(page: Page, key: Path, response: Path) -> str:
    """Choose two files, and return what the page shows."""
    page.get_by_label("Key", exact=True).set_input_files(key)
    page.get_by_label("Response", exact=True).set_input_files(response)
    result = page.locator(".explainer-figures")
    result.locator("pre").wait_for()
    return result.inner_text()


@needs_generator
def test_two_files_are_scored_on_the_page(opened: Callable[..., Page]) -> None:
    page = opened("score-here.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    key, response = (ROOT / "examples" / f"{name}.conll" for name in SIDES)
    give(page, key, response)
    scores = scoref.score(key, response).scores
    shown = figures_on(page)
    for label, name in [("Mentions", "mentions"), ("BLANC", "blanc"), ("LEA", "lea")]:
        assert shown[label] == [f"{100 * figure:.2f}" for figure in scores[name][:3]]
    assert shown["CoNLL"][-1] == f"{100 * scores['conll'].f1:.2f}"
    page.get_by_role("button", name="Swap").click()
    page.get_by_text("response.conll (key").wait_for()
    assert figures_on(page)["MUC"] == shown["MUC"]
    assert figures_on(page)["B³"][:2] == shown["B³"][1::-1]
    assert [url for url in asked if not url.startswith("file:")] == []


SIDES = ("key", "response")


@needs_generator
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"1\tAda\n", "neither CoNLL-2012 nor JSON lines"),
        (b"\xff\xfe#", "not text in UTF-8"),
        (b"", "is empty"),
        (b"#begin document (a); part 000\na\t(1\n#end document\n", ":3: entity 1"),
        (b"#begin document (a); part 000\na\t(1)|(1)\n#end document\n", "twice"),
    ],
)
def test_files_that_the_page_does_not_support_get_no_figure(
    opened: Callable[..., Page], tmp_path: Path, text: bytes, problem: str
) -> None:
    page = opened("score-here.html")
    give(page, *(ROOT / "examples" / f"{name}.conll" for name in SIDES))
    damaged = tmp_path / "my response.conll"
    damaged.write_bytes(text)
    page.get_by_label("Response", exact=True).set_input_files(damaged)
    page.locator(".explainer-message", has_text=problem).wait_for()
    assert page.locator(".explainer-figures table").count() == 0
    command = page.locator(".explainer-figures pre").inner_text().strip()
    assert command == "scoref key.conll './my response.conll'"


@needs_generator
def test_the_sentences_for_forges_are_not_on_the_site(site: Path) -> None:
    page = (site / "metrics" / "muc.html").read_text(encoding="utf-8")
    assert "you can edit this drawing" not in page


@needs_generator
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    [
        "index",
        "404",
        *(f"metrics/{name}" for name in DRAWN),
        "metrics/index",
        f"metrics/index#{ONE_FIGURE}",
        "six-tools",
        "score-here",
    ],
)
def test_axe_finds_nothing(opened: Callable[..., Page], name: str, scheme: str) -> None:
    axe = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.exists():
        pytest.skip("pages are examined by axe-core: cd web && npm ci")
    width = 1440 if scheme == "light" else 390
    size = {"width": width, "height": 900}
    path, _, address = name.partition("#")
    page = opened(f"{path}.html#{address}", color_scheme=scheme, viewport=size)
    page.add_style_tag(
        content="* { transition: none !important; animation: none !important }"
    )
    page.evaluate(axe.read_text(encoding="utf-8"))
    faults = page.evaluate(
        """async () => (await axe.run(document)).violations.flatMap(
            rule => rule.nodes.map(node => `${rule.id}: ${node.target}`))"""
    )
    assert faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@needs_generator
def test_a_metric_page_loads_less_than_300_kilobytes(
    opened: Callable[..., Page], site: Path
) -> None:
    page = opened("metrics/b-cubed.html")
    names = page.evaluate(
        """[location.href.split("#")[0],
            ...performance.getEntriesByType("resource").map(each => each.name)]"""
    )
    paths = {Path(unquote(urlsplit(name).path)) for name in names}
    loaded = [path for path in paths if path.is_relative_to(site)]
    size = sum(len(gzip.compress(path.read_bytes())) for path in loaded)
    assert size < 300_000


@needs_generator
def test_links_with_an_address_need_the_setting(tmp_path: Path, site: Path) -> None:
    page = (site / "metrics" / "muc.html").read_text(encoding="utf-8")
    assert "canonical" not in page
    assert "og:image" not in page
    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    complete(copy, "https://scoref.example")
    page = (copy / "metrics" / "muc.html").read_text(encoding="utf-8")
    link = '<link rel="canonical" href="https://scoref.example/metrics/muc.html">'
    assert link in page
    card = re.search(r'"og:image" content="https://scoref.example/([^"]+)"', page)
    assert card is not None
    assert card[1] == "images/cards/muc.png"
    assert (copy / card[1]).exists()
    home = (copy / "index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://scoref.example/">' in home
    assert "https://scoref.example/images/cards/index.png" in home


@needs_generator
def test_dead_links_and_anchors_end_the_build(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs)
    with (docs / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n[page](nowhere.md), [heading](conventions.md#nowhere)\n")
    assert not building.build(docs, tmp_path / "built")
    said = capfd.readouterr().err
    assert "page does not exist" in said
    assert "anchor does not exist" in said


DROP = """([role, files]) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    const zone = [...document.querySelectorAll('.explainer-drop')][role];
    for (const type of ['dragover', 'drop'])
        zone.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true}));
    return zone.classList.contains('is-over');
}"""


@needs_generator
def test_files_are_dropped_on_the_page(opened: Callable[..., Page]) -> None:
    page = opened("score-here.html")
    key, response = (
        (f"{name}.conll", (ROOT / "examples" / f"{name}.conll").read_text("utf-8"))
        for name in SIDES
    )
    # Names say which of two files is the key; a single one is that of its place.
    assert page.evaluate(DROP, [0, [response, key]]) is False
    page.get_by_text("key.conll (key").wait_for()
    both = figures_on(page)
    assert page.evaluate(DROP, [0, [response]]) is False
    page.get_by_text("response.conll (key").wait_for()
    assert figures_on(page)["CoNLL"][-1] == "100.00"
    assert both["CoNLL"][-1] == "81.71"
    page.evaluate(DROP, [0, [key, response, key]])
    page.get_by_text("Drop one file or two.").wait_for()
    assert page.locator(".explainer-figures table").count() == 0
