"""Reader of UIMA CAS, the data model of INCEpTION, WebAnno and DKPro, as XMI or JSON.

A CAS is a text and feature structures with ids. Coreference is in chains of links:

    <coref:CoreferenceLink xmi:id="11" begin="0" end="3" next="12"/>
    <coref:CoreferenceLink xmi:id="12" begin="14" end="17"/>
    <coref:CoreferenceChain xmi:id="13" first="11"/>

    {"%ID": 13, "%TYPE": "….coref.type.CoreferenceChain", "@first": 11}

Custom layers of chains have types that end in ``Chain`` and ``Link``. Coreference may
also be in a layer of relations (``Governor``, ``Dependent``) between spans: mentions
are all spans of that layer, and entities are the spans that relations join, as in
WebAnno TSV. Offsets are UTF-16 units, and the end is the one after the mention.

Words are DKPro's tokens, cut where a mention starts or ends inside of one. The writer
uses DKPro's tokens, sentences and chains, in JSON.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

import msgspec
import numpy as np

from scoref.document_names import file_name, name_of_file
from scoref.errors import FormatError, quoted
from scoref.formats.builder import CorpusBuilder, Faults, Groups
from scoref.formats.catalogue import CAS_JSON, CAS_XMI
from scoref.formats.input_files import without_bom
from scoref.formats.json_spans import (
    JsonDocument,
    JsonEntity,
    place_mentions,
    utf16_to_characters,
)
from scoref.formats.tokens import WrittenText, text_to_write, utf16_size
from scoref.formats.webanno import is_joining, relation_notes
from scoref.model import DocumentName, Note, Tokens
from scoref.printable import counted
from scoref.rules import (
    BAD_HEADER,
    IMPOSSIBLE_SPAN,
    NO_DOCUMENT,
    NOT_JSON,
    UNKNOWN_ENTITY,
    UNREADABLE_FILE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus
    from scoref.rules import Rule


class FeatureStructure(NamedTuple):
    """A part of a CAS: its id, its type, its features, and its line in the file."""

    id: str
    type: str
    features: Mapping[str, str]
    line: int


class Cas(NamedTuple):
    """The content of a file: feature structures, and layers of relations.

    ``relations`` has the types of relations that the file declares, each with the type
    of the spans that it joins. XMI does not declare any.
    """

    structures: dict[str, FeatureStructure]
    relations: dict[str, str]


def read_xmi(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document in XMI."""
    return _Document(parse_xmi(data, options.source), options, CAS_XMI).corpus()


def read_json(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document in the JSON of UIMA CAS."""
    return _Document(parse_json(data, options.source), options, CAS_JSON).corpus()


# Parsing

_XMI = "http://www.omg.org/XMI "

_VERSION = re.compile(rb"""(\s*<\?xml\s+version=['"])1\.1""")


def _as_version_1_0(data: bytes) -> bytes:
    """Change the version of XML to 1.0, the only one that Python's parser knows.

    Version 1.1 differs only in control characters.
    """
    start = _VERSION.match(data)
    return data if start is None else start[1] + b"1.0" + data[start.end() :]


def parse_xmi(data: bytes, source: str) -> Cas:
    """Parse XMI; a DTD, and with it any entity, is refused."""
    structures: dict[str, FeatureStructure] = {}
    parser = expat.ParserCreate(namespace_separator=" ")

    def start_element(name: str, attributes: dict[str, str]) -> None:
        identifier = attributes.get(f"{_XMI}id")
        if identifier is not None:
            space, _, tag = name.rpartition(" ")
            package = space.removeprefix("http:///").removesuffix(".ecore")
            kind = f"{package.replace('/', '.')}.{tag}".removeprefix(
                "uima.noNamespace."
            )
            if identifier in structures:
                line = parser.CurrentLineNumber
                problem = f"the id {identifier} appears twice"
                raise _error(UNREADABLE_FILE, problem, source, line)
            structures[identifier] = FeatureStructure(
                identifier, kind, attributes, parser.CurrentLineNumber
            )

    def refuse_doctype(*_: object) -> None:
        line = parser.CurrentLineNumber
        problem, hint = "DOCTYPE is not allowed here", "Remove it."
        raise _error(UNREADABLE_FILE, problem, source, line, hint)

    parser.StartElementHandler = start_element
    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(_as_version_1_0(without_bom(data)), True)  # noqa: FBT003 - no keywords there
    except expat.ExpatError as error:
        problem = f"this is not XML: {expat.ErrorString(error.code)}"
        hint = "Was the file cut off?"
        raise _error(UNREADABLE_FILE, problem, source, error.lineno, hint) from error
    return Cas(structures, {})


class _JsonCas(msgspec.Struct):
    structures: list[dict[str, object]] | dict[str, dict[str, object]] = msgspec.field(
        name="%FEATURE_STRUCTURES", default_factory=list
    )
    types: dict[str, dict[str, object]] = msgspec.field(
        name="%TYPES", default_factory=dict
    )


def parse_json(data: bytes, source: str) -> Cas:
    """Parse UIMA's JSON, in which the name of a reference starts with ``@``."""
    try:
        file = msgspec.json.decode(without_bom(data), type=_JsonCas)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = f"this is not a CAS in JSON: {error}"
        hint = 'Expected {"%TYPES": {...}, "%FEATURE_STRUCTURES": [...], ...}.'
        raise _error(NOT_JSON, problem, source, None, hint) from error
    listed = file.structures
    if isinstance(listed, dict):
        listed = [{"%ID": name, **features} for name, features in listed.items()]
    structures: dict[str, FeatureStructure] = {}
    for row, features in enumerate(listed):
        identifier = str(features.get("%ID", f"#{row}"))
        if identifier in structures:
            problem = f"%FEATURE_STRUCTURES[{row}]: the id {identifier} appears twice"
            raise _error(NOT_JSON, problem, source, 1)
        values = {
            name.removeprefix("@"): value if isinstance(value, str) else str(value)
            for name, value in features.items()
            if isinstance(value, str | int) and not isinstance(value, bool)
        }
        structures[identifier] = FeatureStructure(
            identifier, str(features.get("%TYPE", "")), values, 1
        )
    return Cas(structures, dict(_relation_types(file.types)))


_GOVERNOR, _DEPENDENT = "Governor", "Dependent"


def _relation_types(
    types: Mapping[str, Mapping[str, object]],
) -> Iterable[tuple[str, str]]:
    for name, features in types.items():
        feature = features.get(_GOVERNOR)
        if isinstance(feature, dict) and _DEPENDENT in features:
            yield name, str(feature.get("%RANGE", ""))


def _error(
    rule: Rule, problem: str, source: str, line: int | None, hint: str = ""
) -> FormatError:
    return FormatError(
        problem, rule=rule, source=source, line=line, hint=hint, is_final=True
    )


# From feature structures to entities

_WORD = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"

_SENTENCE = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Sentence"

_LINK = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"

_CHAIN = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain"

_USUAL = "CoreferenceChain"

_SYNTAX = "Dependency"

_FIRST, _NEXT = "first", "next"

Entities = list[tuple[str, list[FeatureStructure]]]


class _Document:
    """Finds the text and the entities of one CAS."""

    def __init__(self, cas: Cas, options: ReadOptions, format: str) -> None:
        self._cas = cas
        self._options = options
        self._source = options.source
        self._format = format
        self._notes: list[Note] = []

    def corpus(self) -> Corpus:
        """Build the corpus of this document."""
        view, text = self._text()
        entities = [
            (label, [span for span in spans if self._is_in(view, span)])
            for label, spans in self._entities()
        ]
        entities = [(label, spans) for label, spans in entities if spans]
        tokens = self._offsets(self._of_type(view, _WORD), text)
        sentences = self._offsets(self._of_type(view, _SENTENCE), text)
        placed = place_mentions(
            JsonDocument(
                None,
                [self._json_entity(label, spans, text) for label, spans in entities],
                text=text,
                is_end_included=False,
                borders=np.clip(np.ravel(tokens), 0, len(text)).tolist(),
                sentence_starts=np.sort(sentences[0]),
            )
        )
        faults = Faults(self._source, lenient=self._options.lenient)
        for problem in placed.errors:
            line = self._cas.structures[problem.path].line
            message = f"feature structure {problem.path}: {problem.problem}"
            hint = problem.hint or "Offsets are UTF-16 units, counted from 0."
            error = _error(IMPOSSIBLE_SPAN, message, self._source, line, hint)
            error.is_final = False
            faults.report("unreadable-mentions", error)
        builder = CorpusBuilder(self._source, self._format, has_labels=False)
        name = DocumentName.plain(name_of_file(self._options.document))
        document = builder.add_document(name, line=1, tokens=len(placed.sentence))
        rows = [builder.add_entity(label, document) for label in placed.labels]
        columns = (placed.entity, placed.row, placed.first, placed.last)
        for entity, row, first, last in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            line = entities[entity][1][row].line
            builder.mentions += [rows[entity], first, last, line]
        size = len(placed.sentence)
        written = Tokens(
            first=np.array([0, size]),
            sentence=placed.sentence,
            line=np.ones(size, dtype=np.int64),
            word=placed.word,
        )
        return builder.build([*self._notes, *faults.notes()], tokens=written)

    def _text(self) -> tuple[str, str]:
        """Return the id of the view that is annotated, and its text."""
        views = [
            structure
            for structure in self._cas.structures.values()
            if "sofaString" in structure.features
        ]
        if not views:
            raise _error(
                NO_DOCUMENT,
                "this CAS has no text",
                self._source,
                None,
                "Expected a Sofa with a sofaString.",
            )
        initial = (
            view for view in views if view.features.get("sofaID") == "_InitialView"
        )
        view = next(initial, views[0])
        return view.id, view.features["sofaString"]

    def _is_in(self, view: str, span: FeatureStructure) -> bool:
        return span.features.get("sofa", view) == view

    def _of_type(self, view: str, name: str) -> list[FeatureStructure]:
        return [
            structure
            for structure in self._cas.structures.values()
            if structure.type == name and self._is_in(view, structure)
        ]

    def _offsets(
        self, spans: Sequence[FeatureStructure], text: str
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return where spans start and end, in characters."""
        numbers = [
            [self._number(span, name) for span in spans] for name in ("begin", "end")
        ]
        start, end = (utf16_to_characters(text, offsets) for offsets in numbers)
        return start, end

    def _number(self, span: FeatureStructure, name: str) -> int:
        # XMI leaves out features whose value is 0 in some versions.
        value = span.features.get(name, "0")
        if not re.fullmatch(r"\d{1,15}", value, re.ASCII):
            problem = f"feature structure {span.id}: {name} is '{value}', not a number"
            raise _error(IMPOSSIBLE_SPAN, problem, self._source, span.line)
        return int(value)

    def _json_entity(
        self, label: str, spans: Sequence[FeatureStructure], text: str
    ) -> JsonEntity:
        start, end = self._offsets(spans, text)
        places = list(zip(start.tolist(), end.tolist(), strict=True))
        return JsonEntity(label, places, "", paths=[span.id for span in spans])

    def _entities(self) -> Entities:
        """Return the entities of the only layer that can be coreference.

        Chains that are called CoreferenceChain come first. A file without any chain or
        relation has no entities, unless it declares a single layer of relations.
        """
        structures = self._cas.structures.values()
        chains: dict[str, list[FeatureStructure]] = {}
        relations: dict[str, list[FeatureStructure]] = {}
        for structure in structures:
            if structure.type.endswith("Chain") and _FIRST in structure.features:
                chains.setdefault(structure.type, []).append(structure)
            elif _is_relation(structure):
                relations.setdefault(structure.type, []).append(structure)
        usual = [name for name in chains if name.rpartition(".")[2] == _USUAL]
        if len(usual) == 1:
            return self._chains(chains[usual[0]])
        declared = [name for name in self._cas.relations if not name.endswith(_SYNTAX)]
        names = [*chains, *relations] or (declared if len(declared) == 1 else [])
        if len(names) > 1:
            raise _error(
                BAD_HEADER,
                "the layer with the coreference annotation is not clear",
                self._source,
                None,
                f"This file has {quoted(names)}. Export only the layer with "
                "coreference.",
            )
        if not names:
            return []
        if names[0] in chains:
            return self._chains(chains[names[0]])
        return self._relations(names[0], relations.get(names[0], []))

    def _chains(self, chains: Sequence[FeatureStructure]) -> Entities:
        """Follow the links of chains; a link may be in one chain, and only once."""
        owner: dict[str, str] = {}
        entities: Entities = []
        for chain in chains:
            links: list[FeatureStructure] = []
            name, before, feature = chain.features[_FIRST], chain, _FIRST
            while True:
                link = self._target(before, feature)
                if name in owner:
                    problem = f"in two chains, {owner[name]} and {chain.id}"
                    if owner[name] == chain.id:
                        problem = f"twice in chain {chain.id}, which never ends"
                    problem, hint = f"link {name} is {problem}", "Remove one of them."
                    raise _error(
                        UNREADABLE_FILE, problem, self._source, link.line, hint
                    )
                owner[name] = chain.id
                links.append(link)
                if _NEXT not in link.features:
                    break
                name, before, feature = link.features[_NEXT], link, _NEXT
            entities.append((chain.id, links))
        kind = next(iter(owner), "")
        kind = self._cas.structures[kind].type if kind else ""
        loose = [
            structure
            for structure in self._cas.structures.values()
            if structure.type == kind and structure.id not in owner
        ]
        if loose:
            number = counted(
                len(loose),
                "link is not in any chain and was left out",
                "links are not in any chain and were left out",
            )
            place = f"first: {loose[0].id}"
            message = f"{self._source}: {number} ({place})."
            self._notes.append(Note("loose-links", len(loose), message))
        return entities

    def _target(self, structure: FeatureStructure, feature: str) -> FeatureStructure:
        """Return the feature structure that a feature refers to."""
        name = structure.features[feature]
        target = self._cas.structures.get(name)
        if target is None or "sofaString" in target.features:
            problem = "is not an annotation" if target else "does not exist"
            problem = (
                f"{feature} of feature structure {structure.id} is {name}, which "
                f"{problem}"
            )
            hint = "Was the file cut off, or exported without a layer?"
            raise _error(UNKNOWN_ENTITY, problem, self._source, structure.line, hint)
        return target

    def _relations(self, name: str, relations: Sequence[FeatureStructure]) -> Entities:
        """Join the spans of a layer by its relations."""
        ends = [
            (self._target(relation, _GOVERNOR), self._target(relation, _DEPENDENT))
            for relation in relations
        ]
        bases = dict.fromkeys(span.type for pair in ends for span in pair)
        if not bases and name in self._cas.relations:
            bases = {self._cas.relations[name]: None}
        if _WORD in bases:
            raise _error(
                BAD_HEADER,
                f"relations of {name} join words, not mentions",
                self._source,
                None,
                "Expected relations between spans of a layer.",
            )
        spans = {
            structure.id: structure
            for structure in self._cas.structures.values()
            if structure.type in bases
        }
        groups = Groups(spans)
        types: Counter[str] = Counter()
        for relation, (one, other) in zip(relations, ends, strict=True):
            kind = _label(relation)
            types[kind] += 1
            if is_joining(kind, self._options.relations):
                groups.join(one.id, other.id)
        if spans:
            message = (
                f"{self._source}: mentions are the spans of {quoted([*bases])}, and "
                f"relations of '{name}' join them."
            )
            self._notes.append(Note("relation-layer", len(relations), message))
        self._notes += relation_notes(types, self._options)
        return [
            (str(number), [spans[identifier] for identifier in names])
            for number, names in enumerate(groups.lists())
        ]


def _is_relation(structure: FeatureStructure) -> bool:
    has_ends = {_GOVERNOR, _DEPENDENT} <= structure.features.keys()
    return has_ends and not structure.type.endswith(_SYNTAX)


_NO_LABELS = frozenset(("sofa", "begin", "end", "%ID", "%TYPE", _GOVERNOR, _DEPENDENT))


def _label(relation: FeatureStructure) -> str:
    """Return the value of the first feature that is not about the place."""
    values = (
        value
        for name, value in relation.features.items()
        if name not in _NO_LABELS and not name.startswith(_XMI)
    )
    return next(values, "")


# Writing


def _declare(name: str, parent: str, **features: str) -> dict[str, dict[str, object]]:
    """Declare a type and the ranges of its features."""
    ranges = {
        feature: {"%NAME": feature, "%RANGE": kind}
        for feature, kind in features.items()
    }
    return {name: {"%NAME": name, "%SUPER_TYPE": parent, **ranges}}


_ANNOTATION, _STRING = "uima.tcas.Annotation", "uima.cas.String"

_TYPES = {
    **_declare(_CHAIN, "uima.cas.AnnotationBase", first=_LINK),
    **_declare(
        _LINK, _ANNOTATION, next=_LINK, referenceType=_STRING, referenceRelation=_STRING
    ),
    **_declare(_SENTENCE, _ANNOTATION),
    **_declare(_WORD, _ANNOTATION),
}


def write(corpus: Corpus) -> dict[str, bytes]:
    """Return files in JSON by name, one for each document. Entities become chains.

    Raises:
        FormatError: there is no text, or there are empty nodes.
    """
    tokens, words, (start, row) = text_to_write(corpus)
    members = [row[a:b].tolist() for a, b in pairwise(start.tolist())]
    chains: dict[int, dict[int, list[list[int]]]] = defaultdict(dict)
    places = corpus.mention_document.tolist(), corpus.mention_entity.tolist()
    for document, entity, mention in zip(*places, members, strict=True):
        chains[document].setdefault(entity, []).append(mention)
    is_start = tokens.is_start.tolist()
    files = {}
    for document, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        text = WrittenText.of(
            words[first:last], is_start[first:last], first, utf16_size
        )
        name = file_name(corpus.documents[document].short)
        files[f"{name}.json"] = _written_cas(text, chains[document].values())
    return files


def _written_cas(text: WrittenText, chains: Iterable[list[list[int]]]) -> bytes:
    """Write a text and its chains; each feature structure is a line."""
    sofa: dict[str, object] = {
        "%ID": 1,
        "%TYPE": "uima.cas.Sofa",
        "sofaNum": 1,
        "sofaID": "_InitialView",
        "mimeType": "text/plain",
        "sofaString": text.text,
    }
    structures = [sofa]

    def add(kind: str, **features: object) -> None:
        structures.append(
            {"%ID": len(structures) + 1, "%TYPE": kind, "@sofa": 1, **features}
        )

    borders = [
        place
        for place in range(len(text.sentence))
        if place == 0 or text.sentence[place] != text.sentence[place - 1]
    ]
    for first, after in pairwise([*borders, len(text.sentence)]):
        add(_SENTENCE, begin=text.start[first], end=text.end[after - 1])
    for begin, end in zip(text.start, text.end, strict=True):
        add(_WORD, begin=begin, end=end)
    for chain in chains:
        add(_CHAIN)
        structures[-1]["@first"] = len(structures) + 1
        for number, mention in enumerate(chain, start=1):
            add(
                _LINK,
                begin=text.start[mention[0] - text.first],
                end=text.end[mention[-1] - text.first],
            )
            if number < len(chain):
                structures[-1]["@next"] = len(structures) + 1
    members = [*range(2, len(structures) + 1)]
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}}
    encode = msgspec.json.encode
    lines = b",\n".join(map(encode, structures))
    return (
        b'{"%TYPES":'
        + encode(_TYPES)
        + b',\n"%FEATURE_STRUCTURES":[\n'
        + lines
        + b'],\n"%VIEWS":'
        + encode(views)
        + b"}\n"
    )
