"""Asked for directly, what was said is found, but what was replaced since never stands before what holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.domain.verdict import Refused, Superseded
from nightgarden.garden import Garden
from nightgarden.recall.echoes import REPLACED
from nightgarden.remember.edit import superseded
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
        new = "For the record: the booking API was moved from port 8080 to 9090, it clashed with the proxy."
        for number, text in enumerate((old, new)):
            await garden.sessions.add(told(number, text))
            await garden.sessions.extract(f"s{number}")
        found = (await garden.recall("which port does the booking API listen on?")).results
        assert "9090" in found[0].content
        assert found[-1].content == old
        assert found[-1].reasons[0] == REPLACED


HERON = (
    "We always use the staging server heron, remember that.",
    ("assistant", "Good, I will use the staging server heron."),
    "Connect to heron and restart the worker there.",
    ("assistant", "Done: heron runs the worker again."),
    "The worker needs about 2 GB of memory.",
)
REIHER = (
    "Merk dir: Wir nutzen immer den Staging-Server Reiher.",
    ("assistant", "Gut, ich nehme den Staging-Server Reiher."),
    "Verbinde dich mit Reiher und starte den Worker neu.",
    ("assistant", "Fertig: Auf Reiher läuft der Worker wieder."),
    "Der Worker braucht etwa 2 GB Speicher.",
)


def talked(*said: str | tuple[str, str]) -> Session:
    turns = [("user", each) if isinstance(each, str) else each for each in said]
    messages = tuple(
        Message(id=f"m{number}", role=role, text=text, at=AT + timedelta(minutes=number))
        for number, (role, text) in enumerate(turns)
    )
    return Session(id="talk", messages=messages, status=SessionStatus.CRASHED, started_at=AT)


@pytest.mark.parametrize(
    ("said", "old", "newer", "question"),
    [
        (HERON, "heron", "We replaced heron with otter", "restart the worker on the staging server heron"),
        (REIHER, "Reiher", "We replaced Reiher with Otter", "worker auf dem Staging-Server Reiher"),
    ],
)
async def test_whatever_else_in_the_session_names_what_was_replaced_comes_last_too(
    tmp_path: Path, said: tuple[str | tuple[str, str], ...], old: str, newer: str, question: str
) -> None:
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=PLAIN) as garden:
        await garden.sessions.add(talked(*said))
        await garden.sessions.extract("talk")
        (known,) = await garden.list()
        assert old in known.content
        after = await garden.remember(newer)
        if not isinstance(after, Superseded):  # what rules alone make of it is tested elsewhere
            assert not isinstance(after, Refused)
            past = superseded(known, by=after.memory.id, at=garden.now(), now=garden.now())
            await garden.store.apply([Change(known, past)], Origin(actor="user"), at=garden.now())
        found = (await garden.recall(question)).results
        assert found[0].content == newer
        marked = [each for each in found if REPLACED in each.reasons]
        assert len(marked) == 4
        assert all(old in each.content for each in marked)
        assert list(found[-4:]) == marked
        assert any("2 GB" in each.content for each in found[:-4])
