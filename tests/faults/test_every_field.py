"""A secret in any field of any operation, event or session, from an agent or a user, is in no byte of the data folder.
It may be refused or blacked out; each field gets a key of its own, so that whatever is found names its way in."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden, Message, Session
from nightgarden.domain.client_events import EVENT_NAMES
from nightgarden.domain.requests.declare import Field
from nightgarden.domain.session import HookSignals
from nightgarden.errors import NightgardenError
from nightgarden.surfaces.client import Connection
from nightgarden.surfaces.operations.registry import OPERATIONS
from tests.runtime.running import Home

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
TOOLS = ("Bash", "Edit", "Read", "mcp__x__y")
OF_TOOLS = ("command", "file_path", "path", "filePath", "notebook_path", "content", "new_string", "description")
OF_EVENTS = (
    *("prompt", "reason", "source", "agent_type", "last_assistant_message", "tool_name", "transcript_path", "error"),
    *("message", "title", "custom_instructions", "trigger", "model", "hook_event_name"),
)


class Keys:
    """Keys that nobody has, and where each was put."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self.places: dict[str, str] = {}

    def new(self, place: str) -> str:
        key = "AKIA" + "".join(self._random.choice(_LETTERS) for _ in range(16))
        self.places[key] = place
        return key

    def left_in(self, folder: Path) -> set[str]:
        kept = b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        return {place for key, place in self.places.items() if key.encode() in kept}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    home.start()
    yield home
    home.kill_all()


def _usual(field: Field, memory_id: str) -> Any:
    """A value with which an operation goes as far as it can."""
    if field.choices:
        return field.choices[0]
    match field.kind:
        case "texts":
            return [memory_id] if field.ids else ["release notes"]
        case "integer" | "number":
            return field.min if field.min is not None else 1
        case "boolean":
            return True
        case "moment":
            return "2027-01-01T00:00:00Z"
        case "object":
            return {}
        case _:
            return memory_id if field.ids else "release notes"


def _with_key(field: Field, text: str) -> Any:
    match field.kind:
        case "texts":
            return [text]
        case "object":
            return {"note": text}
        case _:
            return text


def test_a_secret_in_any_argument_of_any_operation_is_kept_nowhere(home: Home, tmp_path: Path) -> None:
    keys = Keys()
    known = home.ask("remember", {"content": "The staging database listens on port 5433"}, directory=str(tmp_path))
    with Connection(str(home.path), timeout_ms=60_000) as daemon:
        for name, operation in OPERATIONS.items():
            given = {f.name: _usual(f, known["id"]) for f in operation.fields.values() if f.required}
            for field in operation.fields.values():
                if field.inside or field.choices or field.kind in ("integer", "number", "boolean", "moment"):
                    continue
                for for_user in (False, True):
                    for before in ("", "the key "):
                        text = before + keys.new(f"{name}.{field.name}")
                        with suppress(NightgardenError):
                            daemon.ask(
                                name,
                                given | {field.name: _with_key(field, text)},
                                directory=str(tmp_path),
                                timeout_ms=60_000,
                                for_user=for_user,
                            )
    home.stop()
    assert len(keys.places) > 200
    assert keys.left_in(home.path) == set()


def test_a_secret_in_any_field_of_an_event_is_kept_nowhere(home: Home, tmp_path: Path) -> None:
    keys = Keys()

    def tell(event: str, client: str = "claude-code", **data: Any) -> None:
        told = {"session_id": "s1", "cwd": str(tmp_path), "prompt": "which port does staging use?"} | data
        home.ask("hook", {"client": client, "event": event, "data": told})

    for event in EVENT_NAMES:
        for field in OF_EVENTS:
            tell(event, **{field: keys.new(f"{event} {field}")})
        for tool in TOOLS:
            for field in OF_TOOLS:
                output = {"stdout": f"error: {keys.new(f'{event} {tool} output')} failed"}
                given = {field: f"/srv/{keys.new(f'{event} {tool} {field}')}"}
                tell(event, tool_name=tool, tool_input=given, tool_response=output)
        tell(event, session_id=keys.new(f"{event} session"))
        tell(event, "codex", cwd=str(tmp_path / keys.new(f"{event} folder")))
    home.stop()
    assert keys.left_in(home.path) == set()


async def test_a_secret_in_any_field_of_a_session_is_kept_nowhere(tmp_path: Path) -> None:
    keys = Keys()
    transcripts = tmp_path / ".local" / "share" / "nightgarden" / "transcripts"
    transcripts.mkdir(parents=True)
    lines: list[dict[str, Any]] = [
        {"type": "session", "title": keys.new("its title"), "directory": f"/srv/{keys.new('its folder')}"},
        {"id": keys.new("id in a file"), "role": "user", "text": f"we always use tabs {keys.new('text in a file')}"},
        {"role": "tool", "tool_name": keys.new("tool in a file"), "text": keys.new("output"), "is_error": True},
        {"role": keys.new("speaker in a file"), "text": "we water at dawn"},
    ]
    for name in ("talk", keys.new("name of a file")):
        (transcripts / f"{name}.jsonl").write_text(
            "".join(json.dumps(line | {"at": "2026-11-15T12:00:00Z"}) + "\n" for line in lines)
        )
    async with Garden.open(tmp_path / "home" / "garden.db", directory=tmp_path) as garden:
        now = garden.now()
        messages = (
            Message(id=keys.new("id"), role="user", text=f"we use tabs here, {keys.new('text')}", at=now),
            Message(id="m2", role=keys.new("role"), text="we water at dawn", at=now),
            Message(
                id="m3",
                role="tool",
                text=keys.new("printed"),
                tool_name=keys.new("tool"),
                arguments={keys.new("name of an argument"): keys.new("argument")},
                at=now,
            ),
        )
        added = await garden.sessions.add(
            Session(
                id=keys.new("session"),
                client=keys.new("client"),
                title=keys.new("title"),
                directory=str(tmp_path / keys.new("folder")),
                parent_id=keys.new("parent"),
                cursor=keys.new("cursor"),
                hooks=HookSignals(end_reason=keys.new("end"), stopped=(keys.new("stopped"),)),
                messages=messages,
            )
        )
        assert (await garden.sessions.get(added.session_id)).messages[1].text == "we water at dawn"
        scanned = await garden.sessions.scan(["jsonl"], home=tmp_path)
        assert [(each.added, each.failures) for each in scanned.clients] == [(2, [])]
        again = await garden.sessions.scan(["jsonl"], home=tmp_path)
        assert [each.added for each in again.clients] == [0]
        await garden.tend()
    assert keys.left_in(tmp_path / "home") == set()
