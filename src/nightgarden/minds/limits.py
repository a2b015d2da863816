"""What providers and programs say about their rate limits, read from headers and events. Pure.

Read are OpenAI's headers (`x-ratelimit-…`, resets as `6m0s`), Anthropic's (`anthropic-ratelimit-…`, resets as moments,
and the windows of a subscription), `retry-after` in seconds or as a date, and the events of `claude`. What cannot be
read is left out: a limit that nobody understood must not stop anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d)")
_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPAN_CHARS_MAX = 64
_AHEAD_MAX = timedelta(days=32)  # a month's window; what claims to reset later is not believed
_MINUTES = {"five_hour": 300, "5h": 300, "seven_day": 10_080, "7d": 10_080, "seven_day_opus": 10_080}
_SUBSCRIPTION = ("5h", "7d")  # names of the windows in anthropic-ratelimit-unified-5h-utilization and its like


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One limit: how much of it is left, or which share of it is used, and when it begins anew."""

    name: str  # requests, tokens, five_hour …
    remaining: int | None = None
    limit: int | None = None
    used_percent: float | None = None
    resets_at: datetime | None = None
    minutes: int | None = None  # how long it is, where that is told
    at: datetime | None = None  # when this was told


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All that one answer said."""

    windows: tuple[Window, ...] = ()
    retry_at: datetime | None = None  # not before this moment, says the provider itself


NO_LIMITS = Limits()


def read_headers(headers: Mapping[str, str], now: datetime) -> Limits:
    """The limits in the headers of a response."""
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    windows = [_window(lower, _OPENAI, kind, now) for kind in ("requests", "tokens")]
    windows += [
        _window(lower, _ANTHROPIC, kind, now) for kind in ("requests", "tokens", "input-tokens", "output-tokens")
    ]
    windows += [_subscription(lower, name, now) for name in _SUBSCRIPTION]
    return Limits(windows=tuple(w for w in windows if w is not None), retry_at=_retry_at(lower, now))


def read_claude_event(info: Mapping[str, Any], now: datetime) -> Limits:
    """The limits in a `rate_limit_event` of `claude`."""
    used = info.get("utilization")
    resets_at = read_moment(info.get("resetsAt"), now)
    window = Window(
        name=str(info.get("rateLimitType") or "subscription")[:40],
        used_percent=min(100.0, max(0.0, 100 * used)) if isinstance(used, int | float) else None,
        resets_at=resets_at,
        minutes=_MINUTES.get(str(info.get("rateLimitType"))),
        at=now,
    )
    rejected = info.get("status") == "rejected"
    return Limits(windows=(window,), retry_at=resets_at if rejected else None)


def read_codex_snapshot(snapshot: Mapping[str, Any], at: datetime) -> Limits:
    """The limits in a rollout of `codex`, as they were at that moment: shares of one or two windows."""
    windows = []
    for name in ("primary", "secondary"):
        told = snapshot.get(name)
        used = told.get("used_percent") if isinstance(told, Mapping) else None
        if not isinstance(told, Mapping) or not isinstance(used, int | float) or not 0 <= used <= 1000:
            continue
        minutes = told.get("window_minutes")
        resets = read_moment(told.get("resets_at"), at)
        if resets is None and isinstance(seconds := told.get("resets_in_seconds"), int):
            resets = _believed(at + timedelta(seconds=min(max(seconds, 0), 10**9)), at)
        windows.append(
            Window(
                name=name,
                used_percent=min(100.0, float(used)),
                resets_at=resets,
                minutes=minutes if isinstance(minutes, int) and 0 < minutes < 100_000 else None,
                at=at,
            )
        )
    return Limits(windows=tuple(windows))


def merge(known: Limits, new: Limits) -> Limits:
    """What is known after an answer: its windows replace those of the same name."""
    windows = {window.name: window for window in (*known.windows, *new.windows)}
    return replace(new, windows=tuple(windows[name] for name in sorted(windows)))


def free_at(limits: Limits, tokens: int, now: datetime) -> datetime | None:
    """When a call of so many tokens fits again; None: now."""
    waits = [
        window.resets_at
        for window in limits.windows
        if window.resets_at is not None and window.resets_at > now and _is_used_up(window, tokens)
    ]
    if limits.retry_at is not None and limits.retry_at > now:
        waits.append(limits.retry_at)
    return max(waits, default=None)


def _is_used_up(window: Window, tokens: int) -> bool:
    if window.used_percent is not None and window.used_percent >= 100:
        return True
    if window.remaining is None:
        return False
    # A call that is larger than the whole window is tried when the window is fresh.
    needed = 1 if window.name == "requests" else min(tokens, window.limit or tokens)
    return window.remaining < needed


_OPENAI = "x-ratelimit-{what}-{kind}"
_ANTHROPIC = "anthropic-ratelimit-{kind}-{what}"


def _window(headers: Mapping[str, str], form: str, kind: str, now: datetime) -> Window | None:
    """A window as one provider names its headers; None when they tell nothing of it."""

    def told(what: str) -> str | None:
        return headers.get(form.format(what=what, kind=kind))

    remaining = _number(told("remaining"))
    if remaining is None:
        return None
    return Window(
        name=kind,
        remaining=remaining,
        limit=_number(told("limit")),
        resets_at=read_moment(told("reset"), now),
        at=now,
    )


def _subscription(headers: Mapping[str, str], name: str, now: datetime) -> Window | None:
    try:
        used = float(headers[f"anthropic-ratelimit-unified-{name}-utilization"])
    except (KeyError, ValueError):
        return None
    resets_at = read_moment(headers.get(f"anthropic-ratelimit-unified-{name}-reset"), now)
    used_percent = min(100.0, max(0.0, 100 * used))
    return Window(name=name, used_percent=used_percent, resets_at=resets_at, minutes=_MINUTES[name], at=now)


def _retry_at(headers: Mapping[str, str], now: datetime) -> datetime | None:
    text = headers.get("retry-after", "")
    if (seconds := _number(text)) is not None:
        return now + min(timedelta(seconds=min(seconds, 10**9)), _AHEAD_MAX)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return _believed(moment if moment.tzinfo else moment.replace(tzinfo=UTC), now)


def _number(text: str | None) -> int | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return int(number) if 0 <= number < 1e15 else None


def read_moment(value: Any, now: datetime) -> datetime | None:
    """A reset in any of the forms in use: a moment, seconds since 1970, or a span such as 6m0s."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _since_1970(float(value), now)
    if not isinstance(value, str) or not value:
        return None
    if (number := _number(value)) is not None:
        return _since_1970(number, now) if number > 10**8 else _believed(now + timedelta(seconds=number), now)
    try:
        moment = datetime.fromisoformat(value)
        return _believed(moment if moment.tzinfo else moment.replace(tzinfo=UTC), now)
    except ValueError:
        spans = _SPAN.findall(value[:_SPAN_CHARS_MAX])
    if not spans:
        return None
    seconds = sum(float(count) * _UNIT_SECONDS[unit] for count, unit in spans)
    return _believed(now + timedelta(seconds=min(seconds, 10**9)), now)


def _since_1970(seconds: float, now: datetime) -> datetime | None:
    try:
        return _believed(datetime.fromtimestamp(seconds, UTC), now)
    except (ValueError, OverflowError, OSError):
        return None


def _believed(moment: datetime, now: datetime) -> datetime | None:
    return moment.astimezone(UTC) if moment <= now + _AHEAD_MAX else None
