"""The state of live sessions: it survives a restart, stays small, and knows what must not be shown again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from nightgarden.sessions.live import IDS_MAX, KEPT, SESSIONS_MAX, SURFACED_TURNS, LiveSession, LiveSessions, Prepared
from nightgarden.sessions.topic import follow_topic, topic_changed

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
REPEAT = timedelta(minutes=45)


def session(**fields: object) -> LiveSession:
    return LiveSession(id="s", seen_at=NOW, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("minutes", "cleared", "digest", "hidden"),
    [
        (1, False, "same", True),
        (44, True, "same", True),  # a new topic does not lift the 45 minutes
        (46, True, "same", False),
        (46, False, "same", True),  # still surfaced in this topic
        (1, False, "other", False),  # it says something else now
    ],
)
def test_what_was_shown_is_hidden_for_a_while_unless_it_changed(minutes, cleared, digest, hidden):
    state = session().after_showing([("a", "same")], "d", NOW).next_turn(NOW, topic_changed=cleared)
    known = state.known({"a": digest}, now=NOW + timedelta(minutes=minutes), repeat=REPEAT)
    assert (known == {"a"}) is hidden


def test_what_a_session_wrote_is_never_echoed_to_it():
    state = session().having_written("a")
    assert state.known({"a": "x", "b": "y"}, now=NOW + timedelta(days=3), repeat=REPEAT) == {"a"}


def test_a_very_long_topic_may_see_things_again():
    state = session().after_showing([("a", "x")], "d", NOW)
    for _ in range(SURFACED_TURNS):
        state = state.next_turn(NOW, topic_changed=False)
    assert state.surfaced == ()


def test_a_state_does_not_grow_for_ever():
    state = session()
    for n in range(3 * IDS_MAX):
        state = state.after_showing([(f"m{n}", "x")], "d", NOW).having_written(f"w{n}")
    assert len(state.surfaced) == len(state.shown) == len(state.wrote) == IDS_MAX
    assert state.shown[-1].id == f"m{3 * IDS_MAX - 1}"


async def test_a_state_that_is_saved_while_it_is_looked_up_is_found(store, monkeypatch):
    live = LiveSessions(store)
    live.keep(session(turns=1))
    read = store.get_state

    async def read_then_save(key):
        record = await read(key)
        await live.save("s")
        return record

    monkeypatch.setattr(store, "get_state", read_then_save)
    assert await live.find("s") == session(turns=1)


async def test_the_state_survives_a_restart(store):
    vector = np.array([0.6, 0.8], np.float32)
    state = session(verified=("v",), prepared=Prepared(ids=("p",), expires_at=NOW)).with_topic(vector, "model")
    state = state.after_showing([("a", "x")], "digest", NOW).having_written("w").next_turn(NOW, topic_changed=False)
    first = LiveSessions(store)
    first.keep(state)
    await first.save("s")
    again = await LiveSessions(store).find("s")
    assert again == state
    assert again is not None
    assert again.topic_vector("model") == pytest.approx(vector, abs=1e-3)
    assert again.topic_vector("another model") is None


async def test_what_this_process_knows_newer_wins_until_another_process_goes_on(store):
    here, there = LiveSessions(store), LiveSessions(store)
    here.keep(session(turns=3))
    assert (await here.get("s", now=NOW)).turns == 3
    there.keep(session(turns=5))
    await there.save("s")
    assert (await here.get("s", now=NOW)).turns == 5


async def test_only_so_many_sessions_are_kept_and_none_for_longer_than_a_week(store):
    live = LiveSessions(store)
    for n in range(SESSIONS_MAX + 5):
        live.keep(LiveSession(id=f"s{n:03}", seen_at=NOW + timedelta(seconds=n), turns=1))
        await live.save(f"s{n:03}")
    kept = await live.list()
    assert len(kept) == SESSIONS_MAX
    assert kept[-1].id == "s005"
    live.keep(LiveSession(id="later", seen_at=NOW + KEPT + timedelta(hours=1), turns=1))
    await live.save("later")
    assert [each.id for each in await live.list()] == ["later"]


def at_angle(cosine: float) -> np.ndarray:
    return np.array([cosine, (1 - cosine**2) ** 0.5], np.float32)


@pytest.mark.parametrize(
    ("cosine", "model", "text", "changed"),
    [
        (0.1, "all-MiniLM-L6-v2", "the deployment of the thesis website fails", True),
        (0.29, "all-MiniLM-L6-v2", "the deployment of the thesis website fails", True),
        (0.31, "all-MiniLM-L6-v2", "the deployment of the thesis website fails", False),
        (0.1, "all-MiniLM-L6-v2", "and the other one?", False),  # too short to be a topic
        (0.45, "bge-small-en-v1.5", "the deployment of the thesis website fails", True),  # strangers lie at .5 there
        (0.60, "bge-small-en-v1.5", "the deployment of the thesis website fails", False),
    ],
)
def test_a_topic_changes_when_a_turn_is_no_nearer_than_a_stranger(cosine, model, text, changed):
    assert topic_changed(at_angle(1.0), at_angle(cosine), text, model) is changed


def test_a_topic_follows_the_turns_and_starts_anew_when_it_changes():
    old, new = at_angle(1.0), at_angle(0.0)
    followed = follow_topic(old, new, changed=False)
    assert float(followed @ followed) == pytest.approx(1.0)
    assert float(followed @ old) == pytest.approx(float(followed @ new))
    assert follow_topic(old, new, changed=True) is new
    assert follow_topic(None, new, changed=False) is new
