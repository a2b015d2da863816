"""Performs the operations about what agents are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from nightgarden.domain.client_events import EventName
from nightgarden.domain.record import to_record
from nightgarden.domain.requests import hooks, turns
from nightgarden.garden import Garden
from nightgarden.surfaces.hooks.client_reply import write_reply
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.on_event import serve
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.answers import briefing_shape, injection_shape
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker

OFF = "memory is switched off here; `nightgarden on` switches it on"
_NOTHING_FITS = "nothing remembered fits this prompt"
_WHY_NOTHING = {
    "off": OFF,
    "class none": "the prompt is small talk or a mere go-ahead, so memory was not searched",
    "known already": "this session has been shown what fits",
    "late": "the search took longer than the deadline",
    "no room": "what fits is longer than the space allowed (turn.token_budget)",
}


async def turn(garden: Garden, asked: turns.Turn, speaker: Speaker) -> answers.InjectionAnswer:
    if asked.preview:
        return await _preview(garden, asked)
    before: Mapping[str, int] = {}
    if asked.explain:
        await garden.warm()  # a program that serves turns has its model loaded; the deadline is for the turn itself
        before = dict((await garden.stats()).turns)
    shown = await garden.turn(
        asked.text,
        session_id=asked.session_id,
        files=asked.files,
        attachments=asked.attachments,
        deadline_ms=asked.deadline_ms,
    )
    answer = injection_shape(shown)
    if asked.explain:
        answer["why"] = await _why_nothing(garden, before) if shown is None else None
    return answer


async def _preview(garden: Garden, asked: turns.Turn) -> answers.InjectionAnswer:
    await garden.warm()
    given = {"files": tuple(asked.files), "attachments": asked.attachments}
    seen = await garden.turns.preview(await garden.turn_update(asked.text, session_id=asked.session_id, **given))
    answer = injection_shape(seen.injection)
    answer["why"] = None if seen.injection is not None else _WHY_NOTHING.get(seen.label, _NOTHING_FITS)
    answer["passed_over"] = [
        {"id": result.id, "content": result.content, "why": why} for result, why in seen.passed_over
    ]
    return answer


async def _why_nothing(garden: Garden, before: Mapping[str, int]) -> str:
    if await garden.is_off():
        return OFF
    counted = (await garden.stats()).turns
    new = [label for label, number in counted.items() if number > before.get(label, 0)]
    return next((_WHY_NOTHING[label] for label in new if label in _WHY_NOTHING), _NOTHING_FITS)


async def briefing(garden: Garden, asked: turns.BriefingRequest, speaker: Speaker) -> answers.BriefingAnswer:
    told = await garden.briefing(asked.mode, task=asked.task, size=asked.size, scopes=asked.scopes)
    return briefing_shape(told, off_here=await garden.is_off())


async def hook(garden: Garden, asked: hooks.Hook, speaker: Speaker) -> answers.HookAnswer:
    event = read_event(asked.client, cast(EventName, asked.event), asked.data, spooled=asked.spooled)
    reply = await serve(garden, event)
    return {"stdout": write_reply(event.client, event.name, reply)}


async def surfaced(garden: Garden, asked: turns.Surfaced, speaker: Speaker) -> answers.SurfacedAnswer:
    found = await garden.lookup.surfaced(session_id=asked.id, limit=asked.limit)
    return {"sessions": [to_record(each) for each in found]}


async def gaps(garden: Garden, asked: turns.Gaps, speaker: Speaker) -> answers.GapsAnswer:
    found = await garden.gaps(include_closed=asked.closed)
    return {"gaps": [to_record(gap) for gap in found[: asked.limit]]}


async def close_gap(garden: Garden, asked: turns.CloseGap, speaker: Speaker) -> answers.ClosedGapAnswer:
    return {"closed": to_record(await garden.close_gap(asked.id, actor=speaker))}


PERFORM: dict[str, Perform] = {
    "turn": turn,
    "briefing": briefing,
    "hook": hook,
    "surfaced": surfaced,
    "gaps": gaps,
    "close_gap": close_gap,
}
