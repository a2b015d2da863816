"""Procedures as SKILL.md files: written for review first, then into the clients' folders when the user says so.

What somebody edited is never overwritten: their text becomes the procedure's new version. What the user wrote is
indexed, and takes the place of what was learned and does the same.
"""

from __future__ import annotations

import asyncio
import builtins
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from nightgarden.domain.gate import Gate
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import Category, Memory, Procedure, Provenance, ScopeKind, Status
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.state_keys import SKILLS as STATE
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.learn import skill_folders
from nightgarden.learn.as_memories import procedure_text
from nightgarden.learn.from_episodes import actions_in, actions_of, known_procedures
from nightgarden.learn.procedures import SAME_STEPS, same_steps
from nightgarden.learn.skill_file import digest_of, parse, render, slug_of
from nightgarden.scope import Place
from nightgarden.settings import RememberSettings

_USERS_WORD = (Provenance.USER_STATED, Provenance.USER_CORRECTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A procedure and one of its files, or a file that somebody wrote."""

    id: str  # of the procedure
    name: str
    file: str  # under the project's root; empty when it was not written yet
    state: str  # promoted, review, applied, written, unchanged, imported, indexed, removed, kept or refused
    reason: str = ""


class Skills:
    """Skills of one project. The `garden.learn.skills` part of the public API."""

    def __init__(self, store: Store, place: Place, settings: RememberSettings, clock: Clock, ids: IdMaker) -> None:
        self._store = store
        self._place = place
        self._settings = settings
        self._clock = clock
        self._ids = ids

    async def list(self) -> builtins.list[Skill]:
        """Every promoted procedure of this project with its files, and the files that somebody wrote."""
        files = await self._files()
        found = []
        for memory in await self._promoted():
            own = sorted(file for file, note in files.items() if note["id"] == memory.id)
            found += [_skill(memory, file, _place_of(file)) for file in own] or [_skill(memory, "", "promoted")]
        return found

    async def review(self, *ids: str) -> builtins.list[Skill]:
        """Writes promoted procedures, all or those named, into the review folder, from where nothing loads them."""
        found = []
        for memory in await self._chosen(ids):
            found += await self._take_edits(memory)
            found.append(await self._put(await self._current(memory.id), skill_folders.REVIEW))
        return found

    async def apply(self, *ids: str) -> builtins.list[Skill]:
        """Writes those named into the folders of the clients, as they stand in the review folder. Raises NotFound."""
        if not ids:
            raise BadInput("name the procedures to apply; `nightgarden skills list` shows them")
        found = []
        for memory in await self._chosen(ids):
            found += await self._take_edits(memory)
            reviewed = await self._put(await self._current(memory.id), skill_folders.REVIEW)
            if reviewed.state == "refused":
                found.append(reviewed)
                continue
            current = await self._current(reviewed.id)
            text = await asyncio.to_thread(skill_folders.read, self._root, reviewed.file)
            found += [await self._put(current, folder, text) for folder in skill_folders.CLIENTS]
        return found

    async def revert(self, *ids: str) -> builtins.list[Skill]:
        """Removes the files that were written for those named. One that was edited since stays."""
        if not ids:
            raise BadInput("name the procedures to revert; `nightgarden skills list` shows them")
        files = await self._files()
        found = []
        for each in ids:
            memory = await self._current(each)
            for file in sorted(name for name, note in files.items() if note["id"] == memory.id):
                text = await asyncio.to_thread(skill_folders.read, self._root, file)
                if text is not None and digest_of(text) != files[file]["digest"]:
                    found.append(
                        _skill(memory, file, "kept", "it was edited; `nightgarden skills reindex` takes it in")
                    )
                    continue
                await asyncio.to_thread(skill_folders.remove, self._root, file)
                await self._note(file, None)
                found.append(_skill(memory, file, "removed"))
        return found

    async def reindex(self) -> builtins.list[Skill]:
        """Takes in the skills and commands that somebody wrote or edited in the clients' folders."""
        files = await self._files()
        found = []
        reviewed = [file for file in files if file.startswith(skill_folders.REVIEW)]
        for file in [*reviewed, *await asyncio.to_thread(skill_folders.written, self._root)]:
            text = await asyncio.to_thread(skill_folders.read, self._root, file)
            if text is None or files.get(file, {}).get("digest") == digest_of(text):
                continue
            found.append(await self._take_in(file, text, await self._owner(files.get(file))))
        return found

    # -- inside ------------------------------------------------------------------------------------------------------
    async def _take_edits(self, memory: Memory) -> builtins.list[Skill]:
        """What somebody edited in any file of the procedure, before one of them is written."""
        found = []
        for file, note in sorted((await self._files()).items()):
            if await self._owner(note) != memory.id:
                continue
            text = await asyncio.to_thread(skill_folders.read, self._root, file)
            if text is not None and digest_of(text) != note["digest"]:
                found.append(await self._take_in(file, text, memory.id))
                memory = await self._current(memory.id)
        return found

    async def _owner(self, note: Mapping[str, Any] | None) -> str | None:
        """The id of the procedure that a file was written for, as it is now; None when it is purged, or no file."""
        try:
            return (await self._current(note["id"])).id if note else None
        except NotFound:
            return None

    async def _put(self, memory: Memory, folder: str, text: str | None = None) -> Skill:
        assert memory.procedure is not None
        slug = await self._slug(memory, memory.procedure.name)
        file = f"{folder}/{slug}/{skill_folders.SKILL}"
        text = text or render(memory, slug)
        if refused := self._refused(text):
            return _skill(memory, file, "refused", refused)
        there = await asyncio.to_thread(skill_folders.read, self._root, file)
        note = (await self._files()).get(file)
        if there is not None and there == text:
            await self._note(file, (note or {}) | {"id": memory.id, "digest": digest_of(text)})
            return _skill(memory, file, "unchanged")
        if there is not None and (note is None or note["digest"] != digest_of(there)):
            return await self._edited(memory, file, there, note)
        if note is not None and there is not None and note.get("edited"):
            known = note["id"] == memory.id
            return _skill(memory, file, "unchanged" if known else "kept", "" if known else "it has your own words")
        try:
            await asyncio.to_thread(skill_folders.write, self._root, file, text)
        except (NotAllowed, OSError) as error:
            return _skill(memory, file, "refused", str(error))
        await self._note(file, {"id": memory.id, "digest": digest_of(text)})
        return _skill(memory, file, "written")

    async def _slug(self, memory: Memory, name: str) -> str:
        """The folder that the procedure or an earlier version has, whatever it is called by now; else one that no
        other procedure has."""
        taken = set()
        for file, note in sorted((await self._files()).items()):
            if not file.endswith(f"/{skill_folders.SKILL}"):
                continue
            folder = file.split("/")[-2]
            owner = await self._owner(note)
            if owner == memory.id:
                return folder
            if owner is not None:
                taken.add(folder)
        slug = slug_of(name)
        numbered = (f"{slug}-{number}" for number in itertools.count(2))
        return next(each for each in itertools.chain((slug,), numbered) if each not in taken)

    async def _edited(self, memory: Memory, file: str, text: str, note: dict[str, Any] | None) -> Skill:
        parsed = parse(text, fallback_name=file)
        if note is None and (parsed is None or parsed.made_from is None):
            return _skill(memory, file, "refused", "somebody else's file has this name; rename it, or the procedure")
        return await self._take_in(file, text, note["id"] if note else memory.id)

    async def _take_in(self, file: str, text: str, known_id: str | None) -> Skill:
        """A person's text becomes a procedure: a new version of the one it was made of, or one of their own."""
        parsed = parse(text, fallback_name=file.split("/")[-2] if file.endswith(skill_folders.SKILL) else file)
        if parsed is None:
            return Skill(id="", name=file, file=file, state="refused", reason="it has no numbered or listed steps")
        if refused := self._refused(text, tainted=known_id is None):
            return Skill(id="", name=parsed.procedure.name, file=file, state="refused", reason=refused)
        now = self._clock.now()
        memory = self._memory(parsed.procedure, edited=known_id is not None, now=now)
        old = await self._replaced(memory, known_id or parsed.made_from)
        if memory.tainted and (said := next((o for o in old if not o.tainted and o.provenance in _USERS_WORD), None)):
            reason = f"anybody may have written it, and it would replace your own procedure {said.id}"
            return Skill(id="", name=parsed.procedure.name, file=file, state="refused", reason=reason)
        before = [Change(each, replace(each, superseded_by=memory.id, updated_at=now)) for each in old]
        after = [Change(None, _supersedes(memory, each, now)) for each in old]
        cycle = f"skills-{self._ids.make(now)}"
        origin = Origin(actor="user", operation=Operation.IMPORT, reason=f"read from {file}", cycle=cycle)
        await self._store.apply([*before, Change(None, memory), *after], origin, at=now)
        await self._note(file, {"id": memory.id, "digest": digest_of(text), "edited": True})
        return _skill(memory, file, "imported" if known_id is not None else "indexed")

    async def _replaced(self, memory: Memory, known_id: str | None) -> builtins.list[Memory]:
        """The version before, earlier readings of the same words, and what was learned and does the same."""
        found = []
        for known in await known_procedures(self._store):
            other = known.memory
            if not other.live or other.scope != memory.scope:
                continue
            alike = same_steps(actions_of(other), actions_of(memory)) >= SAME_STEPS
            if other.id == known_id or (known.ours and alike) or other.content == memory.content:
                found.append(other)
        return found

    def _memory(self, procedure: Procedure, *, edited: bool, now: datetime) -> Memory:
        """An edit of our file is the user's word; other files may have come with the repository."""
        return Memory(
            id=self._ids.make(now),
            content=procedure_text(procedure),
            category=Category.PROCEDURE,
            scope=self._place.scope,
            provenance=Provenance.USER_STATED if edited else Provenance.IMPORTED,
            tainted=not edited,
            confidence=1.0 if edited else 0.8,
            confidence_reason="the user edited it" if edited else "a skill file of this project",
            created_at=now,
            updated_at=now,
            confirmed_at=now,
            procedure=replace(procedure, actions=actions_in(procedure.steps)),
        )

    def _refused(self, text: str, *, tainted: bool = False) -> str:
        gate = Gate(tainted=tainted, personal_allowed=frozenset(self._settings.personal_allowed))
        refused = gate.refuse(text)
        return f"{refused.rule.id}: {refused.rule.sentence}" if refused else ""

    async def _chosen(self, ids: Sequence[str]) -> builtins.list[Memory]:
        promoted = await self._promoted()
        if not ids:
            return promoted
        found = [await self._current(each) for each in ids]
        if waiting := next((memory for memory in found if memory.status is not Status.PROMOTED), None):
            raise BadInput(
                f"procedure {waiting.id} is {waiting.status} with confidence {waiting.confidence:.2f}; only promoted "
                "ones become skills: `nightgarden procedures outcome` says how following it went"
            )
        return found

    async def _current(self, memory_id: str) -> Memory:
        """The procedure, or the version that took its place."""
        seen: set[str] = set()
        while memory_id not in seen:
            seen.add(memory_id)
            found = await self._store.memories([memory_id])
            if not found or found[0].procedure is None:
                break
            if found[0].superseded_by is None:
                return found[0]
            memory_id = found[0].superseded_by
        raise NotFound(f"there is no procedure {memory_id!r}; `nightgarden procedures list` shows them")

    async def _promoted(self) -> builtins.list[Memory]:
        which = MemoryFilter(
            categories=(Category.PROCEDURE,),
            scopes=(self._project.scope,),
            statuses=(Status.PROMOTED,),
            superseded=False,
        )
        found = await self._store.list_memories(which)
        return [m for m in found if m.procedure is not None and m.provenance is not Provenance.IMPORTED]

    @property
    def _project(self) -> Place:
        if self._place.scope.kind is not ScopeKind.PROJECT:
            raise BadInput("skills belong to a project; run this inside one")
        return self._place

    @property
    def _root(self) -> Any:
        return self._project.root

    async def _files(self) -> dict[str, dict[str, Any]]:
        return dict(await self._store.get_state(STATE + self._project.scope.owner) or {})

    async def _note(self, file: str, note: dict[str, Any] | None) -> None:
        files = await self._files()
        files.pop(file, None)
        if note is not None:
            files[file] = note
        await self._store.put_state(STATE + self._project.scope.owner, files or None)


def _supersedes(memory: Memory, old: Memory, now: datetime) -> Edge:
    return Edge(source=memory.id, target=old.id, kind=EdgeKind.SUPERSEDES, weight=1.0, created_at=now, updated_at=now)


def _skill(memory: Memory, file: str, state: str, reason: str = "") -> Skill:
    assert memory.procedure is not None
    return Skill(id=memory.id, name=memory.procedure.name, file=file, state=state, reason=reason)


def _place_of(file: str) -> str:
    return "review" if file.startswith(skill_folders.REVIEW) else "applied"
