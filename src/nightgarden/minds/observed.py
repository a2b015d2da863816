"""The user's own use of models, as the transcripts of their clients tell it: rows of the ledger that no cap counts, and
what a client wrote down about its provider's limits. Words of the transcripts do not come here.

A row's id is made of session and message, so a transcript that is read again writes the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from nightgarden.domain.mind_call import USER, CallOutcome, MindCall
from nightgarden.domain.ports import Store
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message
from nightgarden.domain.time import as_utc
from nightgarden.minds.limits import merge, read_codex_snapshot
from nightgarden.minds.pausing import STATE, ProviderState

PROVIDERS = {"codex": "codex", "claude-code": "claude", "opencode": "opencode"}  # whose tokens a client uses
KEPT_DAYS = 31  # further back nobody asks: budgets look at a week, `usage` at a month


def call_of(client: str, session_id: str, message: Message, model: str) -> MindCall | None:
    """What a message took, as a row; None when its client does not tell."""
    if message.usage is None:
        return None
    used = message.usage
    tokens_in = used.input_tokens + used.cached_tokens
    return MindCall(
        id=f"user-{session_id}-{message.id}",
        at=as_utc(message.at),
        budget=USER,
        provider=PROVIDERS.get(client, client),
        model=model,
        purpose=USER,
        outcome=CallOutcome.ANSWERED,
        charged_tokens=tokens_in + used.output_tokens,
        charged_usd=0.0,
        tokens_in=tokens_in,
        tokens_out=used.output_tokens,
        tokens_cached=used.cached_tokens,
    )


async def observe_usage(
    store: Store, client: str, messages: Sequence[Message], models: Mapping[str, str], *, session_id: str, now: datetime
) -> int:
    """Writes down what the user's agent took for these messages. Returns how many rows."""
    oldest = now - timedelta(days=KEPT_DAYS)
    found = [call_of(client, session_id, message, models.get(message.id, "")) for message in messages]
    rows = [call for call in found if call is not None and call.at >= oldest]
    for call in rows:
        await store.close_call(call)
    return len(rows)


async def observe_limits(store: Store, client: str, snapshot: Mapping[str, Any], at: datetime) -> None:
    """Keeps what a client was told about its provider's limits, unless something newer is known."""
    provider = PROVIDERS.get(client, client)
    told = read_codex_snapshot(snapshot, at)
    if not told.windows:
        return
    kept = await store.get_state(STATE + provider)
    try:
        state = from_record(ProviderState, kept) if kept else ProviderState()
    except (KeyError, TypeError, ValueError):
        state = ProviderState()
    newest = max((window.at for window in state.limits.windows if window.at is not None), default=None)
    if newest is None or newest < at:
        limits = replace(merge(state.limits, told), retry_at=state.limits.retry_at)
        await store.put_state(STATE + provider, to_record(replace(state, limits=limits)))
