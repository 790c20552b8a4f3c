"""Where values of JSON start in a file, and where it is damaged."""

from __future__ import annotations

import pytest

from scoref import FormatError
from scoref.formats.json_documents import first_fields, values


def listed(data: bytes) -> list[tuple[bytes, int, str]]:
    found = values(data, "x")
    return [(bytes(each.data).strip(), each.line, each.path) for each in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"[]", []),
        (b'{"a":1}\n\n{"b":2}', [(b'{"a":1}', 1, ""), (b'{"b":2}', 3, "")]),
        (b'\xef\xbb\xbf\n{"a":1}\n', [(b'{"a":1}', 2, "")]),
        (b'{\n"a":1}\n{"b":\n2}\n', [(b'{\n"a":1}', 1, ""), (b'{"b":\n2}', 3, "")]),
        (
            b'\n[\n {"a":1},\n\n {"b":[1,\n2]}, {"c":3}]',
            [
                (b'{"a":1}', 3, "[0]"),
                (b'{"b":[1,\n2]}', 5, "[1]"),
                (b'{"c":3}', 6, "[2]"),
            ],
        ),
        # A damaged line does not make one object of a file of lines.
        (b'{"a":1\n{"b":1}\n', [(b'{"a":1', 1, ""), (b'{"b":1}', 2, "")]),
    ],
)
def test_values_are_lines_items_or_objects_over_many_lines(
    data: bytes, expected: list[tuple[bytes, int, str]]
) -> None:
    assert listed(data) == expected


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{\n"a":1,\n"b":}\n', 3),
        (b'{\n"a":1\n', 2),
        (b'[{"a":1},\n{"b"', 2),
        (b'{\n"a":1}\n{"b":\n2', 4),
        (b'[{"a":1}] x', 1),
    ],
)
def test_damage_is_told_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(FormatError, match="this is no JSON") as caught:
        listed(data)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b'{"a":{"x":1},"b":[{"y":2}]}', ["a", "b"]),
        (b'{"a":{"x":1},"b":[{"y":2', ["a", "b"]),
        (b'{"a\\"":"{[","b":1', ['a\\"', "b"]),
        (b'[{"a":1},{"b"', ["a"]),
        (b'{"a":1\n{"b":1}\n', ["b"]),
    ],
)
def test_fields_are_those_of_the_top_level_even_if_cut_off(
    data: bytes, names: list[str]
) -> None:
    assert [*next(first_fields(data))] == names
