"""Made-up corpora in CoNLL-2012, CorefUD and Universal Anaphora, from fixed seeds.

In CoNLL-2012, a tenth of the mentions is missed, a tenth is invented, a tenth moves to
another entity, and a fifth of the entities is split.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    Entities = list[list[int]]

MISSED = INVENTED = MOVED = 0.1
SPLIT = 0.2


class Shape(NamedTuple):
    """How large a corpus is; ``slot`` is the number of tokens for each mention."""

    documents: int
    mentions: int
    entities: int
    slot: int


SHAPES = {
    "200 documents": Shape(documents=200, mentions=150, entities=40, slot=6),
    "book, 20,000 mentions": Shape(1, mentions=20_000, entities=3_000, slot=10),
    "book, 200,000 mentions": Shape(1, mentions=200_000, entities=30_000, slot=10),
}


def key_entities(shape: Shape, rng: np.random.Generator) -> Entities:
    """Deal mentions to entities whose sizes fall off slowly."""
    weight = 1 / np.arange(1, shape.entities + 1) ** 0.8
    owner = rng.choice(shape.entities, size=shape.mentions, p=weight / weight.sum())
    groups: Entities = [[] for _ in range(shape.entities)]
    for mention, entity in enumerate(owner.tolist()):
        groups[entity].append(mention)
    return [group for group in groups if group]


def damaged(key: Entities, shape: Shape, rng: np.random.Generator) -> Entities:
    """Make the response that such a key might get."""
    response: Entities = []
    for group in key:
        found = [mention for mention in group if rng.random() > MISSED]
        if len(found) > 1 and rng.random() < SPLIT:
            cut = int(rng.integers(1, len(found)))
            response += [found[:cut], found[cut:]]
        else:
            response.append(found)
    for group in response:
        for mention in [each for each in group if rng.random() < MOVED]:
            group.remove(mention)
            response[int(rng.integers(len(response)))].append(mention)
    for mention in range(int(INVENTED * shape.mentions)):
        target = response[int(rng.integers(len(response)))]
        target.append(shape.mentions + mention)
    return [group for group in response if group]


def sides(shape: Shape) -> tuple[list[Entities], list[Entities]]:
    """Make keys and responses, seeded."""
    rng = np.random.default_rng(12345)
    keys = [key_entities(shape, rng) for _ in range(shape.documents)]
    return keys, [damaged(key, shape, rng) for key in keys]


def write_pair(folder: Path, shape: Shape) -> tuple[Path, Path]:
    """Write both sides as files."""
    paths = folder / "key.conll", folder / "response.conll"
    for path, documents in zip(paths, sides(shape), strict=True):
        path.write_text("\n".join(_lines(documents, shape)) + "\n", encoding="utf-8")
    return paths


def _lines(documents: list[Entities], shape: Shape) -> list[str]:
    """Write documents; a mention covers one to three tokens of its slot."""
    tokens = shape.slot * int(shape.mentions * (1 + INVENTED) + 1)
    lines = []
    for number, groups in enumerate(documents):
        cells: list[list[str]] = [[] for _ in range(tokens)]
        for entity, group in enumerate(groups):
            for mention in group:
                start, length = mention * shape.slot, 1 + mention % 3
                if length == 1:
                    cells[start].append(f"({entity})")
                else:
                    cells[start].append(f"({entity}")
                    cells[start + length - 1].append(f"{entity})")
        name = f"bench/{number:04}"
        lines.append(f"#begin document ({name}); part 000")
        for token, cell in enumerate(cells):
            brackets = "|".join(cell) or "-"
            lines.append(f"{name}\t0\t{token}\tword\tNN\t*\t-\t-\t{brackets}")
        lines.append("#end document")
    return lines


SENTENCE = 20
UA_WORDS, UA_DOCUMENTS, UA_EVERY = 200_000, 50, 5
PLURALS, ELEMENTS = 1_000, 2
UA_COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def corefud_lines(
    document: str, mentions: int, rng: np.random.Generator, *, damage: float
) -> Iterable[str]:
    """Write a document of nested mentions; a damaged one differs in spans and links."""
    plan = np.random.default_rng(7)  # the same text on both sides
    entities = max(1, mentions // 4)
    yield f"# newdoc id = {document}"
    yield "# global.Entity = eid-etype-head-other"
    for number in range(mentions // 4):
        cells: list[list[str]] = [[] for _ in range(SENTENCE)]
        for place in range(4):
            start = 5 * place
            length = int(plan.integers(1, 4))
            head = int(plan.integers(1, length + 1))
            entity = int(plan.integers(entities))
            if rng.random() < damage:
                entity = int(rng.integers(entities))
            if rng.random() < damage:
                length = max(length, head) + 1
            if length == 1:
                cells[start].append(f"(e{entity}-x-1-)")
            else:
                cells[start].append(f"(e{entity}-x-{head}-")
                cells[start + length - 1].insert(0, f"e{entity})")
        yield f"# sent_id = {document}-{number}"
        for word, cell in enumerate(cells, start=1):
            misc = f"Entity={''.join(cell)}" if cell else "_"
            yield f"{word}\tword\tword\tNOUN\tNN\t_\t0\troot\t0:root\t{misc}"
        yield ""


def write_corefud(path: Path, documents: int, mentions: int, *, damage: float) -> str:
    """Write a file of CorefUD."""
    rng = np.random.default_rng(12345)
    lines = [
        line
        for document in range(documents)
        for line in corefud_lines(f"d{document}", mentions, rng, damage=damage)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def repeat(path: str, times: int, out: Path) -> str:
    """Write a file many times over, with other names for its documents."""
    text = Path(path).read_text(encoding="utf-8").rstrip("\n")
    with out.open("w", encoding="utf-8") as file:
        for number in range(times):
            copy = text.replace("# newdoc id = ", f"# newdoc id = {number}_")
            file.write(copy.replace("# sent_id = ", f"# sent_id = {number}_") + "\n\n")
    return str(out)


def ua_word(number: int, cell: str) -> str:
    """Write a word of Universal Anaphora."""
    text = "word\tword\tNOUN\tNN\t_\t0\troot\t0:root\t_"
    return f"{number}\t{text}\t{cell or '_'}\t_\t_\t_\t_"


def corefud_word(number: int, cell: str) -> str:
    """Write a word of CorefUD."""
    misc = f"Entity={cell}" if cell else "_"
    return f"{number}\tword\tword\tNOUN\tNN\t_\t0\troot\t0:root\t{misc}"


def markable(number: int, entity: int, place: int) -> str:
    """Open a markable of Universal Anaphora."""
    return f"(EntityID=e{entity}|MarkableID=markable_{number}|Min={place}"


def ua_corpus(*, is_ua: bool, has_mentions: bool) -> bytes:
    """Write mentions of one and two words, on every fifth word, in UA or CorefUD."""
    rng = np.random.default_rng(7)
    count = UA_WORDS // UA_DOCUMENTS
    lines = [f"# global.columns = {UA_COLUMNS}"] * is_ua
    for document in range(UA_DOCUMENTS):
        lines.append(f"# newdoc id = d{document}")
        lines += ["# global.Entity = eid-etype-head-other"] * (not is_ua)
        cells = [""] * count
        entities = rng.integers(count // UA_EVERY // 4, size=count // UA_EVERY).tolist()
        for number, entity in enumerate(entities if has_mentions else []):
            place, is_long = number * UA_EVERY, number % 2
            opening = f"(e{entity}-x-1-"
            if is_ua:
                opening = markable(number, entity, place + 1)
            cells[place] = opening + ")" * (not is_long)
            if is_long:
                cells[place + 1] = ")" if is_ua else f"e{entity})"
        for place, cell in enumerate(cells):
            if place % SENTENCE == 0:
                lines += [""] * (place > 0)
                lines.append(f"# sent_id = d{document}-{place // SENTENCE}")
            write = ua_word if is_ua else corefud_word
            lines.append(write(place % SENTENCE + 1, cell))
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def plurals(*, damage: float) -> Iterable[str]:
    """Write a document of plurals; in a damaged one some have other elements."""
    rng = np.random.default_rng(12345)
    count = PLURALS * ELEMENTS
    yield f"# global.columns = {UA_COLUMNS}"
    yield "# newdoc id = d"
    for row in range(count):
        plural = row // ELEMENTS
        if rng.random() < damage:
            plural = int(rng.integers(PLURALS))
        opening = markable(row, row, row + 1)
        yield ua_word(row + 1, f"{opening}|ElementOf=p{plural})")
    for row in range(2 * PLURALS):
        place = count + row + 1
        name = f"EntityID=p{row % PLURALS}|MarkableID=plural_{row}"
        yield ua_word(place, f"({name}|Min={place})")
    yield ""
