"""The user's own use in the ledger, a mind's cadence, and a budget out of both: from transcripts to what users see."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden, Message, Session, Settings
from nightgarden.domain.mind_call import USER, CallOutcome, MindCall
from nightgarden.domain.session import SessionStatus
from nightgarden.minds.budget import Bounds, BudgetReason, UserPace
from nightgarden.minds.budget_figures import find_budget, pace_of, share_of, work_of
from nightgarden.minds.limits import Window, read_codex_snapshot
from nightgarden.minds.scripted import ScriptedMind
from nightgarden.sessions.harvest import SessionCue
from nightgarden.settings import EmbeddingSettings

SETTINGS = Settings(embedding=EmbeddingSettings(model="off"))
NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
BOUNDS = Bounds(min_interval=timedelta(minutes=5), max_interval=timedelta(hours=2), cycle_tokens=100_000)


class Clock:
    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


def a_call(minutes_ago: float, tokens: int, **more: Any) -> MindCall:
    at = NOW - timedelta(minutes=minutes_ago)
    given: dict[str, Any] = {"id": f"{minutes_ago}-{tokens}-{more}", "budget": USER, "provider": "codex", "model": "m"}
    given |= {"purpose": "x", "outcome": CallOutcome.ANSWERED, "charged_tokens": tokens, "charged_usd": 0.0}
    return MindCall(at=at, **(given | more))


# -- transcripts ------------------------------------------------------------------------------------------------------


def rollout(home: Path, at: datetime) -> Path:
    """A rollout of Codex with two answers and a snapshot of limits, as 0.166.0 writes it."""
    stamp = at.isoformat().replace("+00:00", "Z")
    total = {"input_tokens": 1200, "cached_input_tokens": 200, "output_tokens": 300, "total_tokens": 1500}
    limits = {
        "primary": {
            "used_percent": 25.0,
            "window_minutes": 300,
            "resets_at": int((at + timedelta(hours=2)).timestamp()),
        },
        "secondary": None,
    }
    lines: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": "s", "cwd": str(home)}},
        {"type": "turn_context", "payload": {"model": "gpt-scripted"}},
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Fix the build"}],
            },
        },
        {
            "type": "event_msg",
            "payload": {"type": "token_count", "info": {"total_token_usage": total}, "rate_limits": limits},
        },
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
        },
    ]
    folder = home / ".codex" / "sessions" / "2026" / "11" / "16"
    folder.mkdir(parents=True)
    path = folder / "rollout-2026-11-16T11-00-00-01234567-89ab-cdef-0123-456789abcdef.jsonl"
    path.write_text("\n".join(json.dumps({"timestamp": stamp, **line}) for line in lines) + "\n", encoding="utf-8")
    return path


async def test_what_the_user_took_is_in_the_ledger_once_with_its_model_and_the_providers_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    home = tmp_path / "home"
    rollout(home, NOW - timedelta(minutes=10))
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS, clock=Clock()) as garden:
        await garden.sessions.allow("codex")
        await garden.sessions.scan(home=home)
        path = next((home / ".codex").rglob("*.jsonl"))
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        await garden.sessions.scan(home=home)
        used = await garden.minds.usage()
        assert [(each.name, each.calls) for each in used.user_models] == [("codex gpt-scripted", 1)]
        assert (used.user.tokens_in, used.user.tokens_cached, used.user.tokens_out) == (1200, 200, 300)
        assert (used.user_today.charged_tokens, used.total.calls) == (1500, 0)
        # 1,500 tokens are a quarter of the window, so 4,500 are left of it; too little for a cycle beside the user.
        budget = await find_budget(garden.store, NOW, "codex", "ambient", None, BOUNDS)
        assert (budget.remaining, budget.window, budget.why) == (4500, "primary", BudgetReason.USED_UP)


def test_snapshots_that_make_no_sense_say_nothing() -> None:
    for bad in ({}, {"primary": None}, {"primary": {"used_percent": "x"}}, {"primary": {"used_percent": -1}}):
        assert read_codex_snapshot(bad, NOW).windows == ()
    told = read_codex_snapshot({"primary": {"used_percent": 5, "resets_in_seconds": 60, "window_minutes": "x"}}, NOW)
    assert [(w.resets_at, w.minutes) for w in told.windows] == [(NOW + timedelta(seconds=60), None)]


# -- figures ----------------------------------------------------------------------------------------------------------


def test_a_share_that_is_used_becomes_tokens_by_what_the_ledger_knows() -> None:
    window = Window(
        name="5h", used_percent=20, resets_at=NOW + timedelta(hours=1), minutes=300, at=NOW - timedelta(hours=1)
    )
    calls = [a_call(30, 1000), a_call(90, 50_000), a_call(91, 50_000, budget="ambient"), a_call(600, 10**6)]
    share = share_of(window, calls, NOW)
    assert share is not None
    assert (share.remaining, share.used_by_us) == (500_000 - 101_000, 50_000)
    assert share_of(window, [], NOW) is None
    assert share_of(Window(name="requests", remaining=5, resets_at=NOW + timedelta(hours=1)), [], NOW) is None
    assert share_of(Window(name="tokens", remaining=5, resets_at=NOW), [], NOW) is None


def test_the_users_pace_is_of_the_same_provider_and_their_presence_of_any() -> None:
    calls = [
        a_call(5, 100, provider="claude"),
        a_call(30, 600),
        a_call(59, 60),
        a_call(61, 7),
        a_call(1, 10**6, budget="ambient"),
    ]
    pace = pace_of(calls, "codex", NOW, active=False)
    assert (pace.tokens_last_hour, pace.idle_for) == (660, timedelta(minutes=5))
    assert sum(tokens for _, tokens in pace.history) == 667
    assert pace_of([], "codex", NOW, active=False) == UserPace()


def test_cycles_and_refusals_are_counted_newest_first() -> None:
    calls = [
        a_call(1, 5, budget="ambient", cycle="c", outcome=CallOutcome.RATE_LIMITED),
        a_call(2, 5, budget="ambient", cycle="c", outcome=CallOutcome.RATE_LIMITED),
        a_call(3, 1000, budget="ambient", cycle="c"),
        a_call(9, 400, budget="ambient", cycle="b"),
        a_call(10, 400, budget="ambient", cycle="b"),
        a_call(11, 9, budget="mind"),
    ]
    work = work_of(calls, "ambient")
    assert (work.cycle_tokens, work.refusals, work.quiet_cycles) == ((1010, 800), 2, 0)
    assert work_of(calls[3:], "ambient").quiet_cycles == 1


# -- cadence ----------------------------------------------------------------------------------------------------------


def said(turns: int) -> tuple[Message, ...]:
    at = NOW - timedelta(hours=1)
    talk = [
        (
            Message(
                id=f"u{n}", role="user", text=f"Please look at part {n} of the parser and tell me what you see", at=at
            ),
            Message(id=f"a{n}", role="assistant", text="I see a loop that could be simpler, and say why here.", at=at),
        )
        for n in range(turns)
    ]
    return tuple(message for pair in talk for message in pair)


async def test_a_mind_is_asked_after_twelve_turns_and_at_the_end_and_never_at_every_stop(tmp_path: Path) -> None:
    mind = ScriptedMind(reply=lambda prompt: '{"memories": []}')
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS, mind=mind, clock=Clock()) as garden:
        asked = []
        for turns in range(1, 31):
            await garden.sessions.add(Session(id="s", messages=said(turns), status=SessionStatus.ACTIVE))
            before = len(mind.asked)
            await garden.sessions.extract("s", cue=SessionCue())
            asked += [turns] if len(mind.asked) > before else []
        assert asked == [12, 24]
        await garden.sessions.extract("s", cue=SessionCue(ended=True))
        await garden.sessions.extract("s", cue=SessionCue(ended=True))
        assert len(mind.asked) == 3  # the end once: nothing was said after it
        await garden.sessions.extract("s", again=True)
        assert len(mind.asked) == 4


async def test_a_change_of_topic_is_worth_asking_once_there_is_something_to_read(tmp_path: Path) -> None:
    mind = ScriptedMind(reply=lambda prompt: '{"memories": []}')
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS, mind=mind, clock=Clock()) as garden:
        for turns, expected in ((3, 0), (4, 1), (5, 1)):
            await garden.sessions.add(Session(id="s", messages=said(turns), status=SessionStatus.ACTIVE))
            await garden.sessions.extract("s", cue=SessionCue(topic_changed=True))
            assert len(mind.asked) == expected


async def test_what_a_mind_finds_later_in_what_the_rules_have_read_is_kept(tmp_path: Path) -> None:
    found = {"category": "fact", "content": "Part 0 of the parser matters to the user", "message_id": "u0"}
    found |= {"evidence": "Please look at part 0 of the parser"}
    mind = ScriptedMind(reply=lambda prompt: json.dumps({"memories": [found]}))
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS, mind=mind, clock=Clock()) as garden:
        await garden.sessions.add(Session(id="s", messages=said(4), status=SessionStatus.ACTIVE))
        await garden.sessions.extract("s", cue=SessionCue())
        assert mind.asked == []
        await garden.sessions.extract("s", cue=SessionCue(ended=True))
        assert [memory.content for memory in await garden.list()] == [found["content"]]
