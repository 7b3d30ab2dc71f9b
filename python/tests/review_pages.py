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

    def __init__(self, *arguments: str, folder: Path, readers: int = 1) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "review", "--no-open", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.urls = [self.process.stdout.readline().strip() for _ in range(readers)]
        self.url = self.urls[0]
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


def opened(browser: Any, url: str, context: Any = None, **options: Any) -> Any:
    """A page that must not complain."""
    context = context or browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(url)
    expecting(page).to_contain_text("Row ", timeout=20_000)
    return page


def expecting(page: Any) -> Any:
    """What stands above the row."""
    from playwright.sync_api import expect  # the package's tests run where it is missing

    return expect(page.locator("#place"))


def row_id(page: Any) -> str:
    return page.locator("#place").inner_text().removeprefix("Row ")


def mark(page: Any, key: str) -> None:
    """Presses the key and waits until another row is on show."""
    expecting(page).to_contain_text("Row ", timeout=20_000)
    before = page.locator("#place").inner_text()
    page.keyboard.press(key)
    expecting(page).not_to_have_text(before, timeout=20_000)


def picture(page: Any, name: str) -> None:
    folder = os.environ.get("LIKEWISE_PICTURES")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"))
