"""Builds what is published, and tries each of it where nothing else is.

    python3 packaging/release.py [--only sdist|wheel|program] [--here]

Into dist/ go the source distribution, the wheel, an archive with the program, and SHA256SUMS. Each is then installed into
an empty place (a fresh virtual environment, an empty folder), away from the repository and without its data, and ranks
the built-in sample; all must give the same ranking.

On Linux both are linked by zig against an old glibc, so that they run on old systems; --here links them as the machine
does. Tools come from the package index into target/tools/release.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
TOOLS = ROOT / "target/tools/release"
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
WINDOWS = os.name == "nt"
BIN = "Scripts" if WINDOWS else "bin"
# The oldest that Rust's own standard library runs on.
GLIBC = "2.17"
PACKED = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]


def run(command: list[str | Path], **given: object) -> str:
    print("$", *[str(word).replace(str(ROOT), ".") for word in command], flush=True)
    done = subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE, **given)
    return done.stdout


def tools(zig: bool) -> None:
    if not TOOLS.exists():
        run([sys.executable, "-m", "venv", TOOLS])
    wanted = ["maturin>=1.9.4,<2", *(["ziglang", "cargo-zigbuild"] if zig else [])]
    run([TOOLS / BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])


def with_tools() -> dict[str, str]:
    return {**os.environ, "PATH": f"{TOOLS / BIN}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(TOOLS)}


def target() -> str:
    told = run(["rustc", "-vV"])
    return next(line.split()[1] for line in told.splitlines() if line.startswith("host:"))


def build_sdist() -> Path:
    run([TOOLS / BIN / "maturin", "sdist", "--out", DIST], cwd=ROOT)
    return DIST / f"likewise-{VERSION}.tar.gz"


def build_wheel(zig: bool) -> Path:
    compatible = ["--zig", "--compatibility", f"manylinux_{GLIBC.replace('.', '_')}"] if zig else []
    # The target is named so that the program can share what was built.
    command = [TOOLS / BIN / "maturin", "build", "--release", "--locked", "--target", target(), "--out", DIST]
    run([*command, *compatible], cwd=ROOT, env=with_tools())
    return next(DIST.glob(f"likewise-{VERSION}-*.whl"))


def build_program(zig: bool) -> Path:
    host = target()
    build = [TOOLS / BIN / "cargo-zigbuild", "zigbuild"] if zig else ["cargo", "build"]
    linked = f"{host}.{GLIBC}" if zig else host
    command = [*build, "--release", "--locked", "--package", "likewise-cli", "--target", linked]
    run(command, cwd=ROOT, env=with_tools())
    built = ROOT / "target" / host / "release" / ("likewise.exe" if WINDOWS else "likewise")
    name = f"likewise-{VERSION}-{host}"
    files = [(built, built.name), *[(ROOT / file, file) for file in PACKED]]
    if WINDOWS:
        archive = DIST / f"{name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path, file in files:
                packed.write(path, f"{name}/{file}")
    else:
        archive = DIST / f"{name}.tar.gz"
        with tarfile.open(archive, "w:gz") as packed:
            for path, file in files:
                packed.add(path, f"{name}/{file}")
    return archive


def sample(program: list[str | Path], place: Path) -> bytes:
    """What the program makes of its own sample, in a folder without anything else."""
    told = run([*program, "--version"], cwd=place)
    if told.split()[-1] != VERSION:
        sys.exit(f"{program}: version {told.strip()} is not {VERSION}")
    run([*program, "find", "--quiet", "--output", "ranked.csv"], cwd=place, stdin=subprocess.DEVNULL)
    return (place / "ranked.csv").read_bytes()


def try_python(package: Path, place: Path, **environment: str) -> bytes:
    run([sys.executable, "-m", "venv", place / "venv"])
    python = place / "venv" / BIN / "python"
    env = {**os.environ, **environment}
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package], cwd=place, env=env)
    run([python, "-c", "import likewise; likewise.NB().fit(['refund money', 'refund', 'parcel'], [1, 1, 0])"], cwd=place)
    return sample([place / "venv" / BIN / "likewise"], place)


def try_sdist(package: Path, place: Path) -> bytes:
    # That it builds and works is what is tried. The profile of the tests takes minutes less, and what it built of the
    # dependencies is taken over where it is there.
    return try_python(
        package, place, MATURIN_PEP517_ARGS="--profile dev --features postgres", CARGO_TARGET_DIR=str(ROOT / "target")
    )


def try_program(archive: Path, place: Path) -> bytes:
    shutil.unpack_archive(archive, place)
    return sample([next(place.glob("likewise-*")) / ("likewise.exe" if WINDOWS else "likewise")], place)


def sums() -> None:
    files = sorted(path for path in DIST.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    print("".join(lines), end="")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["sdist", "wheel", "program"], action="append")
    parser.add_argument("--here", action="store_true", help="link as this machine does")
    given = parser.parse_args()
    zig = platform.system() == "Linux" and not given.here
    kinds = {
        "sdist": (build_sdist, try_sdist),
        "wheel": (lambda: build_wheel(zig), try_python),
        "program": (lambda: build_program(zig), try_program),
    }
    if given.only is None:
        shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir(exist_ok=True)
    tools(zig)
    rankings = {}
    for kind in given.only or kinds:
        build, attempt = kinds[kind]
        built = build()
        with tempfile.TemporaryDirectory() as place:
            rankings[built.name] = attempt(built, Path(place))
        print(f"{built.name}: {built.stat().st_size / 1e6:.1f} MB, ranks the sample", flush=True)
    if len(set(rankings.values())) != 1:
        sys.exit(f"not the same ranking: {', '.join(rankings)}")
    sums()


if __name__ == "__main__":
    main()
