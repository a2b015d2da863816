"""Asked for directly, what was said is found, but what was replaced since never stands before what holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.garden import Garden
from nightgarden.recall.echoes import REPLACED
from nightgarden.settings import EmbeddingSettings, Settings

PLAIN = Settings(embedding=EmbeddingSettings(model="off"))
AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(number: int, text: str) -> Session:
    at = AT + timedelta(days=number)
    message = Message(id=f"m{number}", role="user", text=text, at=at)
    return Session(id=f"s{number}", messages=(message,), status=SessionStatus.CRASHED, started_at=at)


async def test_a_quote_of_what_was_replaced_comes_last_and_says_so(tmp_path: Path) -> None:
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=PLAIN) as garden:
        old = "For the record: the booking API listens on port 8080."
        for number, text in enumerate((old, "The booking API listens on port 9090 now, 8080 clashed with the proxy.")):
            await garden.sessions.add(told(number, text))
            await garden.sessions.extract(f"s{number}")
        found = (await garden.recall("which port does the booking API listen on?")).results
        assert "9090" in found[0].content
        assert found[-1].content == old
        assert found[-1].reasons[0] == REPLACED
