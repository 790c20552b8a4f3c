"""The CoNLL score: the mean of the F₁ of MUC, B³ and CEAFe; also its mean with BLANC.

Denis and Baldridge (2009) proposed the average; the CoNLL-2011 and 2012 shared tasks
ranked systems by it. It has no recall and no precision.
"""

from __future__ import annotations

from scoref.metrics.base import Mean

CONLL = Mean(
    name="conll",
    label="CoNLL",
    asks="mean F₁ of MUC, B³ and CEAFe",
    reference="Denis and Baldridge (2009)",
    page="conll",
    place=500,
    usual="always",
    of=("muc", "bcub", "ceafe"),
)
WITH_BLANC = Mean(
    name="conll-blanc",
    label="CoNLL+BLANC",
    asks="mean F₁ of MUC, B³, CEAFe and BLANC (MAVEN-ERE, TAC-KBP events)",
    reference="Wang et al. (2022)",
    page="conll",
    place=510,
    of=(*CONLL.of, "blanc"),
)
METRICS = (CONLL, WITH_BLANC)

NAME, LABEL, PARTS = CONLL.name, CONLL.label, CONLL.of
