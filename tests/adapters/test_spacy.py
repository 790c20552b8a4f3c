"""Groups of spans give what `scoref.score` gives for the same entities."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.adapters.spacy import coreference_scorer, entities_of, score_docs
from strategies import corpora

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from strategies import Documents

spacy = pytest.importorskip(
    "spacy", reason="spaCy is not tested: pip install 'scoref[spacy]'"
)

WORDS = ["Ada", "said", "she", "can't", "stay", "because", "Ada", "'s", "tired"]
OTHER_WORDS = ["Ada", "said", "she", "ca", "n't", "stay", "because", "Ada's", "tired"]
KEY = [[(0, 0), (2, 2), (6, 6)]]
RESPONSE = [[(0, 0), (2, 2)]]
SCORER = "scoref.coreference_scorer.v1"

Entities = list[list[tuple[int, int]]]
Doc = Any


@pytest.fixture(scope="module")
def nlp() -> Any:  # noqa: ANN401 - spaCy's
    return spacy.blank("en")


def doc_of(
    words: Iterable[str], entities: Entities, prefix: str = "coref_clusters"
) -> Doc:
    doc = spacy.tokens.Doc(spacy.vocab.Vocab(), words=list(words))
    for number, entity in enumerate(entities, start=1):
        spans = [doc[start : end + 1] for start, end in entity]
        doc.spans[f"{prefix}_{number}"] = spans
    return doc


def test_entities_are_the_groups_with_the_prefix_and_a_number() -> None:
    doc = doc_of(WORDS, KEY)
    doc.spans["coref_clusters_heads_1"] = [doc[1:2]]
    doc.spans["coref_clusters"] = [doc[1:2]]
    doc.spans["sc"] = [doc[1:2]]
    assert entities_of(doc) == KEY
    assert entities_of(doc, "coref_clusters_heads") == [[(1, 1)]]


def test_documents_are_scored_as_their_entities_are() -> None:
    docs = [doc_of(WORDS, KEY), doc_of(WORDS, [])]
    responses = [doc_of(WORDS, RESPONSE), doc_of(WORDS, RESPONSE)]
    found = score_docs(docs, iter(responses), names=["x", "y"])
    expected = scoref.score({"x": KEY, "y": []}, {"x": RESPONSE, "y": RESPONSE})
    assert found.scores == expected.scores
    assert found.per_document == expected.per_document
    assert found.signature == expected.signature
    assert found.notes == ()


def test_conventions_and_prefixes_can_be_chosen() -> None:
    doc = doc_of(WORDS, KEY, prefix="gold")
    doc.spans["found_1"] = [doc[0:1], doc[2:3]]
    result = score_docs(
        [doc],
        [doc],
        prefix="gold",
        response_prefix="found",
        metrics="lea",
        singletons="drop",
        lea="no-singletons",
    )
    assert result.scores == scoref.score(KEY, RESPONSE, metrics="lea").scores
    assert "|singletons:drop|" in result.signature


def test_other_tokens_are_compared_by_characters() -> None:
    key = doc_of(WORDS, [[(0, 0), (2, 2), (3, 3)]])
    response = doc_of(OTHER_WORDS, [[(0, 0), (2, 2), (3, 4)]])
    result = score_docs([key], [response])
    assert result.conll == 1
    assert [note.message for note in result.notes] == [
        "1 document with other tokens than the key, compared by characters"
    ]


def test_mentions_that_cannot_match_are_counted_and_told() -> None:
    key = doc_of(WORDS, [[(0, 0), (6, 6)]])
    response = doc_of(OTHER_WORDS, [[(0, 0), (3, 3)], [(4, 4), (7, 7)]])
    result = score_docs([key], [response])
    # "Ada" of "Ada's" cannot be found, "ca" and "n't" are no mentions of the key.
    assert result.scores["mentions"][:2] == (1 / 2, 1 / 4)
    told = "mentions of the {} that begin or end inside a token of the {}, match {}"
    assert [note.message for note in result.notes][1:] == [
        told.format("key", "response", "nothing and count as wrong: 1"),
        told.format("response", "key", "nothing and count as wrong: 2"),
    ]


@st.composite
def _cut_twice(draw: st.DrawFn) -> tuple[str, list[list[str]], list[list[Any]]]:
    """Draw a text, two ways to cut it into tokens, and entities in both."""
    text = draw(st.text("abc", min_size=4, max_size=12))
    cuts, sides = [], []
    for _ in range(2):
        places = draw(st.sets(st.integers(1, len(text) - 1)))
        borders = [0, *sorted(places), len(text)]
        cuts.append([text[a:b] for a, b in pairwise(borders)])
        tokens = st.integers(0, len(cuts[-1]) - 1)
        pairs = st.tuples(tokens, tokens).map(lambda pair: tuple(sorted(pair)))
        mentions = draw(st.lists(pairs, unique=True, max_size=6))
        sides.append([mentions[0::2], mentions[1::2]])
    return text, cuts, sides


@given(_cut_twice())
def test_characters_decide_whatever_the_tokens(drawn: Any) -> None:  # noqa: ANN401
    _, cuts, sides = drawn
    docs = [doc_of(*each) for each in zip(cuts, sides, strict=True)]
    by_characters = [
        [[_characters(words, mention) for mention in entity] for entity in entities]
        for words, entities in zip(cuts, sides, strict=True)
    ]
    assert score_docs(docs[:1], docs[1:]).scores == scoref.score(*by_characters).scores


def _characters(words: list[str], mention: tuple[int, int]) -> tuple[int, int]:
    start, end = mention
    return len("".join(words[:start])), len("".join(words[: end + 1]))


@given(corpora())
def test_docs_give_the_scores_of_lists(both: tuple[Documents, Documents]) -> None:
    key, response = (
        [
            [[(token, token) for token in entity] for entity in entities]
            for entities in side.values()
        ]
        for side in both
    )
    words = [str(number) for number in range(12)]
    docs = ([doc_of(words, entities) for entities in side] for side in (key, response))
    assert score_docs(*docs).scores == scoref.score(*both).scores


@pytest.mark.parametrize(
    ("response", "options", "problem"),
    [
        ([WORDS[:-1]], {}, "response: document '0' is another text than in key"),
        ([["Bob", *WORDS[1:]]], {}, r"key: …  \[Ada\] said(.|\n)*response: …  \[Bob\]"),
        ([], {}, "response: this ends after 0 documents"),
        ([WORDS, WORDS], {}, "key: this ends after 1 document,"),
        ([WORDS], {"names": []}, "names: this ends after 0 documents"),
        ([WORDS], {"prefix": "coref"}, "no group of the key is called 'coref_1'"),
    ],
)
def test_documents_that_do_not_belong_together_are_refused(
    response: list[list[str]], options: dict[str, Any], problem: str
) -> None:
    docs = [doc_of(words, []) for words in response]
    with pytest.raises(scoref.ScorefError, match=problem):
        score_docs([doc_of(WORDS, KEY)], docs, **options)


def test_nothing_cannot_be_scored() -> None:
    with pytest.raises(scoref.ScorefError, match="nothing to score"):
        score_docs([], [])


def test_a_response_with_other_groups_only_is_noted() -> None:
    response = doc_of(WORDS, RESPONSE, prefix="coref_head_clusters")
    result = score_docs([doc_of(WORDS, KEY)], [response])
    assert result.notes[-1].message == (
        "no group of the response is called 'coref_clusters_1' or alike; "
        "it has 'coref_head_clusters_1'"
    )


def _examples(key: Entities, response: Entities) -> list[Any]:
    training = pytest.importorskip("spacy.training")
    return [training.Example(doc_of(WORDS, response), doc_of(WORDS, key))]


def test_a_scorer_names_scores_as_spacy_does() -> None:
    scorer = coreference_scorer(metrics="muc,conll")
    result = scoref.score(KEY, RESPONSE, metrics="muc,conll")
    muc = result.scores["muc"]
    assert scorer(_examples(KEY, RESPONSE)) == {
        "coref_muc_r": muc.recall,
        "coref_muc_p": muc.precision,
        "coref_muc_f": muc.f1,
        "coref_conll": result.conll,
        "coref_signature": result.signature,
        "coref_notes": [],
    }


def test_a_scorer_has_no_scores_without_annotations() -> None:
    scorer = coreference_scorer(metrics="conll")
    assert scorer([])["coref_conll"] is None
    assert scorer(_examples([], RESPONSE))["coref_conll"] is None


def test_a_pipeline_finds_the_scorer_by_its_name(nlp: Any) -> None:  # noqa: ANN401
    @spacy.Language.factory(
        "found_by_rule", default_config={"scorer": {"@scorers": SCORER}}
    )
    class Resolver:
        def __init__(self, nlp: object, name: str, scorer: Callable[..., Any]) -> None:
            self.nlp, self.name, self.scorer = nlp, name, scorer

        def __call__(self, doc: Doc) -> Doc:
            doc.spans["coref_clusters_1"] = [doc[0:1], doc[2:3]]
            return doc

        def score(self, examples: Iterable[Any], **options: object) -> object:
            return self.scorer(examples, **options)

    chosen = {"scorer": {"@scorers": SCORER, "metrics": "muc"}}
    nlp.add_pipe("found_by_rule", config=chosen)
    assert nlp.evaluate(_examples(KEY, []))["coref_muc_r"] == 1 / 2
