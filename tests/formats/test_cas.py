"""UIMA CAS in XMI and JSON: chains, relations, offsets, and damaged files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoref import FormatError
from scoref.formats import cas
from scoref.formats.reading import read_data
from support.cas_files import (
    ADA,
    COREFERENCE,
    EVA,
    MIA,
    SHE,
    TEXT,
    add_words,
    cas_json,
    cas_of,
    cassis,
    dkpro_types,
    xmi,
)
from support.span_lists import spans_of, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoref.model import Corpus

WRITERS = [xmi, cas_json]

_NAMESPACES = (
    'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:coref="http:///de/tudarmstadt/ukp/dkpro/core/api/coref/type.ecore" '
    'xmlns:custom="http:///webanno/custom.ecore"'
)


def read(data: bytes, **options: object) -> Corpus:
    return read_data(data, source="one", role="key", with_tokens=True, **options)  # type: ignore[arg-type]


def xmi_of(*lines: str, text: str = "Mia slept") -> bytes:
    """Write XMI by hand, one element per line."""
    sofa = f'<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="{text}"/>'
    return "\n".join([f"<xmi:XMI {_NAMESPACES}>", *lines, sofa, "</xmi:XMI>"]).encode()


@pytest.mark.parametrize("write", WRITERS)
def test_chains_are_entities_and_offsets_are_utf16_units(
    write: Callable[[object], bytes],
) -> None:
    corpus = read(write(cas_of(ADA)))
    assert spans_of(corpus) == {"one": [[(0, 0), (4, 4), (12, 12)], [(7, 7), (9, 9)]]}
    assert words_of(corpus)[:6] == ["Mia", "😀", "slept", ".", "She", "dreamt"]
    assert corpus.tokens is not None
    assert corpus.tokens.sentence.tolist() == [1] * 4 + [2] * 5 + [3] * 5


@pytest.mark.parametrize("write", WRITERS)
def test_custom_layers_of_chains_are_read(write: Callable[[object], bytes]) -> None:
    corpus = read(write(cas_of(EVA, layer="webanno.custom.Referent")))
    assert [len(spans) for spans in spans_of(corpus)["one"]] == [2, 2, 1]


@pytest.mark.parametrize("write", WRITERS)
def test_a_text_without_tokens_is_cut_at_blanks_and_mentions(
    write: Callable[[object], bytes],
) -> None:
    corpus = read(write(cas_of(EVA, tokens=False)))
    assert words_of(corpus)[:4] == ["Mia", "😀", "slept.", "She"]
    assert spans_of(corpus)["one"][0] == [(0, 0), (3, 3)]


@pytest.mark.parametrize("write", WRITERS)
def test_a_mention_may_start_inside_of_a_token(
    write: Callable[[object], bytes],
) -> None:
    corpus = read(write(cas_of([[(1, 3), SHE]])))
    assert words_of(corpus)[:2] == ["M", "ia"]
    assert spans_of(corpus)["one"] == [[(1, 1), (5, 5)]]


@pytest.mark.parametrize("write", WRITERS)
def test_a_cas_without_chains_has_no_mentions(
    write: Callable[[object], bytes],
) -> None:
    assert spans_of(read(write(cas_of([])))) == {"one": []}


def relation_cas(label: str = "coref", *, with_relation: bool = True) -> object:
    types = dkpro_types()
    span = types.create_type("webanno.custom.Referent", "uima.tcas.Annotation")
    link = types.create_type("webanno.custom.Coref", "uima.tcas.Annotation")
    types.create_feature(link, "Governor", span.name)
    types.create_feature(link, "Dependent", span.name)
    types.create_feature(link, "label", "uima.cas.String")
    cas = cassis().Cas(typesystem=types)
    cas.sofa_string = TEXT
    add_words(cas, types, TEXT)
    spans = [span(begin=begin, end=end) for begin, end in (MIA, SHE, (27, 30))]
    cas.add_all(spans)
    if with_relation:
        ends = {"Governor": spans[1], "Dependent": spans[0]}
        cas.add(link(begin=13, end=16, label=label, **ends))
    return cas


@pytest.mark.parametrize("write", WRITERS)
def test_relations_join_spans_of_their_layer(write: Callable[[object], bytes]) -> None:
    corpus = read(write(relation_cas()))
    assert sorted(spans_of(corpus)["one"]) == [[(0, 0), (4, 4)], [(7, 7)]]
    assert [note.kind for note in corpus.notes] == ["relation-layer"]


@pytest.mark.parametrize("write", WRITERS)
def test_bridging_does_not_join_spans(write: Callable[[object], bytes]) -> None:
    corpus = read(write(relation_cas("bridge:aggr")))
    assert [len(spans) for spans in spans_of(corpus)["one"]] == [1, 1, 1]
    corpus = read(write(relation_cas("bridge:aggr")), relations=("bridge:aggr",))
    assert [len(spans) for spans in spans_of(corpus)["one"]] == [2, 1]


def test_json_declares_a_layer_of_relations_that_is_not_used() -> None:
    corpus = read(cas_json(relation_cas(with_relation=False)))
    assert [len(spans) for spans in spans_of(corpus)["one"]] == [1, 1, 1]


def test_two_custom_layers_are_ambiguous() -> None:
    data = xmi_of(
        '<custom:ALink xmi:id="2" begin="0" end="3"/>',
        '<custom:AChain xmi:id="3" first="2"/>',
        '<custom:BLink xmi:id="4" begin="4" end="9"/>',
        '<custom:BChain xmi:id="5" first="4"/>',
    )
    with pytest.raises(FormatError, match="is not clear") as error:
        read(data)
    assert "'webanno.custom.AChain', 'webanno.custom.BChain'" in str(error.value)


def test_the_usual_chains_come_before_custom_layers() -> None:
    data = xmi_of(
        '<custom:ALink xmi:id="2" begin="0" end="3"/>',
        '<custom:AChain xmi:id="3" first="2"/>',
        '<coref:CoreferenceLink xmi:id="4" begin="4" end="9"/>',
        '<coref:CoreferenceChain xmi:id="5" first="4"/>',
    )
    assert spans_of(read(data)) == {"one": [[(1, 1)]]}


LINK = '<coref:CoreferenceLink xmi:id="{}" begin="0" end="3" next="{}"/>'


@pytest.mark.parametrize(
    ("lines", "problem", "line"),
    [
        (
            (
                LINK.format(2, 3),
                LINK.format(3, 2),
                '<coref:CoreferenceChain xmi:id="4" first="2"/>',
            ),
            "link 2 is twice in chain 4, which never ends",
            2,
        ),
        (
            (LINK.format(2, 2), '<coref:CoreferenceChain xmi:id="4" first="2"/>'),
            "link 2 is twice in chain 4, which never ends",
            2,
        ),
        (
            (
                '<coref:CoreferenceLink xmi:id="2" begin="0" end="3"/>',
                '<coref:CoreferenceChain xmi:id="4" first="2"/>',
                '<coref:CoreferenceChain xmi:id="5" first="2"/>',
            ),
            "link 2 is in two chains, 4 and 5",
            2,
        ),
        (
            ('<coref:CoreferenceChain xmi:id="4" first="9"/>',),
            "first of feature structure 4 is 9, which does not exist",
            2,
        ),
        (
            (
                '<coref:CoreferenceLink xmi:id="2" begin="0" end="30"/>',
                '<coref:CoreferenceChain xmi:id="4" first="2"/>',
            ),
            r"feature structure 2: \[0, 10\] is not a mention",
            2,
        ),
        (
            (
                '<coref:CoreferenceLink xmi:id="2" begin="3" end="3"/>',
                '<coref:CoreferenceChain xmi:id="4" first="2"/>',
            ),
            r"feature structure 2: \[3, 3\] is not a mention",
            2,
        ),
        (
            (
                '<coref:CoreferenceLink xmi:id="2" begin="-1" end="3"/>',
                '<coref:CoreferenceChain xmi:id="4" first="2"/>',
            ),
            "begin is '-1', not a number",
            2,
        ),
        (
            (
                '<coref:CoreferenceLink xmi:id="2" begin="0" end="3"/>',
                '<coref:CoreferenceLink xmi:id="2" begin="0" end="3"/>',
            ),
            "the id 2 appears twice",
            3,
        ),
    ],
)
def test_damaged_chains_are_errors(
    lines: tuple[str, ...], problem: str, line: int
) -> None:
    with pytest.raises(FormatError, match=problem) as error:
        read(xmi_of(*lines))
    assert error.value.line == line


def test_links_in_no_chain_are_noted() -> None:
    corpus = read(
        xmi_of(
            '<coref:CoreferenceLink xmi:id="2" begin="0" end="3"/>',
            '<coref:CoreferenceChain xmi:id="3" first="2"/>',
            '<coref:CoreferenceLink xmi:id="4" begin="4" end="9"/>',
        )
    )
    assert [(note.kind, note.count) for note in corpus.notes] == [("loose-links", 1)]
    assert spans_of(corpus) == {"one": [[(0, 0)]]}


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE x [<!ENTITY a "Mia">]>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    ],
)
def test_dtds_are_refused(doctype: str) -> None:
    with pytest.raises(FormatError, match="DOCTYPE is not allowed here"):
        read(f"<?xml version='1.0'?>\n{doctype}\n".encode() + xmi_of())


def test_xml_1_1_is_read() -> None:
    data = b'<?xml version="1.1" encoding="UTF-8"?>' + xmi_of()
    assert words_of(read(data)) == ["Mia", "slept"]


def test_a_long_run_of_blanks_is_read_once() -> None:
    data = xmi_of()
    assert words_of(read(data + b" " * 2_000_000)) == ["Mia", "slept"]


@pytest.mark.parametrize("write", WRITERS)
def test_a_truncated_file_is_an_error(write: Callable[[object], bytes]) -> None:
    data = write(cas_of(ADA))
    for part in (0.2, 0.5, 0.9, 0.99):
        with pytest.raises(FormatError):
            read(data[: int(len(data) * part)])


def test_a_cas_without_text_is_an_error() -> None:
    with pytest.raises(FormatError, match="this CAS has no text"):
        read(b'{"%TYPES": {}, "%FEATURE_STRUCTURES": [], "%VIEWS": {}}')


def test_references_between_structures_in_json_start_with_an_at_sign() -> None:
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Mia slept"},
        {"%ID": 2, "%TYPE": f"{COREFERENCE}Link", "@sofa": 1, "begin": 0, "end": 3},
        {"%ID": 3, "%TYPE": f"{COREFERENCE}Chain", "@sofa": 1, "@first": 2},
    ]
    corpus = read(json.dumps({"%FEATURE_STRUCTURES": structures}).encode())
    assert spans_of(corpus) == {"one": [[(0, 0)]]}
    by_id = {str(row.pop("%ID")): row for row in structures}
    corpus = read(json.dumps({"%FEATURE_STRUCTURES": by_id}).encode())
    assert spans_of(corpus) == {"one": [[(0, 0)]]}


def test_cassis_reads_what_is_written() -> None:
    line = {
        "doc_key": "news/one",
        "sentences": [["Mia", "😀", "slept"], ["She", "left"]],
        "clusters": [[[0, 0], [3, 3], [0, 1]], [[4, 4]]],
    }
    corpus = read(json.dumps(line).encode())
    ((name, data),) = cas.write(corpus).items()
    assert name == "news/one.json"
    file = cassis().load_cas_from_json(data.decode())
    texts = [
        [link.get_covered_text() for link in _links(chain)]
        for chain in file.select(f"{COREFERENCE}Chain")
    ]
    assert texts == [["Mia", "She", "Mia 😀"], ["left"]]
    segments = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
    for kind, expected in {
        "Token": ["Mia", "😀", "slept", "She", "left"],
        "Sentence": ["Mia 😀 slept", "She left"],
    }.items():
        spans = file.select(f"{segments}.{kind}")
        assert [span.get_covered_text() for span in spans] == expected
    again = read(file.to_json().encode())
    assert spans_of(again)["one"] == spans_of(corpus)["news/one"]
    assert spans_of(read(data))["one"] == spans_of(corpus)["news/one"]


def _links(chain: Any) -> Iterator[Any]:
    link = chain.first
    while link is not None:
        yield link
        link = link.next
