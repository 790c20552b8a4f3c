"""Arrow and Feather files, looked through before anybody relies on them.

Arrow reads without looking: a damaged offset is followed wherever it leads, and that
ends the process. So every batch is validated first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import FormatError
from scoref.tables.extras import extra

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_arrow(paths: Sequence[str]) -> list[str]:
    """Refuse files that are damaged; give the names of the first one's columns."""
    arrow = extra("pyarrow")
    names: list[str] | None = None
    for path in paths:
        try:
            with arrow.memory_map(path) as file:
                reader = extra("pyarrow.ipc").open_file(file)
                for number in range(reader.num_record_batches):
                    reader.get_batch(number).validate(full=True)
                names = names or [str(name) for name in reader.schema.names]
        except (arrow.ArrowException, OSError, ValueError, KeyError) as error:
            problem = str(error).partition("\n")[0]
            raise FormatError(f"cannot be read: {problem}", source=path) from error
    return names or []
