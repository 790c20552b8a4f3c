"""Write the manual pages into the wheel while it is built."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface[Any]):
    """Make the pages of `share/man/man1` from the commands in the source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the pages to a temporary folder, and name them to the builder."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            from scoref.cli.man import pages
        finally:
            del sys.path[0]
        self._folder = TemporaryDirectory()
        for name, write in pages().items():
            path = Path(self._folder.name, f"{name}.1")
            path.write_text(write(), encoding="ascii")
            build_data["shared_data"][str(path)] = f"share/man/man1/{name}.1"

    def finalize(
        self, version: str, build_data: dict[str, Any], artifact_path: str
    ) -> None:
        """Remove the temporary folder when the wheel is complete."""
        del version, build_data, artifact_path
        if hasattr(self, "_folder"):
            self._folder.cleanup()
