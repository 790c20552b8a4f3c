"""`scoref.score`: files or entities in, a result out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scoref import formats
from scoref.errors import OptionError
from scoref.formats.entities import EntityPairs
from scoref.metrics import chosen
from scoref.pipeline import score_corpora
from scoref.scheme import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.formats.entities import Documents, Entities
    from scoref.model import Corpus
    from scoref.results import Result
    from scoref.scheme import Average, Duplicates, Lea, Missing, Scheme, Singletons

    Path = str | os.PathLike[str]


def score(  # noqa: PLR0913 - one name for each choice, as on the command line
    key: Path | Entities | Documents,
    response: Path | Entities | Documents | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the name that users type
    scheme: str | Scheme | None = None,
    metrics: str | Iterable[str] | None = None,
    lenient: bool = False,
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    missing: Missing | None = None,
    lea: Lea | None = None,
    average: Average | None = None,
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
        singletons: ``keep`` or ``drop`` entities of one mention.
        duplicates: who keeps a mention that is listed twice: ``reference``,
            ``first``, ``last`` or nobody (``error``).
        missing: a document on one side only: ``error``, ``empty``, or ``key``.
        lea: LEA's singletons: ``self-links`` or ``no-singletons``.
        average: ``micro`` sums over documents, ``macro`` averages them.

    >>> result = score([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
    >>> result.scores["muc"].recall, round(result.conll, 4)
    (0.5, 0.5405)
    """
    conventions = resolve(
        scheme,
        lenient=lenient,
        singletons=singletons,
        duplicates=duplicates,
        missing=missing,
        lea=lea,
        average=average,
    )
    names = chosen(metrics)
    if isinstance(key, str | os.PathLike):
        responses = [] if response is None else [_path(response)]
        (result,) = score_files(
            key, responses, format=format, scheme=conventions, metrics=names
        )
        return result
    if response is None or isinstance(response, str | os.PathLike):
        raise OptionError("key and response must both be paths, or both entities")
    pairs = EntityPairs.of(key, response)
    return score_corpora(*pairs.build(), conventions, names)


def score_files(
    key: Path,
    responses: Iterable[Path],
    *,
    format: str | None,  # noqa: A002
    scheme: Scheme,
    metrics: tuple[str, ...],
) -> Iterator[Result]:
    """Score each response against the key, which is read once."""
    sides = _corpora(key, list(responses), format, scheme)
    return (score_corpora(*both, scheme, metrics) for both in sides)


def _corpora(
    key: Path,
    responses: list[Path],
    format_: str | None,
    scheme: Scheme,
) -> Iterator[tuple[Corpus, Corpus]]:
    reading = scheme.reading
    if not responses:
        yield formats.read_both(key, format=format_, reading=reading)
        return
    key_side = formats.read(key, role="key", format=format_, reading=reading)
    for response in responses:
        yield (
            key_side,
            formats.read(response, role="response", format=format_, reading=reading),
        )


def _path(response: Path | Entities | Documents) -> Path:
    if isinstance(response, str | os.PathLike):
        return response
    raise OptionError("the key is a path, so the response must be one, too")
