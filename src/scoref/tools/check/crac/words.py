"""The official rules of level 2: columns of words, and trees.

Most cells of a file are repeated thousands of times. So the result of each check is
remembered.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from scoref.tools.check.crac.sentences import (
    COLUMNS,
    DEPREL,
    DEPS,
    FEATS,
    HEAD,
    ID,
    LEMMA,
    MISC,
    RANGE_ID,
    UPOS,
    XPOS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoref.tools.check.crac.sentences import Findings, Sentence

    Fault = tuple[str, str, str]

_PARTS_OF_SPEECH = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
        *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
    )
)

_RELATIONS = frozenset(
    (
        *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp"),
        *("clf", "compound", "conj", "cop", "csubj", "dep", "det", "discourse"),
        *("dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "mark"),
        *("nmod", "nsubj", "nummod", "obj", "obl", "orphan", "parataxis", "punct"),
        *("reparandum", "root", "vocative", "xcomp"),
    )
)

_HEAD = re.compile(r"0|[1-9][0-9]*")
_DEPS_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")


def check_heads(sentence: Sentence, findings: Findings) -> bool:
    """Check that HEAD and DEPS name nodes of the sentence; return whether to go on."""
    if sentence.columns and _has_usual_heads(sentence):
        return True
    ids = {row[ID] for row in sentence.rows if "-" not in row[ID]}
    ids.add("0")
    is_sound = True
    for line, row in sentence.numbered():
        if "-" in row[ID]:
            continue
        head, deps = row[HEAD], row[DEPS]
        if "." not in row[ID]:
            if not _HEAD.fullmatch(head):
                message = f"HEAD '{head}' is not a number"
                findings.report("invalid-head", line, message, head, HEAD)
                is_sound = False
            if head not in ids:
                message = f"this sentence has no node {head}"
                findings.report("unknown-head", line, message, head, HEAD)
                is_sound = False
        is_basic = head in ids and deps == f"{head}:{row[DEPREL]}"
        if not is_basic and deps != "_":
            is_sound &= _check_deps_heads(deps, ids, line, findings)
    return is_sound


def _has_usual_heads(sentence: Sentence) -> bool:
    ids = {"0", *sentence.words[ID]}
    if not ids.issuperset(sentence.words[HEAD]):
        return False
    if sentence.nodes is not sentence.words:
        ids.update(sentence.nodes[ID])
    return all(
        (heads := _heads_in(deps)) is not None and heads <= ids
        for _, deps in sentence.relations
    )


@lru_cache(maxsize=1 << 14)
def _heads_in(deps: str) -> frozenset[str] | None:
    """Return the heads in DEPS; None if a relation lacks one."""
    relations = deps.split("|")
    if not all(":" in relation for relation in relations):
        return None
    return frozenset(relation.partition(":")[0] for relation in relations)


def _check_deps_heads(deps: str, ids: set[str], line: int, findings: Findings) -> bool:
    relations = [relation.partition(":") for relation in deps.split("|")]
    if not all(colon for _, colon, _ in relations):
        message = f"DEPS '{deps}' lacks a colon"
        findings.report("invalid-deps", line, message, deps, DEPS)
        return False
    is_sound = True
    for head, *_ in relations:
        if not _DEPS_HEAD.fullmatch(head):
            message = f"'{head}' is not the ID of a node"
            findings.report("invalid-ehead", line, message, deps, DEPS)
            is_sound = False
        if head not in ids:
            message = f"this sentence has no node {head}"
            findings.report("unknown-ehead", line, message, deps, DEPS)
            is_sound = False
    return is_sound


def check_tree(sentence: Sentence, findings: Findings) -> bool:
    """Check that HEAD forms a tree with one root; return whether to go on."""
    if sentence.columns and _is_tree([*map(int, sentence.words[HEAD])]):
        return True
    heads = [0]
    for line, row in sentence.numbered():
        if not row[ID].isdigit():
            continue
        head = int(row[HEAD])
        if head == len(heads):
            message = f"word {head} is its own head"
            findings.report("head-self-loop", line, message, row[HEAD], HEAD)
            return False
        heads.append(head)
    roots = [word for word, head in enumerate(heads) if head == 0 and word]
    if len(roots) > 1:
        message = f"the words {', '.join(map(str, roots))} all have the HEAD 0"
        findings.report("multiple-roots", sentence.first_row, message)
        return False
    lost = [str(word) for word in _unreachable(heads)]
    if lost:
        message = f"HEAD does not lead to the root from {', '.join(lost)}"
        findings.report("non-tree", sentence.first_row, message)
    return not lost


def _is_tree(heads: list[int]) -> bool:
    """Return whether all words lead to one root."""
    if heads.count(0) != 1:
        return False
    steps = [0, *heads]
    for _ in range(len(heads).bit_length()):
        steps = [steps[step] for step in steps]  # twice as far as before
    return not any(steps)


def _unreachable(heads: list[int]) -> list[int]:
    """Return the words from which the root cannot be reached."""
    leads = [-1] * len(heads)  # unknown; 1 if it leads to the root, 0 if not
    leads[0] = 1
    for start in range(1, len(heads)):
        word, path = start, []
        while leads[word] < 0:
            leads[word] = 0
            path.append(word)
            word = heads[word]
        for node in path:
            leads[node] = leads[word]
    return [word for word, leads_to_root in enumerate(leads) if not leads_to_root]


class WordRules:
    """Checks the columns of words. DEPS are compared across sentences."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._has_deps = False
        self._first_graph: int | None = None
        self._first_without_graph: int | None = None
        self._sound_features = {"_"}
        self._sound_relations: set[str] = set()

    def check(self, sentence: Sentence) -> bool:
        """Check the columns of all rows; return whether to go on."""
        if sentence.columns and self._is_usual(sentence):
            self._has_deps |= sentence.nodes[DEPS].count("_") < len(sentence.nodes[ID])
            for line, misc in enumerate(sentence.columns[MISC], sentence.first_row):
                if misc != "_":
                    self._report(_misc_faults, _without_entities(misc), line, MISC)
            return True
        is_sound = True
        for line, row in sentence.numbered():
            is_word = row[ID].isdigit()
            if RANGE_ID.fullmatch(row[ID]):
                self._check_range(row, line)
            else:
                self._check_columns(row, line, is_word=is_word)
                is_sound &= self._has_sound_features(row[FEATS])
            deps, misc = row[DEPS], row[MISC]
            if deps != "_" and "-" not in row[ID]:
                self._has_deps = True
                self._report(_deps_faults, deps, line, DEPS)
                self._check_own_head(row, line)
            if misc != "_":
                self._report(_misc_faults, _without_entities(misc), line, MISC)
        return is_sound

    def _is_usual(self, sentence: Sentence) -> bool:
        """Return whether no rule about columns is broken, MISC aside."""
        columns, words = sentence.columns, sentence.words
        if words is not columns and not all(
            _is_usual_row(*row)
            for row in zip(*columns, strict=True)
            if not row[ID].isdigit()
        ):
            return False
        return (
            _PARTS_OF_SPEECH.issuperset(words[UPOS])
            and _is_sound(words[FEATS], self._sound_features, _feature_faults)
            and _is_sound(words[DEPREL], self._sound_relations, _relation_faults)
            and not any(
                name in (_heads_in(deps) or ()) or _deps_faults(deps)
                for name, deps in sentence.relations
            )
        )

    def _report(
        self,
        find: Callable[[str], tuple[Fault, ...]],
        cell: str,
        line: int,
        column: int,
    ) -> None:
        for name, message, blamed in find(cell):
            self._findings.report(name, line, message, blamed, column)

    def _check_range(self, row: list[str], line: int) -> None:
        for column in range(LEMMA, MISC):
            cell = row[column]
            is_typo = column == FEATS and cell == "Typo=Yes"
            if cell != "_" and not is_typo:
                message = f"this multiword token has {COLUMNS[column]} '{cell}'"
                self._findings.report("mwt-nonempty-field", line, message, cell, column)

    def _check_columns(self, row: list[str], line: int, *, is_word: bool) -> None:
        report = self._findings.report
        if not is_word:
            for column in (HEAD, DEPREL):
                cell = row[column]
                if cell != "_":
                    message = f"this empty node has {COLUMNS[column]} '{cell}'"
                    report("empty-node-nonempty-field", line, message, cell, column)
        upos = row[UPOS]
        if upos not in _PARTS_OF_SPEECH and (is_word or upos != "_"):
            message = f"'{upos}' is not a part of speech of UD"
            report("unknown-upos", line, message, upos, UPOS)
        if not row[XPOS]:
            report("empty-string-in-xpos", line, "XPOS is empty")
        self._report(_feature_faults, row[FEATS], line, FEATS)
        if is_word:
            for name, message, blamed in _relation_faults(row[DEPREL]):
                # The validator accepts the relation 'ref' after the first DEPS.
                if not (self._has_deps and blamed == "ref"):
                    report(name, line, message, blamed, DEPREL)

    @staticmethod
    def _has_sound_features(features: str) -> bool:
        faults = _feature_faults(features)
        return all(name != "invalid-feature" for name, *_ in faults)

    def _check_own_head(self, row: list[str], line: int) -> None:
        own = _node(row[ID])
        if row[ID] in row[DEPS] and any(
            _node(relation.partition(":")[0]) == own
            for relation in row[DEPS].split("|")
        ):
            message = f"node {row[ID]} is its own head in DEPS"
            self._findings.report("deps-self-loop", line, message, row[DEPS], DEPS)

    def check_graph(self, sentence: Sentence) -> None:
        """Check that all sentences have DEPS, or none."""
        line = sentence.first_row
        if sentence.columns:
            nodes = sentence.nodes
            has_graph = nodes is not sentence.words or nodes[DEPS].count("_") < len(
                nodes[DEPS]
            )
        else:
            has_graph = any(
                "-" not in row[ID] and (row[DEPS] != "_" or "." in row[ID])
                for row in sentence.rows
            )
        if has_graph and self._first_graph is None:
            self._first_graph = line
            if self._first_without_graph is not None:
                message = (
                    f"DEPS are empty in line {self._first_without_graph}, not here"
                )
                self._findings.report("edeps-only-sometimes", line, message)
        elif not has_graph and self._first_without_graph is None:
            self._first_without_graph = line
            if self._first_graph is not None:
                message = f"DEPS are empty here, but not in line {self._first_graph}"
                self._findings.report("edeps-only-sometimes", line, message)

    def check_connection(self, sentence: Sentence) -> None:
        """Check that DEPS lead to the root from each node."""
        if sentence.columns and self._contains_tree(sentence):
            return
        cells = zip(sentence.column(ID), sentence.column(DEPS), strict=True)
        parents = {
            name: _heads_in(deps) or () if deps != "_" else ()
            for name, deps in cells
            if "-" not in name
        }
        if not any(parents.values()) and not any("." in node for node in parents):
            return
        children: dict[str, list[str]] = {}
        for node, heads in parents.items():
            for head in heads:
                children.setdefault(head, []).append(node)
        reached, agenda = {"0"}, ["0"]
        while agenda:
            for child in children.get(agenda.pop(), ()):
                if child not in reached:
                    reached.add(child)
                    agenda.append(child)
        lost = [
            (line, row[ID])
            for line, row in sentence.numbered()
            if "-" not in row[ID] and row[ID] not in reached
        ]
        if lost:
            nodes = ", ".join(node for _, node in lost)
            message = f"DEPS do not lead to a root from {nodes}"
            self._findings.report("unconnected-egraph", lost[0][0], message)

    @staticmethod
    def _contains_tree(sentence: Sentence) -> bool:
        """Return whether DEPS lead all nodes to their HEAD, or are not used."""
        if sentence.nodes is not sentence.words:
            return False
        heads, deps = sentence.words[HEAD], sentence.words[DEPS]
        blank_count = deps.count("_")
        return blank_count == len(deps) or (
            not blank_count
            and all(
                heads[int(name) - 1] in (_heads_in(cell) or ())
                for name, cell in sentence.relations
            )
        )


def _is_sound(
    cells: list[str], sound: set[str], find: Callable[[str], tuple[Fault, ...]]
) -> bool:
    """Return whether no cell of a column has a fault; remember those without."""
    if not sound.issuperset(cells):
        sound.update(cell for cell in {*cells} - sound if not find(cell))
    return sound.issuperset(cells)


def _node(name: str) -> tuple[int, ...]:
    """Return the two numbers of a node."""
    word, _, empty = name.partition(".")
    return int(word), int(empty or 0)


def _is_usual_row(*row: str) -> bool:
    """Return whether a multiword token or an empty node breaks no rule."""
    if "-" in row[ID]:
        return {*row[LEMMA:FEATS], *row[HEAD:MISC]} == {"_"} and (
            row[FEATS] in {"_", "Typo=Yes"}
        )
    return (
        row[HEAD] == row[DEPREL] == "_"
        and (row[UPOS] == "_" or row[UPOS] in _PARTS_OF_SPEECH)
        and not _feature_faults(row[FEATS])
    )


_FEATURE = re.compile(
    r"([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)="
    r"([A-Z0-9][A-Z0-9a-z]*(?:,[A-Z0-9][A-Z0-9a-z]*)*)"
)


@lru_cache(maxsize=1 << 14)
def _feature_faults(features: str) -> tuple[Fault, ...]:
    """List what is wrong with FEATS: rule, message and the part to blame."""
    return () if features == "_" else tuple(_find_feature_faults(features))


def _find_feature_faults(features: str) -> Iterator[Fault]:
    items = features.split("|")
    folded = [item.lower() for item in items]
    if folded != sorted(folded):
        yield "unsorted-features", "the features are not sorted", features
    names = set()
    for item in items:
        match = _FEATURE.fullmatch(item)
        names.add(match[1] if match else item)
        if match is None:
            yield "invalid-feature", f"'{item}' is not Name=Value", item or features
            continue
        values = match[2].split(",")
        folded = [value.lower() for value in values]
        if len({*values}) < len(values):
            yield "repeated-feature-value", f"'{item}' repeats a value", item
        if folded != sorted(folded):
            yield "unsorted-feature-values", f"'{item}' is not sorted", item
    if len(names) < len(items):
        yield "repeated-feature", "a feature is listed twice", features


_RELATION = re.compile(r"[a-z]+(:[a-z]+)?")


@lru_cache(maxsize=1 << 12)
def _relation_faults(relation: str) -> tuple[Fault, ...]:
    """List what is wrong with DEPREL."""
    if not _RELATION.fullmatch(relation):
        message = f"'{relation}' is not a relation of small letters"
        return (("invalid-deprel", message, relation),)
    name = relation.partition(":")[0]
    if name not in _RELATIONS:
        return (("unknown-udeprel", f"'{name}' is not a relation of UD", name),)
    return ()


_LETTERS = "[a-zé]+(?:_[a-zé]+)*"
_DEPS_RELATION = re.compile(rf"[a-z]+(:[a-z]+)?(:{_LETTERS})?(:[a-z]+)?")
_LETTER_CATEGORIES = frozenset(("Ll", "Lm", "Lo", "Mn", "Mc", "Me"))


def _with_one_letter(text: str) -> str:
    """Write é for all small letters and marks outside ASCII, and É for the rest."""
    return "".join(
        letter
        if letter.isascii()
        else "é"
        if unicodedata.category(letter) in _LETTER_CATEGORIES
        else "É"
        for letter in text
    )


@lru_cache(maxsize=1 << 14)
def _deps_faults(deps: str) -> tuple[Fault, ...]:
    """List what is wrong with DEPS, whose heads are known to be nodes."""
    return tuple(_find_deps_faults(deps))


def _find_deps_faults(deps: str) -> Iterator[Fault]:
    pairs = [item.partition(":")[::2] for item in deps.split("|")]
    heads = [_node(head) for head, _ in pairs]
    if heads != sorted(heads):
        yield "unsorted-deps", "DEPS are not sorted by head", deps
    else:
        for (head, relation), (next_head, next_relation) in pairwise(pairs):
            if head == next_head and next_relation < relation:
                message = f"the relations of head {head} are not sorted"
                yield "unsorted-deps-2", message, deps
            elif (head, relation) == (next_head, next_relation):
                yield "repeated-deps", f"'{head}:{relation}' is listed twice", deps
    for _, relation in pairs:
        name = relation.partition(":")[0]
        if not _DEPS_RELATION.fullmatch(_with_one_letter(relation)):
            message = f"'{relation}' is not a well-formed relation"
            yield "invalid-edeprel", message, relation or deps
        elif name not in _RELATIONS and name != "ref":
            message = f"'{name}' is not a relation of UD"
            yield "unknown-eudeprel", message, relation


_KNOWN_NAMES = frozenset(
    ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")
)
_KNOWN_BY_FOLDED = {name.lower(): name for name in _KNOWN_NAMES}


def _without_entities(misc: str) -> str:
    """Leave out brackets of entities, which break no rule of this level.

    The rest is the same on many lines, so that it is checked once.
    """
    if not misc.startswith("Entity=("):
        return misc
    entities, bar, rest = misc.partition("|")
    if entities != entities.strip():
        return misc
    return f"Entity=(|{rest}" if bar else "_"


@lru_cache(maxsize=1 << 14)
def _misc_faults(misc: str) -> tuple[Fault, ...]:
    """List what is wrong with MISC; most of it is not an error."""
    return () if misc == "_" else tuple(_find_misc_faults(misc))


def _find_misc_faults(misc: str) -> Iterator[Fault]:
    names = []
    for item in misc.split("|"):
        name, equals, value = item.partition("=")
        if not name and equals:
            yield "empty-misc-key", f"'{item}' has no name", item
        elif not name:
            yield "empty-misc", "there is an empty attribute in MISC", misc
        if name != name.strip() or value != value.strip():
            yield "misc-extra-space", f"'{item}' has a space at an end", item
        if name in _KNOWN_NAMES:
            names.append(name)
        elif usual := _KNOWN_BY_FOLDED.get(name.strip().lower()):
            yield "misc-attr-typo", f"'{name}' is usually written '{usual}'", item
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield "repeated-misc", f"MISC has {name} more than once", misc
