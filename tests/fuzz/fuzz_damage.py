"""Files with something wrong in them, all drawn from one seed."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

EXAMPLES = Path(__file__).parents[2] / "examples"
PIECES = [
    *(
        b"",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b"\t",
        b" ",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\0",
    ),
    *(b"\x1b[31m", b"\x1b]0;x\x07", "\u202e".encode(), "\u2028".encode(), b"\x0b"),
    *(
        b"(",
        b")",
        b"|",
        b"(1",
        b"1)",
        b"(1)",
        b"-",
        b"_",
        b"*",
        b"\\",
        b"/",
        b"%",
        b"=",
    ),
    *(b"#begin document ", b"#begin document (d); part 000\n", b"#end document\n"),
    *(
        b"# newdoc id = d\n",
        b"# newdoc\n",
        b"# sent_id = 1\n",
        b"# global.Entity = eid",
    ),
    *(b"# global.columns = ID FORM IDENTITY\n", b"Entity=", b"1.1\t", b"1-2\t", b"0\t"),
    *(b"(e1-x-1-", b"e1)", b"(e1[1/2]-x-1-)", b"(e1[2/2]-x-1-)", b"SplitAnte=e1<e2"),
    *(b"(EntityID=e1|MarkableID=m1", b"|Min=99", b"|Min=1,1", b"ElementOf=e2", b"m1)"),
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"null", b"true", b"1e999", b"NaN"),
    *(
        b"[[0, 1]]",
        b"[]",
        b"-1",
        b"1.5",
        b'"clusters": 3',
        b'"doc_key": []',
        b"\\ud800",
    ),
    *(b"9" * 30, b"4294967296", b"9223372036854775808", b"00", "１".encode()),
    *(b"](#1)", b"[Ada](#", b"|[e1", b"|e1]", b'<m id="1">', b"</m>", b"((1: ", b"```"),
]


def damaged(data: bytes, random: Random) -> bytes:
    """Do something to a file, once or a few times; seldom, nothing at all."""
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 6))):
        data = random.choice(_WAYS)(data, random)
    return data if random.random() < 0.97 else _packed(data, random)


def _place(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((0, 0, 1, 1, 3, 12)))


def _pieced(data: bytes, random: Random) -> bytes:
    start, end = _place(data, random)
    return data[:start] + random.choice(PIECES) + data[end:]


def _flipped(data: bytes, random: Random) -> bytes:
    start, _ = _place(data, random)
    return data[:start] + bytes([random.randrange(256)]) + data[start + 1 :]


def _cut(data: bytes, random: Random) -> bytes:
    return data[: _place(data, random)[0]]


def _repeated(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    end = random.randint(start, min(len(data), start + 200))
    return data[:end] + data[start:end] * random.choice((1, 1, 2, 20)) + data[end:]


def _lines_moved(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if lines:
        line = lines.pop(random.randrange(len(lines)))
        for _ in range(random.choice((0, 1, 2))):
            lines.insert(random.randint(0, len(lines)), line)
    return b"".join(lines)


def _cells_moved(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    row = random.randrange(len(lines))
    mark = random.choice((b"\t", b",", b" ", b"|"))
    cells = lines[row].split(mark)
    random.shuffle(cells)
    lines[row] = mark.join(cells[: random.randint(0, len(cells) + 1)])
    return b"\n".join(lines)


def _packed(data: bytes, random: Random) -> bytes:
    data = gzip.compress(data, mtime=0)
    return _cut(data, random) if random.random() < 0.5 else data


_WAYS: list[Callable[[bytes, Random], bytes]] = [
    *(_pieced, _pieced, _pieced, _flipped, _cut),
    *(_repeated, _lines_moved, _cells_moved),
]
