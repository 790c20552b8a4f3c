"""Files of other formats are refused by name, and so are files without annotations."""

import json

import pytest

from scoref import FormatError
from scoref.formats.reading import read_data
from support.json_documents import TEXT, WORDS, Record


@pytest.mark.parametrize(
    ("data", "problem", "hint"),
    [
        ("a\tb".encode("utf-16"), "this is UTF-16", "iconv"),
        (b"\x7fELF\0\0\0", "this is a binary file", "text"),
        (
            b"[[1, 2]]",
            "this is a JSON array, but not an array of documents",
            "per line",
        ),
        (
            b"# A title\n\nSome words.\n",
            "'words.' is not a coreference annotation",
            "The file has no '#begin document' line either. Is it CoNLL-2012?",
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


@pytest.mark.parametrize(
    ("data", "what", "hint"),
    [
        (b"\x80\x04\x95\x00\x00", "a pickle", "json.dump"),
        (b"x\x9c\x00\x01\x00", "packed by zlib, as spaCy's DocBin", "doc.to_json()"),
        (b"#FORMAT=WebAnno TSV 2.0\n", "an old version of WebAnno TSV", "TSV 3"),
        (
            b"#FORMAT=Other 1\n",
            "a format that scoref does not read",
            "found '#FORMAT=Other 1'",
        ),
        (
            b"ID\tText\tPronoun\tPronoun-offset\tA\n",
            "GAP",
            "scoref bias --gap KEY RESPONSE",
        ),
        (b"test-1\tTRUE\tFalse\ntest-2\tFALSE\tFALSE\n", "a response to GAP", "gap"),
        (
            b"paragraph_ID\tsentence_ID\tx\n",
            "BookNLP's tokens",
            "Give the .entities file. The .tokens file next to it is read as well.",
        ),
        (b"#BeginOfDocument x\n", "TBF", "JSON lines"),
        (b'{"_context": {}}', "an old version of UIMA's JSON", "WebAnno TSV 3"),
        (b"<typeSystemDescription>", "a type system of UIMA", "the .xmi file"),
        (b"<root>\n<document>", "CoreNLP's XML", "-outputFormat json"),
        (b"<NEWREFERENCE>1\n<author>A</author>", "Cora's references", "scoref table"),
        (
            b'<?xml version="1.0"?>\n<!DOCTYPE markables>\n<markables>',
            "XML of",
            "boberle",
        ),
        (
            b"<html><body>",
            "a web page in HTML",
            "It may be an error page, or a page about the file. Download the raw file.",
        ),
        (
            b"<book><body>",
            "XML that scoref does not read",
            "This file begins with '<book><body>'",
        ),
        (b'{M1:ref="a" Ada} left', "SACR", "boberle"),
        (b"begin,end,entityNum\n0,3,1\n", "a table of CorefAnnotator", "CoNLL-2012"),
        (b'[{"s": 0, "e": 3}]', "CorefAnnotator's JSON", "CoNLL-2012"),
        (b'[[{"id": 1, "text": "Ada"}]]', "stanza's JSON", "write_doc2conll"),
        (
            (
                b"<DOC>\n<DOCID>nyt1</DOCID>\n<TEXT>\n"
                b'<COREF ID="1">Mia</COREF> slept. <COREF ID="2" REF="1">She</COREF>'
            ),
            "MUC's SGML",
            "as a table",
        ),
        (
            (
                b'<?xml version="1.0"?>\n'
                b'<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
                b'<source_file URI="d.sgm" SOURCE="newswire" TYPE="text">\n'
                b'<document DOCID="d">\n<entity ID="d-E1" TYPE="PER">'
            ),
            "ACE's APF",
            "as a table",
        ),
        (b'<deft_ere kit_id="k" doc_id="d">', "ERE's XML", "as a table"),
        (
            b'c="the patient" 12:0 12:1||c="he" 19:0 19:0||t="coref person"\n',
            "i2b2's list of chains",
            "as a table",
        ),
        (
            b'<?xml version="1.0" encoding="UTF-8"?>\n<NAF xml:lang="en" version="v3">',
            "NAF or KAF",
            "as a table",
        ),
        (
            b"<?xml version='1.0' encoding='utf-8'?>\n<GateDocument version=\"3\">",
            "GATE's XML",
            "as a table",
        ),
    ],
)
def test_what_is_left_out_names_the_way_round(
    data: bytes, what: str, hint: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_data(data, source="x", role="key")
    assert caught.value.problem.startswith(f"this is {what}")
    assert hint in caught.value.hint


def test_webanno_is_called_by_its_name() -> None:
    data = b"#FORMAT=WebAnno TSV 3.2\n#T_SP=a|b\n\n#Text=Ada\n1-1\t0-3\tAda\t_\t_\t\n"
    with pytest.raises(FormatError, match=r"this is WebAnno TSV 3.2, not conll-2012"):
        read_data(data, source="x", role="key", format="conll-2012")


def _conllu(misc: str, header: str = "") -> bytes:
    rows = f"1\tAda\t_\tX\t_\t_\t0\troot\t_\t{misc}\n2\tleft\t_\tX\t_\t_\t1\tx\t_\t_\n"
    return f"# newdoc id = d\n{header}# sent_id = 1\n{rows}\n".encode()


UNANNOTATED = [
    (
        _conllu("start_char=0|end_char=3|ner=S-PERSON"),
        "corefud",
        "Found 'start_char=', 'end_char=', 'ner=' there",
    ),
    (_conllu("_"), "corefud", "Found nothing there"),
    # 'Entity' as a value or a part of a key is no sign.
    (_conllu("x=Entity|NoEntity=(1)"), "corefud", "Found 'x=', 'NoEntity=' there"),
    (b"w\t-\nw\t-\n", "conll-2012", "Found no brackets and a first line 'w\t-'"),
    (b"#Text=Ada\n1-1\t0-3\tAda\t\n", "conll-2012", "a first line '#Text=Ada'"),
    (b"w" * 80 + b"\t_\n", "conll-2012", f"a first line '{'w' * 60}…'"),
]


@pytest.mark.parametrize(("data", "name", "seen"), UNANNOTATED)
def test_text_without_a_sign_of_coreference_is_refused(
    data: bytes, name: str, seen: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_data(data, source="x", role="key")
    assert caught.value.problem == "this file has no coreference annotation"
    assert caught.value.hint.startswith("Expected ")
    assert seen in caught.value.hint
    assert caught.value.hint.endswith(f"use --format {name}.")


@pytest.mark.parametrize(("data", "name", "seen"), UNANNOTATED)
def test_it_has_no_mention_if_it_is_said_what_it_is(
    data: bytes, name: str, seen: str
) -> None:
    del seen
    corpus = read_data(data, source="x", role="response", format=name)
    assert not len(corpus.mention_entity)
    lenient = read_data(data, source="x", role="response", reading="lenient")
    assert (lenient.format, len(lenient.mention_entity)) == (name, 0)


@pytest.mark.parametrize(
    "data",
    [
        _conllu("_", "# global.Entity = eid-etype-head-other\n"),
        b"#begin document d\nw\t-\nw\t-\n#end document\n",
        b"# begin document d\nw\t_\n",
        b"\xef\xbb\xbf#begin document d\nw\t*\n",
        b'{"doc_key": "d", "clusters": []}\n',
        b"# global.columns = ID FORM IDENTITY\n# newdoc id = d\n1\tw\t_\n\n",
    ],
)
def test_a_file_that_says_what_it_is_may_have_no_mention(data: bytes) -> None:
    corpus = read_data(data, source="x", role="response")
    assert not len(corpus.mention_entity)


def test_a_response_is_like_the_key_only_if_something_says_so() -> None:
    key = "corefud"
    with pytest.raises(FormatError, match="no coreference annotation"):
        read_data(_conllu("_"), source="x", role="response", key_format=key)
    header = _conllu("_", "# global.Entity = eid-etype-head-other\n")
    found = read_data(header, source="x", role="response", key_format=key)
    assert found.format == key


_AMBIGUOUS = (
    "these clusters may count words or characters: there is a 'text', but no "
    "'tokens', 'sentences' or 'clusters_strings'"
)


_UNKNOWN = "no known format has the fields 'text', 'includes', 'a'"


_HEADS = "this file has only heads of mentions, in groups 'coref_head_clusters_1', …"


@pytest.mark.parametrize(
    ("record", "problem", "hint"),
    [
        (
            {"text": TEXT, "includes": [], "a": 1},
            _UNKNOWN,
            (
                "Expected 'text', 'entities' and 'includes' (rucoco); 'text' and "
                "'clusters' (fastcoref); 'text', 'entities' and 'relations' (doccano). "
                "`scoref formats` lists"
            ),
        ),
        (
            {"foo": 1},
            "no known format has the fields 'foo'",
            "Expected 'doc_key' and 'clusters' (json-lines); ",
        ),
        (
            {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3]]]},
            _AMBIGUOUS,
            "--format fastcoref",
        ),
        (
            {"document": TEXT},
            "this is AllenNLP's input, which has no clusters",
            "allennlp predict",
        ),
        (
            {"text": TEXT, "tokens": [], "spans": {"coref_head_clusters_1": []}},
            _HEADS,
            "coref_clusters_1",
        ),
        (
            {"text": TEXT, "tokens": [], "spans": {"sc": []}},
            "this is spaCy's JSON without coreference",
            "coref_clusters_1",
        ),
        (
            {"text": TEXT, "label": [], "annotator": 1, "annotation_id": 2},
            "this is Label Studio's JSON-MIN, which has no relations",
            "as JSON",
        ),
        (
            {"id": 1, "text": TEXT, "label": [[0, 3, "PER"]], "Comments": []},
            "this is doccano's JSONL without relations",
            "Use relations in the project",
        ),
        (
            {"text": TEXT, "_input_hash": 1, "tokens": [], "spans": [], "answer": "x"},
            "this is Prodigy's JSON without relations",
            "coref.manual",
        ),
        (
            {"tokens": WORDS, "clusters": []},
            "these documents have no name",
            "doc_key",
        ),
    ],
)
def test_other_json_is_refused_by_its_fields(
    record: Record, problem: str, hint: str
) -> None:
    for data in (record, [record]):
        with pytest.raises(FormatError) as caught:
            read_data(json.dumps(data).encode(), source="x", role="key")
        assert caught.value.problem == problem
        assert hint in caught.value.hint
