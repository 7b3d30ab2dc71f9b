"""Prints what CHANGELOG.md says of this version: the notes of its release.

    python3 packaging/notes.py [TAG]

A tag that is not of this version, and a section without a date, stop the release.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]


def notes(changelog: str, version: str) -> tuple[str, str]:
    """What stands behind the version in its heading, and what below it."""
    sections = re.split(r"^## \[([^\]]+)\](.*)\n", changelog, flags=re.MULTILINE)
    for name, said, text in zip(sections[1::3], sections[2::3], sections[3::3], strict=True):
        if name == version:
            return said.strip(" -"), text.strip()
    sys.exit(f"CHANGELOG.md has no section [{version}]")


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] != f"v{VERSION}":
        sys.exit(f"the tag {sys.argv[1]} is not v{VERSION}, the version of Cargo.toml")
    date, text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION)
    if len(sys.argv) > 1 and not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        sys.exit(f"CHANGELOG.md says of {VERSION}: {date}; write the day of the release there")
    print(text)


if __name__ == "__main__":
    main()
