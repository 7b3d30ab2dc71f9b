"""What the browser tests share: a page that is served, a browser, and rows whose truth is known."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("LIKEWISE_DATA", ROOT.parent / "shared" / "data"))
AXE = ROOT / "target" / "tools" / "axe-core" / "package" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Without these Chromium looks for hosts that tests must not need.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
# Another build of the program can be tried with LIKEWISE_BINARY.
COMMAND = [os.environ["LIKEWISE_BINARY"]] if "LIKEWISE_BINARY" in os.environ else [sys.executable, "-m", "likewise"]


class Served:
    """`likewise review` as a process of its own."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "review", "--no-open", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, "the page was not served"

    def end(self, sent: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(sent)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def export(project: Path, what: str = "yes") -> list[dict[str, Any]]:
    ran = subprocess.run(
        [*COMMAND, "review", str(project), "--export", "-", "--what", what], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def launched(playwright: Any) -> Any:
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian package chromium)")
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


def sms(folder: Path, rows: int, examples: int = 5) -> dict[str, bool]:
    """Writes pile.jsonl and like.jsonl; returns for each id whether it is spam."""
    source = DATA / "sms-spam" / "sms-spam.jsonl.gz"
    if not source.exists():
        pytest.skip(f"no data at {source}")
    with gzip.open(source, "rt", encoding="utf-8") as file:
        messages = [json.loads(line) for line in file][: rows + 200]
    spam = [message for message in messages if message["label"] == "spam"]
    like = spam[:examples]
    pile = [message for message in messages if message not in like][:rows]
    for name, chosen in (("like", like), ("pile", pile)):
        lines = [json.dumps({"id": m["id"], "text": m["text"]}, ensure_ascii=False) for m in chosen]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {message["id"]: message["label"] == "spam" for message in pile}


def helpdesk() -> list[dict[str, str]]:
    """The rows of the built-in sample."""
    sample = ROOT / "crates" / "likewise-cli" / "sample" / "helpdesk.jsonl"
    return [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]


def temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="likewise-")
