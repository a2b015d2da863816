"""What providers say about their limits, in every form in use, and when one is left alone. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.record import from_record, to_record
from nightgarden.minds.claude import Claude
from nightgarden.minds.codex_exec import CodexMind
from nightgarden.minds.limits import NO_LIMITS, Limits, Window, free_at, read_claude_event, read_headers
from nightgarden.minds.pausing import PAUSE_MAX, PAUSE_MIN, ProviderState, after, retry_seconds, why_not
from nightgarden.minds.program import EndedProgram

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


class Clock:
    def now(self) -> datetime:
        return NOW


@pytest.mark.parametrize(
    ("headers", "remaining", "seconds"),
    [
        ({"X-RateLimit-Remaining-Tokens": "5", "x-ratelimit-reset-tokens": "6m0s"}, 5, 360),
        ({"x-ratelimit-remaining-tokens": "5", "x-ratelimit-reset-tokens": "120ms"}, 5, 0.12),
        ({"x-ratelimit-remaining-tokens": "5", "x-ratelimit-reset-tokens": "2026-11-16T12:00:30Z"}, 5, 30),
        (
            {"anthropic-ratelimit-tokens-remaining": "5", "anthropic-ratelimit-tokens-reset": "2026-11-16T12:01:00Z"},
            5,
            60,
        ),
        ({"x-ratelimit-remaining-tokens": "5", "x-ratelimit-reset-tokens": str(int(NOW.timestamp()) + 9)}, 5, 9),
    ],
)
def test_both_providers_forms_are_read(headers: dict[str, str], remaining: int, seconds: float) -> None:
    (window,) = read_headers(headers, NOW).windows
    assert (window.name, window.remaining) == ("tokens", remaining)
    assert window.resets_at == NOW + timedelta(seconds=seconds)
    limits = Limits(windows=(window,))
    assert free_at(limits, 5, NOW) is None
    assert free_at(limits, 6, NOW) == window.resets_at
    assert free_at(limits, 6, NOW + timedelta(hours=1)) is None


@pytest.mark.parametrize(("text", "seconds"), [("7", 7), ("Mon, 16 Nov 2026 12:00:09 GMT", 9)])
def test_retry_after_is_seconds_or_a_date(text: str, seconds: int) -> None:
    assert read_headers({"Retry-After": text}, NOW).retry_at == NOW + timedelta(seconds=seconds)


@given(
    st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"]), st.text()
    )
)
def test_what_cannot_be_read_stops_nothing_and_nobody_waits_longer_than_a_month(headers: dict[str, str]) -> None:
    free = free_at(read_headers(headers, NOW), 1000, NOW)
    assert free is None or free <= NOW + timedelta(days=32)


def test_the_events_of_claude_tell_its_windows() -> None:
    resets = int(NOW.timestamp()) + 600
    info = {"status": "rejected", "rateLimitType": "five_hour", "utilization": 1.0, "resetsAt": resets}
    limits = read_claude_event(info, NOW)
    assert limits.windows[0].used_percent == 100
    assert free_at(limits, 0, NOW) == NOW + timedelta(minutes=10)
    told = {"status": "allowed", "rateLimitType": "five_hour", "utilization": 0.5}
    line = json.dumps({"type": "rate_limit_event", "rate_limit_info": told})
    result = '{"type":"result","is_error":false,"result":"{}","usage":{"input_tokens":3,"cache_read_input_tokens":4}}'
    found = Claude().read(EndedProgram(status=0, output=f"{line}\nnoise\n{result}\n", errors=""), Clock())
    assert found.limits.windows == (Window(name="five_hour", used_percent=50.0, minutes=300, at=NOW),)
    assert (found.usage.tokens_in, found.usage.tokens_cached) == (7, 4)


def test_codex_says_in_words_when_its_plan_is_used_up() -> None:
    line = (
        '{"type":"turn.failed","error":{"message":"You have hit your usage limit. Try again in 3 hours 20 minutes."}}'
    )
    with pytest.raises(Exception, match="usage limit") as raised:
        CodexMind().read(EndedProgram(status=1, output=line, errors=""), Clock())
    assert raised.value.outcome is CallOutcome.RATE_LIMITED  # type: ignore[attr-defined]
    assert raised.value.limits.retry_at == NOW + timedelta(hours=3, minutes=20)  # type: ignore[attr-defined]


def failed(state: ProviderState, outcome: CallOutcome, limits: Limits = NO_LIMITS) -> ProviderState:
    return replace(after(state, outcome, limits, reason="why", now=NOW), model="m")


def test_the_breaker_opens_at_the_third_failure_and_doubles_its_pause() -> None:
    state, pauses = ProviderState(), []
    for _ in range(12):
        state = failed(state, CallOutcome.SERVER_ERROR)
        pauses.append(state.paused_until - NOW if state.paused_until else None)
    assert pauses[:5] == [None, None, PAUSE_MIN, 2 * PAUSE_MIN, 4 * PAUSE_MIN]
    assert pauses[-1] == PAUSE_MAX
    assert "why" in why_not(state, model="m", tokens=1, now=NOW)
    assert why_not(state, model="another", tokens=1, now=NOW) == ""
    assert why_not(state, model="m", tokens=1, now=NOW + PAUSE_MAX) == ""
    good = after(state, CallOutcome.ANSWERED, NO_LIMITS, reason="", now=NOW)
    assert (good.failures_in_row, good.paused_until) == (0, None)
    assert good.outcomes == {"server_error": 12, "answered": 1}
    assert from_record(ProviderState, to_record(good)) == good


def test_a_rate_limit_pauses_at_once_for_as_long_as_the_provider_says_else_longer_each_time() -> None:
    told = failed(ProviderState(), CallOutcome.RATE_LIMITED, Limits(retry_at=NOW + timedelta(minutes=7)))
    assert told.paused_until == NOW + timedelta(minutes=7)
    first = failed(ProviderState(), CallOutcome.RATE_LIMITED)
    assert first.paused_until == NOW + PAUSE_MIN
    assert failed(first, CallOutcome.RATE_LIMITED).paused_until == NOW + 2 * PAUSE_MIN


@pytest.mark.parametrize("outcome", list(CallOutcome))
def test_only_what_passes_is_tried_again_and_soon_or_not_at_all(outcome: CallOutcome) -> None:
    for limits in (NO_LIMITS, Limits(retry_at=NOW + timedelta(seconds=2)), Limits(retry_at=NOW + timedelta(minutes=2))):
        wait = retry_seconds(outcome, limits, chance=0.5, now=NOW)
        assert wait is None or 0 < wait < 6
        if outcome not in (CallOutcome.SERVER_ERROR, CallOutcome.RATE_LIMITED):
            assert wait is None
