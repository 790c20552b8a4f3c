"""Files with one problem each: the rule, the file, and where it is found."""

from __future__ import annotations

import json
from typing import NamedTuple

_UA_COLUMNS = "ID FORM IDENTITY BRIDGING DISCOURSE_DEIXIS"
ENTITY = "# global.Entity = eid-etype-head\n"


class Bad(NamedTuple):
    """A file, or two, and the one problem that it has."""

    rule: str
    data: bytes
    line: int | None = None
    column: int | None = None
    other: bytes | None = None
    is_first: bool = False  # of two files, the one with the problem


def conll(*cells: str, name: str = "(d); part 000", end: bool = True) -> bytes:
    """Write a document; a cell without text is the end of a sentence."""
    rows = [
        f"d\t0\t{row}\tw{row}\t{cell}\n" if cell else "\n"
        for row, cell in enumerate(cells)
    ]
    last = "\n#end document\n" if end else ""
    return f"#begin document {name}\n{''.join(rows)}{last}".encode()


def corefud(
    *words: str, header: str = ENTITY, start: str = "# newdoc id = d\n"
) -> bytes:
    """Write a document of words such as '2', '1=(e1-x-1)' or '3.1/4:nsubj=(e1-x-1)'.

    A word without text is the end of a sentence.
    """
    lines = []
    for word in words:
        node, _, entity = word.partition("=")
        number, _, deps = node.partition("/")
        misc = f"Entity={entity}" if entity else "_"
        cells = [number, f"w{number}", *"____", "0", "_", deps or "_", misc]
        lines.append("\t".join(cells) if word else "")
    return f"{start}{header}{chr(10).join(lines)}\n\n".encode()


def ua(*cells: str, start: str = "# newdoc id = d\n") -> bytes:
    """Write a document of words with what they have in the column IDENTITY.

    A cell may have more columns, with bars that are blanks between them.
    """
    lines = []
    for number, cell in enumerate(cells, start=1):
        identity, _, bridging = cell.partition(" ")
        lines.append(f"{number}\tw{number}\t{identity}\t{bridging or '_'}\t_\n")
    return f"# global.columns = {_UA_COLUMNS}\n{start}{''.join(lines)}\n".encode()


def jsonl(*clusters: object, **fields: object) -> bytes:
    """Write a document of JSON lines."""
    record = {"doc_key": "d", "clusters": list(clusters)} | fields
    return json.dumps(record).encode() + b"\n"


def lines(*texts: bytes) -> bytes:
    return b"".join(texts)


CONLL = conll("(0", "0)", "-", "(0)", "", "(1", "(0)|1)", "(1)")
COREFUD = corefud(
    "1=(e1-x-1)", "2=(e2-x-2", "3=e2)", "4", "", "1=(e1-x-1)", "2=(e2-x-1)"
)
UA = ua(
    "(EntityID=e1|MarkableID=m1)",
    "(EntityID=e2|MarkableID=m2|Min=3",
    ")",
    "(EntityID=e1|MarkableID=m3)",
    "(EntityID=e2|MarkableID=m4) (MarkableID=m4|Rel=part|MentionAnchor=m3)",
)
JSON = jsonl(
    [[0, 1], [3, 3]], [[2, 2], [4, 4]], sentences=[["a", "b", "c"], ["d", "e"]]
)
GOOD = {"conll": CONLL, "corefud": COREFUD, "ua": UA, "json": JSON}

ANY = [
    Bad("unreadable-file", b"\xff\xfe#\0b\0"),
    Bad("unreadable-file", b'[{"doc": "d"}]'),
    Bad("unreadable-file", b"It was the best of times,\nit was the worst of times.\n"),
    Bad("no-document", b""),
    Bad("no-document", b"#end document\n"),
    Bad("no-document", b"# newdoc id = d\n# global.Entity = eid\n\n"),
    Bad("not-utf8", CONLL.replace(b"w2", b"w\xff"), 4, 8),
    Bad("byte-order-mark", b"\xef\xbb\xbf" + CONLL, 1, 1),
    Bad("byte-order-mark", b"\xef\xbb\xbf" + UA, 1, 1),
    Bad("windows-line-ends", COREFUD.replace(b"\n", b"\r\n"), 1, 1),
    Bad("cr-line-ends", COREFUD.replace(b"\n", b"\r"), 1, 1),
    Bad("mixed-line-ends", CONLL.replace(b"\n", b"\r", 1), 1, 1),
    Bad("trailing-blanks", CONLL.replace(b"(0)\n", b"(0) \n"), 5, 13),
    Bad("trailing-blanks", UA.replace(b"id = d", b"id = d  "), 2, 16),
    Bad("not-annotated", b"w\t-\nw\t-\n"),
    Bad("no-mentions", conll("-", "-")),
    Bad("no-mentions", corefud("1", "2")),
    Bad("only-singletons", conll("(0)", "(1)")),
]
OF_CONLL = [
    Bad("unopened-bracket", conll("(0)", "(0)|1)"), 3, 14),
    Bad("unclosed-bracket", conll("(0)|(1", "(0)"), 2, 14),
    Bad("unreadable-cell", conll("(0)", "(0)", "x"), 4, 10),
    Bad("unreadable-cell", conll("(0)", "(0)", "(0)x"), 4, 10),
    Bad("row-outside-document", b"w\t-\n" + CONLL, 1, 1),
    Bad("repeated-document", CONLL + CONLL, 12, 17),
    Bad("missing-begin", b"Ada\t(0)\nshe\t(0)\n", 1, 1),
    Bad("missing-end", conll("(0)", "(0)", end=False), 1, 1),
    Bad(
        "missing-end",
        conll("(0)", "(0)", end=False) + conll("(0)", "(0)", name="e"),
        1,
        1,
    ),
    Bad("empty-document", CONLL + conll(name="e"), 12, 1),
    Bad("document-without-mentions", CONLL + conll("-", name="e"), 12, 1),
    Bad("reference-reading", CONLL.replace(b"\nd\t0\t1", b"\n# note\nd\t0\t1"), 1, 1),
    Bad("reference-reading", conll("(x)", "(x)"), 1, 1),
    Bad("reference-reading", CONLL.replace(b"document (d)", b"document(d)"), 1, 1),
    Bad("reference-reading", conll("(e1)", "(e1)"), 2, 1),
    Bad("duplicate-mention", conll("(0)|(0)", "(0)"), 2, 14),
    Bad("duplicate-mention", conll("(0|(0", "0)|0)", "(0)"), 2, 13),
    Bad("mention-in-two-entities", conll("(0)|(1)", "(0)", "(1)"), 2, 14),
    Bad("sentence-crossing", conll("(0", "", "0)", "(0)"), 2, 10),
]
OF_COREFUD = [
    Bad("unreadable-line", COREFUD.replace(b"\n4\t", b"\nfour\t"), 6, 1),
    Bad("missing-columns", COREFUD.replace(b"\t_\t_\tEntity=e2", b"\tEntity=e2"), 5, 1),
    Bad("unreadable-cell", corefud("1=(e1-x-1)", "2=(e1-x-1)", "3=e1"), 5, 27),
    Bad("missing-header", COREFUD.replace(ENTITY.encode(), b""), 2, 1),
    Bad("bad-header", COREFUD.replace(b"eid-etype-head", b"name"), 2, 19),
    Bad("different-headers", b"# global.Entity = eid\n" + COREFUD, 3, 1),
    Bad("missing-newdoc", COREFUD.replace(b"# newdoc id = d\n", b""), 2, 1),
    Bad("blank-lines", b"\n" + COREFUD, 1, 1),
    Bad("blank-lines", COREFUD[:-1], 9, 1),
    Bad("empty-document", COREFUD + b"# newdoc id = e\n\n", 11, 1),
    Bad("empty-document", b"# newdoc id = e\n" + COREFUD, 1, 1),
    Bad("unopened-bracket", corefud("1=(e1-x-1)", "2=(e1-x-1)e2)"), 4, 35),
    Bad("unclosed-bracket", corefud("1=(e1-x-1)(e2-x-1", "2=(e1-x-1)"), 3, 35),
    Bad("nameless-bracket", corefud("1=(e1-x-1)", "2=(e1-x-1)", "3=(-x-1)"), 5, 1),
    Bad("lost-piece", corefud("1=(e1-x-1)", "2=(e1-x-1)", "3=(e2[2/2]-x-1)"), 5, 27),
    Bad(
        "sentence-bracket",
        corefud("1=(e1-x-1)", "2=(e1-x-1)", "3=(e2-x-1", "", "1", "2=e2)"),
        8,
        27,
    ),
    Bad(
        "run-on-mention",
        corefud("1=(e1-x-1(e2-x-1)e1)", "2=(e1-x-1)", "3=(e2-x-1)"),
        3,
        27,
    ),
    Bad("unreadable-head", corefud("1=(e1-x-1)", "2=(e1-x-one)"), 4, 33),
    Bad(
        "missing-heads",
        corefud("1=(e1-x", "2=e1)", "3=(e1-x)", header="# global.Entity = eid-etype\n"),
        2,
        1,
    ),
    Bad("ignored-head", corefud("1=(e1-x-1)", "2=(e1-x-2)"), 4, 27),
    Bad("head-out-of-range", corefud("1=(e1-x-1)", "2=(e1-x-3", "3=e1)"), 5, 27),
    Bad("zero-without-deps", corefud("1=(e1-x-1)", "1.1=(e1-x-1)"), 4, 22),
    Bad("duplicate-mention", corefud("1=(e1-x-1)(e1-x-1)", "2=(e1-x-1)"), 3, 35),
    Bad(
        "mention-in-two-entities",
        corefud("1=(e1-x-1)(e2-x-1)", "2=(e1-x-1)", "3=(e2-x-1)"),
        3,
        35,
    ),
    Bad(
        "crossing-mentions",
        corefud("1=(e1[1/2]-x-1)", "2=(e1-x-1", "3=(e1[2/2]-x-1)", "4=e1)"),
        4,
        27,
    ),
    Bad(
        "unknown-entity",
        COREFUD.replace(b"Entity=e2)", b"Entity=e2)|SplitAnte=e1<e9"),
        5,
        1,
    ),
]
OF_UA = [
    Bad("missing-columns", UA + b"6\tw6\n", 9, 1),
    Bad("mixed-separators", UA + b"6 w6 _ _ _\n", 9, 1),
    Bad("mixed-separators", UA.replace(b"\t", b" ") + b"6\tw6\t_\t_\t_\n", 9, 1),
    Bad("unreadable-line", UA + b"x\tw6\t_\t_\t_\n", 9, 1),
    Bad(
        "unreadable-cell",
        ua("(EntityID=e|MarkableID=m)", "(EntityID=e|MarkableID=n)", "e"),
        5,
        6,
    ),
    Bad(
        "unreadable-cell",
        UA.replace(b"(MarkableID=m4|Rel=part|MentionAnchor=m3)", b"part"),
        7,
        34,
    ),
    Bad(
        "bad-header",
        UA.replace(b" IDENTITY", b"").replace(b" DISCOURSE_DEIXIS", b" X"),
        1,
        1,
    ),
    Bad("bad-header", UA + b"# global.columns = ID FORM\n", 9, 1),
    Bad("missing-newdoc", UA.replace(b"# newdoc id = d\n", b""), 2, 1),
    Bad("repeated-document", UA + b"# newdoc id = d\n6\tw6\t_\t_\t_\n", 9, 15),
    Bad("empty-document", UA + b"# newdoc id = e\n", 9, 1),
    Bad("unopened-bracket", UA.replace(b"Min=3\t", b"Min=3)\t"), 5, 6),
    Bad("unclosed-bracket", UA.replace(b"\t)\t", b"\t_\t"), 4, 6),
    Bad(
        "nameless-bracket",
        UA.replace(b"EntityID=e1|MarkableID=m1", b"EntityID=e1"),
        3,
        6,
    ),
    Bad("minimum-out-of-range", UA.replace(b"Min=3", b"Min=9"), 4, 33),
    Bad("broken-zero", UA.replace(b"\n3\tw3\t)", b"\n2.1\t_\t)\t_\t_\n3\tw3\t)"), 5, 7),
    Bad(
        "changed-entity",
        UA.replace(
            b"MarkableID=m4)\t(MarkableID=m4|Rel=part|MentionAnchor=m3)",
            b"MarkableID=m3)\t_",
        ),
        7,
        1,
    ),
    Bad(
        "unknown-entity",
        UA.replace(b"MarkableID=m1", b"MarkableID=m1|ElementOf=e9"),
        3,
        1,
    ),
    Bad("unknown-anchor", UA.replace(b"Anchor=m3", b"Anchor=m9"), 7, 1),
    Bad(
        "crossing-mentions",
        ua(
            "(EntityID=e|MarkableID=m1",
            "(EntityID=e|MarkableID=m2",
            "m1)",
            "m2)",
            "(EntityID=e|MarkableID=m3)",
        ),
        4,
        6,
    ),
    Bad(
        "duplicate-mention",
        ua(
            "(EntityID=e|MarkableID=m1)(EntityID=e|MarkableID=m2)",
            "(EntityID=e|MarkableID=m3)",
        ),
        3,
        32,
    ),
]
OF_JSON = [
    Bad("not-json", JSON + b'{"doc_key": "e", "clusters"\n', 2, 1),
    Bad("not-json", JSON + b'{"doc_key": "e", "clusters": [[[0, 1.5]]]}\n', 2, 1),
    Bad("float-offset", JSON.replace(b"[3, 3]", b"[3.0, 3]"), 1, 41),
    Bad("impossible-span", jsonl([[0, 1], [1, 1], [2, 9]], tokens=["a"] * 5), 1, 48),
    Bad("impossible-span", jsonl([[0, 1], [1, 1], [2, 1]]), 1, 48),
    Bad("repeated-document", JSON + JSON, 2, 14),
    Bad("missing-clusters", JSON + b'{"doc_key": "e"}\n', 2, 14),
    Bad(
        "missing-clusters",
        jsonl([[0, 1], [3, 3]], predicted_clusters=[[[0, 1], [3, 3]]])
        + b'{"doc_key": "e", "clusters": [[[1, 1], [2, 2]]]}\n',
        2,
        14,
    ),
    Bad(
        "missing-clusters",
        jsonl([[0, 1], [3, 3]], predicted_clusters=None),
        1,
        14,
    ),
    Bad("repeated-field", JSON.replace(b"}", b', "clusters": []}', 1), 1, 112),
    Bad(
        "tokens-disagree",
        JSON.replace(b"{", b'{"tokens": ["a", "b", "c", "d", "e", "f"], ', 1),
        1,
        1,
    ),
    Bad("exclusive-ends", jsonl([[n, n + 1] for n in range(0, 20, 2)]), 1, 32),
    Bad("empty-entity", jsonl([[0, 1], [3, 3]], []), 1, 1),
    Bad("duplicate-mention", jsonl([[0, 1], [3, 3], [0, 1]]), 1, 48),
    Bad("mention-in-two-entities", jsonl([[0, 1], [3, 3]], [[0, 1], [4, 4]]), 1, 50),
    Bad("crossing-mentions", jsonl([[0, 2], [1, 3], [5, 5]]), 1, 40),
    Bad("sentence-crossing", JSON.replace(b"[2, 2]", b"[2, 3]"), 1, 50),
]
TAC = b"r\tm1\tA\td:0-0\tNIL1\tPER\tNAM\t1.0\nr\tm2\tA\td:2-2\tNIL1\tPER\tNAM\t1.0\n"
WORDS = jsonl([[2, 2], [3, 3]], sentences=[["a", "b", "c", "d", "e"]])
MANY = jsonl(*([[n, n], [n + 1, n + 1]] for n in range(0, 24, 2)))
OF_TWO = [
    Bad("different-formats", CONLL, None, None, TAC),
    Bad("other-words", WORDS, None, None, WORDS.replace(b'"a", "b"', b'"ab"')),
    Bad("same-as-key", MANY, None, None, MANY),
    Bad("bad-header", UA, 1, 1, UA.replace(b" IDENTITY", b" OTHER")),
    Bad("missing-document", CONLL, 12, 17, CONLL + conll("(0)", "(0)", name="e")),
    Bad(
        "missing-document",
        CONLL + conll("(0)", "(0)", name="e"),
        12,
        17,
        CONLL,
        is_first=True,
    ),
    Bad("different-words", CONLL, 4, 7, CONLL.replace(b"w2", b"x")),
    Bad("different-text", CONLL, 4, 7, CONLL.replace(b"d\t0\t2\tw2\t-\n", b"")),
    Bad("different-text", COREFUD, 5, 3, COREFUD.replace(b"w3", b"x")),
    Bad("different-text", UA, 5, 3, UA.replace(b"w3", b"x")),
    Bad(
        "different-text",
        COREFUD,
        4,
        1,
        COREFUD.replace(b"1\tw1", b"# sent_id = 1\n1\tw1", 1),
    ),
    Bad("name-by-alias", CONLL, 1, 17, CONLL.replace(b"part 000", b"part 0")),
    Bad(
        "no-common-mentions",
        JSON,
        None,
        None,
        jsonl([[0, 2], [3, 4]], [[2, 3], [4, 5]]),
    ),
    Bad("singletons-on-one-side", CONLL, None, None, CONLL.replace(b"-", b"(2)")),
]
BAD = [*ANY, *OF_CONLL, *OF_COREFUD, *OF_UA, *OF_JSON, *OF_TWO]
