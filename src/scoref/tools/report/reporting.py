"""`scoref.report`: from files to a page, for Python and for the command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, OptionError
from scoref.formats.folders import is_datasets
from scoref.notes import WARNING, note_lines
from scoref.scoring.request import Request
from scoref.terminal.folders import Attempts
from scoref.terminal.running import MissingParts
from scoref.tools.errors.analysis import analyse_datasets, analyse_files
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page import render_page
from scoref.tools.report.page.index import Index
from scoref.writing import STANDARD, one_run, write_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Unpack

    from scoref.scoring.evaluate import Path
    from scoref.scoring.request import ScoreOptions
    from scoref.tools.errors.findings import Analysis

_MEGA = 1_000_000
_BEGINNING = 1000
_ENDINGS = (".html", ".htm")


class PageRequest(NamedTuple):
    """How to score, what of it goes into a page, and who is told about it."""

    wanted: Request
    choice: ReportChoice
    note: Callable[[str], None] = lambda _: None
    tell: Callable[[str], None] = lambda _: None


def report(
    key: Path,
    responses: Path | Iterable[Path] | Mapping[str, Path],
    path: Path,
    *,
    documents: Iterable[str] = (),
    with_text: bool = True,
    with_names: bool = True,
    other_keys: Mapping[str, Path] | None = None,
    **options: Unpack[ScoreOptions],
) -> str:
    """Write a page that shows scores and errors, as `scoref report` does.

    Args:
        key: what the annotators said; or a folder with a file for each dataset.
        responses: what a system said, or several, or several by their names.
        path: where to write the page; one that is there is replaced.
        documents: whose texts to show: names, or patterns such as ``news/*``; all, as
            far as a page can hold them, if not given.
        with_text: otherwise there are scores, counts and kinds of errors, and no word
            of a text: for hidden test sets.
        with_names: otherwise documents without text have numbers for names.
        other_keys: what other annotators said of the same texts, by their names:
            errors say whether they would have made them, too.
        options: what `score` takes.

    Returns:
        The path of the page.
    """
    place, names = os.fspath(path), _named(responses)
    others = {name: os.fspath(each) for name, each in (other_keys or {}).items()}
    wanted = Request.of(**options)
    if is_datasets(key, wanted.folder) and others:
        raise OptionError("other keys are for files, not for folders of datasets")
    choice = ReportChoice(
        documents=tuple(documents), with_text=with_text, with_names=with_names
    )
    asked = PageRequest(wanted, choice)
    check_place(place)
    try:
        with one_run():
            write_report(place, os.fspath(key), names, asked, others)
    except MissingParts as error:
        raise FormatError(error.message, source=os.fspath(key)) from error
    return place


def _named(
    responses: Path | Iterable[Path] | Mapping[str, Path],
) -> dict[str, str]:
    if isinstance(responses, str | os.PathLike):
        responses = [responses]
    if not hasattr(responses, "items"):
        responses = {os.fspath(each): each for each in responses}
    return {name: os.fspath(each) for name, each in responses.items()}


def write_report(
    path: str,
    key: str,
    names: Mapping[str, str],
    asked: PageRequest,
    others: Mapping[str, str],
) -> None:
    """Write a page; of folders, one for each dataset, and one that leads to them."""
    _check_choice(asked.choice)
    if is_datasets(key, asked.wanted.folder):
        _write_datasets(path, key, names, asked)
        return
    systems = analyse_files(key, names, asked.wanted, others)
    _write(path, _page(_called(systems, [*names.values()] or [key]), asked), asked)


def _check_choice(choice: ReportChoice) -> None:
    """Refuse what does not go together, before anything is read."""
    if choice.with_text and not choice.with_names:
        raise OptionError("only a report without text has no names: add --no-text")
    if choice.documents and not choice.with_text:
        raise OptionError("--documents chooses texts, and --no-text leaves them out")


def _write_datasets(
    path: str, key: str, names: Mapping[str, str], asked: PageRequest
) -> None:
    if path == STANDARD:
        raise OptionError("folders have a page for each dataset: give a file with -o")
    folder = os.path.splitext(path)[0] + "-datasets"
    called = dict(zip(names, _short([*names], [*names.values()]), strict=True))
    attempts, index = Attempts(), Index(key, list(called.values()))
    for dataset, systems in analyse_datasets(key, names, asked.wanted, attempts):
        place = f"{os.path.basename(folder)}/{dataset}.html"
        index.add(dataset, {called[name]: each for name, each in systems.items()})
        if systems:
            with attempts.trying(dataset):
                page = _page(_called(systems, list(names.values())), asked)
                os.makedirs(folder, exist_ok=True)
                _write(f"{folder}/{dataset}.html", page, asked)
                index.links[dataset] = place
    if index.links:
        _write(path, index.render(), asked)
    attempts.finish()


def _called(systems: dict[str, Analysis], paths: list[str]) -> dict[str, Analysis]:
    """Call systems by the names of their files, without folders, if those differ."""
    return dict(zip(_short([*systems], paths), systems.values(), strict=True))


def _short(names: list[str], paths: list[str]) -> list[str]:
    """Leave out the folders of paths, if what is left differs."""
    short = [
        os.path.basename(name.rstrip("/")) if name in paths else name for name in names
    ]
    return short if len({*short}) == len(short) else names


def _page(systems: dict[str, Analysis], asked: PageRequest) -> str:
    found, texts = report_of(systems, asked.choice)
    is_told = asked.choice.with_text and not asked.choice.documents
    if found["left_out"] and is_told:
        asked.note(str(found["left_out"]))
    warnings = [
        (name, note)
        for name, analysis in systems.items()
        for note in (*analysis.result.notes, *analysis.notes)
        if note.message.startswith(WARNING)
    ]
    for line in note_lines(warnings, of=len(systems)):
        asked.note(line)
    return render_page(found, texts)


def check_place(path: str) -> None:
    """Refuse what cannot be written before anything is computed."""
    folder = os.path.dirname(path) or "."
    if path == STANDARD:
        return
    if os.path.isdir(path):
        raise FormatError("cannot be written: is a directory", source=path)
    if not os.path.isdir(folder):
        raise FormatError("cannot be written: there is no such folder", source=path)
    if not path.lower().endswith(_ENDINGS) and _is_another_file(path):
        raise FormatError(
            "cannot be written: this file exists and is not an HTML page",
            source=path,
            hint="give another name with -o; only a page is replaced",
        )


def _is_another_file(path: str) -> bool:
    """Tell whether there is a file that is neither empty nor an HTML page."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            beginning = file.read(_BEGINNING).lstrip().lower()
    except OSError:
        return False  # the error is reported where the page is written
    is_page = beginning.startswith((b"<!doctype html", b"<html"))
    return bool(beginning) and not is_page


def _write(path: str, page: str, asked: PageRequest) -> None:
    """Write the page, and say how large it is."""
    data = page.encode("utf-8", "replace")
    write_output(path, data)
    if path != STANDARD:
        asked.tell(f"{path}: {len(data) / _MEGA:.1f} MB")
