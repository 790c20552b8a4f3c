"""The format `bracketed`: running text with brackets around mentions.

    %bracketed
    = news-1
    [1 Mary ] said that [1 she ] saw [2 a dog ] .

A line that starts with = names a document. Every other line is a sentence. Words and
brackets are separated by blanks.
"""

from scoref.plugins import Corpus, CorpusBuilder, Format, FormatError, ReadOptions

HEADER = b"%bracketed"


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read a file."""
    builder = CorpusBuilder(options.source, "bracketed")
    for name, line, lines in _documents(data, options.source):
        sentences: list[list[str]] = []
        mentions: list[tuple[str, int, int, int]] = []  # entity, first, last, line
        for number, text in lines:
            first = sum(map(len, sentences))
            words, spans = _sentence(text, number, options.source)
            sentences.append(words)
            mentions += [
                (label, first + start, first + end, number)
                for label, start, end in spans
            ]
        document = builder.add_document(name, line=line, sentences=sentences)
        labels = dict.fromkeys(label for label, *_ in mentions)
        entity = {label: builder.add_entity(label, document) for label in labels}
        for label, start, end, number in mentions:
            builder.add_mention(entity[label], [(start, end)], number)
    return builder.build()


def _documents(
    data: bytes, source: str
) -> list[tuple[str, int, list[tuple[int, str]]]]:
    """Split a file into documents: name, line, and the numbered lines of text."""
    documents: list[tuple[str, int, list[tuple[int, str]]]] = []
    for number, text in enumerate(data.decode().splitlines(), start=1):
        if text.startswith("="):
            documents.append((text[1:].strip(), number, []))
        elif documents and text.strip():
            documents[-1][2].append((number, text))
        elif text.strip() and not text.startswith(HEADER.decode()):
            raise FormatError(
                "this sentence belongs to no document",
                source=source,
                line=number,
                text=text,
                hint="Put a line such as '= news-1' before it.",
            )
    return documents


def _sentence(
    text: str, line: int, source: str
) -> tuple[list[str], list[tuple[str, int, int]]]:
    """Return the words of a sentence and its mentions: label, first and last word."""
    words: list[str] = []
    spans: list[tuple[str, int, int]] = []
    opened: list[tuple[str, int]] = []
    for piece in text.split():
        if piece.startswith("["):
            opened.append((piece[1:], len(words)))
        elif piece != "]":
            words.append(piece)
        elif opened and opened[-1][1] < len(words):
            label, start = opened.pop()
            spans.append((label, start, len(words) - 1))
        else:
            raise FormatError(
                "this bracket closes nothing", source=source, line=line, text=text
            )
    if opened:
        raise FormatError(
            f"the mention of '{opened[-1][0]}' is not closed",
            source=source,
            line=line,
            text=text,
        )
    return words, spans


BRACKETED = Format(
    name="bracketed",
    text="text with mentions in brackets, one sentence per line",
    read=read,
    detect=lambda start: start.startswith(HEADER),
)
