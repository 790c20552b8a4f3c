"""Names that are loaded when they are first used."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from scoref import formats, lazy


def test_numpy_is_loaded_by_its_first_use() -> None:
    script = (
        "import sys; from scoref.lazy import np; assert 'numpy' not in sys.modules; "
        "np.arange(2); assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert lazy.np.arange is np.arange


def test_a_package_has_the_names_of_its_modules() -> None:
    get, list_names = lazy.names("scoref.formats", {"FORMATS": "catalogue"})
    assert get("FORMATS") is formats.FORMATS
    assert list_names() == ["FORMATS"]
    with pytest.raises(AttributeError, match=r"'scoref.formats' has no attribute 'x'"):
        get("x")
