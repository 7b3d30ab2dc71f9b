"""Messages of the library name settings; what Python makes of each must be a parameter that a function has."""

import inspect
import re
from pathlib import Path

import pytest

import likewise
from likewise import _native, relational

SOURCES = Path(__file__).parents[2] / "crates"
NAMED = re.compile(r'Setting::(?:flag|with)\(\s*"(\w+)"(?:,\s*("[^"]*"|\w+))?')
# Python reads files for related tables alone; only of memory nobody speaks there.
OF_RELATED, UNHEARD = "likewise-io/src", "memory.rs"


def settings() -> set[tuple[str, str, bool]]:
    """Name, value, and whether related tables are asked about."""
    found = set()
    for crate in ("likewise", "likewise-io"):
        for file in (SOURCES / crate / "src").rglob("*.rs"):
            if file.name == UNHEARD:
                continue
            text = file.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
            for name, value in NAMED.findall(text):
                given = value.strip('"') if value.startswith('"') else "all" if value else ""
                found.add((name, given, OF_RELATED in file.as_posix()))
    return found


def parameters_of_functions() -> set[str]:
    names = [name for name in likewise.__all__ if callable(getattr(likewise, name)) and name.islower()]
    functions = [getattr(likewise, name) for name in names]
    found = {name for function in functions for name in inspect.signature(function).parameters}
    return found | set(inspect.signature(likewise.Auto).parameters) | {"sample"}  # of likewise.spark


def switched_on(parameter: str) -> bool:
    """Whether True is what it takes."""
    signatures = (inspect.signature(function).parameters for function in (likewise.find, likewise.score))
    return any(parameter in of and of[parameter].default is False for of in signatures)


FIT = set(inspect.signature(relational.RelOCC.fit).parameters)


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the sources are elsewhere")
def test_every_setting_that_a_message_names_is_a_parameter():
    walked = settings()
    assert len(walked) > 15 and ("except", "COLUMN", False) in walked
    for name, value, related in sorted(walked):
        worded = _native.word(name, value, related)
        if worded:
            called, _, given = worded.partition("=")
            assert called in (FIT if related else parameters_of_functions()), (name, worded)
            assert not given.endswith(".npy"), worded
            assert given != "True" or switched_on(called), worded


def test_settings_are_worded_for_the_function():
    said = {name: _native.word(name, value, False) for name, value in {"except": "COLUMN", "like": "FILE", "skip_bad_rows": ""}.items()}
    assert said == {"except": "leave_out=COLUMN", "like": "like=ROWS", "skip_bad_rows": ""}
    assert _native.word("like", "FILE", True) == "positives=ROWS"
    found = likewise.find(["refund money", "money back", "refund"], ["my refund", "parcel"], method="nb")
    with pytest.raises(ValueError, match="give them with like=ROWS"):
        likewise.update(found.model, unlike=["late"], pile=["my refund", "parcel"])


def test_the_library_knows_no_options():
    literal = re.compile(r'"[^"\n]*(?<![-\w])--[a-z][a-z-]+')
    known = "zstd -d --long=31"  # an option of another program
    for file in (SOURCES / "likewise-io" / "src").rglob("*.rs"):
        text = file.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
        for line in text.splitlines():
            assert line.lstrip().startswith("//") or not literal.search(line) or known in line, f"{file}: {line}"
