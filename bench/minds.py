"""What minds cost: a simulated week of background work beside its user, and a day of the sidecar on replayed sessions.

    python -m bench.minds        writes docs/bench/minds.md and its plots; no model is asked

The week is a simulation by a clock of its own: the functions that decide are the product's (`minds.budget`), the user
and the cycles are drawn from a seed. The day runs real sessions' texts through a real garden with a mind that answers
nothing and counts what it was asked.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.lines import lines
from bench.machine import describe_machine
from nightgarden import Garden, Message, Session, Settings
from nightgarden.domain.mind_call import MindCall
from nightgarden.domain.session import SessionStatus
from nightgarden.minds.backend import Completion, Usage
from nightgarden.minds.budget import Bounds, Share, UserPace, Work, ours, plan
from nightgarden.sessions.harvest import REQUESTED, SessionCue
from nightgarden.settings import ClassifierSettings, EmbeddingSettings

DOCS = Path(__file__).parent.parent / "docs" / "bench"
MONTH = Path(__file__).parent / "data" / "month" / "sessions.jsonl"
SEED = 20261116
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MONDAY = datetime(2026, 11, 16, tzinfo=UTC)
BOUNDS = Bounds(min_interval=5 * MINUTE, max_interval=120 * MINUTE, cycle_tokens=100_000)
WINDOW = 5 * HOUR
CHARS_PER_TOKEN = 4  # of English and code, as models count


# -- a week -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """How somebody works: hours, and tokens an hour while at it."""

    name: str
    hours: Callable[[datetime], float]  # how busy, 0 to 1
    tokens_per_hour: int


def _office(at: datetime) -> float:
    """Monday to Friday, nine to six with a break; now and then an evening."""
    if at.weekday() >= 5:
        return 0.0
    if 9 <= at.hour < 12 or 13 <= at.hour < 18:
        return 1.0
    return 0.6 if at.weekday() in (1, 3) and 20 <= at.hour < 22 else 0.0


def _always(at: datetime) -> float:
    return 1.0 if 8 <= at.hour < 23 else 0.0


def _away(at: datetime) -> float:
    return 0.0


USERS = (
    User(name="office hours", hours=_office, tokens_per_hour=180_000),
    User(name="heavy, every day", hours=_always, tokens_per_hour=330_000),
    User(name="away", hours=_away, tokens_per_hour=0),
)


@dataclass(slots=True, kw_only=True)
class Week:
    """What came of a week."""

    user: int = 0
    ambient: int = 0
    cycles: int = 0
    throttled: int = 0  # minutes in which the user wanted tokens and the window had none
    free: float = 0.0  # the share that was safely free, with the whole window known afterwards
    points: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    @property
    def used_of_free(self) -> float:
        return self.ambient / self.free if self.free else 0.0


def drawn(user: User, rng: random.Random) -> dict[datetime, int]:
    """Two weeks of the user's use by the minute, bursts and breaks included; the first is what is known beforehand."""
    wanted = {}
    busy = 1.0
    for minute in range(14 * 24 * 60):
        at = MONDAY - 7 * DAY + minute * MINUTE
        if minute % 15 == 0:
            busy = rng.choice((0.0, 0.5, 1.0, 1.5, 2.0))
        wanted[at] = round(user.tokens_per_hour / 60 * user.hours(at) * busy * rng.uniform(0.5, 1.5))
    return wanted


def simulate(user: User, *, limit: int, seed: int, due: bool = True) -> Week:
    """A week by the minute. Windows of five hours begin with their first use, as subscriptions count."""
    rng = random.Random(seed)
    wanted = drawn(user, rng)
    slots: dict[datetime, int] = {}  # by ten minutes, as the ledger is read
    for moment, tokens in wanted.items():
        if moment < MONDAY and tokens:
            slot = moment - timedelta(minutes=moment.minute % 10)
            slots[slot] = slots.get(slot, 0) + tokens
    week = Week(points={"user": [], "background": [], "left of the window": []})
    started: datetime | None = None
    users_in_window = ours_in_window = 0
    next_cycle = MONDAY
    taken: list[int] = []
    for minute in range(7 * 24 * 60):
        at = MONDAY + minute * MINUTE
        if started is not None and at >= started + WINDOW:
            week.free += 0.8 * max(0, limit - users_in_window)
            started, users_in_window, ours_in_window = None, 0, 0
        want = wanted[at]
        if (want or (due and at >= next_cycle)) and started is None:
            started = at
        left = limit - users_in_window - ours_in_window
        week.throttled += want > left
        used = min(want, left)
        users_in_window += used
        week.user += used
        if used:
            slot = at - timedelta(minutes=at.minute % 10)
            slots[slot] = slots.get(slot, 0) + used
        if due and at >= next_cycle and started is not None:
            hour = sum(tokens for moment, tokens in slots.items() if at - HOUR < moment <= at)
            quiet = max((moment for moment in slots if moment <= at), default=None)
            history = tuple((moment, tokens) for moment, tokens in slots.items() if moment > at - 8 * DAY)
            pace = UserPace(
                tokens_last_hour=hour,
                history=history,
                active=bool(want),
                idle_for=at - quiet if quiet is not None else None,
            )
            share = Share(
                name="5h",
                remaining=limit - users_in_window - ours_in_window,
                resets_at=started + WINDOW,
                used_by_us=ours_in_window,
            )
            budget = plan(at, [share], pace, Work(cycle_tokens=tuple(taken[-5:][::-1])), BOUNDS)
            assert budget.tokens <= ours(share, pace, at) + 1
            if budget.tokens and not want:  # while the user works it waits
                cost = min(budget.tokens, max(6_000, round(rng.lognormvariate(math.log(38_000), 0.5))))
                ours_in_window += cost
                week.ambient += cost
                week.cycles += 1
                taken.append(cost)
                next_cycle = at + budget.interval
            elif want:
                next_cycle = at + 15 * MINUTE  # looks again when the user may be idle
            else:
                next_cycle = min(budget.again_at or at + budget.interval, at + budget.interval)
        if minute % 60 == 0:
            hours = minute / 60
            week.points["user"].append((hours, users_in_window / 1000))
            week.points["background"].append((hours, ours_in_window / 1000))
            week.points["left of the window"].append((hours, (limit - users_in_window - ours_in_window) / 1000))
    if started is not None:
        week.free += 0.8 * max(0, limit - users_in_window)
    return week


# -- a day ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """A mind that finds nothing, and says what a model would have read and written."""

    async def complete(self, prompt: str, schema: object) -> str:
        return (await self.ask(prompt, schema)).text

    async def ask(self, prompt: str, schema: object) -> Completion:
        reply = '{"useful": []}' if "numbered notes" in prompt else '{"memories": []}'
        tokens = (len(prompt) + len(json.dumps(schema))) // CHARS_PER_TOKEN
        return Completion(text=reply, usage=Usage(tokens_in=tokens, tokens_out=60))


class Clock:
    def __init__(self) -> None:
        self.at = MONDAY + 9 * HOUR

    def now(self) -> datetime:
        return self.at


LENGTHS = (8, 15, 25, 40, 60)  # turns of the sessions of one day
ANSWER_CHARS = 900  # of an answer in words, tools left aside


def sessions() -> Iterator[list[tuple[str, str]]]:
    """Sessions of one day: the labelled month's turns, as many as a session has, with answers of real length."""
    said = [
        message["text"]
        for line in MONTH.read_text(encoding="utf-8").splitlines()
        for message in json.loads(line)["messages"]
        if message["role"] == "user"
    ]
    filler = "I looked at the code, changed what you asked for and ran the tests; here is what I saw and why it is so. "
    turns = iter(said * 3)
    for length in LENGTHS:
        yield [(next(turns), (filler * 20)[:ANSWER_CHARS]) for _ in range(length)]


async def day(cue: SessionCue, *, verify: bool) -> list[MindCall]:
    """The calls of one day, each session read at every stop with this cue."""
    clock = Clock()
    settings = Settings(
        embedding=EmbeddingSettings(model="off"), classifier=ClassifierSettings(enabled=False)
    )  # neither asks a mind
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "g.db", settings=settings, mind=Counting(), clock=clock) as garden:
            for number in range(40):
                await garden.remember(
                    f"Service number {number} listens on port {8000 + number} and is deployed by hand"
                )
            for number, turns in enumerate(sessions()):
                messages: list[Message] = []
                for place, (text, answer) in enumerate(turns):
                    clock.at += 2 * MINUTE
                    if verify:
                        await garden.turn(text, session_id=f"s{number}", deadline_ms=20_000)
                        await garden.settle()
                    messages.append(Message(id=f"u{place}", role="user", text=text, at=clock.at))
                    messages.append(Message(id=f"a{place}", role="assistant", text=answer, at=clock.at))
                    over = place == len(turns) - 1
                    status = SessionStatus.CLOSED if over else SessionStatus.ACTIVE
                    await garden.sessions.add(Session(id=f"s{number}", messages=tuple(messages), status=status))
                    await garden.sessions.extract(f"s{number}", cue=replace(cue, ended=over))
            return await garden.store.mind_calls(since=MONDAY)


def _row(name: str, calls: list[MindCall]) -> str:
    tokens = sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in calls)
    return f"| {name} | {len(calls):,} | {tokens:,} |"


# -- the page ---------------------------------------------------------------------------------------------------------


def weeks_of_all() -> list[str]:
    """The rows of the table; the plots are written on the way."""
    rows = []
    for user in USERS:
        for limit in (1_000_000, 2_500_000):
            weeks = [simulate(user, limit=limit, seed=SEED + n) for n in range(2)]
            alone = [simulate(user, limit=limit, seed=SEED + n, due=False) for n in range(2)]
            used = sum(week.ambient for week in weeks) / sum(week.free for week in weeks)
            added = sum(week.throttled for week in weeks) - sum(week.throttled for week in alone)
            rows.append(
                f"| {user.name} | {limit:,} | {sum(w.user for w in weeks) // 2:,} | "
                f"{sum(w.ambient for w in weeks) // 2:,} | {sum(w.cycles for w in weeks) // 2} | {used:.0%} | "
                f"{sum(w.throttled for w in alone) // 2} | {added / 2:+.0f} | {sum(w.ambient for w in alone)} |"
            )
            print(rows[-1], flush=True)
            if limit == 2_500_000 and user.name != "away":
                name = f"minds-week-{user.name.split()[0].strip(',')}.svg"
                plot = lines(f"{user.name}: thousand tokens in the window", weeks[0].points, x_label="hour of the week")
                (DOCS / name).write_text(plot, "utf-8")
    return rows


async def main() -> None:
    await write_page(weeks_of_all())


async def write_page(rows: list[str]) -> None:
    due, every = await day(SessionCue(), verify=True), await day(REQUESTED, verify=False)
    purposes = sorted({call.purpose for call in due})
    table = [_row(purpose, [call for call in due if call.purpose == purpose]) for purpose in purposes]
    page = [
        "# Minds: what they take",
        "Written by `python -m bench.minds`; no model is asked.",
        "## A simulated week of background work beside its user",
        "A window of five hours that both share begins with its first use. The budget is the product's, asked before "
        "every cycle; a cycle takes 38,000 tokens (median, log-normal), the user works in bursts, and the week before "
        "is known. While the user works nothing runs. Two weeks each, means.",
        "*Used of what was free*: of four fifths of what the user left of each window, known afterwards. *Throttled*: "
        "minutes in which the user wanted more than the window had, without background work and what it adds.",
        "| user | window | user's tokens | background | cycles | used of what was free | throttled alone | added | "
        "nothing due |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n" + "\n".join(rows),
        "Where the user alone already wants more than the window has, background work can even take minutes off: "
        "windows that it began in the night begin anew earlier in the day. What a real provider does with its windows "
        "may differ.",
        "![office hours](minds-week-office.svg)\n\n![heavy](minds-week-heavy.svg)",
        "## A day of the sidecar",
        f"Five sessions of {', '.join(map(str, LENGTHS))} turns with the labelled month's words and answers of "
        f"{ANSWER_CHARS} characters, read at every stop; 40 memories that could be shown. Tokens at {CHARS_PER_TOKEN} "
        "characters each, 60 for an answer.",
        "| | calls | tokens |\n|---|--:|--:|\n"
        + "\n".join([*table, _row("all", due), _row("extract, were it asked at every stop", every)]),
        f"<sub>{describe_machine()}</sub>",
    ]
    (DOCS / "minds.md").write_text("\n\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
