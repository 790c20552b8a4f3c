"""coval's minimum spans, noun phrases and nested mentions, slowly and step by step.

By the rules of docs/minimum-spans.md: an object for each mention, lists of them, and a
look at all pairs. Files are CoNLL-2012 of twelve columns without a fault.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from scipy.optimize import linear_sum_assignment

NOMINAL: tuple[str, ...] = ("NP", "NM", "QP", "NX")
VERBAL: tuple[str, ...] = ("VP",)
Sentence = list[list[str]]


@dataclass(eq=False)
class Node:
    label: str
    leaf: tuple[list[str], list[str], int] | None = None  # words, tags, index
    children: list[Node] = field(default_factory=list)

    def counts(self) -> bool:
        return self.leaf is not None and any(map(_counts, *self.leaf[:2]))


@dataclass(eq=False)
class Mention:
    sentence: int
    start: int
    end: int
    words: list[str]
    root: Node | None = None
    minimum: frozenset[tuple[str, int]] = frozenset()

    @property
    def identity(self) -> object:
        return self.sentence, self.minimum or (self.start, self.end)


Entities = list[list[Mention]]


def figures(key: str, response: str, options: set[str]) -> dict[str, tuple[float, ...]]:
    """Give recall and precision of every metric that coval has."""
    totals = {name: [0.0] * 4 for name in ("mentions", "muc", "bcub", "ceafe", "lea")}
    responses = _documents(response)
    for name, sentences in _documents(key).items():
        sides = [
            _filtered(_entities(each, options), sentences, options)
            for each in (sentences, responses[name])
        ]
        for metric, counts in _counted(*sides).items():
            totals[metric] = [
                a + b for a, b in zip(totals[metric], counts, strict=True)
            ]
    return {
        name: (a / b if a else 0.0, c / d if c else 0.0)
        for name, (a, b, c, d) in totals.items()
    }


def _documents(text: str) -> dict[str, list[Sentence]]:
    found: dict[str, list[Sentence]] = {}
    for document in text.split("#begin document ")[1:]:
        name, _, rest = document.partition("\n")
        parts = rest.split("#end document")[0].split("\n\n")
        found[name] = [
            [line.split() for line in part.split("\n") if line.strip()]
            for part in parts
            if part.strip()
        ]
    return found


def _entities(sentences: list[Sentence], options: set[str]) -> Entities:
    found: dict[str, list[Mention]] = {}
    for number, sentence in enumerate(sentences):
        is_open: dict[str, list[int]] = {}
        for at, row in enumerate(sentence):
            cell = [] if row[-1] == "-" else row[-1].split("|")
            closing = [each for each in cell if "(" not in each]
            single = [each for each in cell if each.startswith("(") and each[-1] == ")"]
            for each in cell:
                if each.startswith("(") and each[-1] != ")":
                    is_open.setdefault(each.strip("()"), []).append(at)
            for each in single + closing:
                label = each.strip("()")
                start = at if each in single else is_open[label].pop()
                words = [other[3] for other in sentence[start : at + 1]]
                mention = Mention(number, start, at, words)
                found.setdefault(label, []).append(mention)
    fewest = 2 if "no-singletons" in options else 1
    return [each for each in found.values() if len(each) >= fewest]


def _filtered(
    entities: Entities, of_key: list[Sentence], options: set[str]
) -> Entities:
    if options & {"min", "np"}:
        entities = [_pruned(each, of_key, options) for each in entities]
    if "nested" in options:
        entities = [_outer(each, options) for each in entities]
    return [each for each in entities if each]


def _pruned(
    entity: list[Mention], of_key: list[Sentence], options: set[str]
) -> list[Mention]:
    left = list(entity)
    for mention in entity:
        tokens = of_key[mention.sentence][mention.start : mention.end + 1]
        mention.root = tree(tokens, mention.start)
        if "min" in options and mention.root:
            mention.minimum = minimum(mention.root, mention.words)
        if "np" in options and mention.root and _text(mention.root) == "VP":
            equal = [each for each in left if each.identity == mention.identity]
            left.remove(equal[0])
    return left if len(left) in {len(entity), *range(2, len(entity))} else []


def _outer(entity: list[Mention], options: set[str]) -> list[Mention]:
    listed = []
    for one, other in combinations(entity, 2):
        if one.sentence == other.sentence and one.identity != other.identity:
            if other.start <= one.start and one.end <= other.end:
                listed.append(one.identity)
            elif one.start <= other.start and other.end <= one.end:
                listed.append(other.identity)
    if len(entity) != 1 and len(entity) - len(listed) == 1:
        return [] if "no-singletons" in options else entity
    return [each for each in entity if each.identity not in listed]


class Reader:
    """What is read of a mention's pieces so far."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.roots: list[Node] = []
        self.is_open: list[Node] = []
        self.run: list[tuple[str, str]] = []

    def flush(self, at: int) -> None:
        if self.run:
            words, tags = map(list, zip(*self.run, strict=True))
            leaf = Node("", (words, tags, self.start + at))
            (self.is_open[-1].children if self.is_open else self.is_open).append(leaf)
            self.run.clear()

    def open(self, labels: list[str], at: int) -> None:
        if not any(word.isalpha() or word.isdigit() for word, _ in self.run):
            self.run.clear()
        self.flush(at)
        for label in labels:
            node = Node("".join(each for each in label if each.isalpha()))
            if self.is_open:
                self.is_open[-1].children.append(node)
            self.is_open.append(node)

    def close(self, at: int) -> None:
        self.flush(at)
        if self.is_open:
            node = self.is_open.pop()
            self.roots += [] if self.is_open else [node]


def tree(tokens: Sentence, start: int) -> Node | None:
    """Read the pieces of a mention's tokens."""
    reader = Reader(start)
    for at, row in enumerate(tokens):
        opening, _, closing = row[5].partition("*")
        if opening:
            reader.open(opening.split("(")[1:], at)
        reader.run.append((row[3], row[4]))
        for _ in closing:
            reader.close(at)
    reader.flush(len(tokens) - 1)
    roots = reader.roots + reader.is_open[:1]
    return Node("NP", children=roots) if len(roots) > 1 else roots[0]


def minimum(root: Node, words: list[str]) -> frozenset[tuple[str, int]]:
    """Choose the units of a minimum span."""
    chosen = [root] if root.counts() else [n for n in root.children if n.counts()]
    if not chosen:
        kinds = [_kind(child) for child in root.children]
        admissible = NOMINAL
        if _kind(root) == "VP":
            admissible = VERBAL
        elif _kind(root) not in {"NP", "NM"} and not {"NP", "NM"} & {*kinds}:
            admissible = VERBAL if "VP" in kinds else NOMINAL
        tops = [n for n in root.children if n.children and _kind(n) in admissible]
        chosen = [leaf for top in tops for leaf in _search(top, admissible)]
        if not tops:
            chosen = _search(root, ())
    if not chosen:
        return frozenset((word, at) for at, word in enumerate(words))
    return frozenset((_text(leaf), leaf.leaf[2]) for leaf in chosen if leaf.leaf)


def _search(root: Node, admissible: tuple[str, ...]) -> list[Node]:
    queue, found, shallowest = [(root, 0)], [], 10**9
    while queue:
        node, depth = queue.pop(0)
        if not admissible and _kind(node) in {"NP", "NM"}:
            admissible = NOMINAL
        if not admissible and _kind(node) == "VP":
            admissible = VERBAL
        if node.leaf:
            if depth <= shallowest and node.counts():
                found.append(node)
                shallowest = depth
        elif node is root or not admissible or _kind(node) in admissible:
            is_known = _kind(node) in admissible
            queue += [(n, depth + 1) for n in node.children if is_known or not n.leaf]
    return found


def _counts(word: str, tag: str) -> bool:
    is_word = word == "%" or any(sign.isalpha() or sign.isdigit() for sign in word)
    return is_word and word not in {"-LRB-", "-RRB-"} and tag not in {"CC", "DT", "IN"}


def _text(node: Node) -> str:
    return " ".join(node.leaf[0]) if node.leaf else node.label


def _kind(node: Node) -> str:
    return _text(node)[:2]


def _counted(key: Entities, response: Entities) -> dict[str, tuple[float, ...]]:
    overlaps = [
        [
            2
            * sum(m.identity in {o.identity for o in r} for m in k)
            / (len(k) + len(r))
            for r in response
        ]
        for k in key
    ]
    aligned = 0.0
    if key and response:
        rows, columns = linear_sum_assignment(overlaps, maximize=True)
        aligned = sum(overlaps[a][b] for a, b in zip(rows, columns, strict=True))
    found = {"ceafe": (aligned, len(key), aligned, len(response))}
    one, other = _one_way(key, response), _one_way(response, key)
    return found | {name: (*one[name], *other[name]) for name in one}


def _one_way(ours: Entities, theirs: Entities) -> dict[str, tuple[float, float]]:
    at = {m.identity: place for place, each in enumerate(theirs) for m in each}
    mentions = {mention.identity for each in ours for mention in each}
    muc = b_cubed = lea = 0.0
    for entity in ours:
        found = [at[m.identity] for m in entity if m.identity in at]
        muc += len(found) - len({*found})
        b_cubed += sum(found.count(each) for each in found) / len(entity)
        if len(entity) == 1:
            lea += len(found) == 1 and len(theirs[found[0]]) == 1
        else:
            links = sum(a == b for a, b in combinations(found, 2))
            lea += links * 2 / (len(entity) - 1)
    size = sum(map(len, ours))
    return {
        "mentions": (len(mentions & at.keys()), len(mentions)),
        "muc": (muc, size - len(ours)),
        "bcub": (b_cubed, size),
        "lea": (lea, size),
    }
