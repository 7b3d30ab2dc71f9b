"""Makes the book of the guide ready to build: its chapters, and a page for each method.

    likewise methods --json | python3 docs/guide/methods.py FOLDER

A page is made of what the program says of the method and of the documentation at the head of its source file. A method
without such documentation stops the work.
"""

import json
import re
import shutil
import sys
from pathlib import Path

GUIDE = Path(__file__).parent
# What chapters show of files outside of the guide, as they name it.
BESIDE = ["../../review.png", "../../../crates/likewise/examples/your_own_method.rs"]
SOURCES = GUIDE.parents[1] / "crates/likewise/src"


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


def page(method, told, source):
    lines = [f"# {method['name']}", "", plain(told), ""]
    lines += ["| | |", "|---|---|", f"| family | {method['family']} |"]
    lines += [f"| takes | {', '.join(str(kind).lower() for kind in method['inputs'])} rows |"]
    lines += [f"| words as | {method['weights']} |", f"| paper | {cell(method['paper'])} |"]
    lines += [f"| source | `{source}` |", ""]
    if method["parameters"]:
        lines += ["Parameters, given as `--set name=value`:", "", "| name | values | default | |", "|---|---|---|---|"]
    for parameter in method["parameters"]:
        default = "none" if parameter["default"] is None else json.dumps(parameter["default"]).strip('"')
        told = parameter["help"]
        for choice in parameter.get("choices", []):
            told += f"<br>`{choice['name']}`: {choice['help']}" if choice["help"] else ""
        lines.append(f"| `{parameter['name']}` | {values(parameter)} | {default} | {cell(told)} |")
    return "\n".join(lines) + "\n"


def main():
    folder = Path(sys.argv[1])
    methods = json.load(sys.stdin)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(GUIDE / "src", folder / "src")
    shutil.copy(GUIDE / "book.toml", folder)
    for name in BESIDE:
        shutil.copy(GUIDE / "src" / name, folder / "src")
    for chapter in (folder / "src").glob("*.md"):
        text = chapter.read_text(encoding="utf-8")
        for name in BESIDE:
            text = text.replace(name, Path(name).name)
        chapter.write_text(text, encoding="utf-8")
    (folder / "src/methods").mkdir()
    told = documentation()
    contents = []
    for method in methods:
        name = method["name"]
        if not told.get(name, ("",))[0]:
            sys.exit(f"method `{name}` has no documentation at the head of its file")
        (folder / f"src/methods/{name}.md").write_text(page(method, *told[name]), encoding="utf-8")
        contents.append(f"    - [{name}](methods/{name}.md)\n")
    summary = folder / "src/SUMMARY.md"
    head, line, tail = summary.read_text(encoding="utf-8").partition("- [Which methods there are](methods.md)\n")
    if not line:
        sys.exit("SUMMARY.md has no line for the methods")
    summary.write_text(head + line + "".join(contents) + tail, encoding="utf-8")


main()
