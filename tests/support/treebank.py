"""CoNLL-2012 with parses, written from trees in brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.formats.reading import read_data

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.scheme import Reading

_STEP = re.compile(r"\((\S+) ([^\s()]+)\)|\((\S+)|(\))")


def rows(tree: str) -> list[tuple[str, str, str]]:
    """List the words of a tree with their tags and pieces.

    >>> rows("(NP (DT the) (NN dog))")
    [('the', 'DT', '(NP*'), ('dog', 'NN', '*)')]
    """
    found: list[tuple[str, str, str]] = []
    opening = ""
    for tag, word, phrase, _ in _STEP.findall(tree):
        if word:
            found.append((word, tag, f"{opening}*"))
            opening = ""
        elif phrase:
            opening += f"({phrase}"
        else:
            found[-1] = (*found[-1][:2], f"{found[-1][2]})")
    return found


def document(*trees: str, cells: str = "", name: str = "(d); part 000") -> str:
    """Write a sentence for each tree; ``cells`` are the brackets, '-' if too few."""
    sentences = [rows(tree) for tree in trees]
    column = iter([*cells.split(), *["-"] * sum(map(len, sentences))])
    text = "\n".join(
        "".join(
            f"d 0 {number} {word} {tag} {piece} - - - - * {next(column)}\n"
            for number, (word, tag, piece) in enumerate(sentence)
        )
        for sentence in sentences
    )
    return f"#begin document {name}\n{text}\n#end document\n"


def key(text: str, reading: Reading = "strict") -> Corpus:
    """Read a key with its parses."""
    return read_data(
        text.encode(),
        source="key.conll",
        role="key",
        format="conll-2012",
        reading=reading,
        layer="parses",
    )


def response(text: str, reading: Reading = "strict") -> Corpus:
    """Read a response."""
    return read_data(
        text.encode(),
        source="response.conll",
        role="response",
        format="conll-2012",
        reading=reading,
        layer="parses",
    )
