"""What nothing in the package reaches is deleted: a test that calls it does not keep it alive.

Goes by name alone: a name that is used for something alive counts for all that bear it, so some dead code is not seen.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import nightgarden
from nightgarden.settings import Settings
from tests.architecture.modules import all_modules

ENTRIES = {"run"}  # the console script
COMMANDS = "surfaces.cli.commands."  # a command's `add_…` is looked up by the name of the command
# For those who write against the API, and shown in docs/how-to/use-a-mind.md.
FOR_OTHERS = {"ScriptedMind", "ScriptedStepper", "in_turn", "says", "converser_over"}

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DOTTED = re.compile(r"[A-Za-z_][\w.:]*")


@dataclass(frozen=True)
class Defined:
    where: str
    name: str
    uses: frozenset[str]


def names_in(node: ast.AST, skipped: Collection[ast.AST] = frozenset()) -> frozenset[str]:
    """Identifiers below a node, and strings that may be one. An import by itself is no use of what it imports."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        children = [child for child in ast.iter_child_nodes(waiting.pop()) if child not in skipped]
        for child in children:
            match child:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    found.add(name)
                case ast.MatchClass(kwd_attrs=names):
                    found.update(names)
                case ast.Constant(value=str(text)) if _DOTTED.fullmatch(text):
                    found.update(re.split(r"[.:]", text))
        waiting += children
    return frozenset(found)


def definitions() -> tuple[list[Defined], set[str]]:
    """Everything that has a name, and the names that are used merely by importing a module."""
    found: list[Defined] = []
    at_import: set[str] = set()
    own = _own_classes()
    for module in all_modules().values():
        aliases = [a for n in ast.walk(module.tree) if isinstance(n, ast.ImportFrom) for a in n.names if a.asname]
        found += [Defined(f"{module.name}.{a.asname}", str(a.asname), frozenset({a.name})) for a in aliases]
        named: set[ast.stmt] = set()
        for node in module.tree.body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.append(Defined(f"{module.name}.{name}", name, names_in(node)))
                case ast.ClassDef():
                    found += _of_class(module.name, node, own)
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    found.append(Defined(f"{module.name}.{name}", name, names_in(node)))
                case _:
                    continue
            named.add(node)
        at_import.update(names_in(module.tree, named))
        if module.name.startswith(COMMANDS):
            at_import.update(node.name for node in named if isinstance(node, ast.FunctionDef) and "add_" in node.name)
    return found, at_import


def _own_classes() -> set[str]:
    """Classes that no stranger calls, as it calls those that derive from a class of its own."""
    classes = [n for m in all_modules().values() for n in ast.walk(m.tree) if isinstance(n, ast.ClassDef)]
    own, before = {node.name for node in classes}, -1
    while len(own) != before:
        before = len(own)
        for node in classes:
            bases = {ast.unparse(base).split("[")[0] for base in node.bases}
            if not bases <= own | {"Protocol", "Generic"}:
                own.discard(node.name)
    return own


def _of_class(module: str, node: ast.ClassDef, own: set[str]) -> Iterator[Defined]:
    """The class with what runs whenever it is used: its body, its dunders, and what a stranger's class calls back."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    apart = {each for each in methods if node.name in own and not each.name.startswith("__")}
    yield Defined(f"{module}.{node.name}", node.name, names_in(node, apart))
    for each in apart:
        yield Defined(f"{module}.{node.name}.{each.name}", each.name, names_in(each))


def test_everything_is_reached_from_what_runs() -> None:
    found, at_import = definitions()
    waiting = at_import | ENTRIES | FOR_OTHERS | set(nightgarden.__all__) | {"__getattr__", "__all__"}
    reached: set[str] = set()
    by_name: dict[str, list[Defined]] = {}
    for each in found:
        by_name.setdefault(each.name, []).append(each)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting |= {used for each in by_name.get(name, ()) for used in each.uses}
    assert [each.where for each in found if each.name not in reached] == []


def test_every_setting_is_read_somewhere() -> None:
    read = {
        node.attr
        for module in all_modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    unread = {
        f"{section.name}.{field.name}"
        for section in dataclasses.fields(Settings)
        for value in [getattr(Settings(), section.name)]
        if dataclasses.is_dataclass(value)
        for field in dataclasses.fields(value)
        if field.name not in read
    }
    assert unread == set()
