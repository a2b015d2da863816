"""The house in figures: what its source looks like, and what starting a light command costs beside bare Python.

python -m bench.house [RUNS]
"""

from __future__ import annotations

import ast
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.modules import Module, all_modules, imports

from bench.machine import describe_machine
from nightgarden.domain.requests.writing import Remember

RUNS = 25
OURS = str(Path(sys.executable).parent / "nightgarden")
CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "nightgarden --version": [OURS, "--version"],
    "nightgarden --help": [OURS, "--help"],
    "nightgarden remember --help": [OURS, "remember", "--help"],
    "recall through the daemon": [OURS, "recall", "which port does staging use?"],
    "recall --json through the daemon": [OURS, "recall", "--json", "which port does staging use?"],
    "remember through the daemon": [OURS, "remember", "The staging database runs on port 5433"],
    "list through the daemon": [OURS, "list"],
}
ALONE = {"list, no daemon": [OURS, "list"], "history, no daemon": [OURS, "history"]}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def source_figures() -> Iterator[tuple[str, str]]:
    """What the review of a house asks first, by reading it."""
    modules = all_modules()
    functions = sorted(length for module in modules.values() for length in function_lengths(module))
    files = sorted(module.lines for module in modules.values())
    yield "modules / lines of `src`", f"{len(modules)} / {sum(files):,}"
    yield "lines of a file, median / longest", f"{statistics.median(files):.0f} / {files[-1]}"
    yield "lines of a function, 95th of 100 / longest", f"{functions[len(functions) * 95 // 100]} / {functions[-1]}"
    yield "modules in import cycles, imports in functions counted", str(len(knot()))
    classes = [
        node.name for module in modules.values() for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)
    ]
    yield "class names of two or more classes", str(doubled(classes))
    stems = [module.path.stem for module in modules.values() if module.path.stem != "__init__"]
    yield "module names of two or more modules, the twin stores counted", str(doubled(stems))
    places = [field_places(name) for name in Remember.fields]
    yield "fields of `remember` / places that declare one, at most", f"{len(places)} / {max(places)}"


def function_lengths(module: Module) -> Iterator[int]:
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            yield (node.end_lineno or 0) - node.lineno + 1


def doubled(names: list[str]) -> int:
    return sum(names.count(name) > 1 for name in set(names))


def knot() -> set[str]:
    """Modules from which one comes back to them."""
    reached = {name: set(imports(name)) for name in all_modules()}
    growing = True
    while growing:
        growing = False
        for known in reached.values():
            more = set().union(*(reached[name] for name in known)) - known if known else set()
            growing = growing or bool(more)
            known |= more
    return {name for name, known in reached.items() if name in known}


def field_places(field: str) -> int:
    """Classes of requests, and options and tables of surfaces, that declare this field of `remember`: the request
    alone when everything is derived from it."""
    spelled = 0
    for name, module in all_modules().items():
        for node in ast.walk(module.tree):
            match node:
                case ast.ClassDef(name="Remember") if name == "domain.requests.writing":
                    spelled += any(isinstance(n, ast.AnnAssign) and ast.unparse(n.target) == field for n in node.body)
                case ast.Call(func=ast.Attribute(attr="add_argument"), args=[ast.Constant(value=str(option)), *_]):
                    in_command = name == "surfaces.cli.commands.writing"
                    spelled += in_command and option.lstrip("-").replace("-", "_") == field
    return spelled


def cpu_ms(words: list[str], env: dict[str, str], where: str) -> float:
    """CPU time of one run of a program, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=env, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def start_figures(runs: int) -> dict[str, float]:
    """The least CPU time of each command."""
    with tempfile.TemporaryDirectory() as home:
        Path(home, "config.toml").write_text('[embedding]\nmodel = "off"\n', encoding="utf-8")
        env = {**os.environ, "NIGHTGARDEN_HOME": home}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled, so the first run compiles this one
        alone = env | {"NIGHTGARDEN_DAEMON_ON_DEMAND": "false"}
        subprocess.run(CASES["remember through the daemon"], env=alone, cwd=home, stdout=subprocess.DEVNULL, check=True)
        least = {name: min(cpu_ms(words, alone, home) for _ in range(runs)) for name, words in ALONE.items()}
        subprocess.run([OURS, "start"], env=env, cwd=home, stdout=subprocess.DEVNULL, check=True)
        try:
            return {name: min(cpu_ms(words, env, home) for _ in range(runs)) for name, words in CASES.items()} | least
        finally:
            subprocess.run([OURS, "stop"], env=env, cwd=home, stdout=subprocess.DEVNULL, check=False)


def main(runs: int) -> None:
    print(f"{describe_machine()}\n\n| | |\n|---|---|")
    for what, figure in source_figures():
        print(f"| {what} | {figure} |")
    least = start_figures(runs)
    bare = least["python -c pass"]
    print(f"\nLeast of {runs} runs:\n\n| | CPU ms | × bare Python |\n|---|---|---|")
    for name, ms in least.items():
        print(f"| `{name}` | {ms:.0f} | {ms / bare:.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
