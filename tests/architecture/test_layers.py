"""The house keeps its order: rooms import downwards only, nothing in circles, nothing grows beyond reading."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from itertools import takewhile

import pytest

import nightgarden
from nightgarden.store.sqlfile import load_queries
from tests.architecture.modules import PACKAGE, SOURCE, all_modules, for_types, imports

# Each room may import what stands in an earlier line, and itself. Rooms of one line do not know each other.
ORDER = (
    ("errors", "_version", "machine"),
    ("domain",),
    ("settings",),
    ("scope",),
    ("store", "models"),
    ("minds",),
    ("remember", "recall"),
    ("tend", "learn", "sessions"),
    ("samples", "facade"),
    ("garden",),
    ("safety",),
    ("ambient", "initiative"),
    ("surfaces",),
    ("__main__",),
)
RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}
BANNED = re.compile(r"(^|_)(manager|helper|helpers|util|utils|base|v2)(_|$)|Manager|Helper|Util|V2")
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 75
# What may be longer, and why.
LONGER_FILES = {
    "garden": 700,  # one facade, most of it signatures
}
NOT_IN_DOMAIN = {
    "os",
    "io",
    "pathlib",
    "random",
    "secrets",
    "time",
    "socket",
    "sqlite3",
    "subprocess",
    "numpy",
    "asyncio",
}
NAME_AN_ENGINE = {
    "facade.files": "backup is a copy of SQLite's file; a server has its own ways",
    "surfaces.cli.commands.care": "doctor takes a damaged file of SQLite apart that no store would open",
}
LAYERS = ("domain.", "settings.", "surfaces.cli.commands.")  # they say an idea again in another form


def room(name: str) -> str:
    return name.split(".")[0]


def test_every_module_lives_in_a_room_of_the_design() -> None:
    assert {room(name) for name in all_modules() if name} <= RANK.keys()


def test_imports_never_go_back_up_and_neighbours_do_not_know_each_other() -> None:
    wrong = [
        f"{name} imports {other}"
        for name in all_modules()
        if name
        for other in imports(name)
        if room(other) != room(name) and RANK[room(other)] >= RANK[room(name)]
    ]
    assert wrong == []


def test_toml_is_read_in_one_place_which_bounds_it() -> None:
    readers = [name for name, module in all_modules().items() if "tomllib.load" in module.path.read_text("utf-8")]
    assert readers == ["machine.bounded_toml"]


def test_the_two_engines_do_not_know_each_other() -> None:
    for one, other in (("store.sqlite", "store.postgres"), ("store.postgres", "store.sqlite")):
        known = [name for name in all_modules() if name.startswith(one) for i in imports(name) if i.startswith(other)]
        assert known == []


def test_there_are_no_import_cycles_even_inside_functions() -> None:
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, "cycle: " + " → ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for other in imports(name):
                if not (name + ".").startswith(other + "."):  # a package's own __init__ is loaded first anyway
                    visit(other, (*trail, name))
            done.add(name)

    for name in all_modules():
        visit(name, ())


def test_no_class_name_stands_for_two_ideas() -> None:
    """The twin stores say the same in two engines, and so by the same names."""
    found: dict[str, set[str]] = {}
    for module in all_modules().values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, set()).add(of_either_engine(module.name))
    assert {name: sorted(homes) for name, homes in found.items() if len(homes) > 1} == {}


def test_no_module_name_stands_for_two_ideas() -> None:
    """One idea has one name in all layers: its values, its requests, its settings, its commands, and the room that
    does the work. Two rooms do not use one name."""
    found: dict[str, set[str]] = {}
    for name in map(of_either_engine, all_modules()):
        if not name.startswith(LAYERS) and not name.endswith("__main__"):
            found.setdefault(name.rsplit(".", 1)[-1], set()).add(name)
    packages = {name for name in all_modules() if any(other.startswith(f"{name}.") for other in all_modules())}
    doubled = {stem: homes - packages for stem, homes in found.items()}
    assert {stem: sorted(homes) for stem, homes in doubled.items() if len(homes) > 1} == {}


def of_either_engine(name: str) -> str:
    return name.replace("store.sqlite", "store.engine").replace("store.postgres", "store.engine")


def test_nothing_is_called_manager_helper_util_base_or_v2() -> None:
    names = []
    for module in all_modules().values():
        names += [(module.name, part) for part in module.name.split(".") if part]
        names += [
            (module.name, node.name)
            for node in ast.walk(module.tree)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ]
    assert [pair for pair in names if BANNED.search(pair[1])] == []


def test_every_module_says_what_it_knows() -> None:
    assert [name for name, module in all_modules().items() if not ast.get_docstring(module.tree)] == []


def test_files_stay_short_enough_to_read() -> None:
    long = {n: m.lines for n, m in all_modules().items() if m.lines > LONGER_FILES.get(n, FILE_LINES_MAX)}
    assert long == {}


def test_functions_stay_short_enough_to_read() -> None:
    long = [
        f"{module.name}.{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for module in all_modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.body[0].lineno + 1 > FUNCTION_LINES_MAX
    ]
    assert long == []


def test_an_import_inside_a_function_says_what_it_saves() -> None:
    silent = []
    for module in all_modules().values():
        lines = module.path.read_text(encoding="utf-8").splitlines()
        for function in ast.walk(module.tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    block = takewhile(_of_imports, reversed(lines[: node.end_lineno]))
                    above = lines[: node.end_lineno][-1 - len(list(block))]
                    if "#" not in above + "".join(lines[node.lineno - 1 : node.end_lineno]):
                        silent.append(f"{module.name}:{node.lineno}")
    assert silent == []


def _of_imports(line: str) -> bool:
    """Whether a line belongs to a block of imports, which one comment above or in it explains."""
    return not line.strip() or (line.strip().startswith(("import ", "from ")) and "#" not in line)


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported, in functions too; what is only for types is left out."""
    only = for_types(tree)
    for node in ast.walk(tree):
        if id(node) in only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_the_domain_has_no_clock_no_chance_and_no_input_or_output() -> None:
    found = []
    for name, module in all_modules().items():
        if room(name) == "domain":
            found += [f"{name}: {each}" for each in imported(module.tree) if each.split(".")[0] in NOT_IN_DOMAIN]
            found += [
                f"{name}:{node.lineno}"
                for node in ast.walk(module.tree)
                if isinstance(node, ast.Attribute) and node.attr in ("now", "utcnow", "today")
                if isinstance(node.value, ast.Name) and node.value.id in ("datetime", "date")
            ]
    assert found == []


def test_outside_the_store_nobody_names_an_engine() -> None:
    known = {
        name
        for name, module in all_modules().items()
        if room(name) != "store"
        if any(
            each.startswith(("nightgarden.store.sqlite", "nightgarden.store.postgres"))
            for each in imported(module.tree)
        )
    }
    assert known == set(NAME_AN_ENGINE)


def test_surfaces_ask_the_garden_and_not_its_store() -> None:
    reaching = [
        f"{name}:{node.lineno}"
        for name, module in all_modules().items()
        if room(name) == "surfaces"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "store"
    ]
    assert reaching == []


def test_waits_after_failures_double_in_one_place() -> None:
    """As far as doubling is written in one of the usual ways."""
    doubled = re.compile(r"\b2 \*\* (min|max)\(|\b1 << (min|max)\(|\b(wait|delay|pause|seconds) (\* 2\b|\*= 2\b)")
    found = [name for name, module in all_modules().items() if doubled.search(module.path.read_text(encoding="utf-8"))]
    assert found == ["domain.backoff"]


def test_importing_the_package_does_nothing() -> None:
    code = "import sys, json, threading; import nightgarden; nightgarden.__version__;"
    code += "print(json.dumps([sorted(sys.modules), threading.active_count()]))"
    run = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, check=True)
    loaded, threads = json.loads(run.stdout)
    assert threads == 1
    assert {name for name in loaded if name.startswith("nightgarden")} == {"nightgarden", "nightgarden._version"}
    assert not {"numpy", "sqlite3", "asyncio", "onnxruntime", "asyncpg"} & set(loaded)


def test_the_public_names_are_the_documented_ones() -> None:
    """Adding or removing one is a decision; docs/reference/api.md lists the same."""
    assert nightgarden.__all__ == [
        "Allow", "Ask", "Category", "Checked", "Deny", "Directives",
        "Edge", "EdgeKind", "Flagged", "Garden", "GatedToolbox", "Importance", "JournalEntry", "Memory", "Message",
        "NightgardenError", "Notifier", "Passage", "Permissions", "Provenance",
        "Recalled", "Refused", "Reinforced", "Result", "Rule", "Saved",
        "ScheduledTask", "Scope", "ScopeKind", "Session", "Settings", "Status", "Superseded", "Tag", "Tier",
        "Transcripts", "Verdict",
        "__version__", "check_action", "check_command",
    ]  # fmt: skip
    for name in nightgarden.__all__:
        assert getattr(nightgarden, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Manager'"):
        _ = nightgarden.Manager


def test_the_sql_files_load_and_every_statement_is_used() -> None:
    queries = load_queries("nightgarden.store.sqlite", "queries.sql")
    source = "\n".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "store" / "sqlite").glob("*.py"))
    taken_in = "\n".join(queries.values())  # a fragment is used by the statements that take it in
    assert [name for name in queries if f'"{name}"' not in source and f"{{{{{name}}}}}" not in taken_in] == []
    assert resources.files("nightgarden.store.sqlite").joinpath("migrations/0001_house.sql").is_file()


def test_a_language_is_declared_and_one_engine_reads_it() -> None:
    """No functions, no classes, no branches in a language's own modules: what is known of it are values of Lexicon."""
    shared = {"detect", "lexicon"}
    packs = [
        m for n, m in all_modules().items() if n.startswith("remember.language.") and n.split(".")[-1] not in shared
    ]
    code = (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.Lambda)
    assert packs
    assert [m.name for m in packs if any(isinstance(node, code) for node in ast.walk(m.tree))] == []
