"""Write the output of commands and examples on pages anew.

``python tests/refresh_pages.py [PAGE…]`` changes the pages of the documentation, or
those that are given. Output that a page shortens with dots is left alone, and listed if
it has changed.
"""

import doctest
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]
from support.pages import is_as_shown, run_page
from support.paths import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
STREAMS = ("note: ", "warning: ", "error: ")


def refresh_commands(page: Path, folder: Path) -> None:
    """Replace the output that a page shows, command by command."""
    text = page.read_text("utf-8")
    for command, printed in run_page(page, folder):
        if command.shown and not is_as_shown(command, printed):
            if "…" in command.shown:
                print(f"{page}: has changed: {command.line}")
                continue
            has_notes = any(stream in command.shown for stream in STREAMS)
            output = printed.text if has_notes else printed.stdout
            text = text.replace(f"\n{command.shown}\n", f"\n{output.rstrip()}\n")
    page.write_text(text, "utf-8")


class _Refresher(doctest.DocTestRunner):
    """Collects the examples whose output has changed."""

    def __init__(self) -> None:
        super().__init__(optionflags=FLAGS)
        self.changed: list[tuple[str, str]] = []

    def report_failure(
        self, out: object, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        del out
        if "..." in example.want or not example.want:
            message = f"{test.filename}: has changed: {example.source.strip()}\n{got}"
            print(message, file=sys.stderr)  # doctest captures standard output
            return
        got = re.sub(rf"{tempfile.gettempdir()}/[^/]+/", ".../", got)
        before, after = (
            f"{_indented(example.source, '>>> ', '... ')}{output}"
            for output in (example.want, got)
        )
        self.changed.append((before, after))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, info: object
    ) -> None:
        del out, info
        print(f"{test.filename}: fails: {example.source.strip()}", file=sys.stderr)


def _indented(source: str, first: str, others: str) -> str:
    lines = source.splitlines()
    marks = [first, *[others] * (len(lines) - 1)]
    return "".join(
        f"{mark}{line}".rstrip() + "\n" for mark, line in zip(marks, lines, strict=True)
    )


def refresh_examples(page: Path) -> None:
    """Replace the output of Python examples."""
    text = page.read_text("utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    refresher = _Refresher()
    refresher.run(test, out=lambda _: None)
    for before, after in refresher.changed:
        text = text.replace(before, after)
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    given = [Path(page).resolve() for page in sys.argv[1:]]
    for path in given or sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")]):
        with tempfile.TemporaryDirectory() as made:
            os.chdir(made)
            refresh_commands(path, Path(made))
            os.chdir(ROOT)
        refresh_examples(path)
