"""Manual pages of the drop-ins, made from what their modules say of them."""

from __future__ import annotations

from importlib import import_module
from inspect import cleandoc

from scoref.cli import roff

DROPINS = {
    "scoref-conll": "scoref.dropins.conll",
    "scoref-corefud": "scoref.dropins.corefud",
    "scoref-ua": "scoref.dropins.ua",
}
"""Where each command is."""


def dropin_page(name: str) -> str:
    """Write the page of a command."""
    module = import_module(DROPINS[name])
    first, usage, *texts = cleandoc(module.__doc__ or "").split("\n\n")
    lines = [
        *roff.title(name, first.partition(": ")[2].rstrip(".")),
        *roff.section("SYNOPSIS", _usage(name, usage)),
        *roff.section("DESCRIPTION", roff.paragraphs(texts)),
        *roff.section("OPTIONS", roff.options(module.records())),
        *roff.section("SEE ALSO", roff.paragraphs(["scoref(1)"])),
    ]
    return "\n".join(lines) + "\n"


def _usage(name: str, usage: str) -> list[str]:
    words = " ".join(usage.split()).removeprefix(f"{name} ")
    return [f".B {roff.escaped(name)}", roff.escaped(words)]
