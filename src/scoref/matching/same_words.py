"""Have two texts the same words? If not, the first that differs is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import AlignmentError, WithoutKey, place_of

if TYPE_CHECKING:
    from scoref.model import Tokens


class OtherWord(NamedTuple):
    """Where two texts differ: what each has there, and in which lines.

    A text that has ended has no word there, and the line of its last one.
    """

    ours: str | None
    theirs: str | None
    our_line: int | None
    their_line: int | None

    def problem(self, source: str) -> str:
        """Say what is wrong with the second text, given where the first one is from."""
        place = place_of(source, self.our_line)
        if self.theirs is None:
            return f"the text ends here, but goes on with '{self.ours}' in {place}"
        if self.ours is None:
            return f"the text goes on with '{self.theirs}', but ends in {place}"
        return f"this word is '{self.theirs}', but '{self.ours}' in {place}"

    def without_key(self, source: str) -> WithoutKey:
        """Say what is wrong with the response ``source``, without the key's word."""
        problem = f"this word is '{self.theirs}', and the key has another one"
        if self.theirs is None:
            problem = "the text ends here, but goes on in the key"
        elif self.ours is None:
            problem = f"the text goes on with '{self.theirs}', but ends in the key"
        return WithoutKey(problem, place_of(source, self.their_line))


def first_other_word(ours: Tokens, theirs: Tokens) -> OtherWord | None:
    """Find the first word of a text that is not the same in another; None: all are."""
    at = ours.first_difference(theirs)
    if at < 0:
        return None
    return OtherWord(
        _word(ours, at), _word(theirs, at), _line(ours, at), _line(theirs, at)
    )


def _word(text: Tokens, at: int) -> str | None:
    return text.word.text(at) if at < len(text.line) else None


def _line(text: Tokens, at: int) -> int | None:
    line = text.line[: at + 1][-1:]
    return int(line[0]) or None if len(line) else None


def refuse_other_words(
    ours: Tokens, theirs: Tokens, *, sources: tuple[str, str], hint: str
) -> None:
    """Refuse the second of two texts that are not the same.

    Raises:
        AlignmentError: they are not; it shows the first word that differs.
    """
    found = first_other_word(ours, theirs)
    if found is not None:
        problem, line = found.problem(sources[0]), found.their_line
        raise AlignmentError(
            problem,
            source=sources[1],
            line=line,
            hint=hint,
            without_key=found.without_key(sources[1]),
        )
