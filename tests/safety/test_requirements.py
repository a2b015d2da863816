"""Every "never" and "always" of safety has a sentence and tests, and the tests say so themselves."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = tomllib.loads((ROOT / "docs" / "safety-requirements.toml").read_text("utf-8"))["requirement"]


def linked() -> dict[str, set[str]]:
    """Which tests say that they hold a requirement."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            for decorator in getattr(node, "decorator_list", ()):
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "requirement":
                    for each in decorator.args:
                        assert isinstance(each, ast.Constant)
                        name = f"{path.relative_to(ROOT)}::{node.name}"  # type: ignore[attr-defined]
                        found.setdefault(str(each.value), set()).add(name)
    return found


def test_the_manifest_and_the_tests_name_each_other() -> None:
    assert {each["id"]: set(each["tests"]) for each in MANIFEST} == linked()


def test_each_requirement_says_never_or_always_in_one_sentence() -> None:
    ids = [each["id"] for each in MANIFEST]
    assert len(set(ids)) == len(ids) >= 25
    for each in MANIFEST:
        assert "never" in each["sentence"].lower() or "always" in each["sentence"].lower(), each["id"]
        assert each["sentence"].endswith(".")
