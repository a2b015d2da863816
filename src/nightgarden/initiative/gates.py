"""Whether a tick consults the model at all, and about what. Pure: time, figures and chance are passed in.

The gates stand in a fixed order and each gives a reason, so that the log can say why it was quiet. A pending thought
that is due comes first and passes neither the gap nor the roll, which are for fresh thoughts alone. It blocks fresh
thoughts in its own community only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.initiative.thoughts import FAILURES_MAX, Thought
from nightgarden.settings.initiative import InitiativeSettings

HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)  # rolling: no rush of posts around midnight


class TickGate(StrEnum):
    """What is asked, in this order."""

    ENABLED = "enabled"
    CHANNELS = "channels"
    DAILY_CAP = "daily cap"
    HOURLY_CAP = "hourly cap"
    SPACING = "spacing"
    MIND = "mind"
    PENDING = "pending thought"
    ATTENTION = "attention"
    GAP = "gap"
    EAGERNESS = "eagerness"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateAnswer:
    """One gate's answer."""

    gate: TickGate
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An eligible channel as the gates see it."""

    channel: str
    community: str
    active: bool = False  # somebody is talking with us there: the reply path has it
    humans_last_hour: int = 0  # messages of people
    newest_human_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Everything the gates look at."""

    now: datetime
    settings: InitiativeSettings
    rooms: Sequence[Room]
    has_mind: bool = True
    posts_last_day: int = 0  # of this cycle
    sends_last_hour: int = 0  # of everything we send
    last_send_at: datetime | None = None
    pending: Sequence[Thought] = ()
    last_fresh_at: datetime | None = None  # when a fresh thought was last considered, whatever came of it


@dataclass(frozen=True, slots=True, kw_only=True)
class TickPlan:
    """What a tick does: thoughts to clear away with the reason, one to revisit, and a community for a fresh one."""

    asked: tuple[GateAnswer, ...]
    cleared: tuple[tuple[Thought, str], ...] = ()
    revisit: Thought | None = None
    fresh: str | None = None  # a community

    @property
    def quiet(self) -> bool:
        return self.revisit is None and self.fresh is None

    @property
    def reason(self) -> str:
        """Why it is quiet: the first gate that stopped it."""
        return next((f"{each.gate}: {each.reason}" for each in self.asked if not each.passed), "")


def plan_tick(standing: Standing, roll: Callable[[], float]) -> TickPlan:
    """`roll` gives a number from 0 up to 100, and is asked once, when everything else has passed."""
    cleared = tuple(_to_clear(standing))
    gone = {thought.id for thought, _ in cleared}
    pending = [thought for thought in standing.pending if thought.id not in gone]
    asked: list[GateAnswer] = []
    for gate in (_enabled, _channels, _daily_cap, _hourly_cap, _spacing, _mind):
        asked.append(gate(standing))
        if not asked[-1].passed:
            return TickPlan(asked=tuple(asked), cleared=cleared)
    revisit = _revisit(standing, pending, asked)
    fresh = _fresh(standing, pending, asked, roll)
    return TickPlan(asked=tuple(asked), cleared=cleared, revisit=revisit, fresh=fresh)


def _to_clear(standing: Standing) -> list[tuple[Thought, str]]:
    communities = {room.community for room in standing.rooms}
    found = []
    for thought in standing.pending:
        if thought.is_expired(standing.now):
            found.append((thought, "expired"))
        elif thought.failures >= FAILURES_MAX:
            found.append((thought, f"{thought.failures} answers in a row could not be used"))
        elif thought.community not in communities:
            found.append((thought, "no eligible channel is left in its community"))
    return found


def _enabled(standing: Standing) -> GateAnswer:
    on = standing.settings.text.enabled
    return GateAnswer(gate=TickGate.ENABLED, passed=on, reason="on" if on else "initiative.text.enabled is false")


def _channels(standing: Standing) -> GateAnswer:
    number = len(standing.rooms)
    reason = f"{number} eligible" if number else "none is eligible; see initiative.replies.discovery_channel_ids"
    return GateAnswer(gate=TickGate.CHANNELS, passed=number > 0, reason=reason)


def _daily_cap(standing: Standing) -> GateAnswer:
    most, count = standing.settings.text.max_posts_per_day, standing.posts_last_day
    return GateAnswer(gate=TickGate.DAILY_CAP, passed=count < most, reason=f"{count} of {most} posts in 24 hours")


def _hourly_cap(standing: Standing) -> GateAnswer:
    most, count = standing.settings.replies.max_messages_per_hour, standing.sends_last_hour
    return GateAnswer(gate=TickGate.HOURLY_CAP, passed=count < most, reason=f"{count} of {most} messages in an hour")


def _spacing(standing: Standing) -> GateAnswer:
    seconds = standing.settings.replies.min_seconds_between_messages
    if standing.last_send_at is None:
        return GateAnswer(gate=TickGate.SPACING, passed=True, reason="nothing was sent yet")
    passed = (standing.now - standing.last_send_at).total_seconds()
    return GateAnswer(gate=TickGate.SPACING, passed=passed >= seconds, reason=f"{passed:.0f} s since the last message")


def _mind(standing: Standing) -> GateAnswer:
    reason = "there is one to ask" if standing.has_mind else "no language model is set up; see mind.kind"
    return GateAnswer(gate=TickGate.MIND, passed=standing.has_mind, reason=reason)


def _revisit(standing: Standing, pending: Sequence[Thought], asked: list[GateAnswer]) -> Thought | None:
    """The thought that waited longest, if the people of its community are not talking with us just now."""
    open_rooms = {room.community for room in standing.rooms if not room.active}
    due = [thought for thought in pending if thought.is_due(standing.now) and thought.community in open_rooms]
    if due:
        chosen = min(due, key=lambda thought: (thought.not_before_at, thought.id))
        asked.append(GateAnswer(gate=TickGate.PENDING, passed=True, reason=f"thought {chosen.id} is due"))
        return chosen
    if pending:
        soonest = min(thought.not_before_at for thought in pending)
        seconds = max(0.0, (soonest - standing.now).total_seconds())
        words = f"due in {seconds:.0f} s" if seconds else "its community has our attention already"
        asked.append(GateAnswer(gate=TickGate.PENDING, passed=False, reason=f"{len(pending)} held; {words}"))
    return None


def _fresh(
    standing: Standing, pending: Sequence[Thought], asked: list[GateAnswer], roll: Callable[[], float]
) -> str | None:
    blocked = {thought.community for thought in pending}
    rooms = [room for room in standing.rooms if room.community not in blocked]
    if not rooms:
        return None  # the pending thoughts have said why
    quiet = [room for room in rooms if not room.active]
    reason = f"{len(quiet)} of {len(rooms)} channels are not in a live exchange"
    asked.append(GateAnswer(gate=TickGate.ATTENTION, passed=bool(quiet), reason=reason))
    if not quiet:
        return None
    for gate in (_gap(standing), _eagerness(standing, roll)):
        asked.append(gate())
        if not asked[-1].passed:
            return None
    return _liveliest(quiet)


def _gap(standing: Standing) -> Callable[[], GateAnswer]:
    def ask() -> GateAnswer:
        gap = timedelta(minutes=standing.settings.text.min_minutes_between_posts)
        if standing.last_fresh_at is None:
            return GateAnswer(gate=TickGate.GAP, passed=True, reason="no fresh thought was considered yet")
        passed = standing.now - standing.last_fresh_at
        minutes = passed.total_seconds() / 60
        words = f"{minutes:.0f} of {gap.total_seconds() / 60:.0f} minutes since the last fresh consideration"
        return GateAnswer(gate=TickGate.GAP, passed=passed >= gap, reason=words)

    return ask


def _eagerness(standing: Standing, roll: Callable[[], float]) -> Callable[[], GateAnswer]:
    def ask() -> GateAnswer:
        eagerness = standing.settings.text.eagerness
        rolled = roll()
        words = f"rolled {rolled:.1f} against {eagerness}"
        return GateAnswer(gate=TickGate.EAGERNESS, passed=rolled < eagerness, reason=words)

    return ask


def _liveliest(rooms: Sequence[Room]) -> str:
    """The community in which people said most in the last hour, then the one in which they spoke last."""
    said: dict[str, int] = {}
    latest: dict[str, float] = {}
    for room in rooms:
        said[room.community] = said.get(room.community, 0) + room.humans_last_hour
        moment = room.newest_human_at.timestamp() if room.newest_human_at else 0.0
        latest[room.community] = max(latest.get(room.community, 0.0), moment)
    return min(said, key=lambda each: (-said[each], -latest[each], each))
