"""The doctor sends a prompt each way that the client would, and tells which way is broken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nightgarden.surfaces.connect import examine as doctor
from nightgarden.surfaces.connect.clients import CLIENTS, spot_of
from nightgarden.surfaces.connect.receipt import Receipts
from tests.runtime.running import Home

_SILENT = [sys.executable, "-c", "import sys; sys.stdin.read(); print('{\"result\": {}}')"]
_BROKEN = [sys.executable, "-c", "raise SystemExit('no such module')"]


@pytest.fixture
def connected(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Claude Code with its prompts through the session's server, and one memory."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("NIGHTGARDEN_HOME", str(home.path))
    (tmp_path / "user").mkdir()
    home.start()
    home.ask("remember", {"text": "the staging database listens on port 6432"}, directory=str(tmp_path / "user"))
    spot = spot_of(None, home.path)
    receipts = Receipts(home.path)
    receipts.connect("claude-code", None, receipts.plan(CLIENTS["claude-code"].steps(spot)), carrier=spot.carrier)
    return home


def sentence(home: Home) -> str:
    findings = doctor.examine(spot_of(None, home.path), Receipts(home.path), ["claude-code"])
    assert len(findings) == 1
    assert findings[0].ok == findings[0].sentence.startswith("works")
    return findings[0].sentence


def test_a_client_that_is_served_both_ways_works_and_leaves_no_trace(connected: Home) -> None:
    assert sentence(connected).startswith("works")
    assert connected.ask("sessions_list", {})["sessions"] == []


@pytest.mark.parametrize(("words", "way"), [("hook_words", "the hook"), ("mcp_words", "the hook in the MCP server")])
def test_the_way_that_is_broken_is_named(
    connected: Home, words: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, words, lambda *_: _SILENT)
    assert f"brought nothing by {way};" in sentence(connected)
    monkeypatch.setattr(doctor, words, lambda *_: _BROKEN)
    assert sentence(connected).startswith(f"{way} failed (no such module); ")
    monkeypatch.setattr(doctor, words, lambda *_: ["/nowhere/nightgarden"])
    assert sentence(connected).startswith(f"{way} cannot be started")
