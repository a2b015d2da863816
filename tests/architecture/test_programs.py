"""One module starts programs. Elsewhere nobody can forget to keep a stranger's directory and environment out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.modules import all_modules, for_types

OWNER = "machine.programs"
MODULES = {"subprocess", "multiprocessing", "pty", "runpy", "concurrent.futures.process"}
# `os.fork` is not among them: it runs what runs already.
OF_OS = ("system", "popen", "spawn", "posix_spawn", "exec", "startfile")
STARTERS = {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"}
STARTERS |= {"ProcessPoolExecutor", "Popen", "check_output", "check_call"}


def starts_programs(tree: ast.AST) -> Iterator[int]:
    """Lines that could start a program, or name the Python to start. What is only for types is not counted."""
    only = for_types(tree)
    for node in ast.walk(tree):
        if id(node) in only:
            continue
        match node:
            case ast.Import(names=names) if any(alias.name in MODULES for alias in names):
                yield node.lineno
            case ast.ImportFrom(module=str(module), names=names) if module in MODULES | {"os", "sys", "asyncio"}:
                if module in MODULES or any(_forbidden(module, alias.name) for alias in names):
                    yield node.lineno
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if _forbidden(owner, name):
                yield node.lineno
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in STARTERS and not _is_annotation(tree, node):
                yield node.lineno


def _forbidden(owner: str, name: str) -> bool:
    return (owner == "os" and name.startswith(OF_OS)) or (owner == "sys" and name == "executable") or name in STARTERS


def _is_annotation(tree: ast.AST, node: ast.AST) -> bool:
    annotations = [each.annotation for each in ast.walk(tree) if isinstance(each, ast.arg | ast.AnnAssign)]
    annotations += [each.returns for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return any(node is child for each in annotations if each is not None for child in ast.walk(each))


def test_only_one_module_starts_programs_or_names_python() -> None:
    found = {name: sorted(set(starts_programs(module.tree))) for name, module in all_modules().items()}
    assert {name: lines for name, lines in found.items() if lines and name != OWNER} == {}
    assert found[OWNER]


GIT = (
    "ambient.work.worktree_git"  # the one module that asks git: its settings disarmed, within the sandbox where it can
)


def test_nobody_asks_git_or_starts_a_module_by_name() -> None:
    said = [
        f"{module.name}:{node.lineno}"
        for module in all_modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.List | ast.Tuple | ast.Call) and module.name != GIT and not _asks_our_git(node)
        for words in [[each.value for each in getattr(node, "elts", getattr(node, "args", ())) if _is_text(each)]]
        if words[:1] == ["git"] or ("-m" in words and "pip" not in words and "--mode" not in words)
    ]
    assert said == []


def _asks_our_git(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "git_inside"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess",
        "from subprocess import run",
        "def f():\n    import subprocess",
        "import os\nos.posix_spawn('a', ['a'], {})",
        "import os\nos.execv('a', ['a'])",
        "from os import system",
        "import asyncio\nasyncio.create_subprocess_exec('git')",
        "import sys\nwords = [sys.executable, '-m', 'pip']",
        "from sys import executable",
        "from concurrent.futures import ProcessPoolExecutor\nProcessPoolExecutor()",
    ],
)
def test_the_rule_sees_every_way(code: str) -> None:
    assert list(starts_programs(ast.parse(code)))
