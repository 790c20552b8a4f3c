"""A complete Codabench competition: pages, scoring program, reference and starting kit.

The scoring program contains scoref and its two small libraries, unpacked, because a
worker may have no network. NumPy and SciPy are those of the image. One of the libraries
is compiled and must be the build for the image's Python. It is copied from this
installation if that is the same Python; otherwise pip downloads it.

All files are collected before the first one is written, and the folder gets its name
when it is complete.
"""

from __future__ import annotations

import base64
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.errors import FormatError, OptionError
from scoref.formats.folders import is_datasets
from scoref.printable import printable
from scoref.scoring.dataset_files import files_to_score, named_files
from scoref.tools.leaderboard.board import column_name
from scoref.writing import write_folder, writing_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

IMAGE, PYTHON = "codalab/codalab-legacy:py312", (3, 12)
LIBRARIES = ("click", "msgspec")
_LEFT_OUT = {"__pycache__", "docs"}
_SAFE_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")
_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA"
    "AABJRU5ErkJggg=="
)

RUN = '''\
"""Score a submission with scoref, which lies in vendor/."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = {options!r}
FILES = {files!r}

sys.path.insert(0, os.path.join(HERE, "vendor"))
source, output = sys.argv[1], sys.argv[2]
sys.argv = [
    "scoref",
    "leaderboard",
    *OPTIONS,
    *(option + "=" + os.path.join(HERE, "files", name) for option, name in FILES),
    "--",
    os.path.join(source, "ref"),
    os.path.join(source, "res"),
    output,
]
from scoref.cli import main  # noqa: E402

main()
'''

OVERVIEW = """\
# {title}

Say here what the task is, and who you are.

{datasets}
"""

EVALUATION = """\
# Evaluation

Submissions are scored by [scoref](https://pypi.org/project/scoref/) {version} with

    scoref leaderboard REFERENCE SUBMISSION OUTPUT {options}

{score}{average}.
A dataset that is missing or cannot be read counts as 0, and the log says why. Before
you hand in, run `scoref check` on your files.
"""

_SCORES = {"conll": "`conll` is the mean F1 of MUC, B³ and CEAFe in percent"}

TERMS = "# Terms\n\nSay here what participants agree to.\n"

KIT = """\
# Starting kit

Hand in a zip with one file for each {unit}, called like these:

{files}

Before you do, see that your files are sound:

    pip install scoref=={version}
    scoref check FILE...

With data that you have the key of, see that they belong to it, and score them as the
site will:

    scoref check --key KEYS FILES
    scoref leaderboard KEYS FILES OUT {options}
"""


def write_bundle(
    folder: Path,
    reference: Path,
    title: str,
    options: Iterable[str],
    *,
    kind: str | None = None,
    files: Mapping[str, Path] | None = None,
    columns: Sequence[str] | None = None,
) -> list[str]:
    """Write a bundle completely or not at all, and list the packages in it.

    Args:
        folder: the new folder.
        reference: the folder with the keys.
        title: of the competition.
        options: options of `scoref leaderboard`, one string each.
        kind: whether its files are documents or datasets; detected if not given.
        files: options whose values are files, which are copied into the bundle.
        columns: of the board; the CoNLL score and each dataset if not given.

    Raises:
        OptionError: the folder is there already.
    """
    refuse_existing(folder)
    given = [(option, file, _copied_name(option, file)) for option, file in _of(files)]
    command = [*options, *(f"{option}={name}" for option, _, name in given)]
    contents, taken = _vendored()
    shown = columns or ["conll", *map(column_name, named_files(reference, kind))]
    keys = {
        path.relative_to(reference).as_posix(): path
        for path in files_to_score(reference, kind)
    }
    about = _about_keys(reference, kind, list(keys))
    for path, text in _texts(title, about, command, shown).items():
        contents[path] = text.encode("utf-8", "backslashreplace")
    run = RUN.format(options=[*options], files=[(o, name) for o, _, name in given])
    contents["scoring_program/run.py"] = run.encode()
    contents["logo.png"] = base64.b64decode(_PIXEL)
    for _, file, name in given:
        contents[f"scoring_program/files/{name}"] = _content(file)
    for path, file in keys.items():
        contents[f"reference_data/{path}"] = _content(file)
    write_folder(folder, contents)
    return taken


def refuse_existing(folder: Path) -> None:
    """Refuse a place where something is already; an empty folder is fine."""
    if folder.is_dir():
        with writing_to(folder):
            is_empty = not any(folder.iterdir())
        if not is_empty:
            raise OptionError(
                f"{folder} is not empty: give a new folder for the bundle"
            )
    elif folder.exists() or folder.is_symlink():
        raise OptionError(f"{folder} is not a folder: give a new one for the bundle")


def _of(files: Mapping[str, Path] | None) -> list[tuple[str, Path]]:
    return [*files.items()] if files else []


def _copied_name(option: str, file: Path) -> str:
    """Name the copy of a file by its option, which suits every file system."""
    suffix = file.suffix if _SAFE_SUFFIX.fullmatch(file.suffix) else ""
    return f"{option.lstrip('-')}{suffix}"


def _about_keys(
    reference: Path, kind: str | None, files: Sequence[str]
) -> dict[str, str]:
    """Say on the pages what participants hand in."""
    has_datasets = is_datasets(reference, kind)
    names = ", ".join(named_files(reference, kind))
    return {
        "datasets": f"The datasets are {names}."
        if has_datasets
        else "All documents are one corpus.",
        "average": ", averaged over all datasets" if has_datasets else "",
        "unit": "dataset" if has_datasets else "document",
        "files": "\n".join(f"- {file}" for file in files),
    }


def _texts(
    title: str, about: dict[str, str], command: list[str], columns: Sequence[str]
) -> Mapping[str, str]:
    words = about | {
        "title": title,
        "version": __version__,
        "options": " ".join(map(_typed, command)),
        "score": _SCORES.get(columns[0], f"`{columns[0]}` is its F1 in percent"),
    }
    return {
        "competition.yaml": _competition(title, columns),
        "pages/overview.md": OVERVIEW.format_map(words),
        "pages/evaluation.md": EVALUATION.format_map(words),
        "pages/terms.md": TERMS,
        "scoring_program/metadata.yaml": "command: python3 run.py /app/input "
        "/app/output\n",
        "starting_kit/README.md": KIT.format_map(words),
    }


def _typed(option: str) -> str:
    r"""Write an option as it is typed in a shell, in one line.

    >>> print(_typed("--topics=(a b)"), _typed("--topics=(a\nb)"))
    '--topics=(a b)' $'--topics=(a\nb)'
    """
    if option.isprintable():
        return shlex.quote(option)
    escapes = option.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{printable(escapes)}'"


def _competition(title: str, columns: Sequence[str]) -> str:
    """Write the description in YAML; texts are quoted as JSON, which is YAML, too."""
    lines = [
        "version: 2",
        f"title: {_quoted(title)}",
        "image: logo.png",
        "terms: pages/terms.md",
        f"docker_image: {IMAGE}",
        "enable_detailed_results: true",
        "pages:",
        *(f"  - title: {page}\n    file: pages/{page.lower()}.md" for page in _PAGES),
        "tasks:",
        "  - index: 0",
        f"    name: {_quoted(title)}",
        f"    description: {_quoted(title)}",
        "    scoring_program: scoring_program",
        "    reference_data: reference_data",
        "phases:",
        "  - index: 0",
        "    name: Evaluation",
        "    description: Evaluation",
        "    start: 2030-01-01",
        "    end: 2030-12-31",
        "    max_submissions_per_day: 5",
        "    execution_time_limit: 600",
        "    tasks: [0]",
        "leaderboards:",
        "  - title: Results",
        "    key: results",
        "    submission_rule: Force_Best",
        "    columns:",
    ]
    for index, name in enumerate(columns):
        lines += [
            f"      - title: {_quoted(name)}",
            f"        key: {name}",
            f"        index: {index}",
            "        sorting: desc",
            "        precision: 2",
        ]
    return "\n".join(lines) + "\n"


_PAGES = ("Overview", "Evaluation")


def _quoted(text: str) -> str:
    import json  # for bundles only

    return json.dumps(text, ensure_ascii=False)


def _vendored() -> tuple[dict[str, bytes], list[str]]:
    """Collect scoref and its libraries, and say which versions they have."""
    package = Path(__file__).parents[2]
    contents = {
        _vendor("scoref", *file.relative_to(package).parts): _content(file)
        for file in sorted(package.rglob("*"))
        if file.is_file() and not _LEFT_OUT & {*file.relative_to(package).parts}
    }
    is_that_python = sys.version_info[:2] == PYTHON and sys.platform == "linux"
    libraries, taken = _installed() if is_that_python else _fetched()
    return contents | libraries, [f"scoref {__version__}", *taken]


def _vendor(*parts: str) -> str:
    return "/".join(("scoring_program/vendor", *parts))


def _installed() -> tuple[dict[str, bytes], list[str]]:
    """Take libraries from the Python that runs, which is the image's."""
    contents, taken = {}, []
    for name in LIBRARIES:
        library = distribution(name)
        for file in library.files or ():
            if file.parts[0].split(".")[0] in {name, f"{name}-{library.version}"}:
                contents[_vendor(*file.parts)] = _content(Path(str(file.locate())))
        taken.append(f"{name} {library.version}")
    return contents, taken


def _fetched() -> tuple[dict[str, bytes], list[str]]:
    """Let pip fetch the builds for the image's Python."""
    version = ".".join(map(str, PYTHON))
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    which = ["--only-binary", ":all:", "--python-version", version]
    platform = ["--platform", "manylinux2014_x86_64"]
    contents: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(  # noqa: S603 - our own arguments
            [*pip, *which, *platform, "--dest", scratch, *LIBRARIES],
            capture_output=True,
            check=False,
            text=True,
        )
        wheels = sorted(Path(scratch).glob("*.whl"))
        if done.returncode or len(wheels) < len(LIBRARIES):
            raise FormatError(
                f"pip could not fetch {' and '.join(LIBRARIES)} for Python {version}: "
                f"{(done.stderr.strip().splitlines() or ['no reason given'])[-1]}",
                source="vendor",
                hint=f"run this with Python {version} on Linux, where they are copied",
            )
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as packed:
                for member in packed.infolist():
                    if not member.is_dir():
                        contents[_vendor(member.filename)] = packed.read(member)
        return contents, ["-".join(wheel.name.split("-")[:2]) for wheel in wheels]


def _content(file: Path) -> bytes:
    """Read a file as it is: packed if it is packed."""
    try:
        return file.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise FormatError(f"cannot be read: {why}", source=str(file)) from error
