"""A complete Codabench competition: pages, scoring program, reference and starting kit.

The scoring program contains scoref and its two small libraries, unpacked, because a
worker may have no network. NumPy and SciPy are those of the image. One of the libraries
is compiled and must be the build for the image's Python. It is copied from this
installation if that is the same Python; otherwise pip downloads it.

The texts of the bundle are in `templates`. All files are collected before the first one
is written, and the folder gets its name when it is complete.
"""

from __future__ import annotations

import base64
import json
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
from scoref.errors import FormatError, OptionError, UnreadableFileError
from scoref.formats.folders import is_datasets
from scoref.printable import printable
from scoref.scoring.dataset_files import files_to_score, named_files
from scoref.tools.leaderboard.board import column_name, template
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

_SCORES = {"conll": "`conll` is the mean F₁ of MUC, B³ and CEAFe, in percent"}


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
    # Copies of files are named by their options, which suits every file system.
    copies = []
    for option, file in (files or {}).items():
        suffix = file.suffix if _SAFE_SUFFIX.fullmatch(file.suffix) else ""
        copies.append((option, file, f"{option.lstrip('-')}{suffix}"))
    command = [*options, *(f"{option}={name}" for option, _, name in copies)]
    contents, packages = _vendor_packages()
    shown = columns or ["conll", *map(column_name, named_files(reference, kind))]
    keys = {
        path.relative_to(reference).as_posix(): path
        for path in files_to_score(reference, kind)
    }
    fields = {
        **_describe_keys(reference, kind, list(keys)),
        "title": title,
        "version": __version__,
        "options": " ".join(map(_shell_word, command)),
        "score": _SCORES.get(shown[0], f"`{shown[0]}` is its F₁, in percent"),
    }
    texts = {
        "competition.yaml": _competition(title, shown),
        "pages/overview.md": template("overview.md").format_map(fields),
        "pages/evaluation.md": template("evaluation.md").format_map(fields),
        "pages/terms.md": template("terms.md"),
        "scoring_program/metadata.yaml": "command: python3 run.py /app/input "
        "/app/output\n",
        "starting_kit/README.md": template("starting-kit.md").format_map(fields),
    }
    for path, text in texts.items():
        contents[path] = text.encode("utf-8", "backslashreplace")
    run = template("run.py.txt").format(
        options=[*options], files=[(option, name) for option, _, name in copies]
    )
    contents["scoring_program/run.py"] = run.encode()
    contents["logo.png"] = base64.b64decode(_PIXEL)
    for _, file, name in copies:
        contents[f"scoring_program/files/{name}"] = _content(file)
    for path, file in keys.items():
        contents[f"reference_data/{path}"] = _content(file)
    write_folder(folder, contents)
    return packages


def refuse_existing(folder: Path) -> None:
    """Refuse a place where something is already; an empty folder is fine."""
    if folder.is_dir():
        with writing_to(folder):
            is_empty = not any(folder.iterdir())
        if not is_empty:
            raise OptionError(
                f"{folder} is not empty. Give a new folder for the bundle"
            )
    elif folder.exists() or folder.is_symlink():
        raise OptionError(f"{folder} is not a folder. Give a new folder for the bundle")


def _describe_keys(
    reference: Path, kind: str | None, files: Sequence[str]
) -> dict[str, str]:
    """Return the phrases of the pages about what participants hand in."""
    has_datasets = is_datasets(reference, kind)
    names = ", ".join(named_files(reference, kind))
    return {
        "datasets": f"The datasets are {names}."
        if has_datasets
        else "All documents form one corpus.",
        "average": ", averaged over all datasets" if has_datasets else "",
        "unit": "dataset" if has_datasets else "document",
        "files": "\n".join(f"- {file}" for file in files),
    }


def _shell_word(option: str) -> str:
    r"""Quote an option for a shell, in one line.

    >>> print(_shell_word("--topics=(a b)"), _shell_word("--topics=(a\nb)"))
    '--topics=(a b)' $'--topics=(a\nb)'
    """
    if option.isprintable():
        return shlex.quote(option)
    escapes = option.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{printable(escapes)}'"


def _competition(title: str, columns: Sequence[str]) -> str:
    """Write the description in YAML; texts are quoted as JSON, which is YAML, too."""
    rows = []
    for index, name in enumerate(columns):
        rows += [
            f"      - title: {json.dumps(name, ensure_ascii=False)}",
            f"        key: {name}",
            f"        index: {index}",
            "        sorting: desc",
            "        precision: 2",
        ]
    return template("competition.yaml").format(
        title=json.dumps(title, ensure_ascii=False),
        image=IMAGE,
        columns="\n".join(rows),
    )


def _vendor_packages() -> tuple[dict[str, bytes], list[str]]:
    """Collect scoref and its libraries, and list them with their versions."""
    package = Path(__file__).parents[2]
    contents = {
        _vendor("scoref", *file.relative_to(package).parts): _content(file)
        for file in sorted(package.rglob("*"))
        if file.is_file() and not _LEFT_OUT & {*file.relative_to(package).parts}
    }
    is_that_python = sys.version_info[:2] == PYTHON and sys.platform == "linux"
    collect = _installed_libraries if is_that_python else _download_libraries
    libraries, versions = collect()
    return contents | libraries, [f"scoref {__version__}", *versions]


def _vendor(*parts: str) -> str:
    return "/".join(("scoring_program/vendor", *parts))


def _installed_libraries() -> tuple[dict[str, bytes], list[str]]:
    """Copy libraries from the running Python, which has the image's version."""
    contents, versions = {}, []
    for name in LIBRARIES:
        library = distribution(name)
        for file in library.files or ():
            if file.parts[0].split(".")[0] in {name, f"{name}-{library.version}"}:
                contents[_vendor(*file.parts)] = _content(Path(str(file.locate())))
        versions.append(f"{name} {library.version}")
    return contents, versions


def _download_libraries() -> tuple[dict[str, bytes], list[str]]:
    """Download the builds for the image's Python with pip."""
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
                hint=f"Run this command with Python {version} on Linux, where the "
                "packages can be copied.",
            )
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.infolist():
                    if not member.is_dir():
                        contents[_vendor(member.filename)] = archive.read(member)
        return contents, [" ".join(wheel.name.split("-")[:2]) for wheel in wheels]


def _content(file: Path) -> bytes:
    """Read a file without unpacking it."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise UnreadableFileError.of(error, str(file)) from error
