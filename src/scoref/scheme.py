"""The class `Scheme`, which holds every choice that can change a figure.

Two results are comparable if their schemes are equal. The official schemes are named
schemes, see `scoref.schemes`. An option that is given together with a name changes that
one choice, and the signature shows the change. Functions and the command line take the
choices as options: `Options` declares them for type checkers, and `CONVENTIONS` lists
them at run time.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypedDict, TypeVar

from scoref._version import __version__
from scoref.classes import dataclass
from scoref.conventions import convention, conventions_of
from scoref.errors import OptionError
from scoref.lazy import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoref.conventions import Kind
    from scoref.document_names import Mapped
    from scoref.topics import Topics

    Choice = str | Mapping[str, str | tuple[str, str]] | Topics | Mapped | None
    """What may be given for a convention: a name, topics, or names of documents."""


Reading = Literal["strict", "lenient", "reference"]

Match = Literal["exact", "partial", "head", "craft", "min", "mina", "overlap"]

Identity = Literal["span", "span+type", "span+kbid", "span+type+kbid"]

Mentions = Literal["gold"]

Unplaced = Literal["count", "ignore"]

Scope = Literal["document", "subtopic", "topic", "corpus"]

Words = Literal["characters"]

Borders = Literal["strict", "expand", "contract", "punctuation"]

Singletons = Literal["keep", "drop"]

Zeros = Literal["dependent", "linear", "drop"]

SplitAntecedents = Literal["keep", "drop"]

Evaluate = Literal["identity", "split-antecedents", "discourse-deixis"]

Layer = Literal["identity", "discourse-deixis", "parses", "types"]

Markables = Literal["events", "entities"]

Phrases = Literal["all", "np", "no-vp"]

Nested = Literal["keep", "drop", "outermost"]

Alignment = Literal["official", "one-to-one"]

Duplicates = Literal["reference", "first", "last", "error", "coval", "corefud", "ua"]

Missing = Literal["error", "empty", "key"]

Blanc = Literal["reference", "corefud", "both-kinds"]

Lea = Literal["self-links", "no-singletons"]

Average = Literal["micro", "macro"]

Universe = Literal["both", "common", "union", "key", "response"]

Undefined = Literal["zero", "one", "nan"]

RowOrder = Literal["text"]

Pairs = Literal["key", "response", "both"]

Sources = Literal["one", "two", "named"]

FolderKind = Literal["documents", "datasets"]

_ANAPHORS = pattern(
    r"zeros|pronouns|all|upos:[A-Z,]+|distance:(?P<least>\d+)(?:-(?P<most>\d*))?"
)


def _check_anaphors(value: str) -> None:
    if not _is_class(value):
        raise OptionError(
            f"unknown class of anaphors '{value}'. Expected zeros, "
            "pronouns, all, upos:NOUN,PROPN or distance:1-3 (in sentences)"
        )


def _is_class(anaphors: str) -> bool:
    found = _ANAPHORS.fullmatch(anaphors)
    if not found or not found["most"]:
        return bool(found)
    return int(found["least"]) <= int(found["most"])


_OVERLAP, _USUAL_THRESHOLD = "overlap", "0.5"

_THRESHOLD = pattern(r"(?P<whole>[01]?)\.(?P<decimals>[0-9]{1,9})|1")


def overlap_threshold(match: str | None) -> tuple[int, int] | None:
    """Return the least overlap of matched mentions as a fraction; None: any other rule.

    >>> overlap_threshold("overlap:0.75"), overlap_threshold("exact")
    ((75, 100), None)
    """
    name, _, text = str(match).partition(":")
    if name != _OVERLAP:
        return None
    number = _THRESHOLD.fullmatch(text or _USUAL_THRESHOLD)
    if number is None or number["decimals"] is None:
        return 1, 1
    decimals = number["decimals"]
    return int(number["whole"] + decimals), 10 ** len(decimals)


def _check_threshold(text: str) -> None:
    numerator, denominator = overlap_threshold(f"{_OVERLAP}:{text}") or (0, 1)
    is_number = _THRESHOLD.fullmatch(text) is not None
    if not is_number or not 0 < numerator <= denominator:
        raise OptionError(
            f"'{text}' is not a threshold of match=overlap (--match overlap). Expected "
            "a number above 0 and at most 1 with up to 9 decimals, as in overlap:0.5"
        )


def as_match(value: str) -> str:
    """Return the one way to write a value of ``match``.

    >>> as_match("overlap"), as_match("overlap:.50"), as_match("exact")
    ('overlap:0.5', 'overlap:0.5', 'exact')
    """
    if value == _OVERLAP:
        return f"{_OVERLAP}:{_USUAL_THRESHOLD}"
    name, colon, text = str(value).partition(":")
    if not colon or name != _OVERLAP or not _THRESHOLD.fullmatch(text):
        return value
    whole, _, decimals = text.partition(".")
    return f"{_OVERLAP}:{whole or '0'}.{decimals}".rstrip("0").rstrip(".")


_OF_LABEL_STUDIO = "is only for Label Studio"

_OF_RELATIONS = "is only for WebAnno, UIMA CAS and Label Studio"

_OF_ECBPLUS = "is only for ECB+"

_OF_COREFUD = "is only for CorefUD"

_OF_UNIVERSAL = "is only for Universal Anaphora"

_OF_WORDS = "is only for CorefUD and Universal Anaphora"

_OF_SPANS = "is only for formats whose mentions are spans"

_OF_CONLL = "is only for CoNLL-2012"

_OF_PARSES = "is only for CoNLL-2012 with parses"

_NO_HEADS = "needs heads, which only CorefUD has"

_LABELS = "needs labels that are the same in all documents, which is not guaranteed in"

_LOCAL_LABELS: dict[Kind, str] = {
    "corefud": f"{_LABELS} CorefUD",
    "universal-anaphora": f"{_LABELS} Universal Anaphora",
}


@dataclass(frozen=True)
class Scheme:
    """The conventions of a figure, each with its record.

    >>> Scheme().signature("conll-2012")  # doctest: +ELLIPSIS
    'scoref:...|format:conll-2012|reading:strict|match:exact|singletons:keep|...'
    """

    reading: Reading = convention(
        "strict",
        "what to do with input that cannot be read: strict stops, "
        "lenient skips it, reference reads it as the Perl reference "
        "scorer does",
    )
    match: Match | str = convention(
        "exact",
        "which mentions count as the same; min: equal minimum spans, "
        "as in coval; mina: as in the MINA paper; overlap:T: spans that share at "
        "least T of their words",
        option="Matching of mentions: exact or overlap for all formats; also partial "
        "or head for CorefUD, partial or craft for Universal Anaphora, min or mina for "
        "CoNLL-2012. overlap:T sets the least share of common words.  [default of T: "
        "0.5]",
        unfit={
            "corefud": {
                "craft": _OF_UNIVERSAL,
                "min": f"{_OF_PARSES} (partial compares heads)",
                "mina": f"{_OF_PARSES} (partial compares heads)",
            },
            "universal-anaphora": {
                "head": f"{_NO_HEADS} (partial compares Min)",
                "mina": f"{_OF_PARSES} (partial compares Min)",
            },
            "spans": {
                "partial": "needs heads (CorefUD) or Min (Universal Anaphora)",
                "head": _NO_HEADS,
                "craft": _OF_UNIVERSAL,
            },
        },
        parameters={_OVERLAP: _check_threshold},
    )
    identity: Identity | None = convention(
        None,
        "what else must be equal for two mentions to be the same, in "
        "addition to the span: the type, the knowledge-base id, or both",
        option="Mentions are the same if their spans are equal, or also their types or "
        "knowledge-base ids, if the files have them.",
        unfit={
            kind: dict.fromkeys(("span+type", "span+kbid", "span+type+kbid"), _OF_SPANS)
            for kind in _LOCAL_LABELS
        },
    )
    scope: Scope | None = convention(
        None,
        "where entities with the same label are one entity: within a "
        "subtopic, a topic or the whole corpus, which then replaces "
        "the document",
        option="Where entities with the same label are one entity: in a document, a "
        "subtopic, a topic or the corpus.  [default: document]",
        unfit={
            kind: dict.fromkeys(("subtopic", "topic", "corpus"), why)
            for kind, why in _LOCAL_LABELS.items()
        },
    )
    topics: Topics | None = convention(
        None,
        "how the topic of a document is determined",
        option="Topics of documents: ecb+, a file of lines "
        "'document<TAB>topic<TAB>subtopic', or a regular expression with a group.",
        within="scope",
    )
    words: Words | None = convention(
        None,
        "characters: key and response are tokenised differently, so "
        "mentions are compared by character, without white space",
    )
    borders: Borders | None = convention(
        None,
        "for files that are tokenised differently, what to do with a "
        "response mention that starts or ends inside a word of the "
        "key: strict: it matches nothing; expand: it gets the whole "
        "word; contract: it loses the word; punctuation: it moves over "
        "punctuation",
        option="If key and response are tokenised differently: how to treat response "
        "mentions that begin or end inside a word of the key.",
    )
    mentions: Mentions | None = convention(
        None,
        "gold: only mentions of the key are scored. Other response "
        "mentions are dropped, and missing ones are added as singletons",
        unfit={kind: {"gold": _OF_SPANS} for kind in _LOCAL_LABELS},
    )
    unplaced: Unplaced | None = convention(
        None,
        "mentions in a language model's answer that are not in the "
        "text: count: they count as wrong response mentions; ignore: "
        "they are left out",
    )
    singletons: Singletons = convention(
        "keep",
        "whether entities with one mention are scored",
        option="Keep or drop entities with a single mention.",
    )
    zeros: Zeros | None = convention(
        None,
        "how empty nodes are matched, or whether they are left out",
        option="Matching of empty nodes, or drop to ignore them.",
        unfit={
            "universal-anaphora": {
                "dependent": "needs dependencies, which only CorefUD has"
            },
            "spans": {None: _OF_WORDS},
        },
    )
    split_antecedents: SplitAntecedents | None = convention(
        None,
        "whether entities that refer to several other entities are scored",
        option="Keep or drop entities with split antecedents.",
        unfit={"spans": {"keep": _OF_WORDS}},
    )
    evaluate: Evaluate | None = convention(
        None,
        "which annotation of Universal Anaphora is scored",
        option="Annotation of Universal Anaphora to evaluate.",
        unfit={
            "corefud": {"discourse-deixis": _OF_UNIVERSAL},
            "spans": {
                "split-antecedents": _OF_WORDS,
                "discourse-deixis": _OF_UNIVERSAL,
            },
        },
    )
    phrases: Phrases | None = convention(
        None,
        "which verb phrases are left out: np: those that coval finds; no-vp: all",
        option="Exclude verb phrases: those that coval finds (np), or all (no-vp); for "
        "CoNLL-2012 with parses.",
        unfit={
            "corefud": {"np": _OF_PARSES, "no-vp": _OF_PARSES},
            "universal-anaphora": {"np": _OF_PARSES, "no-vp": _OF_PARSES},
        },
    )
    nested: Nested | None = convention(
        None,
        "which mentions inside another mention of the same entity are "
        "left out: drop: those that coval drops; outermost: all",
        option="Mentions inside another mention of the same entity: keep them, drop "
        "those that coval drops, or keep only the outermost.",
        unfit={
            "corefud": {"drop": _OF_SPANS, "outermost": _OF_SPANS},
            "universal-anaphora": {"drop": _OF_SPANS, "outermost": _OF_SPANS},
        },
    )
    alignment: Alignment | None = convention(
        None,
        "how words are matched: official: with the errors of the "
        "official scorer; one-to-one: each word at most once",
        option="Alignment of partially matching mentions: as in the official scorers, "
        "or strictly one to one.",
        unfit={"spans": {None: _OF_WORDS}},
    )
    group: str | None = convention(
        None,
        "the table column whose values are the documents; no cluster "
        "extends over two of them",
        files="tables",
    )
    universe: Universe | None = convention(
        None,
        "which mentions of a table are scored: those of both sides, or of one side",
        files="tables",
    )
    pairs: Pairs | None = convention(
        None,
        "which sides of a table are pairs of records, joined to clusters by their "
        "links",
        files="tables",
    )
    sources: Sources | None = convention(
        None,
        "whether left and right records of pairs share their ids: one source; two "
        "sources; or the dataset is part of the id (named)",
        files="tables",
    )
    missing_values: str | None = convention(
        None,
        'the clusters of a table that mean "not clustered"',
        files="tables",
    )
    threshold: str | None = convention(
        None,
        "the lowest score of a pair that counts as a link",
        files="tables",
    )
    duplicates: Duplicates = convention(
        "reference",
        "which entity gets a mention that is listed twice",
        option="Which entity keeps a mention that is listed twice.",
        files="both",
        unfit={
            "corefud": {
                "reference": _OF_CONLL,
                "coval": _OF_SPANS,
                "ua": _OF_UNIVERSAL,
            },
            "universal-anaphora": {"reference": _OF_CONLL, "coval": _OF_SPANS},
            "spans": {"corefud": _OF_COREFUD, "ua": _OF_UNIVERSAL},
        },
    )
    missing: Missing | None = convention(
        "error",
        "what to do with a document that only one side has: stop, "
        "treat the other side as empty, or ignore it if the key lacks "
        "it",
        option="Documents on one side only: stop (error), treat the other side as "
        "empty (empty), or ignore those the key lacks (key).",
    )
    document_names: Mapped | None = convention(
        None,
        "a list says which response document belongs to which key document",
        option="File that pairs documents with different names, in lines "
        "'response<TAB>key'.",
    )
    annotator: str | None = convention(
        None,
        "whose annotations are read if a file has several annotators",
        option="Annotator to read from Label Studio files with several annotators.",
        unfit={
            "corefud": {None: _OF_LABEL_STUDIO},
            "universal-anaphora": {None: _OF_LABEL_STUDIO},
        },
    )
    relations: str | None = convention(
        None,
        "which relations link mentions",
        option="Relations of WebAnno and Label Studio that link mentions, separated by "
        "commas, such as coref,ana.",
        unfit={
            "corefud": {None: _OF_RELATIONS},
            "universal-anaphora": {None: _OF_RELATIONS},
        },
    )
    markables: Markables | None = convention(
        None,
        "whether events or all other mentions are read",
        option="Mentions of ECB+ to read: events, or all others (entities).",
        unfit={
            "corefud": {None: _OF_ECBPLUS},
            "universal-anaphora": {None: _OF_ECBPLUS},
        },
    )
    row_order: RowOrder | None = convention(
        None,
        "how rows are sorted if the engine does not keep their order",
        files="tables",
    )
    undefined: Undefined | None = convention(None, "the value of 0/0", files="tables")
    blanc: Blanc = convention(
        "reference",
        "which scorer's rule BLANC follows if there are no links",
        option="Scorer whose rule BLANC follows if there are no links of one kind.",
        files="both",
    )
    lea: Lea = convention(
        "self-links",
        "how LEA counts singletons",
        option="Treatment of singletons in LEA.",
        files="both",
    )
    average: Average = convention(
        "micro",
        "micro: sum the counts of all documents; macro: average the documents' scores",
        option="Sum counts over documents (micro), or average their scores (macro).",
    )
    anaphors: str | None = convention(
        None,
        "which anaphors the anaphor score covers",
        option="Anaphors of CorefUD's anaphor score: zeros, pronouns, all, "
        "upos:NOUN,PROPN, or distance:1-3 in sentences.",
        unfit={
            "universal-anaphora": {None: _OF_COREFUD},
            "spans": {None: _OF_COREFUD},
        },
        check=_check_anaphors,
    )
    folder: FolderKind | None = convention(
        None,
        "whether the files of a folder are the documents of one "
        "corpus, or datasets whose scores are averaged",
        option="Files of a folder are documents of one corpus, or datasets.  [default: "
        "detected]",
    )
    added: tuple[tuple[str, str], ...] = ()  # those that came into `CONVENTIONS` later
    name: str = field(default="", compare=False, repr=False)  # if chosen by name

    def __post_init__(self) -> None:
        for name, value in self.chosen().items():
            CONVENTIONS[name].refuse_unknown(value)
        if self.topics is not None and self.scope not in {"topic", "subtopic"}:
            scope = as_typed("scope", self.scope or "document")
            raise OptionError(
                f"topics have no effect with {scope}",
                hint="Topics are only used with scope=topic and scope=subtopic.",
            )

    if not TYPE_CHECKING:  # the fields are all that a type checker is to know

        def __getattr__(self, name: str) -> str | None:
            if name not in CONVENTIONS:
                raise AttributeError(f"a scheme has no convention '{name}'")
            return dict(self.added).get(name, CONVENTIONS[name].default)

    def changed(self, **choices: Any) -> Scheme:
        """Return the scheme with other choices; itself if it has them already."""
        if all(getattr(self, name) == value for name, value in choices.items()):
            return self
        return replace(self, **choices)

    def chosen(self) -> dict[str, str | None]:
        """Return the value of every convention, in the order of the signature."""
        return {name: getattr(self, name) for name in CONVENTIONS}

    def _written(self) -> dict[str, str | None]:
        """Return the values as in signatures: some in brackets after another."""
        written = {
            name: value
            for name, value in self.chosen().items()
            if not CONVENTIONS[name].within
        }
        for name, each in CONVENTIONS.items():
            if each.within and (value := getattr(self, name)):
                written[each.within] = f"{written[each.within]}({value})"
        return written

    @property
    def layer(self) -> Layer:
        """The annotation that is read in addition to identity, or instead of it."""
        if self.evaluate == "discourse-deixis":
            return "discourse-deixis"
        needs_parses = self.needs_trees or self.nested == "drop"
        return "parses" if needs_parses else "identity"

    @property
    def needs_trees(self) -> bool:
        """Whether the key's parses decide which mentions are equal or left out."""
        return self.match in {"min", "mina"} or self.phrases in {"np", "no-vp"}

    def signature(self, format_name: str, plugins: Iterable[str] = ()) -> str:
        """Write the conventions as one line for a paper.

        ``plugins`` are the packages, with their versions, of metrics and formats that
        are not part of scoref.
        """
        fields: list[tuple[str, str | None]] = [
            ("scoref", __version__),
            ("format", format_name),
            ("plugins", ",".join(plugins)),
        ]
        fields += [
            (CONVENTIONS[name].label, value)
            for name, value in self._written().items()
            if format_name != TABLE or CONVENTIONS[name].files != "texts"
        ]
        return "|".join(f"{name}:{value}" for name, value in fields if value)


def short_signature(signature: str) -> str:
    """Omit the choices of a signature that are defaults.

    >>> short_signature("scoref:1.0.0|format:conll-2012|match:exact|singletons:drop")
    'scoref:1.0.0|format:conll-2012|singletons:drop'
    """
    defaults = {f"{each.label}:{each.default}" for each in CONVENTIONS.values()}
    fields = signature.split("|")
    return "|".join(field for field in fields if field not in defaults)


class Options(TypedDict, total=False):
    """The conventions that `scoref.score` and others accept, for type checkers."""

    match: Match | str | None
    identity: Identity | None
    scope: Scope | None
    topics: Choice
    borders: Borders | None
    singletons: Singletons | None
    zeros: Zeros | None
    split_antecedents: SplitAntecedents | None
    evaluate: Evaluate | None
    phrases: Phrases | None
    nested: Nested | None
    alignment: Alignment | None
    duplicates: Duplicates | None
    missing: Missing | None
    document_names: Choice
    annotator: str | None
    relations: str | None
    markables: Markables | None
    blanc: Blanc | None
    lea: Lea | None
    average: Average | None
    anaphors: str | None
    folder: FolderKind | None


TABLE = "table"

CONVENTIONS = conventions_of(Scheme, globals())
"""Every convention by name, in the order of the signature."""

FIELDS = frozenset(CONVENTIONS)
"""Those that a scheme has fields for; others may be added to the catalogue."""


def choices(name: str) -> tuple[str, ...]:
    """List the values of a convention; none if any text is allowed."""
    return CONVENTIONS[name].values


def as_typed(name: str, value: str | None) -> str:
    """Write a choice as in Python and as on the command line.

    >>> as_typed("split_antecedents", "keep")
    'split_antecedents=keep (--split-antecedents keep)'
    """
    return f"{name}={value} (--{name.replace('_', '-')} {value})"


Parameters = ParamSpec("Parameters")

Returned = TypeVar("Returned")


def option_names() -> list[str]:
    """List the conventions that are options, in Python and on the command line."""
    return [name for name, each in CONVENTIONS.items() if each.option]


def taking_options(
    function: Callable[Parameters, Returned],
) -> Callable[Parameters, Returned]:
    """Refuse ``**options`` of a function that are not conventions.

    The function's signature lists them, for `help` and notebooks.
    """
    *own, _ = inspect.signature(function).parameters.values()
    names = {each.name for each in own}

    @functools.wraps(function)
    def checked(*given: Parameters.args, **options: Parameters.kwargs) -> Returned:
        for name in options:
            known = CONVENTIONS.get(name)
            if name not in names and not (known and known.option):
                called = f"{function.__qualname__}()"
                raise TypeError(f"{called} got an unexpected keyword argument '{name}'")
        return function(*given, **options)

    vars(checked)["__signature__"] = _named(function)
    return checked


def _named(function: Callable[..., object]) -> inspect.Signature:
    signature = inspect.signature(function)
    *own, _ = signature.parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in option_names()
    ]
    return signature.replace(parameters=[*own, *options])
