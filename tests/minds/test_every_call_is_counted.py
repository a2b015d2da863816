"""No call of a language model misses the ledger: by counting what a server was asked, and by who can ask at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Session, Settings
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.session import SessionStatus
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.choose_converser import Wanted
from nightgarden.settings import EmbeddingSettings, MindSettings
from tests.architecture.modules import all_modules
from tests.clients.model_server import Asked, ModelServer, Reply, Rule, ToolCall

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
WANTED = Wanted(budget="ambient", daily_tokens=10**6, daily_usd=10.0)


@dataclass
class Moody:
    """Answers every question somehow, and every third one with a failure."""

    asked: int = 0
    replies: tuple[Reply, ...] = field(
        default_factory=lambda: (
            Reply(status=500),
            Reply(raw=b"{half"),
            Reply(text=""),
            Reply(text="no JSON at all"),
            Reply(status=429, headers={"retry-after": "0"}),
            Reply(text="x" * 500, cut=True),
        )
    )

    def __call__(self, asked: Asked) -> Reply:
        self.asked += 1
        if self.asked % 3 == 0:
            return self.replies[self.asked // 3 % len(self.replies)]
        if asked.tool_names:
            return Reply(tool_calls=(ToolCall(name="number", arguments={"number": 42}),))
        return Reply(text='{"useful": [1], "memories": [], "number": 42}')


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(rules=[Rule(reply=Moody(), offers_tools=None)]) as running:
        yield running


@pytest.mark.parametrize("kind", ["local", "anthropic"])
async def test_as_many_calls_are_in_the_ledger_as_a_server_saw(kind: str, server: ModelServer, tmp_path: Path) -> None:
    mind = MindSettings(kind=kind, base_url=f"{server.url}/v1", model="claude-scripted")  # type: ignore[arg-type]
    settings = Settings(embedding=EmbeddingSettings(model="off"), mind=mind)
    async with Garden.open(tmp_path / "garden.db", settings=settings) as garden:
        for number in range(4):
            await garden.remember(f"The staging database number {number} runs on port {5433 + number}")
        for number in range(5):
            said = Message(id="m", role="user", text=f"Please note number {number} for later on", at=datetime.now(UTC))
            session = Session(id=f"s{number}", messages=(said,), status=SessionStatus.CLOSED)
            await garden.sessions.add(session)
            await garden.sessions.extract(session.id)
            await garden.turn("which port does the staging database use?", session_id=f"t{number}", deadline_ms=20_000)
            await garden.settle()
            for trying in (garden.minds.test(), garden.minds.test_tools(WANTED)):
                try:
                    await trying
                except ModelUnavailable:
                    continue  # that is what a third of the answers are for
        calls = await garden.store.mind_calls(since=LONG_AGO)
    assert len(calls) == len(server.asked) > 15
    assert [call for call in calls if call.outcome is CallOutcome.OPEN] == []
    assert {call.purpose for call in calls} == {"extract", "verify", "test"}
    assert {call.outcome for call in calls} >= {CallOutcome.ANSWERED, CallOutcome.SERVER_ERROR, CallOutcome.LOST}


# Where each way to a model may be taken; each of them opens a call in the ledger before, and closes it after.
ROADS = {
    "post_json": {"minds.endpoint", "models.remote"},  # the latter are embeddings: no language model
    "run_group": {"minds.program"},
    "follow_group": {"minds.program_speaker"},
    "model_request": {"minds.library"},
}


@pytest.mark.parametrize("road", ROADS)
def test_no_other_module_has_a_way_to_a_model(road: str) -> None:
    takers = {
        name
        for name, module in all_modules().items()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name | ast.Attribute) and (node.id if isinstance(node, ast.Name) else node.attr) == road
    }
    assert takers <= ROADS[road], takers - ROADS[road]


def test_backends_and_steps_are_asked_only_where_the_ledger_is() -> None:
    """`Backend.ask` and a stepper's step are called by these functions alone."""
    found = {
        name
        for name, module in all_modules().items()
        if name.startswith("minds.")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Await)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in ("backend.ask", "step")
    }
    assert found == {"minds.metered", "minds.step_loop"}
