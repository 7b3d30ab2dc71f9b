"""What a release says, and what it waits for."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import notes  # noqa: E402


def test_the_notes_are_the_section_of_the_version_alone():
    changelog = "# Changelog\n\n## [0.3.0] - 2027-01-02\n\n### Added\n- new\n\n## [0.2.0] - 2026-01-02\n\n- old\n"
    assert notes.notes(changelog, "0.3.0") == ("2027-01-02", "### Added\n- new")
    assert notes.notes(changelog, "0.2.0") == ("2026-01-02", "- old")
    with pytest.raises(SystemExit, match="no section"):
        notes.notes(changelog, "0.1.0")
    assert notes.notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), notes.VERSION)[1]


def test_nothing_is_published_that_was_not_tested():
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    publish = workflow.split("\n  publish:")[1]
    assert re.search(r"needs: \[test, build\]", publish) and "uses: ./.github/workflows/test.yml" in workflow
    assert "--notes-file notes.md" in publish
    assert "workflow_call:" in (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
