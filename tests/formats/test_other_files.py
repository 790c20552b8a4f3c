"""Files that are none of ours are called what they are."""

import pytest

from scoref import FormatError
from scoref.formats import read_data


@pytest.mark.parametrize(
    ("data", "problem", "hint"),
    [
        ("a\tb".encode("utf-16"), "this is UTF-16", "iconv"),
        (b"\x7fELF\0\0\0", "this is a binary file", "text"),
        (b'[\n  {"doc_key": "a"}]', "this is one JSON array, not JSON lines", "jq"),
        (
            b"# A title\n\nSome words.\n",
            "'words.' is no coreference annotation",
            "there is no line '#begin document' either: is this CoNLL-2012?",
        ),
    ],
)
def test_other_files_are_refused_by_their_names(
    data: bytes, problem: str, hint: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_data(data, source="x", role="key")
    assert caught.value.problem == problem
    assert hint in caught.value.hint
