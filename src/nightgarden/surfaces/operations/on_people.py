"""Performs the operations on what people said in channels."""

from __future__ import annotations

from nightgarden.domain.requests.people import PersonTraces, PurgePerson
from nightgarden.garden import Garden
from nightgarden.initiative.people import find_person, purge_person
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker


async def traces(garden: Garden, asked: PersonTraces, speaker: Speaker) -> answers.TracesAnswer:
    found = await find_person(garden, asked.person)
    return {"names": sorted(found.names), "sentence": found.sentence}


async def purge(garden: Garden, asked: PurgePerson, speaker: Speaker) -> answers.PurgedPersonAnswer:
    found = await find_person(garden, asked.person)
    return {"purged": await purge_person(garden, found), "sentence": found.sentence}


PERFORM: dict[str, Perform] = {
    "person_traces": traces,
    "purge_person": purge,
}
