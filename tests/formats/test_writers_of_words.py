"""What the writers of one format do with a corpus of the other one."""

from __future__ import annotations

import pytest

from scoref import AlignmentError
from scoref.formats import corefud_writer, ua_writer
from scoref.formats.reading import read, read_data
from support.paths import EXAMPLES

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
BASE = f"# global.columns = {COLUMNS} IDENTITY\n# newdoc id = a\n"


def test_universal_anaphora_is_not_taken_for_corefud() -> None:
    corpus = read(EXAMPLES / "ua-key.ua", role="key")
    base = (EXAMPLES / "corefud-key.conllu").read_bytes()
    with pytest.raises(AlignmentError, match="counted by document"):
        corefud_writer.write(corpus, base)


def test_split_antecedents_of_corefud_are_written() -> None:
    rows = [
        "1\tAda\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)",
        "2\tBob\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2--1-)",
        "3\tthey\t_\t_\t_\t_\t_\t_\t_\tEntity=(e3--1-)|SplitAnte=e1<e3,e2<e3",
    ]
    text = "# global.Entity = eid-etype-head-other\n# newdoc id = a\n"
    corpus = read_data(
        (text + "\n".join(rows) + "\n\n").encode(), source="key", role="key"
    )
    base = (
        BASE + "\n".join(f"{row.rpartition(chr(9))[0]}\t_\t_" for row in rows) + "\n\n"
    )
    written = ua_writer.write(corpus, base.encode())
    back = read_data(written, source="back", role="key")
    assert back.anaphora is not None
    assert len(back.mention_entity) == 3
    assert len(back.anaphora.plural) == 2
