"""The page on which a curator decides, in a browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.agree.adjudication import Adjudication
from scoref.tools.agree.adjudication_page import adjudication_page, render
from scoref.tools.convert.sources import read_corpus
from support.annotators import numbers, record, write_annotators
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

FILES = {name: EXAMPLES / f"agree-{name}.conll" for name in ("ada", "ben", "eva")}

PROGRESS = ".controls progress"
COUNTS = ".controls [role=status]"

KEY = """() => {
    const words = part => {
        const own = part.cloneNode(true);
        for (const tag of own.querySelectorAll('.tag')) tag.remove();
        return own.textContent;
    };
    const mentions = [...document.querySelectorAll('.m.k.opens')];
    return Object.fromEntries(mentions.map(mention => {
        const parts = document.querySelectorAll(`.m[data-m="${mention.dataset.m}"]`);
        const label = mention.querySelector('.tag').textContent;
        return [[...parts].map(words).join(' '), label];
    }));
}"""
"""The words and the label of each mention in the text of the key."""


def page_of(files: dict[str, Path]) -> str:
    return adjudication_page(scoref.agree(files))


@pytest.fixture(scope="module")
def stories_page() -> str:
    return page_of(FILES)


@pytest.fixture
def stories(opened: Opener, stories_page: str) -> Page:
    page = opened(stories_page)
    page.wait_for_selector(".panel h2")
    return page


def title(page: Page) -> str:
    return page.locator(".panel h2").inner_text()


def wait_for(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.querySelector('.panel h2')?.textContent === words"
        " && !document.querySelector('[aria-busy]')",
        arg=words,
    )


def save(page: Page) -> dict[str, Any]:
    with page.expect_download() as download:
        page.keyboard.press("w")
    path = download.value.path()
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def load(page: Page, content: str) -> None:
    buffer = {
        "name": "d.json",
        "mimeType": "application/json",
        "buffer": content.encode(),
    }
    page.locator("input[type=file]").set_input_files(buffer)  # type: ignore[arg-type]


def test_the_worst_dispute_is_first_with_all_readings(stories: Page) -> None:
    assert title(stories) == "“Eve”"
    about = stories.locator(".panel .about").all_inner_texts()
    assert about[1] == "(story/1); part 000 · sentence 1"
    assert [
        it.split("\n") for it in stories.locator(".readings li").all_inner_texts()
    ] == [
        ["ada", "with “her”", "1"],
        ["ben", "with “She”", "2"],
        ["eva", "with “her”, “It”", "3"],
    ]
    heads = stories.locator(".heads b").all_inner_texts()
    assert heads == ["", "Key", "ada", "ben", "eva"]
    second = stories.locator(".row").nth(2)
    labels = [
        cell.locator(".tag").all_inner_texts() for cell in second.locator(".cell").all()
    ]
    strip = [[label.strip("\u2060") for label in cell] for cell in labels]
    assert strip == [["1", "2", "3"], ["1", "2", "3"], ["2", "1", "3"], ["1", "2", "3"]]
    assert stories.locator(COUNTS).inner_text() == "0 of 8 disputes decided · 8 open"


def test_keys_decide_and_undo(stories: Page) -> None:
    stories.keyboard.press("2")
    wait_for(stories, "“her”")
    assert stories.locator(COUNTS).inner_text() == "1 of 8 disputes decided · 7 open"
    stories.keyboard.press("u")
    wait_for(stories, "“It”")
    counts = stories.locator(COUNTS)
    assert counts.inner_text() == "1 of 8 disputes decided · 1 undecidable · 6 open"
    stories.keyboard.press("z")
    wait_for(stories, "“her”")
    stories.keyboard.press("z")
    wait_for(stories, "“Eve”")
    assert counts.inner_text() == "0 of 8 disputes decided · 8 open"
    assert save(stories)["decisions"] == []


def test_a_decision_replaces_the_one_before(stories: Page) -> None:
    for key, following in (("d", "“her”"), ("k", "“Eve”"), ("s", "“her”")):
        stories.keyboard.press(key)
        wait_for(stories, following)
    assert save(stories)["decisions"] == [
        {"document": "(story/1); part 000", "mentions": ["2"], "decision": "split"}
    ]
    stories.keyboard.press("k")
    wait_for(stories, "“Eve”")
    assert stories.locator(".outcome").inner_text() == "decided: split off."


def test_enter_presses_a_button_that_has_the_focus(stories: Page) -> None:
    stories.get_by_role("button", name="Help").focus()
    stories.keyboard.press("Enter")
    assert stories.get_by_role("dialog").count() == 1
    stories.keyboard.press("Escape")
    stories.locator(".scroller button").nth(3).click()
    wait_for(stories, "“She”")
    stories.keyboard.press("Enter")
    wait_for(stories, "“a dog”")
    (decision,) = save(stories)["decisions"]
    assert (decision["mentions"], decision["decision"]) == (["4"], "keep")


def test_an_entity_to_merge_with_is_chosen_by_its_words(stories: Page) -> None:
    stories.keyboard.press("m")
    dialog = stories.get_by_role("dialog")
    entities = dialog.locator("li").all_inner_texts()
    assert [it.split("\n")[1] for it in entities] == [
        "“Ada”, “She”",
        "“the book”, “It”",
    ]
    stories.keyboard.type("book")
    stories.keyboard.press("Enter")
    wait_for(stories, "“her”")
    (decision,) = save(stories)["decisions"]
    assert decision["decision"] == "merge"
    assert decision["with"] == "7-8"


def test_saved_decisions_are_opened_again(
    stories: Page, opened: Opener, stories_page: str
) -> None:
    for key, following in (("2", "“her”"), ("d", "“It”"), ("Enter", "“She”")):
        stories.keyboard.press(key)
        wait_for(stories, following)
    content = save(stories)
    again = opened(stories_page)
    load(again, json.dumps(content))
    wait_for(again, title(stories))
    assert again.locator(COUNTS).inner_text() == "3 of 8 disputes decided · 5 open"
    assert save(again) == content


def test_a_file_is_dropped_on_the_page(stories: Page) -> None:
    stories.keyboard.press("2")
    content = json.dumps(save(stories))
    stories.keyboard.press("z")
    wait_for(stories, "“Eve”")
    stories.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], 'decisions.json'));
            const options = { dataTransfer, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent('drop', options));
        }""",
        content,
    )
    wait_for(stories, "“her”")
    assert stories.locator(COUNTS).inner_text() == "1 of 8 disputes decided · 7 open"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "x"}, "not a file of decisions"),
        ({"version": 2}, "another version"),
        ({"checksum": "00000000"}, "damaged"),
        ({"decisions": []}, "damaged"),
        ({"majority": "0"}, "other annotations"),
        ({"annotators": []}, "other annotations"),
        ({"decisions": [{"decision": "drop"}]}, "damaged"),
    ],
)
def test_other_and_damaged_files_are_refused(
    stories: Page, changes: dict[str, object], message: str
) -> None:
    stories.keyboard.press("2")
    wait_for(stories, "“her”")
    load(stories, json.dumps({**save(stories), **changes}))
    assert message in stories.get_by_role("dialog").inner_text()
    stories.keyboard.press("Escape")
    assert stories.locator(COUNTS).inner_text() == "1 of 8 disputes decided · 7 open"


def test_half_a_file_is_refused(stories: Page) -> None:
    load(stories, json.dumps(save(stories))[:-5])
    assert "not all of it" in stories.get_by_role("dialog").inner_text()


def test_nothing_is_to_be_decided_where_all_agree(opened: Opener) -> None:
    page = opened(page_of({"ada": FILES["ada"], "bob": FILES["ada"]}))
    assert "nothing to decide" in page.locator(".text").inner_text()
    assert page.locator(COUNTS).inner_text() == "0 of 0 disputes decided"


def test_one_mention_of_several_is_decided_alone(
    tmp_path: Path, opened: Opener
) -> None:
    files = {}
    for name, entities in (
        ("ada", [[0, 1, 2, 3], [8]]),
        ("ben", [[0, 1], [2, 3], [8]]),
    ):
        files[name] = tmp_path / f"{name}.jsonl"
        spans = [[(word, word) for word in entity] for entity in entities]
        files[name].write_bytes(record("d", spans))
    page = opened(page_of(files))
    wait_for(page, "“dw2”, “dw3”")
    for key, following in (("]", "“dw2”"), ("]", "“dw3”"), ("d", "“dw2”, “dw3”")):
        page.keyboard.press(key)
        wait_for(page, following)
    page.wait_for_function(
        "() => document.querySelector('.outcome').textContent !== 'open'"
    )
    assert page.locator(".outcome").inner_text() == "open: “dw3”: dropped."
    page.keyboard.press("2")
    (whole,) = save(page)["decisions"]
    assert whole["mentions"] == ["2", "3"]


def test_a_part_of_a_long_text_is_shown(tmp_path: Path, opened: Opener) -> None:
    files = {}
    for name, last in (("ada", [900, 901]), ("ben", [900])):
        files[name] = tmp_path / f"{name}.jsonl"
        spans = [[(0, 0), (450, 450), (1199, 1199)], [(word, word) for word in last]]
        files[name].write_bytes(record("d", spans, words=1200))
    page = opened(page_of(files))
    wait_for(page, "“dw901”")
    rows = page.locator(".block .row")
    assert rows.count() == 51
    assert rows.nth(25).locator(".chosen").count() == 1  # ada alone marked it
    page.get_by_role("button", name="Show more of the text").click()
    assert rows.count() == 200


def test_the_page_is_usable_on_a_phone(opened: Opener, stories_page: str) -> None:
    page = opened(stories_page, viewport={"width": 390, "height": 800})
    wait_for(page, "“Eve”")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="ben with “She”").click()
    wait_for(page, "“her”")


ENTER = """() => {
    const search = document.querySelector('dialog input');
    search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
    return [document.querySelectorAll('dialog').length, document.activeElement.tagName];
}"""


def test_a_list_of_entities_is_gone_when_one_is_chosen(stories: Page) -> None:
    # Otherwise, a second Enter would merge the next dispute with an entity of this one.
    stories.keyboard.press("m")
    assert stories.evaluate(ENTER) == [0, "BODY"]
    assert [one["decision"] for one in save(stories)["decisions"]] == ["merge"]


AFTERWARDS = """async ([isReady, ...given]) => {
    const holds = new Function('given', `return ${isReady}`);
    const isBusy = () => document.querySelector('[aria-busy]');
    for (const end = Date.now() + 30_000; isBusy() || !holds(given); )
        if (Date.now() > end) return null;
        else await new Promise(done => setTimeout(done));
    return {
        readings: document.querySelectorAll('.readings li').length,
        about: document.querySelectorAll('.panel .about')[1].textContent,
        dispute: document.querySelector('.text').dataset.dispute,
    };
}"""
"""What the page shows when a condition holds. One call is faster than many."""
DECIDED = """document.querySelector('.controls progress').value === given[0]
    && (given[1] || document.querySelector('.panel .outcome').textContent === 'open')"""
SHOWN = "document.querySelector('.text').dataset.dispute === given[0]"


def afterwards(page: Page, condition: str, *given: object) -> dict[str, Any]:
    shown: dict[str, Any] | None = page.evaluate(AFTERWARDS, [condition, *given])
    assert shown is not None, (condition, given)
    return shown


def random_decisions(page: Page, seed: int) -> int:
    """Decide every dispute in some way, by keys alone; returns their number."""
    rng = numbers(seed)
    total = int(page.locator(PROGRESS).get_attribute("max") or 0)
    shown = afterwards(page, SHOWN, "0")
    for done in range(1, total + 1):
        last = str(shown["readings"])
        key = rng.choice(["1", "2", last, "Enter", "s", "d", "u", "m"])
        page.keyboard.press(key)
        if key == "m":
            page.keyboard.press("Enter")
            if page.get_by_role("dialog").count():  # there is no other entity
                page.keyboard.press("Escape")
                page.locator("dialog").wait_for(state="detached")
                page.keyboard.press("Enter")
        shown = afterwards(page, DECIDED, done, done == total)
    return total


def shown_key(page: Page, total: int, documents: list[str]) -> dict[str, Any]:
    """Read the key of every document off the page, from the first dispute on."""
    page.keyboard.press("v")  # the key alone
    keys: dict[str, list[list[str]]] = {}
    for number in range(total):
        about = afterwards(page, SHOWN, str(number))["about"]
        document = about.partition(" · ")[0]
        if document not in keys:
            labels = page.evaluate(KEY)
            entities: dict[str, list[str]] = {}
            for words, label in labels.items():
                entities.setdefault(label, []).append(words)
            keys[document] = sorted(map(sorted, entities.values()))
        if len(keys) == len(documents):
            break
        page.keyboard.press("j")
    return keys


@pytest.mark.parametrize("is_shared_out", [False, True])
def test_40_documents_have_the_same_key_on_the_page_and_after_convert(
    is_shared_out: bool, tmp_path: Path, opened: Opener
) -> None:
    files = write_annotators(tmp_path, seed=3, documents=40, mentions=8)
    if is_shared_out:  # each document has two of the three annotators
        for number, path in enumerate(files.values()):
            lines = path.read_bytes().splitlines(keepends=True)
            own = [line for row, line in enumerate(lines) if (row - number) % 3]
            path.write_bytes(b"".join(own))
    people = [(name, read_corpus(path).corpus) for name, path in files.items()]
    adjudication = Adjudication(people)
    names = [
        adjudication.annotated.documents[it.document] for it in adjudication.disputes
    ]
    # A small screen is drawn faster, and there are hundreds of steps.
    page = opened(render(adjudication), viewport={"width": 1000, "height": 300})
    page.wait_for_selector(".panel h2")
    total = random_decisions(page, seed=4)
    content = save(page)
    assert {one["decision"] for one in content["decisions"]} == {
        *("take", "keep", "split", "drop", "merge", "undecidable")
    }
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    made = scoref.convert([*files.values()], "json-lines", decisions=path)
    for _ in range(total - 1):
        page.keyboard.press("k")
    shown = shown_key(page, total, [*{*names}])
    for line in made.data.splitlines():
        document = json.loads(line)
        words = [word for sentence in document["sentences"] for word in sentence]
        entities = [
            sorted(" ".join(words[first : last + 1]) for first, last in entity)
            for entity in document["clusters"]
        ]
        if document["doc_key"] in shown:
            assert sorted(entities) == shown[document["doc_key"]]
    assert len(shown) == len({*names}) > 35


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("agree", *FILES.values(), "--adjudicate", page, code=0)
    written = page.read_text(encoding="utf-8")
    assert written.startswith("<!DOCTYPE html>")
    with_response = ("--response", FILES["ada"], "--adjudicate", page)
    run("agree", *FILES.values(), *with_response, code=0)
    assert page.read_text(encoding="utf-8") == written


def test_folders_of_datasets_are_refused(tmp_path: Path) -> None:
    for name, path in FILES.items():
        folder = tmp_path / name
        folder.mkdir()
        for dataset in ("one", "two"):
            (folder / f"{dataset}.conll").write_bytes(path.read_bytes())
    folders = [tmp_path / name for name in FILES]
    page = tmp_path / "page.html"
    done = run(
        *("agree", *folders, "--folder", "datasets", "--adjudicate", page), code=2
    )
    assert "--adjudicate cannot be used with folders of datasets" in done.stderr


def test_annotations_without_a_text_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("record,ada,ben\nr1,1,x\nr2,1,y\n")
    page = tmp_path / "page.html"
    done = run("agree", "--records", table, "--adjudicate", page, code=2)
    assert "--adjudicate needs texts" in done.stderr
    assert not page.exists()
