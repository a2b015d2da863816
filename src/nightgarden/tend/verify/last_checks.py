"""What was found when memories were last checked, kept per scope in the program's own state.

An anchor is the place in the project that bore a claim out. When that place says something else later, the claim has
changed; when the place is gone, so is the claim. Without an anchor much less can be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.state_keys import TEND_VERIFIED as PREFIX


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where a claim was borne out: a file, the key in it, and what it said there."""

    claim: str
    file: str
    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The last check of one memory."""

    at: str  # as write_moment writes it
    verdict: str
    anchors: Mapping[str, Anchor] = field(default_factory=dict)  # by claim


def key_of(scope: Scope) -> str:
    return f"{PREFIX}{scope}"


async def load_accounts(store: Store, scope: Scope) -> dict[str, Account]:
    """By memory id."""
    found: Mapping[str, Any] = await store.get_state(key_of(scope)) or {}
    return {each: read_account(record) for each, record in found.items()}


async def load_verdicts(store: Store) -> dict[str, str]:
    """The last verdict on each memory that was ever checked, in all scopes."""
    kept = await store.state_items(PREFIX)
    return {each: str(record["verdict"]) for records in kept.values() for each, record in records.items()}


def read_account(record: Mapping[str, Any]) -> Account:
    anchors = (Anchor(**anchor) for anchor in record.get("anchors", ()))
    return Account(at=record["at"], verdict=record["verdict"], anchors={anchor.claim: anchor for anchor in anchors})


def write_account(account: Account) -> dict[str, Any]:
    anchors = [
        {"claim": anchor.claim, "file": anchor.file, "key": anchor.key, "value": anchor.value}
        for _, anchor in sorted(account.anchors.items())
    ]
    return {"at": account.at, "verdict": account.verdict, "anchors": anchors}
