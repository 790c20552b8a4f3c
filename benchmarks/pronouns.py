"""How good are the lists of pronouns, and is the language of a text recognised?

Treebanks of Universal Dependencies are not part of the project:

    python benchmarks/pronouns.py it=it_isdt-ud-test.conllu -=gl_treegal-ud-test.conllu

A language without a list is called -. For each treebank, it prints how many passages of
200 and of 1,000 words have which language, and the share of the words tagged as PRON
that are in the list.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from scoref.scoring.pronouns import LANGUAGES, is_pronoun, language_of

SIZES = (200, 1000)
UPOS = 3


def main() -> None:
    """Print two lines for each treebank."""
    for given in sys.argv[1:]:
        language, _, path = given.partition("=")
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines if "\t" in line]
        rows = [row for row in rows if row[0].isdecimal()]
        words = [row[1] for row in rows]
        print(f"{path}: {len(words):,} words")
        for size in SIZES:
            starts = range(0, len(words) - size + 1, size)
            guesses = Counter(language_of(words[at : at + size]) for at in starts)
            texts = (f"{guess or '-'} {count}" for guess, count in guesses.items())
            print(f"  passages of {size:,} words: {', '.join(texts)}")
        if language in LANGUAGES:
            tagged = [row[1] for row in rows if row[UPOS] == "PRON"]
            known = sum(is_pronoun(word, language) for word in tagged)
            print(f"  PRON in the list: {100 * known / len(tagged):.1f} %")


if __name__ == "__main__":
    main()
