"""Shapes of memories, and when a session is read."""

from __future__ import annotations

import pytest

from nightgarden.remember.extraction_due import ExtractionProgress, ExtractionReason, extraction_due
from nightgarden.remember.shape import parse_procedure, temporal_of, trigger_patterns


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("Never use println! for logging", ("println!",)),
        ("Never use `eval` or `exec`", ("eval", "exec")),
        ("Don't git push --force to shared branches", ("git push --force",)),
        ("Don't touch files under third_party/", ("third_party/",)),
        ("Don't commit .env", (".env",)),
        ("Don't use moment, it's deprecated", ("moment",)),
    ],
)
def test_what_is_forbidden_calls_its_memory_up(text: str, triggers: tuple[str, ...]) -> None:
    assert trigger_patterns(text) == triggers


def test_a_numbered_list_becomes_a_procedure_with_prerequisites_and_warnings() -> None:
    found = parse_procedure(
        "to release:\n1. needs: a clean tree\n2. bump the version\n3. push the tag\n4. never on Friday"
    )
    assert found is not None
    assert found.procedure.name == "release"
    assert found.procedure.steps == ("bump the version", "push the tag")
    assert found.procedure.prerequisites == ("a clean tree",)
    assert found.procedure.warnings == ("never on Friday",)


def test_first_then_becomes_a_procedure() -> None:
    found = parse_procedure("To deploy, first run make build, then push the tag, then watch the board.")
    assert found is not None
    assert found.procedure.steps == ("run make build", "push the tag", "watch the board")


@pytest.mark.parametrize(
    "text", ["please do this:\n1. fix a\n2. fix b", "to be clear, first things first", "To run:\n- x"]
)
def test_errands_and_lists_of_one_are_no_procedures(text: str) -> None:
    assert parse_procedure(text) is None


@pytest.mark.parametrize(
    ("text", "session_only", "season"),
    [
        ("during release week nobody merges", False, "release-week"),
        ("at the end of the sprint we demo", False, "end-of-the-sprint"),
        ("for this session, skip slow tests", True, None),
        ("just for today answer in German", True, None),
        ("we use pnpm", False, None),
        ("nur für heute bitte kurz", True, None),
    ],
)
def test_seasons_and_sessions_are_seen(text: str, session_only: bool, season: str | None) -> None:
    temporal = temporal_of(text)
    assert (temporal.session_only, temporal.seasonal) == (session_only, season)


@pytest.mark.parametrize(
    ("progress", "why"),
    [
        (ExtractionProgress(turns=12, chars=199), None),
        (ExtractionProgress(turns=12, chars=200), ExtractionReason.MANY_TURNS),
        (ExtractionProgress(turns=11, chars=900), None),
        (ExtractionProgress(turns=4, chars=900, topic_changed=True), ExtractionReason.TOPIC_CHANGED),
        (ExtractionProgress(turns=4, chars=900), None),
        (ExtractionProgress(turns=3, chars=900, topic_changed=True), None),
        (ExtractionProgress(turns=1, chars=900, ended=True), ExtractionReason.ENDED),
        (ExtractionProgress(turns=1, chars=900, crashed=True), ExtractionReason.CRASHED),
        (ExtractionProgress(turns=1, chars=10, ended=True), None),
        (ExtractionProgress(turns=0, chars=900, ended=True), None),
        (ExtractionProgress(turns=1, chars=10, requested=True), ExtractionReason.REQUESTED),
    ],
)
def test_a_mind_reads_a_session_when_the_topic_changes_after_many_turns_at_its_end_or_after_a_crash(
    progress: ExtractionProgress, why: ExtractionReason | None
) -> None:
    assert extraction_due(progress) is why
