"""Universal Anaphora as its tests write and read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.formats import universal_anaphora
from scoref.formats.ua_writer import write

if TYPE_CHECKING:
    from scoref.model import Anaphora, Corpus, Words

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def conllu(*ids: str) -> str:
    """Write a sentence without mentions."""
    return "".join(f"{n}\tw{n}\t_\tNOUN\t_\t_\t0\tx\t_\tA=1\n" for n in ids) + "\n"


def ua(*words: str, header: str = HEADER) -> str:
    """Write document d; words are such as '3.1 (e1:m1)', see `row`."""
    lines = []
    for word in words:
        number, *cells = with_keys(word).split()
        cells += "_" * (3 - len(cells))
        lines.append(conllu(number).strip() + "\t" + "\t".join([*cells, *"__"]) + "\n")
    return f"{header}# newdoc id = d\n{''.join(lines)}\n"


def document(*words: str) -> str:
    """Write document d without a line that names the columns."""
    return "# newdoc id = d\n" + "".join(map(row, words))


def row(word: str) -> str:
    """Write the line of a word such as '3.1 (e1:m1)': an id and up to three cells."""
    text = with_keys(word)
    number, *cells = text.split(" ")
    return "\t".join([number, "w", *"________", *cells, *"___"[len(cells) :]]) + "\n"


def with_keys(text: str) -> str:
    """Replace '(e1:m1' by '(EntityID=e1|MarkableID=m1'.

    >>> with_keys("(e1:m1|Min=2(x-7:m2)")
    '(EntityID=e1|MarkableID=m1|Min=2(EntityID=x-7|MarkableID=m2)'
    """
    return re.sub(r"\(([^:()|=]+):([^()| ]+)", r"(EntityID=\1|MarkableID=\2", text)


def read_back(text: str | bytes, *, deixis: bool = False) -> Corpus:
    """Read text or bytes."""
    data = text.encode() if isinstance(text, str) else text
    return universal_anaphora.read(data, source="x.ua", deixis=deixis)


def put_into(corpus: Corpus, base: str, *, deixis: bool = False) -> str:
    """Write a corpus into a text."""
    return write(corpus, base.encode(), source="base.ua", deixis=deixis).decode()


def words_of(corpus: Corpus) -> Words:
    """Return the words of a corpus, which must have some."""
    assert corpus.words is not None
    return corpus.words


def anaphora_of(corpus: Corpus) -> Anaphora:
    """Return the anaphora of a corpus, which must have some."""
    assert corpus.anaphora is not None
    return corpus.anaphora


def cells_of(text: str, column: int = 10) -> list[str]:
    """List the cells of a column, of words only."""
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    return [line.split("\t")[column] for line in lines]
