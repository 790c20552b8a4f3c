"""Files of awkward shapes, of any size: what makes programs grow faster than input.

A shape is drawn as mentions, ``(first token, last token, entity)``, and written in each
format that can hold it. Keys and responses differ a little, so that matching has
something to do.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Mention = tuple[int, int, int]
    Sides = tuple["Drawn", "Drawn"]

_SEED = 7
_OF_THREE = 3
_HEAD = "#begin document (d); part 000\n"
_UA_COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


class Drawn(NamedTuple):
    """One side: documents of so many tokens, each with the same mentions."""

    tokens: int
    mentions: list[Mention]
    documents: int = 1


def documents(size: int) -> Sides:
    """Many documents of three tokens."""
    mentions = [(0, 0, 0), (1, 1, 0), (2, 2, 1)]
    return Drawn(3, mentions, size), Drawn(3, mentions[:2], size)


def giant(size: int) -> Sides:
    """All mentions in one entity."""
    mentions = [(at, at, 0) for at in range(size)]
    return Drawn(size, mentions), Drawn(size, mentions[: size // 2])


def singletons(size: int) -> Sides:
    """Each mention in an entity of its own."""
    mentions = [(at, at, at) for at in range(size)]
    return Drawn(size, mentions), Drawn(size, mentions[: size // 2])


def wrong(size: int) -> Sides:
    """Ten mentions an entity, dealt anew in the response."""
    entities = [at // 10 for at in range(size)]
    key = [(at, at, entity) for at, entity in enumerate(entities)]
    random.Random(_SEED).shuffle(entities)  # noqa: S311 - no secret
    response = [(at, at, entity) for at, entity in enumerate(entities)]
    return Drawn(size, key), Drawn(size, response)


def nested(size: int) -> Sides:
    """Mentions of one entity, each inside the one before."""
    key = [(at, 2 * size - 1 - at, 0) for at in range(size)]
    response = [(at, 2 * size - at, 0) for at in range(size)]
    return Drawn(2 * size + 1, key), Drawn(2 * size + 1, response)


def nested_entities(size: int) -> Sides:
    """Mentions of as many entities, each inside the one before."""
    key, response = nested(size)
    return _in_entities(key), _in_entities(response)


def crossing(size: int) -> Sides:
    """Mentions of as many entities that all cross each other."""
    key = [(at, at + size, at) for at in range(size)]
    response = [(at, at + size - 1, at) for at in range(size)]
    return Drawn(2 * size, key), Drawn(2 * size, response)


def crossing_one(size: int) -> Sides:
    """Mentions of one entity that all cross each other."""
    key, response = crossing(size)
    return _in_one(key), _in_one(response)


def repeated(size: int) -> Sides:
    """One span, listed again and again by one entity."""
    return Drawn(3, [(0, 0, 0)] * size), Drawn(3, [(0, 0, 0)] * size)


def repeated_entities(size: int) -> Sides:
    """One span, listed by as many entities, in one cell."""
    mentions = [(0, 0, at) for at in range(size)]
    return Drawn(3, mentions), Drawn(3, mentions)


def unclosed(size: int) -> Sides:
    """Brackets that open in one cell and never close."""
    mentions = [(0, 9, at) for at in range(size)]
    return Drawn(3, mentions), Drawn(3, mentions)


def chain(size: int) -> Sides:
    """Entities of two mentions; each overlaps the next one of the other side."""
    key = [(at, at, at // 2) for at in range(size)]
    response = [(at, at, (at + 1) // 2) for at in range(size)]
    return Drawn(size, key), Drawn(size, response)


def _in_one(side: Drawn) -> Drawn:
    return side._replace(mentions=[(a, b, 0) for a, b, _ in side.mentions])


def _in_entities(side: Drawn) -> Drawn:
    return side._replace(
        mentions=[(a, b, at) for at, (a, b, _) in enumerate(side.mentions)]
    )


SHAPES: dict[str, Callable[[int], Sides]] = {
    "documents": documents,
    "giant": giant,
    "singletons": singletons,
    "chain": chain,
    "wrong": wrong,
    "nested": nested,
    "nested-entities": nested_entities,
    "crossing": crossing,
    "crossing-one": crossing_one,
    "repeated": repeated,
    "repeated-entities": repeated_entities,
    "unclosed": unclosed,
}


def _cells(
    side: Drawn, single: str, opening: str, closing: str, between: str
) -> list[str]:
    """Put brackets into cells: what closes, what opens, and what does both."""
    ends: list[list[str]] = [[] for _ in range(side.tokens)]
    starts: list[list[str]] = [[] for _ in range(side.tokens)]
    for number, (first, last, entity) in enumerate(side.mentions):
        fields = {"number": number, "entity": entity, "word": first + 1}
        if first == last:
            starts[first].append(single.format(**fields))
            continue
        starts[first].append(opening.format(**fields))
        if last < side.tokens:
            ends[last].insert(0, closing.format(**fields))
    return [between.join(end + start) for end, start in zip(ends, starts, strict=True)]


def conll(side: Drawn) -> Iterable[str]:
    """Write CoNLL-2012."""
    cells = _cells(side, "({entity})", "({entity}", "{entity})", "|")
    for number in range(side.documents):
        yield f"#begin document (d{number}); part 000"
        for token, cell in enumerate(cells):
            yield f"d{number}\t0\t{token}\tword\t{cell or '-'}"
        yield "#end document"


def json_lines(side: Drawn) -> Iterable[str]:
    """Write JSON lines."""
    clusters: dict[int, list[list[int]]] = {}
    for first, last, entity in side.mentions:
        clusters.setdefault(entity, []).append([first, min(last, side.tokens - 1)])
    for number in range(side.documents):
        line = {"doc_key": f"d{number}", "sentences": [["word"] * side.tokens]}
        yield json.dumps(line | {"clusters": list(clusters.values())})


def corefud(side: Drawn) -> Iterable[str]:
    """Write CorefUD; a document is one sentence."""
    cells = _cells(side, "(e{entity}-x-1-)", "(e{entity}-x-1-", "e{entity})", "")
    for number in range(side.documents):
        yield f"# newdoc id = d{number}"
        yield "# global.Entity = eid-etype-head-other"
        yield f"# sent_id = d{number}-1"
        for word, cell in enumerate(cells, start=1):
            misc = f"Entity={cell}" if cell else "_"
            yield f"{word}\tword\t_\tNOUN\t_\t_\t0\troot\t0:root\t{misc}"
        yield ""


def universal_anaphora(side: Drawn) -> Iterable[str]:
    """Write Universal Anaphora; a document is one sentence."""
    fields = "(EntityID=e{entity}|MarkableID=m{number}|Min={word}"
    cells = _cells(side, f"{fields})", fields, "m{number})", "")
    yield f"# global.columns = {_UA_COLUMNS}"
    for number in range(side.documents):
        yield f"# newdoc id = d{number}"
        yield f"# sent_id = d{number}-1"
        for word, cell in enumerate(cells, start=1):
            yield "\t".join([str(word), "word", *"_" * 8, cell or "_", *"_" * 4])
        yield ""


def zeros(side: Drawn) -> Iterable[str]:
    """Write CorefUD whose mentions are zeros with one parent."""
    yield "# newdoc id = d"
    yield "# global.Entity = eid-etype-head-other"
    yield "# sent_id = d-1"
    yield "1\tword\t_\tVERB\t_\t_\t0\troot\t0:root\t_"
    for number, (_, _, entity) in enumerate(side.mentions, start=1):
        misc = f"Entity=(e{entity}-x-1-)"
        yield f"1.{number}\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\t{misc}"
    yield ""


def plurals(side: Drawn) -> Iterable[str]:
    """Write CorefUD in which every third entity stands for the two before it."""
    told: set[int] = set()
    for line in corefud(side):
        found = re.search(r"\(e(\d+)-", line)
        entity = int(found[1]) if found else 0
        if entity % _OF_THREE == _OF_THREE - 1 and entity not in told:
            told.add(entity)
            one, two = entity - 2, entity - 1
            yield f"{line}|SplitAnte=e{one}<e{entity},e{two}<e{entity}"
        else:
            yield line


FORMATS: dict[str, Callable[[Drawn], Iterable[str]]] = {
    "conll": conll,
    "jsonl": json_lines,
    "conllu": corefud,
    "ua": universal_anaphora,
}


def long_label(size: int) -> str:
    """Write a label of many digits, in CoNLL-2012."""
    return (
        f"#begin document (d); part 000\nd\t0\t0\tword\t({'1' * size})\n#end document\n"
    )


def long_cell(size: int) -> str:
    """Write a cell that is no annotation, in CoNLL-2012."""
    return (
        f"#begin document (d); part 000\nd\t0\t0\tword\t{'x' * size}\n#end document\n"
    )


def blanks(size: int) -> str:
    """Write a model's answer with many blanks."""
    return f"word{' ' * size}word\n"


def brackets(size: int) -> str:
    """Write a model's answer with brackets inside brackets."""
    return "[" * size + "word" + "](#1)" * size + "\n"


def strangers(size: int) -> str:
    """Write a model's answer that has no word in common with the key."""
    return " ".join(f"[other](#{at % 10})" for at in range(size)) + "\n"


def opened(size: int) -> str:
    """Write a model's answer with brackets that never close."""
    return "word " + "[word " * size + "\n"


TEXTS: dict[str, Callable[[int], str]] = {
    "long-label": long_label,
    "long-cell": long_cell,
}
ANSWERS: dict[str, Callable[[int], str]] = {
    "blanks": blanks,
    "brackets": brackets,
    "opened": opened,
}
