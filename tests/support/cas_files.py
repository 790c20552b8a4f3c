"""Files of UIMA CAS as dkpro-cassis writes them, and project exports made of them."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from functools import cache
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    Cas = Any  # dkpro-cassis has no types

    Chains = Sequence[Sequence[tuple[int, int]]]

TEXT = "Mia 😀 slept. She dreamt of Ben. He sang to her."

_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"

COREFERENCE = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.Coreference"


def cassis() -> Cas:
    """Load dkpro-cassis, or skip the test."""
    return pytest.importorskip("cassis", reason="dkpro-cassis is not installed")


def dkpro_types() -> Cas:
    """Return DKPro's type system, to which layers can be added."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it opens its file in a deprecated way
        return cassis().load_dkpro_core_typesystem()


_types_without_layers = cache(dkpro_types)


def cas_of(
    chains: Chains, text: str = TEXT, layer: str = COREFERENCE, *, tokens: bool = True
) -> Cas:
    """Make a CAS with dkpro-cassis; mentions are characters of the text.

    ``layer`` is the name of a layer of chains, without Chain and Link.
    """
    types = _types_without_layers()
    if layer != COREFERENCE:
        types = dkpro_types()
        link = types.create_type(f"{layer}Link", "uima.tcas.Annotation")
        chain = types.create_type(f"{layer}Chain", "uima.cas.AnnotationBase")
        types.create_feature(link, "next", link.name)
        types.create_feature(chain, "first", link.name)
    cas = cassis().Cas(typesystem=types)
    cas.sofa_string = text
    cas.sofa_mime = "text/plain"
    if tokens:
        add_words(cas, types, text)
    link_type = types.get_type(f"{layer}Link")
    chain_type = types.get_type(f"{layer}Chain")
    for mentions in chains:
        after: Cas = None
        for begin, end in reversed(mentions):
            features = {"next": after} if after is not None else {}
            after = link_type(begin=begin, end=end, **features)
            cas.add(after)
        cas.add(chain_type(first=after))
    return cas


def add_words(cas: Cas, types: Cas, text: str) -> None:
    """Add tokens (words and full stops) and sentences."""
    token = types.get_type(f"{_SEGMENTATION}.Token")
    sentence = types.get_type(f"{_SEGMENTATION}.Sentence")
    at = 0
    for part in text.split(". "):
        end = at + len(part) + (not part.endswith("."))
        cas.add(sentence(begin=at, end=end))
        place = at
        for word in part.removesuffix(".").split(" "):
            cas.add(token(begin=place, end=place + len(word)))
            place += len(word) + 1
        cas.add(token(begin=end - 1, end=end))
        at = end + 1


def xmi(cas: Cas) -> bytes:
    """Write a CAS as XMI."""
    text: str = cas.to_xmi(pretty_print=True)
    return text.encode()


def cas_json(cas: Cas) -> bytes:
    """Write a CAS as JSON."""
    text: str = cas.to_json()
    return text.encode()


def xmi_zip(cas: Cas) -> bytes:
    """Write a CAS as INCEpTION does: XMI and its type system in a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("annotations.xmi", xmi(cas))
        archive.writestr("TypeSystem.xml", cas.typesystem.to_xml())
    return packed.getvalue()


def write_zip(path: str | PathLike[str], files: Mapping[str, bytes]) -> str:
    """Write a zip."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return str(path)


MIA, SHE, BEN, HE, HER = (0, 3), (13, 16), (27, 30), (32, 34), (43, 46)

ADA: Chains = [[MIA, SHE, HER], [BEN, HE]]
EVA: Chains = [[MIA, SHE], [BEN, HE], [HER]]


def project_files(form: str = "xmi", prefix: str = "") -> dict[str, bytes]:
    """Return the files of a project with two documents and two annotators.

    Eva did not work on the second document. The first one is curated.
    """
    states = {
        "annotation_documents": [
            {"name": "one.txt", "user": "ada", "state": "FINISHED"},
            {"name": "two.txt", "user": "eva", "state": "NEW"},
        ]
    }
    return {
        f"{prefix}exportedproject.json": json.dumps(states).encode(),
        f"{prefix}source/one.txt": TEXT.encode(),
        **{f"{prefix}{name}": data for name, data in _work(form).items()},
        f"{prefix}annotation_ser/one.txt/ada.ser": b"\xac\xed\0\5",
    }


@cache
def _work(form: str) -> dict[str, bytes]:
    """Return the files of the annotators and the curator."""
    write, ending = {
        "xmi": (xmi_zip, "zip"),
        "json": (cas_json, "json"),
        "bare": (xmi, "xmi"),
    }[form]
    work = {
        "annotation/one.txt/INITIAL_CAS": [],
        "annotation/one.txt/ada": ADA,
        "annotation/one.txt/eva": EVA,
        "annotation/two.txt/INITIAL_CAS": [],
        "annotation/two.txt/ada": EVA,
        "curation/one.txt/CURATION_USER": ADA,
    }
    return {f"{name}.{ending}": write(cas_of(chains)) for name, chains in work.items()}
