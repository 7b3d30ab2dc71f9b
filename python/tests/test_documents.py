"""The Python in the README and in the guide runs, and prints what stands below it.

Each document has a folder of its own with the files of docs/guide/examples and the built-in sample as helpdesk.jsonl; its
Python blocks run there one after the other. A block without a language right below a Python block is what that one
prints; a line … in it stands for lines that are left out. LIKEWISE_UPDATE=1 writes what is printed now into the
documents instead of comparing.
"""

import contextlib
import io
import os
import re
import shutil
import warnings
from pathlib import Path

import pytest

import likewise

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "crates/likewise-cli/guide").glob("*.md"))]
WITH_PYTHON = [path for path in DOCUMENTS if "```python\n" in path.read_text(encoding="utf-8")]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:```\n(?P<shown>.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def as_shown(shown, printed):
    """The lines printed, without those that the document leaves out."""
    shown, printed = shown.splitlines(), printed.splitlines()
    if "…" in shown:
        at = shown.index("…")
        after = len(shown) - at - 1
        assert at + after <= len(printed)
        printed = [*printed[:at], "…", *printed[len(printed) - after :]]
    return "".join(line.rstrip() + "\n" for line in printed)


def rewritten(text, names):
    def run(block):
        code, shown = block["code"], block["shown"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "<document>", "exec"), names)
        head = f"```python\n{code}```\n"
        if shown is None:
            assert not out.getvalue(), f"nothing below this shows what it prints:\n{code}"
            return head
        return f"{head}```\n{as_shown(shown, out.getvalue())}```\n"

    return BLOCK.sub(run, text)


@pytest.mark.parametrize("path", WITH_PYTHON, ids=lambda path: path.stem)
def test_python_prints_what_is_shown(path, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "docs/guide/examples", tmp_path, dirs_exist_ok=True)
    shutil.copy(ROOT / "crates/likewise-cli/sample/helpdesk.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", likewise.LikewiseWarning)
        now = rewritten(text, {})
    if os.environ.get("LIKEWISE_UPDATE"):
        path.write_text(now, encoding="utf-8")
    else:
        assert text == now
