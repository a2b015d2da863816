"""Whatever comes in by any door, no exception comes out."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden.domain.ignore_patterns import read_patterns, ruling
from nightgarden.domain.secrets import UNCHECKED, find_secrets
from nightgarden.errors import NightgardenError
from nightgarden.remember.refuse import refuse
from nightgarden.sessions.readers.progress import Progress
from nightgarden.settings import load_settings
from nightgarden.surfaces.cli.terminal import clean
from nightgarden.surfaces.daemon.protocol import decode, quoted, read_raw
from nightgarden.surfaces.mcp.conversation import McpConversation, Refusal
from nightgarden.tend.verify.config_values import read_settings
from nightgarden.tend.verify.manifests import read_manifest

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
PIECES = st.sampled_from(
    [
        "private key",
        "-----BEGIN ",
        "password=",
        "token: ",
        "|---|",
        "`",
        "\n",
        "\ud800",
        "\x00",
        "\x1b[2J",
        "{",
        '"',
        "é",
    ]
)
TEXT = st.lists(PIECES | st.text(max_size=20), max_size=12).map("".join)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
METHODS = ["initialize", "tools/call", "tools/list", "prompts/get", "resources/read", "ping", "notifications/cancelled"]


@QUICK
@given(TEXT)
def test_a_text_to_remember(text: str) -> None:
    refuse(text, tainted=True, redact_secrets=True)
    assert all(finding.what != UNCHECKED for finding in find_secrets(text))


@pytest.mark.parametrize("text", ["Where is the private key kept?", "PRIVATE KEY", "-----BEGIN PRIVATE KEY-----"])
def test_words_about_keys_are_not_keys(text: str) -> None:
    assert find_secrets(text) == ()


@QUICK
@given(VALUE, st.sampled_from(METHODS) | st.text(max_size=10), VALUE, VALUE)
def test_a_message_of_mcp(whole: Any, method: str, params: Any, message_id: Any) -> None:
    async def ask(op: str, arguments: dict[str, Any], directory: str | None) -> Any:
        raise Refusal("NotFound", "nothing is here")

    async def hook(sent: dict[str, Any]) -> str:
        return ""

    conversation = McpConversation(ask, hook=hook)
    asyncio.run(conversation.handle(whole))
    message = {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}
    answer = asyncio.run(conversation.handle(message))
    assert (answer is None) == (message_id is None)
    if isinstance(params, dict):
        named = {"name": "memory_recall", "arguments": params, "_meta": params}
        assert asyncio.run(conversation.handle({**message, "id": 1, "params": named}))["id"] == 1


@QUICK
@given(st.binary(max_size=100) | st.text(max_size=50).map(lambda text: json.dumps({"prompt": text}).encode()))
def test_an_event_stays_one_text_of_the_request(sent: bytes) -> None:
    line = b'{"op":"hook","arguments":{"event":"Stop","raw":"%b"}}' % quoted(sent)
    try:
        request = decode(line)
    except ValueError:
        return  # the light client asks then
    assert request["op"] == "hook"
    assert request["arguments"].keys() == {"event", "raw"}
    assert request["arguments"]["raw"] == sent.decode()
    try:
        read_raw(request)
    except ValueError:
        return
    assert request["op"] == "hook"


@QUICK
@given(
    TEXT, st.sampled_from(["package.json", "pyproject.toml", "Cargo.lock", "requirements.txt", "go.mod", "Makefile"])
)
def test_a_manifest(text: str, name: str) -> None:
    read_manifest(name, text)
    read_settings(name, text)


@pytest.mark.parametrize("name", ["package.json", "package-lock.json", "settings.json", "pyproject.toml"])
def test_a_manifest_nested_without_end_says_nothing(name: str) -> None:
    deep = "[" * 100_000 if name.endswith("json") else "a = " + "[" * 100_000
    assert read_manifest(name, deep) is None
    assert read_settings(name, deep) == []


@QUICK
@given(st.text(alphabet="*?[]!/\\a-b.#\n ", max_size=60), st.text(alphabet="ab/.-", min_size=1, max_size=30))
def test_an_ignore_file(content: str, path: str) -> None:
    ruling(read_patterns(content), path, is_folder=False)


def test_an_ignore_file_of_many_stars_is_read_at_once() -> None:
    patterns = read_patterns("*a" * 14 + "*b\n" + "**/a/" * 60 + "b\n")
    assert ruling(patterns, "a" * 180, is_folder=False) is None
    assert ruling(patterns, "/".join("a" * 500), is_folder=False) is None
    assert ruling(patterns, "a" * 180 + "b", is_folder=False) is True


@QUICK
@given(st.binary(max_size=80))
def test_a_settings_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(content)
    with suppress(NightgardenError):
        load_settings(None, {"NIGHTGARDEN_HOME": str(tmp_path), "NIGHTGARDEN_CONFIG": str(tmp_path / "config.toml")})


@QUICK
@given(st.binary(max_size=200))
def test_lines_of_a_transcript(tmp_path: Path, content: bytes) -> None:
    from nightgarden.sessions.readers.new_lines import read_records

    path = tmp_path / "session.jsonl"
    path.write_bytes(content + b"\n" + b"[" * 100_000 + b"\n")
    with path.open("rb") as file:
        assert all(isinstance(record, dict) for record in read_records(file, Progress()))


@QUICK
@given(TEXT)
def test_what_is_printed_to_a_terminal(text: str) -> None:
    shown = clean(text)
    assert "\x1b" not in shown.replace("\x1b[0m", "").replace("\x1b[1m", "")
    assert clean(shown) == shown
