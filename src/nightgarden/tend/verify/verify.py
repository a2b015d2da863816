"""Verifying memories against their project: once when they are new, and again when they are older than their half-life.

Confirmed: believed again as of now. Changed: what was read or concluded without the user is superseded by the same
statement with the new value, when that could be read and passes the rules of writing; what the user said is flagged,
for a file does not overrule its user. Gone: believed half as much, and flagged. Unknown: left alone. What comes out of
a file is outside text, and stays marked as such. Read-only towards the project; a project that is not on this machine
is not asked.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from nightgarden.domain.belief import OUTSIDE_CONFIDENCE_MAX, TAINTED_TRUST, TRUST, half_life_days
from nightgarden.domain.doubt import Doubt, DoubtKind, without_kind
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ids import encode_id
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import USER_SAID, Category, Memory, Provenance
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.remember.edit import superseded
from nightgarden.remember.refuse import Passed, refuse
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending
from nightgarden.tend.verify.claim_check import CheckedClaim, ClaimFinding, check, is_plain_path
from nightgarden.tend.verify.claims import find_claims
from nightgarden.tend.verify.last_checks import Account, key_of, load_accounts, write_account
from nightgarden.tend.verify.project import CheckedProject, read_project

CHECKED_MAX = 2_000  # of one project in one run
AGAIN_DAYS = 7  # what was checked is left alone for so long
CONFIDENCE_CONFIRMED = 0.9
GONE_FACTOR = 0.5
# Statements about how people want things are not borne out by files.
VERIFIED = frozenset(Category) - {Category.PREFERENCE, Category.CORRECTION, Category.EPISODE, Category.HANDOFF}


_NOTED = {
    ClaimFinding.CONFIRMED: "found in the project",
    ClaimFinding.CHANGED: "changed in the project",
    ClaimFinding.GONE: "no longer in the project",
    ClaimFinding.UNKNOWN: "that could not be checked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """What the project says to all claims of one memory."""

    finding: ClaimFinding
    checks: tuple[CheckedClaim, ...]

    @property
    def telling(self) -> CheckedClaim:
        return next(check for check in self.checks if check.finding is self.finding)


async def find(tending: Tending) -> TendPlan:
    """Checks what is due in every project that is on this machine."""
    plan = TendPlan(state=tending.done("verify"))
    by_scope = tending.snapshot.by_scope()
    for scope, root in sorted(tending.lent.roots.items()):
        accounts = await load_accounts(tending.store, scope)
        queued = await tending.lent.queued(scope) if tending.lent.queued is not None else {}
        due = [
            memory
            for memory in by_scope.get(scope, ())
            if is_due(
                memory,
                accounts.get(memory.id),
                now=tending.now,
                everything=tending.full,
                queued_at=queued.get(memory.id),
            )
        ][:CHECKED_MAX]
        if not due or not root.is_dir():
            continue
        try:
            outcomes = await asyncio.to_thread(examine, root, due, accounts)
        except Exception as error:  # noqa: BLE001 - a project may hold anything; named, and the next one is read
            plan.noted[f"{root} could not be read ({type(error).__name__})"] = 1
            continue
        live = {dedupe_key(memory.content): memory for memory in by_scope[scope]}
        plan.proposals += [p for m in due if (p := plan_one(m, outcomes.get(m.id), live, tending.now))]
        kept = {each: account for each, account in accounts.items() if each in tending.snapshot.memories}
        kept |= {m.id: _account(outcomes.get(m.id), tending.now) for m in due}
        plan.state[key_of(scope)] = {each: write_account(account) for each, account in sorted(kept.items())}
        for outcome in outcomes.values():
            noted = _NOTED[outcome.finding]
            plan.noted[noted] = plan.noted.get(noted, 0) + 1
    return plan


def is_due(
    memory: Memory,
    account: Account | None,
    *,
    now: datetime,
    everything: bool = False,
    queued_at: datetime | None = None,
) -> bool:
    """Whether a memory should be checked now. `queued_at`: since then somebody wants it checked."""
    if memory.category not in VERIFIED:
        return False
    if everything or memory.confirmed_at == now:  # by this run, before it broke off: its account is still to be written
        return True
    if queued_at is not None and (account is None or read_moment(account.at) < queued_at):
        return True
    if account is None:
        return True
    return now - read_moment(account.at) >= timedelta(days=AGAIN_DAYS) and is_old(memory, now=now)


def is_old(memory: Memory, *, now: datetime) -> bool:
    """Whether it was last confirmed more than a half-life ago."""
    return now - (memory.confirmed_at or memory.created_at) >= timedelta(days=half_life_days(memory))


def examine(root: Path, memories: Sequence[Memory], accounts: Mapping[str, Account]) -> dict[str, ClaimOutcome]:
    """Outcomes by memory id; memories that claim nothing are left out. Reads the project only if one claims."""
    claims = {memory.id: found for memory in memories if (found := find_claims(memory.content))}
    if not claims:
        return {}
    project = read_project(root)
    outcomes = {}
    for memory in memories:
        if memory.id in claims:
            account = accounts.get(memory.id)
            outcomes[memory.id] = examine_one(memory, project, account)
    return outcomes


def examine_one(memory: Memory, project: CheckedProject, account: Account | None) -> ClaimOutcome:
    """All claims of one memory; one that fails decides."""
    anchors = account.anchors if account else {}
    checks = tuple(
        check(claim, project, anchor=anchors.get(claim.id), statement=memory.content)
        for claim in find_claims(memory.content)
    )
    found = {each.finding for each in checks}
    order = (ClaimFinding.CHANGED, ClaimFinding.GONE, ClaimFinding.CONFIRMED)
    return ClaimOutcome(finding=next((f for f in order if f in found), ClaimFinding.UNKNOWN), checks=checks)


def _account(outcome: ClaimOutcome | None, now: datetime) -> Account:
    if outcome is None:
        return Account(at=write_moment(now), verdict="none")
    anchors = {anchor.claim: anchor for each in outcome.checks if (anchor := each.anchor)}
    return Account(at=write_moment(now), verdict=outcome.finding.value, anchors=anchors)


def plan_one(
    memory: Memory, outcome: ClaimOutcome | None, live: Mapping[str, Memory], now: datetime
) -> Proposal | None:
    """What becomes of a memory after its check."""
    if outcome is None:
        return None
    match outcome.finding:
        case ClaimFinding.CONFIRMED:
            return _confirm(memory, outcome.telling, now)
        case ClaimFinding.CHANGED:
            changed = [each for each in outcome.checks if each.finding is ClaimFinding.CHANGED]
            return _supersede(memory, changed, live, now) or _doubt(memory, outcome.telling, now)
        case ClaimFinding.GONE:
            return _doubt(memory, outcome.telling, now)
        case ClaimFinding.UNKNOWN:
            return None


def _confirm(memory: Memory, found: CheckedClaim, now: datetime) -> Proposal | None:
    in_doubt = _is_gone(memory)
    if not in_doubt and not is_old(memory, now=now):
        return None
    after = replace(
        memory,
        confidence=max(memory.confidence, OUTSIDE_CONFIDENCE_MAX if memory.tainted else CONFIDENCE_CONFIRMED),
        confidence_reason=f"found in {_place(found)}",
        confirmed_at=now,
        doubts=without_kind(memory.doubts, DoubtKind.GONE),
        updated_at=now,
    )
    return propose("confirmed", [Change(memory, after)], f"{found.claim.kind} {_shown(found)} is in {_place(found)}")


def _doubt(memory: Memory, found: CheckedClaim, now: datetime) -> Proposal | None:
    if _is_gone(memory):
        return None
    now_reads = f"; {_place(found)} has {found.value}" if found.value else ""
    doubt = Doubt(kind=DoubtKind.GONE, detail=f"{found.claim.kind} {_shown(found)}{now_reads}")
    doubts = (*memory.doubts, doubt)
    after = replace(memory, confidence=memory.confidence * GONE_FACTOR, doubts=doubts, updated_at=now)
    return propose("doubted", [Change(memory, after)], doubt.sentence)


def _is_gone(memory: Memory) -> bool:
    return any(doubt.kind is DoubtKind.GONE for doubt in memory.doubts)


def _shown(found: CheckedClaim) -> str:
    return " ".join(dict.fromkeys(part for part in (found.claim.subject, found.claim.value) if part))


def _place(found: CheckedClaim) -> str:
    """The file by its name, unless the name is more than a name."""
    return found.file if is_plain_path(found.file) and not find_secrets(found.file) else "a file of the project"


def _supersede(
    memory: Memory, found: Iterable[CheckedClaim], live: Mapping[str, Memory], now: datetime
) -> Proposal | None:
    """The statement with the new values in place of the old one. None when a file may not do that: the user said it,
    a value is not to be repeated, or a rule of writing stands against the new text."""
    found = sorted(found, key=lambda each: each.claim.start)
    if memory.pinned or memory.provenance in USER_SAID or not all(each.value and each.claim.end for each in found):
        return None
    text = put_values(memory.content, found)
    passed = refuse(text, tainted=True)
    if not isinstance(passed, Passed) or passed.text != text:
        return None
    why = "; ".join(f"{_shown(each)} is now {each.value} in {_place(each)}" for each in found)
    known = live.get(dedupe_key(text))
    new = known if known is not None else _with_text(memory, text, found[0], now)
    changes = [Change(memory, superseded(memory, by=new.id, at=now, now=now))]
    if known is None:
        changes.append(Change(None, new))
    edge = Edge(source=new.id, target=memory.id, kind=EdgeKind.SUPERSEDES, created_at=now, updated_at=now)
    return propose("updated", [*changes, Change(None, edge)], why)


def put_values(text: str, found: Sequence[CheckedClaim]) -> str:
    """The statement with new values in the places of the old ones."""
    for each in sorted(found, key=lambda each: -each.claim.start):
        text = text[: each.claim.start] + each.value + text[each.claim.end :]
    return text


def _with_text(memory: Memory, text: str, found: CheckedClaim, now: datetime) -> Memory:
    """The same memory as it reads now, seen in the code. Its id follows from the old one, so a repeated run agrees."""
    place = _place(found)
    entropy = int.from_bytes(hashlib.sha256(f"{memory.id}>{text}".encode()).digest()[:10], "big")
    return replace(
        memory,
        id=encode_id(int(now.timestamp() * 1000), entropy),
        content=text,
        provenance=Provenance.OBSERVED,
        trust=min(TRUST[Provenance.OBSERVED], TAINTED_TRUST),
        confidence=OUTSIDE_CONFIDENCE_MAX,
        confidence_reason=f"found in {place}",
        tainted=True,
        created_at=now,
        updated_at=now + timedelta(microseconds=1),  # after the run, so that the next one takes it for new
        confirmed_at=now,
        last_accessed_at=None,
        access_count=0,
        doubts=(),
        valid_from=now,
        valid_until=None,
        file_paths=tuple(dict.fromkeys((*memory.file_paths, *([place] if place == found.file else [])))),
    )
