"""`scoref.score`: scores responses, given as files or as entities, against a key.

The format of a key is known before the key is parsed (`OpenedFile`). Large files are
read in a thread (`Prefetch`): the next response is read while the key is read, or while
the previous response is scored. NumPy releases Python's lock in its large operations,
so two threads keep two cores busy. Each file is read as it would be without threads,
and results and errors are collected in the same order, so threads change no figure,
note or message.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from scoref.classes import NamedTuple
from scoref.errors import FormatError, OptionError
from scoref.formats import catalogue, folders, input_files, inputs, reading
from scoref.formats.catalogue import ReadOptions
from scoref.formats.reading import OpenedFile
from scoref.matching.documents import covered_documents
from scoref.metrics import choose_metrics
from scoref.scheme import Options, taking_options
from scoref.scoring.format_defaults import (
    are_mixed,
    as_usual_for_key,
    have_other_words,
    hold_gaps,
    on_one_text,
)
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Unpack

    from scoref.formats.inputs import Input, Path
    from scoref.model import Corpus
    from scoref.scheme import Layer, Scheme
    from scoref.scoring.entities import EntityScore, EntityScores
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices
    from scoref.scoring.windows import Windowed


@taking_options
def score(
    key: Input,
    response: Input | None = None,
    *,
    format: str | None = None,
    scheme: str | Scheme | None = None,
    metrics: str | Iterable[str] | None = None,
    lenient: bool = False,
    with_blocks: bool = False,
    with_fingerprint: bool = False,
    window: int | str | None = None,
    trivial: bool = False,
    **options: Unpack[Options],
) -> Result:
    """Score a response against a key.

    Each side is a file or entities. A file is a path (``-`` is standard input), its
    content as bytes, a file object, or a data frame with a row for each mention.
    Entities are lists of lists of mentions; an array of spans is a list of mentions.
    Several documents are a dict of entities by name, or a list.

    Args:
        key: the gold annotation.
        response: the output of the system. Leave it out if one file has both sides.
        format: format of the files; detected by default.
        scheme: name of a scheme, such as ``conll-2012``; see `scoref.SCHEMES`.
        metrics: names of metrics; all by default.
        lenient: skip what cannot be read, and note it in the result.
        with_blocks: also count blocks of entities, for intervals of few documents.
        with_fingerprint: put the identity of the key into the signature and into
            ``result.fingerprint``.
        window: number of tokens of the windows that are scored as documents;
            ``bookcoref`` cuts windows as the published evaluator does.
        trivial: also score trivial systems, which show whether the score is good:
            ``result.trivial["all singletons"]`` is a result, and so are ``one entity``,
            ``same string``, ``same head word`` and ``best possible``.
        options: the conventions below. By default, they are those of the scheme.
        match: which mentions are equal: ``exact``, or ``overlap:0.5`` for every format
            with spans; with CorefUD also ``partial`` or ``head``, with Universal
            Anaphora ``partial`` (by Min) or ``craft``, with CoNLL-2012 ``min`` (minimum
            spans from the key's parses, as in coval) or ``mina`` (as in its paper).
        identity: what must be equal: the ``span``, ``span+type``, ``span+kbid`` (the id
            in a knowledge base) or ``span+type+kbid``.
        scope: where entities with the same label are one entity: in a ``document``, a
            ``subtopic``, a ``topic`` or the ``corpus``. ``per_document`` then has a row
            for each, and these are also what is resampled.
        topics: topics of documents: ``ecb+``, the path of a file, a regular expression,
            or a dict from document to topic, or to a pair of topic and subtopic.
        borders: for files that are tokenised differently: a response mention that
            begins or ends inside a word of the key matches nothing (``strict``), gets
            the whole word (``expand``), loses it (``contract``), or moves over
            punctuation only (``punctuation``).
        singletons: ``keep`` or ``drop`` entities with one mention.
        zeros: empty nodes of CorefUD match by their dependencies (``dependent``) or
            their position (``linear``), or are left out (``drop``). Those of Universal
            Anaphora match by their position, or are left out.
        split_antecedents: ``keep`` or ``drop`` entities that refer to several others.
        evaluate: annotation of Universal Anaphora: ``identity``,
            ``discourse-deixis``, or only ``split-antecedents``.
        phrases: leave out verb phrases of CoNLL-2012: those that coval finds (``np``),
            or all (``no-vp``).
        nested: mentions inside another mention of their entity: ``keep`` them, ``drop``
            those that coval drops, or keep only the ``outermost``.
        alignment: matches of CorefUD: as in the ``official`` scorer, or strictly
            ``one-to-one``.
        duplicates: which entity keeps a mention that is listed twice: the one that the
            ``reference`` scorer chooses, the ``first`` or the ``last``; ``error``
            refuses such files. With ``corefud``, ``ua`` and ``coval``, both keep it,
            and the later one gets the credit.
        document_names: pairs of documents with different names: the path of a file with
            lines ``response<TAB>key``, or a dict.
        annotator: annotator to read from Label Studio files with several annotators.
        relations: relations of WebAnno and Label Studio that link mentions, separated
            by commas; by default all but bridging.
        markables: ``events`` or ``entities`` of ECB+; both by default.
        missing: documents on one side only: stop (``error``), treat the other side as
            empty (``empty``), or ignore those that the key lacks (``key``).
        blanc: scorer whose rule BLANC follows if there are no links of one kind:
            ``reference`` or ``corefud``.
        lea: singletons in LEA: ``self-links`` or ``no-singletons``.
        average: add up the counts of documents (``micro``), or average their scores
            (``macro``).
        anaphors: anaphors of CorefUD's anaphor score: ``zeros``, ``pronouns``,
            ``upos:NOUN,PROPN``, ``distance:1-3`` (in sentences) or ``all``.
        folder: files of a folder are ``documents`` of one corpus, or ``datasets``,
            which `score_folders` scores; detected by default.

    >>> result = score([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
    >>> result.scores["muc"].recall, round(result.conll, 4)
    (0.5, 0.5405)
    """
    request = Request.of(
        format=format,
        scheme=scheme,
        metrics=metrics,
        lenient=lenient,
        with_blocks=with_blocks,
        with_fingerprint=with_fingerprint,
        **options,
    )
    files = inputs.files_of(*sides_of(key, response))
    if request.folder is not None:
        _check_folder(files, request.folder)
    if not isinstance(trivial, bool):
        raise OptionError(f"trivial must be True or False, not {trivial!r}")
    if trivial and window is not None:
        raise OptionError("trivial=True cannot be combined with window")
    if trivial:
        request = request.adding_trivial()
    if window is not None:
        return _score_windows(files, request, window)
    if files is not None:
        (result,) = score_files(files[0], files[1:], request)
        return result._with_figures()
    pair = Pair(
        *inputs.entity_corpora(key, response),
        request.scheme_for(None),
        choose_metrics(request.metrics, scheme=request.scheme),
    )
    result = score_corpora(*pair, with_blocks=with_blocks, on_demand=not with_blocks)
    return add_trivial(result, pair, request)


def sides_of(key: Input, response: Input | None) -> list[tuple[str, Input]]:
    """Return what was passed, each after its role; one file may have both sides."""
    sides = [("key", key)]
    return sides if response is None else [*sides, ("response", response)]


def _check_folder(files: list[Path] | None, folder: str) -> None:
    """Refuse a choice that has no meaning for a key."""
    if files is None:
        raise OptionError(f"folder={folder} is for paths, but the key is not a path")
    if folder == "datasets":
        folders.folder_kind(files[0], folder)


_PARSED = frozenset((catalogue.CONLL_2012, catalogue.COREFUD))
"""Keys that may have parses or trees."""


def read_key(
    opened: OpenedFile, request: Request, scheme: Scheme, layer: Layer | None = None
) -> Corpus:
    """Read an opened key, with its fingerprint if that is wanted."""
    asked = ReadOptions.of(
        scheme, "key", layer or _layer(request, scheme, opened, _PARSED)
    )
    key = reading.read_opened(
        opened,
        asked._replace(
            with_tokens=request.with_tokens or request.with_fingerprint,
            with_genres=request.with_genres,
        ),
    )
    return _add_fingerprint(key, request)


def _layer(
    request: Request, scheme: Scheme, key: OpenedFile, parsed: Collection[str]
) -> Layer:
    """Read parses as well as identity, if they are wanted and a key can have any."""
    can_have = key.format in parsed and scheme.layer == "identity"
    return "parses" if request.with_parses and can_have else scheme.layer


def _add_fingerprint(key: Corpus, request: Request) -> Corpus:
    if not request.with_fingerprint:
        return key
    from scoref.formats.fingerprints import fingerprint

    named = replace(key, fingerprint=fingerprint(key))
    if request.with_tokens:
        return named
    # A response with its own words needs those of the key.
    return replace(named, tokens=None, later=lambda: key.tokens)


class Pair(NamedTuple):
    """A key and a response, and how they are to be scored."""

    key: Corpus
    response: Corpus
    scheme: Scheme
    metrics: tuple[str, ...]


class ReadSystem(NamedTuple):
    """The key and the response of each run of a system.

    ``folds`` is the number of files that were pooled into one response.
    """

    pairs: list[Pair]
    folds: int = 1

    def join(self, results: list[Result]) -> Result:
        """Combine the results of all runs."""
        if self.folds > 1:
            return replace(results[0], folds=self.folds)
        if len(results) == 1:
            return results[0]
        from scoref.scoring.runs import RunResults  # several runs are rare

        return RunResults.of(results)


def read_pairs(
    key: Path | OpenedFile,
    responses: Iterable[Path | OpenedFile | tuple[Path, ...]],
    request: Request,
    layer: Layer | None = None,
) -> Iterator[Pair]:
    """Read the key, and each response to it; each file is opened once.

    A tuple of paths is a response in several files, the folds of a corpus.

    Raises:
        OptionError: the files of a tuple are runs instead.
    """
    for system in _read_pooled(key, responses, request, layer):
        yield system.pairs.pop()


def _read_pooled(
    key: Path | OpenedFile,
    responses: Iterable[Path | OpenedFile | tuple[Path, ...]],
    request: Request,
    layer: Layer | None = None,
) -> Iterator[ReadSystem]:
    """Read systems of which each has one response, which may be in several files."""
    systems = [
        (response,)
        if isinstance(response, str | os.PathLike | OpenedFile)
        else response
        for response in responses
    ]
    for system in read_systems(key, systems, request, layer):
        if len(system.pairs) > 1:
            files = " and ".join(str(pair.response.source) for pair in system.pairs)
            raise OptionError(
                "--by, --per-entity and --window cannot be combined with several "
                f"runs. {files} are "
                "runs of one system, because they have the same documents. Give one run"
            )
        yield system


def read_systems(
    key: Path | OpenedFile,
    systems: Iterable[tuple[Path | OpenedFile, ...]],
    request: Request,
    layer: Layer | None = None,
) -> Iterator[ReadSystem]:
    """Read the key, and the responses of each system; each file is opened once.

    The responses of a system are runs if they have the same documents. They are pooled
    into one response if they have none in common.
    """
    scheme = request.scheme_for(request.format)  # complains before anything is read
    groups = list(systems)
    files = [response for group in groups for response in group]
    if request.folder == "documents":
        folders.refuse_without_folder(
            one.source if isinstance(one, OpenedFile) else one for one in (key, *files)
        )
    input_files.refuse_second_reading(
        path for path in (key, *files) if not isinstance(path, OpenedFile)
    )
    if not files:
        assert not isinstance(key, OpenedFile)
        metrics = choose_metrics(request.metrics, scheme=request.scheme)
        asked = ReadOptions.of(scheme, "key", "identity")._replace(
            with_tokens=request.with_tokens or request.with_fingerprint,
            with_genres=request.with_genres,
        )
        both = reading.read_both(key, request.format, asked)
        pair = Pair(_add_fingerprint(both[0], request), both[1], scheme, metrics)
        yield ReadSystem([pair])
        return
    opened = (
        key
        if isinstance(key, OpenedFile)
        else reading.open_file(key, request.format, folder=request.folder)
    )
    request = request.changed(folder="documents") if opened.is_plain_folder else request
    scheme = request.scheme_for(opened.format)
    # The parses of a CoNLL-2012 key hold for both sides.
    layer_of_response = layer or _layer(request, scheme, opened, {catalogue.COREFUD})
    asked = ReadOptions.of(scheme, "response", layer_of_response)
    asked = asked._replace(with_tokens=request.with_tokens)

    kept: dict[str, OpenedFile] = {}  # files that may have to be pooled
    several = {path for group in groups if len(group) > 1 for path in group}

    def read(response: Path | OpenedFile) -> Corpus:
        if not isinstance(response, OpenedFile):
            path = response
            response = open_response(path, opened, request)
            if path in several:
                kept[response.source] = response
        return reading.read_opened(response, asked)

    sides = iter(Prefetch(files, read))
    key_side = read_key(opened, request, scheme, layer)
    opened = opened._replace(data=b"")  # responses need only its format
    request.metrics_for(key_side, scheme)  # complains before any of a response
    for group in groups:
        responses = [next(sides) for _ in group]
        if len(group) > 1 and _are_folds(key_side, responses, scheme):
            parts = [kept[str(response.source)] for response in responses]
            responses = [reading.read_opened(reading.pool_files(parts), asked)]
        pairs = [
            make_comparable(key_side, response, request, scheme)
            for response in responses
        ]
        yield ReadSystem(pairs, len(group) if len(pairs) < len(group) else 1)


def _are_folds(key: Corpus, responses: list[Corpus], scheme: Scheme) -> bool:
    """Return whether responses have no documents in common, instead of all."""
    from scoref.scoring.runs import runs_or_folds  # several runs are rare

    names = [str(response.source) for response in responses]
    covered = [covered_documents(key, response, scheme) for response in responses]
    of_key = [document.name for document in key.documents]
    return runs_or_folds(names, covered, of_key, scheme.missing) == "folds"


def open_response(response: Path, key: OpenedFile, request: Request) -> OpenedFile:
    """Open a response; the files of a folder are documents if the key is one corpus.

    If the key is a file, a folder of datasets is refused unless ``request`` says so.
    """
    is_corpus = folders.is_folder(key.source) or request.folder == "documents"
    if (
        not is_corpus
        and folders.is_datasets(response)
        and folders.why_datasets(folders.folder_root(response))
    ):
        kind = "zip" if os.path.isfile(response) else "folder"
        raise FormatError(
            f"this is a {kind} of datasets, but the key is a file",
            source=os.fspath(response),
            hint="Give two files or two folders, or use --folder documents "
            "(folder=documents in Python) to read all its files as one corpus.",
        )
    return reading.open_file(
        response,
        request.format,
        key_format=key.format,
        folder="documents" if is_corpus else None,
    )


def make_comparable(
    key: Corpus, response: Corpus, request: Request, scheme: Scheme, **more: str
) -> Pair:
    """Bring both sides onto one text, and find the scheme and the metrics for them.

    ``scheme`` is the one for the key's format, with ``more`` changed. If mentions are
    sets of words on one side and spans on the other, or if the words differ, both sides
    become spans. Conventions are still those of the key's format.
    """
    if are_mixed(key, response) or have_other_words(key, response):
        from scoref.matching.as_spans import as_spans

        with_gaps = hold_gaps(key, response)
        key, response = (
            as_spans(side, with_gaps=with_gaps) for side in (key, response)
        )
        scheme = request.scheme_for(None, **more)
        if request.scheme in {None, "default"}:
            changes = {**request.changes, **more}
            given = [name for name, value in changes.items() if value is not None]
            scheme, notes = as_usual_for_key(scheme, key, response, given)
            response = replace(response, notes=(*response.notes, *notes))
    sides = on_one_text(key, response, scheme, with_tokens=request.with_tokens)
    return Pair(*sides, request.metrics_for(sides.key, sides.scheme))


def score_files(
    key: Path, responses: Iterable[Path], request: Request
) -> Iterator[Result]:
    """Score each response against the key, which is read once."""
    for pair in read_pairs(key, responses, request):
        result = score_corpora(*pair, with_blocks=request.with_blocks)
        yield add_trivial(result, pair, request)


def add_trivial(result: Result, pair: Pair, request: Request) -> Result:
    """Add the results of trivial systems if they are wanted."""
    if not request.with_trivial:
        return result
    from scoref.scoring.trivial import score_trivial  # seldom wanted

    trivial = score_trivial(result, pair.key, pair.response, pair.scheme)
    return replace(result, trivial=trivial)


def window_files(
    key: Path,
    responses: Iterable[Path | tuple[Path, ...]],
    request: Request,
    window: int | str,
) -> Iterator[Windowed]:
    """Score each response as a whole and in windows; see `scoref.scoring.windows`."""
    from scoref.scoring.windows import Window, Windowed, score_both

    asked = Window.of(window)
    for system in _read_pooled(key, responses, request):
        whole, windows = score_both(*system.pairs.pop(), asked)
        folds = system.folds
        yield Windowed(replace(whole, folds=folds), replace(windows, folds=folds))


def _score_windows(
    files: list[Path] | None, request: Request, window: int | str
) -> Result:
    from scoref.scoring.windows import NEED_FILES, Window, score_windows

    asked = Window.of(window)
    if request.with_blocks:
        raise OptionError(
            "windows cannot be resampled, because windows of one text are not "
            "independent"
        )
    if files is None:
        raise OptionError(NEED_FILES)
    (pair,) = read_pairs(files[0], files[1:], request)
    return score_windows(*pair, asked)


def slice_files(
    key: Path,
    responses: Iterable[Path | tuple[Path, ...]],
    request: Request,
    by: str,
    classes: str | os.PathLike[str] | None = None,
) -> Iterator[Slices]:
    """Score slices of each response; see `scoref.scoring.slices`.

    ``classes`` is the file of the table for ``by="class"``.
    """
    from scoref.scoring.mention_classes import ClassTable
    from scoref.scoring.slices import check_classes, layer_of, slice_corpora

    check_classes(by, classes)
    table = None if classes is None else ClassTable.read(classes)
    is_typed = by == "mention-type"
    request = replace(
        request, with_genres=by == "genre", with_tokens=is_typed, with_parses=is_typed
    )
    layer = None if is_typed else layer_of(by)
    for system in _read_pooled(key, responses, request, layer):
        slices = slice_corpora(*system.pairs.pop(), by, table)
        for name, result in slices.items():
            slices[name] = replace(result, folds=system.folds)._with_figures()
        yield slices


def entity_files(
    key: Path,
    responses: Iterable[Path | tuple[Path, ...]],
    request: Request,
    sort: str = "document",
) -> Iterator[EntityScores]:
    """Score the entities of each response; see `scoref.scoring.entities`."""
    from scoref.scoring.entities import entities_of

    for system in _read_pooled(key, responses, request, None):
        ours, theirs, scheme, _ = system.pairs.pop()
        scores = entities_of(ours, theirs, scheme, sort)
        result = replace(scores.result, folds=system.folds)
        yield scores._replace(result=result)


def score_entities(
    key: Input, response: Input, sort: str = "document", **options: Unpack[ScoreOptions]
) -> list[EntityScore]:
    """Score every entity: its size, recall, precision, parts, and what it merged with.

    Args:
        key: the gold annotation, as for `scoref.score`.
        response: the output of the system.
        sort: ``document``, ``size``, ``recall``, ``precision``, ``f1``, ``parts``,
            ``missed`` or ``merged``.
        options: options of `score`.

    >>> for row in score_entities([[1, 2, 3], [4]], [[1, 2, 4], [3]]):
    ...     print(row.key_size, row.response_size, row.parts, row.merged_with)
    3 3 2 ('1',)
    1 3 1 ('0',)
    """
    from scoref.scoring.entities import entities_of

    request = Request.of(**options)
    files = inputs.files_of(("key", key), ("response", response))
    if files is not None:
        (scores,) = entity_files(files[0], files[1:], request, sort)
        return scores.rows
    both = inputs.entity_corpora(key, response, is_sorted=True)
    return entities_of(*both, request.scheme_for(None), sort).rows


def score_slices(
    key: Input,
    response: Input,
    by: str,
    classes: str | os.PathLike[str] | None = None,
    **options: Unpack[ScoreOptions],
) -> Slices:
    """Score classes of mentions or of documents separately.

    Args:
        key: the gold annotation, as for `scoref.score`.
        response: the output of the system.
        by: what makes the classes: ``document``, ``genre`` or ``genre:PATTERN``,
            ``entity-size``, ``entity-range``, ``mention-length``, ``mention-type``,
            ``class``, and with CorefUD ``upos``, ``entity-type`` and ``distance``.
        classes: for ``class``, the file of a table with the columns ``document``,
            ``start``, ``end`` and ``class``.
        options: options of `score`.
    """
    request = Request.of(**options)
    files = inputs.files_of(("key", key), ("response", response))
    if files is not None:
        (slices,) = slice_files(files[0], files[1:], request, by, classes)
        return slices
    from scoref.scoring.slices import slice_corpora

    if by == "class":
        raise OptionError("classes need files, because their positions count words")
    both = inputs.entity_corpora(key, response, is_sorted=True)
    metrics = choose_metrics(request.metrics, scheme=request.scheme)
    return slice_corpora(*both, request.scheme_for(None), metrics, by)


File = TypeVar("File")
Content = TypeVar("Content")

_WORTH_A_THREAD = 1 << 22  # bytes


class Prefetch(Generic[File, Content]):
    """Reads files in turn; a large file is read in a thread before it is needed.

    >>> list(Prefetch(["a.conll", "b.conll"], len))
    [7, 7]
    """

    def __init__(self, files: Iterable[File], read: Callable[[File], Content]) -> None:
        self._files = iter(files)
        self._read = read
        self._next = self._start_next()

    def __iter__(self) -> Iterator[Content]:
        while self._next is not None:
            content = self._next()
            self._next = self._start_next()
            yield content

    def _start_next(self) -> Callable[[], Content] | None:
        """Start with the next file; the returned function waits for its content."""
        for file in self._files:
            task = partial(self._read, file)
            return _start_thread(task) if _is_large(file) else task
        return None


def _is_large(file: object) -> bool:
    """Tell whether a path is worth a thread, and there is a second core for it."""
    try:
        size = os.path.getsize(file) if isinstance(file, str | os.PathLike) else 0
    except (OSError, ValueError):
        return False  # standard input; or reading the file will say what is wrong
    return size >= _WORTH_A_THREAD and (os.cpu_count() or 1) > 1


def _start_thread(task: Callable[[], Content]) -> Callable[[], Content]:
    """Start a task in a thread, and return a function that waits for its result.

    The thread ends with the process, so an interrupt does not wait for it.
    """
    import threading  # for large files only
    from contextvars import copy_context

    contents: list[Content] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            contents.append(task())
        except BaseException as error:  # noqa: BLE001 - `wait` raises it
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()

    def wait() -> Content:
        thread.join()
        if errors:
            raise errors.pop()
        return contents.pop()

    return wait
