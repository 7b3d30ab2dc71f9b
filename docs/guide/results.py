"""What the kept results say of each method: its place among the others, and the pictures of the page on choosing."""

import json
import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"

# Where methods are compared: name, data in words, file, tables, measure, and which columns, by how they begin.
EVERY = ["every-method"]
COMPARISONS = [
    ("newsgroups", "20 Newsgroups, 50 posts of one group known", "ranking", EVERY, "average precision", ""),
    ("messages", "short messages, six tasks", "onb", EVERY, "F1", ""),
    ("collections", "nine collections of texts, ten of a class known", "nmfpul", EVERY, "binary F1", ""),
    ("pages", "web pages of three kinds", "svmc", EVERY, "F1", "course faculty student"),
    ("letters", "letters drawn as 16 numbers", "svmc", EVERY, "F1", "letter"),
    ("unexpected", "posts of groups that were never seen", "lgn", EVERY, "F", ""),
    ("related", "related tables: UW-CSE, IMDB, Heart", "relocc", ["2", "4", "8"], "AUC-PR", ""),
    ("ideal", "letters and pages, the truth known", "svmc", ["f1"], "F1", ""),
]
# Their seconds are those of a build for tests (docs/results/README.md).
UNTIMED = {"nearest-mean", "logistic-spared", "forest"}


@dataclass
class Place:
    """Where a method stands in a comparison."""

    comparison: str
    data: str
    measure: str
    value: float
    place: int
    among: int
    seconds: float


@cache
def cells(file):
    return json.loads((RESULTS / f"{file}.json").read_text(encoding="utf-8"))


def means(file, tables, measure, begins):
    """For each method its mean over tables, rows and columns, and its mean seconds."""
    found = defaultdict(list)
    for cell in cells(file):
        # The column of means would count each task twice.
        known = cell["table"] in tables and cell["metric"] == measure and cell["column"] != "mean"
        if known and cell["method"] and cell["column"].startswith(tuple(begins.split() or [""])):
            found[cell["method"]].append((cell["value"], cell["seconds"]))
    return {
        method: tuple(sum(part) / len(values) for part in zip(*values, strict=True)) for method, values in found.items()
    }


@cache
def places():
    """For each method where it stands."""
    found = defaultdict(list)
    for name, data, file, tables, measure, begins in COMPARISONS:
        of_all = means(file, tables, measure, begins)
        ordered = sorted(of_all, key=lambda method: -of_all[method][0])
        scale = 100 if measure == "F" else 1
        for at, method in enumerate(ordered):
            value, seconds = of_all[method]
            found[method].append(Place(name, data, measure, value / scale, at + 1, len(ordered), seconds))
    return found


def table(own):
    """The places of one method, as Markdown."""
    lines = ["| on | measure | value | place |", "|---|---|---|---|"]
    lines += [f"| {p.data} | {p.measure} | {p.value:.3f} | {p.place} of {p.among} |" for p in own]
    return "\n".join(lines)


def svg(width, height, body, title):
    return (
        f'<svg viewBox="0 0 {width} {height}" width="100%" style="max-width: {width}px" role="img" '
        f'font-family="sans-serif" font-size="11" fill="currentColor"><title>{escape(title)}</title>{body}</svg>'
    )


def text(x, y, words, anchor="start", **given):
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in given.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def colour(share):
    """From the best (0) in blue to the last (1) in pale orange; readable on light and dark pages."""
    ends = [(44, 123, 182), (171, 217, 233), (253, 224, 160), (244, 165, 110)]
    at = min(share, 0.999) * (len(ends) - 1)
    low, part = int(at), at - int(at)
    mixed = [round(a + part * (b - a)) for a, b in zip(ends[low], ends[low + 1], strict=True)]
    return "rgb({},{},{})".format(*mixed)


def square(x, y, width, height, value, share, words):
    """A value on the colour of its place, with what it means when pointed at."""
    return (
        f'<g><title>{escape(words)}</title><rect x="{x + 1}" y="{y + 1}" width="{width - 2}" '
        f'height="{height - 2}" fill="{colour(share)}"/>'
        + text(x + width / 2, y + 12, f"{value:.3f}", "middle", fill="#111", font_size=10)
        + "</g>"
    )


def order(found):
    """Methods by their mean place; those that took part in less than half of the comparisons stand below, as what few
    columns say is mostly chance, and those of related tables last."""
    standing = {m: sum(p.place / p.among for p in own) / len(own) for m, own in found.items() if m != "supervised"}
    related = {method for method, own in found.items() if all(p.comparison == "related" for p in own)}
    most = max(len(own) for own in found.values())
    return sorted(standing, key=lambda m: (m in related, 2 * len(found[m]) < most, standing[m]))


def who_wins_where(found):
    """A line for each method, a column for each comparison: its value, coloured by its place."""
    shown = [comparison for comparison in COMPARISONS if comparison[0] != "ideal"]
    methods = order(found)
    left, top, width, height = 140, 24, 92, 17
    body = []
    for column, (name, *_rest) in enumerate(shown):
        body.append(text(left + width * (column + 0.5), top - 8, name, "middle"))
    for line, method in enumerate(methods):
        y = top + height * line
        body.append(f'<a href="methods/{method}.html">{text(left - 8, y + 12, method, "end")}</a>')
        for column, (name, *_rest) in enumerate(shown):
            place = next((p for p in found[method] if p.comparison == name), None)
            if place is None:
                continue
            share = (place.place - 1) / max(place.among - 1, 1)
            words = f"{method} on {place.data}: {place.measure} {place.value:.3f}, place {place.place} of {place.among}"
            body.append(square(left + width * column, y, width, height, place.value, share, words))
    height = top + height * len(methods) + 4
    return svg(left + width * len(shown), height, "".join(body), "How well each method does on each kind of data")


def how_long(found):
    """Seconds and average precision on 20 Newsgroups, a point for each method."""
    points = [(m, p) for m, own in found.items() for p in own if p.comparison == "newsgroups" and m not in UNTIMED]
    width, height, left, bottom = 760, 430, 50, 40
    low = math.floor(math.log10(min(p.seconds for _, p in points)))
    high = math.ceil(math.log10(max(p.seconds for _, p in points)))
    across = lambda s: left + (width - left - 90) * (math.log10(s) - low) / (high - low)  # noqa: E731
    up = lambda v: height - bottom - (height - bottom - 15) * v  # noqa: E731
    body = []
    for power in range(low, high + 1):
        x = across(10**power)
        body.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="15" y2="{height - bottom}" stroke="currentColor" opacity=".15"/>')
        body.append(text(x, height - bottom + 16, f"{10**power:g} s", "middle"))
    for tenth in range(0, 11, 2):
        y = up(tenth / 10)
        body.append(f'<line x1="{left}" x2="{width - 90}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" opacity=".15"/>')
        body.append(text(left - 6, y + 4, f"{tenth / 10:.1f}", "end"))
    body.append(text((width - 40) / 2, height - 6, "seconds to learn from all posts and to rank them", "middle"))
    spots = [(across(p.seconds), up(p.value)) for _, p in points]
    taken = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots]
    for method, place in sorted(points, key=lambda point: -point[1].value):
        x, y = across(place.seconds), up(place.value)
        body.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="rgb(44,123,182)"><title>{method}: average precision '
            f"{place.value:.3f}, {place.seconds:.2f} s</title></circle>"
        )
        # A name goes where no other stands; one that finds no room is shown when pointed at.
        wide = 5.4 * len(method)
        for dx, dy in ((6, 3.5), (6, -6), (6, 13), (-6 - wide, 3.5), (-6 - wide, -6), (-6 - wide, 13)):
            box = (x + dx, y + dy - 8, x + dx + wide, y + dy + 1)
            if not any(b[0] < box[2] and box[0] < b[2] and b[1] < box[3] and box[1] < b[3] for b in taken):
                taken.append(box)
                body.append(text(box[0], y + dy, method, font_size=9))
                break
    return svg(width, height, "".join(body), "Average precision and seconds of each method on 20 Newsgroups")


def on_tables():
    """Tables of numbers and categories: a line for each, a column for each of our methods and of the peers."""
    of_tables = cells("tables")
    # Ours before the peers, each as they stand there.
    columns = list(dict.fromkeys(cell["column"] for cell in sorted(of_tables, key=lambda cell: not cell["method"])))
    left, width, height, head = 120, 84, 17, 34
    y, body = 0, []
    for marked in dict.fromkeys(cell["table"] for cell in of_tables):
        body.append(text(left - 8, y + 26, f"{marked} examples", "end", font_weight="bold"))
        for at, column in enumerate(columns):
            name, _, more = column.partition(" ")
            for line, part in enumerate([name, more]):
                body.append(text(left + width * (at + 0.5), y + 14 + 13 * line, part, "middle", font_size=9))
        y += head
        known = {(cell["row"], cell["column"]): cell["value"] for cell in of_tables if cell["table"] == marked}
        for row in dict.fromkeys(row for row, _ in known):
            weight = {"font_weight": "bold"} if row == "mean" else {}
            body.append(text(left - 8, y + 12, row, "end", **weight))
            ranked = sorted((c for c in columns if (row, c) in known), key=lambda c: -known[row, c])
            for place, column in enumerate(ranked):
                value, among = known[row, column], len(ranked)
                words = f"{column} on {row}, {marked} examples: average precision {value:.3f}, place {place + 1} of {among}"
                x = left + width * columns.index(column)
                body.append(square(x, y, width, height, value, place / max(among - 1, 1), words))
            y += height
        y += 14
    return svg(left + width * len(columns), y, "".join(body), "Average precision on tables, ours and other libraries'")


def beside_peers():
    """The ranking race, ours beside runs of scikit-learn and pulearn where there are some."""
    race = [cell for cell in cells("ranking") if cell["table"] == "race"]
    marked = sorted({int(cell["column"]) for cell in race})
    width, height, left, bottom = 560, 330, 50, 40
    low = min(min(c["value"], c["paper_value"] or 1) for c in race) - 0.03
    across = lambda at: left + 20 + (width - left - 150) * at / (len(marked) - 1)  # noqa: E731
    up = lambda v: height - bottom - (height - bottom - 15) * (v - low) / (0.95 - low)  # noqa: E731
    body = []
    for tenth in range(math.ceil(low * 10), 10):
        y = up(tenth / 10)
        body.append(f'<line x1="{left}" x2="{width - 120}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" opacity=".15"/>')
        body.append(text(left - 6, y + 4, f"{tenth / 10:.1f}", "end"))
    for at, number in enumerate(marked):
        body.append(text(across(at), height - bottom + 16, str(number), "middle"))
    body.append(text((width - 70) / 2, height - 6, "examples", "middle"))
    colours = ["#2c7bb6", "#00876c", "#b8590b", "#7a5195", "#8a8a8a"]
    for shade, method in zip(colours, dict.fromkeys(cell["row"] for cell in race), strict=False):
        own = sorted((c for c in race if c["row"] == method), key=lambda c: int(c["column"]))
        for key, dash in (("value", ""), ("paper_value", ' stroke-dasharray="4 4"')):
            # What is kept beside `auto` is an older recipe of ours.
            if all(cell[key] is not None for cell in own) and (key == "value" or method != "auto"):
                line = " ".join(f"{across(at):.1f},{up(cell[key]):.1f}" for at, cell in enumerate(own))
                body.append(f'<polyline points="{line}" fill="none" stroke="{shade}" stroke-width="2"{dash}/>')
        nudge = {"pseudo-smooth": 10, "auto": -2}.get(method, 4)
        body.append(text(across(len(marked) - 1) + 8, up(own[-1]["value"]) + nudge, method, fill=shade))
    return svg(width, height, "".join(body), "Average precision by number of examples, ours and of other libraries")


def pictures():
    found = places()
    return {
        "who-wins-where": who_wins_where(found),
        "how-long": how_long(found),
        "beside-peers": beside_peers(),
        "on-tables": on_tables(),
    }
