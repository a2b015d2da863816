"""Procedures: the same whatever the order of the sessions, surer or less sure by use, replaced by better ones."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden import Garden
from nightgarden.domain.graph import Edge
from nightgarden.domain.memory import Ending, Memory, ProcedureUse, Status
from nightgarden.errors import BadInput, NotFound, RuleRefused
from nightgarden.learn.as_memories import episode_memory
from nightgarden.learn.episode import episode_of
from nightgarden.learn.episode_groups import cluster
from nightgarden.learn.from_episodes import KnownEpisodes, learn_procedures
from nightgarden.learn.procedures import followed
from nightgarden.sessions.readers import READERS
from nightgarden.surfaces.cli.main import main
from tests.learn.conftest import Read
from tests.learn.corpus import Script, scripts, write
from tests.sessions.transcripts import LATER, NOON

STEPS = ["Run `make clean`", "Run `make dist`", "Run `rsync -a dist/ host:/srv`"]


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> list[Memory]:
    """The episodes of sessions.txt, straight from the readers."""
    home = tmp_path_factory.mktemp("user")
    write(home, Path("/shop"), scripts())
    found = []
    for client in ("claude-code", "codex", "opencode"):
        reader = READERS[client]()
        for ref in reader.discover(home, {}):
            session = reader.read(ref, "", now=LATER).session
            if (episode := episode_of(session)) is not None:
                found.append(episode_memory(session, episode, now=NOON))
        reader.close()
    return found


def arrive(order: Sequence[Memory], *, batch: int) -> list[tuple[object, ...]]:
    """What is known after the episodes came in this order, in batches, with learning after each."""
    there: dict[str, Memory] = {}
    known: dict[str, KnownEpisodes] = {}
    for start in range(0, len(order), batch):
        there |= {memory.id: memory for memory in order[start : start + batch]}
        for lesson in learn_procedures(list(there.values()), list(known.values()), now=NOON):
            for change in lesson.changes:
                after = change.after
                if isinstance(after, Memory):
                    sources = known[after.id].sources if after.id in known else {}
                    known[after.id] = KnownEpisodes(memory=after, sources=sources)
                elif isinstance(after, Edge):
                    each = known[after.source]
                    known[after.source] = replace(each, sources={**each.sources, after.target: after})
    return sorted(
        (
            known_one.memory.content,
            replace(known_one.memory.procedure, uses=()),
            [(use.episode_id, use.confidence) for use in known_one.memory.procedure.uses],
            sorted(known_one.sources),
            known_one.memory.status,
        )
        for known_one in known.values()
        if known_one.memory.procedure is not None
    )


@given(seed=st.integers(0, 2**32), batch=st.sampled_from([5, 9, 16, 50]))
@settings(max_examples=12)
def test_any_order_and_any_repetition_teach_the_same(episodes: list[Memory], seed: int, batch: int) -> None:
    dice = random.Random(seed)
    order = [*episodes, *dice.choices(episodes, k=10)]
    dice.shuffle(order)
    expected = arrive(sorted(episodes, key=lambda memory: memory.created_at), batch=100)
    assert len(expected) == 5
    assert arrive(order, batch=batch) == expected


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=4), st.frozensets(st.sampled_from("pqrstuvw"), max_size=6), max_size=14
    ),
    st.randoms(use_true_random=False),
)
def test_groups_do_not_depend_on_the_order(done: dict[str, frozenset[str]], dice: random.Random) -> None:
    mixed = list(done.items())
    dice.shuffle(mixed)
    groups = cluster(done)
    assert cluster(dict(mixed)) == groups
    assert sorted(each for group in groups for each in group) == sorted(done)


def use(outcome: Ending, minute: int) -> ProcedureUse:
    return ProcedureUse(at=NOON + timedelta(minutes=minute), outcome=outcome, confidence=0.0)


def test_success_makes_surer_and_failure_less_sure_by_the_figures() -> None:
    uses = followed([use(Ending.FAILURE, 2), use(Ending.SUCCESS, 1), use(Ending.PARTIAL, 3)], start=0.55)
    assert [each.confidence for each in uses] == pytest.approx([0.6175, 0.43225, 0.43225])


async def test_a_procedure_that_holds_is_promoted_and_one_that_fails_is_archived(garden: Garden, read: Read) -> None:
    await read(garden, [script for script in scripts() if script.workflow in ("client", "deploy")])
    await garden.tend("learn")
    good, bad = await garden.learn.procedures()
    assert (good.status, bad.status) == (Status.CANDIDATE, Status.CANDIDATE)
    for _ in range(5):
        good = await garden.learn.outcome(good.id, "success")
        bad = await garden.learn.outcome(bad.id, "failure", reason="the script is gone")
    assert good.status is Status.PROMOTED
    assert bad.status is Status.ARCHIVED
    assert bad.confidence < 0.3
    await garden.tend("learn", full=True)
    assert [memory.id for memory in await garden.learn.procedures()] == [good.id]  # and is not learned again
    history = await garden.learn.procedure_history(bad.id)
    assert [each.reason for each in history][-1] == "the script is gone"
    assert (await garden.history(bad.id))[-1].reason == "followed: failure"
    (entry, *_) = [e for e in await garden.history(good.id) if e.reason == "followed: success"][::-1]
    await garden.undo(entry.id)
    assert (await garden.learn.procedure(good.id)).memory.confidence < good.confidence


async def test_later_sessions_that_follow_it_count_by_themselves(garden: Garden, read: Read) -> None:
    deploys = [script for script in scripts() if script.workflow == "deploy"]
    await read(garden, deploys[:3])
    await garden.tend("learn")
    (before,) = await garden.learn.procedures()
    await read(garden, deploys[3:])
    await garden.tend("learn")
    (after,) = await garden.learn.procedures()
    assert after.id == before.id
    assert after.confidence > before.confidence == 0.55
    assert after.procedure is not None
    assert len(after.procedure.uses) == 3
    assert len((await garden.learn.procedure(after.id)).sources) == 6


async def test_what_somebody_promoted_stays_as_sure_and_goes_on_from_there(garden: Garden, read: Read) -> None:
    chosen = [script for script in scripts() if script.workflow == "migration"]
    await read(garden, chosen[:3])
    await garden.tend("learn")
    (learned,) = await garden.learn.procedures()
    promoted = await garden.learn.tiers.promote(learned.id)
    assert (promoted.status, promoted.confidence) == (Status.PROMOTED, 0.7)
    assert (await garden.tend("learn")).changes == 0
    await garden.learn.outcome(learned.id, "success")
    assert (await garden.learn.procedure(learned.id)).memory.confidence == pytest.approx(0.745)
    await read(garden, chosen[3:4])
    await garden.tend("learn")
    assert (await garden.learn.procedure(learned.id)).memory.confidence == pytest.approx(0.78325)


async def test_answering_reviews_is_surer_and_has_a_trigger_of_its_own(garden: Garden, read: Read) -> None:
    ways = ["gh pr view 12 --comments", "gh pr view 14 --json reviews,comments", "gh api repos/a/b/pulls/15/comments"]
    chosen = [
        Script(
            name=f"rev{number}",
            workflow="-",
            client="claude-code",
            number=number,
            lines=[
                ("user", f"the pull request got feedback, part {number}"),
                ("run", f"{way} => please close the cursor"),
                ("edit", f"src/shop/part{number}.py"),
                ("run", "pytest -q => 9 passed"),
                ("run", "git commit -am 'Close the cursor' => [main 1234567] Close"),
                ("run", "git push => ok"),
            ],
        )
        for number, way in enumerate(ways)
    ]
    await read(garden, chosen)
    await garden.tend("learn")
    (learned,) = await garden.learn.procedures()
    assert learned.procedure is not None
    assert learned.procedure.name.startswith("Answer a review: gh pr view --comments")
    assert learned.procedure.trigger == "review comments"
    assert learned.confidence == 0.65
    assert (await garden.learn.outcome(learned.id, "success")).confidence == pytest.approx(0.7025)
    assert (await garden.tend("learn")).changes == 0


async def test_ones_own_procedure_is_kept_whole_and_a_learned_one_beside_it_is_not_made(
    garden: Garden, read: Read
) -> None:
    mine = await garden.learn.add_procedure(
        "Regenerate the API client",
        [
            "Run `python scripts/export_openapi.py`",
            "Run `npx openapi-typescript openapi.json -o web/src/api/schema.ts`",
            "Run `npx tsc --noEmit -p web` and mend what it finds",
        ],
        trigger="regenerate client",
        prerequisites=["node is installed"],
        warnings=["never edit schema.ts by hand"],
        tools=["npx"],
    )
    await read(garden, [script for script in scripts() if script.workflow == "client"])
    await garden.tend("learn")
    (kept,) = await garden.learn.procedures()
    assert kept.id == mine.id
    assert kept.procedure is not None
    assert kept.procedure.steps == mine.procedure.steps  # type: ignore[union-attr]
    assert kept.content == mine.content


async def test_the_same_steps_are_refused_and_a_better_version_takes_the_place(garden: Garden) -> None:
    first = await garden.learn.add_procedure("Publish the site", STEPS)
    with pytest.raises(BadInput, match="has these steps already"):
        await garden.learn.add_procedure("Ship it", [step.upper() if "`" not in step else step for step in STEPS])
    for name, verb in (("Water the beds", "Fill"), ("Wash the car", "Fill")):  # prose that begins alike is not alike
        await garden.learn.add_procedure(name, [f"{verb} what {name} needs", f"{verb} it again"], scope="global")
    better = await garden.learn.add_procedure("Publish the site", [*STEPS, "Run `curl -f site`"], supersedes=first.id)
    assert [memory.id for memory in await garden.learn.procedures(scope="project")] == [better.id]
    found = await garden.learn.procedures(scope="project", archived=True)
    assert {memory.id for memory in found} == {first.id, better.id}
    assert (await garden.learn.procedure(first.id)).memory.superseded_by == better.id
    with pytest.raises(NotFound):
        await garden.learn.outcome("nobody", "success")


@pytest.mark.parametrize(
    ("name", "steps", "error"),
    [
        ("", ["x"], BadInput),
        ("n", [], BadInput),
        ("n", ["x" * 700], BadInput),
        ("n", ["x"] * 41, BadInput),
        ("n", ["export GITHUB_TOKEN=ghp_x8Kq2Lw9Zr4Tn6Vb1Yc3Md5Pf7Gh0Js2Ka4Q"], RuleRefused),
    ],
)
async def test_what_is_no_procedure_is_refused(garden: Garden, name: str, steps: list[str], error: type) -> None:
    with pytest.raises(error):
        await garden.learn.add_procedure(name, steps)
    assert await garden.learn.procedures(archived=True) == []


async def test_steps_are_never_cut_in_the_middle(garden: Garden) -> None:
    steps = [f"Run `make part-{number}` and wait until it says that it is done" for number in range(12)]
    await garden.learn.add_procedure("Build all parts", steps, trigger="build all parts")
    (section,) = [s for s in (await garden.briefing()).sections if s.title == "Relevant to this project"]
    (line,) = section.lines
    told = line.text.partition("Steps:")[2].partition(" … and ")[0]
    assert all(any(part.strip() == f"{n}. {step}" for n, step in enumerate(steps, 1)) for part in told.split(";"))


@pytest.mark.parametrize("trigger", ["build all parts", "build all parts of the " + "very " * 50 + "large house"])
async def test_a_procedure_that_was_cut_says_how_to_see_the_rest_of_it(
    garden: Garden, project: Path, capsys: pytest.CaptureFixture[str], trigger: str
) -> None:
    steps = [f"Run `make part-{number}` and wait until it says that it is done" for number in range(12)]
    await garden.learn.add_procedure("Build all parts", steps, trigger=trigger)
    command = re.search(r"more steps: nightgarden (procedures show \w+)", (await garden.briefing()).text)
    assert command is not None
    assert await asyncio.to_thread(main, [*command[1].split(), "-C", str(project)]) == 0
    assert steps[-1] in capsys.readouterr().out


async def test_a_procedure_that_fits_says_nothing_of_more(garden: Garden) -> None:
    await garden.learn.add_procedure("Build all parts", ["Run `make parts`", "Run `make whole`"], trigger="build all")
    assert "2. Run" in (text := (await garden.briefing()).text)
    assert "more step" not in text


async def test_the_commands_add_show_judge_and_list(
    garden: Garden, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run(*words: str) -> tuple[int, str]:
        code = await asyncio.to_thread(main, ["procedures", *words, "-C", str(project)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    assert (await run("add", "Publish the site", "--step", STEPS[0], "--step", STEPS[1], "--warning", "slow"))[0] == 0
    (memory,) = await garden.learn.procedures()
    code, shown = await run("show", memory.id[-8:])
    assert code == 0
    assert "1. Run `make clean`" in shown
    assert "slow" in shown
    assert (await run("outcome", memory.id, "failure", "--reason", "host is down"))[0] == 0
    assert "host is down" in (await run("history", memory.id))[1]
    assert "Publish the site" in (await run("list"))[1]
    assert (await run("outcome", memory.id, "splendid"))[0] == 2
    assert (await run("show", "nobody-here"))[0] == 2
    for told in ("procedure: changed", "removed: How to: Publish the site."):
        assert await asyncio.to_thread(main, ["undo", "-C", str(project)]) == 0
        assert told in capsys.readouterr().out
