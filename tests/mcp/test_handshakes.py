"""What real clients send from their start to their first tool call, replayed word for word.

`handshakes/CLIENT.jsonl` holds the lines that the client wrote to a stdio server, recorded from the programs that
docs/why/mcp.md names; only paths, ids and times were replaced. Each answer is checked by the official SDK's types of
the version that was negotiated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp_types.methods import parse_server_request, parse_server_result

from tests.mcp.test_stdio import Server
from tests.runtime.running import Home
from tests.runtime.test_http import Site

RECORDED = sorted((Path(__file__).parent / "handshakes").glob("*.jsonl"))
PLACE = "file:///home/ann/project"  # in the recordings; at the replay it is where the memories are
VERSION = "io.modelcontextprotocol/protocolVersion"
STATELESS = "2026-07-28"
Json = dict[str, Any]
Send = Callable[[Json], Json | None]


def messages(recorded: Path, home: Home) -> list[Json]:
    lines = recorded.read_text("utf-8").replace(PLACE, home.path.as_uri()).splitlines()
    return [json.loads(line) for line in lines]


def version_wanted(message: Json) -> str | None:
    params = message.get("params", {})
    return params.get("protocolVersion") or params.get("_meta", {}).get(VERSION)


@contextmanager
def over_stdio(home: Home) -> Iterator[Send]:
    """A server process as the client starts it. What it asks the client itself is checked and answered as recorded."""
    with Server(home) as server:
        asked_by_server: list[Json] = []
        version = ""

        def read() -> Json:
            assert server.process.stdout is not None
            found: Json = json.loads(server.process.stdout.readline())
            return found

        def send(message: Json) -> Json | None:
            nonlocal version
            assert server.process.stdin is not None
            if "method" not in message:  # the client's answer: only to what it was asked
                while not asked_by_server:
                    asked_by_server.append(read())
                assert asked_by_server.pop()["id"] == message["id"]
            server.process.stdin.write(json.dumps(message).encode() + b"\n")
            server.process.stdin.flush()
            if "method" not in message or "id" not in message:
                return None
            version = version_wanted(message) or version
            while "method" in (answer := read()):
                assert parse_server_request(answer["method"], version, answer.get("params"))
                asked_by_server.append(answer)
            return answer

        yield send


@contextmanager
def over_http(home: Home) -> Iterator[Send]:
    site = Site(home)
    version: str | None = None

    def send(message: Json) -> Json | None:
        nonlocal version
        headers = {"Accept": "application/json, text/event-stream", "MCP_Protocol_Version": version}
        status, answer, _ = site.ask("POST", "/mcp", message, **headers)
        if "method" not in message or "id" not in message:
            assert (status, answer) == (202, "")
            return None
        assert status == 200
        version = version_wanted(message) or version
        found: Json = answer
        return found

    yield send


WAYS = {"stdio": over_stdio, "http": over_http}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem)
def test_every_answer_is_what_the_version_of_the_client_wants(recorded: Path, way: str, home: Home) -> None:
    version, schemas, called = "", {}, 0
    with WAYS[way](home) as send:
        for message in messages(recorded, home):
            answer = send(message)
            if answer is None:
                continue
            method, version = message["method"], version_wanted(message) or version
            assert (answer["jsonrpc"], answer["id"]) == ("2.0", message["id"])
            assert "error" not in answer, answer
            result = answer["result"]
            assert parse_server_result(method, version, result)
            match method:
                case "initialize":
                    assert result["protocolVersion"] == version
                case "server/discover":
                    assert version in result["supportedVersions"]
                case "tools/list":
                    schemas = {tool["name"]: tool.get("outputSchema", {}) for tool in result["tools"]}
                case "tools/call":
                    jsonschema.validate(result["structuredContent"], schemas[message["params"]["name"]])
                    assert "5433" in result["structuredContent"]["results"][0]["content"]
                    called += 1
            assert ("resultType" in result) == (version == STATELESS)
    assert called == 1


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem)
def test_a_client_of_years_to_come_is_told_what_is_spoken_here(recorded: Path, home: Home) -> None:
    first = json.loads(
        json.dumps(messages(recorded, home)[0])
        .replace("2026-07-28", "2099-01-01")
        .replace('"protocolVersion": "2025', '"protocolVersion": "2099')
    )
    with over_http(home) as send:
        answer = send(first)
    assert answer is not None
    if first["method"] == "initialize":
        assert answer["result"]["protocolVersion"] == "2025-11-25"
    else:
        assert answer["error"]["data"]["requested"] == "2099-01-01"
        assert STATELESS in answer["error"]["data"]["supported"]


def test_six_clients_and_three_versions_of_the_protocol_were_recorded(home: Home) -> None:
    wanted = {recorded.stem: version_wanted(messages(recorded, home)[0]) for recorded in RECORDED}
    assert set(wanted.values()) == {"2025-06-18", "2025-11-25", STATELESS}
    assert len({name.partition("-sdk")[0] for name in wanted}) >= 6
