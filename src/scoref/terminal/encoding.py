r"""The encoding of standard output and standard error.

scoref prints signs such as ³, α and Δ, which many encodings lack. A stream is switched
to UTF-8 if that is safe: nobody chose its encoding, and it is not a terminal, which
would show other signs. Otherwise the stream keeps its encoding, and signs that it lacks
are replaced by readable text: B3, alpha, delta. Anything else becomes an escape such
as ``\u4e2d``.

An encoding is chosen by ``PYTHONIOENCODING``, ``PYTHONLEGACYWINDOWSSTDIO`` or a POSIX
locale other than C. The code page of Windows is not a choice.
"""

from __future__ import annotations

import codecs
import io
import os
import sys

from scoref.printable import escaped_in_json

_READABLE = "scoref.readable"
_JSON = "scoref.json"

_SPELLED = """
    …:... «:<< »:>> ‹:< ›:> ÷:/ √:sqrt →:-> ←:<- ↔:<-> ↑:^ ↓:v ⇥:<tab> ⇒:=>
    ≤:<= ≥:>= ≠:!= ≈:~ ±:+- ∞:inf ∅:{} ∩:& ∪:| ∈:in ►:> ▶:> ◄:< ◐:o ○:o ●:o
    ✓:yes ✔:yes ✗:no ✘:no ✕:no α:alpha β:beta γ:gamma δ:delta ε:epsilon θ:theta
    κ:kappa λ:lambda µ:mu μ:mu π:pi ρ:rho σ:sigma τ:tau φ:phi χ:chi ω:omega
    Δ:delta ∆:delta Σ:sum ∑:sum Φ:Phi Ω:Omega
"""
_SUBSTITUTES = {
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True)),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼ", "0123456789+-=()ij", strict=True)),
    **dict.fromkeys("‐‑‒–—―−─━═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰", "+"),
    **dict.fromkeys("▁▂▃▄▅▆▇█▏▎▍▌▋▊▉■▓▒", "#"),
    **dict.fromkeys("░□", "."),
    **dict.fromkeys("‘’‚‛′´", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("•·∙⋅×†", "*"),
    **dict.fromkeys("\u00a0\u2009\u202f", " "),
    **dict(pair.split(":", 1) for pair in _SPELLED.split()),
}
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"


def prepare_streams() -> None:
    """Let standard output and standard error take every character."""
    for stream in (sys.stdout, sys.stderr):
        # A stream may be closed, or belong to a program that calls the command.
        if not isinstance(stream, io.TextIOWrapper):
            continue
        encoding = stream.encoding
        is_safe = not stream.isatty() and not _is_chosen()
        if not has_every_character(encoding) and is_safe:
            encoding = "utf-8"
        stream.reconfigure(encoding=encoding, errors=_READABLE)


def has_every_character(encoding: str) -> bool:
    """Tell whether an encoding is one of Unicode's.

    >>> has_every_character("utf-8"), has_every_character("cp1252")
    (True, False)
    """
    try:
        "\U0010ffff".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def readable(text: str, encoding: str) -> str:
    r"""Replace characters that an encoding lacks by readable text.

    >>> readable("B³ ≥ 10³, 中", "ascii")
    'B3 >= 10^3, \\u4e2d'
    """
    return text.encode(encoding, _READABLE).decode(encoding)


def readable_json(text: str, encoding: str) -> str:
    r"""Replace characters that an encoding lacks by JSON's own escapes.

    >>> print(readable_json('["Δ"]', "ascii"))
    ["\u0394"]
    """
    return text.encode(encoding, _JSON).decode(encoding)


def _is_chosen() -> bool:
    """Tell whether the user chose the encoding of the streams."""
    if not sys.flags.ignore_environment:
        if os.environ.get("PYTHONIOENCODING", "").partition(":")[0]:
            return True
        if os.environ.get("PYTHONLEGACYWINDOWSSTDIO"):
            return True
    if sys.platform == "win32":
        return False
    from locale import LC_CTYPE, setlocale  # noqa: PLC0415 - seldom needed

    return setlocale(LC_CTYPE) not in {"C", "POSIX"}


def _readable(error: UnicodeError) -> tuple[str, int]:
    """Handle an encoding error by readable text."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, start, end = error.object, error.start, error.end
    pieces = (_substitute(text[at], text[at - 1 : at]) for at in range(start, end))
    return "".join(pieces), end


def _substitute(character: str, before: str) -> str:
    text = _SUBSTITUTES.get(character)
    if text is None:
        return character.encode("ascii", "backslashreplace").decode()
    # 10³ must not become 103.
    is_power = character in _SUPERSCRIPTS and before.isascii() and before.isdigit()
    return f"^{text}" if is_power else text


def _json(error: UnicodeError) -> tuple[str, int]:
    """Handle an encoding error by JSON's escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    part = error.object[error.start : error.end]
    return "".join(map(escaped_in_json, part)), error.end


codecs.register_error(_READABLE, _readable)
codecs.register_error(_JSON, _json)
