"""One declaration: the command line, REST, MCP and Python call every field of an operation the same."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.domain.requests.reading import RecallShown
from nightgarden.domain.requests.writing import Remember, Update
from nightgarden.errors import NotAllowed
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import build
from nightgarden.surfaces.http.openapi import describe_api
from nightgarden.surfaces.mcp.tools import TOOLS
from nightgarden.surfaces.operations.perform import perform
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.spec import offered


def parsed(*words: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    add_fields(parser, Remember)
    return given_by(Remember, parser.parse_args(words))


@pytest.mark.parametrize("request_kind", OPERATIONS.values(), ids=OPERATIONS)
def test_every_field_of_an_operation_is_an_argument_of_rest(request_kind: Any) -> None:
    if request_kind.own_process_only:
        return
    described = describe_api("")["paths"][f"/api/v1/{request_kind.operation}"]["post"]["requestBody"]
    schema = described["content"]["application/json"]["schema"]
    assert schema["properties"].keys() == {field.name for field in offered(request_kind)}


def test_tools_take_fields_of_their_operation_under_the_same_names() -> None:
    own = {"memory_forget": {"query"}}  # looks for the memory instead of naming it
    for name, tool in TOOLS.items():
        assert {field.name for field in tool.fields} - own.get(name, set()) <= tool.operation.fields.keys()


def test_python_takes_the_fields_of_the_request() -> None:
    assert list(inspect.signature(Garden.remember).parameters)[1:] == list(Remember.fields)
    assert set(inspect.signature(Garden.recall).parameters) - {"self"} == RecallShown.fields.keys() - {"explain"}


def test_options_are_named_after_the_fields_and_earlier_names_still_work() -> None:
    now = parsed(
        "x", "--confidence-reason", "seen", "--file-path", "a", "--trigger-pattern", "t", "--pinned", "--tainted"
    )
    then = parsed("x", "--because", "seen", "--file", "a", "--trigger", "t", "--pin", "--outside")
    assert now == then
    assert now == {
        "content": "x",
        "confidence_reason": "seen",
        "file_paths": ["a"],
        "trigger_patterns": ["t"],
        "pinned": True,
        "tainted": True,
    }


def test_a_day_is_its_end_where_the_caller_is() -> None:
    parser = argparse.ArgumentParser()
    add_fields(parser, RecallShown)
    given = given_by(RecallShown, parser.parse_args(["x", "--as-of", "2026-03-01"]))
    assert given["as_of"].startswith("2026-03-01T23:59:59.999999")


def test_what_one_surface_can_say_all_can() -> None:
    parser = build(["edit"])
    options = parser.parse_args(["edit", "x", "--valid-until", "2027-01-01", "--no-pinned", "--allow", "personal"])
    assert given_by(Update, options) == {"id": "x", "valid_until": "2027-01-01", "pinned": False, "allow": ["personal"]}


async def test_earlier_names_are_taken_by_operations_and_by_python(garden: Garden) -> None:
    asked = {"text": "The staging database runs on port 5433", "because": "the config says so", "files": ["a.py"]}
    saved = await perform(garden, "remember", asked, "user")
    assert saved["memory"]["confidence_reason"] == "the config says so"
    assert saved["memory"]["file_paths"] == ["a.py"]
    again = await garden.remember("Production runs on port 5432", outside=True)  # type: ignore[call-arg]
    assert (await garden.get(str(again.id))).tainted


async def test_strict_seasonal_and_validity_can_be_said_everywhere(garden: Garden) -> None:
    asked = {"content": "Deploys stop in the release week", "seasonal": "release-week", "valid_from": "2026-01-01"}
    saved = await perform(garden, "remember", asked | {"session_only": "no"}, "agent")
    assert saved["memory"]["temporal"]["seasonal"] == "release-week"
    assert saved["memory"]["valid_from"].startswith("2026-01-01")
    refused = await perform(garden, "remember", {"content": "The office has three floors", "strict": True}, "agent")
    assert refused["rule"] == "strict-mode"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"content": "We met today", "category": "episode"}, "nightgarden itself records"),
        ({"content": "Go on with the tests", "category": "handoff"}, "nightgarden itself records"),
        ({"content": "x is y", "pinned": True}, "pinned is the user's decision"),
        ({"content": "x is y", "allow": ["secret"]}, "allow is the user's decision"),
        ({"content": "x is y", "provenance": "user_stated"}, "not an agent's to say"),
    ],
)
async def test_what_is_not_an_agents_to_say_is_refused_with_a_reason(
    garden: Garden, asked: dict[str, Any], words: str
) -> None:
    with pytest.raises(NotAllowed, match=words):
        await perform(garden, "remember", asked, "agent")
