"""The function `scoref.report`, which writes a page from files.

The command uses `write_report`. A folder of datasets has a page for each dataset, and a
page with links to them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, OptionError
from scoref.formats.folders import is_datasets
from scoref.formats.inputs import name_inputs, needed_files
from scoref.notes import WARNING, note_lines
from scoref.printable import without_folders
from scoref.scoring.request import Request
from scoref.terminal.running import MissingParts
from scoref.terminal.systems import Attempts
from scoref.tools.errors.analysis import analyse_datasets, analyse_files
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page import render_page
from scoref.writing import STANDARD, one_run, write_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from scoref.formats.inputs import File, Path
    from scoref.scoring.request import ScoreOptions
    from scoref.tools.errors.findings import Analysis


class PageRequest(NamedTuple):
    """How to score, what a page shows, and where notes and messages go."""

    wanted: Request
    choice: ReportChoice
    note: Callable[[str], None] = lambda _: None
    tell: Callable[[str], None] = lambda _: None


def report(
    key: File,
    responses: File | Iterable[File] | Mapping[str, File],
    path: Path,
    *,
    documents: Iterable[str] = (),
    with_text: bool = True,
    with_names: bool = True,
    other_keys: Mapping[str, File] | None = None,
    **options: Unpack[ScoreOptions],
) -> str:
    """Write a page that shows scores and errors, as `scoref report` does.

    Args:
        key: the gold annotation: a file in any form that `scoref.score` takes, or a
            folder with a file for each dataset.
        responses: the output of one system, of several in a list, or of several by
            name.
        path: where to write the page. An existing file is replaced.
        documents: documents whose texts are shown: names, or patterns such as
            ``news/*``; by default all that a page can hold.
        with_text: whether the page has any words of the texts. Without them, it has
            scores, counts and kinds of errors only, for hidden test sets.
        with_names: whether documents without text keep their names. If not, they have
            numbers.
        other_keys: annotations of the same texts by other annotators, by name. Each
            error then says whether they made it, too.
        options: options of `scoref.score`.

    Returns:
        The path of the page.
    """
    place = os.fspath(path)
    systems = responses
    if not isinstance(systems, Mapping):
        systems = name_inputs(systems, "system")
    sides = [("key", key), *systems.items(), *(other_keys or {}).items()]
    key_file, *files = needed_files("report", *sides)
    names = dict(zip(systems, files, strict=False))
    others = dict(zip(other_keys or (), files[len(names) :], strict=True))
    wanted = Request.of(**options)
    if is_datasets(key_file, wanted.folder) and others:
        raise OptionError("other keys cannot be used with folders of datasets")
    choice = ReportChoice(
        documents=tuple(documents), with_text=with_text, with_names=with_names
    )
    check_place(place)
    try:
        with one_run():
            request = PageRequest(wanted, choice)
            write_report(place, key_file, names, request, others)
    except MissingParts as error:
        raise FormatError(error.message, source=os.fspath(key_file)) from error
    return place


def write_report(
    path: str,
    key: Path,
    names: Mapping[str, Path],
    request: PageRequest,
    others: Mapping[str, Path],
) -> None:
    """Write a page, or for folders one page for each dataset and one with links.

    Args:
        path: where to write the page.
        key: the file or folder of the key.
        names: the files or folders of the responses, by the name of the system.
        request: how to score and what to show.
        others: the keys of other annotators, by their names.
    """
    choice = request.choice
    if choice.with_text and not choice.with_names:
        raise OptionError("--no-names needs --no-text")
    if choice.documents and not choice.with_text:
        raise OptionError("--documents cannot be combined with --no-text")
    if is_datasets(key, request.wanted.folder):
        folders = {name: os.fspath(folder) for name, folder in names.items()}
        _write_datasets(path, os.fspath(key), folders, request)
        return
    systems = analyse_files(key, names, request.wanted, others)
    labels = without_folders(
        [*systems], [str(file) for file in names.values()] or [str(key)]
    )
    page = _page(dict(zip(labels, systems.values(), strict=True)), request)
    _write(path, page, request)


def _write_datasets(
    path: str, key: str, names: Mapping[str, str], request: PageRequest
) -> None:
    from scoref.tools.report.page.index import Index  # files need none

    if path == STANDARD:
        raise OptionError("folders of datasets need several pages. Give a file with -o")
    folder = os.path.splitext(path)[0] + "-datasets"
    paths = list(names.values())
    labels = dict(zip(names, without_folders([*names], paths), strict=True))
    attempts, index = Attempts(), Index(key, list(labels.values()))
    for dataset, systems in analyse_datasets(key, names, request.wanted, attempts):
        place = f"{os.path.basename(folder)}/{dataset}.html"
        index.add(dataset, {labels[name]: system for name, system in systems.items()})
        if systems:
            with attempts.trying(dataset):
                shown = without_folders([*systems], paths)
                page = _page(dict(zip(shown, systems.values(), strict=True)), request)
                os.makedirs(folder, exist_ok=True)
                _write(f"{folder}/{dataset}.html", page, request)
                index.links[dataset] = place
    for note in index.notes():
        request.note(note)
    if index.links:
        _write(path, index.render(), request)
    attempts.finish()


def _page(systems: dict[str, Analysis], request: PageRequest) -> str:
    """Make the page of some systems, and report notes about it."""
    content, texts = report_of(systems, request.choice)
    is_complete = request.choice.with_text and not request.choice.documents
    if content["left_out"] and is_complete:
        request.note(str(content["left_out"]))
    warnings = [
        (name, note)
        for name, analysis in systems.items()
        for note in (*analysis.result.notes, *analysis.notes)
        if note.message.startswith(WARNING)
    ]
    for line in note_lines(warnings, of=len(systems)):
        request.note(line)
    return render_page(content, texts)


def open_in_browser(path: str) -> bool:
    """Open a page in a browser, and return whether there is one."""
    import webbrowser
    from pathlib import Path

    try:
        return webbrowser.open(Path(path).absolute().as_uri())
    except (webbrowser.Error, OSError):
        return False


def check_place(path: str) -> None:
    """Refuse a path that cannot be written, before anything is computed."""
    folder = os.path.dirname(path) or "."
    if path == STANDARD:
        return
    if os.path.splitext(path)[1].lower() not in {"", ".html", ".htm"}:
        raise OptionError(
            f"cannot write {path}: the report is an HTML page",
            hint="Use a file name that ends in .html.",
        )
    if os.path.isdir(path):
        raise FormatError("cannot be written: this is a folder", source=path)
    if not os.path.isdir(folder):
        raise FormatError("cannot be written: the folder does not exist", source=path)
    if not path.lower().endswith((".html", ".htm")) and _is_another_file(path):
        raise FormatError(
            "cannot be written: this file exists and is not an HTML page",
            source=path,
            hint="Give another name with -o. Only HTML pages are replaced.",
        )


def _is_another_file(path: str) -> bool:
    """Return whether there is a file that is neither empty nor an HTML page."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            beginning = file.read(1000).lstrip().lower()
    except OSError:
        return False  # the error is reported where the page is written
    is_page = beginning.startswith((b"<!doctype html", b"<html"))
    return bool(beginning) and not is_page


def _write(path: str, page: str, request: PageRequest) -> None:
    """Write the page, and report its size."""
    data = page.encode("utf-8", "replace")
    write_output(path, data)
    if path != STANDARD:
        size = f"{len(data) / 1_000_000:.1f} MB"
        request.tell(f"Wrote {path} ({size}). Open it in a browser.")
