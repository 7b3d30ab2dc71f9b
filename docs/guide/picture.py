"""What a method does on two-dimensional data: its score field, drawn from what the program itself answers.

The known class is a crescent; a quarter of it is marked. The pile holds the rest of it, a cluster below, and scattered
points. The program learns from the marked points and scores a grid; the line is where its score is 0.5.
"""

import base64
import csv
import math
import random
import struct
import subprocess
import tempfile
import zlib
from functools import cache
from html import escape
from pathlib import Path

SIDE = 48
SIZE = 300
LOW, HIGH = 0.0, 10.0


@cache
def points():
    """Marked and unmarked points of the class, and the others."""
    chance = random.Random(5)
    crescent = []
    for _ in range(100):
        angle = chance.uniform(0.05 * math.pi, 0.95 * math.pi)
        radius = chance.gauss(3.4, 0.35)
        crescent.append((5 + radius * math.cos(angle), 4.4 + radius * math.sin(angle)))
    cluster = [(chance.gauss(5, 0.7), chance.gauss(3.4, 0.7)) for _ in range(90)]
    scattered = [(chance.uniform(0.3, 9.7), chance.uniform(0.3, 9.7)) for _ in range(60)]
    return crescent[:25], crescent[25:], cluster + scattered


def grid():
    step = (HIGH - LOW) / SIDE
    centres = [LOW + step * (at + 0.5) for at in range(SIDE)]
    return [(x, y) for y in reversed(centres) for x in centres]


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def answers(program, method):
    """The scores of the grid, from the top left."""
    marked, hidden, others = points()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        labelled = [(*p, "yes", "yes") for p in marked]
        labelled += [(*p, "no", "yes") for p in hidden] + [(*p, "no", "no") for p in others]
        rows = [(at, f"{x:.4f}", f"{y:.4f}", mark, truth) for at, (x, y, mark, truth) in enumerate(labelled)]
        write(place / "points.csv", [("id", "x", "y", "marked", "truth"), *rows])
        write(place / "grid.csv", [("id", "x", "y"), *[(at, x, y) for at, (x, y) in enumerate(grid())]])
        learn = [program, "find", "--in", "points.csv", "--label", "marked", "--positive", "yes", "--id", "id"]
        learn += ["--features", "x,y", "--method", method, "--model", "m", "--output", "ranked.csv", "--quiet"]
        if method == "supervised":
            learn += ["--truth", "points.csv", "--truth-label", "truth", "--truth-positive", "yes"]
        score = [program, "score", "m", "--in", "grid.csv", "--id", "id", "--output", "scored.csv", "--quiet"]
        for command in (learn, score):
            subprocess.run(command, cwd=place, check=True)
        with (place / "scored.csv").open(encoding="utf-8") as file:
            return [float(row["score"]) for row in csv.DictReader(file)]


def png(scores):
    """The field as a picture of one pixel for each score."""
    lines = bytearray()
    for at in range(0, SIDE * SIDE, SIDE):
        lines.append(0)
        for score in scores[at : at + SIDE]:
            lines += bytes(shade(score))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(lines), 9)), (b"IEND", b""))
    chunks = [struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def shade(score):
    """White at the cut, blue above it, grey below."""
    away = min(1.0, abs(score - 0.5) * 2) ** 0.6
    end = (74, 144, 200) if score >= 0.5 else (176, 176, 176)
    return [round(250 + away * (part - 250)) for part in end]


def cut(scores):
    """The line at which the score is 0.5, piece by piece through the squares between four neighbours."""
    size = SIZE / SIDE
    pieces = []
    value = lambda column, line: scores[line * SIDE + column] - 0.5  # noqa: E731
    for line in range(SIDE - 1):
        for column in range(SIDE - 1):
            corners = [(column, line), (column + 1, line), (column + 1, line + 1), (column, line + 1)]
            crossed = []
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
                a, b = value(ax, ay), value(bx, by)
                if (a >= 0) != (b >= 0):
                    share = a / (a - b)
                    crossed.append(((ax + share * (bx - ax) + 0.5) * size, (ay + share * (by - ay) + 0.5) * size))
            for (ax, ay), (bx, by) in zip(crossed[::2], crossed[1::2], strict=False):
                pieces.append(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}")
    return "".join(pieces)


def place(point):
    scale = SIZE / (HIGH - LOW)
    return (point[0] - LOW) * scale, SIZE - (point[1] - LOW) * scale


def draw(program, method):
    scores = answers(program, method)
    marked, hidden, others = points()
    field = base64.b64encode(png(scores)).decode()
    body = [
        f'<image href="data:image/png;base64,{field}" width="{SIZE}" height="{SIZE}" preserveAspectRatio="none"/>',
        f'<path d="{cut(scores)}" stroke="#1b4f7a" stroke-width="1.5" fill="none"/>',
    ]
    for kind, look in ((others, 'r="2" fill="#555"'), (hidden, 'r="2.2" fill="#d9730d"')):
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" {look}/>' for x, y in map(place, kind)]
    for x, y in map(place, marked):
        body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#d9730d" stroke="#fff" stroke-width="1"/>')
    title = f"The score field of {method} on points of the plane"
    return (
        f'<svg viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )
