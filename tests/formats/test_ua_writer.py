"""Universal Anaphora, written: the same mentions come back; nothing else is touched."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from scoref import FormatError
from scoref.formats.ua_writer import write
from support.paths import ROOT
from support.ua_files import (
    HEADER,
    anaphora_of,
    conllu,
    put_into,
    read_back,
    ua,
    words_of,
)

if TYPE_CHECKING:
    from scoref.model import Corpus


SHARED = ROOT.parent / "shared" / "golden"

GOLDEN = sorted(SHARED.glob("ua/*.ua"))


def _found(corpus: Corpus) -> dict[str, object]:
    """Give all that a corpus says, without the order of what starts together."""
    words, anaphora = words_of(corpus), anaphora_of(corpus)
    assert words.minimum is not None
    members = np.split(words.member, words.start[1:-1])
    minimums = np.split(words.minimum.member, words.minimum.start[1:-1])
    documents = corpus.entity_document.tolist()
    entities = list(zip(documents, corpus.entity_label, strict=True))
    names = [
        (documents[entity], anaphora.markable[row])
        for row, entity in enumerate(corpus.mention_entity.tolist())
    ]
    return {
        "mentions": sorted(
            (name, entities[entity], member.tolist(), minimum.tolist())
            for name, entity, member, minimum in zip(
                names, corpus.mention_entity.tolist(), members, minimums, strict=False
            )
        ),
        "pseudo": {entities[row] for row in np.flatnonzero(~anaphora.is_referring)},
        "plurals": {
            (entities[plural], entities[element])
            for plural, element in zip(anaphora.plural, anaphora.element, strict=True)
        },
        "bridges": {
            (names[anaphor], names[antecedent], relation)
            for anaphor, antecedent, relation in zip(
                anaphora.anaphor, anaphora.antecedent, anaphora.relation, strict=True
            )
        },
    }


@dataclass
class _Document:
    """The lines of a document, and what stands in their cells."""

    ids: list[str] = field(default_factory=list)
    identity: dict[int, str] = field(default_factory=dict)
    bridging: dict[int, str] = field(default_factory=dict)

    def add(self, cells: dict[int, str], line: int, text: str) -> None:
        cells[line] = cells.get(line, "") + text

    def add_mention(self, name: str, opening: str, lines: list[int]) -> None:
        """Write brackets with names in the plainest way, a part for each run."""
        words = [line for line, node in enumerate(self.ids) if "." not in node]
        places = [words.index(line) if line in words else -9 for line in lines]
        for at, place in enumerate(places):
            is_first = at == 0 or places[at - 1] != place - 1
            is_last = at == len(places) - 1 or places[at + 1] != place + 1
            line = lines[at]
            if is_first:
                self.add(self.identity, line, opening + ")" * is_last)
            elif is_last:
                before = self.identity.get(line, "")
                self.identity[line] = f"{name}){before}"


@st.composite
def _documents(draw: st.DrawFn) -> _Document:
    document = _Document()
    for number in range(1, draw(st.integers(1, 8)) + 1):
        document.ids += ["0.1"] * (number == 1 and draw(st.booleans()))
        document.ids += [f"{number}-{number + 1}"] * draw(_SELDOM)
        document.ids += [
            str(number),
            *[f"{number}.{k}" for k in (1, 2)][: draw(_ZEROS)],
        ]
    zeros = [line for line, node in enumerate(document.ids) if "." in node]
    words = [line for line, node in enumerate(document.ids) if "." not in node]
    sets = st.sets(st.sampled_from(words), min_size=1, max_size=6).map(sorted)
    spans = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(
        lambda ends: words[min(ends) : max(ends) + 1]
    )
    choices = [sets, spans, spans]
    choices += [st.sampled_from(zeros).map(lambda line: [line])] * bool(zeros)
    pseudo = draw(st.sampled_from([(), ("e2",), ("e1", "g")]))
    firsts = []
    for row, lines in enumerate(draw(st.lists(st.one_of(choices), max_size=7))):
        entity = draw(st.sampled_from(["e1", "e2", "x-7", "g"]))
        opening = (
            f"(EntityID={entity}{'-Pseudo' * (entity in pseudo)}|MarkableID=m{row}"
        )
        ends = draw(st.tuples(*[st.integers(1, len(words))] * 2))
        text = (
            f"|Min={min(ends)},{max(ends)}" if ends[0] != ends[1] else f"|Min={ends[0]}"
        )
        opening += draw(st.sampled_from(["", text]))
        opening += draw(st.sampled_from(["", "", "|ElementOf=g", "|ElementOf=e1,e2"]))
        document.add_mention(f"m{row}", opening, lines)
        firsts.append(lines[0])
    for row, line in enumerate(firsts):
        if draw(st.booleans()):
            relation = draw(st.sampled_from(["", "|Rel=part"]))
            anchor = draw(st.integers(0, len(firsts) - 1))
            text = f"(MarkableID=m{row}{relation}|MentionAnchor=m{anchor})"
            document.add(document.bridging, line, text)
    return document


_GARBAGE = ["", "\n", "\t", "\r", "#", " ", "9", ".", "-", "(", "# newdoc\n", HEADER]

_ZEROS = st.sampled_from([0, 0, 0, 1, 2])

_SELDOM = st.sampled_from([0, 0, 0, 1])


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a file, and the same without its last five columns."""
    full, plain = [HEADER], [""]
    for number, document in enumerate(draw(st.lists(_documents(), min_size=1))):
        comment = f"# newdoc id = d{number}\n"
        lines, bare = [comment], [comment]
        for line, node in enumerate(document.ids):
            bare.append(conllu(node).rstrip() + "\n" * draw(st.sampled_from([1, 1, 2])))
            cells = document.identity.get(line, "_"), document.bridging.get(line, "_")
            rest = "\t".join([bare[-1].rstrip("\n"), *cells, *"___"])
            lines.append(rest + "\n" * bare[-1].count("\n"))
        full += lines
        plain += bare
    return "".join(full), "".join(plain)


@given(texts=_texts())
def test_what_is_written_reads_back(texts: tuple[str, str]) -> None:
    full, plain = texts
    corpus = read_back(full)
    written = put_into(corpus, full)
    event(f"closings have names: {re.search(r'm[0-9]+[)]', written) is not None}")
    assert _found(read_back(written)) == _found(corpus)
    assert put_into(corpus, plain) == written
    assert put_into(read_back(written), written) == written


@given(
    texts=_texts(),
    edits=st.lists(st.tuples(st.integers(0, 999), st.sampled_from(_GARBAGE))),
)
def test_a_file_of_garbage_is_refused_or_written_into(
    texts: tuple[str, str], edits: list[tuple[int, str]]
) -> None:
    full, base = texts
    for place, piece in edits:
        base = base[:place] + piece + base[place + 1 :]
    try:
        written = put_into(read_back(full), base)
    except FormatError as error:
        assert error.problem  # noqa: PT017 - either this or a file
    else:
        assert _found(read_back(written)) == _found(read_back(full))


@given(texts=_texts(), deixis=st.booleans())
def test_all_else_stays_as_it_is(texts: tuple[str, str], *, deixis: bool) -> None:
    full, _ = texts
    base = full.replace("\n", "\r\n")
    written = write(read_back(full), base.encode(), deixis=deixis).decode()
    column = 12 if deixis else 10
    for before, after in zip(base.split("\n"), written.split("\n"), strict=True):
        cells, new = before.split("\t"), after.split("\t")
        for place in (column,) if deixis else (10, 11):
            cells[place:] = [*new[place : place + 1], *cells[place + 1 :]]
        assert cells == new


@pytest.mark.skipif(not GOLDEN, reason="needs the golden files beside the repository")
def test_golden_files_read_back() -> None:
    for path in GOLDEN:
        data = path.read_bytes()
        corpus = read_back(data)
        assert _found(read_back(write(corpus, data))) == _found(corpus)


def test_names_that_cannot_be_written_are_replaced_in_their_document() -> None:
    text = ua("1 (e1:m1)", "2 (e2:m2|ElementOf=e1)", "3 (e3:m3)")
    text += "# newdoc id = e\n" + ua("1 (e9:m9)", header="").partition("\n")[2]
    corpus = read_back(text)
    for labels in (("a b", "x", "y"), ("x", "x", "y"), ("x", "y-Pseudo", ""), "a,)"):
        changed = replace(corpus, entity_label=(*labels, *corpus.entity_label[3:]))
        again = read_back(put_into(changed, text))
        assert again.entity_label == ("e1", "e2", "e3", "e9")
        assert _found(again) == _found(corpus)
