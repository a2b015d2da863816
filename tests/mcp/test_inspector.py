"""The official Inspector, as its users run it, against our server."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from tests.clients.install import INSPECTOR, NODE, install
from tests.mcp.conftest import COMMAND
from tests.runtime.running import Home


@pytest.fixture(scope="module")
def inspector() -> list[str]:
    node, program = install(NODE), install(INSPECTOR)
    return [str(node), str(program.resolve())]


def inspect(inspector: list[str], home: Home, env: dict[str, str], *words: str) -> Any:
    path = f"{os.path.dirname(inspector[0])}:{env['PATH']}"  # noqa: PTH120 - a part of PATH
    # It hands on only what is named.
    passed = [part for name in ("PYTHONPATH", "NIGHTGARDEN_HOME") for part in ("-e", f"{name}={env[name]}")]
    done = subprocess.run(
        [*inspector, "--cli", *passed, *COMMAND, *words],
        env=env | {"PATH": path},
        cwd=home.path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_it_lists_and_calls_the_tools(inspector: list[str], home: Home, env: dict[str, str]) -> None:
    tools = inspect(inspector, home, env, "--method", "tools/list")["tools"]
    assert {tool["name"] for tool in tools} == {
        "memory_recall",
        "memory_remember",
        "memory_forget",
        "memory_look",
        "memory_manage",
    }
    call = ("--method", "tools/call", "--tool-name", "memory_recall")
    found = inspect(inspector, home, env, *call, "--tool-arg", "query=staging port", "limit=2")
    assert "5433" in found["structuredContent"]["results"][0]["content"]


def test_it_lists_resources_and_prompts(inspector: list[str], home: Home, env: dict[str, str]) -> None:
    assert len(inspect(inspector, home, env, "--method", "resources/list")["resources"]) == 2
    assert len(inspect(inspector, home, env, "--method", "prompts/list")["prompts"]) == 3
