"""Typeset the formulas of a page as MathML, from the text that forges show.

A formula is a line of an indented block below the heading `Formula`. Three blanks
separate formulas of one line. A slash is a fraction. With two blanks on each side, it
divides everything to its left and right; with one blank, the terms next to it.
"""

from __future__ import annotations

import re
from html import escape

_BLOCK = re.compile(r"(?:^ {4}\S.*\n(?:\n(?= {4}\S))?)+", re.MULTILINE)
_SYMBOL_ROW = re.compile(r"^\| (?!symbol|---)((?:[^|\\]|\\.)+?) \|", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<number>\d+)"
    r"|(?P<name>[^\W\d_]+′?|Σ)(?:_(?P<sub>\w+?))?(?P<power>[²₁₃₄]*)(?![^\W_])"
    r"|(?P<slash> {2}/ {2}| / )"
    r"|(?P<sign>[=+−·∩(),|]|>|\\\|)"
    r"|(?P<blank> +)"
)
_SMALL = str.maketrans("²₁₃₄", "2134")
_CLOSING = {"(": ")", "|": "|"}
_ROUND = '<mrow class="brackets">'


def typeset_page(text: str) -> str:
    """Replace the formulas and symbols of a page's section about its formula."""
    start = re.search(r"^## Formula$", text, re.MULTILINE)
    if start is None:
        return text
    rest = re.compile(r"^## ", re.MULTILINE).search(text, start.end())
    end = rest.start() if rest else len(text)
    section = _BLOCK.sub(_typeset_block, text[start.start() : end])
    head, table, rows = section.partition("| symbol |")
    rows, blank, after = rows.partition("\n\n")
    rows = _SYMBOL_ROW.sub(_typeset_row, rows)
    return text[: start.start()] + head + table + rows + blank + after + text[end:]


def _typeset_block(block: re.Match[str]) -> str:
    formulas = [
        formula
        for line in block[0].splitlines()
        for formula in re.split(r" {3,}", line.strip())
        if formula
    ]
    parts = [f'<math display="block">{typeset(formula)}</math>' for formula in formulas]
    return f'<div class="formula">{"".join(parts)}</div>\n\n'


def _typeset_row(row: re.Match[str]) -> str:
    symbols = row[1].replace("\\|", "|").split(", ")
    return f"| {', '.join(f'<math>{typeset(symbol)}</math>' for symbol in symbols)} |"


def typeset(formula: str) -> str:
    """Return the MathML of a formula.

    >>> typeset("k_i / 2")
    '<mfrac><msub><mi>k</mi><mi>i</mi></msub><mn>2</mn></mfrac>'
    """
    parser = _Parser(formula)
    markup = parser.parse_all()
    if parser.place < len(parser.tokens):
        raise ValueError(f"this formula cannot be typeset: {formula}")
    return markup


class _Parser:
    """Reads relations, fractions of sums, sums, products and fractions of terms."""

    def __init__(self, formula: str) -> None:
        self.tokens: list[re.Match[str]] = []
        place = 0
        while place < len(formula):
            token = _TOKEN.match(formula, place)
            if token is None:
                raise ValueError(f"this formula cannot be typeset: {formula}")
            if token.lastgroup != "blank":
                self.tokens.append(token)
            place = token.end()
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def take(self) -> re.Match[str]:
        self.place += 1
        return self.tokens[self.place - 1]

    def parse_all(self) -> str:
        markup = self.whole()
        while self.peek() in {"=", ">", ","}:
            markup += _operator(self.take()[0]) + self.whole()
        return markup

    def whole(self) -> str:
        top = self.sums()
        while self.peek() == "  /  ":
            self.take()
            top = f"<mfrac><mrow>{top}</mrow><mrow>{self.sums()}</mrow></mfrac>"
        return top

    def sums(self) -> str:
        markup = self.product()
        while self.peek() in {"+", "−", "∩"}:
            markup += _operator(self.take()[0]) + self.product()
        return markup

    def product(self) -> str:
        """Read factors; a slash divides those after the last sum by the next one."""
        factors: list[str] = []
        while True:
            sign = self.peek()
            if sign == " / ":
                self.take()
                sums = [place for place, part in enumerate(factors) if "Σ" in part]
                first = sums[-1] + 1 if sums else 0
                top = _as_one(factors[first:])
                bottom = _as_one([self.factor()])
                factors[first:] = [f"<mfrac>{top}{bottom}</mfrac>"]
            elif sign == "·":
                factors.append(_operator(self.take()[0]))
            elif sign and sign not in {"=", ">", ",", "+", "−", "∩", ")", "  /  "}:
                if sign == "|" and self.is_closing:
                    break
                factors.append(self.factor())
            else:
                break
        return "".join(factors)

    is_closing = False

    def factor(self) -> str:
        token = self.take()
        sign = token[0]
        if sign in _CLOSING:
            outer, self.is_closing = self.is_closing, sign == "|"
            inner = self.parse_all()
            self.is_closing = outer
            close = self.take()[0]
            row = f"<mrow>{_operator(sign)}{inner}{_operator(close)}</mrow>"
            return row.replace("<mrow>", _ROUND, 1) if sign == "(" else row
        if token["number"]:
            return f"<mn>{sign}</mn>"
        name = _name(token)
        if self.peek() == "(" and self.tokens[self.place].start() == token.end():
            return f"<mrow>{name}{self.factor()}</mrow>"  # the arguments of a function
        return name


def _name(token: re.Match[str]) -> str:
    name, below, marks = token["name"], token["sub"], token["power"]
    base = "<mo>Σ</mo>" if name == "Σ" else f"<mi>{escape(name)}</mi>"
    power = "".join(mark for mark in marks if mark == "²").translate(_SMALL)
    index = below or "".join(mark for mark in marks if mark != "²").translate(_SMALL)
    low = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{escape(index)}</mi>"
    if name == "Σ" and index:
        return f"<munder>{base}{low}</munder>"
    if index and power:
        return f"<msubsup>{base}{low}<mn>{power}</mn></msubsup>"
    if index:
        return f"<msub>{base}{low}</msub>"
    return f"<msup>{base}<mn>{power}</mn></msup>" if power else base


def _operator(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


_BRACKETS = re.compile(r'<mrow class="brackets"><mo>\(</mo>(.*)<mo>\)</mo></mrow>')


def _as_one(factors: list[str]) -> str:
    """Return one element; the bar of a fraction replaces brackets around it."""
    markup = "".join(factors)
    whole = _BRACKETS.fullmatch(markup) if len(factors) == 1 else None
    inner = whole[1] if whole else markup
    return inner if whole is None and len(factors) == 1 else f"<mrow>{inner}</mrow>"
