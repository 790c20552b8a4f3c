"""The page on which a curator decides disputes: one HTML file that sends nothing.

The page contains the disputes, and for each document its words, its mentions, and the
entity of each mention in the majority's key and for each annotator. It starts from this
key, and saves decisions as a file for `scoref convert --decisions`.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import numpy as np

from scoref._version import __version__
from scoref.errors import OptionError
from scoref.markup import escaped, policy
from scoref.model import EMPTY
from scoref.model.arrays import is_new
from scoref.scoring.majority import has_singletons
from scoref.tools.agree.adjudication import Adjudication, printable_name
from scoref.tools.agree.decisions import FORMAT, VERSION
from scoref.tools.agree.disputes import UnitTexts
from scoref.tools.report.documents import CorpusText
from scoref.tools.report.page import ESCAPES, asset, packed_element
from scoref.tools.report.page.contract import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Corpus
    from scoref.model.arrays import Ints
    from scoref.tools.agree.results import Agreement
    from scoref.tools.report.documents import DocumentTokens


def adjudication_page(agreement: Agreement) -> str:
    """Return the page about the annotators of an agreement."""
    corpora = agreement.corpora("--adjudicate")
    if agreement._annotated.called:
        raise OptionError("--adjudicate needs texts, so it cannot be used with records")
    return render(Adjudication([*zip(agreement.names, corpora, strict=True)]))


def render(adjudication: Adjudication) -> str:
    """Write the page."""
    annotated = adjudication.annotated
    inputs = adjudication.inputs  # refuses files without text
    texts = _Texts(adjudication)
    disputes = adjudication.disputes
    documents = dict.fromkeys(sorted({dispute.document for dispute in disputes}))
    number = {document: place for place, document in enumerate(documents)}
    words = UnitTexts(annotated)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "scoref": __version__,
        "annotators": [one._asdict() for one in inputs],
        "majority": adjudication.digest,
        "keeps_singletons": has_singletons(annotated),
        "documents": [
            {
                "name": printable_name(annotated.documents[document]),
                "has": annotated.has[document].tolist(),
                "ids": [adjudication.ids[unit] for unit in texts.units[document]],
            }
            for document in documents
        ],
        "disputes": [
            {
                "document": number[dispute.document],
                "units": texts.places(dispute.document, dispute.units),
                "words": words.text(dispute.units[0]).strip('"'),
            }
            for dispute in disputes
        ],
    }
    script, style = asset("adjudication.js"), asset("adjudication.css")
    elements = (
        packed_element(f"text-{place}", texts.document(document))
        for document, place in number.items()
    )
    page = Template(asset("adjudication.html")).substitute(
        policy=policy(script, style),
        version=escaped(__version__),
        style=style,
        data=encode(data).decode("utf-8").translate(ESCAPES),
        texts="\n".join(elements),
        script=script,
    )
    return page.encode("utf-8", "replace").decode("utf-8")


class _Texts:
    """The texts of documents with the mentions of all annotators."""

    def __init__(self, adjudication: Adjudication) -> None:
        self._adjudication = adjudication
        annotated = adjudication.annotated
        self._marks = annotated.marks
        self._corpora = [CorpusText(corpus) for corpus in annotated.corpora]
        self.units = adjudication.units_of
        self._place = [
            {unit: place for place, unit in enumerate(units)} for units in self.units
        ]
        _, first = np.unique(self._marks.unit, return_index=True)
        self._first = first  # the first mark of each unit
        self._rows = self._document_rows(annotated.unit_document)

    def _document_rows(self, unit_document: Ints) -> list[dict[int, int]]:
        """Find the row of each document in the corpora in which it has mentions."""
        rows: list[dict[int, int]] = [{} for _ in self.units]
        marks = self._marks
        document = unit_document[marks.unit]
        code = document * np.int64(len(self._corpora)) + marks.corpus
        _, first = np.unique(code, return_index=True)
        for mark in first.tolist():
            number = int(marks.corpus[mark])
            corpus: Corpus = self._corpora[number].corpus
            row = int(corpus.mention_document[int(marks.row[mark])])
            rows[int(document[mark])][number] = row
        return rows

    def places(self, document: int, units: Sequence[int]) -> list[int]:
        """Return where units are among those of their document."""
        return [self._place[document][unit] for unit in units]

    def document(self, document: int) -> dict[str, object]:
        """Return the words and mentions of a document as the page reads them."""
        tokens = self._merge_tokens(document)
        units = self.units[document]
        adjudication = self._adjudication
        has_zeros = self._corpora[0].corpus.words is not None
        empty = np.flatnonzero(tokens.place & EMPTY) if has_zeros else tokens.place[:0]
        key = adjudication.majority.entity
        has = adjudication.annotated.has[document].tolist()
        return {
            "words": tokens.words,
            "sentences": np.flatnonzero(is_new(tokens.sentence)).tolist(),
            "empty": empty.tolist(),
            "mentions": self._pieces(units, tokens),
            "key": [int(key[unit]) for unit in units],
            "annotators": [
                [entities.get(unit, -1) for unit in units] if is_there else None
                for entities, is_there in zip(adjudication.entities, has, strict=True)
            ],
        }

    def _merge_tokens(self, document: int) -> DocumentTokens:
        """Merge the tokens of all annotators, who may have different empty nodes."""
        first, *others = (
            self._corpora[number].document_tokens(row)
            for number, row in sorted(self._rows[document].items())
        )
        for other in others:
            first = first.merge(other)
        return first

    def _pieces(self, units: Sequence[int], tokens: DocumentTokens) -> list[list[int]]:
        """Return the first and last tokens of the pieces of each unit."""
        marks = self._marks
        pieces: dict[int, list[int]] = {}
        mark = self._first[np.array(units, dtype=np.int64)]
        for number in np.unique(marks.corpus[mark]).tolist():
            own = np.flatnonzero(marks.corpus[mark] == number)
            corpus = self._corpora[number]
            rows = corpus.pieces(marks.row[mark[own]], tokens.place)
            pieces |= dict(zip(own.tolist(), rows, strict=True))
        return [pieces[place] for place in range(len(units))]
