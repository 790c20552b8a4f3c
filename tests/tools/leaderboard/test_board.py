"""The scores of a submission: messages name its files and lines, and hide the key."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.scoring import datasets
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request
from scoref.tools.leaderboard.board import board_columns, column_name
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result as Scores

    Names = tuple[str, ...]

HIDDEN = "secret"
"""What every word, document and label of the keys contains."""


def conll(*documents: tuple[str, str]) -> str:
    """Write documents: a name, and words of which the first two corefer."""
    lines = []
    for name, words in documents:
        lines.append(f"#begin document ({name}); part 000")
        for number, word in enumerate(words.split()):
            entity = "(1)" if number < 2 else "-"
            lines.append(f"{name}\t0\t{number}\t{word}\t{entity}")
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def corefud(*sentences: str, document: str) -> str:
    lines = [f"# newdoc id = {document}", "# global.Entity = eid-etype-head-other"]
    for number, words in enumerate(sentences, start=1):
        lines.append(f"# sent_id = {document}-{number}")
        for place, word in enumerate(words.split(), start=1):
            entity = "Entity=(e1-x-1-)" if place <= 2 else "_"
            cells = [str(place), word, "_", "X", "_", "_", "0", "root", "_", entity]
            lines.append("\t".join(cells))
        lines.append("")
    return "\n".join(lines) + "\n"


def json_lines(*documents: tuple[str, str], **more: object) -> str:
    return "".join(
        json.dumps(
            {
                "doc_key": name,
                "sentences": [words.split()],
                "clusters": [[[0, 0], [1, 1]]],
                **more,
            }
        )
        + "\n"
        for name, words in documents
    )


KEY = conll(("secret/one", "secret1 secret2 end"), ("secret/two", "secret3 secret4"))
UD_KEY = corefud("secret1 secret2 .", "secret3 secret4 .", document="secret-doc")
JSON_KEY = json_lines(("secret/one", "secret1 secret2 end"), ("b", "secret3 secret4"))
GOOD = conll(("ok", "a b c"))


class Scored:
    """A dataset that is scored well, and another one that is to be blamed."""

    def __init__(self, root: Path, key: str, response: str, ending: str) -> None:
        self.root = root
        self.reference, self.output = root / "ref", root / "out"
        for folder, text in (("ref", key), ("res", response)):
            (root / folder).mkdir()
            (root / folder / f"bad.{ending}").write_text(text)
            (root / folder / "good.conll").write_text(GOOD)

    def run(self, *options: str) -> Result:
        places = (self.reference, self.root / "res", self.output)
        return run("leaderboard", *places, "--folder=datasets", *options)

    def shown(self, *options: str) -> str:
        """Return everything that a participant sees."""
        done = self.run(*options)
        assert done.exit_code == 0, done.output
        shown = done.output + "".join(
            file.read_text() for file in sorted(self.output.iterdir())
        )
        assert HIDDEN not in shown
        assert str(self.root) not in shown
        assert "the key cannot be read" not in shown
        return done.stderr


CASES = {
    "names": (
        KEY,
        conll(("mine", "a b c"), ("yours", "d e")),
        "conll",
        "bad.conll:1: document '(mine); part 000' (and 1 more) is not in the key",
    ),
    "one name": (
        KEY,
        KEY.replace("secret/two", "mine"),
        "conll",
        "bad.conll:7: document '(mine); part 000' is not in the key",
    ),
    "cut after a document": (
        KEY,
        KEY[: KEY.index("#begin document (secret/two)")],
        "conll",
        "bad.conll:1: this file lacks 1 of the key's 2 documents",
    ),
    "more documents": (
        KEY,
        KEY + conll(("mine", "a b")),
        "conll",
        "bad.conll:12: document '(mine); part 000' is not in the key",
    ),
    "CorefUD cut after a sentence": (
        UD_KEY,
        UD_KEY[: UD_KEY.index("# sent_id = secret-doc-2")],
        "conllu",
        "bad.conllu:4: this file has 1 sentences, but the key has 2",
    ),
    "CorefUD with a sentence more": (
        UD_KEY,
        UD_KEY + corefud("a b", document="x").partition("other\n")[2],
        "conllu",
        "bad.conllu:14: sentence 3 of 3 is not in the key",
    ),
    "CorefUD with other words": (
        UD_KEY,
        UD_KEY.replace("secret4", "mine"),
        "conllu",
        "the words of sentence 2 differ from the key",
    ),
    "CorefUD with another document": (
        UD_KEY,
        UD_KEY.replace("secret-doc", "mine"),
        "conllu",
        "differs from the key",
    ),
    "JSON lines with other documents": (
        JSON_KEY,
        json_lines(("mine", "a b c"), ("yours", "d e")),
        "jsonl",
        "bad.jsonl:1: document 'mine' (and 1 more) is not in the key",
    ),
    "JSON lines with another text": (
        JSON_KEY,
        JSON_KEY.replace('"secret4"', '"mine", "too"'),
        "jsonl",
        "bad.jsonl:2: the text of document 'b' differs from the key",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_submission_is_blamed_and_the_key_is_hidden(
    tmp_path: Path, case: str
) -> None:
    key, response, ending, message = CASES[case]
    assert message in Scored(tmp_path, key, response, ending).shown()


def test_a_list_of_document_names_is_not_quoted(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, conll(("a", "x y z")), "conll")
    names = tmp_path / "names.tsv"
    names.write_text("(mine); part 000\t(secret/one); part 000\n")
    message = "bad.conll: this file has no document '(mine); part 000'"
    assert message in scored.shown("--document-names", str(names))
    names.write_text("(a); part 000\t(secret/three); part 000\n")
    message = "the list of document names does not match the key"
    assert message in scored.shown("--document-names", str(names))


def test_a_broken_list_of_document_names_is_not_quoted(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, KEY, "conll")
    names = tmp_path / "names.tsv"
    names.write_text("secret\tsecret\tsecret\n")
    done = scored.run("--document-names", str(names))
    assert done.exit_code == 1
    assert HIDDEN not in done.output


def test_documents_without_a_topic_are_not_named(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, KEY, "conll")
    done = scored.shown("--scope", "topic", "--topics", r"(ok)")
    assert "some documents of the key have no topic" in done


@pytest.mark.parametrize("options", [(), ("--duplicates", "error")])
def test_a_key_that_is_at_fault_is_named_by_its_line(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    broken = KEY.replace("secret2\t(1)", "secret2\t((secret")
    if options:
        broken = KEY.replace("secret2\t(1)", "secret2\t(1)|(2)")
    done = Scored(tmp_path, broken, KEY, "conll").run(*options)
    assert done.exit_code == 0
    assert (
        "bad: the key cannot be read (line 3). Please tell the organisers"
        in done.stderr
    )
    assert HIDDEN not in done.output


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (KeyError("secret"), "a bug in scoref, please report it: KeyError"),
        (MemoryError("secret"), "there is not enough memory to score this"),
        (OptionError("no such secret in the key"), "in the key"),
    ],
)
def test_errors_of_other_kinds_hide_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def scored(
        key: Corpus, response: Corpus, scheme: Scheme, names: Names, **more: bool
    ) -> Scores:
        if key.source.endswith("bad.conll"):
            if isinstance(error, OptionError):
                raise OptionError(f"{key.source} has no heads in the key")
            raise error
        return score_corpora(key, response, scheme, names, **more)

    monkeypatch.setattr(datasets, "score_corpora", scored)
    assert message in Scored(tmp_path, KEY, KEY, "conll").shown()


def test_options_that_fit_nothing_do_not_show_where_the_key_is(tmp_path: Path) -> None:
    done = Scored(tmp_path, KEY, KEY, "conll").run("--scope", "topic")
    assert done.exit_code == 2
    assert "needs topics, but bad.conll has none" in " ".join(done.stderr.split())
    assert str(tmp_path) not in done.output


def test_a_participants_own_fault_is_quoted_with_its_line(tmp_path: Path) -> None:
    broken = GOOD.replace("(1)", "(1", 1)
    stderr = Scored(tmp_path, KEY, broken, "conll").shown()
    assert "bad.conll:" in stderr
    assert "ok" in stderr


def test_the_result_names_the_key_by_its_file_only(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, KEY, "conll")
    scored.shown()
    found = json.loads((scored.output / "result.json").read_text())
    assert {each["key"] for each in found["results"]} == {"bad.conll", "good.conll"}


def test_words_that_differ_are_counted_and_not_quoted(tmp_path: Path) -> None:
    response = KEY.replace("secret1", "guess1").replace("secret4", "guess4")
    shown = " ".join(Scored(tmp_path, KEY, response, "conll").shown().split())
    assert (
        "bad: 2 of 5 words differ from the key in 2 of 2 documents. Mentions were "
        "compared by position."
    ) in shown


def test_files_that_belong_to_no_dataset_are_named(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, KEY, "conll")
    (tmp_path / "res" / "god.conll").write_text(GOOD)
    assert (
        "warning: god.conll was not scored because no dataset has this name."
    ) in scored.shown()


def test_two_keys_for_a_dataset_are_not_named(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, KEY, "conll")
    (scored.reference / "bad.secret.conll").write_text(KEY)
    (scored.reference / "bad.gold.conll").write_text(KEY)
    assert "the key has two files for this dataset" in scored.run().stderr


def test_the_page_allows_its_own_styles_and_nothing_else(tmp_path: Path) -> None:
    scored = Scored(tmp_path, KEY, conll(("<script>alert(1)</script>", "a b")), "conll")
    scored.shown()
    page = (scored.output / "detailed_results.html").read_text()
    (rules,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    allowed = dict(rule.split(" ", 1) for rule in rules.split("; "))
    assert allowed["default-src"] == allowed["script-src"] == "'none'"
    assert allowed["base-uri"] == allowed["form-action"] == "'none'"
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digests = [hashlib.sha256(style.encode()).digest() for style in styles]
    expected = {f"'sha256-{base64.b64encode(each).decode()}'" for each in digests}
    assert {*allowed["style-src"].split()} == expected
    assert "<script" not in page
    assert "style=" not in page


@pytest.mark.parametrize(("key", "ending"), [(KEY, "conll"), (UD_KEY, "conllu")])
def test_a_file_that_is_cut_anywhere_is_blamed_itself(
    tmp_path: Path, key: str, ending: str
) -> None:
    whole = key.splitlines(keepends=True)
    for end in range(1, len(whole) - 2):
        response = "".join(whole[:end])
        place = tmp_path / str(end)
        place.mkdir()
        done = Scored(place, key, response, ending).run()
        assert done.exit_code == 0, done.output
        assert f"bad.{ending}" in done.stderr
        assert "the key cannot be read" not in done.stderr
        shown = {*re.findall(r"secret[\w/-]*", done.output)}
        assert shown <= {*re.findall(r"secret[\w/-]*", response)}


def test_datasets_of_several_formats_share_their_metrics(tmp_path: Path) -> None:
    scored = Scored(tmp_path, UD_KEY, UD_KEY, "conllu")
    scored.shown()
    scores = json.loads((scored.output / "scores.json").read_text())
    assert scores["bad"] == scores["good"] == scores["conll"] == 100


class ScoredCorpus:
    """A reference and a submission with a file for each document."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("ref", "res"):
            for name in ("a", "b"):
                self.write(f"{folder}/{name}", conll((f"secret/{name}", "x secret1 y")))

    def write(self, name: str, text: str) -> None:
        file = self.root / f"{name}.conll"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *options: str) -> Result:
        places = (self.root / name for name in ("ref", "res", "out"))
        return run("leaderboard", *places, *options)


def test_an_error_in_a_document_of_the_key_does_not_quote_it(tmp_path: Path) -> None:
    corpus = ScoredCorpus(tmp_path)
    broken = conll(("secret/b", "x secret1 y")).replace("y\t-", "y\t((secret")
    corpus.write("ref/b", broken)
    done = corpus.run()
    assert done.exit_code == 1
    message = "the key cannot be read (b.conll, line 4). Please tell the organisers"
    assert message in " ".join(done.stderr.split())
    assert HIDDEN not in done.output
    assert str(tmp_path / "ref") not in done.output


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            conll(("mine", "x a y")),
            "b.conll:3: the text of document '(mine); part 000' differs from the key",
        ),
        (
            conll(("secret/b", "x a y z")),
            "b.conll:3: the text of document '(secret/b); part 000' differs from the",
        ),
        (
            conll(("secret/b", "x secret1 y"), ("mine", "x")),
            "b.conll:7: document '(mine); part 000' is not in the key",
        ),
    ],
)
def test_a_document_of_a_submission_is_blamed_in_its_own_file(
    tmp_path: Path, response: str, message: str
) -> None:
    corpus = ScoredCorpus(tmp_path)
    corpus.write("res/b", response)
    done = corpus.run()
    assert done.exit_code == 1
    assert f"corpus: {message}" in " ".join(done.stderr.split())
    assert "secret1" not in done.output
    assert str(tmp_path / "ref") not in done.output


def test_a_broken_document_of_a_submission_is_quoted(tmp_path: Path) -> None:
    corpus = ScoredCorpus(tmp_path)
    corpus.write("res/b", conll(("secret/b", "x a y")).replace("y\t-", "y\t((9"))
    assert "b.conll:4" in corpus.run().stderr


def test_links_and_pipes_among_documents_are_as_among_datasets(tmp_path: Path) -> None:
    corpus = ScoredCorpus(tmp_path)
    os.mkfifo(tmp_path / "res" / "c.conll")
    done = corpus.run()
    assert done.exit_code == 0, done.output
    assert "c.conll: skipped because this is not a regular file" in done.stderr
    (tmp_path / "res" / "a.conll").unlink()
    (tmp_path / "res" / "a.conll").symlink_to(tmp_path / "ref" / "a.conll")
    done = corpus.run()
    assert done.exit_code == 1
    assert "'a.conll' is a link" in done.stderr


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("en_gum-corefud", "en_gum_corefud"),
        ("B³", "B3"),
        ("--", "score"),
        ("a" * 50, "a" * 36),
    ],
)
def test_columns_have_names_that_a_board_accepts(name: str, column: str) -> None:
    assert column_name(name) == column


@pytest.mark.parametrize("where", ["", " in 1 of 2 documents"])
def test_participants_learn_that_their_offsets_are_shifted(
    where: str, tmp_path: Path
) -> None:
    names = ("secret/one", "secret/two")[: 2 if where else 1]
    words = " ".join(f"secret{number}" for number in range(9))
    key = [[[0, 0], [2, 3]], [[5, 5], [6, 6]]]
    moved = [[[first, last + 1] for first, last in entity] for entity in key]
    text = json_lines(*((name, words) for name in names), clusters=key)
    first, *others = text.splitlines(keepends=True)
    response = first.replace(json.dumps(key), json.dumps(moved)) + "".join(others)
    warning = " ".join(Scored(tmp_path, text, response, "jsonl").shown().split())
    assert (
        f"warning: bad: None of the 4 response mentions{where} match the key, so the "
        "figures are too low. With 1 less at the end, 4 would match. Are ends "
        "exclusive in the response?"
    ) in warning


def test_a_board_has_columns_for_datasets_but_not_for_other_metrics(
    tmp_path: Path,
) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    for name in ("a", "b"):
        (keys / f"{name}.conll").write_bytes((EXAMPLES / "key.conll").read_bytes())
    wanted = Request(changes={"folder": "datasets"})
    columns = board_columns(keys, tmp_path / "out", wanted, None)
    assert columns == ["conll", "a", "b"]
