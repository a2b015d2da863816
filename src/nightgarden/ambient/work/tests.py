"""How a project's own tests are run, read from its files. Runs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

from nightgarden.machine.plain_files import read_plain

FILE_BYTES_MAX = 200_000
_TARGET = re.compile(r"^test\s*:", re.MULTILINE)


def find_test_command(root: Path) -> str:
    """The usual command; empty when none is known."""
    for name in ("Makefile", "makefile", "GNUmakefile"):
        if _TARGET.search(_read(root / name)):
            return "make test"
    if "test" in _scripts(root / "package.json"):
        return "npm test"
    if _read(root / "Cargo.toml"):
        return "cargo test"
    if _read(root / "go.mod"):
        return "go test ./..."
    if "pytest" in _read(root / "pyproject.toml") or _read(root / "pytest.ini"):
        return "python3 -m pytest -q"
    if any((root / name).is_dir() for name in ("tests", "test")) and list(root.glob("*.py")):
        return "python3 -m unittest discover"
    return ""


def _scripts(path: Path) -> dict[str, object]:
    try:
        scripts = json.loads(_read(path) or "{}").get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return {}
    return scripts if isinstance(scripts, dict) else {}


def _read(path: Path) -> str:
    try:
        return read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
