"""The package's modules and who imports whom, read from the source without importing anything."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SOURCE / "nightgarden"


@dataclass(frozen=True)
class Module:
    name: str  # dotted, below the package: "store.sqlite.store"; the package itself is ""
    path: Path
    tree: ast.Module
    lines: int


@cache
def all_modules() -> dict[str, Module]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, path, ast.parse(text, str(path)), text.count("\n"))
    return found


def for_types(tree: ast.AST) -> set[int]:
    """What stands below `if TYPE_CHECKING`, by `id`."""
    return {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for branch in node.body
        for child in ast.walk(branch)
    }


@cache
def imports(name: str) -> frozenset[str]:
    """The package's own modules that a module imports, in function bodies too; what is only for types is left out."""
    module = all_modules()[name]
    only = for_types(module.tree)
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if id(node) in only:
            continue
        if isinstance(node, ast.Import):
            found.update(_own(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module.path}: relative import"
            for alias in node.names:
                inner = _own(f"{node.module}.{alias.name}")
                found.add(inner if inner in all_modules() else _own(node.module))
    return frozenset(found & all_modules().keys()) - {name, ""}


def _own(dotted: str) -> str:
    return dotted.removeprefix("nightgarden").removeprefix(".") if dotted.startswith("nightgarden.") else "?"
