"""Named schemes, and how options change them."""

from __future__ import annotations

import pytest

from scoref import OptionError, Scheme
from scoref.schemes import SCHEMES, named_for, resolve


@pytest.mark.parametrize("name", SCHEMES)
def test_a_name_stands_for_its_scheme(name: str) -> None:
    assert resolve(name) == SCHEMES[name]


def test_the_default_depends_on_the_format() -> None:
    assert named_for(None, "corefud") == "crac-2026"
    assert named_for("default", "conll-2012") == "default"
    assert named_for("conll-2012", "corefud") == "conll-2012"
    assert resolve(None, format="corefud") == SCHEMES["crac-2026"]


def test_options_change_single_conventions() -> None:
    scheme = resolve("crac-2026", singletons="keep", zeros=None)
    assert (scheme.singletons, scheme.zeros) == ("keep", "dependent")
    assert resolve(scheme, match="exact").match == "exact"
    assert resolve(None, match="min").duplicates == "coval"
    assert resolve(None, match="min", duplicates="first").duplicates == "first"


def test_lenient_scores_missing_documents() -> None:
    scheme = resolve(None, lenient=True)
    assert (scheme.reading, scheme.missing) == ("lenient", "empty")
    assert resolve(None, lenient=True, missing="key").missing == "key"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match="Did you mean conll-2012"):
        resolve("conll-2011")
    with pytest.raises(OptionError, match="no option 'singleton'"):
        resolve(None, singleton="drop")
    with pytest.raises(OptionError, match="no value of 'singletons'"):
        resolve(None, singletons="dropp")
    assert isinstance(resolve(Scheme()), Scheme)
