"""Makes the book of the guide ready to build: its chapters, and a page for each method.

    python3 docs/guide/methods.py PROGRAM FOLDER

A page is made of what the program says of the method, of the documentation at the head of its source file, of what the
program makes of points in the plane, and of the method's place in docs/results. A method without documentation, without a
formula, without an assumption or without a place there stops the work.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import mathml
import picture
import results

GUIDE = Path(__file__).resolve().parent
SOURCES = GUIDE.parents[1] / "crates/likewise/src"
CHAPTERS = GUIDE.parents[1] / "crates/likewise-cli/guide"
# What chapters show of files outside of the guide, as they name it.
BESIDE = ["../../../docs/review.png", "../../likewise/examples/your_own_method.rs"]
TAKES = {"sparse": "words and other sparse rows", "dense": "rows of numbers", "relational": "related tables"}


def documentation():
    """For each method the text at the head of the file that registers its name."""
    found = {}
    for path in sorted(SOURCES.rglob("*.rs")):
        text = path.read_text(encoding="utf-8")
        head = [line[3:].removeprefix(" ") for line in text.splitlines() if line.startswith("//!")]
        for name in re.findall(r'^\s+name: "([^"]+)",\s+family: "', text, re.MULTILINE):
            found[name] = ("\n".join(head).strip(), path.relative_to(SOURCES.parents[2]))
    return found


def plain(text):
    """Links of Rust's documentation as code."""
    return re.sub(r"\[`([^`\]]+)`\](?:\([^)]*\))?", r"`\1`", text)


def values(parameter):
    kind = parameter["type"]
    if kind == "choice":
        words = " or ".join(f"`{choice['name']}`" for choice in parameter["choices"])
    elif kind in ("number", "integer"):
        ends = [(word, parameter.get(end)) for word, end in (("from", "min"), ("to", "max"))]
        bounds = [f"{word} {end:g}" for word, end in ends if end is not None]
        words = " ".join(["whole number" if kind == "integer" else "number", *bounds])
    else:
        words = {"flag": "true or false"}.get(kind, kind)
    return f"{words}, or none" if parameter["optional"] else words


def cell(text):
    return text.replace("|", "\\|")


def sums(counted):
    """Whether a pile of which only sums are kept is enough."""
    if counted is None:
        return "no: it needs the rows"
    return "yes, exactly" + (f", with {cell(counted['given'])} given" if counted["given"] else "")


def page(method, told, source, own, drawn):
    lines = [f"# {method['name']}", "", mathml.blocks_as_math(plain(told)), ""]
    if drawn:
        lines += [f'<div class="field">{drawn}</div>', "", FIELD, ""]
    else:
        lines += ["It reads related tables, so there is no picture of it in the plane.", ""]
    lines += ["## What it assumes", method["assumes"], "", "## What it is", "| | |", "|---|---|", f"| family | {method['family']} |"]
    lines += [f"| takes | {', '.join(TAKES[str(kind).lower()] for kind in method['inputs'])} |"]
    lines += [f"| words as | {method['weights']} |", f"| paper | {cell(method['paper'])} |"]
    lines += [f"| its model keeps | {cell(method['keeps'] or 'no row it learned from')} |"]
    lines += [f"| rows known not to be wanted | {cell(method['negatives_in_words'])} |"]
    lines += [f"| cut, unless you say where | {cell(method['cut'])} |"]
    lines += [f"| learned from sums over the pile | {sums(method['counted'])} |"]
    lines += [f"| source | `{source}` |", ""]
    lines += ["## How it does", "As it comes, without setting anything, among the methods that take the data "
              "([more](../choosing.md)):", "", results.table(own), ""]
    if method["parameters"]:
        lines += ["## Parameters", "Given as `--set name=value`:", "", "| name | values | default | |", "|---|---|---|---|"]
    for parameter in method["parameters"]:
        default = "none" if parameter["default"] is None else json.dumps(parameter["default"]).strip('"')
        told = parameter["help"]
        for choice in parameter.get("choices", []):
            told += f"<br>`{choice['name']}`: {choice['help']}" if choice["help"] else ""
        lines.append(f"| `{parameter['name']}` | {values(parameter)} | {default} | {cell(told)} |")
    return "\n".join(lines) + "\n"


FIELD = """What it makes of points in the plane: large orange ones were marked, small orange ones are of the same class and
hidden in the pile, dark ones are the rest of the pile. The line is where the score is 0.5, and blue is above it."""


def main():
    program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    methods = json.loads(subprocess.run([program, "methods", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    places = results.places()
    missing = [method["name"] for method in methods if method["name"] not in places]
    if missing:
        sys.exit(f"no place in docs/results: {', '.join(missing)}; run likewise reproduce all --full --methods {','.join(missing)}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CHAPTERS, folder / "src")
    for name in ("book.toml", "guide.css"):
        shutil.copy(GUIDE / name, folder)
    for name in BESIDE:
        shutil.copy(CHAPTERS / name, folder / "src")
    drawn = {f"<!-- picture: {name} -->": f'<div class="chart">{svg}</div>' for name, svg in results.pictures().items()}
    for chapter in (folder / "src").glob("*.md"):
        text = chapter.read_text(encoding="utf-8")
        for name in BESIDE:
            text = text.replace(name, Path(name).name)
        for mark, svg in drawn.items():
            text = text.replace(mark, svg)
        chapter.write_text(text, encoding="utf-8")
    (folder / "src/methods").mkdir()
    told = documentation()
    contents = []
    for method in methods:
        name = method["name"]
        if not told.get(name, ("",))[0]:
            sys.exit(f"method `{name}` has no documentation at the head of its file")
        if not mathml.has_block(told[name][0]):
            sys.exit(f"method `{name}` has no formula: a ```text block at the head of {told[name][1]}")
        if not method["assumes"]:
            sys.exit(f"method `{name}` does not say what it assumes: `assumes` of its SPEC")
        field = None if method["inputs"] == ["relational"] else picture.draw(program, name)
        made = page(method, *told[name], places[name], field)
        (folder / f"src/methods/{name}.md").write_text(made, encoding="utf-8")
        contents.append(f"    - [{name}](methods/{name}.md)\n")
    summary = folder / "src/SUMMARY.md"
    head, line, tail = summary.read_text(encoding="utf-8").partition("- [Which methods there are](methods.md)\n")
    if not line:
        sys.exit("SUMMARY.md has no line for the methods")
    summary.write_text(head + line + "".join(contents) + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
