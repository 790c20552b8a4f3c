"""A side on disk, cut into pieces, where it does not fit into memory.

A mention goes by its hash, so that equal ones of both sides are in pieces of the same
number: what is joined or told apart piece by piece is so as a whole. The number of
pieces is a power of two, so that sides of unequal size can be joined in as many passes
as either has pieces, or in fewer. The hash is the last column, and stays in the file.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from errno import EDQUOT, EFBIG, ENOSPC
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.errors import OptionError
from scoref.tables.extras import extra

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

_FULL = (ENOSPC, EDQUOT, EFBIG)


class SidePieces:
    """The pieces of one side, as Arrow files."""

    def __init__(
        self, folder: Path, schema: object, batches: Iterable[Any], count: int
    ) -> None:
        self.count = count
        self._folder = folder
        try:
            self._write(schema, batches)
        except OSError as error:
            advice = "give more memory by --memory"
            if error.errno in _FULL:
                advice = f"set TMPDIR to a folder with more room, or {advice}"
            raise OptionError(
                f"what does not fit into memory cannot be written to {folder.parent}: "
                f"{error.strerror or error}; {advice}"
            ) from error

    def count_different(self) -> int | None:
        """Count rows, if the hashes of all differ."""
        count = 0
        for number in range(self.count):
            hashes = _hashes(self.table(number, self.count))
            if not all_differ(hashes):
                return None
            count += len(hashes)
        return count

    def table(self, number: int, passes: int) -> Any:  # noqa: ANN401 - of Arrow
        """Give the pieces of a pass, as they lie on disk, as one table."""
        numbers = range(number, self.count, passes)
        arrow, ipc = extra("pyarrow"), extra("pyarrow.ipc")
        maps = [arrow.memory_map(str(self._piece(each))) for each in numbers]
        return arrow.concat_tables([ipc.open_file(each).read_all() for each in maps])

    def remove(self) -> None:
        """Give the room on disk back."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, schema: object, batches: Iterable[Any]) -> None:
        ipc = extra("pyarrow.ipc")
        with ExitStack() as files:
            writers = [
                files.enter_context(ipc.new_file(str(self._piece(n)), schema))
                for n in range(self.count)
            ]
            for batch in batches:
                for writer, piece in zip(writers, _cut(batch, self.count), strict=True):
                    writer.write_batch(piece)

    def _piece(self, number: int) -> Path:
        return self._folder / f"{number}.arrow"


def _cut(batch: Any, count: int) -> Iterable[Any]:  # noqa: ANN401
    """Cut rows by their hashes."""
    hashes = np.asarray(np.from_dlpack(batch.column(-1)), dtype=np.uint64)
    piece = (hashes % np.uint64(count)).astype(np.uint8)
    order = np.argsort(piece, kind="stable")
    sorted_rows = batch.take(extra("pyarrow").array(order))
    sizes = np.bincount(piece, minlength=count)
    starts = np.cumsum(sizes) - sizes
    return map(sorted_rows.slice, starts.tolist(), sizes.tolist())


def _hashes(table: Any) -> Hashes:  # noqa: ANN401
    """Give the last column of a table, as an array of its own."""
    chunks = [np.from_dlpack(chunk) for chunk in table.column(-1).chunks]
    return np.concatenate([np.empty(0, dtype=np.uint64), *chunks])


def all_differ(hashes: Hashes) -> bool:
    """Tell whether no hash is there twice; this sorts them."""
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()
