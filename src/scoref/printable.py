r"""Functions that escape control characters in text before it is shown.

Names, tokens and answers of models come from files that were never checked. An escape
sequence in them could colour, clear or retitle a terminal, a line break could imitate a
line of output, and a direction mark could reverse a line.

Text in messages and tables goes through `printable`, which returns a single line. All
text that a command prints also goes through `printable_lines`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_JOINERS = "\u200c\u200d"  # Persian words and emoji have them


def printable(text: str) -> str:
    r"""Escape characters that would control a terminal instead of being shown.

    >>> print(printable("a\x1b[31mb\n\u202ec"))
    a\x1b[31mb\n\u202ec
    """
    if text.isprintable():
        return text
    return "".join(
        each.encode("unicode_escape", "surrogatepass").decode("ascii")
        if _steers(each)
        else each
        for each in text
    )


def counted(count: int, what: str, several: str = "") -> str:
    """Write a count and what is counted, in the singular or in the plural.

    >>> counted(1, "error"), counted(2000, "error"), counted(2, "is", "are")
    ('1 error', '2,000 errors', '2 are')
    """
    return f"{count:,} {what if count == 1 else several or f'{what}s'}"


def without_folders(names: Sequence[str], paths: Collection[str]) -> list[str]:
    """Keep only the last parts of names that are paths: as few as tell them apart.

    >>> names = ["a/x/1.conll", "b/x/1.conll", "ours/2"]
    >>> without_folders(names, {"a/x/1.conll", "b/x/1.conll"})
    ['a/x/1.conll', 'b/x/1.conll', 'ours/2']
    >>> without_folders(names[1:], {"b/x/1.conll"})
    ['1.conll', 'ours/2']
    """
    whole = {name: os.path.abspath(name).split(os.sep) for name in names}
    most = max(map(len, whole.values()), default=1)
    short: list[str] = []
    for length in range(1, most + 1):
        short = [
            "/".join(whole[name][-length:]) if name in paths else name for name in names
        ]
        if len({*short}) == len(short):
            break
    return short


def describe(value: object) -> str:
    """Describe a value of a wrong kind in a few words, for a message.

    >>> describe([1, 2]), describe(None), describe({"a": 1}), describe(1.5)
    ('a list of 2 numbers', 'None', "a dict with the key 'a'", 'a float')
    """
    kind = type(value).__name__
    article = "an" if kind[:1].lower() in "aeiou" or kind == "ndarray" else "a"
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the text {shortened(value)!r}" + (
            f" of {len(value):,} characters" if len(value) > _SHOWN else ""
        )
    if isinstance(value, bytes | bytearray | memoryview):
        return counted(len(value), "byte")
    shape, columns = getattr(value, "shape", None), getattr(value, "columns", None)
    is_frame = hasattr(columns, "__iter__") and hasattr(value, "__getitem__")
    if columns is not None and is_frame:
        return f"{article} {kind} with {_named('column', columns)}"
    if isinstance(shape, tuple):
        return f"{article} {kind} of shape {tuple(map(int, shape))}"
    if isinstance(value, dict):
        return f"{article} {kind} with {_named('key', value)}" if value else "{}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"{article} {kind} of {_members(value)}" if value else f"an empty {kind}"
    return f"{article} {kind}"


def side_name(role: str) -> str:
    """Name a side, a system or an annotator in a sentence.

    >>> side_name("key"), side_name("ours")
    ('the key', "'ours'")
    """
    return f"the {role}" if role in _ROLES else repr(shortened(role))


_ROLES = frozenset(
    ("key", "response", "file", "data", "base", "output", "gold", "system")
)

_SHOWN = 40
"""Characters of a text that a message quotes."""


def shortened(text: str) -> str:
    """Shorten a text to its beginning.

    >>> shortened("a short text"), len(shortened("a" * 1000))
    ('a short text', 40)
    """
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_MOST_NAMES = 4


def _named(what: str, names: Iterable[object]) -> str:
    """List a few names of columns or keys."""
    texts = [repr(shortened(str(name))) for name in names]
    more = len(texts) - _MOST_NAMES
    listed = ", ".join(texts[:_MOST_NAMES]) + (
        f" and {more:,} more" if more > 0 else ""
    )
    return f"the {what}{'' if len(texts) == 1 else 's'} {listed}"


def _members(values: Collection[object]) -> str:
    """Count the members of a collection, by their type if they have the same."""
    types = {type(value) for value in values}
    if all(issubclass(kind, int | float) for kind in types):
        return counted(len(values), "number")
    names: dict[type, str] = {
        str: "text",
        list: "list",
        tuple: "tuple",
        dict: "dict",
        set: "set",
    }
    kind = next(iter(types))
    if len(types) > 1 or kind not in names:
        return counted(len(values), "value")
    return counted(len(values), names[kind])


def called(message: str) -> str:
    """Put ``note:`` before a message, unless it is a warning.

    >>> called("1 document is empty"), called("warning: 9 documents are empty")
    ('note: 1 document is empty', 'warning: 9 documents are empty')
    """
    return message if message.startswith("warning: ") else f"note: {message}"


def warnings_first(messages: Iterable[str]) -> list[str]:
    """Return each message once, with warnings before notes.

    >>> warnings_first(["1 is new.", "warning: 2 are odd.", "1 is new."])
    ['warning: 2 are odd.', '1 is new.']
    """
    once = dict.fromkeys(messages)
    return sorted(once, key=lambda message: not message.startswith("warning: "))


def printable_lines(text: str) -> str:
    """Escape the same characters, except for line breaks and tabs."""
    return "\n".join(
        "\t".join(map(printable, line.split("\t"))) for line in text.split("\n")
    )


def printable_in_place(text: str) -> str:
    r"""Replace control characters by dots, so that columns stay where they are.

    >>> printable_in_place("a\tb\x1b[31m")
    'a b·[31m'
    """
    if text.isprintable():
        return text
    return "".join("·" if _steers(each) else each for each in text.replace("\t", " "))


def printable_json(text: str) -> str:
    r"""Escape the same characters as JSON does, so that readers get them back.

    >>> print(printable_json('["\u202e"]'))
    ["\u202e"]
    """
    return "\n".join(
        line
        if line.isprintable()
        else "".join(escaped_in_json(each) if _steers(each) else each for each in line)
        for line in text.split("\n")
    )


def _steers(character: str) -> bool:
    """Tell whether a character may control a terminal."""
    return not character.isprintable() and character not in _JOINERS


def escaped_in_json(character: str) -> str:
    r"""Write a character as JSON does in ASCII.

    >>> print(escaped_in_json("Δ"), escaped_in_json("😀"))
    \u0394 \ud83d\ude00
    """
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
