r"""Everything that commands print, and the encoding of standard output and error.

scoref prints signs such as ³, α and Δ, which many encodings lack. A stream is switched
to UTF-8 if that is safe: its encoding was not chosen, and it is not a terminal, which
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
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from scoref.notes import WARNING
from scoref.printable import (
    called,
    escaped_in_json,
    printable,
    printable_lines,
    warnings_first,
)
from scoref.render import WIDTH
from scoref.writing import standard_output, write_standard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TextIO

    from scoref.render.report import Part, Report

    Show = Callable[[str, float], None]


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
    """Make standard output and standard error accept every character."""
    for stream in (sys.stdout, sys.stderr):
        # A stream may be closed, or belong to a program that calls the command.
        if not isinstance(stream, io.TextIOWrapper):
            continue
        encoding = stream.encoding
        if not (has_every_character(encoding) or stream.isatty() or _is_chosen()):
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
    from locale import LC_CTYPE, setlocale

    return setlocale(LC_CTYPE) not in {"C", "POSIX"}


def _handle_by_text(error: UnicodeError) -> tuple[str, int]:
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


def _handle_by_escapes(error: UnicodeError) -> tuple[str, int]:
    """Handle an encoding error by JSON's escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    part = error.object[error.start : error.end]
    return "".join(map(escaped_in_json, part)), error.end


codecs.register_error(_READABLE, _handle_by_text)

codecs.register_error(_JSON, _handle_by_escapes)

_WIDTH = 79


def has_colours() -> bool:
    """Tell whether a terminal may get colours: https://no-color.org asks not to."""
    return not os.environ.get("NO_COLOR") and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


@contextmanager
def progress() -> Iterator[Show | None]:
    """Show progress on a terminal, and erase it at the end."""
    if sys.stderr is None or not sys.stderr.isatty() or _is_dumb():
        yield None
        return

    # Users who want no colours may not want other sequences, either.
    wipe = "\r\x1b[K" if has_colours() else f"\r{' ' * _WIDTH}\r"

    def show(step: str, share: float) -> None:
        text = f"{share:4.0%}  {printable(step)} …"[:_WIDTH]
        click.echo(f"{wipe}{text}", file=sys.stderr, nl=False, color=True)

    try:
        yield show
    finally:
        click.echo(wipe, file=sys.stderr, nl=False, color=True)


@contextmanager
def scoring_steps(length: int) -> Iterator[Callable[[], None]]:
    """Show progress if there is more than one step."""
    done = 0
    with progress() as show:

        def step() -> None:
            nonlocal done
            done += 1
            if show and length > 1:
                show("scoring", done / length)

        yield step


def width_for(stream: TextIO | None) -> int:
    """Return the number of columns: as COLUMNS says, as the stream has it, or 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        width = os.get_terminal_size(stream.fileno()).columns if stream else WIDTH
    except (OSError, ValueError):
        return WIDTH
    return width or WIDTH


def tell(text: str, *, err: bool = False) -> None:
    """Print text for people, without control characters."""
    stream = sys.stderr if err else standard_output()
    # Without a stream, click takes another encoding where it is ASCII.
    if stream is not None:
        click.echo(printable_lines(text), file=stream)


def print_report(report: Report, output: str, *, err: bool = False) -> None:
    """Print a report, and its notes unless the output contains them."""
    from scoref.render import render  # what draws it is loaded by name

    if is_on(SHORT):
        report = report._replace(parts=partial(_shorten, report))
    if output == "text":
        _print_text(report, err=err)
    elif output == "csv" and not err:
        _print_data(f"{render(report, output)}\n")
    elif output == "json":
        stream = sys.stderr if err else standard_output()
        tell(readable_json(render(report, output), _encoding(stream)), err=err)
    else:
        tell(render(report, output), err=err)
    if output != "json":
        print_notes(report.notes)


def _shorten(report: Report) -> Iterator[Part]:
    """Shorten the signatures of a report."""
    from scoref.render.report import Signatures
    from scoref.scheme import short_signature

    for part in report.parts():
        match part:
            case Signatures(lines):
                yield Signatures([short_signature(line) for line in lines])
            case _:
                yield part


def _print_text(report: Report, *, err: bool) -> None:
    """Print a report that fits the terminal; its parts are printable already."""
    from scoref.render.text import render_text  # programs need none

    stream = sys.stderr if err else standard_output()
    encoding = _encoding(stream)

    def spell(text: str) -> str:
        return readable(text, encoding)

    text = render_text(report, width_for(stream), _paint, spell)
    if text and stream is not None:
        # `click.echo` drops colours if this is not a terminal.
        click.echo(text, file=stream)


def _print_data(text: str) -> None:
    """Print data unchanged, but printable for a terminal."""
    stream = standard_output()
    encoding = _encoding(stream)
    if has_every_character(encoding):
        write_standard(text.encode("utf-8", "surrogateescape"))
    else:
        # Other text might be a formula for a spreadsheet.
        tell(text.encode(encoding, "backslashreplace").decode(encoding).rstrip("\n"))


def _encoding(stream: TextIO | None) -> str:
    return getattr(stream, "encoding", None) or "utf-8"


_STYLES: dict[str, dict[str, str]] = {
    "header": {},
    "error": {"fg": "red"},
    "warning": {"fg": "yellow"},
    "note": {"fg": "cyan"},
}


def _paint(text: str, style: str) -> str:
    return click.style(text, bold=True, **_STYLES[style])  # type: ignore[arg-type]


QUIET, SHORT = "scoref.quiet", "scoref.short"
"""What `-q` and `--short` set in the context of a command."""


def is_on(key: str) -> bool:
    """Tell whether an option such as `-q` was given."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(key))


def print_notes(messages: Iterable[str]) -> None:
    """Print each note once, warnings first, on standard error; `-q` omits notes."""
    from scoref.render.text import fold  # --help needs none

    width = width_for(sys.stderr)
    for message in warnings_first(messages):
        if is_on(QUIET) and not message.startswith(WARNING):
            continue
        note = fold(called(printable(message)), width, indent="  ")
        tell("\n".join(note), err=True)


def print_failures(messages: Iterable[str]) -> None:
    """Warn about each file that could not be scored, with all lines of its error."""
    for message in dict.fromkeys(messages):
        tell(f"{WARNING}{message.removeprefix(WARNING)}", err=True)
