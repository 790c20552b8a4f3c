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
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from scoref.errors import FormatError, OptionError
from scoref.formats import catalogue, folders, input_files, reading
from scoref.formats.catalogue import ReadOptions
from scoref.formats.reading import OpenedFile
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

    from scoref.formats.entities import Documents, Entities
    from scoref.model import Corpus
    from scoref.scheme import Layer, Scheme
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices
    from scoref.scoring.windows import Windowed

    Path = str | os.PathLike[str]


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
    request = Request.of(
        format=format,
        scheme=scheme,
        metrics=metrics,
        lenient=lenient,
        with_blocks=with_blocks,
        with_fingerprint=with_fingerprint,
        **options,
    )
    if request.folder is not None:
        _check_folder(key, request.folder)
    if window is not None:
        return _score_windows(key, response, request, window)
    if isinstance(key, str | os.PathLike):
        (result,) = score_files(key, _paths(response), request)
        return result.with_figures()
    return score_corpora(
        *entity_pair(key, response),
        request.scheme_for(None),
        choose_metrics(request.metrics, scheme=request.scheme),
        with_blocks=with_blocks,
    )


def _check_folder(key: Path | Entities | Documents, folder: str) -> None:
    """Refuse a choice that has no meaning for a key."""
    if not isinstance(key, str | os.PathLike):
        raise OptionError(f"folder={folder} is for paths, but the key is not a path")
    if folder == "datasets":
        folders.folder_kind(key, folder)


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


def read_pairs(
    key: Path | OpenedFile,
    responses: Iterable[Path | OpenedFile],
    request: Request,
    layer: Layer | None = None,
) -> Iterator[Pair]:
    """Read the key, and each response to it; each file is opened once."""
    scheme = request.scheme_for(request.format)  # complains before anything is read
    files = list(responses)
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
        yield Pair(_add_fingerprint(both[0], request), both[1], scheme, metrics)
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

    def read(response: Path | OpenedFile) -> Corpus:
        if not isinstance(response, OpenedFile):
            response = open_response(response, opened, request)
        return reading.read_opened(response, asked)

    sides = Prefetch(files, read)
    key_side = read_key(opened, request, scheme, layer)
    opened = opened._replace(data=b"")  # responses need only its format
    request.metrics_for(key_side, scheme)  # complains before any of a response
    for response in sides:
        yield make_comparable(key_side, response, request, scheme)


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
        yield score_corpora(*pair, with_blocks=request.with_blocks)


def window_files(
    key: Path, responses: Iterable[Path], request: Request, window: int | str
) -> Iterator[Windowed]:
    """Score each response as a whole and in windows; see `scoref.scoring.windows`."""
    from scoref.scoring.windows import Window, score_both

    asked = Window.of(window)
    for pair in read_pairs(key, responses, request):
        yield score_both(*pair, asked)


def _score_windows(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents | None,
    request: Request,
    window: int | str,
) -> Result:
    from scoref.scoring.windows import NEED_FILES, Window, score_windows

    asked = Window.of(window)
    if request.with_blocks:
        raise OptionError(
            "windows cannot be resampled, because windows of one text are not "
            "independent"
        )
    if not isinstance(key, str | os.PathLike):
        raise OptionError(NEED_FILES)
    (pair,) = read_pairs(key, _paths(response), request)
    return score_windows(*pair, asked)


def slice_files(
    key: Path, responses: Iterable[Path], request: Request, by: str
) -> Iterator[Slices]:
    """Score slices of each response; see `scoref.scoring.slices`."""
    from scoref.scoring.slices import layer_of, slice_corpora

    request = replace(request, with_genres=by == "genre")
    for pair in read_pairs(key, responses, request, layer_of(by)):
        slices = slice_corpora(*pair, by)
        for result in slices.values():
            result.with_figures()
        yield slices


def score_slices(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents,
    by: str,
    **options: Unpack[ScoreOptions],
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
    request = Request.of(**options)
    if isinstance(key, str | os.PathLike):
        (found,) = slice_files(key, [path_of(response)], request, by)
        return found
    from scoref.scoring.slices import slice_corpora

    both = entity_pair(key, response, is_sorted=True)
    metrics = choose_metrics(request.metrics, scheme=request.scheme)
    return slice_corpora(*both, request.scheme_for(None), metrics, by)


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
        raise OptionError("key and response must be both paths or both entities")
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
    raise OptionError("the key is a path, so the response must also be a path")


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
