"""`scoref.score`: scores responses, given as files or as entities, against a key.

The format of a key is known before the key is parsed (`OpenedKey`). Large files are
read in a thread (`Ahead`): the next response is read while the key is read, or while
the previous response is scored. NumPy releases Python's lock in its large operations,
so two threads keep two cores busy. Each file is read as it would be without threads,
and results and errors are collected in the same order, so threads change no figure,
note or message.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from scoref.errors import OptionError
from scoref.formats import catalogue, folders, input_files, reading
from scoref.metrics import available, choose_metrics
from scoref.scheme import Options, taking_options
from scoref.schemes import named_for, resolve
from scoref.scoring.format_defaults import (
    are_mixed,
    as_usual_for_key,
    have_other_words,
    hold_gaps,
    on_one_text,
)
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Unpack

    from scoref.formats.entities import Documents, Entities
    from scoref.model import Corpus
    from scoref.scheme import Choice, Layer, Scheme
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices
    from scoref.scoring.windows import Windowed

    Path = str | os.PathLike[str]


class Request(Options, total=False):
    """What `score` takes beside what is to be scored, for type checkers."""

    format: str | None
    scheme: str | Scheme | None
    metrics: str | Iterable[str] | None
    lenient: bool
    with_blocks: bool
    with_fingerprint: bool


@taking_options
def score(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents | None = None,
    *,
    format: str | None = None,
    scheme: str | Scheme | None = None,
    metrics: str | Iterable[str] | None = None,
    lenient: bool = False,
    with_blocks: bool = False,
    with_fingerprint: bool = False,
    window: int | str | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score a response against a key.

    Both are paths (``-`` is standard input), or entities as lists of lists of
    hashable mentions, or dicts of those by document. A single path to JSON lines
    may hold both sides.

    Args:
        key: what the annotators said.
        response: what the system said.
        format: the files' format; detected if not given.
        scheme: a set-up by name, such as ``conll-2012``; see `scoref.SCHEMES`.
        metrics: names of metrics; all if not given.
        lenient: pass over what cannot be read and note it in the result.
        with_blocks: count by blocks of entities, too, for intervals of few documents.
        with_fingerprint: say which key it was, in the signature and in
            ``result.fingerprint``.
        window: cut documents into windows of so many tokens, and score these as
            documents; ``bookcoref`` cuts as the published evaluator does.
        options: conventions, namely these; each is the scheme's if not given.
        match: ``exact``; with CorefUD also ``partial`` or ``head``, with Universal
            Anaphora ``partial`` (by Min) or ``craft``, with CoNLL-2012 ``min`` (minimum
            spans by the key's parses, as in coval) or ``mina`` (as in its paper).
        identity: what makes two mentions the same beside their ``span``: ``span+type``,
            ``span+kbid`` (their id in a knowledge base) or ``span+type+kbid``.
        scope: within what entities of the same label are one: a ``document``, a
            ``subtopic``, a ``topic`` or the ``corpus``; these are then the rows of
            ``per_document``, and what is drawn and tested.
        topics: what says which topic a document belongs to: ``ecb+``, the path of a
            file, a regular expression, or a dict of topics, or of pairs of topic and
            subtopic, by document.
        borders: where key and response cut words in two ways, what becomes of a
            response's mention that begins or ends inside of a word of the key: it
            matches nothing (``strict``), takes the whole word (``expand``), leaves it
            (``contract``), or moves over signs only (``punctuation``).
        singletons: ``keep`` or ``drop`` entities of one mention.
        zeros: CorefUD's empty nodes match by their dependencies (``dependent``) or
            by their place (``linear``), or are left out (``drop``); Universal
            Anaphora's are left out or match by their place.
        split_antecedents: ``keep`` or ``drop`` that an entity stands for several.
        evaluate: Universal Anaphora's ``identity``, ``discourse-deixis``, or
            ``split-antecedents`` and nothing else.
        phrases: ``np`` leaves out CoNLL-2012's mentions that are verb phrases, as far
            as coval sees them; ``no-vp`` all of them.
        nested: ``drop`` leaves out mentions inside another one of their entity, as
            coval does; ``outermost`` keeps those that lie in no other one.
        alignment: CorefUD's matches, as in the ``official`` scorer or truly
            ``one-to-one``.
        duplicates: who keeps a mention that is listed twice: ``reference``,
            ``first``, ``last`` or nobody (``error``); the later entity owns it as
            in the ``corefud`` and the ``ua`` scorer and in ``coval``.
        document_names: which document of the response is which of the key, where names
            do not tell: the path of a file of lines ``response<TAB>key``, or a dict.
        annotator: whose annotations to read of Label Studio's, where there are several.
        relations: which relations of WebAnno and Label Studio join mentions, with
            commas; all but bridging if not given.
        markables: ``events`` or ``entities`` of ECB+; both if not given.
        missing: a document on one side only: ``error``, ``empty``, or ``key``.
        blanc: how BLANC treats absent links, as the ``reference`` scorer or as the
            ``corefud`` scorer.
        lea: LEA's singletons: ``self-links`` or ``no-singletons``.
        average: ``micro`` sums over documents, ``macro`` averages them.
        anaphors: which ones CorefUD's anaphor score is for: ``zeros``, ``pronouns``,
            ``upos:NOUN,PROPN``, ``distance:1-3`` (in sentences) or ``all``.
        folder: what the files of a key's folder are: ``documents`` of one corpus, or
            ``datasets``, which `score_folders` scores; detected if not given.

    >>> result = score([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
    >>> result.scores["muc"].recall, round(result.conll, 4)
    (0.5, 0.5405)
    """
    wanted = Wanted.of(
        format=format,
        scheme=scheme,
        metrics=metrics,
        lenient=lenient,
        with_blocks=with_blocks,
        with_fingerprint=with_fingerprint,
        **options,
    )
    if wanted.folder is not None:
        _check_folder(key, wanted.folder)
    if window is not None:
        return _score_windows(key, response, wanted, window)
    if isinstance(key, str | os.PathLike):
        (result,) = score_files(key, _paths(response), wanted)
        return result
    return score_corpora(
        *entity_pair(key, response),
        wanted.scheme_for(None),
        choose_metrics(wanted.metrics, scheme=wanted.scheme),
        with_blocks=with_blocks,
    )


def _check_folder(key: Path | Entities | Documents, folder: str) -> None:
    """Refuse a choice that has no meaning for a key."""
    if not isinstance(key, str | os.PathLike):
        raise OptionError(f"folder={folder} is for paths, and the key is not one")
    folders.folder_kind(key, folder)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, before it is known what the files are."""

    format: str | None = None
    scheme: str | Scheme | None = None
    metrics: str | Iterable[str] | None = None
    lenient: bool = False
    with_blocks: bool = False
    with_tokens: bool = False
    with_genres: bool = False  # of the key
    with_parses: bool = False  # or trees, if the format can have them
    with_fingerprint: bool = False  # of the key
    changes: Mapping[str, Choice] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        *,
        format: str | None = None,
        scheme: str | Scheme | None = None,
        metrics: str | Iterable[str] | None = None,
        lenient: bool = False,
        with_blocks: bool = False,
        with_fingerprint: bool = False,
        **changes: Choice,
    ) -> Wanted:
        """Take the options of `score` by their names."""
        if not isinstance(lenient, bool):
            raise OptionError(f"lenient is True or False, not {lenient!r}")
        return cls(
            format,
            scheme,
            metrics,
            lenient,
            with_blocks,
            with_fingerprint=with_fingerprint,
            changes=changes,
        )

    def changed(self, **more: Choice) -> Wanted:
        """Change some conventions."""
        return replace(self, changes={**self.changes, **more})

    @property
    def folder(self) -> str | None:
        """What the files of folders are; None: see for yourself."""
        asked = self.changes.get("folder")
        return None if asked is None else str(asked)

    def scheme_for(self, format_name: str | None, **more: str) -> Scheme:
        """Find the scheme for files of a format, with ``more`` changed."""
        changes = {**self.changes, **more}
        return resolve(self.scheme, format=format_name, lenient=self.lenient, **changes)

    def metrics_for(self, key: Corpus, scheme: Scheme) -> tuple[str, ...]:
        """Choose the metrics for a key, whose format does not have them all."""
        named = named_for(self.scheme, key.format)
        return choose_metrics(self.metrics, available(key, scheme), scheme=named)


def read_key(
    key: Path, wanted: Wanted, layer: Layer | None = None
) -> tuple[Corpus, str]:
    """Read a key, and say what it turned out to be."""
    opened = OpenedKey.of(key, wanted.format, wanted.folder)
    return _read_opened(opened, wanted, layer), opened.format


def _read_opened(opened: OpenedKey, wanted: Wanted, layer: Layer | None) -> Corpus:
    scheme = wanted.scheme_for(opened.format)
    corpus = opened.read(
        scheme,
        layer or _layer(wanted, scheme, opened.format, _PARSED),
        with_tokens=wanted.with_tokens or wanted.with_fingerprint,
        with_genres=wanted.with_genres,
    )
    return _named(corpus, wanted)


_PARSED = frozenset((catalogue.CONLL_2012, catalogue.COREFUD))
"""Keys that may have parses or trees."""


def _layer(wanted: Wanted, scheme: Scheme, name: str, parsed: Collection[str]) -> Layer:
    """Read parses beside identity, if these are wanted and there can be any."""
    can_have = name in parsed and scheme.layer == "identity"
    return "parses" if wanted.with_parses and can_have else scheme.layer


def _named(key: Corpus, wanted: Wanted) -> Corpus:
    """Add the key's fingerprint, if it is wanted."""
    if not wanted.with_fingerprint:
        return key
    from scoref.formats.fingerprints import fingerprint

    named = replace(key, fingerprint=fingerprint(key))
    if wanted.with_tokens:
        return named
    # A response with its own words needs those of the key.
    return replace(named, tokens=None, later=lambda: key.tokens)


class Pair(NamedTuple):
    """A key and a response, and how they are to be scored."""

    key: Corpus
    response: Corpus
    scheme: Scheme
    metrics: tuple[str, ...]


def read_pairs(
    key: Path, responses: Iterable[Path], wanted: Wanted, layer: Layer | None = None
) -> Iterator[Pair]:
    """Read each response, and the key once."""
    scheme = wanted.scheme_for(wanted.format)  # complains before anything is read
    files = list(responses)
    input_files.refuse_second_reading([key, *files])
    if not files:
        metrics = choose_metrics(wanted.metrics, scheme=wanted.scheme)
        both = reading.read_both(
            key,
            format=wanted.format,
            reading=scheme.reading,
            with_tokens=wanted.with_tokens or wanted.with_fingerprint,
            with_genres=wanted.with_genres,
            narrowed=catalogue.Selection.of(scheme),
        )
        yield Pair(_named(both[0], wanted), both[1], scheme, metrics)
        return
    opened = OpenedKey.of(key, wanted.format, wanted.folder)
    wanted = wanted.changed(folder="documents") if opened.is_folder else wanted
    scheme = wanted.scheme_for(opened.format)

    def read(path: Path) -> Corpus:
        return reading.read_response(
            path,
            format=wanted.format,
            key_format=opened.format,
            reading=scheme.reading,
            # The parses of a CoNLL-2012 key hold for both sides.
            layer=layer or _layer(wanted, scheme, opened.format, {catalogue.COREFUD}),
            with_tokens=wanted.with_tokens,
            narrowed=catalogue.Selection.of(scheme),
            folder="documents" if os.path.isdir(key) else None,
        )

    sides = Ahead(files, read)
    key_side = _read_opened(opened, wanted, layer)
    wanted.metrics_for(key_side, scheme)  # complains before any of a response
    for response in sides:
        yield settled(key_side, response, wanted, opened.format)


def settled(
    key: Corpus, response: Corpus, wanted: Wanted, name: str | None, **more: str
) -> Pair:
    """Bring both sides onto one text, and find the scheme and the metrics for them.

    ``name`` is the key's format. What has sets of words is made spans if the other
    side has these, or other words; conventions are still those of the key's format.
    """
    if are_mixed(key, response) or have_other_words(key, response):
        from scoref.matching.as_spans import as_spans

        with_gaps = hold_gaps(key, response)
        key, response = (
            as_spans(side, with_gaps=with_gaps) for side in (key, response)
        )
        scheme = wanted.scheme_for(None, **more)
        if wanted.scheme in {None, "default"}:
            changes = {**wanted.changes, **more}
            given = [name for name, value in changes.items() if value is not None]
            scheme, notes = as_usual_for_key(scheme, key, response, given)
            response = replace(response, notes=(*response.notes, *notes))
    else:
        scheme = wanted.scheme_for(name, **more)
    sides = on_one_text(key, response, scheme, with_tokens=wanted.with_tokens)
    return Pair(*sides, wanted.metrics_for(sides.key, sides.scheme))


def score_files(
    key: Path, responses: Iterable[Path], wanted: Wanted
) -> Iterator[Result]:
    """Score each response against the key, which is read once."""
    for pair in read_pairs(key, responses, wanted):
        yield score_corpora(*pair, with_blocks=wanted.with_blocks)


def window_files(
    key: Path, responses: Iterable[Path], wanted: Wanted, window: int | str
) -> Iterator[Windowed]:
    """Score each response as a whole and in windows; see `scoref.scoring.windows`."""
    from scoref.scoring.windows import Window, score_both

    asked = Window.of(window)
    for pair in read_pairs(key, responses, wanted):
        yield score_both(*pair, asked)


def _score_windows(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents | None,
    wanted: Wanted,
    window: int | str,
) -> Result:
    from scoref.scoring.windows import (
        Window,
        score_windows,
    )

    asked = Window.of(window)
    if wanted.with_blocks:
        raise OptionError(
            "windows of one text are no independent documents: they have no blocks"
        )
    if not isinstance(key, str | os.PathLike):
        raise OptionError("windows need files: entities in Python have no places")
    (pair,) = read_pairs(key, _paths(response), wanted)
    return score_windows(*pair, asked)


def slice_files(
    key: Path, responses: Iterable[Path], wanted: Wanted, by: str
) -> Iterator[Slices]:
    """Score slices of each response; see `scoref.scoring.slices`."""
    from scoref.scoring.slices import (
        layer_of,
        slice_corpora,
    )

    wanted = replace(wanted, with_genres=by == "genre")
    for pair in read_pairs(key, responses, wanted, layer_of(by)):
        yield slice_corpora(*pair, by)


def score_slices(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents,
    by: str,
    **options: Unpack[Request],
) -> Slices:
    """Score parts of the mentions, or of the documents, one by one.

    Args:
        key: what the annotators said.
        response: what the system said.
        by: what to sort by: ``document``, ``genre`` or ``genre:PATTERN``,
            ``entity-size``, ``mention-length``, and with CorefUD ``upos``,
            ``mention-type``, ``entity-type`` and ``distance``.
        options: what `score` takes.
    """
    wanted = Wanted.of(**options)
    if isinstance(key, str | os.PathLike):
        (found,) = slice_files(key, [path_of(response)], wanted, by)
        return found
    from scoref.scoring.slices import slice_corpora

    both = entity_pair(key, response, is_sorted=True)
    metrics = choose_metrics(wanted.metrics, scheme=wanted.scheme)
    return slice_corpora(*both, wanted.scheme_for(None), metrics, by)


def entity_pair(
    key: Entities | Documents,
    response: Path | Entities | Documents | None,
    *,
    is_sorted: bool = False,
) -> tuple[Corpus, Corpus]:
    """Make corpora of entities in Python.

    Raises:
        OptionError: one side is a path, or missing.
    """
    if response is None or isinstance(response, str | os.PathLike):
        raise OptionError("key and response must both be paths, or both entities")
    from scoref.formats.entities import EntityPairs  # not for files

    return EntityPairs.of(key, response, is_sorted=is_sorted).build()


def _paths(response: Path | Entities | Documents | None) -> list[Path]:
    return [] if response is None else [path_of(response)]


def path_of(response: Path | Entities | Documents) -> Path:
    """Give a response that must be a path, since the key is one.

    Raises:
        OptionError: it is none.
    """
    if isinstance(response, str | os.PathLike):
        return response
    raise OptionError("the key is a path, so the response must be one, too")


class OpenedKey(NamedTuple):
    """A key of which nothing is known yet but its format."""

    path: str | os.PathLike[str]
    data: bytes | folders.Folder
    format: str
    asked_format: str | None

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        asked_format: str | None,
        folder: str | None = None,
    ) -> OpenedKey:
        """Read its bytes, and see what they are."""
        data = reading.read_input(path, folder)
        return cls(path, data, asked_format or reading.detect(data), asked_format)

    @property
    def is_folder(self) -> bool:
        """Tell whether its files were read as documents, and could be datasets."""
        return isinstance(self.data, folders.Folder) and self.data.is_plain

    def read(
        self,
        scheme: Scheme,
        layer: Layer,
        *,
        with_tokens: bool,
        with_genres: bool,
    ) -> Corpus:
        """Read all that is wanted of it."""
        return reading.read_data(
            self.data,
            again=input_files.reading_again(self.path),
            source=input_files.name_of(self.path),
            role="key",
            format=self.asked_format,
            reading=scheme.reading,
            layer=layer,
            with_tokens=with_tokens,
            with_genres=with_genres,
            narrowed=catalogue.Selection.of(scheme),
        )


Found = TypeVar("Found")

_WORTH_A_THREAD = 1 << 22  # bytes


class Ahead(Generic[Found]):
    """Files that are read in turn; the next one is under way already if it is large.

    >>> list(Ahead(["a.conll", "b.conll"], len))
    [7, 7]
    """

    def __init__(self, paths: Iterable[Path], read: Callable[[Path], Found]) -> None:
        self._paths = iter(paths)
        self._read = read
        self._next = self._begun()

    def __iter__(self) -> Iterator[Found]:
        while self._next is not None:
            found = self._next()
            self._next = self._begun()
            yield found

    def _begun(self) -> Callable[[], Found] | None:
        """Begin with the next file, and give what waits for its end."""
        for path in self._paths:
            reading = partial(self._read, path)
            return _under_way(reading) if is_large(path) else reading
        return None


def is_large(path: Path) -> bool:
    """Tell whether a file is worth a thread, and there is a second core for it."""
    try:
        return os.path.getsize(path) >= _WORTH_A_THREAD and (os.cpu_count() or 1) > 1
    except (OSError, ValueError):
        return False  # standard input, or whoever reads it will say what is wrong


def _under_way(task: Callable[[], Found]) -> Callable[[], Found]:
    """Start a task in a thread; what waits for it gives its result or raises its error.

    The thread ends with the process: whoever interrupts this need not wait for it.
    """
    import threading  # for large files only
    from contextvars import copy_context

    found: list[Found] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            found.append(task())
        except BaseException as error:  # noqa: BLE001 - raised by whoever waits
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()

    def wait() -> Found:
        thread.join()
        if errors:
            raise errors.pop()
        return found.pop()

    return wait
