"""What a cycle leaves behind: its transcript, the summary in four blocks, the log of the day, and directives."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nightgarden import Garden
from nightgarden.domain.conversation import Role, ToolCall, Utterance
from nightgarden.safety.cycle_transcripts import Transcripts
from nightgarden.safety.directing import Directives
from nightgarden.safety.transcripts import CycleStatus, Spending, Todo, Transcript, summarise
from tests.safety.agent import Tools, bash, gate
from tests.safety.requirements import requirement

SECRET = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


async def ended(garden: Garden, home: Path, project: Path) -> Transcript:
    transcripts = Transcripts(garden)
    transcript = await transcripts.begin("cycle-1")
    box = gate(garden, Tools(), project, home)
    for command in ("ls", "touch notes.md", "git push origin x", "git push --force"):
        await box.call(bash(command))
    said = (
        Utterance(role=Role.USER, text=f"the key is {SECRET}"),
        Utterance(role=Role.ASSISTANT, calls=(ToolCall(id="1", name="bash", arguments={"command": "ls"}),)),
        Utterance(role=Role.TOOL, text="README.md", answers="1"),
    )
    done = replace(
        transcript,
        status=CycleStatus.COMPLETE,
        summary=f"Merged 3 memories; used {SECRET}",
        todos=(Todo(text="merge", done=True), Todo(text="verify facts")),
        spending=Spending(provider="x", model="y", tokens=1200, tokens_left=50_000),
        memories_changed=3,
        next_wake=datetime(2026, 11, 16, 3, 0, tzinfo=UTC),
        next_context="verify the rest",
    )
    return await transcripts.end(done, utterances=said)


@requirement("transcript-whole")
async def test_a_transcript_has_every_action_with_its_decision(garden: Garden, home: Path, project: Path) -> None:
    transcript = await ended(garden, home, project)
    assert [(e.tier, e.status) for e in transcript.actions] == [
        ("allow", "done"),
        ("allow", "done"),
        ("ask", "asked"),
        ("deny", "denied"),
    ]
    assert transcript.actions[2].request_id in transcript.pending
    assert await Transcripts(garden).get("cycle-1") == transcript
    assert "calls `bash`" in transcript.conversation


@requirement("secrets-kept-out")
async def test_nothing_secret_is_kept(garden: Garden, home: Path, project: Path) -> None:
    await ended(garden, home, project)
    assert SECRET not in str(await garden.store.list_documents("cycle_transcript"))


async def test_the_summary_has_four_blocks(garden: Garden, home: Path, project: Path) -> None:
    text = summarise(await ended(garden, home, project))
    done, review, following, budget = text.split("\n\n")
    assert done.startswith("Done\n")
    assert "touch notes.md" in done
    assert "not done: verify facts" in done
    assert review.startswith("Needs review\n")
    assert "git push origin x [sends]" in review
    assert "denied: run git push --force" in review
    assert following == "Next cycle\n  2026-11-16 03:00 UTC: verify the rest"
    assert budget == "Budget left\n  50,000 tokens (1,200 tokens used)"


async def test_a_day_has_a_log(garden: Garden, home: Path, project: Path) -> None:
    transcript = await ended(garden, home, project)
    text = await Transcripts(garden).day(transcript.started_at.date())
    assert text.startswith(f"{transcript.started_at:%Y-%m-%d}: 1 cycles\n")
    assert "complete  4 actions, 3 memories changed, 1 requests waiting, 1 actions denied" in text
    assert "0 cycles" in await Transcripts(garden).day(transcript.started_at.date() + timedelta(days=1))


@requirement("directive-kept")
async def test_a_directive_is_done_with_only_when_its_cycle_ended(garden: Garden) -> None:
    directives = Directives(garden)
    await directives.add("look at the tests")
    (told,) = await directives.take("cycle-1")
    assert await directives.take("cycle-2") == []
    assert await directives.release(living=[]) == 1  # cycle-1 died
    assert [each.text for each in await directives.take("cycle-2")] == [told.text]
    assert await directives.consume("cycle-1") == 0
    assert await directives.consume("cycle-2") == 1
    assert await directives.list() == []
    assert [each.status for each in await directives.list(include_consumed=True)] == ["consumed"]
