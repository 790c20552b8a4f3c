"""Write the output of commands on pages anew: ``python tests/refresh_pages.py``.

Output that a page shortens with dots is left alone, and listed if it has changed.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]
from support.pages import is_as_shown, run_page
from support.paths import ROOT

STREAMS = ("note: ", "warning: ", "error: ")


def refresh(page: Path, folder: Path) -> None:
    """Replace what a page shows, command by command."""
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


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    for path in sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")]):
        with tempfile.TemporaryDirectory() as made:
            os.chdir(made)
            refresh(path, Path(made))
            os.chdir(ROOT)
