"""Scores for groups of spans in spaCy's `Doc.spans`, where each group is an entity.

    score_docs(key_docs, response_docs).conll

Groups are called ``coref_clusters_1``, ``coref_clusters_2`` … by convention; any other
prefix can be used. If key and response have the same tokens, mentions are compared by
token. If only their texts are the same, both are renumbered in common tokens, and
mentions are compared by character, as for files. A mention that begins or ends inside a
token of the other side then matches nothing, counts as wrong, and is noted. Different
texts are refused.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, OptionError, ScorefError
from scoref.matching.retokenised import number_alike
from scoref.model import Corpus, DocumentName, Note, Texts, Tokens
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import taking_options
from scoref.scoring.evaluator import Evaluator
from scoref.scoring.scores import named_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from scoref.model import Ints
    from scoref.scheme import Options, Scheme
    from scoref.scoring.results import Result

    Doc = Any
    Example = Any
    Span = tuple[int, int]
    Entities = list[list[Span]]


PREFIX = "coref_clusters"

_MISSING = object()


@taking_options
def score_docs(
    key_docs: Iterable[Doc],
    response_docs: Iterable[Doc],
    *,
    prefix: str = PREFIX,
    response_prefix: str | None = None,
    names: Iterable[str] | None = None,
    scheme: str | Scheme | None = None,
    metrics: str | Iterable[str] | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score documents against those of the same place in the key.

    Args:
        key_docs: documents with the gold annotation.
        response_docs: the same documents in the same order, with the system's output.
        prefix: what groups of spans that are entities are called, before ``_1``.
        response_prefix: the same in the response; ``prefix`` if not given.
        names: of the documents; their numbers if not given.
        scheme: name of a scheme, such as ``conll-2012``.
        metrics: names of metrics; all if not given.
        options: conventions such as ``singletons``, as in `scoref.score`.
    """
    evaluator = Evaluator(scheme=scheme, metrics=metrics, **options)
    if hasattr(key_docs, "spans") or hasattr(response_docs, "spans"):
        raise OptionError(
            "give lists of documents. For one document, give a list of one"
        )
    pairs = _Pairs(evaluator, prefix, response_prefix or prefix)
    columns: list[Iterable[Any]] = [key_docs, response_docs]
    columns += [] if names is None else [names]
    for row in zip_longest(*columns, fillvalue=_MISSING):
        pairs.add(*row)
    if not len(evaluator):
        raise ScorefError("there is nothing to score: there is no document")
    pairs.refuse_other_groups()
    return pairs.result()


def coreference_scorer(
    prefix: str = PREFIX,
    scheme: str | None = None,
    metrics: str | None = None,
) -> Callable[..., dict[str, Any]]:
    """Make a scorer for a pipeline's config, where it is registered in `@scorers`.

    The names of scores are ``coref_conll``, ``coref_muc_p``, ``coref_muc_r``,
    ``coref_muc_f`` and so on. As everywhere in spaCy, they are None if no reference has
    annotations.
    """

    def score(examples: Iterable[Example], **_: object) -> dict[str, Any]:
        evaluator = Evaluator(scheme=scheme, metrics=metrics)
        pairs = _Pairs(evaluator, prefix, prefix)
        for example in examples:
            pairs.add(example.reference, example.predicted)
        if not len(evaluator):  # spaCy expects the names of scores in any case
            evaluator.update(key=[], response=[])
        result = pairs.result()
        is_annotated = pairs.key_groups.entities > 0
        by_name = named_figures(result.scores, pattern="{}_{}", parts=("r", "p", "f"))
        scores = {
            f"coref_{name}": value if is_annotated else None
            for name, value in by_name.items()
        }
        notes = [note.message for note in result.notes]
        return {**scores, "coref_signature": result.signature, "coref_notes": notes}

    return score


def entities_of(doc: Doc, prefix: str = PREFIX) -> list[list[Span]]:
    """Return the entities of a document: mentions by their first and last token."""
    return [
        [(span.start, span.end - 1) for span in group]
        for name, group in doc.spans.items()
        if _is_entity(name, prefix)
    ]


def _is_entity(name: str, prefix: str) -> bool:
    return re.fullmatch(rf"{re.escape(prefix)}_\d+", name) is not None


@dataclass(slots=True)
class _Groups:
    """The groups of spans of one side: the number of entities, and other names."""

    entities: int = 0
    others: dict[str, None] = field(default_factory=dict)

    def add(self, doc: Doc, prefix: str) -> None:
        for name in doc.spans:
            if _is_entity(name, prefix):
                self.entities += 1
            else:
                self.others[name] = None

    def complaint(self, prefix: str, role: str) -> str | None:
        if self.entities or not self.others:
            return None
        others = ", ".join(f"'{name}'" for name in list(self.others)[:3])
        return f"the {role} has no group such as '{prefix}_1'. Its groups are {others}"


@dataclass(slots=True)
class _Pairs:
    """Adds pairs of documents to an evaluator, and collects notes about them."""

    evaluator: Evaluator
    key_prefix: str
    response_prefix: str
    key_groups: _Groups = field(default_factory=_Groups)
    response_groups: _Groups = field(default_factory=_Groups)
    retokenised: int = 0
    repeated: int = 0
    text_notes: dict[str, list[Note]] = field(default_factory=dict)  # by kind

    def add(self, key: Doc, response: Doc, name: str | None = None) -> None:
        number = len(self.evaluator)
        shown = str(number) if name is None else name
        for role, value in (("key", key), ("response", response), ("names", name)):
            if value is _MISSING:
                raise AlignmentError(
                    f"this side ends after {counted(number, 'document')}, but the "
                    "other "
                    "does not",
                    source=role,
                    hint="Both sides, and names if given, must have the same documents "
                    "in the same order.",
                )
        if not (hasattr(key, "spans") and hasattr(response, "spans")):
            raise OptionError("give spaCy's documents (Doc), not their texts")
        self.repeated += key is response
        entities = {
            "key": entities_of(key, self.key_prefix),
            "response": entities_of(response, self.response_prefix),
        }
        self.key_groups.add(key, self.key_prefix)
        self.response_groups.add(response, self.response_prefix)
        words = [token.text for token in key], [token.text for token in response]
        if words[0] != words[1]:
            both = entities["key"], entities["response"]
            renumbered = in_one_numbering(shown, words, both)
            entities = {"key": renumbered.key, "response": renumbered.response}
            self.retokenised += 1
            for note in renumbered.notes:
                self.text_notes.setdefault(note.kind, []).append(note)
        self.evaluator.update(**entities, document=name)

    def refuse_other_groups(self) -> None:
        """Refuse a key with groups, but none of this prefix."""
        complaint = self.key_groups.complaint(self.key_prefix, "key")
        if complaint:
            raise OptionError(complaint, hint="Use prefix= for the name of the groups.")

    def result(self) -> Result:
        result = self.evaluator.compute()
        scheme = result.scheme
        if self.retokenised:
            scheme = dataclasses.replace(scheme, words="characters", borders="strict")
        notes = (*result.notes, *self._notes())
        return dataclasses.replace(result, scheme=scheme, notes=notes)

    def _notes(self) -> Iterator[Note]:
        complaint = self.response_groups.complaint(self.response_prefix, "response")
        if complaint:
            yield Note(
                "other-groups", 1, f"{WARNING}{complaint[:1].upper()}{complaint[1:]}."
            )
        if self.repeated:
            message = f"{WARNING}The same Doc is in the key and in the response "
            message += (
                f"({counted(self.repeated, 'time')}). It is compared with itself."
            )
            yield Note("same-as-key", self.repeated, message)
        if self.retokenised:
            message = (
                f"{counted(self.retokenised, 'document has', 'documents have')} other "
                "tokens than "
            )
            message += "the key. They were compared by character."
            yield Note("other-tokens", self.retokenised, message)
        for role, other in (("key", "response"), ("response", "key")):
            borders = self.text_notes.pop(f"borders-in-words-of-{other}", [])
            if count := sum(note.count for note in borders):
                mentions = (
                    f"{role} mention starts or ends",
                    f"{role} mentions start or end",
                )
                message = f"{WARNING}{counted(count, *mentions)} inside a token of the "
                message += f"{other}, so they match nothing and count as wrong."
                yield Note(f"unaligned-in-{role}", count, message)
        for first, *others in self.text_notes.values():
            more = f", and in {counted(len(others), 'more document')}"
            message = first.message + (more if others else "")
            yield dataclasses.replace(first, message=message)


class Renumbered(NamedTuple):
    """Entities of both sides in common tokens, and notes about them."""

    key: Entities
    response: Entities
    notes: tuple[Note, ...]


def in_one_numbering(
    document: str,
    words: tuple[Sequence[str], Sequence[str]],
    entities: tuple[Entities, Entities],
) -> Renumbered:
    """Renumber the mentions of a document in tokens that both sides have.

    Raises:
        AlignmentError: the texts are not the same.
    """
    common = number_alike(
        _corpus("key", document, words[0], entities[0]),
        _corpus("response", document, words[1], entities[1]),
        np.zeros(1, dtype=np.int64),
        others=(),
        borders="strict",
        lenient=False,
        by_number=False,
        counted=(False, False),
        with_tokens=False,
    )
    sides = (_entities(common.key), _entities(common.response))
    return Renumbered(*sides, common.response.notes)


def _corpus(
    role: str, document: str, words: Sequence[str], entities: Entities
) -> Corpus:
    count = [len(entity) for entity in entities]
    spans = [mention for entity in entities for mention in entity]
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    nothing = np.zeros(len(words), dtype=np.int64)
    return Corpus(
        source=role,
        format="spacy",
        documents=(DocumentName.plain(document),),
        document_tokens=np.array([len(words)]),
        document_line=np.zeros(1, dtype=np.int64),
        entity_document=np.zeros(len(entities), dtype=np.int64),
        entity_label=tuple(map(str, range(len(entities)))),
        mention_entity=np.repeat(np.arange(len(entities)), count),
        mention_start=start,
        mention_end=end,
        mention_line=np.zeros(len(spans), dtype=np.int64),
        tokens=Tokens(np.array([0, len(words)]), nothing, nothing, Texts.of(words)),
    )


def _entities(corpus: Corpus) -> Entities:
    entities: Entities = [[] for _ in corpus.entity_label]
    columns: tuple[Ints, ...] = (
        corpus.mention_entity,
        corpus.mention_start,
        corpus.mention_end,
    )
    for entity, start, end in zip(*map(np.ndarray.tolist, columns), strict=True):
        entities[entity].append((start, end))
    return entities
