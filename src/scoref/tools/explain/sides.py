"""Two corpora to be scored in many ways, each step of which is taken once."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError
from scoref.formats import CONLL_2012
from scoref.formats.entities import EntityPairs
from scoref.matching.mentions import match_mentions
from scoref.metrics import available
from scoref.schemes import SCHEMES
from scoref.scoring.evaluate import Wanted, read_pairs
from scoref.scoring.pipeline import score_and_keep, score_corpora

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.formats.entities import Documents, Entities
    from scoref.matching import Matched
    from scoref.metrics.base import Score
    from scoref.model import Corpus, Note
    from scoref.scheme import Scheme
    from scoref.scoring.pipeline import Kept
    from scoref.scoring.results import Result

    Path = str | os.PathLike[str]
    Input = Path | Entities | Documents


class Figures(NamedTuple):
    """What a convention makes of two files; a signature if it is a scheme."""

    scores: Mapping[str, Score]
    signature: str | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, result: Result) -> Figures:
        """Take the scores of a result."""
        return cls(result.scores, result.signature, result.notes)


@dataclass(frozen=True)
class Sides:
    """A key and a response, and how they are scored if nothing else is said.

    ``paths`` are there where the files can be read once more: standard input cannot,
    nor can a pipe.
    """

    key: Corpus
    response: Corpus
    scheme: Scheme
    paths: tuple[Path, Path] | None = None
    format: str | None = None  # None: as the files look

    @property
    def metrics(self) -> tuple[str, ...]:
        """List what the format has."""
        return available(self.key, self.scheme)

    @property
    def has_spans(self) -> bool:
        """Tell whether mentions are spans, and not sets of words."""
        return self.key.words is None

    @property
    def has_duplicates(self) -> bool:
        """Tell whether a mention is listed twice on one side."""
        return any(note.kind.startswith("duplicates") for note in self.usual.notes)

    def score(self, **changes: str) -> Result:
        """Score under the scheme, or one with other choices."""
        scheme = dataclasses.replace(self.scheme, **changes)  # type: ignore[arg-type]
        return score_corpora(self.key, self.response, scheme, self.metrics)

    @property
    def is_read_once(self) -> bool:
        """Tell whether the reference scorer's reading would need what is gone."""
        is_conll = CONLL_2012 in {self.key.format, self.response.format}
        return is_conll and self.paths is None

    @property
    def usual(self) -> Result:
        """Score under the scheme as it is."""
        return self._kept.result

    @cached_property
    def _kept(self) -> Kept:
        return score_and_keep(self.key, self.response, self.scheme, self.metrics)

    def swapped(self) -> Result:
        """Score the key against the response."""
        return score_corpora(self.response, self.key, self.scheme, self.metrics)

    @cached_property
    def as_the_reference(self) -> Result:
        """Read and score as the reference scorer does."""
        if CONLL_2012 not in {self.key.format, self.response.format} or not self.paths:
            return self.score(missing=_missing(self.scheme))
        wanted = Wanted(format=self.format, scheme=SCHEMES["conll-2012"])
        (pair,) = read_pairs(self.paths[0], [self.paths[1]], wanted)
        return score_corpora(*pair)

    @property
    def matched(self) -> Matched:
        """Say who was matched with whom under the scheme as it is."""
        return self._kept.matched

    @cached_property
    def as_in_coval(self) -> Matched:
        """Match spans, and leave in what is listed twice."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval")
        return match_mentions(self.key, self.response, scheme)

    @property
    def joined_as_in_coval(self) -> Matched:
        """Do so, with entities of the same label as one, whatever their documents."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval", scope="corpus")
        return match_mentions(self.key, self.response, scheme)


def _missing(scheme: Scheme) -> str:
    return "error" if scheme.missing == "error" else "key"


def sides_of(key: Input, response: Input | None, wanted: Wanted) -> Sides:
    """Read two files, or take two lists or dicts of entities."""
    if not isinstance(key, str | os.PathLike):
        return _entities(key, response, wanted)
    if response is not None and not isinstance(response, str | os.PathLike):
        raise OptionError("the key is a path, so the response must be one, too")
    (pair,) = read_pairs(key, [] if response is None else [response], wanted)
    paths = None
    if response is not None and all(map(os.path.isfile, (key, response))):
        paths = (key, response)
    return Sides(pair.key, pair.response, pair.scheme, paths, wanted.format)


def _entities(
    key: Entities | Documents, response: Input | None, wanted: Wanted
) -> Sides:
    if response is None or isinstance(response, str | os.PathLike):
        raise OptionError("key and response must both be paths, or both entities")
    both = EntityPairs.of(key, response).build()
    return Sides(*both, wanted.scheme_for(None))
