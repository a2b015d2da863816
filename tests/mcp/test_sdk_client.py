"""The official SDK's client against our server, over stdio and HTTP, in every protocol version it speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from mcp import StdioServerParameters, types
from nightgarden.surfaces import client as daemon
from nightgarden.surfaces.mcp.offers import INSTRUCTIONS
from nightgarden.surfaces.mcp.tools import LISTED, LOOK, MANAGE, TOOLS
from tests.mcp.conftest import COMMAND
from tests.runtime.running import Home

WAYS = ("stdio legacy", "stdio auto", "http legacy", "http auto")


@asynccontextmanager
async def connected(way: str, home: Home, env: dict[str, str], **more: Any) -> AsyncIterator[Client]:
    transport, mode = way.split()
    if transport == "stdio":
        server = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]), env=env, cwd=str(home.path))
        async with Client(stdio_client(server), mode=mode, **more) as client:
            yield client
        return
    headers = {
        "Authorization": f"Bearer {daemon.read_token(str(home.path))}",
        "X-Nightgarden-Directory": str(home.path),
    }
    url = daemon.read_address(str(home.path))["http"] + "/mcp"
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **more) as client,
    ):
        yield client


def _in(arguments: dict[str, Any]) -> dict[str, Any]:
    return {"arguments": arguments}


def structured(result: types.CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.mark.parametrize("way", WAYS)
async def test_every_tool_answers_as_its_schema_says(way: str, home: Home, env: dict[str, str]) -> None:
    async with connected(way, home, env) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed.keys() == LISTED.keys()
        for tool in listed.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema or {})
        first = structured(await client.call_tool("memory_remember", {"text": f"Ann reviews payments ({way})"}))["id"]
        second = structured(await client.call_tool("memory_remember", {"text": f"Bo reviews the calendar ({way})"}))[
            "id"
        ]
        task = structured(
            await client.call_tool(
                "memory_schedule",
                {"task": f"look at the build ({way})", "wake_in_minutes": "30", "relevant_files": "a.py, b.py"},
            )
        )
        assert (task["state"], task["relevant_files"]) == ("waiting", ["a.py", "b.py"])
        steps = [f"Run `make {way.replace(' ', '-')}`", "Look at the report"]
        made = {"name": f"Make ({way})", "steps": steps}
        way_id = structured(await client.call_tool("memory_procedure_add", made))["id"]
        at = (datetime.now(UTC) + timedelta(days=3)).isoformat()
        calls: dict[str, dict[str, Any]] = {
            "memory_recall": {"query": "who reviews payments?", "limit": "3"},
            "memory_search": {"query": "5433"},
            "memory_remember": {"text": f"Cy reviews the search ({way})", "tags": "people, review"},
            "memory_list": {"limit": 5},
            "memory_feedback": {"id": first, "helpful": "true"},
            "memory_tag": {"id": first, "add": ["people"]},
            "memory_link": {"source": first, "target": second, "weight": "0.7"},
            "memory_related": {"id": first, "depth": "2"},
            "memory_briefing": {"task": "reviews"},
            "memory_gaps": {},
            "memory_procedures": {"limit": "3"},
            "memory_procedure_add": {"name": f"Sow ({way})", "steps": [f"Rake bed {way}", "Sow"]},
            "memory_procedure_outcome": {"id": way_id, "outcome": "success"},
            "memory_schedule": {
                "task": f"follow up ({way})",
                "wake_at": at,
                "priority": "high",
            },
            "memory_scheduled": {"closed": "true"},
            "memory_schedule_close": {"id": task["id"], "outcome": "done"},
            "sessions_search": {"query": "ports"},
            "memory_similar": {"id": first},
            "memory_candidates": {},
            "memory_promote": {"id": first},
            "memory_core": {},
            "memory_core_update": {"focus": f"the tools ({way})"},
            "memory_mission_start": {"name": f"try the tools {way}"},
            "memory_mission_note": {"text": f"The tools of {way} answer in JSON"},
            "memory_mission_end": {"outcome": "cancelled"},
            "memory_forget": {"id": second, "reason": "left the team"},
        }
        assert calls.keys() == TOOLS.keys()
        for name, arguments in calls.items():
            group = next((each for each in (LOOK, MANAGE) if TOOLS[name] in each.tools), None)
            sent = (
                (name, arguments) if group is None else (group.name, {"action": TOOLS[name].action, **_in(arguments)})
            )
            answer = structured(await client.call_tool(*sent))
            jsonschema.validate(answer, TOOLS[name].lean.schema)
        assert "5433" in structured(await client.call_tool("memory_search", {"query": "5433"}))["results"][0]["content"]


@pytest.mark.parametrize("way", WAYS)
async def test_instructions_resources_and_prompts_are_there(way: str, home: Home, env: dict[str, str]) -> None:
    async with connected(way, home, env) as client:
        assert client.instructions == INSTRUCTIONS
        assert {str(each.uri) for each in (await client.list_resources()).resources} == {
            "nightgarden://briefing",
            "nightgarden://memories",
        }
        assert len((await client.list_resource_templates()).resource_templates) == 1
        newest = structured(await client.call_tool("memory_list", {"limit": 1}))["memories"][0]
        one = (await client.read_resource(f"nightgarden://memory/{newest['id']}")).contents[0]
        assert isinstance(one, types.TextResourceContents)
        assert newest["content"] in one.text
        briefing = (await client.read_resource("nightgarden://briefing")).contents[0]
        assert isinstance(briefing, types.TextResourceContents)
        assert "Never deploy on a Friday" in briefing.text
        assert {prompt.name for prompt in (await client.list_prompts()).prompts} == {"brief", "recall", "keep"}
        told = await client.get_prompt("recall", {"topic": "staging"})
        assert "5433" in told.messages[0].content.text  # type: ignore[union-attr]


@pytest.mark.parametrize("way", ["stdio auto", "http auto"])
async def test_errors_tell_the_model_what_to_do(way: str, home: Home, env: dict[str, str]) -> None:
    wrong: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("memory_forget", {"id": "nothing"}, "there is no memory 'nothing'"),
        ("memory_remember", {}, "memory_remember needs content"),
        ("memory_recall", {"query": "x", "limit": "many"}, "must be a whole number"),
        ("memory_list", {"category": "thing"}, "must be one of fact, preference"),
        ("memory_list", {"scope": "nowhere"}, "use global, project"),
        ("memory_list", {"colour": "red"}, "it is memory_list(scope?, category?"),
        ("memory_schedule", {"task": "look"}, "either wake_in_minutes, such as 30, or wake_at"),
        ("memory_schedule", {"task": "look", "wake_in_minutes": "-3"}, "wake_in_minutes must be more than 0"),
        ("memory_schedule", {"task": "look", "wake_at": "2020-01-01T00:00:00Z"}, "name a later moment"),
        ("memory_schedule", {"task": "look", "wake_at": "tomorrow"}, "is no moment in ISO 8601"),
        (
            "memory_schedule",
            {"task": "password: hunter2-Battery9!", "wake_in_minutes": 5},
            "not scheduled (secret)",
        ),
        ("memory_schedule_close", {"id": "nothing", "outcome": "done"}, "there is no task 'nothing'"),
    )
    async with connected(way, home, env) as client:
        for tool, arguments, words in wrong:
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            assert words in result.content[0].text  # type: ignore[union-attr]
        refused = structured(await client.call_tool("memory_remember", {"text": "password: correct-horse-Battery9!"}))
        assert refused["verdict"] == "refused"
        assert refused["why"]


async def test_the_project_is_that_of_the_clients_directory(home: Home, env: dict[str, str], tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    async with connected("stdio auto", home, env | {"CLAUDE_PROJECT_DIR": str(here)}) as client:
        await client.call_tool("memory_remember", {"text": "This shop sells bicycles"})
        await client.call_tool("memory_remember", {"text": "This shop sells flowers", "directory": str(there)})
        listed = structured(await client.call_tool("memory_list", {"scope": "project"}))["memories"]
        assert [memory["content"] for memory in listed] == ["This shop sells bicycles"]

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=there.as_uri())])  # type: ignore[arg-type]

    async with connected("stdio legacy", home, env, list_roots_callback=roots) as client:
        listed = structured(await client.call_tool("memory_list", {"scope": "project"}))["memories"]
        assert [memory["content"] for memory in listed] == ["This shop sells flowers"]
