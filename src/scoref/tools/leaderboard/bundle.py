"""A whole competition for Codabench: pages, scoring program, reference, starting kit.

The scoring program carries what it needs, since a worker may have no network: scoref
and its two small libraries, unpacked. NumPy and SciPy are those of the image. One of
the libraries is compiled, so it must be the build for the image's Python: it is taken
from here if this is that Python, and fetched by pip if not.
"""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.errors import FormatError, OptionError
from scoref.scoring.folders import files_in, named_files
from scoref.tools.leaderboard.scores import column_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

IMAGE, PYTHON = "codalab/codalab-legacy:py312", (3, 12)
LIBRARIES = ("click", "msgspec")
_LEFT_OUT = {"__pycache__", "docs"}
_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA"
    "AABJRU5ErkJggg=="
)

RUN = '''\
"""Score a submission with scoref, which lies in vendor/."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "vendor"))
source, output = sys.argv[1], sys.argv[2]
sys.argv = [
    "scoref",
    "leaderboard",
    os.path.join(source, "ref"),
    os.path.join(source, "res"),
    output,
    *{options!r},
]
from scoref.cli import main  # noqa: E402

main()
'''

OVERVIEW = """\
# {title}

Say here what the task is, and who you are.

The datasets are {datasets}.
"""

EVALUATION = """\
# Evaluation

Submissions are scored by [scoref](https://pypi.org/project/scoref/) {version} with

    scoref leaderboard REFERENCE SUBMISSION OUTPUT {options}

`conll` is the mean F1 of MUC, B³ and CEAFe in percent, averaged over all datasets; a
dataset that is missing or cannot be read counts as 0, and the log says why. Before you
hand in, run `scoref check` on your files.
"""

TERMS = "# Terms\n\nSay here what participants agree to.\n"

KIT = """\
# Starting kit

Hand in a zip with one file for each dataset, called like these:

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
    folder: Path, reference: Path, title: str, options: Iterable[str]
) -> list[str]:
    """Write a bundle, and say what was taken for it.

    Raises:
        OptionError: there is something in the folder already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty: give a new folder for the bundle")
    given = list(options)
    names = list(named_files(reference))
    taken = _vendored(folder / "scoring_program" / "vendor")
    for path, text in _texts(title, reference, names, given).items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (folder / "logo.png").write_bytes(base64.b64decode(_PIXEL))
    for file in files_in(reference):
        _copy(file, folder / "reference_data" / file.name)
    return taken


def _texts(
    title: str, reference: Path, names: list[str], options: list[str]
) -> Mapping[str, str]:
    words = {
        "title": title,
        "datasets": ", ".join(names),
        "version": __version__,
        "options": " ".join(options),
        "files": "\n".join(f"- {file.name}" for file in files_in(reference)),
    }
    return {
        "competition.yaml": _competition(title, names),
        "pages/overview.md": OVERVIEW.format_map(words),
        "pages/evaluation.md": EVALUATION.format_map(words),
        "pages/terms.md": TERMS,
        "scoring_program/metadata.yaml": "command: python3 run.py /app/input "
        "/app/output\n",
        "scoring_program/run.py": RUN.format(options=options),
        "starting_kit/README.md": KIT.format_map(words),
    }


def _competition(title: str, names: list[str]) -> str:
    """Write the description in YAML; texts are quoted as JSON, which is YAML, too."""
    columns = ["conll", *map(column_name, names)]
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
    import json  # noqa: PLC0415 - for bundles only

    return json.dumps(text, ensure_ascii=False)


def _vendored(folder: Path) -> list[str]:
    """Put scoref and its libraries there, and say which."""
    package = Path(__file__).parents[2]
    for file in package.rglob("*"):
        inside = file.relative_to(package)
        if file.is_file() and not _LEFT_OUT & {*inside.parts}:
            _copy(file, folder / "scoref" / inside)
    taken = [f"scoref {__version__}"]
    is_that_python = sys.version_info[:2] == PYTHON and sys.platform == "linux"
    return taken + (_copied(folder) if is_that_python else _fetched(folder))


def _copied(folder: Path) -> list[str]:
    """Take libraries from the Python that runs, which is the image's."""
    taken = []
    for name in LIBRARIES:
        found = distribution(name)
        for file in found.files or ():
            if file.parts[0].split(".")[0] in {name, f"{name}-{found.version}"}:
                _copy(Path(str(file.locate())), folder / file)
        taken.append(f"{name} {found.version}")
    return taken


def _fetched(folder: Path) -> list[str]:
    """Let pip fetch the builds for the image's Python."""
    version = ".".join(map(str, PYTHON))
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    which = ["--only-binary", ":all:", "--python-version", version]
    platform = ["--platform", "manylinux2014_x86_64"]
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
                source=str(folder),
                hint=f"run this with Python {version} on Linux, where they are copied",
            )
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(folder)
        return ["-".join(wheel.name.split("-")[:2]) for wheel in wheels]


def _copy(file: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(file.read_bytes())
