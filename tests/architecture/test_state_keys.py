"""Every key of the program's own state is declared in one module, and nothing else is stored there."""

from __future__ import annotations

import ast
from datetime import UTC, datetime

import pytest

from nightgarden import Message, Session
from nightgarden.domain.state_keys import KEYS, fits, key_of
from tests.architecture.modules import all_modules
from tests.conftest import Open

DECLARED = "domain.state_keys"
CALLS = {"get_state", "put_state", "state_items"}
EVERYTHING = {("store.exchange.move", "")}  # a copy that is begun anew takes out all of it


def literal(node: ast.expr) -> str | None:
    """The text that an expression begins with, where it stands there as such."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]):
            return literal(first)
        case ast.BinOp(left=left):
            return literal(left)
        case _:
            return None


def test_no_state_is_read_or_written_under_a_key_that_is_spelled_on_the_spot() -> None:
    wrong = []
    for name, module in all_modules().items():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
                text = literal(node.args[0])
                if text is not None and (name, text) not in EVERYTHING:
                    wrong.append(f"{name}: {text!r}")
    assert wrong == []


def test_no_other_module_spells_a_declared_key() -> None:
    wrong = []
    for name, module in all_modules().items():
        for node in ast.walk(module.tree):
            if name != DECLARED and isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = key_of(node.value)
                if found is not None and " " not in node.value:
                    wrong.append(f"{name}: {node.value!r}")
    assert wrong == []


def test_every_key_says_what_it_holds_and_who_owns_it() -> None:
    modules = set(all_modules())
    for key in KEYS.values():
        assert key.holds
        assert key.owner in modules, f"{key.name}: there is no {key.owner}"


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("tend:run", "tend:run"),
        ("tend:last:merge", "tend:last:"),
        ("consent:codex", "consent:"),
        ("tend:running", None),
        ("consent", None),
    ],
)
def test_a_stored_key_belongs_to_the_declared_one_that_it_begins_with(key: str, name: str | None) -> None:
    found = key_of(key)
    assert (found.name if found else None) == name


async def test_whatever_a_garden_keeps_of_itself_is_declared(open_garden: Open) -> None:
    async with open_garden() as garden:
        saved = await garden.remember("The staging database runs on port 5433")
        await garden.turn("which port does the staging database use?", session_id="s")
        said = Message(id="m", role="user", text="I water the roses", at=datetime(2026, 11, 1, tzinfo=UTC))
        await garden.sessions.add(Session(id="s", messages=(said,)))
        await garden.sessions.allow("codex")
        await garden.tend()
        await garden.purge(str(saved.id))
        await garden.settle()
        kept = await garden.store.state_items("")
    assert {"tend:health", "turn-counts", "consent:codex"} <= kept.keys()
    assert [key for key, value in kept.items() if not fits(key, value)] == []
