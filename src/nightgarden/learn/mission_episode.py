"""A mission that ended as one record: what it was for, how it went, and what its notes and sessions tell. Pure.

It has no steps of its own: those are its sessions', and a procedure must not count them twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nightgarden.domain.belief import TRUST
from nightgarden.domain.memory import Category, Ending, Episode, Importance, Memory, Provenance, Status
from nightgarden.domain.mission import Mission, MissionOutcome
from nightgarden.learn.as_memories import record_id, safe_episode

LIST_MAX = 8
FILES_MAX = 20
_ENDINGS = {MissionOutcome.SUCCESS: Ending.SUCCESS, MissionOutcome.FAILURE: Ending.FAILURE}


def belongs_to(mission: Mission, episode: Memory) -> bool:
    """Whether a session was part of a mission: it began while the mission went on, and was not another one's."""
    if episode.session_id is None or mission.ended_at is None:
        return False
    if mission.session_id is not None:
        return episode.session_id == mission.session_id
    return mission.started_at <= episode.created_at <= mission.ended_at


def mission_episode(mission: Mission, noted: Sequence[Memory], sessions: Sequence[Memory]) -> Memory | None:
    """The record, or None when nothing was noted and no session is known."""
    if mission.ended_at is None or not (noted or sessions):
        return None
    done = [memory.episode for memory in sessions if memory.episode is not None]
    gotchas = [*_said(noted, Category.GOTCHA, Category.NEGATIVE), *(line for each in done for line in each.gotchas)]
    if mission.outcome is MissionOutcome.FAILURE and mission.reason:
        gotchas.insert(0, mission.reason)
    episode = safe_episode(
        Episode(
            task=f"{mission.name}: {mission.goal}" if mission.goal else mission.name,
            approach="; ".join(each.task for each in done[:LIST_MAX]),
            outcome=_ENDINGS.get(mission.outcome, Ending.PARTIAL) if mission.outcome else Ending.PARTIAL,
            tools=tuple(n for n, _ in Counter(tool for each in done for tool in each.tools).most_common(LIST_MAX)),
            patterns=_few([*_said(noted, Category.PATTERN), *(line for each in done for line in each.patterns)]),
            gotchas=_few(gotchas),
            decisions=_few([*_said(noted, Category.DECISION), *(line for each in done for line in each.decisions)]),
            duration_seconds=int((mission.ended_at - mission.started_at).total_seconds()),
            files=_few((file for each in done for file in each.files), FILES_MAX),
            commits=_few((commit for each in done for commit in each.commits), FILES_MAX),
        )
    )
    return Memory(
        id=record_id("episode", f"mission:{mission.id}", mission.started_at),
        content=f"{mission.started_at:%Y-%m-%d} {episode.task} ({episode.outcome}; mission {mission.id})",
        category=Category.EPISODE,
        scope=mission.project,
        status=Status.PROMOTED,
        provenance=Provenance.OBSERVED,
        file_paths=episode.files,
        confidence_reason="worked out from the mission",
        tainted=True,  # errors are what programs printed
        created_at=mission.started_at,
        updated_at=mission.ended_at,
        confirmed_at=mission.ended_at,
        trust=TRUST[Provenance.OBSERVED],
        importance=Importance.LOW,
        episode=episode,
    )


def _said(noted: Iterable[Memory], *categories: Category) -> list[str]:
    return [memory.content for memory in noted if memory.live and memory.category in categories]


def _few(texts: Iterable[str], number_max: int = LIST_MAX) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))[:number_max]
