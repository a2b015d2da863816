"""Briefings: what is told first, how much of it, and that the budget holds whatever the memories say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import GLOBAL, Category, Importance, Memory, Provenance, Scope, ScopeKind, Status, Tier
from nightgarden.domain.session import Session
from nightgarden.domain.taint import strip_injected
from nightgarden.recall.brief import CHARS, LIMITS, Mode, Section, Size, brief, fit, plan_for
from nightgarden.recall.line import Heading, memory_line
from nightgarden.store.engine_of_address import open_store

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
PROJECT = Scope(ScopeKind.PROJECT, "ledger")
MISSION = Scope(ScopeKind.MISSION, "audit")
AGENT = Scope(ScopeKind.AGENT, "reviewer")


def memory(id: str, content: str = "", **fields: object) -> Memory:
    moment = NOW - timedelta(days=1)
    kept = {"scope": PROJECT, "created_at": moment, "updated_at": moment} | fields
    return Memory(id=id, content=content or f"statement {id}", **kept)  # type: ignore[arg-type]


@pytest.fixture
async def store(tmp_path):
    opened = await open_store(str(tmp_path / "garden.db"))
    yield opened
    await opened.close()


async def plant(store, *memories: Memory) -> None:
    await store.apply([Change(None, each) for each in memories], Origin(actor="user"), at=NOW)


async def told(store, mode: Mode = Mode.SESSION, *, scopes=(GLOBAL, PROJECT, AGENT, MISSION), **more: object):
    return await brief(mode, scopes=scopes, store=store, embedder=None, now=NOW, **more)  # type: ignore[arg-type]


async def test_warnings_come_first_then_pinned_then_the_project_the_agent_and_the_mission(store):
    await plant(
        store,
        memory("fact"),
        memory("pin", tier=Tier.PINNED),
        memory("never", category=Category.NEGATIVE),
        memory("corrected", category=Category.CORRECTION, scope=GLOBAL),
        memory("own", scope=AGENT),
        memory("mission", scope=MISSION),
    )
    briefing = await told(store)
    assert [section.title for section in briefing.sections] == [
        Heading.WISHES.value, "Pinned", "Relevant to this project", "This agent's own", "This mission"
    ]  # fmt: skip
    assert [{line.id for line in section.lines} for section in briefing.sections] == [
        {"never", "corrected"}, {"pin"}, {"fact"}, {"own"}, {"mission"}
    ]  # fmt: skip
    assert strip_injected(briefing.text) == ""


@pytest.mark.parametrize(("size", "limit"), [(Size.LITE, 3), (Size.STANDARD, 8), (Size.DEEP, 20)])
async def test_a_section_has_at_most_so_many_and_says_how_many_more_there_are(store, size, limit):
    await plant(store, *(memory(f"m{n:02}") for n in range(30)))
    briefing = await told(store, size=size)
    [section] = briefing.sections
    assert len(section.lines) == limit == LIMITS[size]
    assert f"({30 - limit} more; ask memory search)" in briefing.text


@pytest.mark.parametrize(
    ("mode", "pinned", "relevant", "agent", "mission"),
    [
        (Mode.MISSION, 20, 8, 3, 8),
        (Mode.PREVIEW, 20, 8, 3, 8),
        (Mode.HEARTBEAT, 3, 3, 3, 3),
        (Mode.WAKE, 8, 8, 3, 8),
    ],
)
def test_each_mode_has_its_limits(mode, pinned, relevant, agent, mission):
    plan = plan_for(mode)
    sizes = (plan.pinned, plan.relevant, plan.agent, plan.mission)
    assert tuple(LIMITS[size] for size in sizes) == (pinned, relevant, agent, mission)


async def test_what_fits_the_task_comes_before_what_is_weighty(store):
    await plant(
        store,
        *(memory(f"w{n}", f"weighty matter {n}", importance=Importance.HIGH) for n in range(5)),
        memory("fits", "The SAF-T export of the accountants is due on the 5th", importance=Importance.LOW),
    )
    briefing = await told(store, task="repair the SAF-T export of the accountants")
    assert briefing.ids[0] == "fits"


async def test_only_what_is_current_is_told_and_fading_or_unproven_only_in_depth(store):
    await plant(
        store,
        memory("gone", status=Status.ARCHIVED, archived_at=NOW),
        memory("expired", valid_until=NOW - timedelta(hours=1)),
        memory("candidate", status=Status.CANDIDATE),
        memory("fading", tier=Tier.FADING),
        memory("there"),
    )
    assert (await told(store)).ids == ("there",)
    assert set((await told(store, size=Size.DEEP)).ids) == {"there", "candidate", "fading"}


async def test_another_projects_memories_are_not_told(store):
    await plant(store, memory("a", scope=Scope(ScopeKind.PROJECT, "other")))
    assert (await told(store)).text == ""


@given(
    st.lists(st.lists(st.text(min_size=1, max_size=400), min_size=1, max_size=12), max_size=5),
    st.sampled_from(list(Size)),
)
def test_the_characters_are_never_more_than_the_budget(contents, size):
    sections = [
        Section(
            title=f"Section {n}",
            lines=tuple(memory_line(memory(f"{n}-{m}", text)) for m, text in enumerate(texts)),
            left_out=n,
        )
        for n, texts in enumerate(contents)
    ]
    briefing = fit(sections, chars_max=CHARS[size])
    assert len(briefing.text) <= CHARS[size]
    for section in briefing.sections:
        all_of_it = next(each for each in sections if each.title == section.title)
        assert len(section.lines) + section.left_out == len(all_of_it.lines) + all_of_it.left_out


async def test_who_the_user_is_comes_first_and_always_with_any_number_of_memories(store):
    await plant(
        store,
        *(memory(f"f{n:03}", f"The service number {n} listens on port {4000 + n}") for n in range(66)),
        memory("a-name", "The user's name is Katarina", scope=GLOBAL, importance=Importance.LOW),
        memory("a-style", "Prefers short answers in Czech", scope=GLOBAL, category=Category.PREFERENCE),
        memory("agents", "Ann may like tea", scope=GLOBAL, provenance=Provenance.INFERRED),
        memory("z-habit", "Prefers small commits", category=Category.PREFERENCE, importance=Importance.LOW),
    )
    briefing = await told(store)
    assert briefing.sections[0].title == "About the user"
    assert [line.id for line in briefing.sections[0].lines] == ["a-name", "a-style"]
    assert [line.id for line in briefing.sections[1].lines] == ["z-habit"]
    assert briefing.sections[1].title == Heading.WISHES.value


async def test_without_a_task_the_branch_and_the_latest_sessions_choose_and_the_order_is_stable(store):
    await plant(
        store,
        *(memory(f"f{n:02}", f"The service number {n} listens on port {4000 + n}") for n in range(30)),
        memory("z-saft", "The SAF-T export rounds half up"),
        memory("z-invoice", "Invoices are numbered per calendar year"),
    )
    session = Session(id="s", title="numbering of the invoices", scope=PROJECT, started_at=NOW)
    await store.put_session(session, ())
    briefing = await told(store, branch="feature/saft-export")
    chosen = [line.id for line in briefing.sections[0].lines]
    assert {"z-invoice"} <= set(chosen)
    assert {"z-saft"} <= set((await told(store, branch="fix/SAF-T-export")).ids)
    assert chosen == sorted(chosen)
    assert (await told(store, branch="feature/saft-export")).text == briefing.text
    await store.touch(chosen[3:5], at=NOW)
    assert (await told(store, branch="feature/saft-export")).text == briefing.text


async def test_what_the_reader_knows_is_left_out(store):
    await plant(store, memory("a"), memory("b"))
    assert (await told(store, known=["a"])).ids == ("b",)
    assert (await told(store, known=["a", "b"])).text == ""
