"""Formulas as they stand in the sources, such as `w(x) = (1 - c)/c · g(x)/(1 - g(x))`, set as MathML.

Browsers show MathML by themselves: no script, no font, no network. What is read here is what the heads of the method files
use: letters with `_i`, `_{i-1}`, `²` and `₊`, quotients, calls, sums, and words between them. A quotient with blanks around
its slash takes the products on both sides, one without takes what it touches.
"""

import re
from dataclasses import dataclass
from html import escape

SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-"))
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Between these a product ends.
ENDS = set("+−=<>≤≥≈∝∈∉←,;:")
NAMES = {"ln", "exp", "max", "min", "cos", "Pr", "mean", "argmax", "entropy", "Beta", "score", "AN", "TPR", "variance", "deviation"}
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z]+(?:[-'][a-z]+)*|[α-ωΑ-Ωℓ])|(?P<sub>_)|(?P<sup>\^)"
    r"|(?P<low>[₀-₉₊₋]+)|(?P<high>[⁰¹²³⁴-⁹]+)|(?P<other>.)"
)


@dataclass
class Piece:
    """A part of a formula: its MathML, and what it is to its neighbours."""

    markup: str
    kind: str  # letter, number, words, operator, group
    after_space: bool = False
    # A group without its brackets, for above and below a line.
    bare: str = ""


def row(pieces):
    return "".join(piece.markup for piece in spaced(pieces))


def wrapped(markup):
    return f"<mrow>{markup}</mrow>"


class Formula:
    """Reads one formula from left to right."""

    def __init__(self, text):
        self.tokens = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
        self.at = 0

    def peek(self, offset=0):
        at = self.at + offset
        return self.tokens[at] if at < len(self.tokens) else (None, "")

    def pieces(self, until=None):
        """What stands up to a closing bracket, quotients made."""
        found = []
        space = False
        while True:
            kind, text = self.peek()
            if kind is None or text == until:
                self.at += kind is not None
                return quotients(found)
            if kind == "space":
                space = True
                self.at += 1
                continue
            piece = self.scripted(self.one(), space)
            touches = found and not piece.after_space and piece.kind == "group" and found[-1].kind == "letter"
            if touches:
                found[-1] = Piece(found[-1].markup + piece.markup, "letter", found[-1].after_space)
            else:
                found.append(piece)
            space = False

    def one(self):
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return Piece(f"<mn>{text}</mn>", "number")
        if text in "Σ∫":
            return Piece(f"<mo>{text}</mo>", "sum")
        if kind == "word":
            if len(text) == 1 or text in NAMES:
                return Piece(f"<mi>{text}</mi>", "letter")
            return Piece(f"<mtext>{escape(text)}</mtext>", "words")
        if text in CLOSING:
            inside = row(self.pieces(CLOSING[text]))
            markup = f"<mo>{text}</mo>{inside}<mo>{CLOSING[text]}</mo>"
            return Piece(wrapped(markup), "group", bare=wrapped(inside))
        if text == "½":
            return Piece("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "number")
        if text == "¼":
            return Piece("<mfrac><mn>1</mn><mn>4</mn></mfrac>", "number")
        if text == "-":
            return Piece("<mo>−</mo>", "operator")
        return Piece(f"<mo>{escape(text)}</mo>", "operator")

    def scripted(self, piece, space):
        piece.after_space = space
        while True:
            kind, text = self.peek()
            if kind in ("sub", "sup"):
                self.at += 1
                if self.peek()[1] == "{":
                    self.at += 1
                    script = wrapped(row(self.pieces("}")))
                else:
                    script = self.one().markup
                tag = "msub" if kind == "sub" else "msup"
            elif kind == "low":
                self.at += 1
                script, tag = wrapped("".join(f"<mo>{SUBSCRIPTS[c]}</mo>" for c in text)), "msub"
            elif kind == "high":
                self.at += 1
                script, tag = f"<mn>{''.join(SUPERSCRIPTS[c] for c in text)}</mn>", "msup"
            else:
                return piece
            piece = Piece(f"<{tag}>{piece.markup}{script}</{tag}>", piece.kind, space)


def quotients(pieces):
    """The same pieces with what stands around a slash put above and below a line."""
    out = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if piece.markup != "<mo>/</mo>" or not out or at + 1 == len(pieces):
            out.append(piece)
            at += 1
            continue
        if piece.after_space:
            above, below = product_before(out), product_after(pieces, at + 1)
        else:
            above, below = out[-1:], touching(pieces, at + 1)
        del out[len(out) - len(above) :]
        markup = f"<mfrac>{numbered(above)}{numbered(below)}</mfrac>"
        out.append(Piece(markup, "letter", above[0].after_space))
        at += 1 + len(below)
    return out


def product_before(pieces):
    start = len(pieces)
    while start > 0 and not ends_product(pieces[start - 1]):
        start -= 1
    return pieces[start:] or pieces[-1:]


def product_after(pieces, at):
    end = at + 1
    while end < len(pieces) and not ends_product(pieces[end]):
        end += 1
    return pieces[at:end]


def touching(pieces, at):
    """What a tight slash has below it; |x| is three pieces."""
    if pieces[at].markup == "<mo>|</mo>" and at + 2 < len(pieces):
        return pieces[at : at + 3]
    return pieces[at : at + 1]


def ends_product(piece):
    text = re.sub("<[^>]*>", "", piece.markup)
    return piece.kind in ("words", "sum") or (piece.kind == "operator" and text in ENDS | set("·|"))


def numbered(pieces):
    if len(pieces) == 1 and pieces[0].kind == "group" and pieces[0].bare:
        return pieces[0].bare
    return wrapped(row(pieces))


def spaced(pieces):
    """Words keep the blanks around them, which MathML would drop."""
    out = []
    for piece in pieces:
        if out and piece.after_space and "words" in (piece.kind, out[-1].kind):
            out.append(Piece('<mspace width="0.35em"/>', "space"))
        elif out and piece.after_space and {piece.kind, out[-1].kind} <= {"letter", "number", "group", "sum"}:
            out.append(Piece('<mspace width="0.17em"/>', "space"))
        out.append(piece)
    return out


def formula(text):
    return wrapped(row(Formula(text).pieces()))


def block(text):
    """The lines of a block, one row each; where three blanks or more part a line, columns."""
    rows = []
    for line in text.strip("\n").splitlines():
        cells = [formula(cell) for cell in re.split(r"\s{3,}", line.strip())]
        rows.append("<mtr>" + "".join(f'<mtd style="text-align: left"><mstyle displaystyle="true">{cell}</mstyle></mtd>' for cell in cells) + "</mtr>")
    table = f'<mtable>{"".join(rows)}</mtable>'
    return f'<math display="block">{table}</math>'


BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def has_block(markdown):
    return BLOCK.search(markdown) is not None


def blocks_as_math(markdown):
    """The text with its ```text blocks set. What stands in a division is not read as Markdown."""
    return BLOCK.sub(lambda m: f'<div class="formula">{block(m[1])}</div>', markdown)
