"""The notebook of a project: the `garden.learn.notebook` part of the public API.

Pages under `.nightgarden/memory`, written from promoted memories of the project (never from global ones: those are
about the person, and the folder may be committed). What a person edited in them is taken in first, as their own
statement, in one cycle that `undo` takes back; a page with something that could not be taken in is kept beside the new
one. What came with the repository is outside text: it is taken in as that, and neither replaces nor removes anything.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from nightgarden.domain.documents import ABSENT
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import GLOBAL, Category, Memory, Provenance
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.shelf import Kept, Shelf
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, Conflict, NotAllowed
from nightgarden.learn.capture.taking import Remember
from nightgarden.learn.learning_documents import NOTEBOOK
from nightgarden.learn.notebook_link import LINKED, LinkChange, is_linked, with_link, without_link
from nightgarden.learn.notebook_origin import Brought, brought_by_git
from nightgarden.learn.notebook_values import (
    FOLDER,
    INDEX,
    PAGE_BYTES_MAX,
    PAGES,
    TOPICS,
    Edits,
    NotebookState,
    Page,
    digest_of,
    edits_in,
    page_state,
    said_in,
    write_pages,
)
from nightgarden.learn.project_files import need_plain_way, write_inside
from nightgarden.machine.plain_files import read_small
from nightgarden.remember.edit import archived, replace_others
from nightgarden.remember.note import Note
from nightgarden.remember.refuse import NOT_LASTING
from nightgarden.scope import Place

REMOVED_MAX = 10  # lines deleted by hand at once; more looks like an accident, and is written back
DEBOUNCE_SECONDS = 2.0  # after the last change of the garden; taken over from an earlier system of this kind


@dataclass(slots=True, kw_only=True)
class NotebookReport:
    """What one sync did."""

    folder: str
    cycle: str = ""
    written: list[str] = field(default_factory=list)  # pages
    imported: list[str] = field(default_factory=list)  # ids of memories that edits became
    outside: list[str] = field(default_factory=list)  # and of those that lines became which came with the repository
    archived: list[str] = field(default_factory=list)  # ids of memories whose line was deleted
    refused: list[str] = field(default_factory=list)  # why an edit was not taken in
    kept: list[str] = field(default_factory=list)  # edited pages kept as they were


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookStatus:
    """How a notebook stands."""

    folder: str
    on: bool
    pages: tuple[str, ...]  # there
    edited: tuple[str, ...]  # changed by hand since they were written
    outdated: bool  # the garden knows something else by now


class Notebook:
    """The notebook of one project."""

    def __init__(
        self, store: Store, place: Place, clock: Clock, ids: IdMaker, remember: Remember, machine: str
    ) -> None:
        self._store = store
        self._place = place
        self._clock = clock
        self._ids = ids
        self._remember = remember
        self._machine = machine
        self._shelf = Shelf(store, NOTEBOOK)

    @property
    def folder(self) -> Path:
        return self._place.root / FOLDER

    async def sync(self) -> NotebookReport:
        """Takes in what was edited, then writes the pages that differ. Doing it again changes nothing. Raises
        NotAllowed when the folder is reached by a link."""
        report = NotebookReport(folder=str(self.folder))
        kept = await self._kept()
        state = kept.value if kept is not None else NotebookState()
        texts = await asyncio.to_thread(self._read_all)
        cycle = f"notebook-{self._ids.make(self._clock.now())}"
        for name, text in texts.items():
            if edits := edits_in(text, state.pages.get(name)):
                if name in state.pages:
                    origin = await asyncio.to_thread(brought_by_git, self._place.root, f"{FOLDER}/{name}", text)
                else:  # there before anything was written here
                    origin = Brought(lines=frozenset(said_in(text)), removals=True)
                await self._take(name, text, edits, origin, report, cycle)
        report.cycle = cycle if report.imported or report.outside or report.archived else ""
        await self._write(texts, state, kept, report)
        return report

    async def status(self) -> NotebookStatus:
        """What there is, and whether it is up to date."""
        kept = await self._kept()
        state = kept.value if kept is not None else NotebookState()
        try:
            texts = await asyncio.to_thread(self._read_all)
        except NotAllowed:
            texts = {}
        pages = await self._pages()
        return NotebookStatus(
            folder=str(self.folder),
            on=bool(state.pages),
            pages=tuple(texts),
            edited=tuple(name for name, text in texts.items() if edits_in(text, state.pages.get(name))),
            outdated=bool(state.pages) and any(texts.get(page.name) != page.text for page in pages),
        )

    # -- the link from instruction files -----------------------------------------------------------------------------
    def linked(self) -> tuple[str, ...]:
        """The instruction files that name the notebook."""
        return tuple(name for name in LINKED if is_linked(self._instructions(name)))

    def link_change(self, file: str) -> LinkChange | None:
        """What naming the notebook in a file would write; None when it is named there already."""
        return with_link(file, self._instructions(file))

    def write_link(self, change: LinkChange) -> None:
        """Writes it, as the user agreed to. Raises NotAllowed when the file is a link."""
        write_inside(self._place.root, change.file, change.text)

    def unlink(self) -> tuple[str, ...]:
        """Takes the lines out of every file that has them."""
        gone = self.linked()
        for name in gone:
            write_inside(self._place.root, name, without_link(self._instructions(name)))
        return gone

    def _instructions(self, name: str) -> str:
        need_plain_way(self._place.root, name)
        try:
            return read_small(self._place.root / name).text
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{self._place.root / name} cannot be read: {error}") from None

    # -- reading -----------------------------------------------------------------------------------------------------
    def _read_all(self) -> dict[str, str]:
        found = {}
        for name in PAGES:
            relative = f"{FOLDER}/{name}"
            need_plain_way(self._place.root, relative)
            try:
                found[name] = read_small(self._place.root / relative, bytes_max=PAGE_BYTES_MAX).text
            except FileNotFoundError:
                continue
            except UnicodeDecodeError:
                raise BadInput(f"{self._place.root / relative} is not text in UTF-8; mend or remove it") from None
            except OSError as error:
                raise BadInput(f"{self._place.root / relative} cannot be read: {error.strerror or error}") from None
        return found

    async def _take(
        self, name: str, text: str, edits: Edits, origin: Brought, report: NotebookReport, cycle: str
    ) -> None:
        refused_before, outside = len(report.refused), len(report.outside)
        known = {memory.id: memory for memory in await self._store.memories([id for id, _ in edits.changed])}
        for id, said in (*edits.changed, *((None, said) for said in edits.added)):
            old = known.get(id) if id is not None else None
            category = old.category if old is not None else _category(name)
            if origin.brought(said):
                await self._hear(said, category, report, cycle)
            else:
                await self._say(said, old, category, report, cycle)
        if origin.removals:
            pass  # the repository does not decide what is forgotten
        elif len(edits.removed) > REMOVED_MAX:
            report.refused.append(f"{name}: {len(edits.removed)} lines were deleted at once; they were written back")
        elif name != INDEX:  # the index shows a choice: a line gone from it is on its page
            await self._forget(edits, report, cycle)
        if len(report.refused) > refused_before or len(report.outside) > outside:
            beside = f"{FOLDER}/edited-{digest_of(text)[:8]}-{name}"
            await asyncio.to_thread(write_inside, self._place.root, beside, text)
            report.kept.append(beside)

    async def _hear(self, said: str, category: Category | None, report: NotebookReport, cycle: str) -> None:
        """Something that came with the repository: outside text, which supports what is known and replaces nothing."""
        note = Note(
            content=said,
            scope=self._place.scope,
            wider_scopes=(GLOBAL,),
            created_at=self._clock.now(),
            category=category,
            provenance=Provenance.IMPORTED,
            tainted=True,
            confidence_reason="in the notebook as it came with the repository",
            root=self._place.root,
        )
        verdict = await self._remember(note, cycle, "user")
        if isinstance(verdict, Refused):
            report.refused.append(f"{said[:60]}: {verdict.rule.sentence}")
        else:
            report.outside.append(verdict.memory.id)

    async def _say(
        self, said: str, old: Memory | None, category: Category | None, report: NotebookReport, cycle: str
    ) -> None:
        now = self._clock.now()
        note = Note(
            content=said,
            scope=self._place.scope,
            wider_scopes=(GLOBAL,),
            created_at=now,
            category=category,
            provenance=Provenance.USER_STATED,
            confidence_reason="written into the notebook",
            allow=frozenset({NOT_LASTING.id}),
            root=self._place.root,
        )
        verdict = await self._remember(note, cycle, "user")
        if isinstance(verdict, Refused):
            report.refused.append(f"{said[:60]}: {verdict.rule.sentence}")
            return
        report.imported.append(verdict.memory.id)
        ids = [verdict.memory.id, *([old.id] if old is not None else [])]
        said_now, *current = await self._store.memories(ids)
        others = [memory for memory in current if memory.live and memory.id != said_now.id]
        if others:  # whatever the comparison made of the two, the person put one in the place of the other
            await self._apply(replace_others(said_now, others, at=now), "edited in the notebook", cycle)

    async def _forget(self, edits: Edits, report: NotebookReport, cycle: str) -> None:
        now = self._clock.now()
        gone = [memory for memory in await self._store.memories(edits.removed) if memory.live and not memory.pinned]
        if gone:
            await self._apply([Change(m, archived(m, at=now)) for m in gone], "deleted in the notebook", cycle)
            report.archived += [memory.id for memory in gone]

    async def _apply(self, changes: list[Change], reason: str, cycle: str) -> None:
        origin = Origin(actor="user", operation=Operation.UPDATE, reason=reason, cycle=cycle)
        await self._store.apply(changes, origin, at=self._clock.now())

    # -- writing -----------------------------------------------------------------------------------------------------
    async def _pages(self) -> list[Page]:
        memories = await self._store.list_memories(MemoryFilter(scopes=(self._place.scope,)))
        return write_pages(memories, self._place.name)

    async def _write(
        self, texts: dict[str, str], state: NotebookState, kept: Kept[NotebookState] | None, report: NotebookReport
    ) -> None:
        pages = await self._pages()
        for page in pages:
            if texts.get(page.name) != page.text:
                await asyncio.to_thread(write_inside, self._place.root, f"{FOLDER}/{page.name}", page.text)
                report.written.append(page.name)
        after = replace(
            state,
            root=str(self._place.root),
            machine=self._machine,
            pages={page.name: page_state(page, state.pages.get(page.name)) for page in pages},
        )
        if after != state:
            version, owner = kept.version if kept else ABSENT, str(self._place.scope)
            try:
                await self._shelf.put(self._key, after, expected=version, owner=owner, at=self._clock.now())
            except Conflict:
                return  # somebody else wrote the same pages at this moment

    @property
    def _key(self) -> str:
        return f"{self._place.scope.owner}:{self._machine}"

    async def _kept(self) -> Kept[NotebookState] | None:
        return await self._shelf.get(self._key)


def _category(page: str) -> Category | None:
    topic = TOPICS.get(page.removesuffix(".md"))
    return topic[0] if topic else None


async def notebooks_on(store: Store, machine: str) -> list[Path]:
    """Roots of the projects on this machine whose notebook is kept up."""
    kept = await Shelf(store, NOTEBOOK).list()
    return [Path(each.value.root) for each in kept if each.value.machine == machine and each.value.root]
