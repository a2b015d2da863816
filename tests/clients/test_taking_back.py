"""What the user takes back in a real client is gone: asked for in conversation, or erased by a command."""

from __future__ import annotations

import pytest

from tests.clients.connected import Connected, connect
from tests.clients.model_server import ModelServer

FACT = "The office cat is called Whiskerine and eats at noon."
FORGET = "Please forget what I said about the office cat."
QUESTION = "What is the office cat called and when does it eat?"
SECRET = "By the way, our staging database runs on port 5433 in the zanzibarite cage."
SECRET_QUESTION = "Where does the staging database run?"


def told(connected: Connected, model: ModelServer, prompt: str) -> str:
    """All that a new session sends to the model."""
    before = len(model.asked)
    connected.ask(prompt)
    return "\n".join(asked.everything for asked in model.asked[before:])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("claude-code", "codex", "opencode")]
)
def test_what_is_forgotten_in_conversation_or_purged_never_comes_back(name: str, model: ModelServer) -> None:
    with connect(name, model) as connected:
        connected.ask(FACT)
        connected.wait_until_read(1)
        assert len(connected.memories()) == 1
        assert "it is out of long-term memory now" in told(connected, model, FORGET)
        assert connected.memories() == []
        assert "Whiskerine" not in told(connected, model, QUESTION)

        connected.ask(SECRET)
        connected.wait_until_read(4)
        [secret] = connected.memories()
        assert "zanzibarite" in told(connected, model, SECRET_QUESTION)
        connected.wait_until_read(5)
        connected.nightgarden("purge", secret["id"], "--yes")
        assert "zanzibarite" not in told(connected, model, SECRET_QUESTION)
        connected.wait_until_read(6)
        assert "zanzibarite" not in connected.nightgarden("export").stdout
        files = [path for path in connected.data.rglob("*") if path.is_file()]
        assert [path.name for path in files if b"zanzibarite" in path.read_bytes()] == []
