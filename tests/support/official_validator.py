"""The official validator of CorefUD, and damaged files to compare it with scoref.

udtools is not a dependency. Where it is not installed, the comparison is skipped.
"""

from __future__ import annotations

import io
import logging
import re
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.check.crac.rules import CRASH, INACTIVE
from scoref.tools.check.crac.validation import validate
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


SHARED = ROOT.parent / "shared"
"""A folder with official figures, which is not part of the project."""


class Verdict(NamedTuple):
    """The names of all rules that a file breaks."""

    errors: frozenset[str]
    warnings: frozenset[str]


_VALIDATORS: list[object] = []


def official_names(data: bytes) -> Verdict | str:
    """Run udtools on a file; return the name of the exception if it stops."""
    from udtools import Validator
    from udtools.incident import IncidentType
    from udtools.state import State

    logging.disable(logging.CRITICAL)
    if not _VALIDATORS:
        _VALIDATORS.append(Validator(lang="ud", level=2, check_coref=True, output=None))
    # What it reads in one file changes the relations that it accepts in the next.
    _VALIDATORS[0].data.udeprel.discard("ref")  # type: ignore[attr-defined]
    state = State()
    try:
        file = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
        _VALIDATORS[0].validate_file_handle(file, state)  # type: ignore[attr-defined]
    except (AssertionError, LookupError, NameError, ValueError) as error:
        return type(error).__name__
    finally:
        logging.disable(logging.NOTSET)
    names: dict[object, set[str]] = {kind: set() for kind in IncidentType}
    for incident in state.error_tracker:
        names[incident.get_type()].add(incident.testid)
    errors, warnings = names[IncidentType.ERROR], names[IncidentType.WARNING]
    return Verdict(frozenset(errors), frozenset(warnings))


def our_names(data: bytes) -> Verdict:
    """Return the rules that scoref finds to be broken."""
    names: dict[str, set[str]] = {"error": set(), "warning": set(), "note": set()}
    for problem in validate(data, source="file"):
        names[problem.severity].add(problem.official)
    assert names["note"] <= {*INACTIVE}
    return Verdict(frozenset(names["error"]), frozenset(names["warning"]))


def is_stopped(verdict: Verdict) -> bool:
    """Return whether scoref says that the validator stops."""
    return CRASH in verdict.errors


CLEAN = b"""\
# newdoc id = d1
# global.Entity = eid-etype-head-other-identity
# sent_id = s1
# text = The mayor's dogs saw Ann, who ran.
1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t2\tdet\t2:det\tEntity=(e1-animal-3-(e2-person-2-
2-3\tmayor's\t_\t_\t_\t_\t_\t_\t_\t_
2\tmayor\tmayor\tNOUN\tNN\tNumber=Sing\t4\tnmod:poss\t4:nmod:poss\tEntity=e2)
3\t's\t's\tPART\tPOS\t_\t2\tcase\t2:case\t_
4\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t5\tnsubj\t5:nsubj\tEntity=e1)
5\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t0:root\t_
6\tAnn\tAnn\tPROPN\tNNP\t_\t5\tobj\t5:obj|9:nsubj\tEntity=(e3-person-1-)|SpaceAfter=No
7\t,\t,\tPUNCT\t,\t_\t9\tpunct\t9:punct\t_
8\twho\twho\tPRON\tWP\t_\t9\tnsubj\t6:ref\tEntity=(e3-person-1-)
9\tran\trun\tVERB\tVBD\t_\t6\tacl:relcl\t6:acl:relcl\tSpaceAfter=No
10\t.\t.\tPUNCT\t.\t_\t5\tpunct\t5:punct\t_

# sent_id = s2
# text = They sat down and rested there
1\tThey\tthey\tPRON\tPRP\t_\t2\tnsubj\t2:nsubj|4.1:nsubj\tEntity=(e4-person-1-)|SplitAnte=e1<e4,e3<e4
2\tsat\tsit\tVERB\tVBD\t_\t0\troot\t0:root\tEntity=(e5[1/2]-event-1-)
3\tdown\tdown\tADV\tRB\t_\t2\tadvmod\t2:advmod\tBridge=e1<e6:part|Entity=(e6-place-1-)
4\tand\tand\tCCONJ\tCC\t_\t5\tcc\t5:cc\t_
4.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj:xsubj\tEntity=(e4-person-1-)
5\trested\trest\tVERB\tVBD\t_\t2\tconj\t2:conj:and\tEntity=(e5[2/2]-event-1-)
6\tthere\tthere\tADV\tRB\t_\t5\tadvmod\t5:advmod\tEntity=(e6-place-1-)

# newdoc d2
# newpar
# sent_id = s3
# parallel_id = pud/n1/alt1
# text = It rained
1\tIt\tit\tPRON\tPRP\t_\t2\texpl\t2:expl\t_
2\trained\train\tVERB\tVBD\tMood=Ind|Tense=Past\t0\troot\t0:root\tEntity=(e7-event-1-)

"""
"""A file that the validator accepts, with an example of nearly everything."""


def sources(*, with_shared: bool) -> list[bytes]:
    """Return files to damage."""
    files = [CLEAN, CLEAN, CLEAN]
    if with_shared:
        folder = SHARED / "golden" / "corefud"
        files += [path.read_bytes() for path in sorted(folder.glob("*.conllu"))]
        for name in ("key", "response"):
            text = (SHARED / "real" / f"gum.{name}.conllu").read_bytes()
            files += _pieces(text)
    return files


_SENTENCES = 4


def _pieces(text: bytes) -> list[bytes]:
    """Cut a long file into files of a few sentences, and make it well-formed."""
    header = b"# global.Entity = eid-etype-head-other\n"
    text = re.sub(rb"(?m)^# global\.Entity = eid-etype-head\S*\n", b"", text)
    text = text.replace(b"-x-", b"-person-")
    blocks = text.rstrip(b"\n").split(b"\n\n")
    return [
        header + b"\n\n".join(blocks[at : at + _SENTENCES]) + b"\n\n"
        for at in range(0, len(blocks), _SENTENCES * 7)
    ]


_PIECES = [
    *("(", ")", "-", "|", "=", ":", "<", ",", "[1/1]", "[1/2]", "[2/2]", "[2/1]", "["),
    *("0", "1", "2", "9", "3.1", "1-2", "2-1", "0:root", "\t", " ", "  ", "\u00a0"),
    *("_", "__", "#", "e1", "e2", "e9", "person", "x", "e\u0301", "\u00e9", "\r"),
    *("SpaceAfter=No", "SpaceAfter=Yes", "NoSpaceAfter=Yes", "spaceafter=No"),
    *("Entity=", "Entity=(e1-person-1-)", "|Entity=(e2)", "(e3-person-1-)", "e3)"),
    *("Bridge=e1<e2", "Bridge=e3<e3:part,e3<e3:other", "SplitAnte=e1<e4,e1<e4"),
    *("SplitAnte=e4<e4,e1<e4", "SplitAnte=e1<e4", "Ref=1|Ref=2", "|Lang=a", "Typo=Yes"),
    *("NOUN", "ref", "nsubj:pass", "nsubj:p\u00e9_b:x", "Case=Nom", "Number=Sing,Plur"),
    *("Number=Sing|Case=Nom", "A=B,B", "eid", "etype", "head", "identity", "grp"),
]

_COMMENTS = [
    *("# newdoc\n# newdoc", "# sent_id = s2", "# text = It rained down", "#text=They"),
    *("# newdoc", "# newdoc d", "# newdoc id = d3", "# newpar", "# newpar p", "#"),
    *(
        "# sent_id = s1",
        "# sent_id = a b",
        "# sent_id = a/b/c",
        "#sent_id=q",
        "# text = ",
    ),
    *("# text = It rained ", "# parallel_id = pud/n1/alt1", "# parallel_id = pud/n1"),
    *("# parallel_id = pud/n1/alt2part1", "# parallel_id = pud/n1/alt3part2", " ", ""),
    *(
        "# parallel_id = P",
        "# parallel_id = pud/n1/part1",
        "word",
        "# global.Entity = eid",
    ),
    *("# global.Entity = eid-etype-head", "# global.Entity = eid-etype-head-identity"),
    *("# global.Entity = grp-eid-etype-head", "# global.Entity = eid-etype-head-eid"),
    *("# global.Entity = eid-etype-head-minspan-other", "# global.Entity = Eid-etype"),
]

_VALUES = {
    6: ["0", "1", "2", "3", "99", "_", "x", "4.1"],
    7: ["dep", "Dep", "foo", "nsubj:a:b", "_", "ref"],
    8: ["_", "0:root", "1:dep|1:dep", "2:b|2:a", "3:dep|2:dep", "2", "99:dep", "x:dep"],
    0: ["1", "2", "3-4", "4-3", "3.1", "3.2", "x", "01", "0.1", "9-99", "2-3"],
    1: ["a  b", "", " a", "b ", "a b"],
    3: ["NOUN", "noun", "_", "FOO"],
    4: ["", "a b"],
    5: ["A=B|A=C", "A=B,B", "A=C,B", "Typo=Yes", "B=C|A=B", "a=b", "A=B||C=D"],
    9: [
        *("_", "Entity=(e1-person-1-)", "Entity=(e1-person-2-", "Entity=e1)", "Gloss="),
        *("Entity=(e3-person-1-)(e3-person-1-)", "Entity=(e3-place-1-)(e4-person-1-"),
        *("Entity=e1)e2)", "Entity=(e5[1/2]-event-1-)", "Entity=(e5[2/2]-event-1-)"),
        *(
            "Entity=(e5[2/2]-x-1-)",
            "Entity=(e1-person-0-)",
            "Entity=(e1-person-1--a-b)",
        ),
        *("Entity=(e8)(e9", "Entity=(e9(e8)", "Entity=e9)(e8)", "Entity=e9)(e8)(e9"),
        *("Entity=(e1[1/1]-person-1-)", "Entity=([e1-person-1-)", "Entity=e1", "=a"),
        *("Bridge=e1<e2", "SplitAnte=e1<e2,e3<e2", " a=b", "a =b", "a= b", "a||b"),
        *("Entity=(e4-person-1-)|SplitAnte=e1<e4,e2<e4", "Entity=(e1)|Bridge=e1"),
        *("Entity=(e1)|Bridge=e1<e1|Bridge=e1<e1", "Entity=(e1)|SplitAnte=x"),
        *("Entity=(e1)|SplitAnte=a<e1,b<e1|SplitAnte=a<e1,b<e1", "SpaceAfter=No"),
        *(
            "Entity=(e3-person-1--a)",
            "Entity=(e3-person-1--b(e1-person-2",
            "Entity=e3)",
        ),
        *("SpaceAfter=No|SpaceAfter=No", "spaceafter=No", "Entity=(e1-animal-1-"),
        *("Entity=(e1)|SplitAnte=e1<e1,e1<e1", "Entity=(e1)|Bridge=a<e1:x,a<e1:y"),
        *("Entity=(e1-person-1-)|SplitAnte=e2<e3,e4<e3", "Entity=(e1---)"),
    ],
}


def damaged_files(
    seed: int, count: int, files: list[bytes]
) -> Iterator[tuple[str, bytes]]:
    """Damage files at random; half of the damages concern entities."""
    chance = Random(seed)  # noqa: S311 - it can be repeated
    for number in range(count):
        lines = chance.choice(files).decode().split("\n")
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
            _damage(lines, chance)
        data = "\n".join(lines).encode()
        if chance.random() < 0.02:
            data = chance.choice(
                (data.rstrip(b"\n"), data[:-1], b"\xef\xbb\xbf" + data, data + b"\n")
            )
        yield f"{seed}-{number}", data


def _damage(lines: list[str], chance: Random) -> None:
    """Damage one line."""
    at = chance.randrange(len(lines))
    kind = chance.random()
    if kind < 0.5:
        rows = [row for row, line in enumerate(lines) if "\t" in line]
        row = chance.choice(rows)
        cells = lines[row].split("\t")
        column = chance.choice((9, 9, 9, 9, *_VALUES))
        if column < len(cells):
            new = chance.choice(_VALUES[column])
            is_added = column == 9 and chance.random() < 0.3 and cells[9] != "_"
            cells[column] = f"{cells[9]}|{new}" if is_added else new
        lines[row] = "\t".join(cells)
    elif kind < 0.75:
        line = lines[at]
        start = chance.randrange(len(line) + 1)
        end = min(len(line), start + chance.choice((0, 0, 1, 1, 2, 5)))
        lines[at] = line[:start] + chance.choice([*_PIECES, ""]) + line[end:]
    elif kind < 0.87:
        lines.insert(at, chance.choice(_COMMENTS))
    elif kind < 0.93:
        del lines[at]
    else:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    if not any("\t" in line for line in lines):
        lines.append("1\tw" + "\t_" * 8)
