"""Natural but wrong ways to score files: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.cli import command
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from pathlib import Path

BAD_FILES = {
    "the key alone": (
        "key.conll",
        "no response was given hint: Give a response after the key",
    ),
    "half of the documents": (
        "key.conll half.conll",
        "(and 11 more) is not in half.conll",
    ),
    "the key of another split": (
        "half-key.conll other-half.conll",
        "(and 11 more) is not in other-half.conll",
    ),
    "a response to more documents": (
        "half-key.conll a.conll",
        "a.conll:508: document '(news/football); part 000' (and 11 more) is not in",
    ),
    "a document twice": (
        "key.conll twice.conll",
        "appears twice (first: line 1)",
    ),
    "a file that is cut off": ("key.conll cut.conll", "is not in cut.conll"),
    "an empty file": ("key.conll empty.conll", "this file has no document"),
    "blank lines": ("key.conll blank.conll", "this file has no document"),
    "an empty key": ("empty.conll a.conll", "this file has no document"),
    "a README": (
        "key.conll README.md",
        "The file has no '#begin document' line either. Is it CoNLL-2012?",
    ),
    "an error page": ("key.conll page.conll", "this is a web page in HTML"),
    "a Git LFS pointer, not the file itself": (
        "key.conll pointer.conll",
        "this is a Git LFS pointer",
    ),
    "a pointer as the key": ("pointer.conll a.conll", "this is a Git LFS pointer"),
    "a broken archive": ("key.conll cut.conll.gz", "The file is truncated or damaged"),
    "UTF-16": ("key.conll utf-16.conll", "this is UTF-16"),
    "no column of entities": (
        "key.conll no-column.conll",
        "The last column must be '-' or brackets such as '(3', '3)' or '(3)|4)'.",
    ),
    "another language": (
        "key.conll corefud-response.conllu",
        "only in corefud-response.conllu: 'es-1', 'es-2'",
    ),
    "a response to GAP": (
        "key.conll gap-response.tsv",
        "`scoref bias --gap KEY RESPONSE`",
    ),
    "a table of records": ("key.conll table-response.tsv", "Use `scoref table`"),
    "a table of pairs": ("key.conll curve-pairs.csv", "or `scoref curve`"),
    "answers of a language model": (
        "key.conll llm-answers.jsonl",
        "Use `scoref llm KEY ANSWERS` to score them.",
    ),
    "texts of a language model": ("key.conll llm-crac.txt", "or use `scoref llm`"),
    "offsets of characters": (
        "key.conll characters.jsonl",
        "is not a mention in a document of 31 tokens",
    ),
    "lengths": (
        "key.conll lengths.jsonl",
        "[6, 1] is not a mention in a document of 31",
    ),
    "ends before starts": ("key.conll backwards.jsonl", "[1, 0] is not a mention"),
    "negative offsets": ("key.conll negative.jsonl", "[-6, 6] is not a mention"),
    "huge offsets": ("key.conll huge.jsonl", "[0, 1000000001] is not a mention"),
    "mentions as words": ("key.conll words.jsonl", "Expected `array`, got `str`"),
    "offsets as texts": ("key.conll texts.jsonl", "Expected `int`, got `str`"),
    "mentions without clusters": (
        "key.conll flat.jsonl",
        "Expected `array`, got `int`",
    ),
    "Documents without names are paired by order or by text.": (
        "key.conll no-names.jsonl",
        "these documents have no name",
    ),
    "a dict of documents": (
        "key.conll by-name.json",
        "no known format has the fields",
    ),
    "a prediction in another field": (
        "other-field.jsonl",
        "no response was given",
    ),
    "no such file": ("key.conll nowhere.conll", "nowhere.conll: cannot be read"),
    "a comma": ("key.conll, a.conll", "key.conll,: cannot be read"),
    "a name for the key": ("x=key.conll a.conll", "x=key.conll: cannot be read"),
    "a folder as the response": (
        "key.conll .",
        "this is a folder of datasets, but the key is a file",
    ),
    "another format": ("key.conll a.conll --format corefud", "key.conll:2"),
    "the format of one side": ("key.conll a.jsonl --format conll-2012", "a.jsonl:1"),
    "a folder that is not there": ("key.conll a.conll --save no/x.json", "no/x.json"),
}
BAD_USAGE = {
    "a misspelt metric": ("key.conll a.conll --metrics mucc", "Did you mean muc?"),
    "a figure as a metric": ("key.conll a.conll --metrics f1", "unknown metric 'f1'"),
    "no metric": ("key.conll a.conll --metrics ,", "no metric"),
    "a misspelt option": (
        "key.conll a.conll --metric muc",
        "unknown option '--metric'",
    ),
    "a misspelt command": ("scor key.conll a.conll", "Did you mean score"),
    "a misspelt scheme": (
        "key.conll a.conll --scheme conll2012",
        "unknown scheme 'conll2012'",
    ),
    "heads without heads": ("key.conll a.conll --match head", "only CorefUD has"),
    "the scheme of another format": (
        "key.conll a.conll --scheme crac-2026",
        "the scheme crac-2026 does not suit conll-2012. It sets match=head",
    ),
    "parts of speech without heads": (
        "key.conll a.conll --by upos",
        "--by upos needs CorefUD files",
    ),
    "types of entities without types": (
        "key.conll a.conll --by entity-type",
        "--by entity-type needs CorefUD files",
    ),
    "an option without a value": ("agree --records", "agree -h`."),
    "zeros without zeros": (
        "key.conll a.conll --zeros drop",
        "is only for CorefUD and",
    ),
    "a level of everything": ("key.conll a.conll --confidence 100", "level 100 is not"),
    "a level below 0": (
        "key.conll a.conll --confidence -95",
        "level -95 is not between",
    ),
    "a huge threshold": ("key.conll a.conll --fail-under 800", "0<=x<=100"),
    "a negative precision": ("key.conll a.conll --precision -1", "0<=x<=15"),
    "no window": ("key.conll a.conll --window 0", "unknown window '0'"),
    "intervals over windows": (
        "key.conll a.conll --window 5 --confidence",
        "too narrow",
    ),
    "a unit without intervals": (
        "key.conll a.conll --unit entities",
        "--unit needs --confidence",
    ),
    "two metrics for one number": (
        "key.conll a.conll --score-only --metrics muc,bcub",
        "--score-only needs exactly one metric",
    ),
    "one number as JSON": (
        "key.conll a.conll --score-only --output json",
        "--score-only prints one number",
    ),
    "columns of files": ("key.conll a.conll --columns head", "need a folder"),
    "an unknown slice": ("key.conll a.conll --by gender", "Did you mean genre"),
    "two tables": (
        "key.conll a.conll --by genre --per-document",
        "--by prints its own table",
    ),
    "an unknown table": (
        "key.conll a.conll --beside nothing",
        "unknown published table 'nothing'",
    ),
    "a plot without intervals": ("key.conll a.conll --plot x.svg", "Add --confidence"),
    "a plot as PDF": (
        "key.conll a.conll --confidence --plot x.pdf",
        "cannot plot to 'x.pdf'",
    ),
    "saving over the key": (
        "key.conll a.conll --save key.conll",
        "would be overwritten",
    ),
    "a name twice": (
        "key.conll x=a.conll x=b.conll",
        "two systems have the same name, 'x'",
    ),
    "standard input twice": ("- -", "standard input (-) can be read only once"),
}
WARNINGS = {
    "the wrong order": ("a.conll key.conll", "as the response. Are they swapped?"),
    "the key twice": ("key.conll key.conll", "Was the key given twice?"),
    "an error rate as a level": (
        "key.conll a.conll --confidence 0.05",
        "The confidence level is 5 percent, so intervals are too narrow",
    ),
    "a key with predictions in another field": (
        "key.conll other-field.jsonl",
        "has the same mentions and entities as the key",
    ),
    "a response without mentions": (
        "key.conll no-mentions.conll",
        "The response has no mentions. Is it the right file?",
    ),
    "a key without mentions": (
        "no-mentions.conll a.conll",
        "The key has no mentions. Is it the right file?",
    ),
    "other documents, leniently": (
        "half-key.conll other-half.conll --lenient",
        "is one of the 143 key mentions, so the scores of entities are 0",
    ),
    "the key's mentions without links": (
        "key.conll gold-mentions.jsonl",
        "all 301 entities of the response are singletons, so it has no links",
    ),
    "links that are dropped": (
        "key.conll gold-mentions.jsonl --singletons drop",
        "all 301 entities of the response are singletons, so it has no links",
    ),
    "everything in one entity": (
        "key.conll one-entity.conll",
        "the response has one entity in each of 24 documents, but the key has 136",
    ),
    "exclusive ends": (
        "key.conll exclusive.jsonl",
        "Are ends exclusive in the response?",
    ),
    "tokens from 1": ("key.conll from-one.jsonl", "Are tokens counted from 1"),
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)


@pytest.mark.parametrize(
    ("call", "message", "code"),
    [
        *(pytest.param(*case, 1, id=name) for name, case in BAD_FILES.items()),
        *(pytest.param(*case, 2, id=name) for name, case in BAD_USAGE.items()),
    ],
)
def test_a_wrong_call_is_an_error(call: str, message: str, code: int) -> None:
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == code, done.output
    assert message in " ".join(done.stderr.split())
    assert not done.stdout


@pytest.mark.parametrize(("call", "message"), WARNINGS.values(), ids=WARNINGS.keys())
def test_a_doubtful_call_gets_a_warning(call: str, message: str) -> None:
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == 0, done.output
    lines = [" ".join(each.split()) for each in done.stderr.split("warning: ")[1:]]
    assert any(message in each for each in lines), done.stderr


def test_a_right_call_gets_no_warning() -> None:
    done = CliRunner().invoke(command, ["key.conll", "a.conll"])
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("call", ["key.conll key.conll", "key.conll half.conll"])
def test_score_says_the_same_as_no_command(call: str) -> None:
    short, long = (
        CliRunner().invoke(command, [*word, *call.split()]) for word in ([], ["score"])
    )
    assert (short.exit_code, short.output) == (long.exit_code, long.output)
